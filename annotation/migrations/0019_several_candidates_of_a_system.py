from django.db import migrations, models


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
    ]
