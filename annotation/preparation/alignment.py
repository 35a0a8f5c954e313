"""Which target tokens translate which source tokens: programs that align words."""

from collections.abc import Iterable, Iterator
from typing import IO, Protocol

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.preparation.eflomal import EFFORTS, EflomalAligner, find_program
from annotation.preparation.links import Link, Pair, grow_diag_final, links_from_text, links_to_text
from annotation.preparation.systran import SystranAligner

__all__ = [
    "EFFORTS",
    "Aligner",
    "EflomalAligner",
    "Pair",
    "SystranAligner",
    "choose_aligner",
    "grow_diag_final",
    "links_from_text",
    "links_to_text",
]


class Aligner(Protocol):
    """Something that links the words of sentence pairs."""

    name: str
    version: str
    # One of EFFORTS, or "" where it knows but one.
    effort: str

    def align(
        self,
        pairs: Iterable[Pair],
        *,
        parallel: Iterable[Pair] = (),
        priors: bytes = b"",
        learned: IO[bytes] | None = None,
        passes: float = 1.0,
    ) -> Iterator[list[Link]]:
        """Yield the sorted (source, target) links of each pair of token lists, in order.

        All pairs share their statistics, so nothing is yielded before all have been read;
        they are kept in temporary files, not in memory. An empty side has no links.

        From the pairs of `parallel` is learned too, and no links of them are yielded. What is
        learned is written to `learned` before the first links come; given as `priors`, it lets
        other translations of the same source be aligned alone. An aligner without priors
        writes nothing. `passes` over the pairs are made relative to what a text of that size
        usually gets; of a small part of a large text, whose priors are given, fewer will do.
        Raises InputError when the program fails.
        """
        ...


def choose_aligner(name: str, effort: str = "normal") -> Aligner:
    """Return the aligner "eflomal", "systran", or "auto": the first of them installed.

    `effort` is one of EFFORTS. Raises InputError for an aligner that is not installed, and for
    what is not known.
    """
    if effort not in EFFORTS:
        raise InputError(
            _("There is no effort %(name)r: choose %(known)s."),
            name=effort,
            known=", ".join(EFFORTS),
        )
    if name == "auto":
        name = "eflomal" if find_program("eflomal-align") else "systran"
    if name == "eflomal":
        return EflomalAligner(effort)
    if name == "systran":
        return SystranAligner()
    raise InputError(_("There is no aligner %(name)r: choose auto, eflomal or systran."), name=name)
