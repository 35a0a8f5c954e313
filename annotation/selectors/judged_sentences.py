"""Judged sentences with their candidates and ranks, and what is new since a submission."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from math import inf
from typing import Final

from django.db.models import F, Max, QuerySet

from annotation.common.transactions import snapshot
from annotation.kinds import kind_of
from annotation.models import (
    Assignment,
    Candidate,
    Judgement,
    Placement,
    Project,
    Projection,
    Segment,
    Sentence,
    Submission,
)
from annotation.models.results import assignment_counts, judgement_counts
from annotation.projects.annotator_names import account_names
from annotation.projects.references import ReferenceText, references_of
from annotation.selectors.answer_details import details_of

# Worse than every rank; only for the order of candidates.
GARBAGE_PLACE: Final = 1000
# The last submissions of all projects, searched before those of the project.
LATEST: Final = 100


@dataclass(frozen=True)
class JudgedBy:
    """A judgement of a segment: whether it is a repeat, when, how long, and the comment, or ""."""

    id: int
    annotator: str
    repeat: bool
    created: datetime
    seconds: float | None
    comment: str


@dataclass(frozen=True)
class JudgedCandidate:
    """A candidate, the systems that produced it, and its rank in each judgement of the segment.

    A rank is 1, 2 …, None for garbage, or "" if the judgement does not place the candidate.
    `edits` are (annotator, the text that they made of it), where the kind has them.
    """

    id: int

    text: str
    systems: list[str]
    ranks: list[int | str | None]
    excluded: bool = False
    edits: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class JudgedSegment:
    """A segment: pieces of the source text (True = inside), judgements and candidates.

    `of_document` is the document as a whole of the sheet that the sentence heads.
    """

    id: int
    pieces: list[tuple[str, bool]]
    judgements: list[JudgedBy]
    candidates: list[JudgedCandidate] = field(default_factory=list)
    excluded: bool = False
    of_document: bool = False


@dataclass(frozen=True)
class JudgedSentence:
    """A sentence with its segments; excluded parts, which count nowhere, are listed too."""

    id: int
    number: int
    source: str
    references: list[ReferenceText]
    segments: list[JudgedSegment]
    excluded: bool = False


def judged_sentence(project: Project, number: int) -> JudgedSentence | None:
    """Return all judgements of a sentence, by a fixed number of queries; None if it is unknown.

    Discarded ones are left out. Candidates are sorted by their mean rank, the best first.
    """
    sentence = Sentence.objects.filter(
        project=project, number=number, purpose=Sentence.Purpose.JUDGE
    ).first()
    if sentence is None:
        return None
    judgements = _judges_by_segment(project, sentence)
    annotators = {one.id: one.annotator for of_segment in judgements.values() for one in of_segment}
    placements = list(
        Placement.objects.filter(judgement__in=annotators)
        .order_by("judgement")
        .values_list("pk", "judgement_id", "candidate_id", "rank")
    )
    ranks = {(judgement, candidate): rank for _pk, judgement, candidate, rank in placements}
    details = details_of(kind_of(project).answer, [pk for pk, *_place in placements])
    edits: dict[int, list[tuple[str, str]]] = {}
    for pk, judgement, edited, _rank in placements:
        if pk in details and details[pk].edit:
            edit = (annotators[judgement], details[pk].edit)
            edits.setdefault(edited, []).append(edit)
    systems: dict[int | None, list[str]] = {}
    for candidate_id, system in (
        Projection.objects.filter(segment__sentence=sentence, candidate__isnull=False)
        .order_by("system__name")
        .values_list("candidate_id", "system__name")
    ):
        systems.setdefault(candidate_id, []).append(system)
    source = sentence.tokenized
    segments: dict[int, JudgedSegment] = {}
    for segment in Segment.objects.filter(sentence=sentence).order_by("pk"):
        pieces = source.highlight(segment.indices)
        segments[segment.pk] = JudgedSegment(
            segment.pk,
            pieces,
            judgements.get(segment.pk, []),
            excluded=segment.excluded,
            of_document=segment.of_document,
        )
    for candidate in Candidate.objects.filter(segment__sentence=sentence).order_by("pk"):
        segment_row = segments[candidate.segment_id]
        segment_row.candidates.append(
            JudgedCandidate(
                id=candidate.pk,
                text=candidate.text,
                systems=systems.get(candidate.pk, []),
                ranks=[ranks.get((one.id, candidate.pk), "") for one in segment_row.judgements],
                excluded=candidate.excluded,
                edits=edits.get(candidate.pk, []),
            )
        )
    for segment_row in segments.values():
        segment_row.candidates.sort(key=_mean_place)
    return JudgedSentence(
        id=sentence.pk,
        excluded=sentence.excluded,
        number=sentence.number,
        source=sentence.text,
        references=[
            ReferenceText(row.reference or 1, row.text)
            for row in references_of([sentence.pk]).get(sentence.pk, ())
        ],
        segments=list(segments.values()),
    )


def _judges_by_segment(project: Project, sentence: Sentence) -> dict[int, list[JudgedBy]]:
    names = account_names(project)
    rows = Judgement.objects.filter(
        segment__sentence=sentence,
        submission__current=True,
        submission__assignment__kind__in=Assignment.COUNTED,
        submission__assignment__state=Assignment.State.SUBMITTED,
    ).order_by("pk")
    found: dict[int, list[JudgedBy]] = {}
    for pk, segment, annotator, kind, created, seconds, comment in rows.values_list(
        "pk",
        "segment_id",
        "submission__assignment__annotator",
        "submission__assignment__kind",
        "created",
        "seconds",
        "comment",
    ):
        repeat = kind != Assignment.Kind.FIRST
        judged = JudgedBy(pk, names[annotator], repeat, created, seconds, comment)
        found.setdefault(segment, []).append(judged)
    return found


def _mean_place(candidate: JudgedCandidate) -> float:
    """Return the mean rank, garbage being worse than every rank; infinite if never placed."""
    placed = [rank for rank in candidate.ranks if not isinstance(rank, str)]
    places = [GARBAGE_PLACE if rank is None else rank for rank in placed]
    return sum(places) / len(places) if places else inf


def segment_words(ids: Collection[int]) -> dict[int, str]:
    """Return the source tokens of these segments by id; deleted ones are left out."""
    segments = Segment.objects.filter(pk__in=ids).select_related("sentence")
    return {segment.pk: segment.text for segment in segments}


def segment_lengths(project: Project) -> dict[int, int]:
    """Return the number of source tokens of each segment by id."""
    segments = Segment.objects.filter(sentence__project=project)
    # In a transaction, without which a pool of connections may lose the cursor.
    with snapshot():
        return {
            pk: places.count(" ") + 1
            for pk, places in segments.values_list("pk", "token_indices").iterator()
        }


def last_submission(project: Project) -> int:
    """Return the id of the latest submission that counts; 0 where there is none."""
    # Nearly always among the last submissions of all projects; the other query is slow.
    latest = Submission.objects.order_by("-pk").values_list(
        "pk",
        "current",
        "assignment__project",
        "assignment__kind",
        "assignment__state",
        "assignment__sentence__excluded",
    )
    submitted = Assignment.State.SUBMITTED
    for pk, current, in_project, kind, state, excluded in latest[:LATEST]:
        is_current = current and state == submitted and not excluded
        if is_current and in_project == project.pk and kind in Assignment.COUNTED:
            return pk
    return _counted_submissions(project).aggregate(last=Max("pk"))["last"] or 0


def judged_since(project: Project, submission: int) -> int:
    """Count the judgements after this submission, revisions included."""
    # `+ 0` keeps the planner from the index of the project: the newest rows are few.
    by_no_index = F("submission__assignment__project_id") + 0
    newer = Judgement.objects.filter(judgement_counts(), submission__pk__gt=submission)
    return newer.alias(project=by_no_index).filter(project=project.pk).count()


def _counted_submissions(project: Project) -> QuerySet[Submission]:
    return Submission.objects.filter(
        assignment_counts("assignment"), current=True, assignment__project=project
    )
