"""A ranking with its pairs of systems and agreement as text for a terminal of 120 columns."""

from collections.abc import Mapping
from itertools import combinations
from textwrap import fill
from typing import Any

from evaluation.report.formats import TEXT_WIDTH, as_text, decimal
from evaluation.report.readings import ranking_scope, reasons
from evaluation.report.system_names import short_names
from evaluation.report.tables import METHOD_NAMES, TEXTS, Cell, Column, Table

# Longest names of systems, with which the widest line has at most 120 characters.
RANKED, PAIRED = 34, 33


def ranking_text(found: Mapping[str, Any]) -> str:
    """Return the text; `found` has the keys of `rank_judgements --json`."""
    agreement = found["agreement"]
    parts = [
        f"Judgements: {found['judgements']}. Sentences: {found['sentences']}. "
        f"Annotators: {found['annotators'] or 'unknown'}."
        + (f" Given again, counted once: {found['repeated']}." if found["repeated"] else "")
    ]
    if found["systems"]:
        parts += [
            fill(ranking_scope(found["only_sentences"]), TEXT_WIDTH),
            as_text(_scores(found)),
            as_text(_counts(found)),
            as_text(_pairs(found)),
        ]
    else:
        parts.append("Unknown systems: add --systems FILE.")
    parts.append(as_text(_agreement(agreement)))
    signatures = (found["signature"], found["significance"]["signature"])
    return "\n\n".join((*parts, *signatures, found["agreement_signature"]))


def _scores(found: Mapping[str, Any]) -> Table:
    rows, is_wide = found["systems"], not found["only_sentences"]
    names = short_names([row["system"] for row in rows], RANKED)
    return Table(
        "scores",
        f"Systems by {METHOD_NAMES[found['method']]}",
        (
            Column("rank", "rank"),
            Column("system", "system", is_text=True),
            Column("score", "score"),
            Column("interval", "95 % interval"),
            *([Column("wide", "annotators too")] if is_wide else []),
            Column("ranks", "ranks"),
            Column("cluster", "cluster"),
            Column("first", "P(best)", places=2),
            Column("sentences", "sentences"),
        ),
        tuple(
            (
                row["rank"],
                name,
                row["score"],
                _interval(row["low"], row["high"]),
                *([_interval(row["wide_low"], row["wide_high"])] if is_wide else []),
                _ranks(row),
                row["cluster"],
                row["first"],
                row["sentences"],
            )
            for row, name in zip(rows, names, strict=True)
        ),
        tuple(reasons(rows)),
    )


def _counts(found: Mapping[str, Any]) -> Table:
    columns = (
        Column("system", "system", is_text=True),
        Column("wins", "wins"),
        Column("losses", "losses"),
        Column("ties_of_different_texts", "ties"),
        Column("same_text", "same text"),
        Column("ratio_of_wins", "ratio of wins", places=4),
    )
    rows = tuple(tuple(row[column.name] for column in columns) for row in found["systems"])
    return Table("counts", "Comparisons with all other systems", columns, rows, (TEXTS,))


def _pairs(found: Mapping[str, Any]) -> Table:
    part = found["significance"]
    is_wide = not part["only_sentences"]
    places = {name: place for place, name in enumerate(part["systems"])}
    ranked = [row["system"] for row in found["systems"]]
    short = dict(zip(ranked, short_names(ranked, PAIRED), strict=True))
    keys = ("win_rate", "p", "p_holm", *(("wide_p", "wide_p_holm") if is_wide else ()))
    rows: list[tuple[Cell, ...]] = []
    untested = 0
    for one, other in combinations(ranked, 2):
        x, y = places[one], places[other]
        if part["win_rate"][x][y] is None:
            untested += 1
        else:
            rows.append((short[one], short[other], *(part[key][x][y] for key in keys)))
    wide = (
        Column("wide_p", "wide p", places=4, is_p=True),
        Column("wide_p_holm", "wide Holm", places=4, is_p=True),
    )
    return Table(
        "pairs",
        "How often the first system of a pair was better than the other, ties ignored",
        (
            Column("system", "system", is_text=True),
            Column("other", "other", is_text=True),
            Column("win_rate", "win rate"),
            Column("p", "p", places=4, is_p=True),
            Column("p_holm", "Holm", places=4, is_p=True),
            *(wide if is_wide else ()),
        ),
        tuple(rows),
        (
            "p is for other sentences judged by these annotators"
            f"{'; wide p is for other annotators too' if is_wide else ''}. Holm: p corrected for "
            "all pairs.",
            *([f"Never judged together, or always tied: {untested} pairs."] if untested else []),
        ),
    )


def _agreement(agreement: Mapping[str, Any]) -> Table:
    columns = (
        Column("agreement", "agreement", is_text=True),
        Column("agree", "agree"),
        Column("compared", "compared"),
        Column("observed", "observed"),
        Column("expected", "expected"),
        Column("kappa", "κ"),
        Column("interval", "95 % interval"),
        Column("wide", "annotators too"),
    )
    rows = [
        {
            **row,
            "agreement": name.replace("_", ", as "),
            "interval": _interval(row.get("low"), row.get("high")),
            "wide": _interval(row.get("wide_low"), row.get("wide_high")),
        }
        for name, row in agreement.items()
    ]
    notes = [f"No κ of {row['agreement']}: {row['undefined']}." for row in rows if row["undefined"]]
    estimated = [{**agreement[kind], "undefined": ""} for kind in ("intra", "inter")]
    return Table(
        "agreement",
        "Agreement of annotators with themselves (intra) and with each other (inter)",
        columns,
        tuple(tuple(row[column.name] for column in columns) for row in rows),
        (*notes, *reasons(estimated)),
    )


def _interval(low: float | None, high: float | None) -> str | None:
    """Return both ends; an end without a finite value is a dash."""
    return None if low is None and high is None else f"{decimal(low)} to {decimal(high)}"


def _ranks(row: Mapping[str, Any]) -> str | None:
    best, worst = row["best_rank"], row["worst_rank"]
    if best is None or best == worst:
        return None if best is None else str(best)
    return f"{best}–{worst}"
