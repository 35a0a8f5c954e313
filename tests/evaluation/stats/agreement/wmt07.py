"""Reads the judgements of the WMT07 workshop straight into arrays (`../shared`, section 4.1)."""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from evaluation.stats.agreement.single_items import ItemJudgements
from evaluation.stats.judgements import Codes
from evaluation.stats.resampling import Floats


@dataclass(frozen=True, eq=False)
class Grades:
    """An element for each output of each screen: what was graded, the screen, and the grade.

    An item is an output of a sentence; `both` has two grades of it, such as adequacy and fluency.
    """

    judged: ItemJudgements
    screens: Codes
    both: Floats


@cache
def read_wmt07(shared: Path, kind: str) -> Grades:
    """Return all grades of screens of this kind: NIST, RANK or CONSTITUENT; "-" is NaN."""
    with (shared / "data/judgements/wmt07/judgements").open(encoding="utf-8") as file:
        screens = [row for row in csv.reader(file) if row[1] == kind]
    rows = [
        (number, row[3], (row[0], row[2]), row[place], row[place + 1 : place + 3])
        for number, row in enumerate(screens)
        for place in range(5, len(row) - 2, 3)
        if row[place]
    ]

    def codes(names: list[object]) -> Codes:
        known = {name: code for code, name in enumerate(dict.fromkeys(names))}
        return np.array([known[name] for name in names], dtype=np.int32)

    return Grades(
        ItemJudgements(
            items=codes([(row[2], row[3]) for row in rows]),
            annotators=codes([row[1] for row in rows]),
            sentences=codes([row[2] for row in rows]),
        ),
        np.array([row[0] for row in rows], dtype=np.int32),
        np.array([[np.nan if x in ("-", "") else float(x) for x in row[4]] for row in rows]),
    )
