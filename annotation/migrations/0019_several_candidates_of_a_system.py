from django.core.management.base import CommandError
from django.db import migrations, models
from django.db.models import Count


def refuse_several_candidates(apps, schema_editor):
    """Before this migration a system had one projection of a segment: others would be lost."""
    projections = apps.get_model("annotation", "Projection").objects
    several = projections.values("segment", "system").annotate(rows=Count("pk")).filter(rows__gt=1)
    projects = apps.get_model("annotation", "Project").objects.filter(
        sentences__segments__in=several.values("segment")
    )
    if numbers := sorted(set(projects.values_list("pk", flat=True))):
        raise CommandError(
            "Before this migration a system has at most one candidate of a segment. Systems of the "
            f"projects {', '.join(map(str, numbers))} have several: delete these projects first."
        )


class Migration(migrations.Migration):
    dependencies = [("annotation", "0018_translations_one_at_a_time")]

    operations = [
        # The new index first: at no time are projections without one.
        migrations.AddConstraint(
            model_name="projection",
            constraint=models.UniqueConstraint(
                fields=("segment", "system", "candidate"),
                name="a_system_produces_a_candidate_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="projection",
            constraint=models.UniqueConstraint(
                condition=models.Q(("candidate__isnull", True)),
                fields=("segment", "system"),
                name="a_system_lacks_a_candidate_once",
            ),
        ),
        migrations.RemoveConstraint(
            model_name="projection",
            name="one_projection_per_segment_and_system",
        ),
        # The last one, so that it comes first when migrations are reversed.
        migrations.RunPython(migrations.RunPython.noop, refuse_several_candidates),
    ]
