"""Assignments of an archive, with what was shown, drafted and submitted."""

from collections.abc import Sequence

from annotation.formats.archive_records import (
    AssignmentRecord,
    DraftRecord,
    JudgementRecord,
    SubmissionRecord,
)
from annotation.formats.errors import InputError
from annotation.formats.judgement_lines import GARBAGE
from annotation.import_export.sentence_pages import LoadedSentence, load_sentences
from annotation.models import (
    Assignment,
    Draft,
    Instructions,
    Judgement,
    Placement,
    Project,
    Sentence,
    ShownCandidate,
    Skip,
    Submission,
    User,
)

Restored = list[tuple[Assignment, AssignmentRecord]]
# By purpose and number.
Sentences = dict[tuple[str, int], LoadedSentence]
# Assignments of other kinds are of sentences to judge.
PURPOSE_OF_KIND = {
    Assignment.Kind.PRACTICE: Sentence.Purpose.PRACTICE,
    Assignment.Kind.CONTROL: Sentence.Purpose.CONTROL,
}


def restore_assignments(
    project: Project,
    page: list[tuple[str, AssignmentRecord]],
    users: dict[str, User],
    versions: dict[int, Instructions],
) -> None:
    """Store the assignments of a page. Raise InputError for what refers to nothing."""
    sentences = _load(project, page)
    for where, record in page:
        if record.instructions is not None and record.instructions not in versions:
            raise InputError(f"{where}: there are no instructions {record.instructions}.")
        _check(where, record, sentences, users)
    assignments = Assignment.objects.bulk_create(
        Assignment(
            project=project,
            sentence_id=sentences[_key(record)].id,
            annotator=users[record.annotator],
            kind=record.kind,
            state=record.state,
            slot=record.slot,
            round=record.round,
            created=record.created,
            shown=record.shown,
            submitted=record.submitted,
            lease_until=record.lease_until,
            instructions=None if record.instructions is None else versions[record.instructions],
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
    _restore_skips_and_drafts(restored)
    _restore_submissions(restored, sentences)


def _load(project: Project, page: list[tuple[str, AssignmentRecord]]) -> Sentences:
    numbers: dict[Sentence.Purpose, set[int]] = {}
    for _where, record in page:
        numbers.setdefault(_purpose(record), set()).add(record.sentence)
    return {
        (purpose, number): sentence
        for purpose, of_purpose in numbers.items()
        for number, sentence in load_sentences(project, of_purpose, purpose).items()
    }


def _key(record: AssignmentRecord) -> tuple[str, int]:
    return _purpose(record), record.sentence


def _purpose(record: AssignmentRecord) -> Sentence.Purpose:
    return PURPOSE_OF_KIND.get(Assignment.Kind(record.kind), Sentence.Purpose.JUDGE)


def _restore_skips_and_drafts(restored: Restored) -> None:
    Skip.objects.bulk_create(
        Skip(
            assignment=assignment,
            reason=record.skip.reason,
            comment=record.skip.comment,
            created=record.skip.created,
        )
        for assignment, record in restored
        if record.skip
    )
    Draft.objects.bulk_create(
        Draft(
            assignment=assignment,
            version=record.draft.version,
            choices=record.draft.choices,
            active_seconds=record.draft.active_seconds,
            saved=record.draft.saved,
        )
        for assignment, record in restored
        if record.draft
    )


def _restore_submissions(restored: Restored, sentences: Sentences) -> None:
    submissions = [
        (
            Submission(
                assignment=assignment,
                number=submission.number,
                current=submission.current,
                created=submission.created,
                active_seconds=submission.active_seconds,
            ),
            submission,
            record,
        )
        for assignment, record in restored
        for submission in record.submissions
    ]
    Submission.objects.bulk_create(row for row, _submission, _record in submissions)
    judgements = [
        (
            Judgement(
                submission=row,
                segment_id=sentences[_key(record)].segments[judgement.segment].id,
                created=judgement.created,
                seconds=judgement.seconds,
            ),
            judgement,
            _candidates(sentences, record, judgement.segment),
        )
        for row, submission, record in submissions
        for judgement in submission.judgements
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
    return list(sentences[_key(record)].segments[segment].candidates)


# --- what must fit ---------------------------------------------------------------------------


def _check(
    where: str, record: AssignmentRecord, sentences: Sentences, users: dict[str, User]
) -> None:
    if _key(record) not in sentences:
        raise InputError(
            f"{where}: there is no sentence {record.sentence} with the purpose "
            f"{_purpose(record)} in the archive."
        )
    if record.annotator not in users:
        raise InputError(f"{where}: there is no account {record.annotator!r} in the archive.")
    _check_state(where, record)
    sentence = sentences[_key(record)]
    for shown in record.shown_candidates:
        _check_places(where, sentence, shown.segment, shown.positions)
    if record.draft:
        _check_draft(where, record, record.draft)
    for submission in record.submissions:
        for judgement in submission.judgements:
            _check_places(where, sentence, judgement.segment, judgement.ranks)
            _check_ranks(where, judgement)
            if record.kind not in Assignment.COUNTED and None in judgement.ranks:
                raise InputError(f"{where}: a judgement for {record.kind} places all candidates.")


def _check_state(where: str, record: AssignmentRecord) -> None:
    if (record.kind == Assignment.Kind.FIRST) != (record.slot is not None):
        raise InputError(f"{where}: a first assignment has a slot, others have none.")
    if record.state == Assignment.State.OPEN and record.lease_until is None:
        raise InputError(f"{where}: an open assignment needs a lease.")
    is_submitted = record.state == Assignment.State.SUBMITTED
    if is_submitted != (record.submitted is not None):
        raise InputError(f"{where}: a submitted assignment has a time of submission, others none.")
    if is_submitted != bool(record.submissions):
        raise InputError(f"{where}: a submitted assignment has submissions, others have none.")
    _check_submissions(where, record.submissions)


def _check_submissions(where: str, submissions: list[SubmissionRecord]) -> None:
    for number, submission in enumerate(submissions, start=1):
        if (submission.number, submission.current) != (number, number == len(submissions)):
            raise InputError(
                f"{where}: submissions have the numbers 1, 2, 3 …, and the last one is current."
            )


def _check_draft(where: str, record: AssignmentRecord, draft: DraftRecord) -> None:
    segments = sorted(record.shown_candidates, key=lambda shown: shown.segment)
    cards = {
        f"{number}-{position}"
        for number, shown in enumerate(segments, start=1)
        for position in shown.positions
    }
    for key in draft.choices:
        if key not in cards:
            raise InputError(f"{where}: the draft places {key!r}, which was not shown.")


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
