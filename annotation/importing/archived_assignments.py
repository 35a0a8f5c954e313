"""Assignments of an archive, with what was shown and judged."""

from collections.abc import Sequence

from annotation.formats.archive_records import AssignmentRecord, JudgementRecord
from annotation.formats.errors import InputError
from annotation.formats.judgement_lines import GARBAGE
from annotation.models import Assignment, Judgement, Placement, Project, ShownCandidate, User
from annotation.sentence_pages import LoadedSentence, load_sentences

Restored = list[tuple[Assignment, AssignmentRecord]]
Sentences = dict[int, LoadedSentence]


def restore_assignments(
    project: Project, page: list[tuple[str, AssignmentRecord]], users: dict[str, User]
) -> None:
    """Store the assignments of a page. Raise InputError for what refers to nothing."""
    sentences = load_sentences(project, {record.sentence for _where, record in page})
    for where, record in page:
        _check(where, record, sentences, users)
    assignments = Assignment.objects.bulk_create(
        Assignment(
            project=project,
            sentence_id=sentences[record.sentence].id,
            annotator=users[record.annotator],
            kind=record.kind,
            state=record.state,
            created=record.created,
            shown=record.shown,
            submitted=record.submitted,
        )
        for _where, record in page
    )
    restored = [(row, record) for row, (_where, record) in zip(assignments, page, strict=True)]
    ShownCandidate.objects.bulk_create(
        ShownCandidate(assignment=assignment, candidate_id=candidate_id, position=position)
        for assignment, record in restored
        for shown in record.shown_candidates
        for candidate_id, position in zip(
            _candidates(sentences, record, shown.segment), shown.positions, strict=True
        )
        if position is not None
    )
    _restore_judgements(restored, sentences)


def _restore_judgements(restored: Restored, sentences: Sentences) -> None:
    judgements = [
        (
            Judgement(
                assignment=assignment,
                segment_id=sentences[record.sentence].segments[judgement.segment].id,
                created=judgement.created,
                seconds=judgement.seconds,
            ),
            judgement,
            _candidates(sentences, record, judgement.segment),
        )
        for assignment, record in restored
        for judgement in record.judgements
    ]
    Judgement.objects.bulk_create(row for row, _judgement, _candidates in judgements)
    Placement.objects.bulk_create(
        Placement(
            judgement=row,
            candidate_id=candidate_id,
            rank=None if rank == GARBAGE else rank,
            ranks_offered=judgement.ranks_offered,
        )
        for row, judgement, candidates in judgements
        for candidate_id, rank in zip(candidates, judgement.ranks, strict=True)
        if rank is not None
    )


def _candidates(sentences: Sentences, record: AssignmentRecord, segment: int) -> list[int]:
    return list(sentences[record.sentence].segments[segment].candidates)


def _check(
    where: str, record: AssignmentRecord, sentences: Sentences, users: dict[str, User]
) -> None:
    if record.sentence not in sentences:
        raise InputError(f"{where}: there is no sentence {record.sentence} in the archive.")
    if record.annotator not in users:
        raise InputError(f"{where}: there is no account {record.annotator!r} in the archive.")
    if (record.state == Assignment.State.OPEN) != (record.submitted is None):
        raise InputError(f"{where}: an open assignment has no time of submission, others have.")
    if record.state == Assignment.State.OPEN and record.judgements:
        raise InputError(f"{where}: an open assignment has judgements.")
    sentence = sentences[record.sentence]
    for shown in record.shown_candidates:
        _check_places(where, sentence, shown.segment, shown.positions)
    for judgement in record.judgements:
        _check_places(where, sentence, judgement.segment, judgement.ranks)
        _check_ranks(where, judgement)


def _check_places(
    where: str, sentence: LoadedSentence, segment: int, values: Sequence[object]
) -> None:
    if segment >= len(sentence.segments):
        raise InputError(f"{where}: sentence {sentence.number} has no segment {segment} (from 0).")
    candidates = len(sentence.segments[segment].candidates)
    if len(values) != candidates:
        raise InputError(
            f"{where}: {len(values)} values for the {candidates} candidates of segment {segment}."
        )
    if all(value is None for value in values):
        raise InputError(f"{where}: nothing is said of the candidates of segment {segment}.")


def _check_ranks(where: str, judgement: JudgementRecord) -> None:
    for rank in judgement.ranks:
        if isinstance(rank, int) and rank > judgement.ranks_offered:
            raise InputError(
                f"{where}: the rank {rank} is not from 1 to {judgement.ranks_offered}."
            )
