import pytest

from annotation.formats.errors import InputError
from evaluation.formats.system_names import (
    listed,
    name_systems,
    read_system_names,
    same_systems,
    system_of_id,
)
from tests.evaluation.formats.wmt_files import write

OURS = ("online-B", "cu-bojar")


def test_the_files_names_are_mapped_to_the_projects(tmp_path):
    file = write(tmp_path / "map.tsv", ["onlineB\tonline-B", "onlineB.2\tonline-B", "jhu\t"])

    names = read_system_names(file, OURS)

    assert names == {"onlineB": "online-B", "onlineB.2": "online-B", "jhu": None}
    # What the map does not say is as in the project, and what the file lacks is left out.
    assert name_systems(["onlineB", "jhu", "cu-bojar"], OURS, names, "x.csv") == {
        "onlineB": "online-B",
        "jhu": None,
        "cu-bojar": "cu-bojar",
    }


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["onlineB online-B"], "line 1: 1 columns where 2 are needed, separated by tabs"),
        (["a\t", "b\tc\td"], "line 2: 3 columns where 2 are needed"),
        (["\tonline-B"], "line 1: the file's name of a system is missing"),
        (["a\tonline-B", "a\t"], "line 2: the system 'a' is given twice"),
        (["a\tx"], "line 1: there is no system 'x' here; there are cu-bojar, online-B."),
        ([], "is empty"),
    ],
)
def test_it_refuses_what_is_no_map_with_the_line(tmp_path, lines, message):
    with pytest.raises(InputError) as caught:
        read_system_names(write(tmp_path / "map.tsv", lines), OURS)

    assert message in str(caught.value)


def test_all_unknown_names_are_listed_and_what_there_is():
    with pytest.raises(InputError) as caught:
        name_systems(["s10", "s9", "cu-bojar"], OURS, None, "x.csv")

    said = str(caught.value)
    assert "x.csv has systems that the project does not have: s9, s10." in said
    assert "It has cu-bojar, online-B." in said


def test_of_very_many_names_the_first_ones_are_listed():
    assert listed([f"s{n}" for n in range(40)]).endswith("s28, s29 and 10 more")
    assert listed([]) == "none"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("newstest2014.cu-moses.3383.cs-en", "cu-moses.3383"),
        ("newstest2015.cu-chimera.3866.cs-en.txt", "cu-chimera.3866"),
        ("cu-chimera.3866.cs-en.txt", "cu-chimera.3866"),
        ("newstest2013.onlineA.0.en-de", "onlineA.0"),
        ("wmt23.refA", "refA"),
        ("cu-moses.3383", "cu-moses.3383"),
        ("uedin-wmt14", "uedin-wmt14"),
    ],
)
def test_ids_of_systems_lose_their_test_set_and_pair(text, name):
    assert system_of_id(text) == name


@pytest.mark.parametrize(
    ("of_file", "known", "same"),
    [
        (["Facebook-AI", "B"], ["Facebook-AI.7", "B"], {"Facebook-AI": "Facebook-AI.7"}),
        (["newstest2015.A.3.cs-en.txt"], ["A.3"], {"newstest2015.A.3.cs-en.txt": "A.3"}),
        (
            ["A.3.cs-en.txt"],
            ["newstest2015.A.3.cs-en"],
            {"A.3.cs-en.txt": "newstest2015.A.3.cs-en"},
        ),
        # Two submissions of one name, here or there.
        (["A"], ["A.1", "A.2"], {}),
        (["A.1", "A.2"], ["A"], {}),
        (["A.1", "A.2"], ["A.1", "A.3"], {}),
        (["A.1"], ["A.3"], {}),
        (["A"], ["B.1"], {}),
    ],
)
def test_names_with_other_additions_are_the_same_if_there_is_one(of_file, known, same):
    assert same_systems(of_file, known) == same
