"""Inviting people into a project, by a link or by mail."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Membership, Project, User
from annotation.projects.permissions import LARGEST_ID
from api.base_views import Resource
from api.exceptions import Conflict, NotSent
from api.pagination import Paging
from api.permissions import Right
from api.schema import describe
from api.serializers import Fields
from people import invitations, mail
from people.invitations import LIFETIME, LONGEST_LIFETIME, MOST_USES
from people.models import Invitation

LONGEST_NOTE = Invitation._meta.get_field("note").max_length or 0


class NewInvitation(Fields):
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    days = serializers.IntegerField(
        min_value=1, max_value=LONGEST_LIFETIME, default=LIFETIME, help_text="That it holds."
    )
    most_uses = serializers.IntegerField(
        min_value=1, max_value=MOST_USES, default=1, help_text="How many people may come by it."
    )
    email = serializers.EmailField(
        max_length=254,
        allow_blank=True,
        default="",
        help_text="Whom to mail it to; without it you get a link to hand on.",
    )
    note = serializers.CharField(
        max_length=LONGEST_NOTE, allow_blank=True, default="", help_text="The invited read it."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["email"] and attrs["most_uses"] != 1:
            told = _("A mail is for one person: write 1.")
            raise serializers.ValidationError({"most_uses": [told]})
        return attrs


class InvitationShown(serializers.ModelSerializer[Invitation]):
    """An invitation that somebody can still come by."""

    made_by = serializers.CharField(source="made_by.username", read_only=True)
    email = serializers.CharField(read_only=True, help_text="Whom it was mailed to, or empty.")

    class Meta:
        model = Invitation
        fields = (
            "id",
            "role",
            "made_by",
            "created",
            "expires",
            "most_uses",
            "used",
            "email",
            "note",
        )
        read_only_fields = fields


class NewInvitationShown(InvitationShown):
    """An invitation, with its link."""

    address = serializers.CharField(
        read_only=True,
        allow_null=True,
        default=None,
        help_text="The link to hand on, shown only now: null where it was mailed, and where this "
        "answer is given again.",
    )

    class Meta(InvitationShown.Meta):
        fields = (*InvitationShown.Meta.fields, "address")  # type: ignore[assignment]
        read_only_fields = fields  # type: ignore[assignment]


INVITATION: dict[str, Any] = {
    "id": 5,
    "role": "annotator",
    "made_by": "petra",
    "created": "2026-11-20T09:30:00Z",
    "expires": "2026-11-27T09:30:00Z",
    "most_uses": 20,
    "used": 0,
    "email": "",
    "note": "The class of Tuesday.",
}
ADDRESS = "https://rank.example.org/invitations/…/"


class Invitations(Resource):
    tag = "people"
    rights = {"GET": Right.ADMINISTER, "POST": Right.ADMINISTER}
    queries = {"GET": Paging}
    waits = True
    shown_once = frozenset({"address"})

    @describe("listInvitations", returns=InvitationShown, is_page=True, example=INVITATION)
    def get(self, request: Request, pk: int) -> Response:
        """List the open invitations

        The newest first. Their links are not known any more: only hashes of them are kept.
        """
        return self.page(invitations.open_invitations(self.project), InvitationShown, newest=True)

    @describe(
        "invite",
        says_where=True,
        takes=NewInvitation,
        takes_example={"role": "annotator", "most_uses": 20, "note": "The class of Tuesday."},
        code=201,
        returns=NewInvitationShown,
        example=INVITATION | {"address": ADDRESS},
        refusals=[409, 502],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Invite somebody

        By a link, which is shown this once, or by mail to one person. Only owners invite owners.
        """
        sent = self.body(request, NewInvitation)
        invitation, address = _invite(self.project, self.user, sent)
        body = {**InvitationShown(invitation).data, "address": address}
        location = reverse("api-invitation", args=[pk, invitation.pk])
        return Response(body, 201, headers={"Location": location})


class OneInvitation(Resource):
    tag = "people"
    rights = {"GET": Right.ADMINISTER, "DELETE": Right.ADMINISTER}

    @describe("getInvitation", returns=InvitationShown, example=INVITATION)
    def get(self, request: Request, pk: int, invitation_pk: int) -> Response:
        """Get an open invitation

        One that is revoked, over or used up is not there any more.
        """
        rows = invitations.open_invitations(self.project)
        found = get_object_or_404(rows, pk=min(invitation_pk, LARGEST_ID))
        return Response(InvitationShown(found).data)

    @describe("revokeInvitation", code=204, refusals=[409])
    def delete(self, request: Request, pk: int, invitation_pk: int) -> Response:
        """Revoke an invitation

        Nobody more gets in by it; who came stays.
        """
        try:
            invitations.revoke(project=self.project, by=self.user, pk=invitation_pk)
        except invitations.UnknownInvitation:
            raise Http404 from None
        return Response(status=204)


def _invite(project: Project, by: User, sent: dict[str, Any]) -> tuple[Invitation, str | None]:
    """Return the invitation, and its link where it was not mailed. Raises Conflict, NotSent."""
    values = dict(sent)
    email, most_uses = values.pop("email"), values.pop("most_uses")
    if not email:
        return invitations.make(project=project, by=by, most_uses=most_uses, **values)
    if not mail.is_configured():
        told = _("No mail is sent from here: leave the address out, and hand the link on yourself.")
        raise Conflict(told, [{"pointer": "#/email", "detail": told}])
    try:
        return invitations.invite_by_mail(project=project, by=by, email=email, **values), None
    except mail.NotSent as problem:
        raise NotSent(str(problem), [{"pointer": "#/email", "detail": str(problem)}]) from None
