from pathlib import Path

import pytest

from annotation.formats.errors import InputError
from annotation.management.given_texts import named_files


def test_files_have_the_plain_names_of_systems():
    assert named_files("--system", ["c\u030c =a=b.txt"]) == {"č": Path("a=b.txt")}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["č=a", "c\u030c=b"], "--system 'č' is given twice, for a and b"),
        (["a.txt"], "--system 'a.txt' is not of the form NAME=FILE"),
        (["\u200b=a"], "not of the form NAME=FILE"),
        (["A="], "not of the form NAME=FILE"),
    ],
)
def test_it_refuses_values_without_a_name_of_their_own(values, message):
    with pytest.raises(InputError, match=message):
        named_files("--system", values)
