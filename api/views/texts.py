"""The texts of a project: files, sentences, systems."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Count, Prefetch
from django.http import Http404
from django.urls import reverse
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from msgspec.structs import asdict
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.formats.encodings import ENCODINGS, UTF_8
from annotation.formats.names import LONGEST_SYSTEM_NAME
from annotation.models import Project, Sentence, Translation
from annotation.pipeline import jobs
from annotation.projects.provenance import provenance_of
from annotation.selectors.systems import SystemRow, adding, system_rows
from annotation.uploads.add_system import add_reference, add_system
from annotation.web.forms.systems import MOST_JUDGED, ReferenceForm, SystemForm
from api.base_views import ApiView
from api.exceptions import Conflict, bad_body, problems_of_files
from api.idempotency import idempotent
from api.pagination import OldestFirstPagination, PageQuery
from api.parsers import UploadParser
from api.permissions import IsProjectAdministrator
from api.project_serializers import LARGEST_NUMBER
from api.serializers import StrictSerializer


class SourceFileSerializer(serializers.Serializer[Any]):
    """A file that the project was created from, or that came with a system later."""

    column = serializers.CharField(help_text="Its role: source, reference, system NAME …")
    name = serializers.CharField(help_text="The name it was uploaded with.")
    sha256 = serializers.CharField(help_text="Of its bytes as uploaded.")


class SourceFilesSerializer(serializers.Serializer[Any]):
    results = SourceFileSerializer(many=True)


class TranslationSerializer(serializers.ModelSerializer[Translation]):
    system = serializers.CharField(
        source="system.name", default=None, allow_null=True, read_only=True
    )

    class Meta:
        model = Translation
        fields = ("system", "reference", "text")
        read_only_fields = fields


class SentenceSerializer(serializers.ModelSerializer[Sentence]):
    """A sentence of the source with its translations.

    `system` is null for a reference, and `reference`, its number, for a system's output.
    """

    segments = serializers.IntegerField(
        source="segment_count", read_only=True, help_text="How many segments it has."
    )
    translations = TranslationSerializer(many=True, read_only=True)

    class Meta:
        model = Sentence
        fields = ("id", "number", "document", "text", "excluded", "segments", "translations")
        read_only_fields = fields
        extra_kwargs = {
            "document": {"help_text": "Its document; empty if unknown."},
            "excluded": {"help_text": "Excluded sentences are stored, and count nowhere."},
        }


class SentenceFilters(PageQuery):
    number = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_NUMBER, help_text="The line in the source."
    )


class SourceFiles(ApiView):
    tag = "texts"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="listFiles", responses=SourceFilesSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """List the uploaded files"""
        return Response({"results": list(_provenance_files(self.project))})


class Sentences(ApiView):
    tag = "texts"
    permission_classes = [IsProjectAdministrator]
    pagination_class = OldestFirstPagination
    query_serializers = {"GET": SentenceFilters}

    @extend_schema(operation_id="listSentences", responses=SentenceSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """List the sentences with their translations

        In the order of the source, without the copies for practice and control.
        """
        translations = Translation.objects.select_related("system").order_by(
            "system", "reference", "pk"
        )
        rows = (
            Sentence.objects.filter(project=self.project, purpose=Sentence.Purpose.JUDGE)
            .annotate(segment_count=Count("segments"))
            .prefetch_related(Prefetch("translations", translations))
        )
        if "number" in self.query:
            rows = rows.filter(number=self.query["number"])
        return self.page_response(rows, SentenceSerializer)


class MergeCountsSerializer(serializers.Serializer[Any]):
    known = serializers.IntegerField(help_text="Segments whose candidate already existed.")
    new = serializers.IntegerField(help_text="Segments with a new candidate.")
    missing = serializers.IntegerField(help_text="Segments without a candidate of this system.")
    reassigned = serializers.IntegerField(help_text="Segments that are assigned again.")


class SystemSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    candidates = serializers.IntegerField(help_text="Segments with a candidate of this system.")
    segments = serializers.IntegerField(help_text="All segments.")
    added = MergeCountsSerializer(
        allow_null=True, help_text="For a system that was added later, once that has finished."
    )
    sampled = serializers.IntegerField(
        allow_null=True,
        help_text="Segments sampled to judge it; null if all with a new candidate are.",
    )
    is_unfinished = serializers.BooleanField(
        help_text="Whether adding it stopped halfway: see `goOnWithSystem`."
    )


class SystemsSerializer(serializers.Serializer[Any]):
    results = SystemSerializer(many=True)


class NewSystem(StrictSerializer):
    """A system and its translation of the source, line by line."""

    system_name = serializers.CharField(max_length=LONGEST_SYSTEM_NAME)
    text_file = serializers.FileField(
        help_text="A text, one sentence a line, or a table with a column of the system's name."
    )
    links_file = serializers.FileField(
        required=False, help_text="Its word alignment, in Pharaoh format."
    )
    tokenized = serializers.BooleanField(default=False)
    encoding = serializers.ChoiceField(
        ENCODINGS, default=UTF_8, help_text="The encoding of texts that are not UTF-8."
    )
    judge = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=MOST_JUDGED,
        help_text="Judge only so many segments with a new candidate again, a random sample. The "
        "report then estimates the score of the system. By default all are judged again.",
    )


class Systems(ApiView):
    tag = "systems"
    permission_classes = [IsProjectAdministrator]
    parser_classes = [UploadParser]

    @extend_schema(operation_id="listSystems", responses=SystemsSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """List the systems

        In the order in which they were added.
        """
        rows = system_rows(self.project, adding(self.project))
        return Response({"results": [_system_json(row) for row in rows]})

    @extend_schema(
        operation_id="addSystem",
        request={"multipart/form-data": NewSystem},
        responses={202: SystemSerializer},
    )
    @idempotent(long=True)
    def post(self, request: Request, pk: int) -> Response:
        """Add a system

        Its text is stored, and a worker creates its candidates: `getJob` shows the progress.
        Annotators can go on judging meanwhile.
        """
        values = self.read_body(NewSystem)
        if self.project.state not in (Project.State.OPEN, Project.State.CLOSED):
            raise Conflict(_("The project is not prepared yet. Add the system when it is."))
        form = SystemForm(values, values, project=self.project)
        if not form.is_valid():
            raise bad_body(form.errors)
        _add(self.project, form.cleaned_data)
        rows = system_rows(self.project, adding(self.project))
        row = next(row for row in rows if row.system.name == form.cleaned_data["system_name"])
        location = reverse("api-job", args=[pk])
        return Response(_system_json(row), 202, headers={"Location": location})


class SystemResume(ApiView):
    tag = "systems"
    permission_classes = [IsProjectAdministrator]

    @extend_schema(operation_id="goOnWithSystem", request=None, responses={202: SystemSerializer})
    @idempotent()
    def post(self, request: Request, pk: int, system_pk: int) -> Response:
        """Resume adding a system

        Enqueues the remaining work for a system that was not added completely.
        """
        rows = system_rows(self.project, adding(self.project))
        row = next((row for row in rows if row.system.pk == system_pk), None)
        if row is None:
            raise Http404
        if not row.is_unfinished:
            raise Conflict(_("This system was already added completely."))
        jobs.queue_system(self.project, row.system.name)
        location = reverse("api-job", args=[pk])
        return Response(_system_json(row), 202, headers={"Location": location})


class NewReference(StrictSerializer):
    """A human translation of the source, line by line."""

    text_file = serializers.FileField(
        help_text="A text, one sentence a line, or a table with a column “reference”."
    )
    tokenized = serializers.BooleanField(default=False)
    encoding = serializers.ChoiceField(
        ENCODINGS, default=UTF_8, help_text="The encoding of texts that are not UTF-8."
    )


class StoredReferenceSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text="Of the reference in the project.")
    sentences = serializers.IntegerField(help_text="How many have this reference now.")


class Reference(ApiView):
    tag = "texts"
    permission_classes = [IsProjectAdministrator]
    parser_classes = [UploadParser]

    @extend_schema(
        operation_id="addReference",
        request={"multipart/form-data": NewReference},
        responses={201: StoredReferenceSerializer},
    )
    @idempotent(long=True)
    def post(self, request: Request, pk: int) -> Response:
        """Add a reference

        It gets the next number. Segments, candidates and judgements stay as they are.
        """
        values = self.read_body(NewReference)
        form = ReferenceForm(values, MultiValueDict({"text_file": [values["text_file"]]}))
        if not form.is_valid():
            raise bad_body(form.errors)
        given = form.cleaned_data
        with problems_of_files():
            stored = add_reference(
                project=self.project,
                text=given["text_file"],
                tokenized=given["tokenized"],
                encoding=given["encoding"],
            )
        return Response({"number": stored.number, "sentences": stored.lines}, 201)


def _provenance_files(project: Project) -> Iterator[dict[str, Any]]:
    """Yield the files of the provenance."""
    made = provenance_of(project)
    for column, file in made.files.items():
        yield {"column": column, "name": file.name, "sha256": file.sha256}
    for added in filter(None, made.added):
        yield {"column": f"system {added.system}", "name": added.name, "sha256": added.sha256}


def _add(project: Project, values: dict[str, Any]) -> None:
    with problems_of_files():
        add_system(
            project=project,
            name=values["system_name"],
            text=values["text_file"],
            links=values["links_file"],
            tokenized=values["tokenized"],
            judge=values["judge"],
            encoding=values["encoding"],
        )


def _system_json(row: SystemRow) -> dict[str, Any]:
    counts = row.added.counts if row.added else None
    return {
        "id": row.system.pk,
        "name": row.system.name,
        "candidates": row.candidates,
        "segments": row.segments,
        "added": asdict(counts) if counts else None,
        "sampled": row.added.sampled_count if row.added else None,
        "is_unfinished": row.is_unfinished,
    }
