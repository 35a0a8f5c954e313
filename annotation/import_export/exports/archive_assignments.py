"""The assignments of an archive, with what was shown, drafted and submitted."""

from collections.abc import Iterator
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
PAGE = 1000
# What a record has as the assignment has it, and what it has of the sentence and the instructions:
# to read these whole takes longer than all else.
COPIED = ("kind", "state", "slot", "round", "created", "shown", "submitted", "lease_until")
RELATED = ("sentence__number", "instructions__version")

# A page of assignments as a query: to send a thousand ids with each question takes longer than to
# let the database find them again.
Page = QuerySet[Assignment]


def assignment_records(project: Project, names: dict[int, str]) -> Iterator[AssignmentRecord]:
    """Yield the project's assignments by id; `names` of accounts are by their ids."""
    assignments = Assignment.objects.filter(project=project)
    rows: QuerySet[Assignment, Any] = assignments.order_by("pk").values_list(
        "pk", "sentence_id", "annotator_id", *COPIED, *RELATED
    )
    last = 0
    while found := list(rows.filter(pk__gt=last)[:PAGE]):
        page = assignments.filter(pk__gt=last, pk__lte=found[-1][0])
        last = found[-1][0]
        places = Places(page)
        skips, drafts = _skips(page), _drafts(page)
        positions, submissions = _positions(page), _submissions(page, places)
        for pk, sentence_id, annotator_id, *fields in found:
            *copied, number, version = fields
            yield AssignmentRecord(
                sentence=number,
                annotator=names[annotator_id],
                **dict(zip(COPIED, copied, strict=True)),
                instructions=version,
                skip=skips.get(pk),
                draft=drafts.get(pk),
                shown_candidates=places.shown(sentence_id, positions.get(pk, {})),
                submissions=submissions.get(pk, []),
            )


class Places:
    """Where segments stand in their sentence, and candidates in their segment, from 0."""

    def __init__(self, page: Page) -> None:
        self.segments: dict[int, int] = {}
        self.candidates: dict[int, list[int]] = {}
        self._of_sentence: dict[int, list[list[int]]] = {}
        segments = Segment.objects.filter(sentence__in=page.values("sentence")).order_by("pk")
        for pk, sentence_id in segments.values_list("pk", "sentence_id"):
            before = self._of_sentence.setdefault(sentence_id, [])
            self.segments[pk] = len(before)
            self.candidates[pk] = []
            before.append(self.candidates[pk])
        candidates = Candidate.objects.filter(
            segment__sentence__in=page.values("sentence")
        ).order_by("pk")
        for pk, segment_id in candidates.values_list("pk", "segment_id"):
            self.candidates[segment_id].append(pk)

    def shown(self, sentence_id: int, positions: dict[int, int]) -> list[ShownRecord]:
        """Return what was shown of each segment that was, by where each candidate stood."""
        if not positions:
            return []
        found = (
            ShownRecord(segment, [positions.get(pk) for pk in candidates])
            for segment, candidates in enumerate(self._of_sentence[sentence_id])
        )
        return [record for record in found if any(record.positions)]


def _skips(page: Page) -> dict[int, SkipRecord]:
    return {
        row.assignment_id: SkipRecord(row.reason, row.comment, row.created)
        for row in Skip.objects.filter(assignment__in=page)
    }


def _drafts(page: Page) -> dict[int, DraftRecord]:
    return {
        row.assignment_id: DraftRecord(
            version=row.version,
            # Databases differ in the order in which they keep the keys.
            choices=dict(sorted(row.choices.items())),
            active_seconds=row.active_seconds,
            saved=row.saved,
        )
        for row in Draft.objects.filter(assignment__in=page)
    }


def _positions(page: Page) -> dict[int, dict[int, int]]:
    """Return by assignment id and candidate id where it stood on the page, from 1."""
    found: dict[int, dict[int, int]] = {}
    rows = ShownCandidate.objects.filter(assignment__in=page).order_by()
    for assignment_id, candidate_id, position in rows.values_list(
        "assignment_id", "candidate_id", "position"
    ):
        found.setdefault(assignment_id, {})[candidate_id] = position
    return found


def _submissions(page: Page, places: Places) -> dict[int, list[SubmissionRecord]]:
    judgements = _judgements(page, places)
    found: dict[int, list[SubmissionRecord]] = {}
    rows = Submission.objects.filter(assignment__in=page).order_by("number")
    for assignment_id, pk, number, current, created, seconds in rows.values_list(
        "assignment_id", "pk", "number", "current", "created", "active_seconds"
    ):
        of_submission = judgements.get(pk, [])
        record = SubmissionRecord(number, current, created, seconds, of_submission)
        found.setdefault(assignment_id, []).append(record)
    return found


def _judgements(page: Page, places: Places) -> dict[int, list[JudgementRecord]]:
    """Return by submission id, in the order of the rows."""
    ranks: dict[int, dict[int, int | str]] = {}
    offered: dict[int, int] = {}
    placements = Placement.objects.filter(judgement__submission__assignment__in=page).order_by()
    for judgement_id, candidate_id, rank, ranks_offered in placements.values_list(
        "judgement_id", "candidate_id", "rank", "ranks_offered"
    ):
        ranks.setdefault(judgement_id, {})[candidate_id] = GARBAGE if rank is None else rank
        offered[judgement_id] = ranks_offered
    found: dict[int, list[JudgementRecord]] = {}
    judgements = Judgement.objects.filter(submission__assignment__in=page).order_by("pk")
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
