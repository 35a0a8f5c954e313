"""The options of a report."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, Final, get_args

from evaluation.meta.mean_scores import MEANS
from evaluation.metrics.catalogue import NAMES as METRIC_NAMES
from evaluation.rendering.text import Text, _
from evaluation.stats.ranking.marked_systems import ERROR_FREE_FROM
from evaluation.stats.ranking.systems import METHODS
from evaluation.stats.resampling import FEWEST_RESAMPLES
from evaluation.stats.units import Unit, UnitName

MOST_RESAMPLES: Final = 100_000
# By a person through the API, which must not occupy a worker for long.
MOST_REQUESTED_RESAMPLES: Final = 10_000
LARGEST_SEED: Final = 2**32 - 1
# Those of the WMT metrics task, and what they are mostly compared with today.
DEFAULT_METRICS: Final = (
    "bleu",
    "chrf",
    "chrf++",
    "ter",
    "meteor",
    "nist",
    "sentbleu",
    "wer",
    "per",
    "cder",
)
# The scores of systems by people that metrics can be compared with: of rankings by wins, and means
# where each translation is put on a step, or edited, by itself.
GOLDS: Final = (*METHODS, *MEANS)
# Headings, and what they are where other units are sampled.
OTHERS: Final[Mapping[UnitName, Mapping[str, Text]]] = {
    "sentence": {},
    "document": {"other sentences": _("other documents")},
    "block": {"other sentences": _("other blocks")},
}
UNITS: Final[tuple[UnitName, ...]] = get_args(UnitName)
# Sentences in a block.
BLOCK_SIZE: Final = 10
SMALLEST_BLOCK: Final = 2
HIGHEST_SCORE: Final = 100
LARGEST_BLOCK: Final = 1000


class BadOption(ValueError):
    """An invalid option; the message is for people."""


@dataclass(frozen=True)
class ReportOptions:
    """The number of resamples, the seed, what is sampled, and which judgements are excluded.

    Intervals and tests sample the `unit`, a block having `block_size` neighbouring sentences.
    Annotators with a κ (with themselves or with others) below `minimum_kappa`, or who passed less
    than the share `minimum_controls` of their control items, are excluded; so are repeats, if
    `repeats` is False. With `predictions`, the report has prediction-powered intervals too.
    A translation is error-free where nothing is marked and its score is at least `error_free_from`.
    """

    resamples: int = 1000
    seed: int = 0
    minimum_kappa: float | None = None
    minimum_controls: float | None = None
    repeats: bool = True
    unit: UnitName = "sentence"
    block_size: int = BLOCK_SIZE
    predictions: bool = False
    error_free_from: int = ERROR_FREE_FROM

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
        if not 0 <= self.error_free_from <= HIGHEST_SCORE:
            raise BadOption(
                f"The score of error-free translations must be from 0 to {HIGHEST_SCORE}, not "
                f"{self.error_free_from}."
            )
        if self.unit not in UNITS:
            raise BadOption(f"The unit must be {', '.join(UNITS)}, not {self.unit!r}.")
        if not SMALLEST_BLOCK <= self.block_size <= LARGEST_BLOCK:
            raise BadOption(
                f"A block must have {SMALLEST_BLOCK} to {LARGEST_BLOCK} sentences, not "
                f"{self.block_size}."
            )
        if self.block_size != BLOCK_SIZE and self.unit != "block":
            raise BadOption(
                "A size of blocks has no effect: choose the unit block, or leave it out."
            )

    @property
    def leaves_out(self) -> bool:
        """Whether the options exclude any judgement."""
        chosen = (self.minimum_kappa, self.minimum_controls)
        return not self.repeats or any(value is not None for value in chosen)

    @property
    def sampled(self) -> Unit:
        """What intervals and tests sample."""
        return Unit(self.unit, self.block_size if self.unit == "block" else 1)

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
        if self.unit != "sentence":
            parts.append(str(self.sampled))
        if self.predictions:
            parts.append("with predictions")
        if self.error_free_from != ERROR_FREE_FROM:
            parts.append(f"error-free from {self.error_free_from}")
        return "|".join(parts)


@dataclass(frozen=True)
class MetricsOptions:
    """Which metrics are compared with which scores by people, and how intervals are computed.

    `gold` is one of GOLDS. Outliers are found by MAD unless `outliers` names them.
    """

    metrics: tuple[str, ...] = DEFAULT_METRICS
    gold: str = "ratio_of_wins"
    outliers: tuple[str, ...] | None = None
    resamples: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        """Raise BadOption for an unknown name, a metric given twice, or a number out of range."""
        for metric in self.metrics:
            if metric not in METRIC_NAMES:
                raise BadOption(
                    f"There is no metric {metric!r}: choose from {', '.join(METRIC_NAMES)}."
                )
            if self.metrics.count(metric) > 1:
                raise BadOption(f"The metric {metric!r} is given twice: each may stand once.")
        if not self.metrics:
            raise BadOption("Choose at least one metric.")
        if self.gold not in GOLDS:
            raise BadOption(f"The gold must be one of {', '.join(GOLDS)}, not {self.gold!r}.")
        # The same limits as those of reports.
        ReportOptions(resamples=self.resamples, seed=self.seed)

    @property
    def key(self) -> str:
        """The options in one line: equal options have equal keys, and no report has them."""
        chosen = json.dumps(asdict(self), sort_keys=True, ensure_ascii=False)
        return f"metrics {sha256(chosen.encode()).hexdigest()}"


@dataclass(frozen=True)
class AnnotatorModelOptions:
    """How models of annotators are fitted; with `keep`, also systems by so many annotators."""

    resamples: int = 1000
    seed: int = 0
    keep: int | None = None

    def __post_init__(self) -> None:
        """Raise BadOption for a number out of range."""
        if self.keep is not None and self.keep < 1:
            raise BadOption("The most precise annotators to keep must be one or more.")
        # The same limits as those of reports.
        ReportOptions(resamples=self.resamples, seed=self.seed)

    @property
    def key(self) -> str:
        """The options in one line: equal options have equal keys, and no report has them."""
        kept = () if self.keep is None else (f"the {self.keep} most precise annotators",)
        given = (f"resamples {self.resamples}", f"seed {self.seed}", *kept)
        return "|".join(("models of annotators", *given))


def whole_number(text: str, default: int) -> int:
    """Return the number from 0, the default for ""; raise BadOption if it is none."""
    if not text.strip():
        return default
    if not (text.strip().isascii() and text.strip().isdecimal() and len(text.strip()) < 10):
        raise BadOption(f"{text.strip()!r} is not a whole number.")
    return int(text)


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
