"""What files have of each answer and each unit: the room's table of the parts of kinds.

By the class of the answer: how a judgement is read from a file, and what a rank counts as in pairs;
which files of other programs there are is in `foreign_formats`. By the class of the unit: which
rows of an archive are allowed, and what is an item of a form.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import singledispatch
from math import inf
from typing import ClassVar

from annotation.formats.archive_records import AnswerPart, JudgementPart, SentenceRecord
from annotation.formats.errors import InputError
from annotation.formats.judgement_lines import (
    GARBAGE,
    JudgementLine,
    Ranks,
    by_candidate,
    check_ranks,
)
from annotation.import_export.sentence_pages import LoadedSegment, LoadedSentence
from annotation.kinds.answers import (
    LONGEST_DETAIL,
    Answer,
    Detailed,
    InvalidAnswer,
    JudgedText,
    Ranking,
    Score,
    Steps,
)
from annotation.kinds.marked_errors import ErrorsAlone
from annotation.kinds.units import (
    DocumentOfSystem,
    OneTranslation,
    SegmentsOfSentence,
    SentenceWithTranslations,
    Unit,
)
from annotation.models import Assignment

# Ranks by candidate id; None is garbage.
Placements = dict[int, int | None]


# --- answers -------------------------------------------------------------------------------------


@singledispatch
def placements_of_line(answer: Answer, segment: LoadedSegment, line: JudgementLine) -> Placements:
    """Return the ranks, or those as which scores are stored, by candidate id.

    Raises InputError for an answer that the kind does not have.
    """
    raise NotImplementedError(answer)


@placements_of_line.register(Ranking)
@placements_of_line.register(Steps)
@placements_of_line.register(ErrorsAlone)
def _of_ranks(answer: Answer, segment: LoadedSegment, line: JudgementLine) -> Placements:
    if line.ranks is None:
        raise InputError("annotators of this project give no scores: give `ranks`.", line.where)
    if line.some:
        ranked = {pk: text for pk, text in segment.candidates.items() if text in line.ranks}
        segment = replace(segment, candidates=ranked)
    return placements_of_ranks(answer, segment, line.ranks, line.where)


@placements_of_line.register
def _of_scores(answer: Score, segment: LoadedSegment, line: JudgementLine) -> Placements:
    if line.scores is None:
        raise InputError("annotators of this project give scores: give `scores`.", line.where)
    for text, score in line.scores.items():
        if score not in answer.scores:
            steps = f" in steps of {answer.step}" if answer.step > 1 else ""
            raise InputError(
                f"the score {score} of the candidate {text!r} is not from {answer.lowest} to "
                f"{answer.highest}{steps}.",
                line.where,
            )
    ranks: Ranks = {text: answer.rank_of(score) for text, score in line.scores.items()}
    return placements_of_ranks(answer, segment, ranks, line.where)


@singledispatch
def placements_of_ranks(
    answer: Answer, segment: LoadedSegment, ranks: Ranks, where: str
) -> Placements:
    """Return the ranks by candidate id.

    Raises InputError unless rankings are of exactly the segment's candidates and within 1..N, and
    other answers of some of them and steps of the scale.
    """
    raise NotImplementedError(answer)


@placements_of_ranks.register
def _of_all(answer: Ranking, segment: LoadedSegment, ranks: Ranks, where: str) -> Placements:
    ids = {text: pk for pk, text in segment.candidates.items()}
    ranks = by_candidate(segment.words, ids, ranks, where)
    check_ranks(segment.words, ids, ranks, where)
    return {pk: ranks[text] for text, pk in ids.items()}


@placements_of_ranks.register(Steps)
@placements_of_ranks.register(Score)
@placements_of_ranks.register(ErrorsAlone)
def _of_some(
    answer: Steps | Score | ErrorsAlone, segment: LoadedSegment, ranks: Ranks, where: str
) -> Placements:
    ids = {text: pk for pk, text in segment.candidates.items()}
    ranks = by_candidate(segment.words, ids, ranks, where)
    if not ranks:
        raise InputError(f"no candidate of the segment {segment.words!r} has an answer.", where)
    for text, rank in ranks.items():
        if text not in ids:
            raise InputError(f"the segment {segment.words!r} has no candidate {text!r}.", where)
        if rank is None or not 1 <= rank <= answer.worst:
            raise InputError(
                f"the answer {rank or GARBAGE!r} about the candidate {text!r} is not a step from 1 "
                f"to {answer.worst}.",
                where,
            )
    return {ids[text]: rank for text, rank in ranks.items()}


@singledispatch
def details_of_line(
    answer: Answer,
    given: Mapping[str, str],
    ranks: Mapping[str, int | None],
    source: str,
    where: str,
) -> dict[str, str]:
    """Return the details as they are stored, by the text of the candidate.

    Those given and the ranks are by the same texts; `source` is the text of the sentence. Raises
    InputError for a wrong one.
    """
    raise NotImplementedError(answer)


@details_of_line.register(Ranking)
@details_of_line.register(Steps)
@details_of_line.register(Score)
def _no_details(
    answer: Answer,
    given: Mapping[str, str],
    ranks: Mapping[str, int | None],
    source: str,
    where: str,
) -> dict[str, str]:
    if given:
        raise InputError("this project's kind has no `details`.", where)
    return {}


@details_of_line.register
def _details(
    answer: Detailed,
    given: Mapping[str, str],
    ranks: Mapping[str, int | None],
    source: str,
    where: str,
) -> dict[str, str]:
    for text in given:
        if text not in ranks:
            raise InputError(f"the candidate {text!r} has a detail but no answer.", where)
    found = {}
    for text, rank in ranks.items():
        detail = given.get(text, "").strip()
        try:
            if len(detail) > LONGEST_DETAIL:
                raise InvalidAnswer(f"it is longer than {LONGEST_DETAIL} characters.")
            answer.check_detail(detail, of=JudgedText(text, source), rank=rank)
        except InvalidAnswer as problem:
            raise InputError(f"the candidate {text!r}: {problem}", where) from None
        if detail := answer.kept_detail(detail, rank):
            found[text] = detail
    return found


@singledispatch
def check_details(
    answer: Answer,
    where: str,
    texts: Sequence[JudgedText],
    judged: JudgementPart | AnswerPart,
    kind: str,
) -> None:
    """Check the detail of each candidate in an archive, as an annotator's is checked.

    `texts` are those of the candidates, and `kind` is the name of the kind. Raises InputError.
    """
    raise NotImplementedError(answer)


@check_details.register(Ranking)
@check_details.register(Steps)
@check_details.register(Score)
def _check_none(
    answer: Answer,
    where: str,
    texts: Sequence[JudgedText],
    judged: JudgementPart | AnswerPart,
    kind: str,
) -> None:
    if judged.details:
        raise InputError(f"{where}: there are no details in a project of the kind {kind}.")


@check_details.register
def _check_each(
    answer: Detailed,
    where: str,
    texts: Sequence[JudgedText],
    judged: JudgementPart | AnswerPart,
    kind: str,
) -> None:
    for place, (text, rank) in enumerate(zip(texts, judged.ranks, strict=True)):
        detail = judged.details.get(place, "")
        if not isinstance(rank, int):
            if detail:
                raise InputError(f"{where}: the candidate {place} has a detail and no rank.")
            continue
        if not detail and isinstance(judged, AnswerPart):
            # A gold answer may be without one, such as a step of an edit without its text.
            continue
        try:
            answer.check_detail(detail, of=text, rank=rank)
        except InvalidAnswer as problem:
            raise InputError(f"{where}: {problem}") from None
    if set(judged.details) - set(range(len(texts))):
        raise InputError(f"{where}: a detail is of a candidate that the segment does not have.")


@singledispatch
def compared_value(answer: Answer, rank: int | None) -> float | None:
    """Return a number for a stored rank, the higher the better; None where it says neither.

    Of a ranking, only the order within a judgement has a meaning.
    """
    raise NotImplementedError(answer)


@compared_value.register
def _of_ranking(answer: Ranking, rank: int | None) -> float:
    return -inf if rank is None else -float(rank)


@compared_value.register
def _of_steps(answer: Steps, rank: int | None) -> float | None:
    return None if rank is None or rank == answer.undecided else answer.grades[rank - 1]


@compared_value.register
def _of_score(answer: Score, rank: int | None) -> float | None:
    return answer.score_of(rank)


@compared_value.register
def _of_points(answer: ErrorsAlone, rank: int | None) -> float | None:
    return None if rank is None else -answer.meaning(rank)


# --- units ---------------------------------------------------------------------------------------


class SegmentFiles:
    """Rows of an archive and items of forms where segments of a sentence are judged."""

    def item(self, sentence: LoadedSentence, segment: int) -> int:
        """Return the number of what is judged; `segment` is that among all of the project."""
        return segment

    # A sheet can have several sentences, and a segment that is the document.
    has_sheets: ClassVar[bool] = False

    def is_further_translation(self, record: SentenceRecord) -> bool:
        """Tell whether a sentence with the line of another one may be a translation of it."""
        return False

    def places_all(self, kind: str) -> bool:
        """Tell whether a judgement in an assignment of this kind places all candidates."""
        return kind not in Assignment.COUNTED


class SentenceFiles(SegmentFiles):
    """Annotators judge a sentence with its translations: the sentence is the item of a form."""

    def item(self, sentence: LoadedSentence, segment: int) -> int:
        return sentence.source_number


class TranslationFiles(SentenceFiles):
    """Annotators judge one translation at a time: a line has a row for each different one."""

    def is_further_translation(self, record: SentenceRecord) -> bool:
        line = record.source_line
        return record.purpose == "judge" and line is not None and line < record.number

    def places_all(self, kind: str) -> bool:
        # Of a translation for control, the original is not shown.
        return False


class DocumentFiles(TranslationFiles):
    """Annotators judge documents: each paragraph of a sheet has a row of its own."""

    has_sheets = True


@singledispatch
def files_of(unit: Unit) -> SegmentFiles:
    """Return what files have of the unit."""
    raise NotImplementedError(unit)


@files_of.register
def _segments(unit: SegmentsOfSentence) -> SegmentFiles:
    return SegmentFiles()


@files_of.register
def _sentences(unit: SentenceWithTranslations) -> SegmentFiles:
    return SentenceFiles()


@files_of.register
def _translations(unit: OneTranslation) -> SegmentFiles:
    return TranslationFiles()


@files_of.register
def _documents(unit: DocumentOfSystem) -> SegmentFiles:
    return DocumentFiles()
