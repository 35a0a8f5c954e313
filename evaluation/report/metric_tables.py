"""The tables about the metrics of a project, made from their plain JSON, for downloads."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from evaluation.rendering.tables import Table
from evaluation.report.columns import Cell, column_of
from evaluation.report.metric_names import METHOD_NAMES
from evaluation.report.metric_shape import (
    DecisionsRow,
    FigureRow,
    MetricsData,
    MetricTausRow,
    SystemSetPart,
    TauRow,
)

RULES: Final = ("WMT12", "WMT13", "WMT14", "HTIES")
TIE_RULES: Final = (
    "The rules differ in what a tie of the metric is where people saw a difference (WMT12: an "
    "error; WMT13: left out; WMT14: neither right nor wrong; HTIES: the same, and ties of people "
    "count, which only a tie gets right), so the rule decides which metric is best."
)
INTERVALS: Final = (
    "Columns from/to are 95 % intervals of resampled sentences, which give people's scores and the "
    "metric's. Published intervals resample comparisons, which are not independent, and are too "
    "narrow; those for other systems resample systems."
)
FIXED: Final = (
    "Not resampled are the scores of {metrics}: the files have no scores of sentences whose means "
    "they are."
)
_FIGURES: Final = (
    ("pearson", "Pearson's r"),
    ("spearman", "Spearman's rho"),
    ("kendall", "Kendall's τ"),
    ("accuracy", "accuracy"),
    ("soft_accuracy", "soft accuracy"),
)
_ENDS: Final = (
    ("low", "from"),
    ("high", "to"),
    ("published_low", "published from"),
    ("published_high", "published to"),
    ("systems_low", "other systems from"),
    ("systems_high", "other systems to"),
)
# What permutations swap.
SWAPPED: Final = ("systems", "inputs", "both")
_YES: Final = {True: "yes", False: ""}


def tables(data: MetricsData) -> list[Table]:
    """Return all tables, in the order of the page."""
    made = (make(data) for make in METRIC_TABLES.values())
    return [table for table in made if table is not None]


def table(data: MetricsData, name: str) -> Table | None:
    """Return the table of this name; None if there is none, or it has no data."""
    make = METRIC_TABLES.get(name)
    return make(data) if make else None


def scores(data: MetricsData) -> Table:
    """Return the scores of the systems by people and by each metric, best first."""
    gold = data["gold"]
    columns = (
        column_of("system", "system", is_text=True),
        column_of("outlier", "outlier", is_text=True),
        column_of("people", "people"),
        column_of("low", "from"),
        column_of("high", "to"),
        column_of("wide_low", "from, annotators too"),
        column_of("wide_high", "to, annotators too"),
        *(column_of(f"score_{row['metric']}", row["metric"]) for row in data["metrics"]),
    )
    rows = tuple(
        (
            row["system"],
            _YES[row["outlier"]],
            row["score"],
            row["low"],
            row["high"],
            row.get("wide_low"),
            row.get("wide_high"),
            *(metric["scores"].get(row["system"]) for metric in data["metrics"]),
        )
        for row in gold["systems"]
    )
    note = f"Outliers by {gold['outliers_by']}: {', '.join(gold['outliers']) or 'none'}."
    return Table(
        "metric-scores",
        f"Scores of systems by people ({METHOD_NAMES[gold['method']]}) and by metrics.",
        columns,
        rows,
        (
            note,
            *_given(gold["note"]),
            *_given(", ".join(gold.get("words", []))),
            *(f"{row['metric']}: {row['signature']}" for row in data["metrics"]),
            data["signature"],
        ),
    )


def _system_level(
    data: MetricsData, part: SystemSetPart | None, name: str, caption: str
) -> Table | None:
    if part is None:
        return None
    columns = [
        column_of("metric", "metric", is_text=True),
        column_of("winner", "winner", is_text=True),
    ]
    for key, heading in _FIGURES:
        columns.append(column_of(key, heading))
        columns += [
            column_of(f"{key}_{end}", words) for end, words in _ENDS if _any(part, key, end)
        ]
    columns += [column_of("agreeing", "pairs agreeing"), column_of("pairs", "pairs")]
    rows = []
    for row in part["metrics"]:
        cells: list[Cell] = [row["metric"], _YES[row["winner"]]]
        for key, _heading in _FIGURES:
            found: FigureRow = row[key]  # type: ignore[literal-required]
            cells.append(found["value"])
            cells += [found[end] for end, _ in _ENDS if _any(part, key, end)]  # type: ignore[literal-required]
        rows.append((*cells, row["agreeing"], row["pairs"]))
    fixed = fixed_metrics(data)
    reasons = {
        f"{row['metric']}, {heading}: {row[key]['undefined']}."  # type: ignore[literal-required]
        for row in part["metrics"]
        for key, heading in _FIGURES
        if row[key]["undefined"]  # type: ignore[literal-required]
    }
    return Table(
        name,
        caption,
        tuple(columns),
        tuple(rows),
        (
            f"Systems: {', '.join(part['systems'])}.",
            "Winners: no other metric has a significantly higher r (Williams' test, p < 0.05).",
            INTERVALS,
            *([FIXED.format(metrics=", ".join(fixed))] if fixed else []),
            *soft_note(part),
            *_given(part["caution"]),
            *sorted(reasons),
            data["system_level"]["signature"],
        ),
    )


def fixed_metrics(data: MetricsData) -> list[str]:
    """Return the metrics whose scores of systems are not resampled with the sentences."""
    return [
        row["metric"]
        for row in data["metrics"]
        if not row["resampled"] and any(score is not None for score in row["scores"].values())
    ]


def soft_note(part: SystemSetPart) -> list[str]:
    """Return a sentence about the segments of soft accuracy, or nothing if there are none."""
    found = part["soft_segments"]
    if found is None:
        return []
    return [
        f"Soft accuracy (SPA) compares {found['compared']} of the {found['all']} sentences that "
        "people judged: those judged for all of these systems."
    ]


def _any(part: SystemSetPart, key: str, end: str) -> bool:
    return any(row[key][end] is not None for row in part["metrics"])  # type: ignore[literal-required]


def _williams(data: MetricsData, part: SystemSetPart | None, name: str, of: str) -> Table | None:
    if part is None:
        return None
    names = [row["metric"] for row in part["metrics"]]
    return Table(
        name,
        f"Williams' test: p that the metric of the row has a higher r than that of the column, "
        f"{of}.",
        (
            column_of("metric", "metric", is_text=True),
            *(column_of(f"p_{metric}", metric, places=4, is_p=True) for metric in names),
        ),
        tuple((metric, *cells) for metric, cells in zip(names, part["williams"], strict=True)),
        (*_given(part["caution"]), data["system_level"]["signature"]),
    )


def _taus(rows: Sequence[MetricTausRow], name: str, caption: str) -> Table | None:
    if not rows:
        return None
    rules = [rule for rule in RULES if any(rule in row["taus"] for row in rows)]
    columns = [column_of("metric", "metric", is_text=True)]
    for rule in rules:
        columns += [
            column_of(rule, rule),
            column_of(f"{rule}_low", "from"),
            column_of(f"{rule}_high", "to"),
            column_of(f"{rule}_published_half_width", "published ±"),
            column_of(f"{rule}_best", "best", is_text=True),
        ]
    counts = ("concordant", "discordant", "metric_ties", "human_ties", "missing")
    columns += [column_of(count, count.replace("_", " ")) for count in counts]
    cells = []
    for row in rows:
        line: list[Cell] = [row["metric"]]
        for rule in rules:
            line += [*_tau(row["taus"].get(rule)), _YES[rule in row["best"]]]
        cells.append((*line, *(row[count] for count in counts)))  # type: ignore[literal-required]
    reasons = sorted(
        {
            f"{row['metric']}, {rule}: {tau['undefined']}."
            for row in rows
            for rule, tau in row["taus"].items()
            if tau["undefined"]
        }
    )
    return Table(
        name, caption, tuple(columns), tuple(cells), (TIE_RULES, *reasons, rows[0]["signature"])
    )


def _tau(tau: TauRow | None) -> tuple[float | None, ...]:
    if tau is None:
        return (None,) * 4
    return tau["value"], tau["low"], tau["high"], tau["published_half_width"]


def _ties(data: MetricsData) -> Table | None:
    if not data["ties"]:
        return None
    columns = (
        column_of("metric", "metric", is_text=True),
        column_of("accuracy", "acc_eq as it is"),
        column_of("calibrated", "acc_eq calibrated"),
        column_of("low", "from"),
        column_of("high", "to"),
        column_of("epsilon", "epsilon", places=4),
    )
    return Table(
        "acc-eq",
        "Pairwise accuracy of metrics that counts ties.",
        columns,
        tuple(
            tuple(row[column.name] for column in columns)  # type: ignore[literal-required]
            for row in data["ties"]
        ),
        (
            "Calibrated: scores that differ by at most epsilon tie; epsilon is chosen on the same "
            "judgements.",
            *sorted(
                {
                    f"{row['metric']}: {row['undefined']}."
                    for row in data["ties"]
                    if row["undefined"]
                }
            ),
            data["ties"][0]["signature"],
        ),
    )


def _given(text: str) -> tuple[str, ...]:
    """Return the sentence of a clause, or nothing."""
    return (f"{text[0].upper()}{text[1:]}.",) if text else ()


def decisions(data: MetricsData) -> Table | None:
    """Return how often metrics tell two systems apart by judged sentences as people do."""
    return decisions_table(data["decisions"]) if data["decisions"] else None


def decisions_table(rows: Sequence[DecisionsRow], of: str = "") -> Table:
    """Return the decisions of metrics; `of` ends the caption."""
    return Table(
        "decisions",
        "Decisions about pairs of systems by the judged sentences (5 %), beside those by "
        f"people{of}.",
        (
            column_of("metric", "metric", is_text=True),
            column_of("right", "right"),
            column_of("unseen", "people see none"),
            column_of("opposite", "opposite"),
            column_of("missed", "missed"),
            column_of("pairs", "pairs"),
            column_of("test", "test", is_text=True),
        ),
        tuple(
            (row["metric"], *found, sum(found), row["test"])
            for row in rows
            for found in [(row["right"], row["unseen"], row["opposite"], row["missed"])]
        ),
        (
            "People: rank-sum tests of their scores of sentences, one-sided; metrics, two-sided: "
            "paired t-tests if the score of a system is the mean of its sentence scores, else the "
            "bootstrap. Metrics in files: paired t-tests.",
        ),
    )


def permutations(data: MetricsData, swapped: str) -> Table | None:
    """Return p of all pairs of metrics by permutations that swap systems, inputs, or both."""
    found = next((part for part in data["permutations"] if part["swapped"] == swapped), None)
    if found is None:
        return None
    names = found["metrics"]
    return Table(
        f"permutations-{swapped}",
        "p that the metric of the row has the higher r (mean sentence scores), by permutations of "
        f"{swapped}.",
        (
            column_of("metric", "metric", is_text=True),
            column_of("pearson", "r"),
            *(column_of(f"p_{name}", name) for name in names),
        ),
        tuple(
            (name, r, *row)
            for name, r, row in zip(names, found["pearson"], found["p"], strict=True)
        ),
        (found["signature"],),
    )


METRIC_TABLES: Final[dict[str, Callable[[MetricsData], Table | None]]] = {
    "metric-scores": scores,
    "system-level": lambda data: _system_level(
        data,
        data["system_level"]["all_systems"],
        "system-level",
        "Agreement of metrics with people by system.",
    ),
    "system-level-without-outliers": lambda data: _system_level(
        data,
        data["system_level"]["without_outliers"],
        "system-level-without-outliers",
        "Agreement of metrics with people by system, without outliers.",
    ),
    "williams": lambda data: _williams(
        data, data["system_level"]["all_systems"], "williams", "all systems"
    ),
    "williams-without-outliers": lambda data: _williams(
        data,
        data["system_level"]["without_outliers"],
        "williams-without-outliers",
        "without outliers",
    ),
    "tau-comparisons": lambda data: _taus(
        data["comparisons"], "tau-comparisons", "Kendall's τ by segment: comparisons of systems."
    ),
    "tau-pairs": lambda data: _taus(
        data["pairs"], "tau-pairs", "Kendall's τ by sentence: pairs of systems."
    ),
    "acc-eq": _ties,
    "decisions": decisions,
    **{f"permutations-{kind}": partial(permutations, swapped=kind) for kind in SWAPPED},
    "tau-candidates": lambda data: _taus(
        data["candidates"], "tau-candidates", "Kendall's τ of scores of candidates."
    ),
    "tau-annotators": lambda data: _taus(
        data["annotators"],
        "tau-annotators",
        "Kendall's τ of annotators as if they were metrics of candidates.",
    ),
}
