"""The tables of people: invitations, addresses to be confirmed, and where one is signed in."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.models import Membership


class Invitation(models.Model):
    """Lets whoever has its link into a project; only a hash of the token is kept.

    `used` people have come by it, of `most_uses` at most. One that was mailed is for one.
    """

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.CASCADE, related_name="invitations"
    )
    role = models.CharField(max_length=20, choices=Membership.Role.choices)
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey("annotation.User", on_delete=models.CASCADE, related_name="+")
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField()
    revoked = models.DateTimeField(null=True, blank=True)
    most_uses = models.PositiveIntegerField()
    used = models.PositiveIntegerField(default=0)
    # "" where the link is handed on by whoever made it.
    email = models.EmailField(blank=True)
    note = models.CharField(_("note"), max_length=500, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(role__in=["annotator", "observer", "administrator", "owner"]),
                name="invitation_role_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(most_uses__gte=1, used__lte=models.F("most_uses")),
                name="invitation_is_not_overused",
            ),
            models.CheckConstraint(
                condition=models.Q(email="") | models.Q(most_uses=1),
                name="mailed_invitation_is_for_one",
            ),
        ]

    def __str__(self) -> str:
        return f"invitation {self.pk} to {self.project_id}"


class Arrival(models.Model):
    """Somebody who came by an invitation: nobody comes by the same one again."""

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
    """A mail address that somebody wants for his account; only a hash of its link's token is kept.

    It is his once he comes by the link, which was sent there.
    """

    user = models.OneToOneField(
        "annotation.User", on_delete=models.CASCADE, related_name="new_address"
    )
    email = models.EmailField()
    # What the account had when it was asked for, "" for none.
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
    """A browser in which somebody is signed in; it ends with its session.

    `seen` is when a page was last looked at there, to within `sessions.SEEN_EVERY`.
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
