import pytest

from annotation.formats.errors import InputError
from annotation.formats.names import (
    LONGEST_SYSTEM_NAME,
    Spellings,
    check_system_name,
    find_text,
    plain_name,
)


@pytest.mark.parametrize(
    "name",
    ["Jana Nováková", "Jana Novákova\u0301 ", "\ufeffJana Nováková\u00a0", "\u200bJana Nováková\t"],
)
def test_names_that_look_alike_are_the_same(name):
    assert plain_name(name) == "Jana Nováková"


def test_characters_inside_a_name_stay():
    assert plain_name("A  B\u200dC") == "A  B\u200dC"


def test_case_distinguishes_names():
    assert plain_name("Jana") != plain_name("jana")


@pytest.mark.parametrize("name", ["", " ", "\u200b", "a\u200bb", "x" * (LONGEST_SYSTEM_NAME + 1)])
def test_it_refuses_a_name_that_no_system_can_have(name):
    with pytest.raises(InputError, match="cannot be used"):
        check_system_name(name, "s.tsv, line 2")


def test_a_system_of_a_file_has_one_spelling():
    spellings = Spellings()

    assert spellings.system("c\u030c ", "s.tsv, line 1") == "č"
    assert spellings.system("c\u030c ", "s.tsv, line 2") == "č"
    assert spellings.system("C\u030c", "s.tsv, line 3") == "Č"
    with pytest.raises(InputError) as caught:
        spellings.system("č", "s.tsv, line 4")
    assert caught.value.where == "s.tsv, line 4"
    assert caught.value.values["first"] == "s.tsv, line 1"
    assert "'\\u010d' differs from 'c\\u030c '" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("dům", "dům"),
        ("du\u030am", "dům"),
        (" stará ", "stará"),
        ("chata", None),
        # As it is, although two others are spelt like it.
        ("c\u030c", "c\u030c"),
        # One of two is meant.
        ("č ", None),
    ],
)
def test_a_text_is_found_as_it_is_or_else_in_its_only_other_spelling(text, found):
    assert find_text(text, ["dům", "stará", "č", "c\u030c"]) == found
