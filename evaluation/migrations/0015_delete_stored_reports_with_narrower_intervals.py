"""Deletes reports of former versions, as 0003 does.

In them intervals for other annotators may be narrower than those for the present ones, and means of
scores sample sentences whichever unit was chosen.
"""

from django.db import migrations


def delete_reports(apps, schema_editor):
    apps.get_model("evaluation", "StoredReport").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0014_delete_stored_reports_without_grade_differences")]

    operations = [migrations.RunPython(delete_reports, migrations.RunPython.noop)]
