"""Adding a system to a project that people judge already.

What was judged stays. Where the system made a candidate that is there, old judgements speak for
it at once. Where it brings a new one to a segment that was given out, the segment is given out
again with all its candidates; other segments are not.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import Exists, Max, OuterRef, QuerySet

from annotation.common.batches import update_rows
from annotation.common.transactions import writing
from annotation.formats.tokens import split_tokens
from annotation.models import (
    Assignment,
    Candidate,
    Project,
    Projection,
    Segment,
    Sentence,
    System,
    Translation,
)
from annotation.pipeline.word_alignment import align_one, aligner_of, made_by
from annotation.preparation.alignment import links_from_text
from annotation.preparation.projection import project_visible

Progress = Callable[[str, int, int], None]
# Sentences at a time: who judges waits for no more than that.
PAGE = 100


@dataclass(frozen=True)
class Brought:
    """What a system brought: segments where its candidate was known, is new, or is missing.

    `again` are the segments that are given out again.
    """

    known: int = 0
    new: int = 0
    missing: int = 0
    again: int = 0

    def plus(self, other: "Brought") -> "Brought":
        return Brought(
            self.known + other.known,
            self.new + other.new,
            self.missing + other.missing,
            self.again + other.again,
        )


def bring_system(
    *,
    system: System,
    effort: str = "",
    progress: Progress = lambda stage, done, total: None,
) -> Brought:
    """Align the system's outputs alone, unless their links were stored, and give out candidates.

    What was interrupted goes on where it stopped. Whoever judges at this moment is not disturbed:
    he hands in what he was shown. Raises InputError.
    """
    project = Project.objects.get(pk=system.project_id)
    if "aligner" not in _made(project, system):
        aligner = aligner_of(project, effort)
        progress("alignment", 0, system.translations.count())
        align_one(project, system, effort=effort, progress=progress)
        _note(system, aligner=made_by(aligner))
    waiting = _sentences(system.project).filter(
        Exists(_segments_without(system).filter(sentence=OuterRef("pk")))
    )
    total = waiting.count()
    done, brought = 0, Brought()
    last = 0
    while page := list(
        waiting.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:PAGE]
    ):
        last = page[-1]
        brought = brought.plus(_bring_page(system, page))
        done += len(page)
        progress("candidates", done, total)
    _note(system, brought=brought)
    return brought


def _sentences(project: Project) -> QuerySet[Sentence]:
    return project.sentences.filter(purpose=Sentence.Purpose.JUDGE)


def _segments_without(system: System) -> QuerySet[Segment]:
    has = Projection.objects.filter(segment=OuterRef("pk"), system=system)
    return Segment.objects.filter(~Exists(has))


def _bring_page(system: System, sentence_ids: list[int]) -> Brought:
    with writing():
        # Held, so that none is given out with half of its candidates.
        sentences = Sentence.objects.select_for_update().in_bulk(sentence_ids)
        segments = list(_segments_without(system).filter(sentence__in=sentence_ids).order_by("pk"))
        projected = _projected(system, segments)
        known = {
            (segment, text): pk
            for segment, text, pk in Candidate.objects.filter(segment__in=segments).values_list(
                "segment", "text", "pk"
            )
        }
        new = [
            Candidate(segment=segment, text=projected[segment.pk])
            for segment in segments
            if projected[segment.pk] and (segment.pk, projected[segment.pk]) not in known
        ]
        Candidate.objects.bulk_create(new)
        known |= {(candidate.segment_id, candidate.text): candidate.pk for candidate in new}
        Projection.objects.bulk_create(
            Projection(
                segment=segment,
                system=system,
                candidate_id=known.get((segment.pk, projected[segment.pk])),
            )
            for segment in segments
        )
        again = _give_out_again(sentences, [candidate.segment for candidate in new])
    missing = sum(not text for text in projected.values())
    return Brought(len(segments) - missing - len(new), len(new), missing, again)


def _projected(system: System, segments: list[Segment]) -> dict[int, str]:
    """Return what the system made of each segment, by segment id; "" is nothing."""
    translations = {
        sentence: (links_from_text(alignment), split_tokens(tokens))
        for sentence, alignment, tokens in Translation.objects.filter(
            system=system, sentence__in={segment.sentence_id for segment in segments}
        ).values_list("sentence", "alignment", "tokens")
    }
    return {
        segment.pk: project_visible(
            segment.indices, *translations.get(segment.sentence_id, ([], []))
        )
        for segment in segments
    }


def _give_out_again(sentences: Mapping[int, Sentence], changed: list[Segment]) -> int:
    """Begin another round for those of the changed segments that somebody has or had.

    A sentence is in a new round once its present one was given out. Returns how many segments.
    """
    rounds = Assignment.objects.filter(
        sentence__in={segment.sentence_id for segment in changed},
        kind=Assignment.Kind.FIRST,
        state__in=Assignment.ACTIVE_STATES,
    )
    given = dict(
        rounds.order_by()
        .values("sentence")
        .annotate(latest=Max("round"))
        .values_list("sentence", "latest")
    )
    again = [segment for segment in changed if segment.sentence_id in given]
    for sentence_id in {segment.sentence_id for segment in again}:
        sentence = sentences[sentence_id]
        sentence.round = max(sentence.round, given[sentence_id] + 1)
    for segment in again:
        segment.round = sentences[segment.sentence_id].round
    update_rows(list(sentences.values()), "round")
    update_rows(again, "round")
    return len(again)


def _made(project: Project, system: System) -> dict[str, Any]:
    """Return what the project's provenance says of the system, to be changed there."""
    added: list[dict[str, Any]] = project.provenance["added"]
    return next(one for one in added if one["system"] == system.name)


def _note(
    system: System, *, aligner: dict[str, str] | None = None, brought: Brought | None = None
) -> None:
    """Write into the project's provenance how the system came to its candidates."""
    with writing():
        project = Project.objects.select_for_update(no_key=True).get(pk=system.project_id)
        made = _made(project, system)
        if aligner:
            made["aligner"] = aligner
        if brought:
            made["brought"] = asdict(Brought(**made.get("brought", {})).plus(brought))
        project.save(update_fields=["provenance"])
