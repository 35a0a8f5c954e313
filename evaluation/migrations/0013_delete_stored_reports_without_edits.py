"""Deletes reports of former versions, as 0003 does: they lack the edit rates."""

from django.db import migrations


def delete_reports(apps, schema_editor):
    apps.get_model("evaluation", "StoredReport").objects.filter(kind="report").delete()


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0012_delete_stored_reports_without_answers")]

    operations = [migrations.RunPython(delete_reports, migrations.RunPython.noop)]
