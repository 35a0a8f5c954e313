"""Word alignment by eflomal: it draws lots, so several runs, of words and of stems, vote.

A run sees each word lowercased and, where it is told so, only the first letters of it: in a text
of a few thousand sentences most forms of a Czech word are too rare to be learned one by one.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.preparation.alignment_files import in_order, write_pairs
from annotation.preparation.alignment_links import Pair, links_from_text
from annotation.preparation.eflomal_priors import pack_priors, unpack_priors
from annotation.preparation.eflomal_program import Words, find_program, run_program
from annotation.preparation.symmetrization import Link, grow_diag_final, vote


@dataclass(frozen=True)
class Run:
    """One run of eflomal: how many letters of a word it sees (0: all), how likely it finds it
    beforehand that a word translates nothing, and how many samplers it averages."""

    letters: int
    null_prior: float
    samplers: int = 1


# With eflomal's own 0.2 many small words (se, by, v) are linked to nothing, which people who
# judge a candidate then miss. Runs that see words differently err differently, so that a vote of
# three single samplers is nearer to the thesis than one run of three at the same cost
# (tests/load/alignment.py). Where votes are equal the earlier run wins.
EFFORTS: dict[str, tuple[Run, ...]] = {
    "fast": (Run(5, 0.03),),
    "normal": (Run(4, 0.02), Run(5, 0.03), Run(0, 0.05)),
    "best": (Run(4, 0.02), Run(5, 0.03), Run(0, 0.05), Run(0, 0.01), Run(5, 0.01)),
}


class EflomalAligner:
    """eflomal in both directions; runs that vote, made one by grow-diag-final."""

    name = "eflomal"

    def __init__(self, effort: str = "normal") -> None:
        if effort not in EFFORTS:
            raise InputError(
                _("There is no effort %(name)r: choose %(known)s."),
                name=effort,
                known=", ".join(EFFORTS),
            )
        self._program = _require("eflomal-align")
        self.effort = effort
        self.runs = EFFORTS[effort]
        self.version = _version()

    def align(
        self,
        pairs: Iterable[Pair],
        *,
        parallel: Iterable[Pair] = (),
        priors: bytes = b"",
        learned: IO[bytes] | None = None,
        passes: float = 1.0,
    ) -> Iterator[list[Link]]:
        """Yield the links of each pair: see `annotation.preparation.alignment.Aligner`."""
        with TemporaryDirectory(prefix="segranks-") as name:
            folder = Path(name)
            usable = write_pairs(pairs, folder / "source", folder / "target")
            if not any(usable):
                yield from ([] for _ in usable)
                return
            write_pairs(parallel, folder / "source", folder / "target")
            if priors:
                (folder / "priors").write_bytes(unpack_priors(priors))
            for number, run in enumerate(self.runs):
                self._run(folder, number, run, passes, with_priors=bool(priors))
            if learned is not None:
                _learn(folder, learned, sum(usable))
            yield from in_order(usable, _voted(folder, len(self.runs)))

    def _run(
        self, folder: Path, number: int, run: Run, passes: float, *, with_priors: bool
    ) -> None:
        forward, reverse = _links(folder, number)
        given: Words = ["--priors", folder / "priors"] if with_priors else []
        command: Words = [
            *self._program,
            "--source", folder / "source", "--target", folder / "target",
            "--forward-links", forward, "--reverse-links", reverse,
            "--source-prefix", str(run.letters), "--target-prefix", str(run.letters),
            "--null-prior", str(run.null_prior), "--n-samplers", str(run.samplers),
            "--length", str(passes),
            *given,
        ]  # fmt: skip
        run_program(command, folder, result=reverse)


def _learn(folder: Path, learned: IO[bytes], own_lines: int) -> None:
    """Write what the first run has found, for `priors` of a later call."""
    forward, reverse = _links(folder, 0)
    command: Words = [
        *_require("eflomal-makepriors"),
        "--source", folder / "source", "--target", folder / "target",
        "--forward-alignments", forward, "--reverse-alignments", reverse,
        "--priors", folder / "learned",
    ]  # fmt: skip
    run_program(command, folder, result=folder / "learned")
    pack_priors(folder / "learned", folder / "source", own_lines, learned)


def _voted(folder: Path, runs: int) -> Iterator[list[Link]]:
    with ExitStack() as stack:
        files = [
            [stack.enter_context(path.open(encoding="ascii")) for path in _links(folder, number)]
            for number in range(runs)
        ]
        forward = zip(*(ahead for ahead, _back in files), strict=True)
        reverse = zip(*(back for _ahead, back in files), strict=True)
        for ahead, back in zip(forward, reverse, strict=True):
            yield grow_diag_final(
                vote([links_from_text(line) for line in ahead], of_targets=True),
                vote([links_from_text(line) for line in back], of_targets=False),
            )


def _links(folder: Path, number: int) -> tuple[Path, Path]:
    return folder / f"forward{number}", folder / f"reverse{number}"


def _require(name: str) -> Words:
    program = find_program(name)
    if program is None:
        raise InputError(
            _(
                "eflomal is not installed (there is no program %(program)s): choose the aligner "
                "systran, or install eflomal."
            ),
            program=name,
        )
    return program


def _version() -> str:
    try:
        return version("eflomal")
    except PackageNotFoundError:
        return "unknown"
