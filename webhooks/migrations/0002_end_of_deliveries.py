from django.db import migrations, models
from django.db.models.functions import Now


def end_what_does_not_wait(apps, schema_editor):
    """Nobody noted when: they are kept as long as those that end now."""
    deliveries = apps.get_model("webhooks", "Delivery").objects.exclude(state="waiting")
    deliveries.update(ended=Now())


class Migration(migrations.Migration):
    dependencies = [("webhooks", "0001_webhooks")]

    operations = [
        migrations.AddField(
            model_name="delivery",
            name="ended",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RunPython(end_what_does_not_wait, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(
                condition=models.Q(("ended__isnull", False)),
                fields=["ended"],
                name="deliveries_by_their_end",
            ),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended__isnull", True), ("state", "waiting")),
                    models.Q(
                        models.Q(("state", "waiting"), _negated=True), ("ended__isnull", False)
                    ),
                    _connector="OR",
                ),
                name="what_waits_has_not_ended",
            ),
        ),
    ]
