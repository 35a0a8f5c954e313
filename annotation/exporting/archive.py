"""Everything of a project but secrets, to be restored by `import_project`."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from annotation.exporting.names import account_names, accounts_of
from annotation.exporting.snapshot import snapshot
from annotation.formats.archive import archive_lines
from annotation.formats.archive_records import (
    AccountRecord,
    AssignmentRecord,
    JudgementRecord,
    ProjectRecord,
    Record,
    SegmentRecord,
    SentenceRecord,
    ShownRecord,
    SystemRecord,
    TranslationRecord,
)
from annotation.formats.judgement_lines import GARBAGE
from annotation.models import (
    Assignment,
    Candidate,
    Judgement,
    Membership,
    Placement,
    Project,
    Projection,
    Segment,
    Sentence,
    ShownCandidate,
    Translation,
)

# Sentences, and then assignments, held at once.
PAGE = 200


def archive(project: Project) -> Iterator[str]:
    """Yield the lines of the project's archive, the same for the same content.

    Without database ids, the time of the export, and anything that lets somebody sign in.
    """
    with snapshot():
        # What the caller holds may have changed before the snapshot.
        fresh = Project.objects.get(pk=project.pk)
        yield from archive_lines(_records(fresh))


def _records(project: Project) -> Iterator[Record]:
    yield _project(project)
    for name in project.systems.order_by("pk").values_list("name", flat=True):
        yield SystemRecord(name)
    names = account_names(project)
    yield from _accounts(project, names)
    yield from _sentences(project)
    yield from _assignments(project, names)


def _project(project: Project) -> ProjectRecord:
    return ProjectRecord(
        name=project.name,
        description=project.description,
        source_language=project.source_language,
        target_language=project.target_language,
        instructions=project.instructions,
        intra_rate=project.intra_rate,
        inter_rate=project.inter_rate,
        min_length=project.min_length,
        max_length=project.max_length,
        state=project.state,
        created=project.created,
        # Databases differ in the order in which they keep the keys.
        provenance=json.loads(json.dumps(project.provenance, sort_keys=True)),
    )


def _accounts(project: Project, names: dict[int, str]) -> Iterator[AccountRecord]:
    roles = dict(Membership.objects.filter(project=project).values_list("user_id", "role"))
    unidentified = set(accounts_of(project).filter(unidentified=True).values_list("pk", flat=True))
    for pk, name in names.items():
        yield AccountRecord(name=name, unidentified=pk in unidentified, role=roles.get(pk))


def _sentences(project: Project) -> Iterator[SentenceRecord]:
    last = 0
    while page := list(
        Sentence.objects.filter(project=project, number__gt=last).order_by("number")[:PAGE]
    ):
        last = page[-1].number
        translations = _translations(page)
        segments = _segments(page)
        for sentence in page:
            yield SentenceRecord(
                number=sentence.number,
                text=sentence.text,
                tokens=sentence.tokens,
                tree=sentence.tree,
                translations=translations.get(sentence.pk, []),
                segments=segments.get(sentence.pk, []),
            )


def _translations(page: list[Sentence]) -> dict[int, list[TranslationRecord]]:
    found: dict[int, list[TranslationRecord]] = {}
    rows = Translation.objects.filter(sentence__in=page).order_by("pk")
    for sentence_id, *values in rows.values_list(
        "sentence_id", "system__name", "text", "tokens", "alignment"
    ):
        found.setdefault(sentence_id, []).append(TranslationRecord(*values))
    return found


def _segments(page: list[Sentence]) -> dict[int, list[SegmentRecord]]:
    found: dict[int, list[SegmentRecord]] = {}
    by_id: dict[int, SegmentRecord] = {}
    rows = Segment.objects.filter(sentence__in=page).order_by("pk")
    for pk, sentence_id, indices in rows.values_list("pk", "sentence_id", "token_indices"):
        by_id[pk] = SegmentRecord([int(index) for index in indices.split()], [], [])
        found.setdefault(sentence_id, []).append(by_id[pk])
    positions: dict[int | None, int] = {}
    candidates = Candidate.objects.filter(segment__sentence__in=page).order_by("pk")
    for pk, segment_id, text in candidates.values_list("pk", "segment_id", "text"):
        positions[pk] = len(by_id[segment_id].candidates)
        by_id[segment_id].candidates.append(text)
    projections = Projection.objects.filter(segment__sentence__in=page).order_by("pk")
    for segment_id, system, candidate_id in projections.values_list(
        "segment_id", "system__name", "candidate_id"
    ):
        by_id[segment_id].projections.append((system, positions.get(candidate_id)))
    return found


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


def _assignments(project: Project, names: dict[int, str]) -> Iterator[AssignmentRecord]:
    last = 0
    while page := list(
        Assignment.objects.filter(project=project, pk__gt=last)
        .select_related("sentence")
        .order_by("pk")[:PAGE]
    ):
        last = page[-1].pk
        places = Places(assignment.sentence_id for assignment in page)
        shown = _shown(page, places)
        judgements = _judgements(page, places)
        for assignment in page:
            yield AssignmentRecord(
                sentence=assignment.sentence.number,
                annotator=names[assignment.annotator_id],
                kind=assignment.kind,
                state=assignment.state,
                created=assignment.created,
                shown=assignment.shown,
                submitted=assignment.submitted,
                shown_candidates=shown.get(assignment.pk, []),
                judgements=judgements.get(assignment.pk, []),
            )


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


def _judgements(page: list[Assignment], places: Places) -> dict[int, list[JudgementRecord]]:
    ranks: dict[int, dict[int, int | str]] = {}
    offered: dict[int, int] = {}
    placements = Placement.objects.filter(judgement__assignment__in=page)
    for judgement_id, candidate_id, rank, ranks_offered in placements.values_list(
        "judgement_id", "candidate_id", "rank", "ranks_offered"
    ):
        ranks.setdefault(judgement_id, {})[candidate_id] = GARBAGE if rank is None else rank
        offered[judgement_id] = ranks_offered
    found: dict[int, list[JudgementRecord]] = {}
    judgements = Judgement.objects.filter(assignment__in=page).order_by("pk")
    for pk, assignment_id, segment_id, created, seconds in judgements.values_list(
        "pk", "assignment_id", "segment_id", "created", "seconds"
    ):
        of_judgement: dict[int, Any] = ranks.get(pk, {})
        found.setdefault(assignment_id, []).append(
            JudgementRecord(
                segment=places.segments[segment_id],
                created=created,
                seconds=seconds,
                ranks_offered=offered[pk],
                ranks=[of_judgement.get(candidate) for candidate in places.candidates[segment_id]],
            )
        )
    return found
