"""Whether the records of an archive agree with each other."""

from collections.abc import Collection, Sequence
from typing import NoReturn

from annotation.formats.archive_records import (
    AssignmentRecord,
    SegmentPart,
    SentenceRecord,
)
from annotation.formats.documents import check_document
from annotation.formats.errors import InputError
from annotation.formats.pharaoh import parse_links
from annotation.formats.sentence_limits import check_candidates, check_segments, check_tokens
from annotation.formats.sentence_limits import check_sentence as check_limits
from annotation.formats.tokens import TokenizedText, split_at_spaces
from annotation.import_export.kinds_in_files import check_details, files_of
from annotation.import_export.sentence_pages import LoadedSentence
from annotation.kinds import Kind, kind_of
from annotation.kinds.answers import InvalidAnswer, JudgedText
from annotation.models import Assignment, Project, Sentence

# Assignments of other kinds are of sentences to judge.
PURPOSE_OF_KIND = {
    Assignment.Kind.PRACTICE: Sentence.Purpose.PRACTICE,
    Assignment.Kind.CONTROL: Sentence.Purpose.CONTROL,
}


def check_sentence(
    where: str, record: SentenceRecord, systems: Collection[str], project: Project
) -> None:
    """Raise InputError where the sentence contradicts itself or names an unknown system."""
    is_original = record.purpose == "judge"
    if is_original and (record.copy_of is not None or record.retired):
        _refuse(where, "a sentence to judge is no copy, and is not retired")
    if record.excluded and not is_original:
        _refuse(where, f"a sentence for {record.purpose} is not excluded")
    if record.purpose == "control" and record.copy_of is None:
        _refuse(where, "a sentence for control is a copy of one to judge")
    if record.document and not is_original:
        _refuse(where, f"a sentence for {record.purpose} has no document")
    if record.item_id and not is_original:
        _refuse(where, f"a sentence for {record.purpose} has no item_id")
    files = files_of(kind_of(project).unit)
    if record.source_line is not None and not files.is_further_translation(record):
        _refuse(
            where,
            "only a further translation has the line of a sentence before it, in a project that "
            "shows one translation at a time",
        )
    if record.sheet is not None and not files.has_sheets:
        _refuse(where, "only projects of documents have sheets of several sentences")
    if record.further_judges and not (is_original and record.sheet is None):
        _refuse(where, "only the head of a sheet has further judges")
    if record.chosen_systems and not (is_original and record.sheet is None and files.has_sheets):
        _refuse(where, "systems are only chosen for the head of a sheet of documents")
    if (record.sheet_probability is not None) != bool(record.chosen_systems):
        _refuse(where, "the systems of a sheet are chosen with its probability")
    for name, _probability in record.chosen_systems:
        if name not in systems:
            _refuse(where, f"there is no system {name!r} in the archive")
    if len({name for name, _probability in record.chosen_systems}) != len(record.chosen_systems):
        _refuse(where, "a system is chosen twice for a sheet")
    if record.document:
        check_document(record.document, where)
    for translation in record.translations:
        if translation.system is not None and translation.system not in systems:
            _refuse(where, f"there is no system {translation.system!r} in the archive")
        if translation.system is not None and not is_original:
            _refuse(where, f"a sentence for {record.purpose} has no system")
        if (translation.system is None) == (translation.reference is None):
            _refuse(where, "a translation has either a system or the number of a reference")
    source = _tokenized(where, record.text, record.tokens)
    texts = [_tokenized(where, one.text, one.tokens) for one in record.translations]
    for tokenized in (source, *texts):
        check_limits(tokenized.text, split_at_spaces, where)
        check_tokens(len(tokenized), where)
    for translation, target in zip(record.translations, texts, strict=True):
        parse_links(translation.alignment, where, one_way=True).require_inside(
            source_length=len(source),
            target_length=len(target),
            where=where,
        )
    check_segments(len(record.segments), record.number, where)
    candidates = sum(len(segment.candidates) for segment in record.segments)
    check_candidates(candidates, record.number, where)
    tokens = len(source)
    for position, segment in enumerate(record.segments):
        at = f"{where}: segment {position} (from 0)"
        if segment.candidate_version > record.candidate_version:
            _refuse(at, "the segment has a later version than its sentence")
        for text in segment.candidates:
            check_limits(text, split_at_spaces, at)
        if segment.of_document and not files.has_sheets:
            _refuse(at, "only projects of documents have a segment without tokens")
        if segment.indices and segment.indices[-1] >= tokens:
            _refuse(
                at,
                f"the token index {segment.indices[-1]} is beyond the sentence of {tokens} tokens",
            )
        if segment.projections and not is_original:
            _refuse(at, f"a segment for {record.purpose} has no projections")
        for system, candidate in segment.projections:
            if system not in systems:
                _refuse(at, f"there is no system {system!r} in the archive")
            if candidate is not None:
                _check_position(at, candidate, segment)
        for candidate in segment.excluded_candidates:
            _check_position(at, candidate, segment)
        if len(set(segment.excluded_candidates)) != len(segment.excluded_candidates):
            _refuse(at, "an excluded candidate is listed twice")
        _check_answer(at, record, segment, project)
        _check_control(at, record.purpose, segment)
    has_control = any(segment.control for segment in record.segments)
    # Of the paragraphs of a document, some are controls.
    if record.purpose == "control" and not has_control and not files.has_sheets:
        _refuse(where, "a sentence for control has no segment with a control")


def check_given_errors(
    where: str, record: SentenceRecord, origins: Collection[str], project: Project
) -> None:
    """Raise InputError for errors marked before that are of no origin, or of no text here."""
    answer = kind_of(project).answer
    for position, segment in enumerate(record.segments):
        at = f"{where}: segment {position} (from 0)"
        for origin, details in segment.given_errors.items():
            if origin not in origins:
                _refuse(at, f"there is no origin {origin!r} of errors in the archive")
            for place, detail in details.items():
                _check_position(at, place, segment)
                try:
                    answer.check_given(
                        detail, of=JudgedText(segment.candidates[place], record.text)
                    )
                except InvalidAnswer as problem:
                    _refuse(at, str(problem).rstrip("."))


def _tokenized(where: str, text: str, places: str) -> TokenizedText:
    try:
        return TokenizedText.stored(text, places)
    except ValueError as problem:
        _refuse(where, f"the tokens of {text[:40]!r} are not places in it ({problem})")


def _check_answer(at: str, record: SentenceRecord, segment: SegmentPart, project: Project) -> None:
    kind = kind_of(project)
    candidates = len(segment.candidates)
    needed = record.purpose == "practice" and candidates > 0
    if (segment.answer is not None) != needed:
        _refuse(at, "a segment for practice with candidates has an answer, others have none")
    if segment.answer is None:
        return
    if len(segment.answer.ranks) != candidates:
        _refuse(
            at,
            f"the answer has {len(segment.answer.ranks)} ranks for {candidates} candidates",
        )
    ranks = kind.answer.ranks(candidates)
    for rank in segment.answer.ranks:
        _check_rank(at, rank, ranks, kind, "the answer's rank")
    for place, last in segment.answer.last_ranks.items():
        _check_position(at, place, segment)
        _check_rank(at, last, ranks, kind, "the answer's last rank")
        first = segment.answer.ranks[place]
        if isinstance(first, str) or first > last:
            _refuse(at, f"the answer's last rank {last} is before its rank {first}")
    for place in segment.answer.reasons:
        _check_position(at, place, segment)
    texts = [JudgedText(text, record.text) for text in segment.candidates]
    check_details(kind.answer, at, texts, segment.answer, kind.name)


def _check_rank(where: str, rank: int | str, ranks: int, kind: Kind, called: str) -> None:
    """Check that the rank, or GARBAGE, is one of so many that annotators can choose."""
    try:
        kind.answer.check_rank(None if isinstance(rank, str) else rank, ranks)
    except InvalidAnswer:
        if isinstance(rank, str):
            _refuse(where, f"there is no garbage in a project of the kind {kind.name}")
        _refuse(where, f"{called} {rank} is not from 1 to {ranks}")


def _check_control(at: str, purpose: str, segment: SegmentPart) -> None:
    if len(set(segment.duplicates)) != len(segment.duplicates):
        _refuse(at, "a duplicate is listed twice")
    for position in segment.duplicates:
        _check_position(at, position, segment)
    control = segment.control
    if purpose != "control" and (segment.duplicates or control):
        _refuse(at, "only segments for control have a control or duplicates")
    if control:
        for position in (control.original, control.changed):
            _check_position(at, position, segment)
        if control.original == control.changed:
            _refuse(at, "the control compares a candidate with itself")
        same = segment.candidates[control.original] == segment.candidates[control.changed]
        if control.kind != "reference" and same != (control.kind == "duplicate"):
            candidates = "the same" if same else "different"
            _refuse(at, f"the candidates of a {control.kind} control are {candidates}")


def _check_position(at: str, position: int, segment: SegmentPart) -> None:
    if position >= len(segment.candidates):
        _refuse(at, f"there is no candidate {position} (from 0)")


def assignment_key(record: AssignmentRecord) -> tuple[Sentence.Purpose, int]:
    """Return the purpose and the number of the assigned sentence."""
    purpose = PURPOSE_OF_KIND.get(Assignment.Kind(record.kind), Sentence.Purpose.JUDGE)
    return purpose, record.sentence


def check_assignment(
    where: str,
    record: AssignmentRecord,
    sentence: LoadedSentence | None,
    users: Collection[str],
    versions: Collection[int],
    project: Project,
) -> None:
    """Raise InputError where the assignment contradicts itself or names what the archive lacks.

    `sentence` is the assigned one, None if the archive lacks it.
    """
    kind = kind_of(project)
    if sentence is None:
        purpose, number = assignment_key(record)
        _refuse(where, f"there is no sentence {number} with the purpose {purpose} in the archive")
    if record.annotator not in users:
        _refuse(where, f"there is no account {record.annotator!r} in the archive")
    if record.instructions is not None and record.instructions not in versions:
        _refuse(where, f"there are no instructions {record.instructions} in the archive")
    if (record.kind == "first") != (record.slot is not None):
        _refuse(where, "a first assignment has a slot, others have none")
    if record.decision is not None and record.kind not in Assignment.COUNTED:
        _refuse(where, f"an assignment for {record.kind} shows the candidates of all systems")
    if record.state == "open" and record.lease_until is None:
        _refuse(where, "an open assignment needs a lease")
    is_submitted = record.state in Assignment.SUBMITTED_STATES
    if record.kind == "practice" and (
        record.discarded_with_annotator
        or (record.state == "discarded" and not record.discarded_with_sentence)
    ):
        _refuse(where, "an assignment for practice is discarded with its sentence only")
    if record.state != "discarded" and (
        record.discarded_with_sentence or record.discarded_with_annotator
    ):
        _refuse(where, "only a discarded assignment is discarded with its sentence or annotator")
    if is_submitted != (record.submitted is not None):
        _refuse(where, "a submitted assignment has a time of submission, others have none")
    if is_submitted != bool(record.submissions):
        _refuse(where, "a submitted assignment has submissions, others have none")
    for number, submission in enumerate(record.submissions, start=1):
        expected = (number, number == len(record.submissions))
        if (submission.number, submission.current) != expected:
            _refuse(where, "submissions have the numbers 1, 2, 3 …, and the last one is current")
    for shown in record.shown_candidates:
        _check_values(where, sentence, shown.segment, shown.positions)
    _check_draft(where, record)
    for submission in record.submissions:
        for judgement in submission.judgements:
            _check_values(where, sentence, judgement.segment, judgement.ranks)
            if kind.answer.worst not in (None, judgement.ranks_offered):
                _refuse(where, f"a judgement has {judgement.ranks_offered} answers to choose from")
            for rank in judgement.ranks:
                if rank is not None:
                    _check_rank(where, rank, judgement.ranks_offered, kind, "the rank")
            candidates = sentence.segments[judgement.segment].candidates
            source = sentence.segments[judgement.segment].source
            texts = [JudgedText(text, source) for text in candidates.values()]
            check_details(kind.answer, where, texts, judgement, kind.name)
            if files_of(kind.unit).places_all(record.kind) and None in judgement.ranks:
                _refuse(where, f"a judgement for {record.kind} places all candidates")


def _check_draft(where: str, record: AssignmentRecord) -> None:
    if record.draft:
        if record.state in Assignment.SUBMITTED_STATES:
            _refuse(where, "a submitted assignment has no draft")
        segments = sorted(record.shown_candidates, key=lambda shown: shown.segment)
        cards = {
            f"{number}-{position}"
            for number, shown in enumerate(segments, start=1)
            for position in shown.positions
        }
        for key in record.draft.choices:
            if key not in cards:
                _refuse(where, f"the draft places {key!r}, which was not shown")
        if record.draft.details.keys() - cards:
            _refuse(where, "the draft has a detail of a candidate that was not shown")


def _check_values(
    where: str, sentence: LoadedSentence, segment: int, values: Sequence[object]
) -> None:
    """Check that there is a value for each candidate of the segment, and one that is not None."""
    if segment >= len(sentence.segments):
        _refuse(where, f"sentence {sentence.number} has no segment {segment} (from 0)")
    candidates = len(sentence.segments[segment].candidates)
    if len(values) != candidates:
        _refuse(where, f"{len(values)} values for the {candidates} candidates of segment {segment}")
    if all(value is None for value in values):
        _refuse(where, f"there is no value for any candidate of segment {segment}")


def _refuse(where: str, problem: str) -> NoReturn:
    raise InputError(f"{where}: {problem}.")
