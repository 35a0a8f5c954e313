"""Judgements as dictionaries, with everything they refer to, for the API."""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

from django.db.models.functions import Coalesce
from msgspec.structs import asdict

from annotation.formats.tokens import TokenizedText
from annotation.import_export.media_plays import plays_of
from annotation.kinds import Kind
from annotation.kinds.answers import Answer
from annotation.models import Judgement, MediaPlay, Placement, Projection
from annotation.models.results import candidate_counts


def judgement_records(pks: Collection[int], kind: Kind) -> list[dict[str, Any]]:
    """Return the judgements with these ids, by id, without placements of excluded candidates.

    `kind` is that of their project. Four queries, five with details; ask for a page.
    """
    rows = list(
        Judgement.objects.filter(pk__in=pks)
        .order_by("pk")
        .values_list(
            "pk",
            "submission_id",
            "segment_id",
            "segment__token_indices",
            "segment__sentence__number",
            Coalesce("segment__sentence__source_line", "segment__sentence__number"),
            "segment__sentence__text",
            "segment__sentence__tokens",
            "submission__assignment__annotator_id",
            "submission__assignment__annotator__username",
            "submission__assignment__annotator__display_name",
            "submission__assignment__kind",
            "submission__assignment__decision",
            "submission__created",
            "submission__number",
            "seconds",
            "comment",
            "submission__assignment__aids",
        )
    )
    placements = _placements(pks, _producers({row[2] for row in rows}), kind.answer)
    plays = plays_of(MediaPlay.objects.filter(submission__in={row[1] for row in rows}))
    return [
        {
            "id": pk,
            "sentence": number,
            "source_line": line,
            "segment": segment,
            "words": TokenizedText.stored(text, tokens).slice(map(int, indices.split())),
            "annotator": {"id": annotator, "name": display_name or username},
            "kind": kind,
            "narrowed": decision is not None,
            "submitted": _written(submitted),
            "version": version,
            "seconds": seconds,
            "comment": comment,
            "aids": aids,
            "media": [asdict(play) for play in plays.get(submission, [])],
            "placements": placements.get(pk, []),
        }
        for (
            pk,
            submission,
            segment,
            indices,
            number,
            line,
            text,
            tokens,
            annotator,
            username,
            display_name,
            kind,
            decision,
            submitted,
            version,
            seconds,
            comment,
            aids,
        ) in rows
    ]


def _placements(
    pks: Collection[int], producers: dict[int, list[str]], answer: Answer
) -> dict[int, list[dict[str, Any]]]:
    """Return by judgement id the placement of each candidate, in the order of their ids."""
    found: dict[int, list[dict[str, Any]]] = {}
    rows = Placement.objects.filter(candidate_counts(), judgement__in=pks).order_by("candidate_id")
    details = answer.read_details(rows)
    for pk, judgement, candidate, text, rank in rows.values_list(
        "pk", "judgement_id", "candidate_id", "candidate__text", "rank"
    ):
        found.setdefault(judgement, []).append(
            {
                "candidate": candidate,
                "text": text,
                "systems": producers.get(candidate, []),
                "rank": rank,
                "score": answer.score_of(rank),
                "detail": details.get(pk, ""),
            }
        )
    return found


def _producers(segments: Collection[int]) -> dict[int, list[str]]:
    """Return by candidate id the systems that produced it."""
    found: dict[int, list[str]] = {}
    rows = Projection.objects.filter(segment__in=segments, candidate__isnull=False).order_by("pk")
    for candidate, system in rows.values_list("candidate_id", "system__name"):
        # The filter leaves out null, which the type does not know.
        assert candidate is not None
        found.setdefault(candidate, []).append(system)
    return found


def _written(time: datetime) -> str:
    return time.astimezone(UTC).isoformat().replace("+00:00", "Z")
