"""What a report is computed with."""

import math
from dataclasses import dataclass
from typing import Any, Final

MOST_RESAMPLES: Final = 100_000
LARGEST_SEED: Final = 2**32 - 1


class BadOption(ValueError):
    """An option that no report can be computed with; the message is for people."""


@dataclass(frozen=True)
class ReportOptions:
    """How often sentences are drawn again, from which seed, and whose judgements are left out.

    Annotators with a κ (with themselves or with others) below `minimum_kappa`, or who passed less
    than the share `minimum_controls` of their control items, are left out; repeats where `repeats`
    is False. With `skill` systems are ranked by a TrueSkill-like
    rating too.
    """

    resamples: int = 1000
    seed: int = 0
    minimum_kappa: float | None = None
    minimum_controls: float | None = None
    repeats: bool = True
    skill: bool = False

    def __post_init__(self) -> None:
        """Raise BadOption for a number that means nothing."""
        if not 1 <= self.resamples <= MOST_RESAMPLES:
            raise BadOption(
                f"{self.resamples} resamples: give a number from 1 to {MOST_RESAMPLES}."
            )
        if not 0 <= self.seed <= LARGEST_SEED:
            raise BadOption(f"The seed {self.seed}: give a number from 0 to {LARGEST_SEED}.")
        if self.minimum_kappa is not None and not -1 <= self.minimum_kappa <= 1:
            raise BadOption(f"κ of at least {self.minimum_kappa}: give a number from -1 to 1.")
        if self.minimum_controls is not None and not 0 <= self.minimum_controls <= 1:
            raise BadOption(f"A share of {self.minimum_controls} controls: give one from 0 to 1.")

    @property
    def leaves_out(self) -> bool:
        """Whether any judgement may be left out."""
        chosen = (self.minimum_kappa, self.minimum_controls)
        return not self.repeats or any(value is not None for value in chosen)

    @property
    def key(self) -> str:
        """The options in a line; the same for the same ones."""
        parts = [f"resamples {self.resamples}", f"seed {self.seed}"]
        if self.minimum_kappa is not None:
            parts.append(f"κ at least {self.minimum_kappa:g}")
        if self.minimum_controls is not None:
            parts.append(f"controls at least {self.minimum_controls:g}")
        if not self.repeats:
            parts.append("without repeats")
        if self.skill:
            parts.append("with skill")
        return "|".join(parts)

    def as_json(self) -> dict[str, Any]:
        return dict(vars(self))

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> "ReportOptions":
        return cls(**stored)


def share(text: str) -> float | None:
    """Read a number somebody wrote, "" for none, to four decimals. Raise BadOption."""
    if not text.strip():
        return None
    try:
        number = float(text.strip().replace(",", "."))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise BadOption(f"{text.strip()!r} is no number.")
    return round(number, 4)
