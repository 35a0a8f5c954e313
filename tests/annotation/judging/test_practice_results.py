"""How practice was judged: scores of annotators, and feedback on one sentence."""

from collections.abc import Mapping

import pytest

from annotation.judging.practice import retire
from annotation.judging.practice_comparisons import (
    Agreed,
    ComparedOrder,
    ComparedScores,
    ComparedSteps,
    PractisedCard,
    segment_feedback,
)
from annotation.judging.practice_results import (
    AnnotatorPractice,
    PracticeResults,
    agreed_pairs,
    feedback,
    practice_results,
    practised,
)
from annotation.kinds import DEFAULT, KINDS
from annotation.models import Candidate, Project, Sentence, User
from tests.annotation.import_export.exchange_files import add_practice, submit_ranks
from tests.annotation.judging.practice_setting import practise_one, practise_with
from tests.factories import assign_next, make_annotator, make_project

# Three pairs in the first segment and one in the second.
GOLD: dict[str, int | None] = {
    "starý dům": 1,
    "stará dům": 2,
    "dům": None,
    "u řeky": 1,
    "blízko řeky": 1,
}


# --- feedback on one segment ------------------------------------------------------------------


def compare(**cards: tuple[int | None, int | None]) -> ComparedOrder:
    """Compare cards by text, each with its rank and its gold rank."""
    practised_cards = [PractisedCard(text, *ranks) for text, ranks in cards.items()]
    found = segment_feedback(DEFAULT.answer, practised_cards)
    assert isinstance(found, ComparedOrder)
    return found


def levels(some):
    return [(level.number, [card.text for card in level.cards]) for level in some]


def test_the_right_order_is_not_marked_with_any_ranks():
    found = compare(a=(1, 1), b=(3, 2), c=(5, 3))
    assert found.same
    assert not any(card.moved for level in found.yours for card in level.cards)


def test_what_is_garbage_in_one_answer_only_is_wrong():
    found = compare(a=(1, 1), b=(2, None))
    assert found.score == Agreed(0, 1)
    assert not found.same
    assert levels(found.yours) == [(1, ["a"]), (2, ["b"])]
    assert levels(found.gold) == [(1, ["a"]), (None, ["b"])]


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        # Two that changed places.
        ({"a": (2, 1), "b": (1, 2), "c": (3, 3)}, {"a": "higher", "b": "lower"}),
        # One far from its place explains all: the others stay.
        ({"a": (3, 1), "b": (1, 2), "c": (2, 3)}, {"a": "higher"}),
        ({"a": (None, 1), "b": (1, 2), "c": (2, 3)}, {"a": "out of garbage"}),
        # Also where the order is right, and with another card that is wrong.
        ({"a": (1, 1), "b": (2, 2), "c": (3, None)}, {"c": "into garbage"}),
        ({"a": (1, None), "b": (1, None)}, {"a": "into garbage", "b": "into garbage"}),
        (
            {"a": (2, 1), "b": (1, 2), "c": (None, 3)},
            {"a": "higher", "b": "lower", "c": "out of garbage"},
        ),
        # A tie that should be none, and one that is missing.
        ({"a": (1, 1), "b": (1, 2)}, {"a": "higher", "b": "lower"}),
        ({"a": (1, 1), "b": (2, 1)}, {"a": "lower", "b": "higher"}),
        # Reversed.
        ({"a": (3, 1), "b": (2, 2), "c": (1, 3)}, {"a": "higher", "c": "lower"}),
    ],
)
def test_as_few_cards_as_possible_are_marked(cards, expected):
    found = compare(**cards)
    marks = {card.text: card.moved for level in found.yours for card in level.cards}
    assert {text: moved for text, moved in marks.items() if moved} == expected


def test_empty_ranks_are_left_out():
    assert levels(compare(a=(2, 1), b=(2, 3), c=(5, 4)).yours) == [(1, ["a", "b"]), (2, ["c"])]


# --- scores -----------------------------------------------------------------------------------


@pytest.fixture
def project(db: None) -> Project:
    """A project with two practice sentences, an annotator and an administrator."""
    project = make_project(sentences=5)
    make_annotator(project)
    make_annotator(project, "boss", "administrator")
    for number in (2, 4):
        add_practice(project, number, GOLD)
    return project


def practise(project: Project, ranks: Mapping[str, int | None], username: str = "jana") -> None:
    """Submit the gold answer except for these candidates."""
    person = User.objects.get(username=username)
    submit_ranks(assign_next(person, project, practise=True), {**GOLD, **ranks})


@pytest.mark.django_db
def test_candidates_that_look_alike_are_one_card(django_assert_num_queries):
    project = make_project(sentences=4)
    for candidate in Candidate.objects.filter(text="dům"):
        Candidate.objects.create(segment=candidate.segment, text="stará  dům")
    practise_with(project, 1, 2, 3)
    jana = make_annotator(project)
    for right in (True, False, True):
        practise_one(jana, project, right=right)
    done = practised(jana, project)
    with django_assert_num_queries(3):
        scores = agreed_pairs(done, DEFAULT.answer)
    assert scores == {one.pk: feedback(one).score for one in done}
    assert [scores[one.pk].all_right for one in done] == [True, False, True]


@pytest.mark.django_db
def test_without_practice_there_are_no_results() -> None:
    assert practice_results(make_project()) == PracticeResults(0, [])


def test_annotators_who_have_not_practised_are_listed(project: Project) -> None:
    # An open sentence does not count as done.
    assign_next(User.objects.get(username="jana"), project, practise=True)
    assert practice_results(project) == PracticeResults(2, [AnnotatorPractice("jana", 0, 0, 0)])
    assert practice_results(project).annotators[0].share is None


def test_pairs_in_the_right_order_are_counted(
    project: Project, django_assert_num_queries: pytest.FixtureRequest
) -> None:
    # Only order matters: 2, 3 and garbage are as right as 1, 2 and garbage.
    practise(project, {"starý dům": 2, "stará dům": 3})
    # A tie too many in the first segment, a tie too few in the second.
    practise(project, {"stará dům": 1, "u řeky": 2})
    # Garbage that was ranked: both of its pairs are wrong.
    practise(project, {"dům": 3}, "boss")
    other = make_project("other", sentences=1)
    make_annotator(other)
    add_practice(other, 1, {})
    practise(other, {})

    with django_assert_num_queries(7):  # type: ignore[operator]
        results = practice_results(project)
    assert results.annotators == [
        AnnotatorPractice("jana", 2, 6, 8),
        AnnotatorPractice("boss", 1, 2, 4),
    ]
    assert results.annotators[0].share == 0.75


def test_retired_sentences_do_not_count(project: Project) -> None:
    practise(project, {"dům": 1})
    practise(project, {})
    done = project.assignments.order_by("pk")[0].sentence.number

    retire(project=project, purpose=Sentence.Purpose.PRACTICE, number=done, retired=True)

    assert practice_results(project) == PracticeResults(1, [AnnotatorPractice("jana", 1, 4, 4)])


@pytest.mark.parametrize(
    ("kind", "yours", "right"),
    [
        ("acceptability", [1, 1], [True, True]),
        # All no in place of all yes: the order is the same.
        ("acceptability", [3, 3], [False, False]),
        ("adequacy", [2, 1], [False, True]),
    ],
)
def test_a_step_is_right_only_where_it_is_expected(
    kind: str, yours: list[int], right: list[bool]
) -> None:
    cards = [PractisedCard(f"text {rank}", rank, 1) for rank in yours]
    found = segment_feedback(KINDS[kind].answer, cards)
    assert isinstance(found, ComparedSteps)
    assert found.score == Agreed(sum(right), 2)
    assert [step.is_right for step in found.steps] == right
    assert [step.gold for step in found.steps] == [KINDS[kind].answer.labels[0]] * 2


@pytest.mark.parametrize(("steps", "tolerance"), [(2, 0), (9, 0), (10, 1), (11, 1)])
def test_many_steps_may_be_missed_by_one(steps: int, tolerance: int) -> None:
    kind = KINDS["grades"].with_options("\n".join(map(str, range(steps))))
    cards = [PractisedCard("text", 2 - away, 2) for away in range(2)]
    assert segment_feedback(kind.answer, cards).score == Agreed(1 + tolerance, 2)


@pytest.mark.parametrize(("yours", "right"), [(70, 1), (80, 1), (90, 1), (69, 0), (91, 0)])
def test_a_single_score_is_right_near_the_gold_score(yours: int, right: int) -> None:
    answer = KINDS["direct_assessment"].answer
    card = PractisedCard("text", answer.rank_of(yours), answer.rank_of(80))
    found = segment_feedback(answer, [card])
    assert isinstance(found, ComparedScores)
    assert found.score == Agreed(right, 1)
    assert [(one.yours, one.gold, one.tolerance) for one in found.scores] == [(yours, 80, 10)]
