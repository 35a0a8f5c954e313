"""The practice round: sentences with gold answers, and feedback, before judging."""

from collections.abc import Mapping
from uuid import uuid4

import pytest

from annotation.judging.assignment import next_assignment, skip
from annotation.judging.errors import InvalidJudgement, NotAvailable
from annotation.judging.practice import (
    NotForPractice,
    answer_sheet,
    answers,
    change_answers,
    make_practice,
    may_serve,
    practice_sentences,
    retire,
)
from annotation.judging.practice_results import Agreed, feedback, practised
from annotation.judging.sheet import sheet
from annotation.judging.submission import revise, submit
from annotation.models import Answer, Assignment, ExpectedPlacement, Project, Sentence, User
from annotation.selectors.annotator_progress import statuses_of
from annotation.selectors.my_judgements import past_judgements
from tests.factories import assign_next, make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

# By the texts of the candidates; None is the garbage bin.
RIGHT = {"starý dům": 1, "stará dům": 2, "dům": None, "u řeky": 1, "blízko řeky": 1}


@pytest.fixture
def project() -> Project:
    return make_project(sentences=4)


@pytest.fixture
def jana(project: Project) -> User:
    return make_annotator(project)


def by_card(page: object, places: Mapping[str, int | None]) -> dict[str, int | None]:
    segments = page.segments  # type: ignore[attr-defined]
    return {card.key: places[card.text] for segment in segments for card in segment.cards}


def make(
    project: Project, number: int = 1, places: Mapping[str, int | None] = RIGHT, **why: str
) -> Sentence:
    page = answer_sheet(project.sentences.get(purpose="judge", number=number), project)
    return make_practice(
        project=project,
        number=number,
        choices=by_card(page, places),
        explanations={0: "„stará“ does not fit „dům“", **{int(k): v for k, v in why.items()}},
    )


def judge(annotator: User, project: Project, places: Mapping[str, int | None]) -> Assignment:
    assignment = assign_next(annotator, project)
    page = sheet(assignment)
    submit(
        annotator=annotator,
        project=project,
        assignment_id=assignment.pk,
        token=page.token,
        choices=by_card(page, places),
    )
    assignment.refresh_from_db()
    return assignment


def test_its_sentence_is_a_copy_and_the_original_is_not_assigned(
    project: Project, jana: User
) -> None:
    made = make(project, number=2)
    assert (made.purpose, made.number, made.source_number) == ("practice", 1, 2)
    assert [s.indices for s in made.segments.order_by("pk")] == [[0, 1, 2], [4, 5, 6]]
    given = [judge(jana, project, RIGHT).sentence for _ in range(3)]
    assert sorted((s.purpose, s.number) for s in given) == [("judge", n) for n in (1, 3, 4)]
    assert next_assignment(annotator=jana, project=project) is None


def test_required_practice_comes_first_and_in_order(project: Project, jana: User) -> None:
    project.practice_required = True
    project.save()
    assert not statuses_of(jana)[0].must_practise
    for number in (3, 1):
        make(project, number)
    assert statuses_of(jana)[0].must_practise
    given = [judge(jana, project, RIGHT) for _ in range(4)]
    assert [(a.kind, a.sentence.source_number) for a in given[:2]] == [
        ("practice", 3),
        ("practice", 1),
    ]
    assert {a.kind for a in given[2:]} == {"first"}
    assert not statuses_of(jana)[0].must_practise
    assert [a.pk for a in practised(jana, project)] == [a.pk for a in given[:2]]


def test_optional_practice_starts_on_request(project: Project, jana: User) -> None:
    make(project)
    asked = assign_next(jana, project, practise=True)
    assert asked.kind == "practice"
    judge(jana, project, RIGHT)
    assert next_assignment(annotator=jana, project=project, practise=True) is None
    assert judge(jana, project, RIGHT).kind == "first"


def test_skipped_practice_does_not_block_judging(project: Project, jana: User) -> None:
    Project.objects.update(practice_required=True)
    project.refresh_from_db()
    make(project)
    given = assign_next(jana, project)
    skip(annotator=jana, project=project, assignment_id=given.pk, reason="unclear")
    assert not statuses_of(jana)[0].must_practise
    assert judge(jana, project, RIGHT).kind == "first"


def test_feedback_compares_orders_and_not_ranks(project: Project, jana: User) -> None:
    make(project)
    next_assignment(annotator=jana, project=project, practise=True)
    # "dům" is garbage in the gold answer, so that both of its pairs are wrong; of the others, the
    # order is right, and so is a tie on another rank.
    yours = {"starý dům": 1, "stará dům": 3, "dům": 2, "u řeky": 2, "blízko řeky": 2}
    result = feedback(judge(jana, project, yours))
    first, second = result.segments
    assert [[card.text for card in level.cards] for level in first.gold] == [
        ["starý dům"],
        ["stará dům"],
        ["dům"],
    ]
    assert first.score == Agreed(1, 3)
    assert first.explanation == "„stará“ does not fit „dům“"
    assert second.score == Agreed(1, 1)
    assert result.score == Agreed(2, 4)


def test_answers_can_be_changed_and_feedback_with_them(project: Project, jana: User) -> None:
    made = make(project)
    choices, explanations = answers(made, project)
    page = answer_sheet(made, project)
    assert choices == by_card(page, RIGHT)
    assert explanations == ["„stará“ does not fit „dům“", ""]
    next_assignment(annotator=jana, project=project, practise=True)
    done = judge(jana, project, RIGHT)
    other = RIGHT | {"u řeky": 2}
    change_answers(
        project=project, sentence=made, choices=by_card(page, other), explanations={1: "blízko"}
    )
    assert (feedback(done).score.agreed, feedback(done).segments[1].explanation) == (3, "blízko")


def test_answers_that_are_not_whole_are_refused_and_nothing_is_stored(project: Project) -> None:
    made = make(project)
    page = answer_sheet(made, project)
    wrong: list[dict[str, int | None]] = [
        {},
        by_card(page, RIGHT | {"dům": 4}),
        by_card(page, RIGHT) | {"9-9": 1},
    ]
    for choices in wrong:
        with pytest.raises(InvalidJudgement):
            change_answers(project=project, sentence=made, choices=choices, explanations={})
        with pytest.raises(InvalidJudgement):
            make_practice(project=project, number=2, choices=choices, explanations={})
    with pytest.raises(InvalidJudgement, match="too long"):
        change_answers(
            project=project,
            sentence=made,
            choices=by_card(page, RIGHT),
            explanations={0: "x" * 2001},
        )
    assert answers(made, project)[0] == by_card(page, RIGHT)
    assert Sentence.objects.filter(purpose="practice").count() == Answer.objects.count() / 2 == 1
    assert ExpectedPlacement.objects.count() == 5


def test_open_and_judged_sentences_cannot_become_practice(project: Project, jana: User) -> None:
    project.queue_order = "document"
    project.save()
    judge(jana, project, RIGHT)
    next_assignment(annotator=jana, project=project)
    assert list(may_serve(project).values_list("number", flat=True)) == [3, 4]
    for number in (1, 2, 99):
        with pytest.raises(NotForPractice, match=str(number)):
            make_practice(project=project, number=number, choices={}, explanations={})
    make(project, 3)
    with pytest.raises(NotForPractice, match="used already"):
        make(project, 3)


def test_a_retired_practice_sentence_is_not_assigned_until_it_is_restored(
    project: Project, jana: User
) -> None:
    made = make(project)
    purpose = Sentence.Purpose.PRACTICE
    assert retire(project=project, purpose=purpose, number=made.number, retired=True)
    assert next_assignment(annotator=jana, project=project, practise=True) is None
    assert retire(project=project, purpose=purpose, number=made.number, retired=False)
    assert next_assignment(annotator=jana, project=project, practise=True)
    assert not retire(project=project, purpose=purpose, number=99, retired=True)
    assert not retire(project=project, purpose=Sentence.Purpose.JUDGE, number=1, retired=True)


def test_practice_is_never_revised(project: Project, jana: User) -> None:
    make(project)
    next_assignment(annotator=jana, project=project, practise=True)
    done = judge(jana, project, RIGHT)
    with pytest.raises(NotAvailable, match="seen the answers"):
        revise(
            annotator=jana,
            project=project,
            assignment_id=done.pk,
            token=str(uuid4()),
            choices=by_card(sheet(done), RIGHT),
        )
    assert done.submissions.count() == 1


def test_practice_counts_nowhere(project: Project, jana: User) -> None:
    make(project)
    next_assignment(annotator=jana, project=project, practise=True)
    judge(jana, project, RIGHT)
    (progress,) = statuses_of(jana)
    assert (progress.assignments, progress.together.judged, progress.together.all) == (0, 0, 3)
    assert not past_judgements(jana, project).exists()
    assert [vars(sentence)["practised"] for sentence in practice_sentences(project)] == [1]
