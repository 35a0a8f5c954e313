"""Agreement of metrics with people by system: correlations, tests and decisions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter, itemgetter
from typing import Any, Final

import numpy as np

from evaluation.findings.metric_scores import METRIC, DecisionTest
from evaluation.meta.decisions import Decisions
from evaluation.meta.permutation import PermutationTests, Swapped
from evaluation.meta.system_level import (
    NO_SEGMENT_SCORES,
    Figure,
    MetricFigures,
    PooledAccuracy,
    SystemLevel,
    SystemSet,
)
from evaluation.metrics.names import written_name
from evaluation.rendering.tables import (
    NUMBER,
    Column,
    Count,
    Interval,
    Number,
    OutOf,
    P,
    Ranks,
    Table,
    Tag,
    Words,
    grouped_reasons,
)
from evaluation.rendering.text import Listed, Text, _, ngettext
from evaluation.stats.estimates import signed
from evaluation.stats.resampling import Floats

FIGURES: Final[Mapping[str, Text]] = {
    "pearson": _("Pearson’s r"),
    "spearman": _("Spearman’s ρ"),
    "kendall": _("Kendall’s τ"),
    "accuracy": _("Accuracy"),
    "soft_accuracy": _("Soft accuracy"),
}
# What is resampled for intervals.
RESAMPLED: Final[Mapping[str, Text]] = {
    "sentences": _("other sentences"),
    "comparisons": _("as published"),
    "systems": _("other systems"),
}
OF_FIGURES: Final = _(
    "r is the correlation of the scores, ρ and τ are that of their order. Accuracy is the share of "
    "pairs of systems that the metric orders as people do; soft accuracy compares how certain both "
    "are of each order. A winner is a metric that no other significantly exceeds in r (Williams’ "
    "test, p < 0.05)."
)
OF_INTERVALS: Final = _(
    "Intervals are 95 %. “Other sentences” resamples the sentences: each resample gives new scores "
    "by people and by the metric. A metric scores all sentences that have a reference; people "
    "count where they judged. “As published” resamples single comparisons and keeps the metric’s "
    "scores, as WMT did; it is too narrow, because the comparisons of one sentence are not "
    "independent. “Other systems” resamples the systems: it says what r may be among different "
    "systems."
)
OF_ALL_PAIRS: Final = _(
    "Pairs of systems of all language pairs: what the metric decides, and what people do"
)
SWAPPED: Final[Mapping[Swapped, Text]] = {
    "systems": _("p of each metric against each other, by permutations of systems."),
    "inputs": _("p of each metric against each other, by permutations of sentences."),
    "both": _("p of each metric against each other, by permutations of systems and sentences."),
}
TESTS: Final[Mapping[DecisionTest, Text]] = {
    "paired t-test": _("paired t-test"),
    "bootstrap": _("bootstrap"),
}


def level_tables(found: SystemLevel, signature: str, *, fixed: Sequence[str] = ()) -> list[Table]:
    """Return the tables of all systems, and of those that are no outliers.

    `fixed` are metrics whose scores are not resampled with the sentences.
    """
    every, rest = found.all_systems, found.without_outliers
    number = len(every.systems)
    made = _set_tables(
        every, ngettext("%(number)s system", "All %(number)s systems", number), "", fixed, signature
    )
    if rest:
        caption = ngettext(
            "%(number)s system without outliers",
            "%(number)s systems without outliers",
            len(rest.systems),
        )
        made += _set_tables(rest, caption, "-without-outliers", fixed, signature)
    return [*made, *_windows(found, signature)]


def _set_tables(
    found: SystemSet, caption: Text, suffix: str, fixed: Sequence[str], signature: str
) -> list[Table]:
    rows = [found.metrics[place] for place in found.by_r]
    agreement = Table.of(
        f"system-level{suffix}",
        _("Agreement of metrics with people: %(systems)s", systems=caption),
        (
            METRIC,
            Column(
                "winner",
                _("Winner"),
                Tag(is_good=True),
                lambda row: _("winner") if row.metric in found.williams.winners else None,
                may_be_empty=True,
            ),
            Column(
                "pearson", FIGURES["pearson"], value=lambda row: row.pearson.value, is_main=True
            ),
            *(
                replace(column, heading=_("Interval of r"))
                for column in _interval_columns("pearson_", lambda row: row.pearson)
            ),
            *(
                Column(
                    name,
                    FIGURES[name],
                    value=attrgetter(f"{name}.value"),
                    may_be_empty=True,
                )
                for name in ("spearman", "kendall", "accuracy", "soft_accuracy")
            ),
            Column("agreeing pairs", _("Pairs"), OutOf()),
        ),
        rows,
        # The other table of the page stands below this one.
        notes=[*_set_notes(found, rows, fixed), *([] if suffix else [OF_FIGURES, OF_INTERVALS])],
        details=[signature],
    )
    intervals = Table.of(
        f"intervals{suffix}",
        _("All figures with their 95 %% intervals: %(systems)s", systems=caption),
        (
            METRIC,
            Column("figure", _("Figure"), Words()),
            Column("value", _("Value"), value=lambda row: row.found.value),
            *_interval_columns("", lambda row: row.found),
        ),
        [
            _Named(row.metric, words, getattr(row, name))
            for row in rows
            for name, words in FIGURES.items()
        ],
        notes=[OF_INTERVALS],
        details=[signature],
    )
    order = found.by_r
    williams = _against(
        f"williams{suffix}",
        _(
            "Williams’ test: p that the metric of the row has no higher r than that of the column: "
            "%(systems)s",
            systems=caption,
        ),
        [row.metric for row in rows],
        found.williams.p[np.ix_(order, order)],
        signature,
    )
    return [agreement, intervals, williams]


@dataclass(frozen=True)
class _Named:
    metric: str
    figure: Text
    found: Figure


def _interval_columns(prefix: str, of: Callable[[Any], Figure]) -> list[Column]:
    def ends(unit: str, row: Any) -> tuple[float | None, float | None]:
        found = of(row).interval(unit)
        return (found.low, found.high) if found else (None, None)

    return [
        Column(
            f"{prefix}{unit}_low {prefix}{unit}_high",
            _("95 % interval"),
            Interval(),
            partial(ends, unit),
            unit=words,
            may_be_empty=True,
        )
        for unit, words in RESAMPLED.items()
    ]


def _set_notes(found: SystemSet, rows: Sequence[MetricFigures], fixed: Sequence[str]) -> list[Text]:
    """Return what the figures are of, and why some are missing."""
    notes = []
    if found.soft:
        notes.append(
            ngettext(
                "Soft accuracy compares %(compared)s of %(number)s judged sentence: those judged "
                "for all of these systems.",
                "Soft accuracy compares %(compared)s of %(number)s judged sentences: those judged "
                "for all of these systems.",
                found.soft.segments + found.soft.left_out,
                compared=found.soft.segments,
            )
        )
    if found.williams.caution:
        notes.append(_("Williams’ test: %(why)s.", why=Text(found.williams.caution)))
    if fixed:
        notes.append(
            _(
                "“Other sentences” does not resample the scores of %(metrics)s: the files have no "
                "scores of sentences whose means they are. Their intervals leave out how these "
                "scores vary with the sentences.",
                metrics=Listed([written_name(name) for name in fixed]),
            )
        )
    same = dict.fromkeys(
        tuple(np.flatnonzero(row | (np.arange(len(row)) == place)).tolist())
        for place, row in enumerate(found.williams.same)
        if row.any()
    )
    if same:
        names = [
            " = ".join(written_name(found.williams.metrics[place]) for place in group)
            for group in same
        ]
        notes.append(_("The same scores: %(metrics)s.", metrics=Listed(names)))
    return notes + grouped_reasons(
        (written_name(row.metric), words, why)
        for row in rows
        for name, words in FIGURES.items()
        if (why := getattr(row, name).undefined) != NO_SEGMENT_SCORES
    )


def _against(
    name: str,
    caption: Text,
    metrics: Sequence[str],
    p: Floats,
    signature: str,
    r: Floats | None = None,
) -> Table:
    """Return p of the metric of each row against that of each column, after r if it is given."""
    cells = p if r is None else np.column_stack([r, p])
    names = [*([] if r is None else [("pearson", "r")])]
    kinds = [*([] if r is None else [NUMBER]), *(P() for _metric in metrics)]
    names += [(f"p_{metric}", written_name(metric)) for metric in metrics]
    return Table.of(
        name,
        caption,
        (
            replace(METRIC, value=itemgetter(0)),
            *(
                Column(column, heading, kind, itemgetter(place))
                for place, ((column, heading), kind) in enumerate(
                    zip(names, kinds, strict=True), start=1
                )
            ),
        ),
        _with_names(metrics, cells),
        details=[signature],
    )


def _with_names(names: Sequence[Any], cells: Floats) -> list[tuple[Any, ...]]:
    """Return rows that begin with a name; NaN is None."""
    return [
        (name, *(None if np.isnan(cell) else cell for cell in row))
        for name, row in zip(names, cells.tolist(), strict=True)
    ]


def _windows(found: SystemLevel, signature: str) -> list[Table]:
    """Return r among systems with neighbouring ranks, the best first; metrics by falling r."""
    windows = found.windows.windows[::-1]
    if not windows:
        return []
    order = found.all_systems.by_r
    names = [found.windows.metrics[place] for place in order]
    return [
        Table.of(
            "windows",
            _(
                "r among %(number)s systems with neighbouring ranks by people",
                number=windows[0].last - windows[0].first + 1,
            ),
            (
                Column("first last", _("Ranks"), Ranks(), itemgetter(0)),
                *(
                    Column(f"r_{name}", written_name(name), value=itemgetter(place))
                    for place, name in enumerate(names, start=1)
                ),
            ),
            _with_names(
                [(window.first, window.last) for window in windows],
                np.array([window.pearson[order] for window in windows]),
            ),
            notes=[
                _(
                    "A metric can agree with people over all systems, and not among near ones. So "
                    "few systems show a tendency, no more."
                )
            ],
            details=[signature],
        )
    ]


@dataclass(frozen=True)
class _Decided:
    metric: str
    found: Decisions
    test: DecisionTest

    @property
    def pairs(self) -> int:
        return self.found.right + self.found.unseen + self.found.opposite + self.found.missed


def decision_tables(
    found: Mapping[str, Decisions],
    tests: Mapping[str, DecisionTest],
    signature: str = "",
    of: Text | None = None,
) -> list[Table]:
    """Return how often metrics tell two systems apart as people do; `of` is for the caption."""
    rows = [_Decided(name, found[name], test) for name, test in tests.items() if name in found]
    if not rows:
        return []

    def count(name: str, heading: Text, is_main: bool = False) -> Column:
        return Column(name, heading, Count(), lambda row: getattr(row.found, name), is_main=is_main)

    return [
        Table.of(
            "decisions",
            of or _("Pairs of systems: what the metric decides, and what people do"),
            (
                METRIC,
                count("right", _("The same"), is_main=True),
                count("unseen", _("Only the metric sees a difference")),
                count("opposite", _("The opposite")),
                count("missed", _("Only people see a difference")),
                Column("pairs", _("Pairs"), Count()),
                Column("test", _("Test of the metric"), Words(), lambda row: TESTS[row.test]),
            ),
            rows,
            notes=[
                _(
                    "Both decide by the judged sentences, at 5 %: people by rank-sum tests of "
                    "their scores of sentences, which are net wins where they ranked; a metric by "
                    "paired t-tests if its score of a system is the mean of its sentence scores, "
                    "else by the bootstrap."
                )
            ],
            details=[signature],
        )
    ]


def permutation_tables(found: Sequence[PermutationTests], provenance: Sequence[str]) -> list[Table]:
    return [
        _against(
            f"permutations-{tests.swapped}",
            SWAPPED[tests.swapped],
            tests.metrics,
            tests.p,
            signed(tests, provenance),
            tests.pearson,
        )
        for tests in found
    ]


def pooled_table(found: Sequence[PooledAccuracy]) -> Table:
    """Return the accuracy over several sets of systems, best first."""
    return Table.of(
        "pooled",
        _("Accuracy over the pairs of systems of all language pairs"),
        (
            METRIC,
            Column("agreeing pairs", _("Pairs"), OutOf()),
            Column("value", FIGURES["accuracy"], Number(4), is_main=True),
        ),
        found,
        notes=[
            Text("%(metric)s: %(why)s.", {"metric": row.metric, "why": Text(row.undefined)})
            for row in found
            if row.undefined
        ],
    )
