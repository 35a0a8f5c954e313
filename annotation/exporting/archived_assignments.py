"""The assignments of an archive, with what was shown, drafted and submitted."""

from collections.abc import Iterable, Iterator
from typing import Any

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


def assignment_records(project: Project, names: dict[int, str]) -> Iterator[AssignmentRecord]:
    """Yield the project's assignments by id; `names` of accounts are by their ids."""
    last = 0
    while page := list(
        Assignment.objects.filter(project=project, pk__gt=last)
        .select_related("sentence", "instructions")
        .order_by("pk")[:PAGE]
    ):
        last = page[-1].pk
        places = Places(assignment.sentence_id for assignment in page)
        skips, drafts = _skips(page), _drafts(page)
        shown, submissions = _shown(page, places), _submissions(page, places)
        for assignment in page:
            instructions = assignment.instructions
            yield AssignmentRecord(
                sentence=assignment.sentence.number,
                annotator=names[assignment.annotator_id],
                kind=assignment.kind,
                state=assignment.state,
                slot=assignment.slot,
                round=assignment.round,
                created=assignment.created,
                shown=assignment.shown,
                submitted=assignment.submitted,
                lease_until=assignment.lease_until,
                instructions=instructions.version if instructions else None,
                skip=skips.get(assignment.pk),
                draft=drafts.get(assignment.pk),
                shown_candidates=shown.get(assignment.pk, []),
                submissions=submissions.get(assignment.pk, []),
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


def _skips(page: list[Assignment]) -> dict[int, SkipRecord]:
    return {
        row.assignment_id: SkipRecord(row.reason, row.comment, row.created)
        for row in Skip.objects.filter(assignment__in=page)
    }


def _drafts(page: list[Assignment]) -> dict[int, DraftRecord]:
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


def _shown(page: list[Assignment], places: Places) -> dict[int, list[ShownRecord]]:
    by_segment: dict[tuple[int, int], dict[int, int]] = {}
    rows = ShownCandidate.objects.filter(assignment__in=page).order_by("candidate_id")
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


def _submissions(page: list[Assignment], places: Places) -> dict[int, list[SubmissionRecord]]:
    judgements = _judgements(page, places)
    found: dict[int, list[SubmissionRecord]] = {}
    for row in Submission.objects.filter(assignment__in=page).order_by("number"):
        found.setdefault(row.assignment_id, []).append(
            SubmissionRecord(
                number=row.number,
                current=row.current,
                created=row.created,
                active_seconds=row.active_seconds,
                judgements=judgements.get(row.pk, []),
            )
        )
    return found


def _judgements(page: list[Assignment], places: Places) -> dict[int, list[JudgementRecord]]:
    """Return by submission id, in the order of the rows."""
    ranks: dict[int, dict[int, int | str]] = {}
    offered: dict[int, int] = {}
    placements = Placement.objects.filter(judgement__submission__assignment__in=page)
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
