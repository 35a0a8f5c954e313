"""The practice round: sentences with gold answers, and feedback, before judging."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from annotation.judging.assignment import release, skip
from annotation.judging.discarding import (
    discard_judgements,
    restore_judgements,
    restore_sentence,
    return_to_judging,
)
from annotation.judging.drafts import save_draft
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
from annotation.judging.practice_comparisons import Agreed, ComparedOrder
from annotation.judging.practice_results import feedback, practice_results, practised
from annotation.judging.practice_tries import FailedPractice, failed_practice, practise_again
from annotation.judging.sheet import sheet
from annotation.judging.submission import revise, submit
from annotation.models import (
    Answer,
    Assignment,
    ExpectedPlacement,
    Project,
    Reservation,
    Sentence,
    User,
)
from annotation.selectors.annotator_progress import statuses_of
from annotation.selectors.my_judgements import past_judgements
from tests.factories import assign_next, make_annotator, make_project, next_assignment

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

# By the texts of the candidates; None is the garbage bin.
RIGHT = {"starý dům": 1, "stará dům": 2, "dům": None, "u řeky": 1, "blízko řeky": 1}

# One of four pairs is right.
WRONG = {"starý dům": 2, "stará dům": 1, "dům": 3, "u řeky": 1, "blízko řeky": 1}


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
    assert isinstance(first, ComparedOrder)
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


# --- tries ------------------------------------------------------------------------------------


def ask_for(project: Project, share: int | None, tries: int) -> None:
    project.practice_required, project.practice_share = True, share
    project.practice_tries = tries
    project.save()


def states(annotator: User) -> list[tuple[int, str]]:
    mine = Assignment.objects.filter(annotator=annotator, kind="practice").order_by("created")
    return [(one.sentence.number, one.state) for one in mine]


def test_too_few_right_answers_give_no_sentence_but_another_try(
    project: Project, jana: User
) -> None:
    ask_for(project, share=62, tries=2)
    for number in (3, 1):
        make(project, number)
    reserved = project.sentences.get(purpose="judge", number=2)
    Reservation.objects.create(annotator=jana, sentence=reserved, created=timezone.now())
    judge(jana, project, RIGHT)
    assert failed_practice(jana, project) is None
    assert not practise_again(annotator=jana, project=project)
    judge(jana, project, WRONG)
    # 5 of 8 are 62.5 %.
    assert failed_practice(jana, project) is None
    ask_for(project, share=63, tries=2)
    assert failed_practice(jana, project) == FailedPractice(Agreed(5, 8), 63, tries_left=1)
    assert next_assignment(annotator=jana, project=project) is None
    assert next_assignment(annotator=jana, project=project, practise=True) is None

    assert practise_again(annotator=jana, project=project)

    assert states(jana) == [(1, "discarded"), (2, "discarded")]
    assert statuses_of(jana)[0].practice_left == 2
    assert not practised(jana, project).exists()
    again = [judge(jana, project, RIGHT) for _ in range(2)]
    assert [one.sentence.number for one in again] == [1, 2]
    (result,) = practice_results(project).annotators
    assert (result.done, result.agreed, result.pairs) == (2, 8, 8)
    assert judge(jana, project, RIGHT).sentence == reserved


def test_after_the_last_try_only_an_administrator_gives_another(
    project: Project, jana: User
) -> None:
    ask_for(project, share=80, tries=1)
    made = make(project)
    boss = make_annotator(project, "boss", "administrator")
    for _ in range(2):
        judge(jana, project, WRONG)
        assert failed_practice(jana, project) == FailedPractice(Agreed(1, 4), 80, tries_left=0)
        assert not practise_again(annotator=jana, project=project)
        assert practise_again(annotator=jana, project=project, by=boss)
        assert not practise_again(annotator=jana, project=project, by=boss)
    judge(jana, project, WRONG)
    retire(project=project, purpose=Sentence.Purpose.PRACTICE, number=made.number, retired=True)
    assert failed_practice(jana, project) is None


def test_a_former_try_is_never_restored(project: Project, jana: User) -> None:
    ask_for(project, share=80, tries=2)
    source = make(project).copy_of
    judge(jana, project, WRONG)
    practise_again(annotator=jana, project=project)
    judge(jana, project, RIGHT)
    judge(jana, project, RIGHT)
    discard_judgements(project=project, by=jana, annotator=jana)
    assert restore_judgements(project=project, by=jana, annotator=jana) == 1
    assert source
    return_to_judging(project=project, by=jana, sentence=source.pk)
    assert restore_sentence(project=project, by=jana, sentence=source.pk) == 0
    assert states(jana) == [(1, "discarded"), (1, "submitted")]


def test_a_draft_of_a_second_try_is_continued(project: Project, jana: User) -> None:
    ask_for(project, share=80, tries=2)
    make(project)
    judge(jana, project, WRONG)
    practise_again(annotator=jana, project=project)
    begun = assign_next(jana, project)
    key = next(iter(by_card(sheet(begun), RIGHT)))
    save_draft(annotator=jana, project=project, assignment_id=begun.pk, base=0, choices={key: 1})
    release(project=project, assignment_id=begun.pk)
    assert assign_next(jana, project) == begun


def test_a_returned_sentence_is_not_submitted_after_too_few_right_answers(
    project: Project, jana: User
) -> None:
    begun = assign_next(jana, project)
    release(project=project, assignment_id=begun.pk)
    free = project.sentences.exclude(pk=begun.sentence_id).filter(purpose="judge").earliest("pk")
    make(project, free.number)
    ask_for(project, share=80, tries=1)
    judge(jana, project, WRONG)
    with pytest.raises(NotAvailable, match="1 of 4 right"):
        submit(
            annotator=jana,
            project=project,
            assignment_id=begun.pk,
            token=sheet(begun).token,
            choices=by_card(sheet(begun), RIGHT),
        )


def test_practice_is_not_skipped_where_right_answers_are_needed(
    project: Project, jana: User
) -> None:
    ask_for(project, share=80, tries=1)
    make(project)
    given = assign_next(jana, project)
    with pytest.raises(NotAvailable, match="right answers"):
        # As the page's JSON calls it, which loads no project.
        skip(
            annotator=jana,
            project=Project(pk=project.pk),
            assignment_id=given.pk,
            reason="unclear",
        )
    assert states(jana) == [(1, "open")]


def test_a_project_that_needs_no_right_answers_costs_no_query(
    project: Project, jana: User, django_assert_num_queries: Any
) -> None:
    make(project)
    for required, share in ((True, None), (False, 80)):
        project.practice_required, project.practice_share = required, share
        with django_assert_num_queries(0):
            assert failed_practice(jana, project) is None
