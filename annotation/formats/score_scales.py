"""Scales that a project names itself, such as "Adequacy 0-100 step 5", and scores on them.

A scale is a line: its name, its least and its most score, and the step between two scores unless
that is 1. After a colon, it can have a label for each score, from the least one: "XSTS 1-5:
unrelated | related | mostly equivalent | paraphrased | equivalent". All numbers are whole.

The scores of a translation are a text too: "Fluency 4, Adequacy 80".
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _

MOST_SCALES: Final = 6
# As many as from 0 to 100: ranks of statistics are small numbers.
MOST_SCORES: Final = 101
LONGEST_NAME: Final = 40
LONGEST_LABEL: Final = 80

_NUMBER: Final = r"[-−]?[0-9]{1,6}"
_SCALE: Final = re.compile(
    rf"(?P<name>\S.*?)\s+(?P<least>{_NUMBER})\s*[-–]\s*(?P<most>{_NUMBER})"
    r"(?:\s+step\s+(?P<step>[0-9]{1,6}))?"
)
_SCORE: Final = re.compile(rf"(?P<name>\S.*?)\s+(?P<score>{_NUMBER})")
# They separate names, labels and scores.
_SEPARATORS: Final = frozenset(",:|")


@dataclass(frozen=True)
class Scale:
    """Scores from `least` to `most`; `labels` has one for each, from the least, or is empty."""

    name: str
    least: int
    most: int
    step: int = 1
    labels: tuple[str, ...] = ()

    @property
    def scores(self) -> range:
        """All scores, from the least one."""
        return range(self.least, self.most + 1, self.step)

    @property
    def range(self) -> str:
        """The range as it is written in a line: "0-100 step 5"."""
        step = f" step {self.step}" if self.step > 1 else ""
        return f"{self.least}-{self.most}{step}"

    @property
    def labelled(self) -> list[tuple[int, str]]:
        """All scores, from the least one, with their labels; "" without one."""
        labels = self.labels or ("",) * len(self.scores)
        return list(zip(self.scores, labels, strict=True))

    def rank_of(self, score: int) -> int:
        """Return the place of the score, from 1, the most. Raise InputError if there is none."""
        if score not in self.scores:
            raise InputError(
                _("%(score)d is not on the scale %(scale)s: give a score of %(range)s."),
                score=score,
                scale=self.name,
                range=self.range,
            )
        return (self.most - score) // self.step + 1

    def score_of(self, rank: int) -> int:
        return self.most - (rank - 1) * self.step

    def __str__(self) -> str:
        labels = f": {' | '.join(self.labels)}" if self.labels else ""
        return f"{self.name} {self.range}{labels}"


def parse_scales(lines: Sequence[str]) -> tuple[Scale, ...]:
    """Return the scales of these lines. Raise InputError, with the line, for what are none."""
    if not 1 <= len(lines) <= MOST_SCALES:
        raise InputError(
            _("Give 1 to %(most)d scales, one a line: there are %(n)d."),
            most=MOST_SCALES,
            n=len(lines),
        )
    scales: list[Scale] = []
    for number, line in enumerate(lines, start=1):
        scale = _parse_scale(number, line)
        if scale.name.casefold() in (other.name.casefold() for other in scales):
            raise InputError(
                _("Line %(number)d: another scale is called %(name)s: each needs its own name."),
                number=number,
                name=scale.name,
            )
        scales.append(scale)
    return tuple(scales)


def _parse_scale(number: int, line: str) -> Scale:
    described, colon, labels = line.partition(":")
    found = _SCALE.fullmatch(described.strip())
    if not found:
        raise InputError(
            _(
                "Line %(number)d is no scale: write a name, the least and the most score, such as "
                "“Fluency 0-5” or “Adequacy 0-100 step 5”."
            ),
            number=number,
        )
    name = " ".join(found["name"].split())
    if len(name) > LONGEST_NAME or not name.isprintable() or _SEPARATORS & set(name):
        raise InputError(
            _(
                "Line %(number)d: use up to %(most)d printable characters for the name of the "
                "scale, and neither a comma nor “|”."
            ),
            number=number,
            most=LONGEST_NAME,
        )
    least, most = _number(found["least"]), _number(found["most"])
    step = int(found["step"] or 1)
    if least >= most:
        raise InputError(
            _("Line %(number)d: the least score, %(least)d, must be below the most, %(highest)d."),
            number=number,
            least=least,
            highest=most,
        )
    if not step or (most - least) % step:
        raise InputError(
            _("Line %(number)d: steps of %(step)d do not lead from %(least)d to %(highest)d."),
            number=number,
            step=step,
            least=least,
            highest=most,
        )
    scale = Scale(name, least, most, step)
    if len(scale.scores) > MOST_SCORES:
        raise InputError(
            _("Line %(number)d: a scale has at most %(most)d scores: choose a larger step."),
            number=number,
            most=MOST_SCORES,
        )
    return Scale(name, least, most, step, _labels(number, scale, labels)) if colon else scale


def _labels(number: int, scale: Scale, written: str) -> tuple[str, ...]:
    labels = tuple(" ".join(label.split()) for label in written.split("|"))
    if len(labels) != len(scale.scores):
        raise InputError(
            _(
                "Line %(number)d: the scale has %(scores)d scores and %(labels)d labels: write one "
                "for each, from the least score, with “|” between them, or none."
            ),
            number=number,
            scores=len(scale.scores),
            labels=len(labels),
        )
    for label in labels:
        if not label or len(label) > LONGEST_LABEL or not label.isprintable():
            raise InputError(
                _("Line %(number)d: each label needs 1 to %(most)d printable characters."),
                number=number,
                most=LONGEST_LABEL,
            )
    return labels


def parse_scores(text: str, scales: Sequence[Scale]) -> dict[str, int]:
    """Return the scores by the name of their scale, in the order of the scales.

    Scales may be without a score. Raises InputError for anything that `write_scores` would not
    have written, but for spaces and order.
    """
    known = {scale.name: scale for scale in scales}
    scores: dict[str, int] = {}
    for part in text.split(",") if text.strip() else ():
        found = _SCORE.fullmatch(part.strip())
        if not found or found["name"] not in known:
            raise InputError(
                _("“%(part)s” is no score: write scores as “%(example)s”."),
                part=part.strip()[:80],
                example=write_scores({scale.name: scale.most for scale in scales}, scales),
            )
        name, score = found["name"], _number(found["score"])
        if name in scores:
            raise InputError(_("There are two scores on the scale %(scale)s."), scale=name)
        known[name].rank_of(score)
        scores[name] = score
    return {name: scores[name] for name in known if name in scores}


def write_scores(scores: Mapping[str, int], scales: Collection[Scale]) -> str:
    """Return the scores, which are by the name of their scale, in the order of the scales."""
    return ", ".join(
        f"{scale.name} {scores[scale.name]}" for scale in scales if scale.name in scores
    )


def _number(written: str) -> int:
    return int(written.replace("−", "-"))
