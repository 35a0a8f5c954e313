"""Invitations, email addresses to be confirmed, and sessions."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.models import Membership


class Invitation(models.Model):
    """Lets the bearer of its link into a project; only a hash of the link's token is stored.

    It can be used `use_limit` times; an invitation that was mailed, once.
    """

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.CASCADE, related_name="invitations"
    )
    role = models.CharField(max_length=20, choices=Membership.Role.choices)
    token_hash = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey("annotation.User", on_delete=models.CASCADE, related_name="+")
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField()
    revoked = models.DateTimeField(null=True, blank=True)
    use_limit = models.PositiveIntegerField()
    used = models.PositiveIntegerField(default=0)
    # "" if the link was not mailed.
    email = models.EmailField(blank=True)
    note = models.CharField(_("note"), max_length=500, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(role__in=["annotator", "observer", "administrator", "owner"]),
                name="invitation_role_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(use_limit__gte=1, used__lte=models.F("use_limit")),
                name="invitation_is_not_overused",
            ),
            models.CheckConstraint(
                condition=models.Q(email="") | models.Q(use_limit=1),
                name="mailed_invitation_is_for_one",
            ),
        ]

    def __str__(self) -> str:
        return f"invitation {self.pk} to {self.project_id}"


class Arrival(models.Model):
    """A user who accepted an invitation; they cannot use the same one again."""

    invitation = models.ForeignKey(Invitation, on_delete=models.CASCADE, related_name="arrivals")
    user = models.ForeignKey("annotation.User", on_delete=models.CASCADE, related_name="arrivals")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["invitation", "user"], name="one_arrival_per_invitation"
            ),
        ]

    def __str__(self) -> str:
        return f"arrival of {self.user_id} by invitation {self.invitation_id}"


class NewAddress(models.Model):
    """An email address that a user has asked for and not confirmed; the token is stored hashed."""

    user = models.OneToOneField(
        "annotation.User", on_delete=models.CASCADE, related_name="new_address"
    )
    email = models.EmailField()
    # The address of the account at the time of the request, "" for none.
    instead_of = models.EmailField(blank=True)
    token_hash = models.CharField(max_length=64, unique=True)
    expires = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(email=""), name="new_address_is_an_address"),
        ]

    def __str__(self) -> str:
        return f"new address of {self.user_id}"


class SignedIn(models.Model):
    """A session of a user.

    `seen` is when a page was last loaded, to within `sessions.SEEN_EVERY`.
    """

    user = models.ForeignKey("annotation.User", on_delete=models.CASCADE, related_name="signed_in")
    session = models.OneToOneField(
        "sessions.Session", on_delete=models.CASCADE, related_name="signed_in"
    )
    browser = models.CharField(max_length=40, blank=True)
    system = models.CharField(max_length=40, blank=True)
    since = models.DateTimeField(default=timezone.now)
    seen = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"sign-in {self.pk} of {self.user_id}"
