"""Adds models of annotators to the kinds of reports.

Deletes reports of former versions, as 0003 does: they do not say which grades steps stand for.
"""

from django.db import migrations, models


def delete_reports(apps, schema_editor):
    apps.get_model("evaluation", "StoredReport").objects.all().delete()


class Migration(migrations.Migration):
    # PostgreSQL cannot alter a table with pending trigger events, such as those of the deletion.
    atomic = False
    dependencies = [("evaluation", "0016_rule_of_practice")]

    operations = [
        migrations.RunPython(delete_reports, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="storedreport", name="kind_of_a_report_is_known"),
        migrations.AlterField(
            model_name="storedreport",
            name="kind",
            field=models.CharField(
                choices=[
                    ("report", "Report"),
                    ("metrics", "Metrics"),
                    ("annotators", "Annotators"),
                ],
                default="report",
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            model_name="storedreport",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["report", "metrics", "annotators"])),
                name="kind_of_a_report_is_known",
            ),
        ),
    ]
