"""Members of a project: roles, limits, sign-in links, stored data, anonymisation."""

from typing import Any

from django.http import Http404, StreamingHttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.common.exceptions import NotPossible
from annotation.models import Membership, Project, User
from annotation.projects import administration
from annotation.projects.permissions import LARGEST_ID
from annotation.selectors.members import members, work_of_members
from annotation.selectors.submitted_work import ProjectWork, SubmittedWork
from api.base_views import ApiView
from api.exceptions import Conflict, bad_body
from api.idempotency import idempotent
from api.pagination import OldestFirstPagination, PageQuery
from api.permissions import IsProjectAdministrator, IsProjectOwner
from api.serializers import ASSIGNMENTS, JUDGEMENTS, SENTENCES, StrictMixin, StrictSerializer
from crowd.anonymisation import anonymise, member_of, refuse_to_anonymise
from crowd.data_export import personal_data
from people import member_links

LIMIT_HELP = "The most sentences they are assigned; null for no limit."


class MemberSerializer(serializers.ModelSerializer[Membership]):
    user = serializers.IntegerField(source="user_id", read_only=True)
    username = serializers.CharField(source="user.username", read_only=True)
    name = serializers.CharField(
        read_only=True,
        help_text="The display name; the username if they were added by it and have not judged.",
    )
    sentences = serializers.SerializerMethodField(help_text=SENTENCES)
    assignments = serializers.SerializerMethodField(help_text=ASSIGNMENTS)
    judgements = serializers.SerializerMethodField(help_text=JUDGEMENTS)

    class Meta:
        model = Membership
        fields = (
            *("user", "username", "name", "role"),
            *("sentences", "assignments", "judgements", "sentence_limit", "paused"),
        )
        read_only_fields = fields
        extra_kwargs = {
            "sentence_limit": {"help_text": LIMIT_HELP},
            "paused": {"help_text": "Whether they get no new sentences."},
        }

    def get_sentences(self, member: Membership) -> int:
        return self._work(member).sentences

    def get_assignments(self, member: Membership) -> int:
        return self._work(member).assignments

    def get_judgements(self, member: Membership) -> int:
        return self._work(member).judgements

    def _work(self, member: Membership) -> SubmittedWork:
        work: ProjectWork = self.context["work"]
        return work.of(member.user_id)


class MemberFilters(PageQuery):
    role = serializers.ChoiceField(choices=Membership.Role.choices, required=False)
    needs_link = serializers.BooleanField(
        default=False, help_text="Only members who need a sign-in link: see `makeSignInLink`."
    )


class NewMember(StrictSerializer):
    username = serializers.CharField(max_length=User._meta.get_field("username").max_length or 0)
    role = serializers.ChoiceField(choices=Membership.Role.choices)


class NewRole(StrictSerializer):
    role = serializers.ChoiceField(choices=Membership.Role.choices)


class MemberLimit(StrictMixin, serializers.ModelSerializer[Membership]):
    class Meta:
        model = Membership
        fields = ("sentence_limit",)
        extra_kwargs = {"sentence_limit": {"help_text": LIMIT_HELP}}


class MemberList(ApiView):
    tag = "people"
    permission_classes = [IsProjectAdministrator]
    pagination_class = OldestFirstPagination
    query_serializers = {"GET": MemberFilters}

    @extend_schema(operation_id="listMembers", responses=MemberSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """List the members"""
        rows = members(self.project)
        if "role" in self.query:
            rows = rows.filter(role=self.query["role"])
        if self.query["needs_link"]:
            rows = rows.filter(user__in=member_links.members_to_help(self.project))
        return self.page_response(rows, MemberSerializer)

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "work": work_of_members(self.project)}

    @extend_schema(operation_id="addMember", request=NewMember, responses={201: MemberSerializer})
    @idempotent()
    def post(self, request: Request, pk: int) -> Response:
        """Add a member

        The person must have an account. If they are a member already, their role changes. Until
        they begin to judge, you see their username only.
        """
        added = administration.set_role(
            project=self.project, by=self.user, **self.read_body(NewMember)
        )
        location = reverse("api-member", args=[pk, added.pk])
        return Response(
            member_json(self.project, added.pk), status=201, headers={"Location": location}
        )


class MemberDetail(ApiView):
    tag = "people"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="getMember", responses=MemberSerializer)
    def get(self, request: Request, pk: int, user_pk: int) -> Response:
        """Get a member"""
        return Response(member_json(self.project, user_pk))

    @extend_schema(operation_id="setRole", request=NewRole, responses=MemberSerializer)
    def put(self, request: Request, pk: int, user_pk: int) -> Response:
        """Change the role of a member

        If the new role cannot judge, their open sentences are released. Only owners can change
        owners.
        """
        username = membership(self.project, user_pk).user.username
        role = self.read_body(NewRole)["role"]
        administration.set_role(project=self.project, by=self.user, username=username, role=role)
        return Response(member_json(self.project, user_pk))

    @extend_schema(operation_id="limitMember", request=MemberLimit, responses=MemberSerializer)
    def patch(self, request: Request, pk: int, user_pk: int) -> Response:
        """Limit how many sentences a member is assigned

        New sentences, repeats and control sentences count. Open sentences count and stay assigned.
        Changing the limit of a start link overrides the limits of everyone who came by it.
        """
        member = membership(self.project, user_pk)
        values = self.read_body(MemberLimit, partial=True)
        if "sentence_limit" in values:
            administration.limit_sentences(
                project=self.project, user_id=member.user_id, most=values["sentence_limit"]
            )
        return Response(member_json(self.project, user_pk))

    @extend_schema(operation_id="removeMember", responses={204: None})
    def delete(self, request: Request, pk: int, user_pk: int) -> Response:
        """Remove a member

        Their judgements stay in the project.
        """
        membership(self.project, user_pk)
        administration.remove_member(project=self.project, by=self.user, user_id=user_pk)
        return Response(status=204)


class SignInLinkSerializer(serializers.Serializer[Any]):
    user = serializers.IntegerField()
    address = serializers.CharField(
        allow_null=True,
        help_text="Signs the member in once. Shown only once: null if this answer is repeated.",
    )


class MemberSignInLink(ApiView):
    tag = "people"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(
        operation_id="makeSignInLink", request=None, responses={201: SignInLinkSerializer}
    )
    @idempotent(secret_fields={"address"})
    def post(self, request: Request, pk: int, user_pk: int) -> Response:
        """Create a sign-in link for a member

        It replaces earlier links. Only for members who cannot sign in otherwise, and whose account
        was created for this project: without a password, without a mail address, and in no other
        project. `listMembers` lists them with `needs_link=true`.
        """
        membership(self.project, user_pk)
        member, address = member_links.new_link(project=self.project, by=self.user, user_id=user_pk)
        return Response({"user": member.pk, "address": address}, 201)


class MemberData(ApiView):
    tag = "people"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="getMemberData", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, pk: int, user_pk: int) -> StreamingHttpResponse:
        """Get all data of a person in the project

        For present and former members, and for people who came by a start link; docs/crowd.md says
        what it contains.
        """
        pieces = personal_data(person_of(self.project, user_pk), project_id=self.project.pk)
        return StreamingHttpResponse(pieces, content_type="application/json")


class TypedName(StrictSerializer):
    username = serializers.CharField(
        max_length=150, trim_whitespace=False, help_text="The exact username of the person."
    )


class AnonymisedSerializer(serializers.Serializer[Any]):
    user = serializers.IntegerField()
    name = serializers.CharField(help_text="The pseudonym of their judgements.")


class MemberAnonymisation(ApiView):
    tag = "people"
    permission_classes = [IsProjectOwner]

    @extend_schema(
        operation_id="anonymisePerson", request=TypedName, responses=AnonymisedSerializer
    )
    @idempotent()
    def post(self, request: Request, pk: int, user_pk: int) -> Response:
        """Anonymise a person

        Their judgements are kept under a pseudonym. Only for accounts that were created for this
        project, have no password and belong to no other; people with a password do it themselves.
        This cannot be undone.
        """
        person = person_of(self.project, user_pk)
        typed = User.normalize_username(self.read_body(TypedName)["username"])
        try:
            refuse_to_anonymise(person, project=self.project, by=self.user)
        except NotPossible as problem:
            raise Conflict(str(problem)) from None
        try:
            name = anonymise(person, typed_name=typed)
        except NotPossible as problem:
            if typed != person.username:
                raise bad_body({"username": [str(problem)]}) from None
            raise Conflict(str(problem)) from None
        return Response({"user": person.pk, "name": name})


def membership(project: Project, user_id: int) -> Membership:
    """Return the membership of this person. Raises Http404."""
    return get_object_or_404(members(project), user__pk=user_id)


def member_json(project: Project, user_id: int) -> dict[str, Any]:
    context = {"work": work_of_members(project)}
    return MemberSerializer(membership(project, user_id), context=context).data


def person_of(project: Project, user_id: int) -> User:
    """Return the present or former member, or who came by a start link. Raises Http404."""
    person = member_of(project, user_id) if user_id <= LARGEST_ID else None
    if person is None:
        raise Http404
    return person
