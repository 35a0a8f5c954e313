"""Which target tokens translate which source tokens: programs that align words.

eflomal is under the GPL: it is run as a program of its own and never imported.
"""

import os
import shutil
import signal
import subprocess
import sys
import weakref
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Protocol

from annotation.formats.errors import InputError
from annotation.preparation.symmetrization import Link, grow_diag_final

Pair = tuple[list[str], list[str]]

__all__ = [
    "Aligner",
    "EflomalAligner",
    "SystranAligner",
    "choose_aligner",
    "grow_diag_final",
    "links_from_text",
    "links_to_text",
]

# eflomal leaves longer sentences out (1023 tokens is the most it takes).
_LONGEST = 1023
_BATCH = 1000


class Aligner(Protocol):
    """Something that links the words of sentence pairs."""

    name: str
    version: str

    def align(self, pairs: Iterable[Pair]) -> Iterator[list[Link]]:
        """Yield the sorted (source, target) links of each pair of token lists, in order.

        All pairs share their statistics, so nothing is yielded before all have been read;
        they are kept in temporary files, not in memory. An empty side has no links. Raises
        InputError when the program fails.
        """
        ...


def choose_aligner(name: str) -> Aligner:
    """Return the aligner "eflomal", "systran", or "auto": the first of them installed.

    Raises InputError for one that is not installed or not known.
    """
    if name == "auto":
        name = "eflomal" if _eflomal_program() else "systran"
    if name == "eflomal":
        return EflomalAligner()
    if name == "systran":
        return SystranAligner()
    raise InputError(f"There is no aligner {name!r}: choose auto, eflomal or systran.")


def links_to_text(links: Iterable[Link]) -> str:
    """Write links as they are stored and as Pharaoh files hold them: "0-0 1-2"."""
    return " ".join(f"{source}-{target}" for source, target in links)


def links_from_text(text: str) -> list[Link]:
    """Read what `links_to_text` wrote. Raises ValueError for anything else."""
    pairs = (word.split("-") for word in text.split())
    return [(int(source), int(target)) for source, target in pairs]


class EflomalAligner:
    """eflomal in both directions, on lowercased tokens, made one by grow-diag-final."""

    name = "eflomal"

    def __init__(self) -> None:
        program = _eflomal_program()
        if program is None:
            raise InputError(
                "eflomal is not installed (there is no program eflomal-align): "
                "choose the aligner systran, or install eflomal."
            )
        self._program = program
        self.version = _installed_version("eflomal")

    def align(self, pairs: Iterable[Pair]) -> Iterator[list[Link]]:
        with TemporaryDirectory(prefix="segranks-") as name:
            folder = Path(name)
            usable = _write_pairs(pairs, folder / "source", folder / "target")
            if any(usable):
                self._run(folder)
                yield from _in_order(usable, _read_both(folder / "forward", folder / "reverse"))
            else:
                yield from ([] for _ in usable)

    def _run(self, folder: Path) -> None:
        # eflomal writes temporary files of its own, as large as the text: with TMPDIR they
        # lie in our folder and go with it, even when it is killed.
        command: list[str | Path] = [
            "/usr/bin/env", f"TMPDIR={folder}", *self._program,
            "--source", folder / "source", "--target", folder / "target",
            "--forward-links", folder / "forward", "--reverse-links", folder / "reverse",
        ]  # fmt: skip
        with (folder / "messages").open("w+b") as messages:
            status = _run_to_its_end(command, messages)
            messages.seek(0)
            said = messages.read().decode("utf-8", "replace").split("\n")
        # It ends with status 0 even when its inner program failed and wrote nothing.
        if status != 0 or not (folder / "reverse").exists():
            last = next((line.strip() for line in reversed(said) if line.strip()), "no message")
            raise InputError(
                f"eflomal failed with status {status} ({last}): choose the aligner systran, "
                "or install eflomal again."
            )


class SystranAligner:
    """systran-align (fast_align and its own symmetrisation), on lowercased tokens."""

    name = "systran"

    def __init__(self) -> None:
        if find_spec("systran_align") is None:
            raise InputError(
                "No aligner is installed (systran-align is missing too): install the packages "
                "of requirements.txt, or give alignments with --aligner pharaoh."
            )
        self.version = _installed_version("systran-align")

    def align(self, pairs: Iterable[Pair]) -> Iterator[list[Link]]:
        from systran_align import Aligner as Program
        from systran_align import generate_alignment_probabilities

        with TemporaryDirectory(prefix="segranks-") as name:
            folder = Path(name)
            usable = _write_pairs(pairs, folder / "source", folder / "target")
            if any(usable):
                _join_pairs(folder / "source", folder / "target", folder / "both")
                models = [str(folder / "forward"), str(folder / "reverse")]
                # fast_align's usual options (-d -o -v): without them far fewer links are right.
                generate_alignment_probabilities(
                    str(folder / "both"),
                    *models,
                    favor_diagonal=True,
                    optimize_tension=True,
                    variational_bayes=True,
                )
                program = Program(*models)
                links = _align_batches(program, folder / "source", folder / "target")
            else:
                links = iter(())
            yield from _in_order(usable, links)


def _eflomal_program() -> list[str] | None:
    """Return the command that runs eflomal; a script of our environment by its own Python,
    since the path in its first line is of no use where it holds a space."""
    beside = Path(sys.executable).with_name("eflomal-align")
    if os.access(beside, os.X_OK):
        return [sys.executable, str(beside)]
    found = shutil.which("eflomal-align")
    return [found] if found else None


def _installed_version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def _write_pairs(pairs: Iterable[Pair], source_path: Path, target_path: Path) -> bytearray:
    """Write the pairs that can be aligned, and return for every pair whether it was one."""
    usable = bytearray()
    with (
        source_path.open("w", encoding="utf-8") as sources,
        target_path.open("w", encoding="utf-8") as targets,
    ):
        for source, target in pairs:
            alignable = 0 < len(source) <= _LONGEST and 0 < len(target) <= _LONGEST
            usable.append(alignable)
            if alignable:
                sources.write(_line(source))
                targets.write(_line(target))
    return usable


def _line(tokens: list[str]) -> str:
    return " ".join(_word(token) for token in tokens) + "\n"


def _word(token: str) -> str:
    """Return a token as aligners count it: lowercased, one word, never their separator."""
    word = "_".join(token.lower().split()) or "_"
    return "_" if word == "|||" else word


def _in_order(usable: bytearray, links: Iterator[list[Link]]) -> Iterator[list[Link]]:
    try:
        for alignable in usable:
            yield next(links) if alignable else []
    except StopIteration:
        raise InputError("The aligner left sentences out: run the preparation again.") from None


def _read_both(forward: Path, reverse: Path) -> Iterator[list[Link]]:
    with (
        forward.open(encoding="ascii") as forward_lines,
        reverse.open(encoding="ascii") as reverse_lines,
    ):
        for ahead, back in zip(forward_lines, reverse_lines, strict=True):
            yield grow_diag_final(links_from_text(ahead), links_from_text(back))


def _join_pairs(sources: Path, targets: Path, both: Path) -> None:
    with (
        sources.open(encoding="utf-8") as source_lines,
        targets.open(encoding="utf-8") as target_lines,
        both.open("w", encoding="utf-8") as out,
    ):
        for source, target in zip(source_lines, target_lines, strict=True):
            out.write(f"{source.rstrip()} ||| {target}")


def _align_batches(program: object, sources: Path, targets: Path) -> Iterator[list[Link]]:
    with (
        sources.open(encoding="utf-8") as source_lines,
        targets.open(encoding="utf-8") as target_lines,
    ):
        while batch := [line.split() for line in islice(source_lines, _BATCH)]:
            others = [line.split() for line in islice(target_lines, _BATCH)]
            for result in program.align_batch(batch, others):  # type: ignore[attr-defined]
                yield sorted(result["alignments"])


def _run_to_its_end(command: list[str | Path], messages: IO[bytes]) -> int:
    """Run a program and return its status; it and its children never outlive us.

    A signal or an exception kills them here; so does the interpreter's end when this runs in
    a thread that nobody waits for.
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
