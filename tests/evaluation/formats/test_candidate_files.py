import pytest

from annotation.formats.errors import InputError
from annotation.formats.tokens import split_at_spaces
from evaluation.formats.candidate_files import read_candidates

SOURCES = {1: split_at_spaces("old house stands"), 2: split_at_spaces("near to the river")}
SEGMENTS = {(1, (0, 1)), (2, (3,))}


def read(folder, *lines):
    path = folder / "candidates.tsv"
    path.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")
    return read_candidates(path, SOURCES, SEGMENTS)


def test_candidates_of_several_systems(tmp_path):
    found = read(
        tmp_path,
        ("2", "river", "E", "řeka", "3"),
        ("1", "old house", "D", "dům", "0 1"),
        ("1", "old house", "E", "chata", "0 1"),
        ("1", "old house", "E", "chata", "0 1"),
    )

    assert list(found) == ["E", "D"]
    assert found["E"] == {(2, (3,)): "řeka", (1, (0, 1)): "chata"}
    assert found["D"] == {(1, (0, 1)): "dům"}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (("1", "old house", "D", "dům"), "4 columns where 5 are needed"),
        (("x", "old house", "D", "dům", "0 1"), "sentence id 'x'"),
        (("1", "old house", "D", "dům", "1 0"), "not sorted"),
        (("1", "old house", "D", "dům", "0 2"), "no segment 'old house' at the token indices"),
        (("2", "old house", "D", "dům", "3"), "no segment 'old house'"),
        (("1", "old house", "", "dům", "0 1"), "system name"),
        (("1", "old house", "D", " ", "0 1"), "candidate is empty"),
        (("1", "old house", "D", "chata", "0 1"), "second candidate"),
    ],
)
def test_bad_lines_are_named(tmp_path, line, problem):
    with pytest.raises(InputError, match=problem) as refusal:
        read(tmp_path, ("1", "old house", "D", "dům", "0 1"), line)

    assert refusal.value.place[1] == 2
