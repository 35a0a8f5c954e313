"""Finding the segments and candidates that an imported judgement is about."""

from annotation.formats.errors import InputError
from annotation.formats.judgement_lines import JudgementLine, Ranks
from annotation.formats.rank_checks import check_ranks, choose_by_candidates
from annotation.import_export.sentence_pages import LoadedSegment, LoadedSentence

# Ranks by candidate id; None is the garbage bin.
Placements = dict[int, int | None]
LINES_INSTEAD = "import JSON lines, which say the indices."


def find_segment(line: JudgementLine, sentence: LoadedSentence | None) -> LoadedSegment:
    """Return the segment at the line's indices. Raise InputError where there is none such."""
    if sentence is None:
        raise unknown_sentence(line.sentence, line.where)
    indices = " ".join(map(str, line.indices))
    for segment in sentence.segments:
        if segment.indices == indices:
            if segment.words != line.segment:
                raise InputError(
                    f"{line.where}: the segment at the indices {indices} of sentence "
                    f"{sentence.number} is {segment.words!r}, not {line.segment!r}."
                )
            return segment
    raise InputError(
        f"{line.where}: sentence {sentence.number} has no segment at the indices {indices} "
        f"({line.segment!r})."
    )


def unknown_sentence(number: int, where: str) -> InputError:
    return InputError(f"{where}: the project has no sentence {number}.")


def find_placements(segment: LoadedSegment, ranks: Ranks, where: str) -> Placements:
    """Return the ranks by candidate id.

    Raises InputError where they are not of exactly the segment's candidates or not within 1..N.
    """
    ids = {text: pk for pk, text in segment.candidates.items()}
    check_ranks(segment.words, ids, ranks, where)
    return {pk: ranks[text] for text, pk in ids.items()}


def find_by_candidates(
    segments: list[LoadedSegment], ranks: Ranks, where: str
) -> tuple[LoadedSegment, Placements]:
    """Return the one of several segments with the same words that has the ranked candidates.

    Raises InputError where none has exactly these, or more than one.
    """
    candidates = [segment.candidates.values() for segment in segments]
    chosen = segments[choose_by_candidates(candidates, ranks, where, LINES_INSTEAD)]
    return chosen, find_placements(chosen, ranks, where)
