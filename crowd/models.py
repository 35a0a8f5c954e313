"""People who come from crowd platforms, by which link, and what annotators are paid."""

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

LONGEST_ID = 64
# What platforms call their people: no spaces, no signs that mean something in an address or a cell.
PARTICIPANT_ID = r"[A-Za-z0-9][A-Za-z0-9_-]{3,63}"


def new_token() -> str:
    """Return what nobody can guess."""
    return secrets.token_urlsafe(18)


class Pay(models.Model):
    """What an hour is paid, and how much one person gets at most; null: nothing, and no limit."""

    pay_per_hour = models.DecimalField(
        _("pay per hour"),
        max_digits=8,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
    )
    pay_cap = models.DecimalField(
        _("at most, per person"),
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
        validators=[RegexValidator(r"^[A-Z]{3}\Z", _("Write three capital letters, as in EUR."))],
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
    """The pay of those annotators of a project who came by no start link."""

    project = models.OneToOneField(
        "annotation.Project", on_delete=models.CASCADE, related_name="members_pay"
    )

    def __str__(self) -> str:
        return f"pay in project {self.project_id}"


class StartLink(Pay):
    """The way from one platform into one project, with what people do there and how it ends."""

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.CASCADE, related_name="start_links"
    )
    token = models.CharField(max_length=40, unique=True, default=new_token)
    platform = models.CharField(_("platform"), max_length=50)
    # Names of parameters of the address: whose id is in them, and the id of his visit ("" = none).
    id_parameter = models.CharField(_("parameter of the id"), max_length=50)
    visit_parameter = models.CharField(_("parameter of the visit"), max_length=50, blank=True)
    # As `Membership.most_sentences`.
    sentences = models.PositiveIntegerField(
        _("sentences per person"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(1_000_000)],
    )
    # Anybody can make up an id: so many accounts at most, those of tries included.
    most_participants = models.PositiveIntegerField(
        _("people at most"),
        default=1000,
        validators=[MinValueValidator(1), MaxValueValidator(1_000_000)],
    )
    # About how long that takes, as people are told.
    minutes = models.PositiveSmallIntegerField(
        _("minutes that it takes"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(10_000)],
    )
    contact = models.CharField(_("whom to ask"), max_length=200, blank=True)
    code = models.CharField(_("completion code"), max_length=100, blank=True)
    # `addresses.is_allowed` said yes to it when it was set; it is asked again before it is used.
    address = models.CharField(_("address at the end"), max_length=500, blank=True)
    is_on = models.BooleanField(_("people may start"), default=True)
    created = models.DateTimeField(auto_now_add=True)

    # Who came by it, while it is being deleted.
    accounts: "Collection[int]" = ()

    class Meta(Pay.Meta):
        constraints = [
            *Pay.Meta.constraints,
            # Whoever came twice from the same platform would have two accounts.
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
    """A person of a platform: one person, one account, which nobody signs in to otherwise."""

    link = models.ForeignKey(StartLink, on_delete=models.CASCADE, related_name="participants")
    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="participant")
    # "" where the account was anonymised.
    participant_id = models.CharField(max_length=LONGEST_ID, blank=True)
    # Of his first visit; "" where the platform said none.
    visit = models.CharField(max_length=LONGEST_ID, blank=True)
    started = models.DateTimeField()
    # When he was first told that he is done, and the code that he was given then.
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
    """Note who came by the link, while that is known."""
    instance.accounts = list(instance.participants.values_list("user", flat=True))


@receiver(post_delete, sender=StartLink)
def delete_accounts(sender: object, instance: StartLink, **kwargs: Any) -> None:
    """Accounts of the crowd are for one project, and go with it.

    Unless somebody has made something else of them: a member of another project, who may have
    judged there or not, or an account with a password.
    """
    User.objects.filter(
        pk__in=instance.accounts,
        assignments=None,
        memberships=None,
        password__startswith=UNUSABLE_PASSWORD_PREFIX,
        is_staff=False,
        is_superuser=False,
    ).delete()
