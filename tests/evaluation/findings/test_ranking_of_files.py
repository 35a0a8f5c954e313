import pytest

from evaluation.findings.ranking_of_files import ranking_text
from evaluation.formats.judgement_files import Choice
from evaluation.services.file_findings import ranking_of_files
from tests.evaluation.formats.wmt_files import write_five_way


@pytest.mark.parametrize("annotators", ["jpe", "j"])
def test_no_line_is_wider_than_120_columns(tmp_path, annotators):
    names = [f"newstest.{'x' * 60}{n}.{'y' * 60}" for n in range(3)]
    rows = [
        (number, judge, " ".join(f"{name} {1 + place}" for place, name in enumerate(names)))
        for number in range(1, 13)
        for judge in annotators
    ]
    file = write_five_way(tmp_path / "five.csv", rows)

    found = ranking_of_files(Choice("wmt-five", [file]), "expected_wins", resamples=100, seed=0)
    tables = ranking_text(found).split("\n\n")

    # One table has whole names.
    parts = [part.splitlines() for part in tables if "x" * 60 not in part]
    assert max(len(line) for part in parts for line in part if "|" not in line) <= 120
    assert ("too" in tables[2].split()) == (len(annotators) == 3)
