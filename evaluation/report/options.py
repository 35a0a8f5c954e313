"""The options of a report."""

import math
from dataclasses import dataclass
from typing import Any, Final

from evaluation.stats.resampling import FEWEST_RESAMPLES

MOST_RESAMPLES: Final = 100_000
# By a person through the API, which must not occupy a worker for long.
MOST_REQUESTED_RESAMPLES: Final = 10_000
LARGEST_SEED: Final = 2**32 - 1


class BadOption(ValueError):
    """An invalid option; the message is for people."""


@dataclass(frozen=True)
class ReportOptions:
    """The number of resamples, the seed, and which judgements are excluded.

    Annotators with a κ (with themselves or with others) below `minimum_kappa`, or who passed less
    than the share `minimum_controls` of their control items, are excluded; so are repeats, if
    `repeats` is False.
    """

    resamples: int = 1000
    seed: int = 0
    minimum_kappa: float | None = None
    minimum_controls: float | None = None
    repeats: bool = True

    def __post_init__(self) -> None:
        """Raise BadOption for a number out of range."""
        if not FEWEST_RESAMPLES <= self.resamples <= MOST_RESAMPLES:
            raise BadOption(
                f"Resamples must be from {FEWEST_RESAMPLES} to {MOST_RESAMPLES}, "
                f"not {self.resamples}."
            )
        if not 0 <= self.seed <= LARGEST_SEED:
            raise BadOption(f"The seed must be from 0 to {LARGEST_SEED}, not {self.seed}.")
        if self.minimum_kappa is not None and not -1 <= self.minimum_kappa <= 1:
            raise BadOption(f"The minimum κ must be from -1 to 1, not {self.minimum_kappa}.")
        if self.minimum_controls is not None and not 0 <= self.minimum_controls <= 1:
            raise BadOption(
                f"The share of controls must be from 0 to 1, not {self.minimum_controls}."
            )

    @property
    def leaves_out(self) -> bool:
        """Whether the options exclude any judgement."""
        chosen = (self.minimum_kappa, self.minimum_controls)
        return not self.repeats or any(value is not None for value in chosen)

    @property
    def filters(self) -> dict[str, Any]:
        """The arguments of `leave_out`."""
        return {
            "minimum_kappa": self.minimum_kappa,
            "minimum_controls": self.minimum_controls,
            "repeats": self.repeats,
        }

    @property
    def key(self) -> str:
        """The options in one line: equal options have equal keys."""
        parts = [f"resamples {self.resamples}", f"seed {self.seed}"]
        if self.minimum_kappa is not None:
            parts.append(f"κ at least {self.minimum_kappa:g}")
        if self.minimum_controls is not None:
            parts.append(f"controls at least {self.minimum_controls:g}")
        if not self.repeats:
            parts.append("without repeats")
        return "|".join(parts)

    def as_json(self) -> dict[str, Any]:
        return dict(vars(self))

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> "ReportOptions":
        # Reports of former versions could add a rating called "skill".
        return cls(**{name: value for name, value in stored.items() if name != "skill"})


def share(text: str) -> float | None:
    """Return the number with four decimals, None for ""; raise BadOption if it is no number."""
    if not text.strip():
        return None
    try:
        number = float(text.strip().replace(",", "."))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise BadOption(f"{text.strip()!r} is not a number.")
    return round(number, 4)
