"""Leaves each mail address to one account; from then on the database sees to it."""

from logging import getLogger

import django.db.models.functions.text
from django.db import migrations, models
from django.db.models import Count, F
from django.db.models.functions import Upper

log = getLogger(__name__)


def leave_to_one(apps, schema_editor):
    """The account that may sign in, and was signed in last, keeps it: its owner still goes by it.

    Nothing else is taken from the others: who has their password still signs in.
    """
    User = apps.get_model("annotation", "User")
    known = User.objects.exclude(email="").annotate(known=Upper("email"))
    of_several = known.values("known").annotate(times=Count("pk")).filter(times__gt=1)
    last_first = ("-is_active", F("last_login").desc(nulls_last=True), "pk")
    for address in of_several.order_by("known").values_list("known", flat=True):
        keeps, *others = known.filter(known=address).order_by(*last_first)
        User.objects.filter(pk__in=[user.pk for user in others]).update(email="")
        log.warning(
            "One mail address was that of several accounts: %r keeps it, and %s no longer have it.",
            keeps.username,
            ", ".join(repr(user.username) for user in others),
        )


class Migration(migrations.Migration):
    dependencies = [("annotation", "0015_reasons")]

    operations = [
        migrations.RunPython(leave_to_one, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                django.db.models.functions.text.Upper("email"),
                condition=models.Q(("email", ""), _negated=True),
                name="one_account_per_mail_address",
                violation_error_message="Another account has this mail address already.",
            ),
        ),
    ]
