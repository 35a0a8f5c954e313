"""Deletes evaluations of metrics of former versions: they lack tests, and segments of SPA."""

from django.db import migrations


def delete_evaluations(apps, schema_editor):
    apps.get_model("evaluation", "StoredReport").objects.filter(kind="metrics").delete()


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0007_reports_of_metrics")]

    operations = [migrations.RunPython(delete_evaluations, migrations.RunPython.noop)]
