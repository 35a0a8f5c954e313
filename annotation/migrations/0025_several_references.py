from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def number_references(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("annotation", "Translation").objects.filter(system=None).update(reference=1)


def set_shown_references(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    projects = apps.get_model("annotation", "Project").objects
    projects.filter(show_reference=False).update(shown_references="none")


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0024_practice_tries"),
    ]

    operations = [
        migrations.AddField(
            model_name="translation",
            name="reference",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.RunPython(number_references, migrations.RunPython.noop),
        migrations.RemoveConstraint(
            model_name="translation",
            name="one_reference_per_sentence",
        ),
        migrations.AddConstraint(
            model_name="translation",
            constraint=models.UniqueConstraint(
                fields=("sentence", "reference"), name="one_translation_per_reference"
            ),
        ),
        migrations.AddConstraint(
            model_name="translation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("reference__isnull", True), ("system__isnull", False)),
                    models.Q(
                        ("reference__gte", 1), ("reference__isnull", False), ("system__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="translation_has_a_system_or_is_a_numbered_reference",
            ),
        ),
        migrations.AddField(
            model_name="project",
            name="shown_references",
            field=models.CharField(
                choices=[
                    ("none", "no reference"),
                    ("first", "the first reference"),
                    ("all", "all references"),
                ],
                default="first",
                max_length=5,
                verbose_name="references shown",
            ),
        ),
        migrations.RunPython(set_shown_references, migrations.RunPython.noop),
        migrations.RemoveField(
            model_name="project",
            name="show_reference",
        ),
        migrations.AddConstraint(
            model_name="project",
            constraint=models.CheckConstraint(
                condition=models.Q(("shown_references__in", ["none", "first", "all"])),
                name="shown_references_are_known",
            ),
        ),
    ]
