"""Agreement of metrics with people by segment: τ by each rule for ties, acc_eq, differences."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any, Final, NamedTuple

from evaluation.findings.metric_scores import METRIC
from evaluation.meta.segment_pearson import difference_pearson
from evaluation.meta.segment_tau import RULES, WMT14, MetricTaus, Tau, mean_tau, winners
from evaluation.meta.segment_ties import Agreement, TieCalibration, calibrate
from evaluation.meta.system_level import LACKS_SEGMENT_SCORES
from evaluation.metrics.names import written_name
from evaluation.rendering.tables import (
    Column,
    Count,
    Number,
    Table,
    Words,
    grouped_reasons,
    interval_column,
    missing_figures,
)
from evaluation.rendering.text import Language, Listed, Text, _
from evaluation.stats.estimates import Estimate, signed
from evaluation.stats.resampling import Floats

TIE_RULES: Final = _(
    "Metrics sometimes give two translations the same score where people see a difference. WMT12 "
    "counts this as an error, WMT13 leaves it out, WMT14 counts it as neither right nor wrong. "
    "HTIES does the same, and counts ties of people too, which only a tie of the metric gets "
    "right. Report the rule with the figure."
)
# The tables of scores that judge whole sentences, in the order of the page.
OF_SENTENCES: Final = ("tau-comparisons", "tau-pairs", "acc-eq", "difference-pearson")
BY_SEGMENT: Final = _("Comparisons of systems, a segment at a time")
BY_SENTENCE: Final = _("Pairs of systems in a sentence, all its judgements together")
OF_CANDIDATES: Final = _("Kendall’s τ of scores of candidates, with annotators as the ceiling")
HALF_WIDTHS: Final = _(
    "± is half of the 95 % interval for other sentences; intervals that resample single "
    "comparisons, as WMT published them, are less than half as wide."
)


@dataclass(frozen=True)
class TauOfRule(Number):
    """τ, its interval, and half widths by sentence and by comparison; people see the first."""

    parts = 5

    def write(self, cell: Any, language: Language) -> str:
        return super().write(cell[0], language)

    def asides(self, cell: Any, language: Language) -> tuple[str, ...]:
        width = cell[3]
        return () if width is None else (f"± {super().write(width, language)}",)

    def plain(self, cell: Any) -> tuple[float | None, ...]:
        return tuple(cell)


# Of candidates, and of annotators as if they were metrics of candidates.
CANDIDATE_SCORES: Final[Mapping[str, Text]] = {
    "words": _("words found in the reference"),
    "characters": _("characters found in the reference"),
    "consensus": _("similarity to other systems"),
    "combined": _("characters and similarity together"),
    "another annotator": _("another annotator"),
    "the same annotator again": _("the same annotator again"),
}


@dataclass(frozen=True)
class CandidateScore(Words):
    """The name of a score of candidates, or of annotators beside them."""

    def write(self, cell: Any, language: Language) -> str:
        return language.text(CANDIDATE_SCORES.get(cell) or written_name(cell))

    def plain(self, cell: Any) -> tuple[str]:
        return (cell,)


SCORE: Final = Column("metric", _("Score"), CandidateScore())


@dataclass(frozen=True)
class _Row:
    """A metric, or annotators as if they were one, which compete with no metric."""

    found: MetricTaus
    best: tuple[str, ...]
    competes: bool

    @property
    def metric(self) -> str:
        return self.found.metric

    def tau(self, rule: str) -> Tau | None:
        return next((tau for tau in self.found.taus if tau.rule == rule), None)


def _cell(rule: str, row: _Row) -> tuple[float | None, ...]:
    tau = row.tau(rule)
    if tau is None:
        return (None,) * TauOfRule.parts
    of = tau.estimate
    return of.value, of.low, of.high, tau.half_width, tau.half_width_by_comparison


def taus_table(
    found: Sequence[MetricTaus],
    name: str,
    caption: Text | str,
    *,
    ceiling: Sequence[MetricTaus] = (),
    metric: Column = METRIC,
    provenance: Sequence[str] = (),
) -> Table:
    """Return τ by rule of the metrics, by falling τ of WMT14, and of the annotators below."""
    best = winners(found)
    rows = [
        _Row(row, tuple(rule for rule, names in best.items() if row.metric in names), True)
        for row in found
    ]
    rows.sort(key=lambda row: -_or_lowest(row.found.tau(WMT14).estimate.value))
    rows += [_Row(row, (), False) for row in ceiling]

    def count(column: str, heading: Text) -> Column:
        return Column(column, heading, Count(), lambda row: getattr(row.found, column))

    return Table.of(
        name,
        caption,
        (
            metric,
            *(
                Column(
                    f"{rule.name} {rule.name}_low {rule.name}_high {rule.name}_half_width "
                    f"{rule.name}_published_half_width",
                    rule.name,
                    TauOfRule(),
                    partial(_cell, rule.name),
                    is_main=rule is WMT14,
                )
                for rule in RULES
            ),
            Column(
                "best",
                _("Best by"),
                Words(),
                lambda row: Listed([Text(rule) for rule in row.best]) if row.best else None,
                may_be_empty=True,
            ),
            count("concordant", _("Agree")),
            count("discordant", _("Disagree")),
            count("metric_ties", _("Ties of the metric")),
            count("human_ties", _("Ties of people")),
            Column(
                "missing",
                _("Missing"),
                Count(),
                lambda row: row.found.missing or None,
                may_be_empty=True,
            ),
        ),
        rows,
        groups=lambda row: row.competes,
        notes=[
            _(
                "People preferred one of the two translations in %(count)s comparisons.",
                count=max((row.untied for row in found), default=0),
            ),
            HALF_WIDTHS,
            *grouped_reasons(
                (written_name(row.metric), rule.name, tau.estimate.undefined)
                for row in rows
                for rule in RULES
                if (tau := row.tau(rule.name)) is not None
            ),
        ],
        details=[signed(row.signature, provenance) for row in found[:1]],
    )


def _or_lowest(value: float | None) -> float:
    """Return the value, or one below all if it is undefined, to sort by."""
    return -2.0 if value is None else value


@dataclass(frozen=True)
class ScoreAgreement:
    """How far a metric's scores of the translations of a sentence agree with those of people.

    Undefined if the metric lacks scores of what people judged: it would be compared with others on
    fewer pairs than they have.
    """

    ties: TieCalibration
    differences: Agreement


def agreement_of_scores(
    human: Floats, scores: Mapping[str, Floats], *, resamples: int, seed: int
) -> dict[str, ScoreAgreement]:
    """Return the agreement of each metric; scores are systems × sentences, NaN if missing."""
    again: dict[str, Any] = {"resamples": resamples, "seed": seed}
    return {
        name: _complete(
            ScoreAgreement(
                calibrate(human, values, **again), difference_pearson(human, values, **again)
            )
        )
        for name, values in scores.items()
    }


def _complete(found: ScoreAgreement) -> ScoreAgreement:
    ties, differences = found.ties, found.differences
    if not differences.missing:
        return found
    none = Estimate(None, undefined=LACKS_SEGMENT_SCORES)
    return ScoreAgreement(
        TieCalibration(
            None, replace(ties.calibrated, estimate=none), replace(ties.uncalibrated, estimate=none)
        ),
        replace(differences, estimate=none),
    )


class _Agreeing(NamedTuple):
    metric: str
    found: ScoreAgreement


def _epsilon(row: _Agreeing) -> float | None:
    """Return the ε, without decimals where it is exactly 0; other ε are often tiny."""
    epsilon = row.found.ties.epsilon
    return 0 if epsilon == 0 else epsilon


def score_tables(
    found: Mapping[str, ScoreAgreement], metrics: Sequence[str], provenance: Sequence[str] = ()
) -> list[Table]:
    """Return acc_eq and r of differences of the metrics that have them, the best first."""
    rows = [_Agreeing(name, found[name]) for name in metrics if name in found]
    if not rows:
        return []

    def table(
        name: str,
        caption: Text,
        columns: Sequence[Column],
        of: Callable[[ScoreAgreement], Agreement],
        note: Text,
    ) -> Table:
        agreeing = sorted(rows, key=lambda row: -_or_lowest(of(row.found).estimate.value))
        named = ((written_name(row.metric), of(row.found).estimate) for row in agreeing)
        return Table.of(
            name,
            caption,
            (METRIC, *columns),
            agreeing,
            notes=[note, *missing_figures(named)],
            details=[signed(of(agreeing[0].found).signature, provenance)],
        )

    return [
        table(
            "acc-eq",
            _("Accuracy that counts ties (acc_eq)"),
            (
                Column(
                    "accuracy",
                    _("As it is"),
                    value=attrgetter("found.ties.uncalibrated.estimate.value"),
                ),
                Column(
                    "calibrated",
                    _("Calibrated"),
                    value=attrgetter("found.ties.calibrated.estimate.value"),
                    is_main=True,
                ),
                interval_column("found.ties.calibrated.estimate", unit=_("calibrated")),
                Column("epsilon", "ε", Number(6), _epsilon),
            ),
            attrgetter("ties.calibrated"),
            _(
                "acc_eq is the share of pairs of systems in a sentence on which the metric "
                "agrees with people, ties included. Calibrated: scores that differ by at most "
                "ε tie, with the ε that agrees most; it is chosen on the same judgements, so "
                "it flatters slightly."
            ),
        ),
        table(
            "difference-pearson",
            _("Correlation of differences in a sentence"),
            (
                Column(
                    "pearson",
                    _("Pearson’s r"),
                    value=attrgetter("found.differences.estimate.value"),
                    is_main=True,
                ),
                interval_column("found.differences.estimate", unit=_("other sentences")),
                Column(
                    "sentences", _("Sentences"), Count(), attrgetter("found.differences.groups")
                ),
            ),
            attrgetter("differences"),
            _(
                "How much better is one translation of a sentence than another, by people and by "
                "the metric? r is the correlation of these differences over all sentences. Large "
                "differences count more than small ones, so a few outliers can decide it."
            ),
        ),
    ]


@dataclass(frozen=True)
class MeanTaus:
    """Mean τ of a metric over language pairs, by rule; None if it lacks one of them."""

    metric: str
    taus: dict[str, float | None]


def mean_taus(levels: Sequence[Sequence[MetricTaus]]) -> tuple[MeanTaus, ...]:
    """Return the means over several language pairs; none for one."""
    if len(levels) < 2:
        return ()
    rows = []
    for name in dict.fromkeys(row.metric for level in levels for row in level):
        of_metric = [row for level in levels for row in level if row.metric == name]
        complete = len(of_metric) == len(levels)
        rows.append(
            MeanTaus(
                name,
                {rule.name: mean_tau(of_metric, rule) if complete else None for rule in RULES},
            )
        )
    return tuple(rows)


def _mean(rule: str, row: MeanTaus) -> float | None:
    return row.taus[rule]


def mean_taus_table(found: Sequence[MeanTaus]) -> Table:
    return Table.of(
        "mean-taus",
        _("Mean τ of language pairs; a metric that lacks one of them has none"),
        (
            METRIC,
            *(Column(rule.name, rule.name, Number(4), partial(_mean, rule.name)) for rule in RULES),
        ),
        found,
    )
