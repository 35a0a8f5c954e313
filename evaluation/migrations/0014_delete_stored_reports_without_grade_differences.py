"""Deletes reports of former versions, as 0003 does: they lack tests of the differences of grades."""

from django.db import migrations


def delete_reports(apps, schema_editor):
    apps.get_model("evaluation", "StoredReport").objects.filter(kind="report").delete()


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0013_delete_stored_reports_without_edits")]

    operations = [migrations.RunPython(delete_reports, migrations.RunPython.noop)]
