"""Word alignment by systran-align, for machines on which eflomal cannot be built."""

import ctypes
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.pharaoh import Links
from annotation.preparation.links import Pair, distinct_pairs, in_order, write_pairs

_BATCH = 1000


class SystranAligner:
    """systran-align (fast_align and its own symmetrisation), on lowercased tokens.

    It has no efforts, no passes and no priors: it ignores those given and learns none. It does not
    sample, so the same pairs get the same links. They have no direction.
    """

    name = "systran"
    effort = ""
    seed = ""

    def __init__(self) -> None:
        if find_spec("systran_align") is None:
            raise InputError(
                _(
                    "No aligner is installed (systran-align is missing too): install the packages "
                    "of requirements.txt, or give the links of words as files."
                )
            )
        self.version = version("systran-align")

    def align(
        self,
        pairs: Iterable[Pair],
        *,
        parallel: Iterable[Pair] = (),
        priors: bytes = b"",
        learned: IO[bytes] | None = None,
        passes: float = 1.0,
    ) -> Iterator[Links]:
        """Yield the links of each pair: see `annotation.preparation.alignment.Aligner`."""
        import systran_align

        with (
            _one_thread(systran_align.__file__),
            TemporaryDirectory(prefix="segranks-") as name,
        ):
            folder = Path(name)
            places = write_pairs(pairs, folder / "source", folder / "target")
            if distinct_pairs(places):
                write_pairs(parallel, folder / "source", folder / "target")
                _join_pairs(folder / "source", folder / "target", folder / "both")
                models = [str(folder / "forward"), str(folder / "reverse")]
                # fast_align's usual options (-d -o -v), without which fewer links are correct.
                systran_align.generate_alignment_probabilities(
                    str(folder / "both"),
                    *models,
                    favor_diagonal=True,
                    optimize_tension=True,
                    variational_bayes=True,
                )
                program = systran_align.Aligner(*models)
                links = _align_batches(program, folder / "source", folder / "target")
            else:
                links = iter(())
            yield from in_order(places, links)


@contextmanager
def _one_thread(library: str) -> Iterator[None]:
    """Have OpenMP, if the library uses it, work in one thread for this thread's calls.

    Several threads add up numbers in any order, and links would differ from call to call. The
    library's calls go to its own OpenMP, or to one that torch has loaded for the whole process.
    """
    threads: list[tuple[Any, int]] = []
    for name in (library, None):
        with suppress(OSError, AttributeError):
            openmp = ctypes.CDLL(name)
            threads.append((openmp, openmp.omp_get_max_threads()))
            openmp.omp_set_num_threads(1)
    try:
        yield
    finally:
        for openmp, count in reversed(threads):
            openmp.omp_set_num_threads(count)


def _join_pairs(sources: Path, targets: Path, both: Path) -> None:
    with (
        sources.open(encoding="utf-8") as source_lines,
        targets.open(encoding="utf-8") as target_lines,
        both.open("w", encoding="utf-8") as out,
    ):
        for source, target in zip(source_lines, target_lines, strict=True):
            out.write(f"{source.rstrip()} ||| {target}")


def _align_batches(program: object, sources: Path, targets: Path) -> Iterator[Links]:
    with (
        sources.open(encoding="utf-8") as source_lines,
        targets.open(encoding="utf-8") as target_lines,
    ):
        while batch := [line.split() for line in islice(source_lines, _BATCH)]:
            others = [line.split() for line in islice(target_lines, _BATCH)]
            for result in program.align_batch(batch, others):  # type: ignore[attr-defined]
                yield Links.without_direction(result["alignments"])
