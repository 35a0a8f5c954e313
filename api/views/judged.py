"""What was judged of one sentence, and how segments agree with whole sentences."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Project
from annotation.selectors.judged_sentences import (
    JudgedCandidate,
    JudgedSegment,
    JudgedSentence,
    judged_sentence,
)
from api.base_views import Resource
from api.exceptions import Conflict
from api.permissions import Right
from api.project_serializers import PIECES, PieceShown, pieces_shown
from api.schema import describe
from api.serializers import Shown
from api.views.checks import LARGEST_NUMBER
from api.views.findings import COMPUTED
from evaluation.services.sentence_level import SentenceLevelFindings, sentence_level_report


class JudgedByShown(Shown):
    id = serializers.IntegerField(help_text="Of the judgement.")
    annotator = serializers.CharField()
    repeat = serializers.BooleanField(help_text="Whether the sentence came again.")


class GivenRankShown(Shown):
    judgement = serializers.IntegerField()
    rank = serializers.IntegerField(allow_null=True, help_text="Null is the bin for garbage.")


class JudgedCandidateShown(Shown):
    text = serializers.CharField()
    systems = serializers.ListField(child=serializers.CharField())
    ranks = GivenRankShown(many=True, help_text="In the judgements in which it was placed.")


class JudgedSegmentShown(Shown):
    id = serializers.IntegerField()
    pieces = PieceShown(many=True, help_text="Of the source; joined they are all of it.")
    judgements = JudgedByShown(many=True)
    candidates = JudgedCandidateShown(many=True, help_text="Best first, by their mean place.")


class JudgedSentenceShown(Shown):
    number = serializers.IntegerField()
    source = serializers.CharField()  # type: ignore[assignment]  # a name that Field has
    reference = serializers.CharField(help_text="Empty where there is none.")
    segments = JudgedSegmentShown(many=True)


JUDGED: dict[str, Any] = {
    "number": 12,
    "source": "The old house stands near the river.",
    "reference": "Starý dům stojí u řeky.",
    "segments": [
        {
            "id": 37,
            "pieces": PIECES,
            "judgements": [{"id": 4711, "annotator": "jana", "repeat": False}],
            "candidates": [
                {
                    "text": "starý dům",
                    "systems": ["alfa", "bravo"],
                    "ranks": [{"judgement": 4711, "rank": 1}],
                },
                {
                    "text": "dům",
                    "systems": ["cyril"],
                    "ranks": [{"judgement": 4711, "rank": None}],
                },
            ],
        }
    ],
}


class OneJudgedSentence(Resource):
    tag = "judgements"
    rights = {"GET": Right.OBSERVE}

    @describe("getJudgedSentence", returns=JudgedSentenceShown, example=JUDGED)
    def get(self, request: Request, pk: int, number: int) -> Response:
        """Get all that was judged of one sentence

        In words, as annotators saw it, with the systems.
        """
        found = judged_sentence(self.project, min(number, LARGEST_NUMBER))
        if found is None:
            raise Http404
        return Response(JudgedSentenceShown(_shown(found)).data)


class SentenceLevel(Resource):
    tag = "findings"
    cost = COMPUTED
    rights = {"GET": Right.OBSERVE}

    @describe("compareWithSentences", returns=OpenApiTypes.OBJECT, refusals=[409])
    def get(self, request: Request, pk: int) -> Response:
        """Compare the judgements of segments with those of whole sentences

        As `manage.py compare_sentences` does with those that were imported; docs/evaluation.md says
        what τ and the quotients are.
        """
        findings = SentenceLevelFindings(self.project)
        if self.project.state in (Project.State.PREPARING, Project.State.FAILED):
            raise Conflict(_("The project is not prepared: there is nothing to report."))
        if not findings.imported:
            raise Conflict(
                _("There are no judgements of whole sentences: import them on the server first.")
            )
        return Response(sentence_level_report(findings))


def _shown(found: JudgedSentence) -> dict[str, Any]:
    return {
        "number": found.number,
        "source": found.source,
        "reference": found.reference,
        "segments": [
            {
                "id": segment.id,
                "pieces": pieces_shown(segment.pieces),
                "judgements": segment.judgements,
                "candidates": [_candidate(segment, one) for one in segment.candidates],
            }
            for segment in found.segments
        ],
    }


def _candidate(segment: JudgedSegment, candidate: JudgedCandidate) -> dict[str, Any]:
    given = zip(segment.judgements, candidate.ranks, strict=True)
    return {
        "text": candidate.text,
        "systems": candidate.systems,
        "ranks": [
            {"judgement": judged.id, "rank": rank}
            for judged, rank in given
            if not isinstance(rank, str)
        ],
    }
