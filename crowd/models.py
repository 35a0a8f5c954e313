"""Start links of crowd platforms, their participants, and pay."""

import secrets
from collections.abc import Collection
from typing import Any

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models.signals import post_delete, pre_delete
from django.dispatch import receiver
from django.utils.translation import gettext_lazy as _

from annotation.models import User
from annotation.models.accounts import MOST_SENTENCES
from annotation.models.names import NameField
from annotation.process import clock

LONGEST_ID = 64
# Ids of platforms: no spaces, and no characters with a meaning in URLs or spreadsheets.
PARTICIPANT_ID = r"[A-Za-z0-9][A-Za-z0-9_-]{3,63}"

MOST_PARTICIPANTS = 1_000_000
MOST_MINUTES = 10_000


def new_token() -> str:
    """Return a random token for a URL."""
    return secrets.token_urlsafe(18)


class Pay(models.Model):
    """Hourly pay, and the limit per person. Null: no pay, no limit."""

    pay_per_hour = models.DecimalField(
        _("pay per hour"),
        max_digits=8,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
    )
    pay_cap = models.DecimalField(
        _("limit per person"),
        max_digits=8,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
    )
    currency = models.CharField(
        _("currency"),
        max_length=3,
        default="EUR",
        validators=[RegexValidator(r"^[A-Z]{3}\Z", _("Enter three capital letters, such as EUR."))],
    )

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=models.Q(pay_per_hour__isnull=True) | models.Q(pay_per_hour__gte=0),
                name="%(class)s_pay_is_not_negative",
            ),
            models.CheckConstraint(
                condition=models.Q(pay_cap__isnull=True) | models.Q(pay_cap__gte=0),
                name="%(class)s_cap_is_not_negative",
            ),
        ]


class MembersPay(Pay):
    """The pay of a project's annotators without a start link."""

    project = models.OneToOneField(
        "annotation.Project", on_delete=models.CASCADE, related_name="members_pay"
    )

    def __str__(self) -> str:
        return f"pay in project {self.project_id}"


class StartLink(Pay):
    """A link by which people of one platform join one project."""

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.CASCADE, related_name="start_links"
    )
    token = models.CharField(max_length=40, unique=True, default=new_token)
    platform = NameField(_("platform"), max_length=50)
    # URL parameters with the participant's id and the id of their visit ("": not stored).
    id_parameter = models.CharField(_("participant ID parameter"), max_length=50)
    visit_parameter = models.CharField(_("session parameter"), max_length=50, blank=True)
    # As `Membership.sentence_limit`.
    sentences = models.PositiveIntegerField(
        _("sentences per person"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_SENTENCES)],
    )
    # Ids can be made up, so the number of accounts is limited.
    most_participants = models.PositiveIntegerField(
        _("maximum participants"),
        default=1000,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_PARTICIPANTS)],
    )
    # The estimated time that is shown to participants.
    minutes = models.PositiveSmallIntegerField(
        _("estimated minutes"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_MINUTES)],
    )
    contact = models.CharField(_("contact"), max_length=200, blank=True)
    code = models.CharField(_("completion code"), max_length=100, blank=True)
    # Shown instead to participants whom a rule of quality has flagged; "" for the same code.
    flagged_code = models.CharField(_("completion code if flagged"), max_length=100, blank=True)
    # Checked by `start_links.is_allowed` when it is set and again when it is used.
    address = models.CharField(_("redirect URL"), max_length=500, blank=True)
    is_on = models.BooleanField(_("people may start"), default=True)
    created = models.DateTimeField(default=clock.now, editable=False)

    # Its participants' accounts, while it is being deleted.
    accounts: "Collection[int]" = ()

    class Meta(Pay.Meta):
        constraints = [
            *Pay.Meta.constraints,
            # With two links, a person of the platform could have two accounts.
            models.UniqueConstraint(
                fields=["project", "platform"], name="one_start_link_per_platform"
            ),
            models.CheckConstraint(
                condition=models.Q(sentences__isnull=True) | models.Q(sentences__gte=1),
                name="sentences_of_a_start_link_are_positive",
            ),
            models.CheckConstraint(
                condition=models.Q(most_participants__gte=1),
                name="participants_of_a_start_link_are_positive",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.platform}, project {self.project_id}"


class Participant(models.Model):
    """A person of a platform, with an account that has no other way to sign in."""

    link = models.ForeignKey(StartLink, on_delete=models.CASCADE, related_name="participants")
    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="participant")
    # "" if the account was anonymised.
    participant_id = models.CharField(max_length=LONGEST_ID, blank=True)
    # Of the first visit; "" if the platform gave none.
    visit = models.CharField(max_length=LONGEST_ID, blank=True)
    started = models.DateTimeField()
    # When the completion page was first shown, and the code shown then.
    completed = models.DateTimeField(null=True, blank=True)
    code = models.CharField(max_length=100, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["link", "participant_id"],
                condition=~models.Q(participant_id=""),
                name="one_account_per_participant",
            ),
        ]

    def __str__(self) -> str:
        return f"participant {self.pk} of start link {self.link_id}"


@receiver(pre_delete, sender=StartLink)
def remember_accounts(sender: object, instance: StartLink, **kwargs: Any) -> None:
    """Store the accounts of the link's participants before the participants are deleted."""
    instance.accounts = list(instance.participants.values_list("user", flat=True))


@receiver(post_delete, sender=StartLink)
def delete_accounts(sender: object, instance: StartLink, **kwargs: Any) -> None:
    """Delete the accounts of the link's participants, which are for this project only.

    Accounts that have become more are kept: with another membership, judgements, or a password.
    """
    User.objects.filter(
        pk__in=instance.accounts,
        assignments=None,
        memberships=None,
        password__startswith=UNUSABLE_PASSWORD_PREFIX,
        is_staff=False,
        is_superuser=False,
    ).delete()
