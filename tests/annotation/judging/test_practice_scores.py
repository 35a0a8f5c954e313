"""What an administrator is told of the practice round."""

from collections.abc import Mapping

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.judging.practice import feedback, retire
from annotation.judging.practice_scores import AnnotatorPractice, PracticeResults, practice_results
from annotation.judging.sheet import cards_of
from annotation.judging.submission import submit
from annotation.models import Project, Sentence, User
from tests.annotation.import_export.exchange_files import add_practice, give, hand_in
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
# Three pairs of the first segment and one of the second.
ANSWERS: dict[str, int | None] = {
    "starý dům": 1,
    "stará dům": 2,
    "dům": None,
    "u řeky": 1,
    "blízko řeky": 1,
}


@pytest.fixture
def project() -> Project:
    """A project with two sentences for practice, an annotator and an administrator."""
    project = make_project(sentences=5)
    make_annotator(project)
    make_annotator(project, "boss", "administrator")
    for number in (2, 4):
        add_practice(project, number, ANSWERS)
    return project


def practise(project: Project, ranks: Mapping[str, int | None], username: str = "jana") -> None:
    """Let the annotator put these candidates elsewhere than where they belong."""
    person = User.objects.get(username=username)
    hand_in(give(project, person, practise=True), {**ANSWERS, **ranks})


def test_without_practice_there_is_nothing_to_tell() -> None:
    assert practice_results(make_project()) == PracticeResults(0, [])


def test_annotators_who_have_not_practised_are_told_too(project: Project) -> None:
    assert practice_results(project) == PracticeResults(2, [AnnotatorPractice("jana", 0, 0, 0)])
    assert practice_results(project).annotators[0].share is None


def test_pairs_in_the_right_order_are_counted(project: Project) -> None:
    # Only order matters: 2, 3 and garbage are as right as 1, 2 and garbage.
    practise(project, {"starý dům": 2, "stará dům": 3})
    # A tie too many in the first segment, a tie too few in the second.
    practise(project, {"stará dům": 1, "u řeky": 2})
    practise(project, {"dům": 3}, "boss")

    assert practice_results(project).annotators == [
        AnnotatorPractice("jana", 2, 6, 8),
        AnnotatorPractice("boss", 1, 4, 4),
    ]
    assert practice_results(project).annotators[0].share == 0.75


def test_it_agrees_with_what_annotators_were_told(project: Project) -> None:
    practise(project, {"starý dům": None, "u řeky": 2})
    practise(project, {"starý dům": 3, "stará dům": None})

    told = [feedback(done) for done in project.assignments.filter(state="submitted")]

    (jana,) = practice_results(project).annotators
    assert jana.agreed == sum(one.agreed for one in told) < jana.pairs
    assert jana.pairs == sum(one.pairs for one in told)


def test_candidates_that_look_alike_are_one_card() -> None:
    project = make_project(sentences=1, segments={"3": ["stál .", "stál.", "stojí"]})
    jana = make_annotator(project)
    add_practice(project, 1, {"stojí": 2})
    given = give(project, jana, practise=True)
    cards = cards_of(given)
    assert len(cards) == 2
    submit(
        annotator=jana,
        project=project,
        assignment_id=given.pk,
        token="3f333df6-90a4-4fda-8dd3-9485d27cee36",
        choices=dict.fromkeys(cards, 1),
    )

    assert practice_results(project).annotators == [AnnotatorPractice("jana", 1, 0, 1)]


def test_what_is_only_open_is_not_done(project: Project) -> None:
    give(project, User.objects.get(username="jana"), practise=True)

    assert practice_results(project).annotators == [AnnotatorPractice("jana", 0, 0, 0)]


def test_retired_sentences_do_not_count(project: Project) -> None:
    practise(project, {"dům": 1})
    practise(project, {})
    done = project.assignments.order_by("pk")[0].sentence.number

    retire(project=project, purpose=Sentence.Purpose.PRACTICE, number=done, retired=True)

    assert practice_results(project) == PracticeResults(1, [AnnotatorPractice("jana", 1, 4, 4)])


def test_another_project_does_not_count(project: Project) -> None:
    other = make_project("other", sentences=1)
    make_annotator(other)
    add_practice(other, 1, {})
    practise(other, {})

    assert practice_results(project).annotators == [AnnotatorPractice("jana", 0, 0, 0)]
    assert practice_results(other).annotators[0].done == 1


@pytest.mark.parametrize("more", [0, 4])
def test_it_asks_as_many_queries_however_much_there_is(project: Project, more: int) -> None:
    practise(project, {})
    for number in range(more):
        make_annotator(project, f"annotator{number}")
        practise(project, {}, f"annotator{number}")
        practise(project, {}, f"annotator{number}")

    with CaptureQueriesContext(connection) as queries:
        practice_results(project)

    assert len(queries) == 7
