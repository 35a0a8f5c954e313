"""Where an annotator's order of the cards and the right one differ."""

import pytest

from annotation.judging.practice import Row, SegmentFeedback, feedback, practised
from annotation.judging.practice_feedback import compared
from annotation.judging.practice_scores import agreed_pairs
from annotation.models import Candidate
from tests.annotation.judging.practice_setting import practise_one, practise_with
from tests.factories import make_annotator, make_project


def compare(**cards):
    """Compare cards by their texts, each with (where it was put, where it belongs)."""
    rows = [Row(text, yours, right) for text, (yours, right) in cards.items()]
    return compared(SegmentFeedback([], rows, 0, 0, ""))


def marks(**cards):
    found = compare(**cards)
    return {card.text: card.moved for level in found.yours for card in level.cards if card.moved}


def levels(some):
    return [(level.number, [card.text for card in level.cards]) for level in some]


def test_what_is_right_is_not_marked_whatever_its_ranks():
    assert marks(a=(1, 1), b=(3, 2), c=(5, 3)) == {}
    assert compare(a=(1, 1), b=(3, 2), c=(5, 3)).same


def test_garbage_is_worse_than_every_rank_but_shown_apart():
    found = compare(a=(1, 1), b=(2, None))
    assert marks(a=(1, 1), b=(2, None)) == {}
    assert not found.same
    assert levels(found.yours) == [(1, ["a"]), (2, ["b"])]
    assert levels(found.right) == [(1, ["a"]), (None, ["b"])]


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        # Two that changed places.
        ({"a": (2, 1), "b": (1, 2), "c": (3, 3)}, {"a": "higher", "b": "lower"}),
        # One far from its place explains all: the others stay.
        ({"a": (3, 1), "b": (1, 2), "c": (2, 3)}, {"a": "higher"}),
        ({"a": (None, 1), "b": (1, 2), "c": (2, 3)}, {"a": "higher"}),
        # Those of one rank that differ, and those that differ and are of one rank.
        ({"a": (1, 1), "b": (1, 2)}, {"a": "higher", "b": "lower"}),
        ({"a": (1, 1), "b": (2, 1)}, {"a": "lower", "b": "higher"}),
        # Upside down.
        ({"a": (3, 1), "b": (2, 2), "c": (1, 3)}, {"a": "higher", "c": "lower"}),
    ],
)
def test_as_few_as_can_be_are_marked_and_told_where_they_belong(cards, expected):
    assert marks(**cards) == expected


def test_empty_ranks_are_left_out():
    assert levels(compare(a=(2, 1), b=(2, 3), c=(5, 4)).yours) == [(1, ["a", "b"]), (2, ["c"])]


@pytest.mark.django_db
def test_pairs_are_counted_as_in_the_feedback_in_three_queries(django_assert_num_queries):
    project = make_project(sentences=4)
    # Two candidates that look alike are one card.
    for candidate in Candidate.objects.filter(text="dům"):
        Candidate.objects.create(segment=candidate.segment, text="stará  dům")
    practise_with(project, 1, 2, 3)
    jana = make_annotator(project)
    for right in (True, False, True):
        practise_one(jana, project, right=right)
    done = practised(jana, project)
    with django_assert_num_queries(3):
        found = agreed_pairs(done)
    expected = {one.pk: feedback(one) for one in done}
    assert {pk: (agreed.agreed, agreed.pairs) for pk, agreed in found.items()} == {
        pk: (result.agreed, result.pairs) for pk, result in expected.items()
    }
    assert [found[one.pk].all_right for one in done] == [True, False, True]
