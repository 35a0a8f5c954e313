import pytest

from annotation.formats.error_points import EXPERTS, WMT24
from annotation.formats.errors import InputError
from annotation.formats.marked_errors import MarkedError
from annotation.formats.mqm_lines import read_mqm
from evaluation.formats.mqm import score_ratings
from tests.evaluation.formats.wmt_files import write

HEADING = "system doc doc_id seg_id rater source target category severity comment"


def rows(tmp_path, *lines, heading=HEADING, **options):
    """Read lines whose columns are separated by blanks, and in which _ is a blank."""
    heading = heading.replace(" ", "\t")
    written = [line.replace(" ", "\t").replace("_", " ") for line in lines]
    return list(read_mqm(write(tmp_path / "mqm.tsv", [heading, *written]), **options))


def test_places_are_those_of_the_text_without_marks(tmp_path):
    (rating,) = rows(
        tmp_path, 'A talk.1 1 17 r1 <v>"I</v>_see Ich_<v>möchte</v>_Sie<v>.</v> Style Minor odd'
    )

    assert (rating.system, rating.document, rating.document_segment) == ("A", "talk.1", "1")
    assert (rating.segment, rating.rater, rating.comment) == ("17", "r1", "odd")
    assert (rating.source, rating.target) == ('"I see', "Ich möchte Sie.")
    assert rating.error == MarkedError("minor", "Style", ((4, 10), (14, 15)), ((0, 2),))
    assert not rating.broken_marks


def test_a_line_without_an_error_is_a_rating(tmp_path):
    ratings = rows(tmp_path, "A d 1 1 r1 s t No-error No-error ", "A d 1 1 r2 s t   ")

    assert [one.error for one in ratings] == [None, None]


def test_lines_that_control_raters_are_left_out(tmp_path):
    assert rows(tmp_path, "A d 1 1 r1 s t Found HOTW-test ") == []


@pytest.mark.parametrize("target", ["a_b<v>", "a</v>_b", "<v>a_<v>b</v></v>"])
def test_an_error_whose_marks_are_broken_counts_without_places(tmp_path, target):
    (rating,) = rows(tmp_path, f"A d 1 1 r1 s {target} Style Major ")

    assert (rating.target, rating.broken_marks) == ("a b", True)
    assert rating.error == MarkedError("major", "Style")


def test_a_mark_that_is_not_closed_goes_on_to_the_end(tmp_path):
    (rating,) = rows(tmp_path, "A d 1 1 r1 s a_<v>b Style Major ")

    assert (rating.target, rating.broken_marks) == ("a b", False)
    assert rating.error == MarkedError("major", "Style", ((2, 3),))


def test_later_files_have_other_names_in_another_order(tmp_path):
    (rating,) = rows(
        tmp_path,
        "r1 7 3 A d t Style Major",
        heading="rater globalSegId docSegId system doc target category severity",
    )

    assert (rating.segment, rating.document_segment, rating.source) == ("7", "3", "")


def test_all_problems_of_a_file_are_reported(tmp_path):
    problems: list[InputError] = []
    ratings = rows(
        tmp_path,
        "A d 1 1 r1 s t Style Awful ",
        "A d 1 1 r1 s t Style Minor",
        "A d 1  r1 s t Style Minor ",
        "_ d 1 1 r1 s t Style Minor ",
        "A d 1 1 r1 s t Style Minor ",
        on_error=problems.append,
    )

    assert len(ratings) == 1
    parts = [
        "line 2: the severity 'Awful' is unknown",
        "line 3: 9 columns where 10 are needed",
        "line 4: the column seg_id is empty",
        "line 5: the system name ' ' cannot be used",
    ]
    for problem, part in zip(problems, parts, strict=True):
        assert part in str(problem)
    with pytest.raises(InputError, match="the heading lacks the columns seg_id, target"):
        rows(tmp_path, heading="system rater category severity")


def test_ratings_are_scored_as_published(tmp_path):
    ratings = rows(
        tmp_path,
        "A d 1 1 r1 s t Style/Awkward Minor ",
        "A d 1 1 r1 s t Fluency/Punctuation Minor ",
        "A d 1 1 r2 s t No-error No-error ",
        "A d 2 2 r1 s t Source_error Major ",
        "B d 1 1 r1 s t Non-translation! Major ",
    )

    points = score_ratings(ratings, EXPERTS)

    assert (points.systems, points.segments) == (("A", "B"), ("1", "2"))
    assert points.segment_points[0].tolist() == pytest.approx([0.55, 5])
    assert points.system_points.tolist() == pytest.approx([2.775, 25])
    assert score_ratings(ratings, WMT24).system_points.tolist() == pytest.approx([0.275, 25])


def test_segments_that_documents_number_separately_are_named_by_both(tmp_path):
    ratings = rows(tmp_path, "A d 1 1 r1 s t   ", "A e 1 1 r1 s t   ")

    assert score_ratings(ratings, EXPERTS).segments == ("d::1", "e::1")
