"""The people of a project, and what each may do there."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Membership, Project, User
from annotation.projects import administration
from annotation.projects.permissions import LARGEST_ID
from annotation.selectors.members import members
from api.base_views import Resource
from api.pagination import Paging
from api.permissions import Right
from api.schema import describe
from api.serializers import Fields, Strict
from people import member_links

MOST = "That they are given; null for as many as there are."


class MemberShown(serializers.ModelSerializer[Membership]):
    """A person with a role in the project."""

    user = serializers.IntegerField(source="user_id", read_only=True)
    username = serializers.CharField(source="user.username", read_only=True)
    name = serializers.CharField(source="user.shown_name", read_only=True)
    judged = serializers.IntegerField(
        read_only=True, help_text="How many sentences they have submitted."
    )

    class Meta:
        model = Membership
        fields = ("user", "username", "name", "role", "judged", "most_sentences")
        read_only_fields = fields
        extra_kwargs = {"most_sentences": {"help_text": MOST}}


class MemberFilters(Paging):
    role = serializers.ChoiceField(choices=Membership.Role.choices, required=False)
    needs_link = serializers.BooleanField(
        default=False, help_text="Only those for whom a link to sign in can be made."
    )


class NewMember(Fields):
    username = serializers.CharField(
        max_length=User._meta.get_field("username").max_length or 0,
        help_text="What the person signs in with.",
    )
    role = serializers.ChoiceField(choices=Membership.Role.choices)


class NewRole(Fields):
    role = serializers.ChoiceField(choices=Membership.Role.choices)


class MemberLimit(Strict, serializers.ModelSerializer[Membership]):
    class Meta:
        model = Membership
        fields = ("most_sentences",)
        extra_kwargs = {"most_sentences": {"help_text": MOST}}


MEMBER: dict[str, Any] = {
    "user": 12,
    "username": "jana",
    "name": "Jana",
    "role": "annotator",
    "judged": 140,
    "most_sentences": None,
}


class Members(Resource):
    tag = "people"
    rights = {"GET": Right.ADMINISTER, "POST": Right.ADMINISTER}
    queries = {"GET": MemberFilters}

    @describe("listMembers", returns=MemberShown, is_page=True, example=MEMBER)
    def get(self, request: Request, pk: int) -> Response:
        """List the members"""
        rows = members(self.project)
        if "role" in self.query:
            rows = rows.filter(role=self.query["role"])
        if self.query["needs_link"]:
            rows = rows.filter(user__in=member_links.members_to_help(self.project))
        return self.page(rows, MemberShown)

    @describe(
        "addMember",
        says_where=True,
        takes=NewMember,
        takes_example={"username": "jana", "role": "annotator"},
        code=201,
        returns=MemberShown,
        example=MEMBER,
        refusals=[409],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Add a member

        Somebody who has an account; of who is a member already the role changes.
        """
        added = administration.set_role(
            project=self.project, by=self.user, **self.body(request, NewMember)
        )
        location = reverse("api-member", args=[pk, added.pk])
        member = member_of_project(self.project, added.pk)
        return Response(MemberShown(member).data, 201, headers={"Location": location})


class OneMember(Resource):
    tag = "people"
    rights = dict.fromkeys(("GET", "PUT", "PATCH", "DELETE"), Right.ADMINISTER)

    @describe("getMember", returns=MemberShown, example=MEMBER)
    def get(self, request: Request, pk: int, user_pk: int) -> Response:
        """Get a member"""
        return Response(MemberShown(member_of_project(self.project, user_pk)).data)

    @describe(
        "setRole",
        takes=NewRole,
        takes_example={"role": "observer"},
        returns=MemberShown,
        example=MEMBER | {"role": "observer"},
        refusals=[409],
    )
    def put(self, request: Request, pk: int, user_pk: int) -> Response:
        """Change the role of a member

        Who may not judge any more gives back what he has in hand. Owners are changed by owners.
        """
        username = member_of_project(self.project, user_pk).user.username
        role = self.body(request, NewRole)["role"]
        administration.set_role(project=self.project, by=self.user, username=username, role=role)
        return Response(MemberShown(member_of_project(self.project, user_pk)).data)

    @describe(
        "limitMember",
        takes=MemberLimit,
        takes_example={"most_sentences": 200},
        returns=MemberShown,
        example=MEMBER | {"most_sentences": 200},
        refusals=[409],
    )
    def patch(self, request: Request, pk: int, user_pk: int) -> Response:
        """Change how many sentences a member is given at most

        New ones, repeats and control sentences count, and so does the one in hand, which stays. For
        all who came by a start link that link says it, once it is changed.
        """
        member = member_of_project(self.project, user_pk)
        sent = self.body(request, MemberLimit, partial=True)
        if "most_sentences" in sent:
            most = sent["most_sentences"]
            administration.limit_sentences(project=self.project, user_id=member.user_id, most=most)
        return Response(MemberShown(member_of_project(self.project, user_pk)).data)

    @describe("removeMember", code=204, refusals=[409])
    def delete(self, request: Request, pk: int, user_pk: int) -> Response:
        """Remove a member

        Nothing that was judged goes with it.
        """
        member_of_project(self.project, user_pk)
        administration.remove_member(project=self.project, by=self.user, user_id=user_pk)
        return Response(status=204)


def member_of_project(project: Project, user_id: int) -> Membership:
    """Return the membership of this person; raise Http404 where there is none."""
    member = None
    if user_id <= LARGEST_ID:
        member = members(project).filter(user=user_id).first()
    if member is None:
        raise Http404
    return member
