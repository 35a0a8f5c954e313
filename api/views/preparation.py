"""How the texts of a project were prepared, and how well that went."""

from collections.abc import Iterator
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Project
from annotation.projects.preparation_quality import preparation_quality, verbless_sentences
from api.base_views import Resource
from api.permissions import Right
from api.schema import describe
from api.serializers import Shown

# Of the quality, in the order of the page.
SHARES = (
    "empty_projections",
    "candidates_with_gaps",
    "unique_candidates",
    "agreeing_segments",
    "sentences_without_segments",
)
COUNTS = ("sentences", "systems", "segments", "candidates")


class ProgramShown(Shown):
    name = serializers.CharField()
    version = serializers.CharField(help_text="Empty where it is not known.")


class SharesShown(Shown):
    """Shares from 0 to 1; null where there is nothing to have a share of, or it was not counted."""

    empty_projections = serializers.FloatField(
        allow_null=True, help_text="Places without a candidate: nothing is linked to the segment."
    )
    candidates_with_gaps = serializers.FloatField(
        allow_null=True, help_text="Candidates of words that are not neighbours."
    )
    unique_candidates = serializers.FloatField(
        allow_null=True, help_text="What is left once equal ones of a segment count once."
    )
    agreeing_segments = serializers.FloatField(
        allow_null=True, help_text="Segments with the same candidate from all systems."
    )
    sentences_without_segments = serializers.FloatField(
        allow_null=True, help_text="Sentences that nobody is given."
    )
    verbless_sentences = serializers.FloatField(
        allow_null=True, help_text="Sentences with a tree that names no verb."
    )


class CountsShown(Shown):
    sentences = serializers.IntegerField(allow_null=True)
    systems = serializers.IntegerField(allow_null=True)
    segments = serializers.IntegerField(allow_null=True)
    candidates = serializers.IntegerField(allow_null=True)


class PreparationShown(Shown):
    """What is not known is null: of a project that came ready-made, most of it."""

    parser = ProgramShown(allow_null=True)
    aligner = ProgramShown(allow_null=True)
    effort = serializers.CharField(help_text="Of aligning; empty where it is not known.")
    coverage = serializers.CharField(help_text="What segments cover; empty likewise.")
    counts = CountsShown(help_text="As it was prepared; systems that came later are not in it.")
    shares = SharesShown()


class Preparation(Resource):
    tag = "texts"
    rights = {"GET": Right.ADMINISTER}

    @describe(
        "getPreparation",
        returns=PreparationShown,
        example={
            "parser": {"name": "phrases", "version": "1"},
            "aligner": {"name": "eflomal", "version": "2.0"},
            "effort": "best",
            "coverage": "algorithm1",
            "counts": {"sentences": 20, "systems": 4, "segments": 50, "candidates": 114},
            "shares": {
                "empty_projections": 0.05,
                "candidates_with_gaps": 0.1,
                "unique_candidates": 0.6,
                "agreeing_segments": 0.2,
                "sentences_without_segments": 0.05,
                "verbless_sentences": None,
            },
        },
    )
    def get(self, request: Request, pk: int) -> Response:
        """See how a project was prepared, and how well

        docs/preparation.md says what is usual.
        """
        return Response(PreparationShown(_preparation(self.project)).data)


def _preparation(project: Project) -> dict[str, Any]:
    made = project.provenance if isinstance(project.provenance, dict) else {}
    return {
        **dict(_programs(made)),
        "coverage": _text(made.get("coverage")),
        "counts": _counts(_part(made, "counts")),
        "shares": _shares(project) if made else dict.fromkeys((*SHARES, "verbless_sentences")),
    }


def _programs(made: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield what the provenance says of programs; a restored archive may hold anything."""
    for what in ("parser", "aligner"):
        used = _part(made, what)
        yield what, {name: _text(used.get(name)) for name in ("name", "version")} if used else None
    yield "effort", _text(_part(made, "aligner").get("effort"))


def _counts(counts: dict[str, Any]) -> dict[str, int | None]:
    return {name: counts[name] if type(counts.get(name)) is int else None for name in COUNTS}


def _shares(project: Project) -> dict[str, float | None]:
    quality = preparation_quality(project)
    shares = {name: getattr(quality, name) if quality else None for name in SHARES}
    return shares | {"verbless_sentences": verbless_sentences(project)}


def _part(made: dict[str, Any], name: str) -> dict[str, Any]:
    found = made.get(name)
    return found if isinstance(found, dict) else {}


def _text(found: Any) -> str:
    return found if isinstance(found, str) else ""
