"""Means of systems' scores with the help of metrics, which score all texts."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from evaluation.rendering.tables import (
    Column,
    Count,
    Interval,
    Name,
    Number,
    P,
    Percent,
    Ranks,
    Table,
    Words,
    estimate_columns,
    missing_figures,
)
from evaluation.rendering.text import Listed, Quantity, Text, _
from evaluation.reuse.powered_means import PoweredMeans
from evaluation.stats.estimates import Estimate


def tables(found: PoweredMeans | None) -> list[Table]:
    if found is None:
        return []
    return [systems_table(found), differences_table(found), explained_table(found)]


def systems_table(found: PoweredMeans) -> Table:
    return Table.of(
        "powered-means",
        _(
            "Mean scores for all %(translations)s translations of the project; %(judged)s are "
            "judged",
            translations=found.translations,
            judged=found.judged,
        ),
        (
            Column("rank", _("Rank"), Count()),
            Column("system", _("System"), Name()),
            Column("plain", _("By judgements"), Number(2), lambda row: row.plain.value),
            Column(
                "plain_low plain_high",
                _("95 % interval"),
                Interval(2),
                lambda row: (row.plain.low, row.plain.high),
            ),
            *_columns("score", _("With metrics"), lambda row: row.score),
            Column("best_rank worst_rank", _("Ranks"), Ranks()),
            Column("cluster", _("Cluster"), Count()),
            Column("after_100", _("Width after 100 more"), Number(2)),
            Column("after_1000", _("Width after 1000 more"), Number(2)),
        ),
        found.systems,
        groups=lambda row: row.cluster,
        notes=notes(found),
        details=[found.signature],
    )


def notes(found: PoweredMeans) -> list[Text]:
    left_out = (
        [
            _(
                "Left out, because they have no score of some translations: %(metrics)s.",
                metrics=Listed(found.left_out),
            )
        ]
        if found.left_out
        else []
    )
    if found.undefined:
        return [Text("%(why)s.", {"why": Text(found.undefined)}), *left_out]
    if not found.helps:
        used = _(
            "The metrics do not help here: intervals with them would be no narrower. So they are "
            "not used, and the means are those by judgements."
        )
    else:
        used = _(
            "The intervals are %(ratio)s times as wide as those by judgements.",
            ratio=Quantity(found.width_ratio, 2),
        )
    return [
        _(
            "A regression learns from the judged texts how scores of people follow those of "
            "metrics and the length of the source, and predicts all texts. The mean of a system is "
            "that of its scores less what is predicted for them, plus the mean of the predictions "
            "for all texts. This is unbiased if the judged texts are a random sample, however bad "
            "the metrics are. Intervals are for the texts of this project: by these annotators, "
            "nothing is uncertain once all are judged."
        ),
        used,
        *left_out,
        *missing_figures((row.system, row.score) for row in found.systems),
    ]


def differences_table(found: PoweredMeans) -> Table:
    return Table.of(
        "powered-differences",
        _("By how much a system was better than another, with metrics."),
        (
            Column("system", _("System"), Name()),
            Column("other", _("Compared with"), Name()),
            Column("plain", _("By judgements"), Number(2), lambda row: row.plain.value),
            *_columns("difference", _("Difference"), lambda row: row.difference),
            Column("p", "p", P()),
            Column("p_holm", _("p (Holm)"), P()),
        ),
        found.pairs,
        details=[found.signature],
    )


def _columns(
    name: str, heading: Text, of: Callable[[Any], Estimate]
) -> tuple[Column, Column, Column]:
    """Return the columns of a figure and its intervals, which are for the project's texts."""
    figure, interval, wide = estimate_columns(name, heading, of, places=2)
    return figure, replace(interval, unit=_("these texts")), wide


def explained_table(found: PoweredMeans) -> Table:
    return Table.of(
        "metric-help",
        _("What metrics explain of scores of people, in texts that they did not learn from."),
        (
            Column("metrics", _("Metrics"), Words(), lambda row: _metrics(row.metrics)),
            Column("level", _("Of the levels of texts"), Percent(1)),
            Column("differences", _("Of differences between systems"), Percent(1)),
        ),
        found.explained,
        notes=(
            _(
                "The length of the source is always there. A text’s level is common to all its "
                "systems: how hard it is. What explains most is used, for levels and for "
                "differences; a row with several metrics has them together."
            ),
        ),
        details=[found.signature],
    )


def _metrics(names: Sequence[str]) -> Text | Listed:
    return Listed(names) if names else _("none, only the length")
