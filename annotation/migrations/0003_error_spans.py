"""Give marked errors a side and a category, let their severities be free and let them overlap."""

from django.db import migrations, models


def name_omissions(apps, schema_editor):
    spans = apps.get_model("annotation", "ErrorSpan").objects.using(schema_editor.connection.alias)
    spans.filter(start__isnull=True).update(side="missing")


class Migration(migrations.Migration):
    dependencies = [("annotation", "0002_sheets")]

    operations = [
        migrations.RemoveConstraint("errorspan", "one_error_span_at_a_place"),
        migrations.RemoveConstraint("errorspan", "one_omission_of_a_candidate"),
        migrations.RemoveConstraint("errorspan", "error_span_has_characters"),
        migrations.RemoveConstraint("errorspan", "severity_of_error_is_known"),
        migrations.AddField(
            "errorspan", "category", models.CharField(blank=True, default="", max_length=80)
        ),
        migrations.AddField(
            "errorspan",
            "side",
            models.CharField(
                choices=[
                    ("target", "translation"),
                    ("source", "source"),
                    ("missing", "missing"),
                ],
                default="target",
                max_length=7,
            ),
        ),
        migrations.AlterField("errorspan", "severity", models.CharField(max_length=20)),
        migrations.RunPython(name_omissions, migrations.RunPython.noop),
        migrations.AddConstraint(
            "errorspan",
            models.UniqueConstraint(
                condition=models.Q(("start__isnull", False)),
                fields=("placement", "side", "start", "end", "category"),
                name="error_span_is_marked_once",
            ),
        ),
        migrations.AddConstraint(
            "errorspan",
            models.UniqueConstraint(
                condition=models.Q(("start__isnull", True)),
                fields=("placement", "category"),
                name="omission_is_marked_once",
            ),
        ),
        migrations.AddConstraint(
            "errorspan",
            models.CheckConstraint(
                condition=models.Q(
                    ("end__isnull", True), ("side", "missing"), ("start__isnull", True)
                )
                | models.Q(
                    ("end__gt", models.F("start")),
                    ("end__isnull", False),
                    ("side__in", ["target", "source"]),
                    ("start__gte", 0),
                    ("start__isnull", False),
                ),
                name="error_span_has_characters",
            ),
        ),
        migrations.AddConstraint(
            "errorspan",
            models.CheckConstraint(
                condition=models.Q(("severity", ""), _negated=True),
                name="error_span_has_a_severity",
            ),
        ),
    ]
