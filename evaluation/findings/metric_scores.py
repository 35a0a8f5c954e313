"""The scores of systems by people and by metrics, beside each other."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal

from evaluation.findings.ranking import SCORES
from evaluation.meta.outliers import Outliers
from evaluation.meta.resampled_metrics import SentenceStatistics
from evaluation.metrics.catalogue import NAMES
from evaluation.metrics.names import written_name, written_tokenizer
from evaluation.rendering.figures import Figure
from evaluation.rendering.figures.scatter import Dot, scatter_plot
from evaluation.rendering.figures.style import Look, Specification, Words
from evaluation.rendering.tables import Column, Name, Number, Table, Tag, estimate_columns
from evaluation.rendering.text import UNDEFINED, Language, Listed, Text, _
from evaluation.stats.estimates import Estimate
from evaluation.stats.resampling import Floats

# How a metric decides whether one system is better than another.
DecisionTest = Literal["paired t-test", "bootstrap"]
# Scores of systems by people that metrics are compared with.
GOLD_NAMES: Final[Mapping[str, Text]] = {
    **SCORES,
    "mean_z": _("Mean standardised score (z)"),
    "minus_hter": _("−HTER"),
}
EXPLAINED: Final[Mapping[str, Text]] = {
    "mean_z": _(
        "Scores are standardised: how many standard deviations they are above the mean of their "
        "annotator."
    ),
    "minus_hter": _(
        "−HTER: edits for a word of the edited text, less than 0 so that higher is better. Outputs "
        "that annotators could not correct are left out."
    ),
}


@dataclass(frozen=True, eq=False)
class ScoredMetric:
    """A metric's scores of K systems and of their S sentences; better is higher, NaN is missing.

    `of_systems` K; `of_sentences` K × S, None if the metric has none. `provenance` says where
    imported scores come from; it is empty for those that SegRanks computed. `of_systems` are the
    scores of all sentences of the `statistics`; without these they stay fixed in resamples.
    """

    name: str
    signature: str
    of_systems: Floats
    of_sentences: Floats | None
    provenance: str = ""
    statistics: SentenceStatistics | None = None

    @property
    def decided_by(self) -> DecisionTest:
        """The test of a difference of two systems: a t-test needs means of sentence scores."""
        is_mean = self.statistics is None or self.statistics.is_mean
        return "paired t-test" if is_mean else "bootstrap"


@dataclass(frozen=True)
class MetricScores:
    """A metric's scores of the judged systems, None if missing; better is higher.

    `resampled` tells whether intervals by sentence resample its scores too; they stay fixed if they
    are imported without sentence scores that they are the means of. For the others see
    `ScoredMetric`.
    """

    metric: str
    signature: str
    provenance: str
    resampled: bool
    decided_by: DecisionTest
    scores: dict[str, float | None]


@dataclass(frozen=True)
class GoldSystem:
    system: str
    score: Estimate


@dataclass(frozen=True)
class Gold:
    """Scores by people, best first; `words` say how mean scores were computed."""

    method: str
    systems: tuple[GoldSystem, ...]
    words: tuple[str, ...]


@dataclass(frozen=True)
class MetricName(Name):
    """The name of a metric, which people write differently from programs."""

    def write(self, cell: Any, language: Language) -> str:
        return UNDEFINED if cell is None else written_name(cell)


METRIC: Final = Column("metric", _("Metric"), MetricName())


def scores_of(metric: ScoredMetric, systems: Sequence[str]) -> MetricScores:
    """Return the scores of the systems, whose order is that of the metric's scores."""
    return MetricScores(
        metric=metric.name,
        signature=metric.signature,
        provenance=metric.provenance,
        resampled=metric.statistics is not None,
        decided_by=metric.decided_by,
        scores=dict(zip(systems, metric.of_systems.tolist(), strict=True)),
    )


def _score_by(scores: Mapping[str, float | None]) -> Callable[[Any], float | None]:
    return lambda item: scores.get(item.system)


def score_columns(metrics: Sequence[MetricScores], places: int = 3) -> list[Column]:
    """Return a column for each metric, with its tokeniser, of items with a `system`."""
    return [
        Column(
            f"score_{row.metric}",
            written_name(row.metric),
            Number(places),
            _score_by(row.scores),
            unit=written_tokenizer(row.signature),
        )
        for row in metrics
    ]


def origins(metrics: Sequence[MetricScores]) -> list[str]:
    """Return the signature of each metric, and where imported scores come from."""
    return [
        f"{row.metric}: {row.signature}" + (f" ({row.provenance})" if row.provenance else "")
        for row in metrics
    ]


def tables(gold: Gold, outliers: Outliers, metrics: Sequence[MetricScores]) -> list[Table]:
    people, *intervals = estimate_columns("people", _("People"), lambda row: row.score)
    lacking = dict.fromkeys(row.score.no_wide_interval for row in gold.systems)
    return [
        Table.of(
            "metric-scores",
            _("Scores of systems by people and by metrics."),
            (
                Column("system", _("System"), Name()),
                Column(
                    "outlier",
                    _("Outlier"),
                    Tag(),
                    lambda row: _("outlier") if row.system in outliers.names else None,
                    may_be_empty=True,
                ),
                replace(people, unit=GOLD_NAMES[gold.method]),
                *intervals,
                *score_columns(metrics),
            ),
            gold.systems,
            notes=[
                _("A higher score is better for every metric: error rates are subtracted from 1."),
                *(
                    _("There is no interval for other annotators: %(why)s.", why=Text(why))
                    for why in lacking
                    if why
                ),
                *([EXPLAINED[gold.method]] if gold.method in EXPLAINED else []),
                *outlier_notes(outliers),
            ],
            details=[*gold.words, *origins(metrics)],
        )
    ]


def outlier_notes(found: Outliers) -> list[Text]:
    """Return which systems are outliers, and why they deserve a second look."""
    if not found.names:
        named = _("There are no outliers.")
    elif found.method == "MAD":
        named = _(
            "The score by people of outliers (%(systems)s) is more than 2.5 times as far from the "
            "median as is usual (MAD). Outliers are easy to order, and raise correlations.",
            systems=Listed(found.names),
        )
    else:
        named = _("The outliers were listed: %(systems)s.", systems=Listed(found.names))
    doubt = _("Look at the outliers again: %(why)s.", why=Text(found.note))
    return [named, doubt] if found.note else [named]


def figures(gold: Gold, outliers: Outliers, metrics: Sequence[MetricScores]) -> list[Figure]:
    """Return the scores by each metric beside those by people."""

    def draw(row: MetricScores, look: Look, words: Words) -> Specification | None:
        dots = [
            Dot(each.system, each.score.value or 0.0, score, each.system in outliers.names)
            for each in gold.systems
            if (score := row.scores.get(each.system)) is not None
        ]
        return scatter_plot(dots, written_name(row.metric), look, words)

    return [
        Figure(
            _plot_name(row.metric, number),
            Text(written_name(row.metric)),
            "metric-scores",
            partial(draw, row),
        )
        for number, row in enumerate(metrics, start=1)
    ]


def _plot_name(metric: str, number: int) -> str:
    """Return a name that can stand in an address: imported metrics may have any characters."""
    if metric in NAMES:
        return f"scatter-{metric.replace('+', 'p')}"
    return f"scatter-{number}-{re.sub(r'[^a-z0-9]+', '-', metric.lower()).strip('-')}"
