"""Everything of a project but secrets, to be restored by `import_project`."""

import json
from collections.abc import Generator, Iterator
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from annotation.common.transactions import snapshot
from annotation.formats.archive import archive_lines
from annotation.formats.archive_records import (
    AccountRecord,
    AssignmentRecord,
    DraftPart,
    GivenOriginRecord,
    InstructionsRecord,
    JudgementPart,
    MediaRecord,
    ProjectRecord,
    Record,
    ReservationRecord,
    ShownPart,
    SkipPart,
    SubmissionPart,
    SystemRecord,
)
from annotation.formats.judgement_lines import GARBAGE
from annotation.import_export.archive_parts import parts
from annotation.import_export.batch_records import batch_records
from annotation.import_export.kinds_in_files import files_of
from annotation.import_export.media_plays import plays_of
from annotation.import_export.sentence_pages import SENTENCES_PER_PAGE
from annotation.import_export.settlement_records import settlement_records
from annotation.kinds import kind_of
from annotation.kinds.answers import Answer
from annotation.models import (
    Assignment,
    Candidate,
    Judgement,
    MediaPlay,
    Membership,
    Placement,
    Project,
    Reservation,
    Segment,
    Sentence,
    ShownCandidate,
    ShownSystem,
    Skip,
    Submission,
)
from annotation.projects.annotator_names import account_names, accounts_of
from annotation.projects.texts import sentence_pages

ASSIGNMENTS_PAGE = 1000
# Fields that a record and its row share. To read whole rows takes longer than all else.
ASSIGNMENT_FIELDS = (
    "kind",
    "state",
    "slot",
    "candidate_version",
    "created",
    "shown",
    "submitted",
    "lease_until",
    "decision",
    "discarded_with_sentence",
    "discarded_with_annotator",
    "aids",
)


def archive(project: Project) -> Generator[bytes, None, None]:
    """Yield the lines of the project's archive, the same bytes for the same content.

    Without database ids, the time of the export, and anything that lets a person sign in.
    """
    with snapshot():
        # The caller may have loaded it before the snapshot.
        fresh = Project.objects.get(pk=project.pk)
        yield from archive_lines(_records(fresh))


def _records(project: Project) -> Iterator[Record]:
    fields = {name: getattr(project, name) for name in ProjectRecord.__struct_fields__}
    yield ProjectRecord(**fields | {"provenance": sorted_keys(project.provenance)})
    for system in project.systems.order_by("pk").values_list("name", flat=True):
        yield SystemRecord(system)
    for origin in project.given_origins.order_by("pk"):
        yield GivenOriginRecord(origin.name, origin.by, origin.created)  # type: ignore[arg-type]
    names = account_names(project)
    members = {row.user_id: row for row in Membership.objects.filter(project=project)}
    unidentified = set(accounts_of(project).filter(unidentified=True).values_list("pk", flat=True))
    for pk, name in names.items():
        member = members.get(pk)
        yield AccountRecord(
            name=name,
            unidentified=pk in unidentified,
            role=member.role if member else None,  # type: ignore[arg-type]
            sentence_limit=member.sentence_limit if member else None,
            paused=member.paused if member else False,
        )
    for row in project.instructions.order_by("version"):
        author = None if row.author_id is None else names[row.author_id]
        yield InstructionsRecord(row.version, row.text, row.created, author)
    sentences = Sentence.objects.filter(project=project)
    for page in sentence_pages(sentences, size=SENTENCES_PER_PAGE):
        yield from page
    for medium in project.media.order_by("pk"):
        yield MediaRecord(**{name: getattr(medium, name) for name in MediaRecord.__struct_fields__})
    yield from _assignments(project, names)
    yield from settlement_records(project, names)
    yield from _reservations(project, names)
    yield from batch_records(project, names)
    for part in parts():
        yield from part.records(project)


def sorted_keys(value: dict[str, Any]) -> dict[str, Any]:
    """Return the same with its keys in order: databases differ in the order they keep."""
    found: dict[str, Any] = json.loads(json.dumps(value, sort_keys=True))
    return found


# The assignments of a page, as a query: for a database to find them again takes less time than to
# send it their ids.
AssignmentsPage = QuerySet[Assignment]


# --- assignments -----------------------------------------------------------------------------


def _assignments(project: Project, names: dict[int, str]) -> Iterator[AssignmentRecord]:
    """Yield the project's assignments by id; `names` are those of the accounts by their ids."""
    assignments = Assignment.objects.filter(project=project)
    rows: QuerySet[Assignment, Any] = assignments.order_by("pk").values_list(
        *("pk", "sentence_id", "annotator_id", "sentence__number", "instructions__version"),
        "given__name",
        *ASSIGNMENT_FIELDS,
    )
    kind = kind_of(project)
    answer, has_sheets = kind.answer, files_of(kind.unit).has_sheets
    last = 0
    while found := list(rows.filter(pk__gt=last)[:ASSIGNMENTS_PAGE]):
        page = assignments.filter(pk__gt=last, pk__lte=found[-1][0])
        last = found[-1][0]
        segments = _candidates_of_segments(page, has_sheets=has_sheets)
        systems = _systems_by_column(page)
        shown, submissions = _shown_positions(page), _submissions(page, segments, answer)
        skips = {
            row.assignment_id: SkipPart(row.reason, row.comment, row.created)  # type: ignore[arg-type]
            for row in Skip.objects.filter(assignment__in=page)
        }
        drafts = {
            row.pk: DraftPart(
                row.draft_version,
                dict(sorted(row.draft_choices.items())),
                row.draft_active_seconds,
                row.draft_saved,  # type: ignore[arg-type]
                dict(sorted(row.draft_comments.items())),
                dict(sorted(row.draft_details.items())),
            )
            for row in page.exclude(draft_saved=None)
        }
        for pk, sentence_id, annotator_id, number, version, given, *fields in found:
            positions = shown.get(pk, {})
            of_segments = (
                ShownPart(place, [positions.get(candidate) for candidate in candidates])
                for place, candidates in enumerate(segments.get(sentence_id, {}).values())
            )
            own = dict(zip(ASSIGNMENT_FIELDS, fields, strict=True))
            yield AssignmentRecord(
                sentence=number,
                annotator=names[annotator_id],
                **own | {"aids": sorted_keys(own["aids"])},
                instructions=version,
                skip=skips.get(pk),
                draft=drafts.get(pk),
                shown_candidates=[part for part in of_segments if any(part.positions)],
                submissions=submissions.get(pk, []),
                given=given,
                systems=systems.get(pk, []),
            )


def _reservations(project: Project, names: dict[int, str]) -> Iterator[ReservationRecord]:
    """Yield the reservations by sentence and annotator, of accounts that the archive has."""
    rows = Reservation.objects.filter(sentence__project=project, annotator__in=names)
    for number, annotator, created, by in rows.order_by(
        "sentence__number", "created", "pk"
    ).values_list("sentence__number", "annotator", "created", "by"):
        author = None if by is None else names.get(by)
        yield ReservationRecord(number, names[annotator], created, author)


# Ids by sentence and segment, in the order of the positions in an archive.
CandidateIds = dict[int, dict[int, list[int]]]


def _candidates_of_segments(page: AssignmentsPage, *, has_sheets: bool) -> CandidateIds:
    """Return the candidates of all segments of the assigned sheets, by the id of the head."""
    found: CandidateIds = {}
    heads = page.order_by().values("sentence")
    on_sheets = Q(pk__in=heads) | Q(sheet__in=heads) if has_sheets else Q(pk__in=heads)
    rows = Sentence.objects.filter(on_sheets).order_by()
    segments = Segment.objects.filter(sentence__in=rows.values("pk"))
    for pk, head in segments.order_by("sentence__number", "pk").values_list(
        "pk", Coalesce("sentence__sheet", "sentence")
    ):
        found.setdefault(head, {})[pk] = []
    candidates = Candidate.objects.filter(segment__sentence__in=rows.values("pk"))
    for pk, segment_id, head in candidates.order_by("pk").values_list(
        "pk", "segment_id", Coalesce("segment__sentence__sheet", "segment__sentence")
    ):
        found[head][segment_id].append(pk)
    return found


def _shown_positions(page: AssignmentsPage) -> dict[int, dict[int, int]]:
    """Return by assignment id and candidate id the place on the page, from 1."""
    found: dict[int, dict[int, int]] = {}
    rows = ShownCandidate.objects.filter(assignment__in=page).order_by()
    for assignment_id, candidate_id, position in rows.values_list(
        "assignment_id", "candidate_id", "position"
    ):
        found.setdefault(assignment_id, {})[candidate_id] = position
    return found


def _systems_by_column(page: AssignmentsPage) -> dict[int, list[str | None]]:
    """Return by assignment id the systems that stood side by side, by their columns from 1.

    A column before the last one that is of no system has None.
    """
    found: dict[int, list[str | None]] = {}
    rows = ShownSystem.objects.filter(assignment__in=page).order_by("assignment", "column")
    for assignment_id, column, name in rows.values_list("assignment", "column", "system__name"):
        systems = found.setdefault(assignment_id, [])
        systems += [None] * (column - 1 - len(systems))
        systems.append(name)
    return found


def _submissions(
    page: AssignmentsPage, candidate_ids: CandidateIds, answer: Answer
) -> dict[int, list[SubmissionPart]]:
    """Return by assignment id what was submitted, revisions last."""
    segments = {
        pk: (place, candidates)
        for of_sentence in candidate_ids.values()
        for place, (pk, candidates) in enumerate(of_sentence.items())
    }
    ranks: dict[int, dict[int, Any]] = {}
    offered: dict[int, int] = {}
    details: dict[int, dict[int, str]] = {}
    placements = Placement.objects.filter(judgement__submission__assignment__in=page).order_by()
    with_detail = answer.read_details(placements)
    for pk, judgement_id, candidate_id, rank, ranks_offered in placements.values_list(
        "pk", "judgement_id", "candidate_id", "rank", "ranks_offered"
    ):
        ranks.setdefault(judgement_id, {})[candidate_id] = GARBAGE if rank is None else rank
        offered[judgement_id] = ranks_offered
        if pk in with_detail:
            details.setdefault(judgement_id, {})[candidate_id] = with_detail[pk]

    judgements: dict[int, list[JudgementPart]] = {}
    judged = Judgement.objects.filter(submission__assignment__in=page).order_by("pk")
    for pk, submission_id, segment_id, created, seconds, comment in judged.values_list(
        "pk", "submission_id", "segment_id", "created", "seconds", "comment"
    ):
        place, candidates = segments[segment_id]
        of_judgement, of_candidates = ranks.get(pk, {}), details.get(pk, {})
        judgements.setdefault(submission_id, []).append(
            JudgementPart(
                segment=place,
                created=created,
                seconds=seconds,
                ranks_offered=offered[pk],
                ranks=[of_judgement.get(candidate) for candidate in candidates],
                comment=comment,
                details={
                    place: of_candidates[candidate]
                    for place, candidate in enumerate(candidates)
                    if candidate in of_candidates
                },
            )
        )

    plays = plays_of(MediaPlay.objects.filter(submission__assignment__in=page))
    found: dict[int, list[SubmissionPart]] = {}
    submitted = Submission.objects.filter(assignment__in=page).order_by("number")
    for assignment_id, pk, number, current, created, seconds in submitted.values_list(
        "assignment_id", "pk", "number", "current", "created", "active_seconds"
    ):
        part = SubmissionPart(
            number, current, created, seconds, judgements.get(pk, []), plays.get(pk, [])
        )
        found.setdefault(assignment_id, []).append(part)
    return found
