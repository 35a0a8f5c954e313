"""What stands below tables."""

from collections.abc import Sequence
from typing import Any

from evaluation.report.shape import ReportData


def interval_note(report: ReportData) -> str:
    return f"Intervals hold 95 % of {report['resamples']} resamples of sentences."


def reasons(rows: Sequence[Any]) -> list[str]:
    """Return each reason for something undefined once, and why intervals are missing."""
    reasons = dict.fromkeys(row["undefined"] for row in rows)
    lacking = dict.fromkeys(row.get("no_interval", "") for row in rows)
    return [
        *(f"{reason[0].upper()}{reason[1:]}." for reason in reasons if reason),
        *(f"Where there is no interval: {reason}." for reason in lacking if reason),
    ]
