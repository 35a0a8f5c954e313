"""Finding the segments and candidates that an imported judgement is about."""

from annotation.formats.errors import InputError
from annotation.formats.judgement_lines import JudgementLine, Ranks
from annotation.sentence_pages import LoadedSegment, LoadedSentence

# Ranks by candidate id; None is the garbage bin.
Placements = dict[int, int | None]


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
    for candidate, rank in ranks.items():
        if candidate not in ids:
            raise InputError(
                f"{where}: the segment {segment.words!r} has no candidate {candidate!r}."
            )
        if rank is not None and not 1 <= rank <= len(ids):
            raise InputError(
                f"{where}: the rank {rank} of the candidate {candidate!r} is not from 1 to "
                f"{len(ids)}, as many as the segment has candidates."
            )
    missing = [candidate for candidate in ids if candidate not in ranks]
    if missing:
        raise InputError(
            f"{where}: the candidate {missing[0]!r} of the segment {segment.words!r} has no rank"
            + (f", nor have {len(missing) - 1} more." if missing[1:] else ".")
        )
    return {pk: ranks[text] for text, pk in ids.items()}


def find_by_candidates(
    segments: list[LoadedSegment], ranks: Ranks, where: str
) -> tuple[LoadedSegment, Placements]:
    """Return the one of several segments with the same words that has the ranked candidates.

    Raises InputError where none has exactly these, or more than one.
    """
    if len(segments) == 1:
        return segments[0], find_placements(segments[0], ranks, where)
    fitting = [segment for segment in segments if set(segment.candidates.values()) == set(ranks)]
    if len(fitting) != 1:
        raise InputError(
            f"{where}: {len(segments)} segments of the sentence have these words, and "
            f"{len(fitting) or 'none'} of them have exactly the ranked candidates, so it cannot be "
            "told which was judged: import JSON lines, which say the indices."
        )
    return fitting[0], find_placements(fitting[0], ranks, where)
