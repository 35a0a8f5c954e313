"""Scales of labelled steps, the best first: their numbers, grades and a project's own labels."""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Final

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _

FEWEST_STEPS: Final = 2
MOST_STEPS: Final = 11
LONGEST_LABEL: Final = 80
# The grades of Nießen et al. (2000), which the pages suggest.
SUGGESTED: Final = tuple(map(str, range(10, -1, -1)))

# A label that begins with a whole number, such as "10" or "5 – excellent", but not "1.5".
NUMBERED: Final = re.compile(r"([0-9]{1,3})(?![0-9]|[.,][0-9])")

NUMBER: Final = re.compile(r"[+-]?[0-9]+([.][0-9]+)?")


def step_numbers(labels: Iterable[object]) -> tuple[str, ...]:
    """Return the numbers with which the labels begin; () unless each has a number of its own."""
    found = [NUMBERED.match(str(label)) for label in labels]
    numbers = [str(int(match[1])) for match in found if match]
    return tuple(numbers) if len(set(numbers)) == len(found) else ()


def grades_of(labels: Sequence[object]) -> tuple[float, ...]:
    """Return the grades of steps with these labels, the best first: what means are taken of.

    They are the labels where all are numbers that fall in equal steps, such as 10, 9, … 0. Else the
    worst step counts 1, and the best one as many as there are.
    """
    texts = [str(label).replace("−", "-").replace(",", ".") for label in labels]
    if len(texts) > 1 and all(map(NUMBER.fullmatch, texts)):
        numbers = [Decimal(text) for text in texts]
        falls = {better - worse for better, worse in pairwise(numbers)}
        if len(falls) == 1 and falls.pop() > 0:
            return tuple(map(float, numbers))
    return tuple(map(float, range(len(texts), 0, -1)))


def joined_labels(labels: Sequence[str]) -> str:
    """Return the labels of the steps, best first, as a project stores them: one a line.

    Blanks around them are removed. Raises InputError for too few or too many labels, and for one
    that is empty, too long, not printable or given twice.
    """
    trimmed = [label.strip() for label in labels]
    if not FEWEST_STEPS <= len(trimmed) <= MOST_STEPS:
        raise InputError(
            _("Give %(fewest)d to %(most)d steps of the scale, the best first: there are %(n)d."),
            fewest=FEWEST_STEPS,
            most=MOST_STEPS,
            n=len(trimmed),
        )
    for number, label in enumerate(trimmed, start=1):
        if not label:
            raise InputError(_("Step %(number)d of the scale has no label."), number=number)
        if len(label) > LONGEST_LABEL or not label.isprintable():
            raise InputError(
                _("Step %(number)d of the scale: use up to %(most)d printable characters."),
                number=number,
                most=LONGEST_LABEL,
            )
        if label in trimmed[: number - 1]:
            raise InputError(
                _("Two steps of the scale have the label %(label)s: each needs its own."),
                label=label,
            )
    return "\n".join(trimmed)
