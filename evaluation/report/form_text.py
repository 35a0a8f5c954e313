"""Agreement, times and answers of WMT's forms as tables, for a terminal and for papers."""

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any, Final

from evaluation.rendering.formats import TEXT_WIDTH, as_text
from evaluation.rendering.tables import Column, Table
from evaluation.report.columns import column_of
from evaluation.report.readings import reasons

_OF_SYSTEMS: Final = (
    column_of("pair", "pair", is_text=True),
    column_of("domain", "domain", is_text=True),
    column_of("system", "system", is_text=True),
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
                    (column_of("adequacy", "adequacy"), column_of("fluency", "fluency")),
                    (column_of("outputs", "outputs"),),
                ),
                (
                    "acceptance",
                    "Share of yes among yes and no, and among all answers.",
                    found["acceptance"],
                    (column_of("share", "yes/(yes+no)"), column_of("share_of_all", "yes/all")),
                    (
                        column_of("yes", "yes"),
                        column_of("no", "no"),
                        column_of("not_sure", "not sure"),
                    ),
                ),
                (
                    "edits",
                    "What annotators did with the outputs to be corrected.",
                    found["edits"],
                    (),
                    (
                        column_of("edited", "edited"),
                        column_of("no_corrections_needed", "no corrections needed"),
                        column_of("unable_to_correct", "unable to correct"),
                    ),
                ),
            )
            if parts[2]
        ),
    ]


def _times(found: Mapping[str, Any]) -> Table:
    columns = (
        column_of("kind", "kind", is_text=True),
        column_of("screens", "screens"),
        column_of("annotators", "annotators"),
        column_of("seconds", "seconds", places=1),
        column_of("longer", "longer"),
        column_of("untimed", "untimed"),
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
        column_of("kind", "kind", is_text=True),
        column_of("by", "by", is_text=True),
        column_of("agree", "agree"),
        column_of("compared", "pairs"),
        column_of("observed", "P(A)"),
        column_of("expected", "P(E)"),
        column_of("kappa", "κ"),
        column_of("low", "from"),
        column_of("high", "to"),
        column_of("wide_low", "wide from"),
        column_of("wide_high", "wide to"),
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
    first = (column_of("kind", "of", is_text=True),) if "kind" in rows[0] else ()
    columns = (*first, *_OF_SYSTEMS, *figures, *counts)
    cells = tuple(tuple(row[column.name] for column in columns) for row in rows)
    return Table(name, caption, columns, cells)
