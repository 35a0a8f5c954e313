"""A report without the names of people."""

from collections.abc import Mapping
from typing import Any

from evaluation.findings.report import Report
from evaluation.findings.serialisation import from_json


def without_names(
    data: dict[str, Any], known: Mapping[str, int], word: str = "Annotator"
) -> Report:
    """Return the report in this JSON with numbers for annotators, such as Annotator 1.

    `known` are the numbers by name, from 1 without gaps; names that are not in it get the next
    ones. The order of the rows is that of the numbers and not of the alphabet, so that readers who
    know the names cannot tell who is who. The person who left systems undecided is left out.
    """
    numbers = dict(known)

    def number_of(name: str) -> int:
        return numbers.setdefault(name, len(numbers) + 1)

    def pseudonym(name: str) -> str:
        return f"{word} {number_of(name)}" if name else name

    def numbers_of(row: dict[str, Any]) -> list[int]:
        return [number_of(row[name]) for name in ("annotator", "other") if name in row]

    def in_order(row: dict[str, Any]) -> dict[str, Any]:
        """Return a pair of annotators by their numbers: their names are in alphabetical order."""
        if "other" not in row or number_of(row["annotator"]) < number_of(row["other"]):
            return row
        return {**row, "annotator": row["other"], "other": row["annotator"]}

    def replaced(part: Any) -> Any:
        if isinstance(part, list):
            rows = [each for each in part if isinstance(each, dict) and each.get("annotator")]
            if len(rows) == len(part):
                part = sorted(map(in_order, part), key=numbers_of)
            return [replaced(each) for each in part]
        if not isinstance(part, dict):
            return part
        # Beside an annotator, the other one is an annotator too; elsewhere it is a system.
        people = ("annotator", "other") if isinstance(part.get("annotator"), str) else ()
        return {
            name: pseudonym(value) if name in people else replaced(value)
            for name, value in part.items()
        }

    named = replaced(data)
    if named["undecided"]:
        named["undecided"] = {**named["undecided"], "by": ""}
    return from_json(named, Report)
