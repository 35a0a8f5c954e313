"""What projects and their parts look like."""

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

from annotation.judging.sheet import Sheet
from annotation.models import Project
from annotation.projects.administration import SETTINGS
from api.serializers import Shown


class PieceShown(Shown):
    text = serializers.CharField()
    marked = serializers.BooleanField(help_text="Whether it belongs to the segment.")


class ProjectShown(serializers.ModelSerializer[Project]):
    """A project with its settings."""

    role = serializers.CharField(
        read_only=True,
        allow_null=True,
        help_text="Your own in it; null where you are no member, and run the installation.",
    )

    class Meta:
        model = Project
        fields = (
            "id",
            "name",
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


PROJECT: dict[str, Any] = {
    "id": 7,
    "name": "News test",
    "state": "open",
    "role": "owner",
    "source_language": "en",
    "target_language": "cs",
    "min_length": 3,
    "max_length": 6,
    "created": "2026-11-20T09:30:00Z",
    "description": "Ten systems, English to Czech.",
    "judges_per_sentence": 1,
    "intra_rate": 0.05,
    "inter_rate": 0.05,
    "control_rate": 0.0,
    "practice_required": False,
    "queue_order": "random",
    "block_size": 10,
    "lease_minutes": 240,
    "show_reference": True,
    "show_neighbours": False,
}
PIECES: list[dict[str, Any]] = [
    {"text": "The old house", "marked": True},
    {"text": " stands near the river.", "marked": False},
]


def pieces_shown(pieces: Iterable[tuple[str, bool]]) -> list[dict[str, Any]]:
    """Return the pieces of a sentence as `PieceShown` has them."""
    return [{"text": text, "marked": marked} for text, marked in pieces]


def sheet_shown(sheet: Sheet) -> dict[str, Any]:
    """Return what is to be judged in a sentence."""
    return {
        "source": sheet.source,
        "reference": sheet.reference,
        "segments": [
            {
                "pieces": pieces_shown(segment.pieces),
                "candidates": [{"key": card.key, "text": card.text} for card in segment.cards],
            }
            for segment in sheet.segments
        ],
    }
