"""Deletes reports of former versions, which lack parts that pages now show.

They are computed again when they are next opened, or by their schedule.
"""

from django.db import migrations


def delete_reports(apps, schema_editor):
    apps.get_model("evaluation", "StoredReport").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0002_limits_of_reports")]

    operations = [migrations.RunPython(delete_reports, migrations.RunPython.noop)]
