"""A report without the names of people."""

import hmac
from typing import Any, cast

from evaluation.report.shape import ReportData


def without_names(data: ReportData, key: bytes, word: str = "Annotator") -> ReportData:
    """Return the report with numbers for annotators, such as Annotator 1.

    The numbers, and the order of the rows, depend on the secret `key` and not on the alphabet, so
    that readers who know the names cannot tell who is who. The person who left systems undecided is
    left out.
    """
    names = {row["annotator"] for row in data["annotators"]} - {""}
    shuffled = sorted(names, key=lambda name: hmac.digest(key, name.encode(), "sha256"))
    numbers = {name: number for number, name in enumerate(shuffled, start=1)}

    def number_of(name: str) -> int:
        return numbers.setdefault(name, len(numbers) + 1)

    def pseudonym(name: str) -> str:
        return f"{word} {number_of(name)}" if name else name

    def replaced(part: Any) -> Any:
        if isinstance(part, list):
            rows = [each for each in part if isinstance(each, dict) and each.get("annotator")]
            if len(rows) == len(part):
                part = sorted(part, key=lambda row: number_of(row["annotator"]))
            return [replaced(each) for each in part]
        if not isinstance(part, dict):
            return part
        return {
            key: pseudonym(value)
            if key == "annotator" and isinstance(value, str)
            else replaced(value)
            for key, value in part.items()
        }

    named = {**replaced(data)}
    # Here the other is an annotator; elsewhere it is a system.
    named["pairs"] = [{**row, "other": pseudonym(row["other"])} for row in named["pairs"]]
    if named["undecided"]:
        named["undecided"] = {**named["undecided"], "by": ""}
    return cast(ReportData, named)
