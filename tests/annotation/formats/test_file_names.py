import pytest

from annotation.formats.file_names import MOST_BYTES, distinct_names, name_for_files

NASTY = ["A B", "A_B", "a b", 'x"', "../x", "x/y", "x.y[0]", "č", "=1+1", "A B--2"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("my system/2", "my_system_2"),
        ("../x", "_x"),
        ("..", "_"),
        ('x"', 'x"'),
        ("č" * 200, "č" * (MOST_BYTES // 2)),
    ],
)
def test_a_name_can_be_that_of_a_file(text, name):
    assert name_for_files(text) == name


def test_different_names_become_different_files():
    assert distinct_names(NASTY, name_for_files) == [
        *("A_B--2", "A_B", "a_b--3", 'x"', "_x", "x_y", "x.y[0]", "č", "=1+1", "A_B--2--2"),
    ]


def test_names_in_other_cases_become_different_files():
    assert distinct_names(["a", "A", "Straße", "strasse"], name_for_files) == [
        *("a", "A--2", "Straße", "strasse--2"),
    ]


def test_equal_names_become_different_files():
    assert distinct_names(["x", "x", "y"], name_for_files) == ["x", "x--2", "y"]
