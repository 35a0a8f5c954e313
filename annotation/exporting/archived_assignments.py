"""The assignments of an archive, with what was shown, drafted and submitted."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import QuerySet

from annotation.formats.archive_records import (
    AssignmentRecord,
    DraftRecord,
    JudgementRecord,
    ShownRecord,
    SkipRecord,
    SubmissionRecord,
)
from annotation.formats.judgement_lines import GARBAGE
from annotation.models import (
    Assignment,
    Candidate,
    Draft,
    Judgement,
    Placement,
    Project,
    Segment,
    ShownCandidate,
    Skip,
    Submission,
)

# Assignments held at once.
PAGE = 200
# What a record has as the assignment has it, and what it has of the sentence and the instructions:
# to read these whole takes longer than all else.
COPIED = ("kind", "state", "slot", "round", "created", "shown", "submitted", "lease_until")
RELATED = ("sentence__number", "instructions__version")


def assignment_records(project: Project, names: dict[int, str]) -> Iterator[AssignmentRecord]:
    """Yield the project's assignments by id; `names` of accounts are by their ids."""
    assignments: QuerySet[Assignment, Any] = (
        Assignment.objects.filter(project=project)
        .order_by("pk")
        .values_list("pk", "sentence_id", "annotator_id", *COPIED, *RELATED)
    )
    last = 0
    while page := list(assignments.filter(pk__gt=last)[:PAGE]):
        last = page[-1][0]
        ids = [pk for pk, *_rest in page]
        places = Places(sentence_id for _pk, sentence_id, *_rest in page)
        skips, drafts = _skips(ids), _drafts(ids)
        shown, submissions = _shown(ids, places), _submissions(ids, places)
        for pk, _sentence_id, annotator_id, *fields in page:
            *copied, number, version = fields
            yield AssignmentRecord(
                sentence=number,
                annotator=names[annotator_id],
                **dict(zip(COPIED, copied, strict=True)),
                instructions=version,
                skip=skips.get(pk),
                draft=drafts.get(pk),
                shown_candidates=shown.get(pk, []),
                submissions=submissions.get(pk, []),
            )


class Places:
    """Where segments stand in their sentence, and candidates in their segment, from 0."""

    def __init__(self, sentence_ids: Iterable[int]) -> None:
        self.segments: dict[int, int] = {}
        self.candidates: dict[int, list[int]] = {}
        self.segment_of: dict[int, int] = {}
        counted: dict[int, int] = {}
        ids = set(sentence_ids)
        segments = Segment.objects.filter(sentence__in=ids).order_by("pk")
        for pk, sentence_id in segments.values_list("pk", "sentence_id"):
            self.segments[pk] = counted.get(sentence_id, 0)
            counted[sentence_id] = self.segments[pk] + 1
            self.candidates[pk] = []
        candidates = Candidate.objects.filter(segment__sentence__in=ids).order_by("pk")
        for pk, segment_id in candidates.values_list("pk", "segment_id"):
            self.candidates[segment_id].append(pk)
            self.segment_of[pk] = segment_id


def _skips(ids: list[int]) -> dict[int, SkipRecord]:
    return {
        row.assignment_id: SkipRecord(row.reason, row.comment, row.created)
        for row in Skip.objects.filter(assignment__in=ids)
    }


def _drafts(ids: list[int]) -> dict[int, DraftRecord]:
    return {
        row.assignment_id: DraftRecord(
            version=row.version,
            # Databases differ in the order in which they keep the keys.
            choices=dict(sorted(row.choices.items())),
            active_seconds=row.active_seconds,
            saved=row.saved,
        )
        for row in Draft.objects.filter(assignment__in=ids)
    }


def _shown(ids: list[int], places: Places) -> dict[int, list[ShownRecord]]:
    by_segment: dict[tuple[int, int], dict[int, int]] = {}
    rows = ShownCandidate.objects.filter(assignment__in=ids).order_by("candidate_id")
    for assignment_id, candidate_id, position in rows.values_list(
        "assignment_id", "candidate_id", "position"
    ):
        key = (assignment_id, places.segment_of[candidate_id])
        by_segment.setdefault(key, {})[candidate_id] = position
    found: dict[int, list[ShownRecord]] = {}
    for (assignment_id, segment_id), positions in sorted(by_segment.items()):
        found.setdefault(assignment_id, []).append(
            ShownRecord(
                segment=places.segments[segment_id],
                positions=[positions.get(pk) for pk in places.candidates[segment_id]],
            )
        )
    return found


def _submissions(ids: list[int], places: Places) -> dict[int, list[SubmissionRecord]]:
    judgements = _judgements(ids, places)
    found: dict[int, list[SubmissionRecord]] = {}
    rows = Submission.objects.filter(assignment__in=ids).order_by("number")
    for assignment_id, pk, number, current, created, seconds in rows.values_list(
        "assignment_id", "pk", "number", "current", "created", "active_seconds"
    ):
        of_submission = judgements.get(pk, [])
        record = SubmissionRecord(number, current, created, seconds, of_submission)
        found.setdefault(assignment_id, []).append(record)
    return found


def _judgements(ids: list[int], places: Places) -> dict[int, list[JudgementRecord]]:
    """Return by submission id, in the order of the rows."""
    ranks: dict[int, dict[int, int | str]] = {}
    offered: dict[int, int] = {}
    placements = Placement.objects.filter(judgement__submission__assignment__in=ids)
    for judgement_id, candidate_id, rank, ranks_offered in placements.values_list(
        "judgement_id", "candidate_id", "rank", "ranks_offered"
    ):
        ranks.setdefault(judgement_id, {})[candidate_id] = GARBAGE if rank is None else rank
        offered[judgement_id] = ranks_offered
    found: dict[int, list[JudgementRecord]] = {}
    judgements = Judgement.objects.filter(submission__assignment__in=ids).order_by("pk")
    for pk, submission_id, segment_id, created, seconds in judgements.values_list(
        "pk", "submission_id", "segment_id", "created", "seconds"
    ):
        of_judgement: dict[int, Any] = ranks.get(pk, {})
        found.setdefault(submission_id, []).append(
            JudgementRecord(
                segment=places.segments[segment_id],
                created=created,
                seconds=seconds,
                ranks_offered=offered[pk],
                ranks=[of_judgement.get(candidate) for candidate in places.candidates[segment_id]],
            )
        )
    return found
