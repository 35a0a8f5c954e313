"""Word alignment by eflomal: several runs, of words and of stems, vote.

eflomal samples at random. Built with our patch (tools/eflomal), it takes a seed, and the same pairs
get the same links, with any number of threads. A run uses lowercased words or only their first
letters, because in a text of a few thousand sentences most forms of a Czech word are too rare to
learn. eflomal is under the GPL, so its programs are run and never imported.
"""

import os
import shutil
import signal
import subprocess
import sys
import weakref
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.pharaoh import Link, Links
from annotation.preparation.links import (
    Pair,
    distinct_pairs,
    in_order,
    vote,
    write_pairs,
)
from annotation.preparation.tokens import is_written_without_spaces

Words = list[str | Path]


@dataclass(frozen=True)
class Run:
    """Options of one run: the letters of a word that it uses (0: all), the prior probability that a
    word translates nothing, and the number of samplers that it averages."""

    letters: int
    null_prior: float
    samplers: int = 1


# With eflomal's default null prior of 0.2, many short words (se, by, v) are linked to nothing and
# missing in candidates. Different runs make different errors, so a vote of three single samplers
# agrees better with the thesis than one run of three, at the same cost (tests/load/alignment.py).
# In a tie the earlier run wins.
EFFORTS: dict[str, tuple[Run, ...]] = {
    "fast": (Run(5, 0.03),),
    "normal": (Run(4, 0.02), Run(5, 0.03), Run(0, 0.05)),
    "best": (Run(4, 0.02), Run(5, 0.03), Run(0, 0.05), Run(0, 0.01), Run(5, 0.01)),
}


# In languages without spaces, more words translate nothing, and directions agree on fewer links.
# Runs with different priors, and twice the passes, gain one to three points of anchors each
# (docs/languages.md). Passes cost time, and a text of more pairs needs them less.
WITHOUT_SPACES: dict[str, tuple[Run, ...]] = {
    "fast": (Run(5, 0.2),),
    "normal": (Run(4, 0.4), Run(5, 0.2), Run(0, 0.1)),
    "best": (Run(4, 0.4), Run(5, 0.2), Run(0, 0.1), Run(3, 0.6), Run(0, 0.2)),
}
_MORE_PASSES = 2.0
_FEW_PAIRS = 20_000
# Lines that tell whether a language is written without spaces.
_LINES_LOOKED_AT = 500
# In the version of an eflomal with our patch.
_TAKES_SEED = "+seed"
# The seed of an aligner that samples at random without one: its links cannot be repeated.
NO_SEED = "none"


class EflomalAligner:
    """Runs of eflomal in both directions that vote."""

    name = "eflomal"

    def __init__(self, effort: str = "normal", seed: int = 0) -> None:
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
        self.seed = str(seed) if _TAKES_SEED in self.version else NO_SEED
        # The program's seeds have 64 bits.
        self._first_seed = seed % 2**56 << 8

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
        with TemporaryDirectory(prefix="segranks-") as name:
            folder = Path(name)
            places = write_pairs(pairs, folder / "source", folder / "target")
            distinct = distinct_pairs(places)
            if not distinct:
                yield from (Links() for _ in places)
                return
            write_pairs(parallel, folder / "source", folder / "target")
            if priors:
                (folder / "priors").write_bytes(unpack_priors(priors))
            runs = self.runs
            if _is_without_spaces(folder):
                runs = WITHOUT_SPACES[self.effort]
                # What was learned from all of a text is not learned again.
                passes *= _MORE_PASSES if distinct <= _FEW_PAIRS and not priors else 1.0
            for number, run in enumerate(runs):
                self._run(folder, number, run, passes, with_priors=bool(priors))
            if learned is not None:
                _learn(folder, learned, distinct)
            yield from in_order(places, _voted(folder, len(runs)))

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
        # Each run has a seed of its own: votes of equal samplers would be one vote.
        run_program(command, folder, result=reverse, seed=self._first_seed + number)


def _is_without_spaces(folder: Path) -> bool:
    """Return whether one of the languages of the text is written without spaces."""
    for name in ("source", "target"):
        with (folder / name).open(encoding="utf-8") as lines:
            words = (word for line in islice(lines, _LINES_LOOKED_AT) for word in line.split())
            if is_written_without_spaces(words):
                return True
    return False


def _learn(folder: Path, learned: IO[bytes], own_lines: int) -> None:
    """Write the statistics of the first run, to be the `priors` of a later call."""
    forward, reverse = _links(folder, 0)
    command: Words = [
        *_require("eflomal-makepriors"),
        "--source", folder / "source", "--target", folder / "target",
        "--forward-alignments", forward, "--reverse-alignments", reverse,
        "--priors", folder / "learned",
    ]  # fmt: skip
    run_program(command, folder, result=folder / "learned")
    pack_priors(folder / "learned", folder / "source", own_lines, learned)


def _voted(folder: Path, runs: int) -> Iterator[Links]:
    with ExitStack() as stack:
        files = [
            [stack.enter_context(path.open(encoding="ascii")) for path in _links(folder, number)]
            for number in range(runs)
        ]
        forward = zip(*(ahead for ahead, _back in files), strict=True)
        reverse = zip(*(back for _ahead, back in files), strict=True)
        for ahead, back in zip(forward, reverse, strict=True):
            yield Links(
                tuple(vote([_read(line) for line in ahead], of_targets=True)),
                tuple(vote([_read(line) for line in back], of_targets=False)),
            )


def _read(line: str) -> list[Link]:
    pairs = (word.split("-") for word in line.split())
    return [(int(source), int(target)) for source, target in pairs]


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


def find_program(name: str) -> Words | None:
    """Return the command for a program of eflomal, or None if it is not installed.

    A script of our environment is run by its Python explicitly, because a first line with a path
    that contains a space does not work.
    """
    beside = Path(sys.executable).with_name(name)
    if os.access(beside, os.X_OK):
        return [sys.executable, beside]
    found = shutil.which(name)
    return [found] if found else None


def run_program(command: Words, folder: Path, result: Path, seed: int = 0) -> None:
    """Run a program that writes the file `result`, with its temporary files in `folder`.

    An eflomal with our patch samples by the seed. Raises InputError, with the last line of its
    output, if it fails.
    """
    # eflomal's temporary files are as large as the text. With TMPDIR they are in our folder, which
    # is deleted even if eflomal is killed.
    with (folder / "messages").open("w+b") as messages:
        variables: Words = [f"TMPDIR={folder}", f"EFLOMAL_SEED={seed}"]
        status = _wait_for(["/usr/bin/env", *variables, *command], messages)
        messages.seek(0)
        lines = messages.read().decode("utf-8", "replace").split("\n")
    # Its status is 0 even if its inner program failed and wrote nothing.
    if status != 0 or not result.exists():
        last = next((line.strip() for line in reversed(lines) if line.strip()), "no message")
        raise InputError(
            _(
                "eflomal failed with status %(status)d (%(last)s): choose the aligner systran, or "
                "install eflomal again."
            ),
            status=status,
            last=last,
        )


def _wait_for(command: Words, messages: IO[bytes]) -> int:
    """Run a program and return its status; it and its children never outlive this process.

    They are killed by an exception here and, if this runs in a daemon thread, at the end of the
    interpreter.
    """
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=messages,
        stderr=messages,
        start_new_session=True,
    )
    kill = weakref.finalize(process, _kill_group, process.pid)
    try:
        status = process.wait()
    except BaseException:
        kill()
        process.wait()
        raise
    kill.detach()
    return status


def _kill_group(process_id: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process_id, signal.SIGKILL)


def pack_priors(learned: Path, sources: Path, own_lines: int, out: IO[bytes]) -> None:
    """Write to `out`, compressed, the lines of a priors file that a later call can need.

    `learned` is the output of eflomal-makepriors: tab-separated counts of word pairs (LEX), of
    fertilities (FERF of source words, FERR of target words, all after LEX) and of jumps. Only the
    first `own_lines` of `sources` will be aligned again, so other source words are left out.
    """
    with sources.open(encoding="utf-8") as lines:
        source_words = {word for line in islice(lines, own_lines) for word in line.split()}
    target_words: set[str] = set()
    packing = zlib.compressobj(9)
    with learned.open(encoding="utf-8") as counts:
        for line in counts:
            kind, word, *rest = line.split("\t")
            if kind in ("LEX", "FERF"):
                matters = word in source_words
            else:
                matters = kind != "FERR" or word in target_words
            if kind == "LEX" and matters:
                target_words.add(rest[0])
            if matters:
                out.write(packing.compress(line.encode()))
    out.write(packing.flush())


def unpack_priors(packed: bytes) -> bytes:
    """Return the file that `pack_priors` compressed. Raises InputError if it is damaged."""
    try:
        return zlib.decompress(packed)
    except zlib.error as problem:
        raise InputError(
            _(
                "The stored priors of the project are damaged (%(reason)s): align the whole "
                "project again."
            ),
            reason=str(problem),
        ) from problem
