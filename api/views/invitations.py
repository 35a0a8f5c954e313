"""Invitations to a project, by link or by mail."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Membership, Project, User
from annotation.models.secret_links import UnknownLink
from api.base_views import ApiView
from api.exceptions import MEDIA_TYPE, Conflict, MailFailed, bad_body
from api.idempotency import idempotent
from api.pagination import NewestFirstPagination, PageQuery
from api.permissions import IsProjectAdministrator
from api.serializers import StrictSerializer
from people import invitations, mail
from people.address_lists import MOST_ADDRESSES
from people.forms import InvitationListForm
from people.invitations import DEFAULT_DAYS, LONGEST_LIFETIME, MOST_USES
from people.models import Invitation


class InvitationOptions(StrictSerializer):
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    days = serializers.IntegerField(
        min_value=1,
        max_value=LONGEST_LIFETIME,
        default=DEFAULT_DAYS,
        help_text="How long it is valid.",
    )
    note = serializers.CharField(
        max_length=Invitation._meta.get_field("note").max_length or 0,
        allow_blank=True,
        default="",
        help_text="Shown to the people you invite.",
    )


class NewInvitation(InvitationOptions):
    use_limit = serializers.IntegerField(
        min_value=1, max_value=MOST_USES, default=1, help_text="How many people can use it."
    )
    email = serializers.EmailField(
        max_length=254,
        allow_blank=True,
        default="",
        help_text="Where to mail it to; if empty, you get a link.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["email"] and attrs["use_limit"] != 1:
            message = _("A mailed invitation is for one person: write 1.")
            raise serializers.ValidationError({"use_limit": [message]})
        return attrs


class InvitationSerializer(serializers.ModelSerializer[Invitation]):
    """An open invitation."""

    created_by = serializers.CharField(source="created_by.username", read_only=True)
    email = serializers.CharField(read_only=True, help_text="Whom it is for, or empty.")
    mailing = serializers.CharField(
        read_only=True,
        help_text="`waiting`, `sent` or `failed`; empty if SegRanks does not mail it.",
    )

    class Meta:
        model = Invitation
        fields = (
            "id",
            "role",
            "created_by",
            "created",
            "expires",
            "use_limit",
            "used",
            "email",
            "mailing",
            "note",
        )
        read_only_fields = fields


class NewInvitationSerializer(InvitationSerializer):
    """An invitation with its link."""

    address = serializers.CharField(
        read_only=True,
        allow_null=True,
        default=None,
        help_text="The link, shown only once: null if it was mailed or this answer is repeated.",
    )

    class Meta(InvitationSerializer.Meta):
        fields = (*InvitationSerializer.Meta.fields, "address")  # type: ignore[assignment]
        read_only_fields = fields  # type: ignore[assignment]


@extend_schema_field({"type": ["string", "array"], "items": {"type": "string"}})
class AddressesField(serializers.Field[str, Any, Any, Any]):
    """A text, or a list of its lines."""

    def to_internal_value(self, data: Any) -> str:
        lines = data if isinstance(data, list) else [data]
        if not all(isinstance(line, str) for line in lines):
            raise serializers.ValidationError(_("Write a text or a list of texts."))
        return "\n".join(lines)


class NewInvitations(InvitationOptions):
    """Addresses, and what each invitation has."""

    addresses = AddressesField(
        help_text="The lines of a text or table, each with one or several addresses, alone or as "
        f"`Jana <jana@example.org>`; at most {MOST_ADDRESSES} together."
    )


class InvitationLinkSerializer(serializers.Serializer[Any]):
    email = serializers.CharField()
    address = serializers.CharField(help_text="The link.")


class InvitedSerializer(serializers.Serializer[Any]):
    """Addresses by what became of them."""

    invited = serializers.ListField(child=serializers.CharField())
    members = serializers.ListField(
        child=serializers.CharField(), help_text="Of members of the project, not invited."
    )
    invited_before = serializers.ListField(
        child=serializers.CharField(), help_text="With an open invitation, not invited again."
    )
    repeated = serializers.ListField(
        child=serializers.CharField(), help_text="Listed more than once, invited once."
    )
    links = InvitationLinkSerializer(
        many=True,
        allow_null=True,
        help_text="Where SegRanks sends no mail, a link for each address invited, shown only once: "
        "null if this answer is repeated.",
    )


class InvitationList(ApiView):
    tag = "people"
    permission_classes = [IsProjectAdministrator]
    pagination_class = NewestFirstPagination
    query_serializers = {"GET": PageQuery}

    @extend_schema(operation_id="listInvitations", responses=InvitationSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """List the open invitations

        The newest first. Links are not listed, because only their hashes are stored.
        """
        return self.page_response(invitations.open_invitations(self.project), InvitationSerializer)

    @extend_schema(
        operation_id="invite",
        request=NewInvitation,
        responses={
            201: NewInvitationSerializer,
            (502, MEDIA_TYPE): OpenApiResponse(
                OpenApiTypes.OBJECT, description="The mail server refused the message."
            ),
        },
    )
    @idempotent(long=True, secret_fields={"address"})
    def post(self, request: Request, pk: int) -> Response:
        """Invite people

        By a link, which is shown only once, or by mail to one person. Only owners can invite
        owners.
        """
        invitation, address = _invite(self.project, self.user, self.read_body(NewInvitation))
        return Response(
            {**InvitationSerializer(invitation).data, "address": address},
            status=201,
            headers={"Location": reverse("api-invitation", args=[pk, invitation.pk])},
        )


class AddressListInvitations(ApiView):
    tag = "people"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(
        operation_id="inviteList", request=NewInvitations, responses={201: InvitedSerializer}
    )
    @idempotent(secret_fields={"links"})
    def post(self, request: Request, pk: int) -> Response:
        """Invite the people of a list

        A link of their own for each address, which workers mail. If any line is wrong, no one is
        invited. Only owners can invite owners.
        """
        form = InvitationListForm(self.read_body(NewInvitations), may_own=True)
        if not form.is_valid():
            raise bad_body(form.errors)
        invited = invitations.invite_list(
            project=self.project,
            by=self.user,
            emails=form.read.addresses,
            **{name: form.cleaned_data[name] for name in ("role", "days", "note")},
        )
        answer = {
            "invited": invited.invited,
            "members": invited.members,
            "invited_before": invited.invited_before,
            "repeated": form.read.repeated,
            "links": [{"email": email, "address": link} for email, link in invited.links],
        }
        return Response(answer, 201)


class InvitationDetail(ApiView):
    tag = "people"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="getInvitation", responses=InvitationSerializer)
    def get(self, request: Request, pk: int, invitation_pk: int) -> Response:
        """Get an open invitation

        Invitations that are revoked, expired or used up are not found.
        """
        rows = invitations.open_invitations(self.project)
        invitation = get_object_or_404(rows, pk=invitation_pk)
        return Response(InvitationSerializer(invitation).data)

    @extend_schema(operation_id="revokeInvitation", responses={204: None})
    def delete(self, request: Request, pk: int, invitation_pk: int) -> Response:
        """Revoke an invitation

        People who have used it stay members.
        """
        try:
            invitations.revoke(project=self.project, by=self.user, pk=invitation_pk)
        except UnknownLink:
            raise Http404 from None
        return Response(status=204)


def _invite(project: Project, by: User, values: dict[str, Any]) -> tuple[Invitation, str | None]:
    """Return the invitation, and its link unless it was mailed. Raises Conflict, MailFailed."""
    values = dict(values)
    email, use_limit = values.pop("email"), values.pop("use_limit")
    if not email:
        return invitations.make(project=project, by=by, use_limit=use_limit, **values)
    if not mail.is_configured():
        message = _("This installation sends no mail. Leave out the address, and send the link.")
        raise Conflict(message, [{"pointer": "#/email", "detail": message}])
    try:
        return invitations.invite_by_mail(project=project, by=by, email=email, **values), None
    except mail.NotSent as problem:
        raise MailFailed(str(problem), [{"pointer": "#/email", "detail": str(problem)}]) from None
