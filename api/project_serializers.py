"""Serializers that several views share."""

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

from annotation.judging.sheet import Sheet
from annotation.kinds import kind_of
from annotation.models import Project
from annotation.projects.administration import SETTINGS
from annotation.projects.document_sheets import design_of

# The largest number of a sentence or version that the database can hold.
LARGEST_NUMBER = 2**31 - 1


class PieceSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    marked = serializers.BooleanField(help_text="Whether it belongs to the segment.")


class ProjectSerializer(serializers.ModelSerializer[Project]):
    """A project with its settings."""

    role = serializers.CharField(
        read_only=True,
        allow_null=True,
        help_text="Your role; null if you are not a member but a superuser.",
    )

    answer_options = serializers.SerializerMethodField(
        help_text="The labels of the steps on which candidates are placed, the best first, or the "
        "severities and categories of errors; empty for a ranking."
    )

    sheet_choice = serializers.SerializerMethodField(
        help_text="Which systems an annotator sees of a document: `complete`, `balanced` or "
        "`dynamic`; null for kinds without documents."
    )

    class Meta:
        model = Project
        fields = (
            "id",
            "name",
            "kind",
            "answer_options",
            "sheet_choice",
            "state",
            "role",
            "source_language",
            "target_language",
            "min_length",
            "max_length",
            "created",
            *SETTINGS,
        )
        read_only_fields = fields

    def get_sheet_choice(self, project: Project) -> str | None:
        return design_of(project).choice if kind_of(project).unit.is_document else None

    def get_answer_options(self, project: Project) -> list[str]:
        answer = kind_of(project).answer
        return [str(option) for option in answer.labels or answer.own_options]


class ReferenceSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text="Of the reference in the project, from 1.")
    text = serializers.CharField()


def pieces_json(pieces: Iterable[tuple[str, bool]]) -> list[dict[str, Any]]:
    """Return the pieces of a sentence as `PieceSerializer` describes them."""
    return [{"text": text, "marked": marked} for text, marked in pieces]


def sheet_json(sheet: Sheet) -> dict[str, Any]:
    """Return the texts, segments and candidates of a sentence as annotators see them."""
    return {
        "source": sheet.source,
        "references": [{"number": one.number, "text": one.text} for one in sheet.references],
        "segments": [
            {
                "pieces": pieces_json(segment.pieces),
                "candidates": [{"key": card.key, "text": card.text} for card in segment.cards],
            }
            for segment in sheet.segments
        ],
    }
