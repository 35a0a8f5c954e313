"""Deletes reports of former versions, as 0003 does: their agreement lacks parts."""

from django.db import migrations


def delete_reports(apps, schema_editor):
    apps.get_model("evaluation", "StoredReport").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0003_delete_stored_reports")]

    operations = [migrations.RunPython(delete_reports, migrations.RunPython.noop)]
