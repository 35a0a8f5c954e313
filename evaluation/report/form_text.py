"""Agreement, times and answers of WMT's forms as tables, for a terminal and for papers."""

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any, Final

from evaluation.report.formats import TEXT_WIDTH, as_text
from evaluation.report.readings import reasons
from evaluation.report.tables import Column, Table

_OF_SYSTEMS: Final = (
    Column("pair", "pair", is_text=True),
    Column("domain", "domain", is_text=True),
    Column("system", "system", is_text=True),
)


def form_text(found: Mapping[str, Any]) -> str:
    """Return the text; `found` has the keys of `form_agreement --json`."""
    scope = (
        f"Screens: {found['screens']}. Annotators: {found['annotators']}. Language pairs: "
        f"{', '.join(found['pairs'])}."
    )
    return "\n\n".join((fill(scope, TEXT_WIDTH), *map(as_text, form_tables(found))))


def form_tables(found: Mapping[str, Any]) -> list[Table]:
    """Return the tables of what the file has."""
    return [
        _times(found),
        _agreement(found),
        *(
            _of_systems(*parts)
            for parts in (
                (
                    "grades",
                    "Mean adequacy and fluency, from 1 to 5, of the outputs that have both.",
                    found["grades"],
                    (Column("adequacy", "adequacy"), Column("fluency", "fluency")),
                    (Column("outputs", "outputs"),),
                ),
                (
                    "acceptance",
                    "Share of yes among yes and no, and among all answers.",
                    found["acceptance"],
                    (Column("share", "yes/(yes+no)"), Column("share_of_all", "yes/all")),
                    (Column("yes", "yes"), Column("no", "no"), Column("not_sure", "not sure")),
                ),
                (
                    "edits",
                    "What annotators did with the outputs to be corrected.",
                    found["edits"],
                    (),
                    (
                        Column("edited", "edited"),
                        Column("no_corrections_needed", "no corrections needed"),
                        Column("unable_to_correct", "unable to correct"),
                    ),
                ),
            )
            if parts[2]
        ),
    ]


def _times(found: Mapping[str, Any]) -> Table:
    columns = (
        Column("kind", "kind", is_text=True),
        Column("screens", "screens"),
        Column("annotators", "annotators"),
        Column("seconds", "seconds", places=1),
        Column("longer", "longer"),
        Column("untimed", "untimed"),
    )
    return Table(
        "times",
        "Screens and mean seconds of a screen.",
        columns,
        tuple(tuple(row[column.name] for column in columns) for row in found["kinds"]),
        (
            f"Longer: screens of more than {found['longest_seconds']} seconds, which are left out "
            "of the mean. Of adequacy and fluency, and of their relative reading, the screens are "
            "the same.",
        ),
    )


def _agreement(found: Mapping[str, Any]) -> Table:
    columns = (
        Column("kind", "kind", is_text=True),
        Column("by", "by", is_text=True),
        Column("agree", "agree"),
        Column("compared", "pairs"),
        Column("observed", "P(A)"),
        Column("expected", "P(E)"),
        Column("kappa", "κ"),
        Column("low", "from"),
        Column("high", "to"),
        Column("wide_low", "wide from"),
        Column("wide_high", "wide to"),
    )
    rows = [
        {"kind": row["kind"], "by": by, "expected": row["expected"], **row[by]}
        for row in found["kinds"]
        for by in ("intra", "inter")
    ]
    return Table(
        "agreement",
        "Agreement of annotators with themselves (intra) and with each other (inter).",
        columns,
        tuple(tuple(row[column.name] for column in columns) for row in rows),
        (
            "95 % intervals: for other items, which are sentences or constituents, and for other "
            "items and annotators (wide). Relative: adequacy and fluency read as better, equal or "
            "worse. “Not sure” is left out.",
            *reasons(rows),
            *(f"{row['kind']}: {row['signature']}" for row in found["kinds"]),
        ),
    )


def _of_systems(
    name: str,
    caption: str,
    rows: Sequence[Mapping[str, Any]],
    figures: Sequence[Column],
    counts: Sequence[Column],
) -> Table:
    first = (Column("kind", "of", is_text=True),) if "kind" in rows[0] else ()
    columns = (*first, *_OF_SYSTEMS, *figures, *counts)
    cells = tuple(tuple(row[column.name] for column in columns) for row in rows)
    return Table(name, caption, columns, cells)
