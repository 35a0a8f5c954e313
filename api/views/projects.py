"""Projects: list, create, preview, settings, state, deletion."""

from typing import Any, cast

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import Http404
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.common.error_messages import localize_error
from annotation.formats.encodings import ENCODINGS, UTF_8
from annotation.formats.errors import InputError
from annotation.formats.languages import LONGEST_LANGUAGE_CODE
from annotation.kinds import DEFAULT, KINDS
from annotation.kinds.grades import LONGEST_LABEL, MOST_STEPS, joined_labels
from annotation.models import Membership, Project, StoredPreview, User
from annotation.pipeline.acceptance_project import new_acceptance_project
from annotation.pipeline.jobs import JobInProgress, enqueue, is_at_work
from annotation.pipeline.project_copy import new_copy
from annotation.projects import administration
from annotation.projects.administration import SETTINGS
from annotation.projects.deletion import request_deletion
from annotation.projects.limits import LONGEST_DESCRIPTION, LONGEST_NAME
from annotation.projects.options import CHOICES
from annotation.uploads.settings import LONGEST, SHORTEST
from annotation.uploads.unpacking import MOST_ENTRIES
from api import project_uploads
from api.base_views import ApiView
from api.exceptions import bad_query
from api.idempotency import idempotent
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
from api.project_serializers import PieceSerializer, ProjectSerializer, ReferenceSerializer
from api.serializers import NameField, StrictMixin, StrictSerializer
from api.throttling import COMPUTATION


class ProjectFilters(PageQuery):
    state = serializers.ChoiceField(choices=Project.State.choices, required=False)
    name = serializers.CharField(required=False, max_length=200, help_text="The exact name.")


class ProjectSettings(StrictMixin, serializers.ModelSerializer[Project]):
    """Settings that are left out stay as they are."""

    name = NameField(max_length=LONGEST_NAME or 0)
    description = serializers.CharField(max_length=LONGEST_DESCRIPTION, allow_blank=True)

    scale_labels = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_LABEL),
        max_length=MOST_STEPS,
        help_text="The steps of the project's own scale, the best first. They cannot be changed "
        "after the first judgement.",
    )

    class Meta:
        model = Project
        fields = ("name", "scale_labels", *SETTINGS)

    def validate_scale_labels(self, labels: list[str]) -> str:
        try:
            return joined_labels(labels)
        except InputError as problem:
            raise serializers.ValidationError(localize_error(problem).words) from None

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


def _file_field(help_text: str) -> serializers.FileField:
    return serializers.FileField(required=False, allow_empty_file=True, help_text=help_text)


def _files_field(help_text: str) -> serializers.ListField:
    file = serializers.FileField(allow_empty_file=True)
    return serializers.ListField(
        child=file, required=False, max_length=MOST_ENTRIES, help_text=help_text
    )


def _option(name: str) -> serializers.ChoiceField:
    label, choices = CHOICES[name]
    return serializers.ChoiceField(choices, required=False, label=label)


class NewProject(StrictSerializer):
    """Plain texts, one sentence a line, or tables (CSV, TSV, XLSX); gzip and zip are accepted.

    The same line must be the same sentence in all texts. A table of several texts goes into
    `files`; its first row names the source, the references and the systems.
    """

    name = NameField(max_length=LONGEST_NAME or 0)
    source_language = serializers.CharField(
        max_length=LONGEST_LANGUAGE_CODE, help_text="For example en or pt-BR."
    )
    target_language = serializers.CharField(max_length=LONGEST_LANGUAGE_CODE)
    description = serializers.CharField(
        required=False, allow_blank=True, max_length=LONGEST_DESCRIPTION
    )
    kind = serializers.ChoiceField(
        [(kind.name, kind.label) for kind in KINDS.values()],
        default=DEFAULT.name,
        help_text="What annotators judge. Whole sentences need no trees, segments and links.",
    )
    scale_labels = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_LABEL),
        default=list,
        max_length=MOST_STEPS,
        help_text="The labels of the scale, the best first, for the kind `grades`.",
    )
    tokens = serializers.ChoiceField(
        ["raw", "all", "source"], default="raw", help_text="Which texts are already tokenised."
    )
    parser = _option("parser")
    coverage = _option("coverage")
    aligner = _option("aligner")
    effort = _option("effort")
    min_length = serializers.IntegerField(
        default=SHORTEST, min_value=1, max_value=10, help_text="Words of the shortest segment."
    )
    max_length = serializers.IntegerField(
        default=LONGEST, min_value=1, max_value=15, help_text="Words of the longest segment."
    )
    open_at_once = serializers.BooleanField(
        default=True, help_text="Whether judging starts as soon as the project is prepared."
    )
    batches = serializers.BooleanField(
        default=False,
        help_text="Direct assessment and error spans: divide the translations into batches of 100.",
    )
    seed = serializers.IntegerField(
        default=0,
        min_value=0,
        max_value=2**31 - 1,
        help_text="The random seed of the alignment and of the batches.",
    )
    encoding = serializers.ChoiceField(
        ENCODINGS, default=UTF_8, help_text="The encoding of texts that are not UTF-8."
    )
    source = _file_field("The source text.")  # type: ignore[assignment]  # a name that Field has
    references = _files_field("Human translations, in the order of their numbers.")
    systems = _files_field("The output of each system; name the file after the system: alfa.txt.")
    links = _files_field("Word alignment in Pharaoh format; name the file after the system.")
    documents = _file_field("The name of the document of each sentence, one a line.")
    trees = _file_field("Parse trees of the source: bracketed, one a line, or CoNLL-U.")
    segments = _file_field(
        "Segments of the source, in three columns, instead of segmenting it here."
    )
    ready_segments = _file_field("Segments with candidates, instead of any texts.")
    ready_systems = _file_field("Which system produced which candidate, for ready_segments.")
    files = _files_field("Any of these files; their roles are guessed from their names.")

    def validate_scale_labels(self, labels: list[str]) -> list[str]:
        if not all(label.isprintable() for label in labels):
            raise serializers.ValidationError(_("A label has characters that cannot be printed."))
        return labels


class UsedSettingsSerializer(serializers.Serializer[Any]):
    """The settings of the preview; null if a setting has no effect on these files."""

    name = serializers.CharField()
    description = serializers.CharField()
    kind = serializers.CharField()
    scale_labels = serializers.ListField(
        child=serializers.CharField(), help_text="Empty unless the kind has a scale of its own."
    )
    source_language = serializers.CharField()
    target_language = serializers.CharField()
    tokens = serializers.CharField()
    min_length = serializers.IntegerField(allow_null=True)
    max_length = serializers.IntegerField(allow_null=True)
    parser = serializers.CharField(
        allow_null=True, help_text="brackets or conllu if trees were uploaded."
    )
    coverage = serializers.CharField(allow_null=True)
    aligner = serializers.CharField(
        allow_null=True, help_text="pharaoh if word alignments were uploaded."
    )
    effort = serializers.CharField(allow_null=True)
    open_at_once = serializers.BooleanField()


class CandidateTextSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()


class PreviewedSegmentSerializer(serializers.Serializer[Any]):
    pieces = PieceSerializer(many=True, help_text="Of the source; joined they are all of it.")
    candidates = CandidateTextSerializer(many=True, help_text="Unordered and without duplicates.")


class PreviewedSentenceSerializer(serializers.Serializer[Any]):
    """A sentence without segments is not judged."""

    number = serializers.IntegerField(help_text="The line in the source.")
    source = serializers.CharField()  # type: ignore[assignment]  # a name that Field has
    references = ReferenceSerializer(many=True)
    segments = PreviewedSegmentSerializer(many=True)


class PreviewContentsSerializer(serializers.Serializer[Any]):
    """Without the names of systems, as annotators would see it."""

    settings = UsedSettingsSerializer()
    notes = serializers.ListField(
        child=serializers.CharField(), help_text="Remarks on the files that are not mistakes."
    )
    parser = serializers.CharField(help_text="The parser that was used; empty if none was.")
    aligner = serializers.CharField(help_text="The aligner that was used; empty if none was.")
    aligned = serializers.IntegerField(
        help_text="Sentences in the sample that was aligned; the project will be aligned whole."
    )
    total = serializers.IntegerField(help_text="Sentences of the project.")
    segments = serializers.IntegerField(help_text="Segments of the sentences below.")
    candidates = serializers.IntegerField(help_text="Candidates of those segments.")
    sentences = PreviewedSentenceSerializer(
        many=True, help_text="Up to ten sentences from all over the text."
    )


class PreviewSerializer(serializers.ModelSerializer[StoredPreview]):
    """Your latest preview. It is deleted after a day, or when you ask for another one."""

    state = serializers.SerializerMethodField(help_text="waiting, failed or made.")
    errors = serializers.SerializerMethodField(  # type: ignore[assignment]  # a name that Field has
        help_text="Why it failed, or the mistakes in the files, each with file and line."
    )
    contents = serializers.SerializerMethodField(help_text="Null unless it is made.")

    class Meta:
        model = StoredPreview
        fields = ("id", "state", "requested", "started", "errors", "contents")
        read_only_fields = fields
        extra_kwargs = {"started": {"help_text": "When a worker began; null if none has."}}

    def get_state(self, preview: StoredPreview) -> str:
        if preview.is_unfinished:
            return "waiting"
        return "failed" if self.get_errors(preview) else "made"

    def get_errors(self, preview: StoredPreview) -> list[str]:
        return self._result[0]

    @extend_schema_field(PreviewContentsSerializer(allow_null=True))
    def get_contents(self, preview: StoredPreview) -> dict[str, Any] | None:
        contents = self._result[1]
        return None if contents is None else PreviewContentsSerializer(contents).data

    @cached_property
    def _result(self) -> tuple[list[str], dict[str, Any] | None]:
        return project_uploads.preview_result(cast(StoredPreview, self.instance))


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
        location = reverse("api-project", args=[project.pk])
        return Response(
            project_json(self.user, project), status=201, headers={"Location": location}
        )


class ProjectPreview(ApiView):
    tag = "projects"
    # It checks large files, and a worker runs a parser and an aligner.
    throttle_scope = COMPUTATION
    # A new preview replaces the former one, so its answer is not worth keeping.
    takes_idempotency_key = False
    permission_classes = [MayCreateProjects]
    parser_classes = [UploadParser]

    @extend_schema(
        operation_id="previewProject",
        request={"multipart/form-data": NewProject},
        responses={202: PreviewSerializer},
    )
    def post(self, request: Request) -> Response:
        """Ask for a preview of a project

        Takes and refuses the same as `createProject`, and creates no project: a worker computes ten
        sentences with their segments and candidates, and `getPreview` shows them. Words are aligned
        on a sample, for three minutes at most, so some candidates of the project will be better.
        Each person has one preview: a new one replaces it. An `Idempotency-Key` has no effect.
        """
        stored = project_uploads.request_preview(user=self.user, values=self.read_body(NewProject))
        location = reverse("api-preview", args=[stored.pk])
        return Response(PreviewSerializer(stored).data, 202, headers={"Location": location})


class PreviewDetail(ApiView):
    tag = "projects"
    permission_classes = [MayCreateProjects]

    @extend_schema(operation_id="getPreview", responses=PreviewSerializer)
    def get(self, request: Request, preview_pk: int) -> Response:
        """Get a preview"""
        stored = project_uploads.preview_of(self.user, preview_pk)
        if stored is None:
            raise Http404
        return Response(PreviewSerializer(stored).data)


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
        labels = values.pop("scale_labels", None)
        with transaction.atomic():
            if labels is not None:
                administration.change_scale(project=self.project, labels=labels)
            if name is not None:
                administration.rename_project(project=self.project, name=name)
            administration.change_settings(project=self.project, values=values)
        return Response(project_json(self.user, self.project))

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
