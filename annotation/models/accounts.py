"""People: accounts, their roles in projects, and one-time links to sign in."""

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Upper
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """A person who may sign in, or an annotator who came with an imported project.

    An account that came with a project is inactive, has no usable password, shows by
    `display_name`, and is deleted with that project. A mail address is that of one account.
    """

    display_name = models.CharField(_("display name"), max_length=150, blank=True)
    came_with = models.ForeignKey(
        "annotation.Project",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="imported_accounts",
        verbose_name=_("came with"),
    )
    # Stands for whoever judged where a file does not say who: never compared with anyone,
    # since we could not tell intra from inter.
    unidentified = models.BooleanField(_("unidentified"), default=False)

    # The one project that this request may be about, where whoever signed in came by a way that is
    # open to others too; set by that way in, and never stored.
    confined_to: "int | None" = None

    class Meta(AbstractUser.Meta):  # type: ignore[name-defined,misc]
        constraints = [
            models.UniqueConstraint(
                fields=["came_with", "display_name"],
                condition=models.Q(came_with__isnull=False),
                name="one_imported_account_per_name",
            ),
            models.CheckConstraint(
                condition=models.Q(came_with__isnull=True) | models.Q(is_active=False),
                name="imported_accounts_are_inactive",
            ),
            # As `iexact` compares, so that what a look-up has not found can be stored.
            models.UniqueConstraint(
                Upper("email"),
                condition=~models.Q(email=""),
                name="one_account_per_mail_address",
                violation_error_message=_("Another account has this mail address already."),
            ),
        ]

    @property
    def shown_name(self) -> str:
        return self.display_name or self.username

    def save(self, *args: Any, **kwargs: Any) -> None:
        # As Django's own `save`, which forgets it, tells whether the password was changed.
        has_new_password = self._password is not None  # type: ignore[attr-defined]
        super().save(*args, **kwargs)
        if has_new_password:
            self.void_links()

    def void_links(self) -> None:
        """Use up all links that could sign this person in."""
        self.sign_in_links.filter(used=None).update(used=timezone.now())


class Membership(models.Model):
    """What one person may do in one project.

    Annotators judge; observers see the findings; administrators do both and run the project;
    owners also say who else is an owner, and may delete it.
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
    # How many sentences the member is given at most, whether they are new, repeats or for control;
    # practice and what was skipped or given back is not counted. Null: as many as there are.
    most_sentences = models.PositiveIntegerField(
        _("most sentences"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(1_000_000)],
    )

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
                condition=models.Q(most_sentences__isnull=True) | models.Q(most_sentences__gte=1),
                name="most_sentences_are_positive",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.project}: {self.get_role_display()}"


class SignInLink(models.Model):
    """A link that signs its user in once; only a hash of its token is kept."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sign_in_links")
    token_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField()
    used = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"sign-in link {self.pk} of {self.user_id}"
