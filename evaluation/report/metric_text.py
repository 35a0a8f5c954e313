"""Scores of metrics, and how far they agree with people, as text for a terminal."""

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any, Final

import numpy as np

from evaluation.meta.segment_tau import HTIES, WMT12, WMT13, WMT14
from evaluation.meta.system_level import NO_SEGMENT_SCORES
from evaluation.rendering.formats import TEXT_WIDTH, as_text, decimal
from evaluation.rendering.system_names import short_names
from evaluation.rendering.tables import Column, Table
from evaluation.rendering.text import UNDEFINED
from evaluation.report.columns import Cell, column_of
from evaluation.report.metric_names import METHOD_NAMES
from evaluation.report.metric_report import ScoredMetric
from evaluation.report.metric_shape import (
    FigureRow,
    MetricsData,
    MetricTausRow,
    SystemSetPart,
    TiesRow,
    WindowRow,
)
from evaluation.report.metric_tables import (
    FIXED,
    SWAPPED,
    decisions,
    decisions_table,
    fixed_metrics,
    permutations,
    soft_note,
)

# The longest names of systems in tables with a column for each metric.
NAMED: Final = 22
# Columns of metrics in one table of at most 120 characters.
AT_ONCE: Final = 9
# The rule that WMT14 chose first: a tie of the metric is half an error.
RULE_ORDER: Final = (WMT14.name, WMT12.name, WMT13.name, HTIES.name)
OF_COMPARISONS: Final = (
    "± is half of the 95 % interval for other sentences; “as published” resamples comparisons, as "
    "WMT14 did, and is too narrow. “best by” names the rules for ties by which the metric wins."
)
WINDOWS: Final = (
    "A metric can agree with people over all systems, and not among near ones. So few systems show "
    "a tendency, no more."
)


def scores_text(
    scored: Sequence[ScoredMetric], systems: Sequence[str], sentences: int, all_sentences: int
) -> str:
    """Return tables of the systems (K) by metric, and the signatures of the metrics.

    `sentences` of all have a reference.
    """
    some = f"{sentences}" if sentences == all_sentences else f"{sentences} of {all_sentences}"
    tables = _systems_by_metric(
        f"Scores of {len(systems)} systems, {some} sentences; higher is better",
        systems,
        (),
        {metric.name: metric.of_systems.tolist() for metric in scored},
    )
    signatures = [f"{metric.name}: {metric.signature}" for metric in scored]
    return "\n\n".join((*tables, "\n".join(signatures)))


def metrics_text(data: MetricsData) -> str:
    """Return all findings about the metrics of a project."""
    gold, level = data["gold"], data["system_level"]
    texts = data["texts"]
    head = (
        f"Project {data['project']['name']}: {data['judgements']} judgements of "
        f"{data['sentences_judged']} sentences; metrics scored {texts['sentences']} of "
        f"{texts['all_sentences']} sentences against "
        + ("the reference." if texts["references"] == 1 else "all references.")
    )
    parts = [fill(head, TEXT_WIDTH)]
    if texts["without_outputs"]:
        missing = ", ".join(texts["without_outputs"])
        parts.append(fill(f"Without whole outputs, and left out: {missing}.", TEXT_WIDTH))
    parts += [fill(problem, TEXT_WIDTH) for problem in data.get("problems", [])]
    names = [row["system"] for row in gold["systems"]]
    people: list[tuple[Column, list[Cell]]] = [
        (column_of("people", "people"), [row["score"] for row in gold["systems"]]),
        (
            column_of("outlier", "outlier", is_text=True),
            ["yes" if row["outlier"] else "" for row in gold["systems"]],
        ),
    ]
    parts += _systems_by_metric(
        f"Systems by people ({METHOD_NAMES[gold['method']]}) and by metrics; higher is better",
        names,
        people,
        {row["metric"]: [row["scores"][name] for name in names] for row in data["metrics"]},
    )
    parts.append(_outliers(gold["outliers"], gold["outliers_by"], gold["note"]))
    sets = [level["all_systems"], *filter(None, [level["without_outliers"]])]
    for place, found in enumerate(sets):
        what = "all" if place == 0 else "without outliers"
        parts.append(as_text(_system_level(found, what, "sentences", fixed_metrics(data))))
    parts += map(as_text, _windows(level["windows"], level["all_systems"]))
    for title, rows in (
        ("τ of comparisons of two systems in a segment, by rule for ties", data["comparisons"]),
        ("τ of pairs of systems in a sentence, by rule for ties", data["pairs"]),
    ):
        parts.append(as_text(_taus(title, rows)))
    if data["candidates"]:
        parts.append(
            as_text(
                _taus(
                    "τ of pairs of candidates, with annotators as the ceiling",
                    [*data["candidates"], *data["annotators"]],
                )
            )
        )
    parts.append(as_text(_ties(data["ties"])))
    tables = (decisions(data), *(permutations(data, kind) for kind in SWAPPED))
    parts += [as_text(found) for found in tables if found is not None]
    parts.append("\n".join(_origin(row) for row in data["metrics"]))
    parts += [data["signature"], level["signature"]]
    return "\n\n".join(parts)


def gold_text(found: Mapping[str, Any]) -> str:
    """Return the findings of `gold_files.as_json`: metrics against human gold of files."""
    parts = [fill(problem, TEXT_WIDTH) for problem in found["problems"]]
    for pair in found["pairs"]:
        level = pair["system_level"]
        parts.append(f"=== {pair['pair'] or 'unknown pair'} ===")
        parts += [fill(problem, TEXT_WIDTH) for problem in pair["problems"]]
        if level:
            sets = [level["all_systems"], *filter(None, [level["without_outliers"]])]
            parts.append(
                fill(f"Gold of systems: {level['gold']}, {len(level['systems'])} systems. ")
                + "\n"
                + _outliers(level["outliers"], level["outliers_by"], level["note"])
            )
            for place, one in enumerate(sets):
                what = "all" if place == 0 else "without outliers"
                parts.append(as_text(_system_level(one, what, "systems")))
            parts += map(as_text, _windows(level["windows"], level["all_systems"]))
            parts.append(level["signature"])
        for segments in pair["segment_level"]:
            parts.append(as_text(_taus(f"τ of {segments['kind']}", segments["taus"])))
            if segments["ties"]:
                parts.append(as_text(_ties(segments["ties"])))
            parts += sorted({row["signature"] for row in segments["taus"]})
        if pair["decisions"]:
            parts.append(as_text(decisions_table(pair["decisions"])))
    if found["pooled"]:
        parts.append(as_text(_pooled(found["pooled"])))
    if found["decisions"]:
        parts.append(as_text(decisions_table(found["decisions"], ", all language pairs")))
    if found["mean_taus"]:
        parts.append(as_text(_means(found["mean_taus"])))
    return "\n\n".join(parts)


def _systems_by_metric(
    caption: str,
    systems: Sequence[str],
    first: Sequence[tuple[Column, list[Cell]]],
    scores: Mapping[str, Sequence[float | None]],
) -> list[str]:
    """Return tables with at most AT_ONCE columns of metrics."""
    names = short_names(list(systems), NAMED)
    metrics = list(scores)
    texts = []
    for start in range(0, len(metrics), AT_ONCE):
        part = metrics[start : start + AT_ONCE]
        columns = [
            column_of("system", "system", is_text=True),
            *(column for column, _cells in first),
            *(column_of(metric, metric, places=4) for metric in part),
        ]
        cells: list[Sequence[Cell]] = [
            names,
            *(cells for _column, cells in first),
            *([_known(score) for score in scores[metric]] for metric in part),
        ]
        rows = tuple(zip(*cells, strict=True))
        texts.append(as_text(Table("scores", caption, tuple(columns), rows)))
    return texts


def _known(score: float | None) -> float | None:
    return None if score is None or np.isnan(score) else float(score)


def _outliers(names: Sequence[str], method: str, note: str) -> str:
    how = "by MAD" if method == "MAD" else "as listed"
    text = f"Outliers {how}: {', '.join(names) or 'none'}."
    return fill(f"{text} Note: {note}." if note else text, TEXT_WIDTH)


def _system_level(
    found: SystemSetPart, what: str, resampled: str, fixed: Sequence[str] = ()
) -> Table:
    """Return the table of one set of systems; intervals are of resampled sentences or systems.

    `fixed` are metrics whose scores are not resampled.
    """
    prefix = "systems_" if resampled == "systems" else ""
    rows: list[tuple[Cell, ...]] = []
    reasons: dict[str, list[str]] = {}
    for row in found["metrics"]:
        figures = [
            row["pearson"],
            row["spearman"],
            row["kendall"],
            row["accuracy"],
            row["soft_accuracy"],
        ]
        if row["pearson"]["undefined"]:
            reasons.setdefault(row["pearson"]["undefined"], []).append(row["metric"])
        soft = row["soft_accuracy"]["undefined"]
        if soft and soft != NO_SEGMENT_SCORES:
            reasons.setdefault(f"No SPA: {soft}", []).append(row["metric"])
        rows.append(
            (
                row["metric"],
                figures[0]["value"],
                _ends(figures[0], prefix),
                _ends(figures[0], "published_") if not prefix else None,
                *(figure["value"] for figure in figures[1:]),
                "yes" if row["winner"] else "",
            )
        )
    published = column_of("published", "as published", is_text=True)
    columns = [
        column_of("metric", "metric", is_text=True),
        column_of("pearson", "r"),
        column_of("interval", f"95 % by {resampled}", is_text=True),
        published,
        column_of("spearman", "ρ"),
        column_of("kendall", "τ-b"),
        column_of("accuracy", "accuracy"),
        column_of("soft_accuracy", "SPA"),
        column_of("winner", "winner", is_text=True),
    ]
    # Columns in which no metric has a figure are left out.
    empty = [published.name] if prefix else []
    empty += ["soft_accuracy"] * all(row[-2] is None for row in rows)
    places = [place for place, column in enumerate(columns) if column.name not in empty]
    rows = [tuple(row[place] for place in places) for row in rows]
    columns = [columns[place] for place in places]
    notes = [f"{reason}: {', '.join(names)}." for reason, names in reasons.items()]
    notes += soft_note(found)
    if fixed:
        notes.append(FIXED.format(metrics=", ".join(fixed)))
    if found["same"]:
        pairs = "; ".join(" = ".join(pair) for pair in found["same"])
        notes.append(f"The same scores: {pairs}.")
    if found["caution"]:
        notes.append(f"{found['caution'][:1].upper()}{found['caution'][1:]}.")
    return Table(
        "systems",
        f"Metrics and people about {len(found['systems'])} systems ({what})",
        tuple(columns),
        tuple(rows),
        tuple(notes),
    )


def _windows(found: Sequence[WindowRow], every: SystemSetPart) -> list[Table]:
    """Return r among systems with neighbouring ranks, of AT_ONCE metrics a table, by falling r."""
    if not found:
        return []
    first = found[0]
    caption = f"r among {first['last'] - first['first'] + 1} systems with neighbouring ranks"
    names = [row["metric"] for row in every["metrics"]]
    made = []
    for start in range(0, len(names), AT_ONCE):
        part = names[start : start + AT_ONCE]
        made.append(
            Table(
                "windows",
                f"{caption} by people",
                (
                    column_of("ranks", "ranks", is_text=True),
                    *(column_of(name, name) for name in part),
                ),
                tuple(
                    (f"{row['first']}–{row['last']}", *(row["pearson"][name] for name in part))
                    for row in found
                ),
                (WINDOWS,) if start + AT_ONCE >= len(names) else (),
            )
        )
    return made


def _or_lowest(value: float | None) -> float:
    """Return the value, or one below all if it is undefined, to sort by."""
    return -2.0 if value is None else value


def _ends(figure: FigureRow, prefix: str) -> str:
    low, high = figure[f"{prefix}low"], figure[f"{prefix}high"]  # type: ignore[literal-required]
    return UNDEFINED if low is None else f"{decimal(low)} to {decimal(high)}"


def _taus(title: str, found: Sequence[MetricTausRow]) -> Table:
    ordered = sorted(found, key=lambda row: -_or_lowest(row["taus"][WMT14.name]["value"]))
    rows: list[tuple[Cell, ...]] = []
    notes = [OF_COMPARISONS]
    for row in ordered:
        first = row["taus"][WMT14.name]
        rows.append(
            (
                row["metric"],
                *(row["taus"][rule]["value"] for rule in RULE_ORDER[:1]),
                first["half_width"],
                first["published_half_width"],
                *(row["taus"][rule]["value"] for rule in RULE_ORDER[1:]),
                row["metric_ties"],
                ", ".join(rule for rule in RULE_ORDER if rule in row["best"]),
            )
        )
        if first["undefined"]:
            notes.append(f"No τ of {row['metric']}: {first['undefined']}.")
    # Not those that a metric scored: all metrics may lack scores.
    compared = max((row["untied"] for row in found), default=0)
    return Table(
        "taus",
        f"{title} ({compared} in which people preferred one)",
        (
            column_of("metric", "metric", is_text=True),
            column_of("wmt14", "WMT14", places=4),
            column_of("half_width", "±", places=4),
            column_of("published", "as published", places=4),
            *(column_of(rule.lower(), rule, places=4) for rule in RULE_ORDER[1:]),
            column_of("metric_ties", "its ties"),
            column_of("best", "best by", is_text=True),
        ),
        tuple(rows),
        tuple(notes),
    )


def _ties(found: Sequence[TiesRow]) -> Table:
    ordered = sorted(found, key=lambda row: -_or_lowest(row["calibrated"]))
    return Table(
        "ties",
        "acc_eq: the share of pairs in a sentence ordered, or tied, as by people",
        (
            column_of("metric", "metric", is_text=True),
            column_of("accuracy", "ε = 0", places=4),
            column_of("calibrated", "calibrated", places=4),
            column_of("interval", "95 % by sentences", is_text=True),
            column_of("epsilon", "ε", places=6),
        ),
        tuple(
            (
                row["metric"],
                row["accuracy"],
                row["calibrated"],
                UNDEFINED
                if row["low"] is None
                else f"{decimal(row['low'])} to {decimal(row['high'])}",
                row["epsilon"],
            )
            for row in ordered
        ),
        tuple(
            f"No acc_eq of {row['metric']}: {row['undefined']}."
            for row in ordered
            if row["undefined"]
        ),
    )


def _pooled(found: Sequence[Mapping[str, Any]]) -> Table:
    reasons: dict[str, list[str]] = {}
    for row in found:
        if row["undefined"]:
            reasons.setdefault(row["undefined"], []).append(row["metric"])
    return Table(
        "pooled",
        "Accuracy over the pairs of systems of all language pairs",
        (
            column_of("metric", "metric", is_text=True),
            column_of("agreeing", "agreeing"),
            column_of("pairs", "pairs"),
            column_of("accuracy", "accuracy", places=4),
        ),
        tuple((row["metric"], row["agreeing"], row["pairs"], row["accuracy"]) for row in found),
        tuple(f"No accuracy of {', '.join(names)}: {reason}." for reason, names in reasons.items()),
    )


def _means(found: Sequence[Mapping[str, Any]]) -> Table:
    return Table(
        "mean-taus",
        "Mean τ of language pairs; a metric that lacks one of them has none",
        (
            column_of("metric", "metric", is_text=True),
            *(column_of(rule.lower(), rule, places=4) for rule in RULE_ORDER),
        ),
        tuple((row["metric"], *(row[rule] for rule in RULE_ORDER)) for row in found),
    )


def _origin(row: Mapping[str, Any]) -> str:
    """Return the signature of a metric, and where imported scores come from."""
    return f"{row['metric']}: {row['signature']}" + (
        f" ({row['provenance']})" if row["provenance"] else ""
    )
