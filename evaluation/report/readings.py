"""Why figures of tables in files are missing, and how steps of a scale are written."""

from collections.abc import Sequence
from typing import Any


def reasons(rows: Sequence[Any]) -> list[str]:
    """Return each reason why a figure or an interval of these rows is missing, once."""
    reasons = dict.fromkeys(row["undefined"] for row in rows)
    lacking = dict.fromkeys(row["no_interval"] for row in rows)
    narrow = dict.fromkeys(row.get("no_wide_interval", "") for row in rows)
    return [
        *(f"{reason[0].upper()}{reason[1:]}." for reason in reasons if reason),
        *(f"No interval: {reason}." for reason in lacking if reason),
        *(
            f"No interval for other annotators: {reason}."
            for reason in narrow
            if reason and reason not in lacking
        ),
    ]


def grade_and_label(grade: float, label: str) -> str:
    """Return the grade and the label of a step; only the label where it is the grade."""
    return label if label == f"{grade:g}" else f"{grade:g} – {label}"
