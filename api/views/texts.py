"""The texts of a project: which files they came from, and how they read."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Count, Prefetch
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Project, Sentence, Translation
from api.base_views import Resource
from api.pagination import Paging
from api.permissions import Right
from api.schema import describe
from api.serializers import Shown


class GivenFileShown(Shown):
    """A file that the project was made from, or that came with a system later."""

    column = serializers.CharField(help_text="What it is: source, reference, system NAME …")
    name = serializers.CharField(help_text="What it was called.")
    sha256 = serializers.CharField(help_text="Of its bytes as they came.")


class GivenFilesShown(Shown):
    results = GivenFileShown(many=True)


class TranslationShown(serializers.ModelSerializer[Translation]):
    system = serializers.CharField(
        source="system.name", default=None, allow_null=True, read_only=True
    )

    class Meta:
        model = Translation
        fields = ("system", "text")
        read_only_fields = fields


class SentenceShown(serializers.ModelSerializer[Sentence]):
    """A sentence of the source; `system` is null for the reference."""

    segments = serializers.IntegerField(
        source="cut_into", read_only=True, help_text="How many it was cut into."
    )
    translations = TranslationShown(many=True, read_only=True)

    class Meta:
        model = Sentence
        fields = ("id", "number", "text", "segments", "translations")
        read_only_fields = fields


class SentenceFilters(Paging):
    number = serializers.IntegerField(
        required=False, min_value=1, max_value=2**31 - 1, help_text="The line in the source."
    )


class GivenFiles(Resource):
    tag = "texts"
    rights = {"GET": Right.ADMINISTER}

    @describe(
        "listFiles",
        returns=GivenFilesShown,
        example={"results": [{"column": "source", "name": "source.txt", "sha256": "9f86d081…"}]},
    )
    def get(self, request: Request, pk: int) -> Response:
        """List the files that were given"""
        return Response({"results": list(_files(self.project))})


class Sentences(Resource):
    tag = "texts"
    rights = {"GET": Right.ADMINISTER}
    queries = {"GET": SentenceFilters}

    @describe(
        "listSentences",
        returns=SentenceShown,
        is_page=True,
        example={
            "id": 5,
            "number": 1,
            "text": "The old house stands near the river.",
            "segments": 2,
            "translations": [{"system": "alfa", "text": "Starý dům stojí u řeky."}],
        },
    )
    def get(self, request: Request, pk: int) -> Response:
        """List the sentences with their translations

        In the order in which they were given; copies for practice and control are left out.
        """
        translations = Translation.objects.select_related("system").order_by("system", "pk")
        rows = (
            Sentence.objects.filter(project=self.project, purpose=Sentence.Purpose.JUDGE)
            .annotate(cut_into=Count("segments"))
            .prefetch_related(Prefetch("translations", translations))
        )
        if "number" in self.query:
            rows = rows.filter(number=self.query["number"])
        return self.page(rows, SentenceShown)


def _files(project: Project) -> Iterator[dict[str, Any]]:
    """Yield what the provenance says of files; a restored archive may hold anything."""
    made = project.provenance if isinstance(project.provenance, dict) else {}
    files = made.get("files")
    rows = list(files.items()) if isinstance(files, dict) else []
    added = made.get("added")
    for system in added if isinstance(added, list) else []:
        if isinstance(system, dict):
            rows.append((f"system {system.get('system')}", system))
    for column, file in rows:
        if isinstance(file, dict):
            yield {
                "column": str(column),
                "name": str(file.get("name", "")),
                "sha256": str(file.get("sha256", "")),
            }
