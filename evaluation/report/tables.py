"""The tables of a report, made from its plain JSON, for downloads and commands."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from typing import Any, Final

from evaluation.report.assessment_notes import (
    CLUSTERED,
    FLAGGED,
    RANK_SUM,
    SCORED,
    TESTED,
    intervals_note,
)
from evaluation.report.marked_errors import measures
from evaluation.report.readings import (
    bias_notes,
    grade_and_label,
    has_curve,
    has_order,
    interval_note,
    ranking_methods,
    ranking_scope,
    reasons,
    sampled_unit,
)
from evaluation.report.shape import EstimatedSystemRow, RankingPart, ReportData, UndecidedPart

Cell = str | int | float | None


@dataclass(frozen=True)
class Column:
    """`name` is for programs, `heading` for people; numbers have `places` decimals.

    A `name` that is made of that of a system or metric begins with what the column has of it, so
    that all columns of a table have different names.

    Of `is_p`, a smaller number is shown as "<" and the smallest with these decimals, not as 0.
    """

    name: str
    heading: str
    is_text: bool = False
    places: int = 3
    is_p: bool = False


@dataclass(frozen=True)
class Table:
    """Rows have a cell for each column; a line follows each row whose number is in `rules`."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    rules: frozenset[int] = frozenset()


METHOD_NAMES: Final = {
    "ratio_of_wins": "ratio of wins, ties ignored",
    "ratio_with_ties": "ratio of wins, ties counted as wins",
    "expected_wins": "expected wins",
    "bradley_terry": "Bradley–Terry with ties of different texts",
    "hopkins_may": "abilities of Hopkins and May",
    "mean_grade": "mean grade",
    "mean_score": "mean score",
    "mean_z": "mean score, standardised by annotator",
    "minus_hter": "-HTER",
}
_OUTCOMES: Final = (
    Column("wins", "wins"),
    Column("losses", "losses"),
    Column("ties_of_different_texts", "ties"),
    Column("same_text", "same text"),
)
_TESTS: Final = (
    Column("win_rate", "share of wins"),
    Column("better", "P(better)"),
    Column("p", "p", places=4, is_p=True),
    Column("p_holm", "p (Holm)", places=4, is_p=True),
    Column("wide_p_holm", "p (Holm), annotators too", places=4, is_p=True),
)
TEXTS: Final = (
    "Ties: different texts on the same rank, or with the same answer. Same text: both systems have "
    "the same candidate, which was not compared with itself."
)
MISSING: Final = (
    "Missing: the share of judged segments or sentences without a candidate of the system."
)
NOT_KNOWN_MISSING: Final = "Missing: unknown, since the files name only the systems ranked."
NO_WORDS: Final = "The words of the segments are unknown."
NO_ASSIGNMENTS: Final = "Assignments: unknown, since files have only judgements."
_ENDS: Final = {
    "low": "from",
    "high": "to",
    "wide_low": "wide from",
    "wide_high": "wide to",
}
_KAPPA_KEYS: Final = ("kappa", "low", "high", "sentences")


def tables(report: ReportData) -> list[Table]:
    """Return all tables, in the order of the page."""
    rankings = [ranking(report, method) for method in ranking_methods(report)]
    others = (make(report) for name, make in OTHER_TABLES.items() if _is_in(report, name))
    return [*rankings, *others]


def table(report: ReportData, name: str) -> Table | None:
    """Return the table of this name, or None."""
    method = name.removeprefix("ranking-")
    if name.startswith("ranking-") and method in ranking_methods(report):
        return ranking(report, method)
    make = OTHER_TABLES.get(name)
    return make(report) if make and _is_in(report, name) else None


def _is_in(report: ReportData, name: str) -> bool:
    if name in ("marked-errors", "agreement-on-marked-errors"):
        return "marked_errors" in report
    if name.startswith("assess"):
        return bool(report.get("assessments"))
    if name == "learning-curve":
        return has_curve(report)
    if not has_order(report):
        return name in OF_SINGLE_TRANSLATIONS
    if name.startswith("prediction-powered"):
        return report["powered"] is not None
    if name.startswith("undecided"):
        return report["undecided"] is not None
    if name in ("answers", "grade-differences", "agreement-of-answers"):
        return report["answers"] is not None
    if name.startswith("edit-rates"):
        return report["edit_rates"] is not None
    if name == "reused-answers":
        return any("reused" in row for row in report["estimated"])
    return name != "estimated-systems" or bool(report["estimated"])


def is_table(name: str) -> bool:
    """Tell whether a report, by any ranking method, can have a table of this name."""
    return name.startswith("ranking-") or name in OTHER_TABLES


def ranking(report: ReportData, method: str) -> Table:
    """Return the systems by one method, best first; lines separate the clusters."""
    part = report["rankings"][method]
    some = bool(report["judged"]["judgements"] and part["systems"])
    unknown = some and all(row["missing"] is None for row in part["systems"])
    return _ranking_table(
        f"ranking-{method}",
        f"Systems by {METHOD_NAMES[method]}.",
        part,
        (
            interval_note(report),
            ranking_scope(part["only_sentences"]),
            TEXTS,
            NOT_KNOWN_MISSING if unknown else MISSING,
        ),
    )


def ranking_by_method(method: str, part: RankingPart) -> Table:
    """Return one ranking that is in no report; lines separate the clusters."""
    return _ranking_table(
        f"ranking-{method}",
        f"Systems by {METHOD_NAMES[method]}.",
        part,
        (ranking_scope(part["only_sentences"]), TEXTS, MISSING),
    )


def _ranking_table(name: str, caption: str, part: RankingPart, notes: Sequence[str]) -> Table:
    systems = part["systems"]
    columns = (
        Column("rank", "rank"),
        Column("system", "system", is_text=True),
        Column("score", "score"),
        Column("low", "from"),
        Column("high", "to"),
        Column("wide_low", "wide from"),
        Column("wide_high", "wide to"),
        Column("best_rank", "best rank"),
        Column("worst_rank", "worst rank"),
        Column("cluster", "cluster"),
        Column("first", "P(first)"),
        *_OUTCOMES,
        Column("missing", "missing"),
    )
    clusters = pairwise(row["cluster"] for row in systems)
    return Table(
        name,
        caption,
        columns,
        _cells(systems, columns),
        (*notes, *reasons(systems), part["signature"]),
        frozenset(place for place, (one, next_) in enumerate(clusters, 1) if one != next_),
    )


def _cells(rows: Sequence[Any], columns: Sequence[Column]) -> tuple[tuple[Cell, ...], ...]:
    """Return the values of the rows by the names of the columns."""
    return tuple(tuple(row[column.name] for column in columns) for row in rows)


def win_rates(report: ReportData) -> Table:
    part = report["significance"]
    names = part["systems"]
    matrices: list[Any] = [
        *(part[column.name] for column in _OUTCOMES),  # type: ignore[literal-required]
        *(part[column.name] for column in _TESTS),  # type: ignore[literal-required]
        report["power"]["detectable"],
        part["undefined"],
    ]
    rows = tuple(
        (names[x], names[y], *(matrix[x][y] for matrix in matrices))
        for x, y in permutations(range(len(names)), 2)
    )
    return Table(
        "win-rates",
        "How often the system in the first column was better than the other.",
        (
            Column("system", "system", is_text=True),
            Column("other", "other", is_text=True),
            *_OUTCOMES,
            *_TESTS,
            Column("detectable", "detectable"),
            Column("undefined", "undefined because", is_text=True),
        ),
        rows,
        (
            TEXTS,
            "Detectable: the smallest difference of the share of wins from 0.5 that would have "
            "been found with 80 % power, corrected for all pairs.",
            part["signature"],
        ),
    )


def power(report: ReportData) -> Table:
    part = report["power"]
    rows = [
        {
            "test": name,
            **row,
            **{f"needed_{d:g}": n for d, n in zip(part["differences"], row["needed"], strict=True)},
        }
        for name, row in (
            ("one pair of systems", part["one_pair"]),
            ("all pairs (Holm)", part["all_pairs"]),
        )
    ]
    columns = (
        Column("test", "test of", is_text=True),
        Column("tests", "tests"),
        Column("median", "median pair"),
        Column("least", "least"),
        Column("most", "most"),
        *(
            Column(f"needed_{difference:g}", f"sentences for {difference:g}")
            for difference in part["differences"]
        ),
    )
    return Table(
        "power",
        "The smallest difference of a win rate from 0.5 that would have been found with 80 % "
        "power, and the sentences needed to find others.",
        columns,
        _cells(rows, columns),
        (*([_sentence(part["undefined"])] if part["undefined"] else []), part["signature"]),
    )


def _sentence(clause: str) -> str:
    return f"{clause[0].upper()}{clause[1:]}."


def learning_curve(report: ReportData) -> Table:
    part = report["learning_curve"]
    method = part.get("method", "ratio_of_wins").replace("_", " ")
    columns = (
        Column("sentences", "sentences"),
        Column("tau", "τ"),
        Column("low", "from"),
        Column("high", "to"),
        Column("width", "width of intervals"),
    )
    return Table(
        "learning-curve",
        f"Kendall's τ between the ranking by fewer sentences and that by all, by {method}, and the "
        "mean width of its intervals.",
        columns,
        _cells(part["points"], columns),
        (*([f"{part['undefined']}."] if part["undefined"] else []), part["signature"]),
    )


def contrasts(report: ReportData) -> Table:
    columns = (
        Column("sentence", "sentence"),
        Column("judgements", "judgements"),
        Column("best", "best", is_text=True),
        Column("best_score", "net wins", places=2),
        Column("worst", "worst", is_text=True),
        Column("worst_score", "net wins", places=2),
        Column("spread", "difference", places=2),
    )
    return Table(
        "contrasting-sentences",
        "Sentences with the largest difference between systems.",
        columns,
        _cells(report["contrasts"], columns),
        ("Net wins: from -1 (all comparisons lost) to 1 (all won).", report["signature"]),
    )


def estimated_systems(report: ReportData) -> Table:
    return estimated_table(report["estimated"])


def reused_answers(report: ReportData) -> Table:
    """Return what answers about other systems' texts say of the estimated ones."""
    found = [row["reused"] for row in report["estimated"] if "reused" in row]
    columns = (
        Column("system", "system", is_text=True),
        Column("segments", "segments"),
        Column("hits", "identical"),
        Column("missing", "none"),
        Column("grade", "extrapolated grade"),
        Column("low", "from"),
        Column("high", "to"),
        Column("decided", "best answer, of decided"),
        Column("all", "best answer, of all"),
        Column("absolute", "mean error"),
        Column("bias", "bias"),
        Column("texts", "texts"),
        Column("absolute_of_misses", "mean error of misses"),
        Column("bias_of_misses", "bias of misses"),
        Column("misses", "misses"),
    )
    rows = []
    for part in found:
        errors = part["errors"]
        for row in part["systems"]:
            grade, decided = row["extrapolated_grade"], row["best_of_decided"]
            rows.append(
                (
                    *(row["system"], row["segments"], row["hits"], row["missing"]),
                    *(grade["value"], grade["low"], grade["high"]),
                    decided["value"] if decided else None,
                    row["best_of_all"]["value"],
                    *(errors["absolute"]["value"], errors["bias"]["value"], errors["texts"]),
                    errors["absolute_of_misses"]["value"],
                    errors["bias_of_misses"]["value"],
                    errors["misses"],
                )
            )
    return Table(
        "reused-answers",
        "Estimated systems by the answers about other systems' texts.",
        columns,
        tuple(rows),
        (
            "Extrapolated grades are those of the closest judged texts by edit distance. Shares "
            "are of the answers about identical texts. Errors and biases (above 0: too good) are "
            "those of the project's own systems, each left out.",
            *(part["signature"] for part in found),
        ),
    )


def estimated_table(rows: Sequence[EstimatedSystemRow]) -> Table:
    """Return the systems that are judged by drawn segments only, apart from the ranked ones."""
    columns = (
        Column("system", "system", is_text=True),
        Column("score", "ratio of wins"),
        Column("low", "from"),
        Column("high", "to"),
        Column("best_rank", "best rank"),
        Column("worst_rank", "worst rank"),
        Column("judged", "judged"),
        Column("sampled", "sampled"),
        Column("weight", "weight of judgements", places=2),
        Column("predicted", "predicted"),
        Column("predicted_low", "from"),
        Column("predicted_high", "to"),
        Column("needed", "more for ± 0.01"),
    )
    return Table(
        "estimated-systems",
        "Systems judged by a random sample of the segments in which they have a new candidate.",
        columns,
        _cells(rows, columns),
        (
            "Predicted from the texts and the judgements of the other systems, and corrected by "
            "the judged segments. Intervals are of 95 %; ranks are those among the other systems.",
            *(f"{row['system']}: {row['undefined']}" for row in rows if row["undefined"]),
            *(row["signature"] for row in rows if row["signature"]),
        ),
    )


def undecided_systems(report: ReportData) -> Table:
    part = report["undecided"]
    assert part is not None
    return undecided_table(part, interval_note(report))


def undecided_table(part: UndecidedPart, *notes: str) -> Table:
    """Return the undecided systems by ratio of wins against each other."""
    by = f" by {part['by']}" if part["by"] else ""
    return _ranking_table(
        "undecided-systems",
        f"Undecided systems by {part['estimand']}.",
        part["ranking"],
        (
            f"{part['judgements']} judgements of two or more of their candidates; "
            f"{part['narrowed']} of them showed the candidates of undecided systems only.",
            f"Decided on {part['when']}{by}: {', '.join(part['decided'])}.",
            *notes,
            ranking_scope(part["ranking"]["only_sentences"]),
            TEXTS,
            MISSING,
        ),
    )


def undecided_pairs(report: ReportData) -> Table:
    found = report["undecided"]
    assert found is not None
    part = found["significance"]
    names = part["systems"]
    columns = (*_OUTCOMES, *_TESTS)
    rows = tuple(
        (names[x], names[y], *(part[column.name][x][y] for column in columns))  # type: ignore[literal-required]
        for x, y in permutations(range(len(names)), 2)
    )
    return Table(
        "undecided-pairs",
        "How often the undecided system in the first column was better than the other.",
        (
            Column("system", "system", is_text=True),
            Column("other", "other", is_text=True),
            *columns,
        ),
        rows,
        (TEXTS, part["signature"]),
    )


def powered(report: ReportData) -> Table:
    part = report["powered"]
    columns = (
        Column("rank", "rank"),
        Column("system", "system", is_text=True),
        Column("plain", "judgements"),
        Column("plain_low", "from"),
        Column("plain_high", "to"),
        Column("score", "with predictions"),
        Column("low", "from"),
        Column("high", "to"),
        Column("best_rank", "best rank"),
        Column("worst_rank", "worst rank"),
        Column("cluster", "cluster"),
        Column("weight", "λ", places=2),
        Column("after_100", "width after 100 more"),
        Column("after_1000", "width after 1000 more"),
    )
    rows = part["systems"] if part else []
    notes: tuple[str, ...] = ()
    if part:
        notes = (
            (part["undefined"],)
            if part["undefined"]
            else (
                f"Ratios of wins for the {part['sentences']} sentences of the project; "
                f"{part['judged']} are judged; 95 % intervals, for these annotators.",
                part["signature"],
            )
        )
    return Table(
        "prediction-powered",
        "Systems by ratio of wins, with predictions from the texts of all sentences.",
        columns,
        _cells(rows, columns),
        notes,
    )


def powered_pairs(report: ReportData) -> Table:
    part = report["powered"]
    columns = (
        Column("system", "system", is_text=True),
        Column("other", "other", is_text=True),
        Column("win_rate", "share of wins"),
        Column("low", "from"),
        Column("high", "to"),
        Column("p", "p", places=4, is_p=True),
        Column("p_holm", "p (Holm)", places=4, is_p=True),
    )
    return Table(
        "prediction-powered-pairs",
        "How often a system was better than another, with predictions.",
        columns,
        _cells(part["pairs"] if part else [], columns),
        (part["signature"],) if part and part["signature"] else (),
    )


def assessed_systems(report: ReportData) -> Table:
    part = report.get("assessments")
    assert part is not None
    columns = (
        Column("place", "place"),
        Column("system", "system", is_text=True),
        *_with_ends(Column("value", "z")),
        Column("raw", "raw", places=1),
        Column("segments", "N"),
        Column("assessments", "N.ALL"),
        Column("wins", "wins"),
        Column("cluster", "cluster"),
        Column("published_cluster", "published"),
    )
    systems = part["systems"]
    rows: list[dict[str, Any]] = [
        {**row, "place": place} for place, row in enumerate(systems, start=1)
    ]
    for row in rows:
        row |= {f"value_{end}": row[end] for end in _ENDS}
    return Table(
        "assessed-systems",
        "Systems by direct assessment.",
        columns,
        _cells(rows, columns),
        (
            SCORED,
            intervals_note(sampled_unit(report)),
            CLUSTERED,
            *reasons(systems),
            part["signature"],
        ),
        frozenset(
            place
            for place, (one, other) in enumerate(pairwise(systems), start=1)
            if one["cluster"] != other["cluster"]
        ),
    )


def assessed_pairs(report: ReportData) -> Table:
    part = report.get("assessments")
    assert part is not None
    names = [row["system"] for row in part["systems"]]
    return Table(
        "assessed-pairs",
        "p that the system of the row is better than that of the column, by direct assessment.",
        (
            Column("system", "system", is_text=True),
            *(Column(f"p_{name}", name, places=4, is_p=True) for name in names),
        ),
        tuple((name, *row) for name, row in zip(names, part["p"], strict=True)),
        (RANK_SUM, part["signature"]),
    )


def assessing_annotators(report: ReportData) -> Table:
    part = report.get("assessments")
    assert part is not None
    columns = (
        Column("annotator", "annotator", is_text=True),
        Column("passes", "passes", is_text=True),
        Column("assessments", "scores"),
        Column("mean", "mean", places=1),
        Column("deviation", "SD", places=1),
        Column("outputs", "outputs", places=1),
        Column("references", "refs", places=1),
        Column("degraded", "degraded", places=1),
        Column("pairs", "pairs"),
        Column("p", "p", places=4, is_p=True),
        Column("repeats", "repeats"),
        Column("distance", "apart", places=1),
        Column("repeats_p", "p", places=4, is_p=True),
        Column("longest_run", "run"),
        Column("flags", "flags", is_text=True),
    )
    rows = [
        {
            **row,
            "passes": None if row["low"]["p"] is None else "yes" if row["passed"] else "no",
            "pairs": row["low"]["pairs"],
            "p": row["low"]["p"],
            "repeats": row["repeats"]["pairs"],
            "distance": row["repeats"]["distance"],
            "repeats_p": row["repeats"]["p"],
            "flags": ", ".join(row["flags"]),
        }
        for row in part["annotators"]
    ]
    return Table(
        "assessing-annotators",
        "Annotators: their use of the scale, and control items.",
        columns,
        _cells(rows, columns),
        (TESTED, FLAGGED, part["test_signature"]),
    )


def answers(report: ReportData) -> Table:
    part = report["answers"]
    assert part is not None
    steps = part["steps"]
    has_decided = any(row["decided"] for row in part["systems"])
    # Of two steps, the share of the better one says everything.
    has_interval = has_decided or len(steps) == 2
    shares = [Column(f"share_{step}", label) for step, label in enumerate(steps, 1)]
    columns = (
        Column("system", "system", is_text=True),
        Column("sentences", "sentences"),
        Column("answers", "answers"),
        *_with_ends(Column("grade", "grade")),
        *(Column(f"count_{step}", label) for step, label in enumerate(steps, 1)),
        *(_with_ends(shares[0]) if has_interval else shares[:1]),
        *shares[1:],
        *(
            _with_ends(Column("decided", f"{steps[0]} / ({steps[0]} + {steps[-1]})"))
            if has_decided
            else ()
        ),
    )
    rows = []
    for row in part["systems"]:
        figures: dict[str, Any] = {"grade": row["grade"], "decided": row["decided"]}
        figures |= {f"share_{step}": each for step, each in enumerate(row["steps"], 1)}
        cells: dict[str, Any] = {
            "system": row["system"],
            "sentences": row["sentences"],
            "answers": row["answers"],
        }
        cells |= {f"count_{step}": each["count"] for step, each in enumerate(row["steps"], 1)}
        for name, figure in figures.items():
            if figure is not None:
                cells[name] = figure["value"]
                cells |= {f"{name}_{end}": figure[end] for end in _ENDS}
        rows.append(cells)
    estimates = [each for row in part["systems"] for each in (row["grade"], row["decided"]) if each]
    graded = zip(part["grades"], steps, strict=True)
    scale = ", ".join(grade_and_label(grade, label) for grade, label in graded)
    return Table(
        "answers",
        "Systems by the mean grade of their candidates, and the share of each answer.",
        columns,
        _cells(rows, columns),
        (
            f"Grades: {scale}. A candidate counts for each system that produced it.",
            interval_note(report),
            *reasons(estimates),
            part["signature"],
        ),
    )


def grade_differences(report: ReportData) -> Table:
    assert report["answers"] is not None
    part = report["answers"]["pairs"]
    columns = (
        Column("system", "system", is_text=True),
        Column("other", "other", is_text=True),
        Column("compared", "judgements"),
        Column("value", "difference"),
        *(Column(end, heading) for end, heading in _ENDS.items()),
        *(column for column in _TESTS if column.is_p),
    )
    rows: list[Any] = [{**pair, **pair["difference"]} for pair in part["pairs"]]
    return Table(
        "grade-differences",
        "By how much the mean grade of the system in the first column is above that of the other.",
        columns,
        _cells(rows, columns),
        (
            "Over the judgements that graded a candidate of both systems.",
            interval_note(report),
            *reasons(rows),
            part["signature"],
        ),
    )


def _with_ends(column: Column) -> tuple[Column, ...]:
    """Return the column and those of the ends of its intervals."""
    ends = (Column(f"{column.name}_{end}", heading) for end, heading in _ENDS.items())
    return column, *ends


def agreement_of_answers(report: ReportData) -> Table:
    part = report["answers"]
    assert part is not None
    parts = [("", part["agreement"])]
    if part["decided_agreement"]:
        parts.append((f" without {part['steps'][1]}", part["decided_agreement"]))
    rows: list[Any] = [
        {"measure": f"κ {kind}{which}", "expected": each["expected"], **row}
        for which, each in parts
        for kind, row in (("intra", each["intra"]), ("inter", each["inter"]))
    ]
    columns = (
        Column("measure", "measure", is_text=True),
        Column("agree", "agree"),
        Column("compared", "compared"),
        Column("observed", "P(A)"),
        Column("expected", "P(E)"),
        Column("value", "value"),
        *(Column(end, heading) for end, heading in _ENDS.items()),
    )
    return Table(
        "agreement-of-answers",
        "Agreement of annotators with themselves (intra) and with each other (inter) about the "
        "answer for a candidate.",
        columns,
        _cells(rows, columns),
        (
            interval_note(report),
            *reasons(rows),
            *bias_notes(report),
            *(each["signature"] for _, each in parts),
        ),
    )


def agreement(report: ReportData) -> Table:
    part = report["agreement"]
    measures: list[tuple[str, Any]] = [
        ("κ intra", part["intra"]),
        ("κ inter", part["inter"]),
        ("α (Krippendorff)", part["alpha"]),
        ("τ-b intra", part["tau_b"]["intra"]),
        ("τ-b inter", part["tau_b"]["inter"]),
    ]
    columns = (
        Column("measure", "measure", is_text=True),
        Column("agree", "agree"),
        Column("compared", "compared"),
        Column("value", "value"),
        Column("low", "from"),
        Column("high", "to"),
        Column("wide_low", "wide from"),
        Column("wide_high", "wide to"),
    )
    rows = [
        {"measure": name, "agree": None, "compared": None, "value": row.get("kappa"), **row}
        for name, row in measures
    ]
    return Table(
        "agreement",
        "Agreement of annotators with themselves (intra) and with each other (inter).",
        columns,
        _cells(rows, columns),
        (interval_note(report), *reasons(rows), *bias_notes(report), part["signature"]),
    )


def annotator_effects(report: ReportData) -> Table:
    part = report["annotator_effects"]
    columns = (
        Column("annotator", "without", is_text=True),
        Column("judgements", "judgements"),
        Column("best", "best system", is_text=True),
        Column("system", "largest change", is_text=True),
        Column("change", "change"),
        Column("moved", "systems with another rank"),
    )
    alike = part["p"] if part["p"] is not None else part["undefined"]
    method = part.get("method", "ratio_of_wins").replace("_", " ")
    return Table(
        "without-annotators",
        f"The ranking by {method} without each annotator.",
        columns,
        _cells(part["without"], columns),
        (
            f"p that all annotators judge all systems alike: {alike}.",
            *(
                f"{row['system']}: p {row['p']:g}."
                for row in part["systems"]
                if row["p"] is not None
            ),
            part["signature"],
        ),
    )


def disagreement(report: ReportData) -> Table:
    part = report["disagreement"]
    columns = (
        Column("measure", "measure", is_text=True),
        Column("agree", "agree"),
        Column("one_tied", "one ties"),
        Column("reversed", "reversed"),
        Column("value", "value"),
        Column("low", "from"),
        Column("high", "to"),
        Column("wide_low", "wide from"),
        Column("wide_high", "wide to"),
    )
    kinds: list[tuple[str, Any]] = [("intra", part["intra"]), ("inter", part["inter"])]
    figures = (
        ("κ with linear weights", "linear"),
        ("κ with quadratic weights", "quadratic"),
        ("reversed of those that disagree", "reversed_share"),
    )
    rows = [
        {**row, **row[figure], "measure": f"{name} {kind}"}
        for kind, row in kinds
        for name, figure in figures
    ]
    counts = dict.fromkeys(("agree", "one_tied", "reversed"))
    rows.append({**counts, **part["ordinal_alpha"], "measure": "ordinal α"})
    return Table(
        "disagreement",
        "Kinds of disagreement, and agreement that takes the order of outcomes into account.",
        columns,
        _cells(rows, columns),
        (
            "A tie in one of two judgements is half a disagreement with linear weights and a "
            "quarter with quadratic ones, and in ordinal α.",
            interval_note(report),
            *reasons(rows),
            *bias_notes(report),
            part["signature"],
        ),
    )


def annotators(report: ReportData) -> Table:
    found = report["annotators"]
    rows = [
        (
            row["annotator"],
            row["sentences"],
            row["assignments"],
            row["judgements"],
            row["seconds"],
            row["seconds_per_segment"],
            *(row["intra"][key] for key in _KAPPA_KEYS),
            *(row["inter"][key] for key in _KAPPA_KEYS),
            row["controls"],
            row["controls_passed"],
        )
        for row in found
    ]
    return Table(
        "annotators",
        "Annotators, their time and their agreement.",
        (
            Column("annotator", "annotator", is_text=True),
            Column("sentences", "sentences"),
            Column("assignments", "assignments"),
            Column("judgements", "judgements"),
            Column("seconds", "seconds", places=0),
            Column("seconds_per_segment", "s/judgement", places=1),
            Column("kappa_intra", "κ intra"),
            Column("kappa_intra_low", "from"),
            Column("kappa_intra_high", "to"),
            Column("kappa_intra_sentences", "sentences"),
            Column("kappa_inter", "κ inter"),
            Column("kappa_inter_low", "from"),
            Column("kappa_inter_high", "to"),
            Column("kappa_inter_sentences", "sentences"),
            Column("controls", "controls"),
            Column("controls_passed", "passed"),
        ),
        tuple(rows),
        (
            interval_note(report),
            *reasons([kappa for row in found for kappa in (row["intra"], row["inter"])]),
            *([NO_ASSIGNMENTS] if any(row["assignments"] is None for row in found) else []),
            *bias_notes(report),
            report["agreement"]["signature"],
        ),
    )


def pairs(report: ReportData) -> Table:
    columns = (
        Column("annotator", "annotator", is_text=True),
        Column("other", "other", is_text=True),
        Column("agree", "agree"),
        Column("compared", "compared"),
        Column("kappa", "κ"),
        Column("low", "from"),
        Column("high", "to"),
        Column("sentences", "sentences"),
    )
    return Table(
        "pairs-of-annotators",
        "Agreement of each pair of annotators who judged the same texts.",
        columns,
        _cells(report["pairs"], columns),
        (
            interval_note(report),
            *reasons(report["pairs"]),
            *bias_notes(report),
            report["agreement"]["signature"],
        ),
    )


def disputed(report: ReportData) -> Table:
    rows = report["disputed"]
    columns = (
        Column("sentence", "sentence"),
        Column("words", "source", is_text=True),
        Column("judgements", "judgements"),
        Column("annotators", "annotators"),
        Column("agree", "agree"),
        Column("reversed", "reversed"),
        Column("compared", "compared"),
    )
    return Table(
        "disputed-segments",
        "Segments or sentences with the least agreement.",
        columns,
        _cells(rows, columns),
        (
            "Of all pairs of candidates compared: in how many the two judgements agree, and in how "
            "many one orders the candidates the other way round.",
            *([NO_WORDS] if rows and not any(row["words"] for row in rows) else []),
            report["signature"],
        ),
    )


def sequence(report: ReportData) -> Table:
    part = report["sequence"]
    garbage = ("share of garbage, with the previous sentence", part["garbage"])
    rows: list[tuple[Cell, ...]] = [
        (name, row["compared"], *_span(row), row["p"])
        for name, row in (
            *(() if report["answers"] else (garbage,)),
            ("share of ties, with the previous sentence", part["ties"]),
        )
    ]
    place = part["place"]
    pairs = place["earlier_better"] + place["later_better"]
    rows.append(("candidate shown earlier better", pairs, *_span(place), place["p"]))
    return Table(
        "sequence",
        "Sequence effects: correlations with the previous sentence, and the share of pairs in "
        "which the candidate shown earlier is better.",
        (
            Column("effect", "effect", is_text=True),
            Column("compared", "compared"),
            Column("value", "value"),
            Column("low", "from"),
            Column("high", "to"),
            Column("p", "p", places=4, is_p=True),
        ),
        tuple(rows),
        (
            interval_note(report),
            *reasons([*([] if report["answers"] else [part["garbage"]]), part["ties"], place]),
            part["signature"],
        ),
    )


def _span(row: Any) -> tuple[Cell, Cell, Cell]:
    return row["value"], row["low"], row["high"]


def edit_rates(report: ReportData) -> Table:
    part = report["edit_rates"]
    assert part is not None
    columns = (
        Column("system", "system", is_text=True),
        Column("outputs", "outputs"),
        Column("sentences", "sentences"),
        *_with_ends(Column("rate", "HTER")),
    )
    rows = [
        {
            **row,
            "rate": row["rate"]["value"],
            **{f"rate_{end}": row["rate"][end] for end in _ENDS},  # type: ignore[literal-required]
        }
        for row in part["systems"]
    ]
    return Table(
        "edit-rates",
        "Systems by HTER: edits of their outputs by annotators, for a word of the edited text.",
        columns,
        _cells(rows, columns),
        (
            interval_note(report),
            *reasons([row["rate"] for row in part["systems"]]),
            part["signature"],
        ),
    )


def edit_rates_by_sentence(report: ReportData) -> Table:
    part = report["edit_rates"]
    assert part is not None
    return Table(
        "edit-rates-by-sentence",
        "HTER of each system in each sentence.",
        (
            Column("sentence", "sentence"),
            *(Column(f"rate_{row['system']}", row["system"]) for row in part["systems"]),
        ),
        tuple(
            (number, *rates) for number, rates in zip(part["sentences"], part["rates"], strict=True)
        ),
        (part["signature"],),
    )


def drift(report: ReportData) -> Table:
    part = report["drift"]
    every = (*part["annotators"], part["together"])
    rows = [
        (
            row["annotator"] or "together",
            *_span(row["seconds"]),
            row["seconds"]["screens"],
            *_span(row["agreement"]),
            row["agreement"]["screens"],
        )
        for row in every
    ]
    return Table(
        "drift",
        "Change per 100 sentences of the time for a judgement (relative) and of the share of pairs "
        "that agree with others.",
        (
            Column("annotator", "annotator", is_text=True),
            Column("seconds", "time"),
            Column("seconds_low", "from"),
            Column("seconds_high", "to"),
            Column("seconds_screens", "sentences"),
            Column("agreement", "agreement"),
            Column("agreement_low", "from"),
            Column("agreement_high", "to"),
            Column("agreement_screens", "sentences"),
        ),
        tuple(rows),
        (
            interval_note(report),
            *reasons([trend for row in every for trend in (row["seconds"], row["agreement"])]),
            part["signature"],
        ),
        frozenset({len(rows) - 1}),
    )


def marked_systems(report: ReportData) -> Table:
    """Return the systems with scores and errors; lines separate the clusters."""
    part = report["marked_errors"]
    columns = (
        Column("system", "system", is_text=True),
        Column("value", "score", places=1),
        Column("low", "from", places=1),
        Column("high", "to", places=1),
        Column("wide_low", "wide from", places=1),
        Column("wide_high", "wide to", places=1),
        Column("segments", "N"),
        Column("judgements", "N.ALL"),
        Column("minor", "minor", places=2),
        Column("major", "major", places=2),
        Column("omissions", "omissions", places=2),
        Column("best_rank", "best rank"),
        Column("worst_rank", "worst rank"),
        Column("cluster", "cluster"),
    )
    systems: list[Any] = [*part["systems"]]
    clusters = pairwise(row["cluster"] for row in systems)
    return Table(
        "marked-errors",
        "Systems by mean score, and the errors marked in a judgement.",
        columns,
        tuple(tuple(row[column.name] for column in columns) for row in systems),
        (
            interval_note(report),
            "Ranks and clusters are by Wilcoxon's signed-rank test of the sentences that both "
            f"systems have, two-sided, p < {part['significant_below']:g}: for other sentences "
            "judged by these annotators.",
            *reasons(systems),
            part["signature"],
        ),
        frozenset(place for place, (one, next_) in enumerate(clusters, 1) if one != next_),
    )


def agreement_on_marked_errors(report: ReportData) -> Table:
    part = report["marked_errors"]
    rows = measures(part)
    columns = (
        Column("measure", "measure", is_text=True),
        Column("value", "value"),
        Column("low", "from"),
        Column("high", "to"),
        Column("wide_low", "wide from"),
        Column("wide_high", "wide to"),
        Column("units", "pairs"),
    )
    return Table(
        "agreement-on-marked-errors",
        "Agreement of annotators with themselves (intra) and with each other (inter) on marked "
        "errors and on scores.",
        columns,
        tuple(tuple(row[column.name] for column in columns) for row in rows),
        (
            "Marked characters: F1 of the characters that both marked. α has scores instead of "
            "pairs.",
            *reasons(rows),
            part["marks_signature"],
            part["scores_signature"],
        ),
    )


# The tables of reports about single translations, which are not compared with each other.
OF_SINGLE_TRANSLATIONS: Final = (
    "assessed-systems",
    "assessed-pairs",
    "assessing-annotators",
    "annotators",
)
OTHER_TABLES: Final[dict[str, Callable[[ReportData], Table]]] = {
    "marked-errors": marked_systems,
    "agreement-on-marked-errors": agreement_on_marked_errors,
    "assessed-systems": assessed_systems,
    "assessed-pairs": assessed_pairs,
    "assessing-annotators": assessing_annotators,
    "answers": answers,
    "grade-differences": grade_differences,
    "agreement-of-answers": agreement_of_answers,
    "edit-rates": edit_rates,
    "edit-rates-by-sentence": edit_rates_by_sentence,
    "prediction-powered": powered,
    "prediction-powered-pairs": powered_pairs,
    "estimated-systems": estimated_systems,
    "reused-answers": reused_answers,
    "undecided-systems": undecided_systems,
    "undecided-pairs": undecided_pairs,
    "win-rates": win_rates,
    "agreement": agreement,
    "disagreement": disagreement,
    "annotators": annotators,
    "without-annotators": annotator_effects,
    "pairs-of-annotators": pairs,
    "learning-curve": learning_curve,
    "power": power,
    "sequence": sequence,
    "drift": drift,
    "disputed-segments": disputed,
    "contrasting-sentences": contrasts,
}
