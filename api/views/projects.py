"""Projects: list, create, copy, settings, state, deletion."""

from typing import Any

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.common.error_messages import localize_error
from annotation.formats.errors import InputError
from annotation.kinds.answer_options import LONGEST_OPTION, MOST_OPTIONS
from annotation.models import Membership, Project, User
from annotation.pipeline.acceptance_project import new_acceptance_project
from annotation.pipeline.jobs import JobInProgress, enqueue, is_at_work
from annotation.pipeline.project_copy import new_copy
from annotation.projects import administration
from annotation.projects.administration import SETTINGS
from annotation.projects.deletion import request_deletion
from annotation.projects.limits import LONGEST_DESCRIPTION, LONGEST_NAME
from api import project_uploads
from api.base_views import ApiView
from api.exceptions import bad_query
from api.idempotency import idempotent
from api.new_project import NewProject
from api.pagination import OldestFirstPagination, PageQuery
from api.parsers import UploadParser
from api.permissions import (
    IsProjectAdministrator,
    IsProjectObserver,
    IsProjectOwner,
    IsSignedIn,
    MayCreateProjects,
    project_of_token,
)
from api.project_serializers import ProjectSerializer
from api.serializers import NameField, StrictMixin, StrictSerializer


class ProjectFilters(PageQuery):
    state = serializers.ChoiceField(choices=Project.State.choices, required=False)
    name = serializers.CharField(required=False, max_length=200, help_text="The exact name.")


class ProjectSettings(StrictMixin, serializers.ModelSerializer[Project]):
    """Settings that are left out stay as they are."""

    name = NameField(max_length=LONGEST_NAME or 0)
    description = serializers.CharField(max_length=LONGEST_DESCRIPTION, allow_blank=True)

    answer_options = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_OPTION),
        max_length=MOST_OPTIONS,
        help_text="What annotators choose from: the steps of the project's own scale, the best "
        "first, or the severities and categories of errors. It cannot be changed after the first "
        "judgement.",
    )

    class Meta:
        model = Project
        fields = ("name", "answer_options", *SETTINGS)

    def validate_name(self, name: str) -> str:
        if not name.isprintable():
            raise serializers.ValidationError(_("The name has characters that cannot be printed."))
        return name


class NewCopy(StrictSerializer):
    name = NameField(max_length=LONGEST_NAME or 0)


class NewState(StrictSerializer):
    state = serializers.ChoiceField(
        choices=[Project.State.OPEN, Project.State.CLOSED, Project.State.ARCHIVED]
    )


class Confirmation(StrictSerializer):
    confirm = NameField(max_length=200, help_text="The name of the project.")


class ProjectList(ApiView):
    tag = "projects"
    pagination_class = OldestFirstPagination
    parser_classes = [UploadParser]
    query_serializers = {"GET": ProjectFilters}

    def get_permissions(self) -> list[Any]:
        return [MayCreateProjects() if self.request.method == "POST" else IsSignedIn()]

    @extend_schema(operation_id="listProjects", responses=ProjectSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List projects

        The projects that you observe, administer or own; for superusers all projects.
        """
        rows = visible_projects(self.user)
        if only := project_of_token(request):
            rows = rows.filter(pk=only)
        for name in ("state", "name"):
            if name in self.query:
                rows = rows.filter(**{name: self.query[name]})
        return self.page_response(rows, ProjectSerializer)

    @extend_schema(
        operation_id="createProject",
        request={"multipart/form-data": NewProject},
        responses={201: ProjectSerializer},
    )
    @idempotent(long=True)
    def post(self, request: Request) -> Response:
        """Create a project

        The files are checked at once, and all mistakes in them are reported together; only the rows
        of ready-made segments are checked by a worker. Workers then prepare the project: `getJob`
        shows the progress. You become its owner.
        """
        project = project_uploads.create(user=self.user, values=self.read_body(NewProject))
        return _created(self.user, project)


class ProjectDetail(ApiView):
    tag = "projects"
    query_serializers = {"DELETE": Confirmation}

    def get_permissions(self) -> list[Any]:
        by_method = {"PATCH": IsProjectAdministrator, "DELETE": IsProjectOwner}
        return [by_method.get(self.request.method or "", IsProjectObserver)()]

    @extend_schema(operation_id="getProject", responses=ProjectSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Get a project"""
        return Response(project_json(self.user, self.project))

    @extend_schema(
        operation_id="changeProject", request=ProjectSettings, responses=ProjectSerializer
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Change the name or the settings of a project

        Sentences that are already assigned are not affected.
        """
        values = self.read_body(ProjectSettings, partial=True)
        name = values.pop("name", None)
        options = values.pop("answer_options", None)
        with transaction.atomic():
            if options is not None:
                self._change_answer_options(options)
            if name is not None:
                administration.rename_project(project=self.project, name=name)
            administration.change_settings(project=self.project, values=values)
        return Response(project_json(self.user, self.project))

    def _change_answer_options(self, options: list[str]) -> None:
        try:
            administration.change_answer_options(project=self.project, options=options)
        except InputError as problem:
            words = localize_error(problem).words
            raise serializers.ValidationError({"answer_options": words}) from None

    @extend_schema(operation_id="deleteProject", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Delete a project

        With its texts, all judgements, and the accounts that were imported with it. It is gone at
        once, while workers delete its rows within minutes. This cannot be undone.
        """
        if self.query["confirm"] != self.project.name:
            raise bad_query({"confirm": [_("This is not the name of the project.")]})
        if is_at_work(self.project):
            raise JobInProgress
        request_deletion(self.project)
        return Response(status=204)


class ProjectState(ApiView):
    tag = "projects"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="setProjectState", request=NewState, responses=ProjectSerializer)
    def put(self, request: Request, pk: int) -> Response:
        """Pause, reopen or archive a project

        No sentences are assigned while it is `closed`. While it is `archived`, nothing can be
        submitted either; it becomes `closed` first when it leaves the archive.
        """
        state = self.read_body(NewState)["state"]
        administration.set_state(project=self.project, state=state)
        return Response(project_json(self.user, self.project))


class ProjectCopies(ApiView):
    tag = "projects"
    permission_classes = [IsProjectAdministrator, MayCreateProjects]

    @extend_schema(operation_id="copyProject", request=NewCopy, responses={201: ProjectSerializer})
    @idempotent()
    def post(self, request: Request, pk: int) -> Response:
        """Copy a project

        With its settings, instructions, questionnaire, rules of quality and texts, but without
        judgements and members. You become its owner. A worker copies the texts: `getJob` shows
        the progress. It is `closed` then.
        """
        name = self.read_body(NewCopy)["name"]
        with transaction.atomic():
            job = new_copy(project=self.project, name=name, by=self.user)
            enqueue(job.pk)
        return _created(self.user, job.project)


class AcceptanceProjects(ApiView):
    tag = "projects"
    permission_classes = [IsProjectAdministrator, MayCreateProjects]

    @extend_schema(
        operation_id="createAcceptanceProject",
        request=NewCopy,
        responses={201: ProjectSerializer},
    )
    @idempotent()
    def post(self, request: Request, pk: int) -> Response:
        """Have the edits accepted in a new project

        Its annotators say of the edits that annotators of this project, of post-editing, have made
        so far whether they are acceptable. You become its owner. A worker stores the texts:
        `getJob` shows the progress. It is `closed` then. The answer is 409 for other kinds of
        judgement, and where nothing has been edited.
        """
        name = self.read_body(NewCopy)["name"]
        with transaction.atomic():
            job = new_acceptance_project(project=self.project, name=name, by=self.user)
            enqueue(job.pk)
        return _created(self.user, job.project)


def _created(user: User, project: Project) -> Response:
    location = reverse("api-project", args=[project.pk])
    return Response(project_json(user, project), status=201, headers={"Location": location})


def visible_projects(user: User) -> QuerySet[Project]:
    """Return the projects whose findings the person may see, each with their `role`."""
    mine = Membership.objects.filter(user=user, project=OuterRef("pk"))
    rows = Project.objects.annotate(role=Subquery(mine.values("role")[:1]))
    return rows if user.is_superuser else rows.filter(role__in=Membership.OBSERVING)


def project_json(user: User, project: Project) -> dict[str, Any]:
    """Return the project as it is now stored."""
    return ProjectSerializer(visible_projects(user).get(pk=project.pk)).data
