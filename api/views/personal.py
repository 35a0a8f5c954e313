"""What is stored about one person of a project, and helping him to sign in."""

from django.http import Http404, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Project, User
from annotation.projects.permissions import LARGEST_ID
from api.base_views import Resource
from api.exceptions import Conflict, bad_body
from api.permissions import Right
from api.schema import describe
from api.serializers import Fields, Shown
from api.views.members import member_of_project
from crowd.anonymisation import NotPossible, anonymise, member_of, refuse_to_anonymise
from crowd.data_export import personal_data
from people import member_links


class LinkShown(Shown):
    user = serializers.IntegerField()
    address = serializers.CharField(
        allow_null=True,
        help_text="Signs the member in once; shown only now: null where this answer is given "
        "again.",
    )


class TypedName(Fields):
    username = serializers.CharField(
        max_length=150, trim_whitespace=False, help_text="Of the person, to the letter."
    )


class AnonymousShown(Shown):
    user = serializers.IntegerField()
    name = serializers.CharField(help_text="Under which the judgements are from now on.")


class NewLink(Resource):
    tag = "people"
    rights = {"POST": Right.ADMINISTER}
    shown_once = frozenset({"address"})

    @describe(
        "makeSignInLink",
        code=201,
        returns=LinkShown,
        example={"user": 12, "address": "https://rank.example.org/sign-in/link/…/"},
        refusals=[409],
    )
    def post(self, request: Request, pk: int, user_pk: int) -> Response:
        """Make a link by which a member signs in

        It takes the place of all earlier ones. Only for those who have no other way, whom
        `listMembers` lists with `needs_link=true`: no password, no mail, and no other project.
        """
        member_of_project(self.project, user_pk)
        member, address = member_links.new_link(project=self.project, by=self.user, user_id=user_pk)
        return Response({"user": member.pk, "address": address}, 201)


class MemberData(Resource):
    tag = "people"
    rights = {"GET": Right.ADMINISTER}

    @describe("getMemberData", returns=OpenApiTypes.OBJECT)
    def get(self, request: Request, pk: int, user_pk: int) -> StreamingHttpResponse:
        """Get what is stored about a person in the project

        Of whoever is or was a member or came by a start link; docs/crowd.md says what is in it.
        """
        pieces = personal_data(_person(self.project, user_pk), project_id=self.project.pk)
        return StreamingHttpResponse(pieces, content_type="application/json")


class Anonymising(Resource):
    tag = "people"
    rights = {"POST": Right.OWN}

    @describe(
        "anonymisePerson",
        takes=TypedName,
        takes_example={"username": "jana"},
        returns=AnonymousShown,
        example={"user": 12, "name": "annotator 12"},
        refusals=[409],
    )
    def post(self, request: Request, pk: int, user_pk: int) -> Response:
        """Make a person unknown for ever

        The judgements stay, under a number. For accounts without a password that have to do with
        this project alone; whoever has a password does it alone. There is no way back.
        """
        person = _person(self.project, user_pk)
        typed = self.body(request, TypedName)["username"]
        try:
            refuse_to_anonymise(person, project=self.project, by=self.user)
        except NotPossible as problem:
            raise Conflict(str(problem)) from None
        return Response({"user": person.pk, "name": _anonymise(person, typed)})


def _anonymise(person: User, typed: str) -> str:
    try:
        return anonymise(person, typed_name=typed)
    except NotPossible as problem:
        if typed != person.username:
            raise bad_body({"username": [str(problem)]}) from None
        raise Conflict(str(problem)) from None


def _person(project: Project, user_id: int) -> User:
    person = member_of(project, user_id) if user_id <= LARGEST_ID else None
    if person is None:
        raise Http404
    return person
