"""What must fit in the sentences for practice and control of an archive."""

from annotation.formats.archive_records import (
    AnswerRecord,
    ControlRecord,
    SegmentRecord,
    SentenceRecord,
)
from annotation.formats.errors import InputError
from annotation.models import Control, Sentence


def check_known(where: str, record: SentenceRecord) -> None:
    """Raise InputError where the sentence is at odds with its purpose, answers or controls."""
    for_judging = record.purpose == Sentence.Purpose.JUDGE
    if for_judging and (record.copy_of is not None or record.retired):
        raise InputError(f"{where}: a sentence to judge is no copy, and is not retired.")
    if not for_judging and record.copy_of is None:
        raise InputError(f"{where}: a sentence for {record.purpose} is a copy of one to judge.")
    if not for_judging and any(made.system is not None for made in record.translations):
        raise InputError(f"{where}: a sentence for {record.purpose} has no system.")
    for position, segment in enumerate(record.segments):
        at = f"{where}: segment {position} (from 0)"
        if segment.projections and not for_judging:
            raise InputError(f"{at} is for {record.purpose}, which no system takes part in.")
        _check_answer(at, record.purpose, segment)
        _check_control(at, record.purpose, segment)
    if record.purpose == Sentence.Purpose.CONTROL and not any(
        segment.control for segment in record.segments
    ):
        raise InputError(f"{where}: a sentence for control has no segment with a control.")


def _check_answer(at: str, purpose: str, segment: SegmentRecord) -> None:
    needed = purpose == Sentence.Purpose.PRACTICE and bool(segment.candidates)
    if segment.answer is None and needed:
        raise InputError(f"{at} is for practice, and has no answer.")
    if segment.answer is None:
        return
    if not needed:
        raise InputError(f"{at} has an answer, but nothing to practise.")
    _check_ranks(at, segment.answer, len(segment.candidates))


def _check_ranks(at: str, answer: AnswerRecord, candidates: int) -> None:
    if len(answer.ranks) != candidates:
        raise InputError(
            f"{at} has an answer of {len(answer.ranks)} ranks for its {candidates} candidates."
        )
    for rank in answer.ranks:
        if isinstance(rank, int) and rank > candidates:
            raise InputError(f"{at} has an answer with a rank {rank} not from 1 to {candidates}.")


def _check_control(at: str, purpose: str, segment: SegmentRecord) -> None:
    if len(set(segment.twins)) != len(segment.twins):
        raise InputError(f"{at} names a twin twice.")
    for position in segment.twins:
        if position >= len(segment.candidates):
            raise InputError(f"{at} has a twin {position} that is not there.")
    if purpose != Sentence.Purpose.CONTROL and (segment.twins or segment.control):
        raise InputError(f"{at} has a control or a twin, but is not for control.")
    if segment.control:
        _check_candidates(at, segment, segment.control)


def _check_candidates(at: str, segment: SegmentRecord, control: ControlRecord) -> None:
    for position in (control.original, control.changed):
        if position >= len(segment.candidates):
            raise InputError(f"{at} has a control with a candidate {position} that is not there.")
    if control.original == control.changed:
        raise InputError(f"{at} has a control that compares a candidate with itself.")
    texts = segment.candidates
    same = texts[control.original] == texts[control.changed]
    if same != (control.kind == Control.Kind.TWIN):
        raise InputError(
            f"{at} has a control of the kind {control.kind!r}, but its candidates are "
            f"{'the same' if same else 'different'}."
        )
