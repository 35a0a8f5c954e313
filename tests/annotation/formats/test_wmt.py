import pytest

from annotation.formats.errors import InputError
from annotation.formats.wmt import FIVE_WAY, PAIRWISE, Ranked, read_five_way, read_pairwise
from tests.evaluation.formats.wmt_files import write, write_five_way, write_pairwise


def texts(*ranked):
    return tuple(Ranked(tuple(name.split("+")), rank) for name, rank in ranked)


def test_a_line_of_21_columns_is_a_ranking_in_the_order_shown(tmp_path):
    path = write_five_way(tmp_path / "five.csv", [(7, "judge1", "C 2 A 1 B+D 2 E -1")])

    (ranking,) = read_five_way(path)

    assert (ranking.pair, ranking.sentence, ranking.judge) == ("Czech-English", 7, "judge1")
    assert ranking.document == "cs-en.test"
    assert ranking.ranked == texts(("C", 2), ("A", 1), ("B+D", 2), ("E", -1))


def test_empty_lines_are_skipped_and_lines_still_counted(tmp_path):
    path = write_five_way(tmp_path / "five.csv", [(7, "judge1", "C 2 A 1"), (8, "", "C 2 A 1")])
    heading, first, second = path.read_text().splitlines()
    write(path, [heading, "", first, "", " "])

    (ranking,) = read_five_way(path)

    assert ranking.where.endswith("line 3")
    with pytest.raises(InputError, match="line 4: the judge is empty"):
        list(read_five_way(write(path, [heading, first, "", second])))


def test_all_pairs_of_some_texts_become_one_ranking(tmp_path):
    path = write_pairwise(
        tmp_path / "pairs.csv",
        [
            (7, "judge1", "C 2 A 1", "1"),
            (7, "judge1", "C 2 B 4", "1"),
            (7, "judge1", "A 1 B 4", "1"),
            (7, "judge1", "A 2 B 1", "2"),
        ],
    )

    first, second = read_pairwise(path)

    assert first.ranked == texts(("C", 2), ("A", 1), ("B", 4))
    assert first.where.endswith("line 2")
    assert second.ranked == texts(("A", 2), ("B", 1))


@pytest.mark.parametrize(
    "rows",
    [
        # One of the three pairs is missing.
        [(7, "j", "C 2 A 1", "1"), (7, "j", "C 2 B 4", "1")],
        # A has two ranks.
        [(7, "j", "C 2 A 1", "1"), (7, "j", "C 2 B 4", "1"), (7, "j", "A 3 B 4", "1")],
        # There is no order in which they all were shown.
        [(7, "j", "C 2 A 1", "1"), (7, "j", "A 1 B 4", "1"), (7, "j", "B 4 C 2", "1")],
        # A pair is given twice.
        [(7, "j", "C 2 A 1", "1"), (7, "j", "C 2 A 1", "1")],
        # A system is in two texts.
        [(7, "j", "C 2 A 1", "1"), (7, "j", "C 2 A+B 1", "1"), (7, "j", "A 1 A+D 1", "1")][:2],
        # Another judge, or sentence.
        [(7, "j", "C 2 A 1", "1"), (7, "k", "C 2 A 1", "1")],
        [(7, "j", "C 2 A 1", "1"), (8, "j", "C 2 A 1", "1")],
    ],
)
def test_otherwise_each_line_is_a_ranking(tmp_path, rows):
    rankings = list(read_pairwise(write_pairwise(tmp_path / "pairs.csv", rows)))

    assert [len(ranking.ranked) for ranking in rankings] == [2] * len(rows)


def test_a_blank_place_is_no_system_and_leaves_the_other_pairs_whole(tmp_path):
    path = write_pairwise(
        tmp_path / "pairs.csv", [(7, "j", "C 2 A 1", "1"), (7, "j", "C 2 blank -1", "1")]
    )

    (ranking,) = read_pairwise(path)

    assert ranking.ranked == texts(("C", 2), ("A", 1))


@pytest.mark.parametrize(
    ("ranked", "message"),
    [
        ("A 6 B 1", "line 3: the rank '6' of 'A' is neither from 1 to 5 nor -1"),
        ("A x B 1", "line 3: the rank 'x' of 'A'"),
        ("A 1 blank 2", "line 3: 'blank' is an empty place and has the rank 2"),
        ("A 1 B 2 A 1", "line 3: the system 'A' is given twice"),
        ("A 1 B+A 2", "line 3: the system 'A' is given twice"),
        ("A+ 1 B 2", "line 3: the system name '' cannot be used"),
    ],
)
def test_it_refuses_an_impossible_ranking(tmp_path, ranked, message):
    path = write_five_way(tmp_path / "five.csv", [(7, "j", "A 1 B 2"), (7, "j", ranked)])

    with pytest.raises(InputError) as caught:
        list(read_five_way(path))

    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("cze,eng,1,1,j,A,1,B,2", "line 2: 9 columns where 10 are needed"),
        ("cze,eng,1,1,,A,1,B,2,1", "line 2: the judge is empty"),
        ("cze,eng,1,x,j,A,1,B,2,1", "line 2: the segmentId 'x' is not a whole number"),
        (",eng,1,1,j,A,1,B,2,1", "line 2: srclang is empty"),
        ("cze,eng,1,1,j,A,1,A,2,1", "line 2: the system 'A' is given twice"),
        ('cze,eng,1,1,j,"A,1,B,2,1', "line 2: this is not CSV (unexpected end of data)"),
    ],
)
def test_it_refuses_an_impossible_pair(tmp_path, line, message):
    path = write(tmp_path / "pairs.csv", [",".join(PAIRWISE), line])

    with pytest.raises(InputError) as caught:
        list(read_pairwise(path))

    assert message in str(caught.value)
    assert "pairs.csv" in str(caught.value)


def test_it_refuses_another_heading(tmp_path):
    path = write(tmp_path / "pairs.csv", ["cze,eng,1,1,j,A,1,B,2,1"])

    with pytest.raises(InputError, match="line 1: the heading must be these 10 columns: srclang,"):
        list(read_pairwise(path))
    with pytest.raises(InputError, match="line 1: the heading must be these 21 columns: srclang,"):
        list(read_five_way(path))


def test_the_heading_may_be_in_any_case(tmp_path):
    path = write(tmp_path / "five.csv", [",".join(FIVE_WAY).upper()])

    assert list(read_five_way(path)) == []
