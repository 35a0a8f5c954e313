"""Word aligners: what they have in common, and the choice of one."""

from collections.abc import Iterable, Iterator
from typing import IO, Protocol

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.pharaoh import Links
from annotation.preparation.eflomal import EFFORTS, EflomalAligner, find_program
from annotation.preparation.links import Pair
from annotation.preparation.systran import SystranAligner

__all__ = [
    "EFFORTS",
    "Aligner",
    "EflomalAligner",
    "Pair",
    "SystranAligner",
    "choose_aligner",
]


class Aligner(Protocol):
    """A program that links the words of sentence pairs."""

    name: str
    version: str
    # One of EFFORTS, or "" if the aligner has no such option.
    effort: str
    # By which the aligner samples: NO_SEED if by none, "" if it does not sample.
    seed: str

    def align(
        self,
        pairs: Iterable[Pair],
        *,
        parallel: Iterable[Pair] = (),
        priors: bytes = b"",
        learned: IO[bytes] | None = None,
        passes: float = 1.0,
    ) -> Iterator[Links]:
        """Yield the links of each pair of token lists, in order.

        All pairs share their statistics, so all are read, into temporary files, before the first
        links are yielded. A pair with an empty side has no links. Equal pairs (casing does not
        matter) are aligned once, and have equal links. In each call with the same pairs in the same
        order, links are the same, with any number of threads, unless the seed is NO_SEED.

        The aligner also learns from the pairs of `parallel`, but yields no links for them. It
        writes its statistics to `learned` before it yields the first links. Given as `priors` to
        a later call, they let other translations of the same source be aligned alone. `passes`
        is the number of iterations relative to the default for a text of this size; with priors,
        fewer are enough for a small part of a large text. Raises InputError if the program fails.
        """
        ...


def choose_aligner(name: str, effort: str = "normal", seed: int = 0) -> Aligner:
    """Return the aligner "eflomal" or "systran"; "auto" is the first of them that is installed.

    `effort` is one of EFFORTS; an aligner that samples does so by the seed. Raises InputError for
    an unknown effort or aligner, or one that is not installed.
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
        return EflomalAligner(effort, seed)
    if name == "systran":
        return SystranAligner()
    raise InputError(_("There is no aligner %(name)r: choose auto, eflomal or systran."), name=name)
