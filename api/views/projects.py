"""Projects: which there are, how each is set up, pausing one and deleting it."""

from django.db.models import OuterRef, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Membership, Project, User
from annotation.projects import administration
from annotation.projects.administration import SETTINGS
from annotation.projects.limits import LONGEST_DESCRIPTION
from api.base_views import Resource
from api.deleting import delete
from api.exceptions import bad_query
from api.pagination import Paging
from api.permissions import Right, limited_to, refuse_makers_of_none
from api.project_serializers import PROJECT, ProjectShown
from api.project_uploads import make_project
from api.schema import describe
from api.serializers import Fields, Strict
from api.views.new_projects import NewProject


class ProjectFilters(Paging):
    state = serializers.ChoiceField(choices=Project.State.choices, required=False)
    name = serializers.CharField(required=False, max_length=200, help_text="The exact name.")


class ProjectSettings(Strict, serializers.ModelSerializer[Project]):
    """What administrators may change; what is left out stays as it is."""

    description = serializers.CharField(max_length=LONGEST_DESCRIPTION, allow_blank=True)

    class Meta:
        model = Project
        fields = SETTINGS


class NewState(Fields):
    state = serializers.ChoiceField(choices=[Project.State.OPEN, Project.State.CLOSED])


class Confirmation(Fields):
    confirm = serializers.CharField(
        max_length=200, trim_whitespace=False, help_text="The name of the project, to the letter."
    )


class Projects(Resource):
    tag = "projects"
    queries = {"GET": ProjectFilters}
    uploads = frozenset({"POST"})

    def may(self, request: Request) -> None:
        """Refuse who may make no project, before any file is taken."""
        if request.method == "POST":
            refuse_makers_of_none(request)

    @describe("listProjects", returns=ProjectShown, is_page=True, example=PROJECT)
    def get(self, request: Request) -> Response:
        """List your projects

        Those whose findings you may see, by id; of whoever runs the installation, all of them.
        """
        rows = visible(self.user)
        if only := limited_to(request):
            rows = rows.filter(pk=only)
        for name in ("state", "name"):
            if name in self.query:
                rows = rows.filter(**{name: self.query[name]})
        return self.page(rows, ProjectShown)

    @describe(
        "createProject",
        says_where=True,
        takes={"multipart/form-data": NewProject},
        code=201,
        returns=ProjectShown,
        example=PROJECT | {"state": "preparing"},
        refusals=[409],
    )
    def post(self, request: Request) -> Response:
        """Make a project

        From files, which are checked at once; all that is wrong with them is told together. It is
        prepared by the workers then: its job says how far that is. Yours to make where you
        administer a project already; you own what you make.
        """
        project = make_project(user=self.user, sent=self.body(request, NewProject))
        response = shown(self.user, project, status=201)
        response["Location"] = reverse("api-project", args=[project.pk])
        return response


class OneProject(Resource):
    tag = "projects"
    rights = {"GET": Right.OBSERVE, "PATCH": Right.ADMINISTER, "DELETE": Right.OWN}
    queries = {"DELETE": Confirmation}

    @describe("getProject", returns=ProjectShown, example=PROJECT)
    def get(self, request: Request, pk: int) -> Response:
        """Get a project"""
        return shown(self.user, self.project)

    @describe(
        "changeProject",
        takes=ProjectSettings,
        takes_example={"judges_per_sentence": 2, "intra_rate": 0.1},
        returns=ProjectShown,
        example=PROJECT,
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Change the settings of a project

        Sentences that were given out stay as they were given.
        """
        values = self.body(request, ProjectSettings, partial=True)
        administration.change_settings(project=self.project, values=values)
        return shown(self.user, self.project)

    @describe("deleteProject", code=204, refusals=[409])
    def delete(self, request: Request, pk: int) -> Response:
        """Delete a project

        With its texts, all judgements, and the accounts that came with it. There is no way back.
        """
        if self.query["confirm"] != self.project.name:
            raise bad_query({"confirm": [_("This is not the name of the project.")]})
        delete(self.project)
        return Response(status=204)


class ProjectState(Resource):
    tag = "projects"
    rights = {"PUT": Right.ADMINISTER}

    @describe(
        "setProjectState",
        takes=NewState,
        takes_example={"state": "closed"},
        returns=ProjectShown,
        example=PROJECT | {"state": "closed"},
        refusals=[409],
    )
    def put(self, request: Request, pk: int) -> Response:
        """Pause or reopen a project

        Nobody is given anything in a project that is `closed`.
        """
        administration.set_state(project=self.project, state=self.body(request, NewState)["state"])
        return shown(self.user, self.project)


def visible(user: User) -> QuerySet[Project]:
    """Return the projects whose findings the person may see, each with their `role`."""
    mine = Membership.objects.filter(user=user, project=OuterRef("pk"))
    rows = Project.objects.annotate(role=Subquery(mine.values("role")[:1]))
    return rows if user.is_superuser else rows.filter(role__in=Membership.OBSERVING)


def shown(user: User, project: Project, status: int = 200) -> Response:
    """Return the answer that shows the project as it is now."""
    return Response(ProjectShown(visible(user).get(pk=project.pk)).data, status)
