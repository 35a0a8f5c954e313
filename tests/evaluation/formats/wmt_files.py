"""Small files as WMT publishes them."""

from collections.abc import Iterable
from pathlib import Path

from annotation.formats.wmt import FIVE_WAY, PAIRWISE

# Segment, judge, and the five systems with their ranks, "A 1 B 2 blank -1 …".
FiveRow = tuple[int, str, str]
# Segment, judge, the two systems with their ranks, and the ranking's id.
PairRow = tuple[int, str, str, str]


def write_five_way(path: Path, rows: Iterable[FiveRow], pair: str = "Czech-English") -> Path:
    """Write a file of 21 columns; places that a row does not name are blank."""
    lines = [",".join(FIVE_WAY)]
    for segment, judge, ranked in rows:
        words = ranked.split()
        words += ["blank", "-1"] * (5 - len(words) // 2)
        names = [f"{number},{name}" for number, name in enumerate(words[::2])]
        start = [*pair.split("-"), str(segment), "cs-en.test", str(segment), judge]
        lines.append(",".join([*start, *names, *words[1::2]]))
    return write(path, lines)


def write_pairwise(path: Path, rows: Iterable[PairRow], pair: str = "cze-eng") -> Path:
    lines = [",".join(PAIRWISE)]
    for segment, judge, ranked, ranking in rows:
        start = [*pair.split("-"), str(segment), str(segment), judge]
        lines.append(",".join([*start, *ranked.split(), ranking]))
    return write(path, lines)


def write(path: Path, lines: Iterable[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path
