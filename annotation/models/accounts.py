"""Accounts, their roles in projects, and one-time sign-in links."""

from typing import Self

from django.contrib.auth.models import AbstractUser
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Upper
from django.utils.translation import gettext_lazy as _

from annotation.formats.names import plain_name
from annotation.models.names import NameField
from annotation.models.secret_links import SecretLink, SecretLinks

# The highest limit of sentences that a person judges.
MOST_SENTENCES = 1_000_000


class User(AbstractUser):
    """A person who can sign in, or an annotator imported with a project.

    An imported account is inactive, has no password, is shown by `display_name`, and is deleted
    with its project. An email address belongs to one account.
    """

    display_name = NameField(_("display name"), max_length=150, blank=True)
    imported_with = models.ForeignKey(
        "annotation.Project",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="imported_accounts",
        verbose_name=_("imported with"),
    )
    # The project that the account was created for: while it has no password and no other project,
    # that project's administrators may create sign-in links for it and anonymise it.
    created_for = models.ForeignKey(
        "annotation.Project",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="created_accounts",
        verbose_name=_("created for"),
    )
    # Stands for all annotators whom an imported file does not name. Never compared with anyone,
    # because intra and inter pairs cannot be distinguished.
    unidentified = models.BooleanField(_("unidentified"), default=False)

    # Whether administrators may send emails that remind the user to go on judging.
    wants_reminders = models.BooleanField(_("wants reminders"), default=True)

    # The only project this request may use, if the user came by a start link: others could have
    # come by it, too. Set by the authentication backend, never stored.
    confined_to: "int | None" = None

    class Meta(AbstractUser.Meta):  # type: ignore[name-defined,misc]
        constraints = [
            models.UniqueConstraint(
                fields=["imported_with", "display_name"],
                condition=models.Q(imported_with__isnull=False),
                name="one_imported_account_per_name",
            ),
            models.CheckConstraint(
                condition=models.Q(imported_with__isnull=True) | models.Q(is_active=False),
                name="imported_accounts_are_inactive",
            ),
            # UPPER, as `iexact` compares: an address that a look-up did not find can be stored.
            models.UniqueConstraint(
                Upper("email"),
                condition=~models.Q(email=""),
                name="one_account_per_mail_address",
                violation_error_message=_("Another account already has this email address."),
            ),
        ]

    @classmethod
    def normalize_username(cls, username: str) -> str:
        """Return the user name as it is stored and looked up."""
        # Django passes None for a form without one.
        return super().normalize_username(plain_name(username) if username else username)

    @property
    def shown_name(self) -> str:
        return self.display_name or self.username


class Membership(models.Model):
    """A user's role in a project.

    Annotators judge; observers see the results; administrators do both and manage the project;
    owners can also add owners and delete the project.
    """

    class Role(models.TextChoices):
        ANNOTATOR = "annotator", _("annotator")
        OBSERVER = "observer", _("observer")
        ADMINISTRATOR = "administrator", _("administrator")
        OWNER = "owner", _("owner")

    JUDGING = (Role.ANNOTATOR, Role.ADMINISTRATOR, Role.OWNER)
    OBSERVING = (Role.OBSERVER, Role.ADMINISTRATOR, Role.OWNER)
    ADMINISTERING = (Role.ADMINISTRATOR, Role.OWNER)

    user = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="memberships", verbose_name=_("user")
    )
    project = models.ForeignKey(
        "annotation.Project",
        on_delete=models.PROTECT,
        related_name="memberships",
        verbose_name=_("project"),
    )
    role = models.CharField(_("role"), max_length=20, choices=Role.choices)
    # How many sentences the member is assigned at most: new ones, repeats and control sentences.
    # Practice, skipped and returned sentences do not count. Null: no limit.
    sentence_limit = models.PositiveIntegerField(
        _("sentence limit"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_SENTENCES)],
    )

    # The version of the project's questionnaire that the member has answered; 0 for none.
    answered_version = models.PositiveIntegerField(default=0, editable=False)

    # A paused member gets no new sentence; an open one can be finished.
    paused = models.BooleanField(_("paused"), default=False)
    # Whether an administrator added the account by typing its user name. Until its user begins to
    # judge, the project's administrators see that name and no other.
    added_by_name = models.BooleanField(_("added by name"), default=False)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = [
            models.UniqueConstraint(fields=["user", "project"], name="one_membership_per_project"),
            models.CheckConstraint(
                condition=models.Q(role__in=["annotator", "observer", "administrator", "owner"]),
                name="membership_role_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(sentence_limit__isnull=True) | models.Q(sentence_limit__gte=1),
                name="sentence_limit_is_positive",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.project}: {self.get_role_display()}"

    @property
    def questionnaire_is_due(self) -> bool:
        """Return whether the member answers the project's questionnaire before they judge."""
        return self.answered_version < self.project.asked_version


class SignInLinks(SecretLinks["SignInLink"]):
    def open(self) -> Self:
        """Return those of active accounts."""
        return super().open().filter(user__is_active=True)


class SignInLink(SecretLink):
    """A link that signs its user in once."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sign_in_links")

    objects = SignInLinks.as_manager()

    def __str__(self) -> str:
        return f"sign-in link {self.pk} of {self.user_id}"
