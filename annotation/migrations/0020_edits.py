import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual


class Migration(migrations.Migration):
    dependencies = [("annotation", "0019_several_candidates_of_a_system")]

    operations = [
        migrations.CreateModel(
            name="Edit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField(max_length=5000)),
                (
                    "placement",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="edit",
                        to="annotation.placement",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True), name="edit_is_not_empty"
                    ),
                    models.CheckConstraint(
                        condition=LessThanOrEqual(Length("text"), 5000), name="edit_is_short"
                    ),
                ],
            },
        ),
    ]
