"""A report without the names of people."""

from typing import Any, cast

from evaluation.report.shape import ReportData


def without_names(data: ReportData, word: str = "Annotator") -> ReportData:
    """Return the report with numbers for annotators, such as Annotator 1, in the report's order.

    The person who left systems undecided is left out.
    """
    numbers: dict[str, str] = {}

    def pseudonym(name: str) -> str:
        return numbers.setdefault(name, f"{word} {len(numbers) + 1}") if name else name

    for row in data["annotators"]:
        pseudonym(row["annotator"])

    def replaced(part: Any) -> Any:
        if isinstance(part, list):
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
