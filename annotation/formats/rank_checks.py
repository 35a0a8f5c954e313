"""Whether the ranks of a judgement are those of a segment's candidates."""

from collections.abc import Collection, Sequence

from annotation.formats.errors import InputError
from annotation.formats.judgement_lines import Ranks


def check_ranks(words: str, candidates: Collection[str], ranks: Ranks, where: str) -> None:
    """Raise InputError where they are not of exactly the segment's candidates or not in 1..N."""
    for candidate, rank in ranks.items():
        if candidate not in candidates:
            raise InputError(f"{where}: the segment {words!r} has no candidate {candidate!r}.")
        if rank is not None and not 1 <= rank <= len(candidates):
            raise InputError(
                f"{where}: the rank {rank} of the candidate {candidate!r} is not from 1 to "
                f"{len(candidates)}, as many as the segment has candidates."
            )
    missing = [candidate for candidate in candidates if candidate not in ranks]
    if missing:
        raise InputError(
            f"{where}: the candidate {missing[0]!r} of the segment {words!r} has no rank"
            + (f", nor have {len(missing) - 1} more." if missing[1:] else ".")
        )


def choose_by_candidates(
    candidates: Sequence[Collection[str]], ranks: Ranks, where: str, instead: str
) -> int:
    """Return which of several segments with the same words has the ranked candidates.

    Raises InputError where none has exactly these, or more than one; it ends by `instead`.
    """
    if len(candidates) == 1:
        return 0
    fitting = [place for place, known in enumerate(candidates) if set(known) == set(ranks)]
    if len(fitting) != 1:
        raise InputError(
            f"{where}: {len(candidates)} segments of the sentence have these words, and "
            f"{len(fitting) or 'none'} of them have exactly the ranked candidates, so it cannot be "
            f"told which was judged: {instead}"
        )
    return fitting[0]
