"""Reports without names."""

from typing import Any, cast

from evaluation.report.pseudonyms import without_names
from evaluation.report.shape import ReportData

NAMES = ["anna", "bob", "cyril", "dana", "eva", "filip"]


def named_report() -> ReportData:
    report = {
        "annotators": [{"annotator": name, "judgements": at} for at, name in enumerate(NAMES)],
        "pairs": [{"annotator": "anna", "other": "bob"}, {"annotator": "cyril", "other": "eva"}],
        "undecided": None,
        "rankings": {"systems": [{"system": "A"}]},
    }
    return cast(ReportData, report)


def numbers_of(key: bytes) -> dict[str, int]:
    rows = cast(list[dict[str, Any]], without_names(named_report(), key)["annotators"])
    # The rows are in the order of the numbers, not of the names.
    assert [row["annotator"] for row in rows] == [f"Annotator {n}" for n in range(1, 7)]
    return {NAMES[row["judgements"]]: number for number, row in enumerate(rows, start=1)}


def test_numbers_depend_on_the_key_and_not_on_the_alphabet() -> None:
    found = [numbers_of(bytes([seed])) for seed in range(8)]
    assert numbers_of(b"\x00") == found[0]
    assert len({tuple(each.items()) for each in found}) > 1


def test_pairs_have_the_same_numbers() -> None:
    numbers = numbers_of(b"key")
    pairs = without_names(named_report(), b"key")["pairs"]
    assert {(row["annotator"], row["other"]) for row in pairs} == {
        (f"Annotator {numbers[one]}", f"Annotator {numbers[other]}")
        for one, other in (("anna", "bob"), ("cyril", "eva"))
    }
