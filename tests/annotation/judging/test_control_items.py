"""Control sentences: mixed in unseen, judged like all others, and in no result."""

from collections import Counter
from itertools import pairwise

import pytest

from annotation.judging.annotator import load_annotator
from annotation.judging.control_items import (
    ControlOutcome,
    NoControls,
    control_items,
    control_outcomes,
    make_controls,
)
from annotation.judging.practice import answer_sheet, make_practice
from annotation.judging.sheet import cards_of, sheet
from annotation.judging.submission import submit
from annotation.models import Assignment, Candidate, Control, Project, Sentence, User
from annotation.selectors.annotator_progress import remaining_sentences, statuses_of
from annotation.selectors.my_judgements import past_judgements
from tests.factories import assign_next, make_annotator, make_project, next_assignment

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

# Sentences that say different things, so that one can be spoilt with words of another.
TEXTS = [
    ("starý dům", "stará budova"),
    ("zelený strom", "zelené stromy"),
    ("rychlé auto", "rychlý vůz"),
    ("teplá polévka", "horká polévka"),
    ("malý pes", "malé štěně"),
    ("hluboká řeka", "hluboký potok"),
    ("nová škola", "nové gymnázium"),
    ("dlouhá cesta", "dlouhý výlet"),
]


@pytest.fixture
def project() -> Project:
    project = make_project(sentences=len(TEXTS), segments={"0 1 2": TEXTS[0]}, control_rate=0.5)
    for sentence, texts in zip(project.sentences.order_by("number"), TEXTS, strict=True):
        first, second = Candidate.objects.filter(segment__sentence=sentence).order_by("pk")
        for candidate, text in ((first, texts[0]), (second, texts[1])):
            candidate.text = text
            candidate.save()
    return project


@pytest.fixture
def jana(project: Project) -> User:
    return make_annotator(project)


def judge(assignment: Assignment, *, carefully: bool) -> None:
    choices: dict[str, int | None] = {}
    texts = dict(Candidate.objects.values_list("pk", "text"))
    for key, card in cards_of(assignment.pk).items():
        text = texts[card.candidate_ids[0]]
        known = text in TEXTS[assignment.sentence.source_number - 1]
        choices[key] = (1 if known else None) if carefully else int(key.split("-")[1])
    submit(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        token=sheet(assignment).token,
        choices=choices,
    )


def judge_all(annotator: User, project: Project, *, carefully: bool) -> list[Assignment]:
    """Judge until nothing is left; carefully is each text on its rank, what was spoilt last."""
    given = []
    while assignment := next_assignment(annotator=annotator, project=project):
        judge(assignment, carefully=carefully)
        given.append(assignment)
    return given


def test_half_have_a_candidate_made_worse_and_half_one_shown_twice(project: Project) -> None:
    made = make_controls(project=project, count=4, seed=7)
    assert [(s.purpose, s.number) for s in made] == [("control", n) for n in (1, 2, 3, 4)]
    assert len({s.copy_of_id for s in made}) == 4
    assert Counter(c.kind for c in Control.objects.all()) == {"degraded": 2, "duplicate": 2}
    for control in Control.objects.select_related("original", "changed"):
        texts = Candidate.objects.filter(segment=control.segment).values_list("text", flat=True)
        assert len(texts) == 3
        assert (control.original.text == control.changed.text) is (control.kind == "duplicate")
        assert control.changed.is_duplicate is (control.kind == "duplicate")
    assert not Sentence.objects.filter(purpose="control", segments__projections__isnull=False)


def test_one_seed_makes_the_same_again(project: Project) -> None:
    make_controls(project=project, count=3, seed=5)
    other = make_project("other", sentences=len(TEXTS), segments={"0 1 2": TEXTS[0]})
    for mine, theirs in zip(
        project.sentences.filter(purpose="judge").order_by("number"),
        other.sentences.order_by("number"),
        strict=True,
    ):
        for a, b in zip(
            Candidate.objects.filter(segment__sentence=mine).order_by("pk"),
            Candidate.objects.filter(segment__sentence=theirs).order_by("pk"),
            strict=True,
        ):
            b.text = a.text
            b.save()
    make_controls(project=other, count=3, seed=5)
    first, second = (
        [(i.kind, i.original, i.changed, i.sentence.source_number) for i in control_items(one)]
        for one in (project, other)
    )
    assert first == second


def test_a_duplicate_is_a_card_of_its_own(project: Project, jana: User) -> None:
    make_controls(project=project, count=2, seed=1)
    given = judge_all(jana, project, carefully=True)
    cards = {
        control.kind: sum(
            len(s.cards)
            for a in given
            if a.sentence_id == control.segment.sentence_id
            for s in sheet(a).segments
        )
        for control in Control.objects.all()
    }
    assert cards == {"degraded": 3, "duplicate": 3}


def test_they_come_at_the_rate_of_the_project_and_each_once(project: Project, jana: User) -> None:
    make_controls(project=project, count=6, seed=1)
    given = judge_all(jana, project, carefully=True)
    kinds = Counter(a.kind for a in given)
    assert kinds["first"] == len(TEXTS)
    assert 4 <= kinds["control"] <= 6
    assert max(Counter(a.sentence_id for a in given).values()) == 1


def test_none_come_where_the_rate_is_zero_or_all_are_retired(project: Project, jana: User) -> None:
    make_controls(project=project, count=4, seed=1)
    Project.objects.update(control_rate=0)
    project.refresh_from_db()
    petr = make_annotator(project, "petr")
    assert {a.kind for a in judge_all(petr, project, carefully=True)} == {"first"}
    Project.objects.update(control_rate=1, judges_per_sentence=2)
    project.refresh_from_db()
    Sentence.objects.filter(purpose="control").update(retired=True)
    assert {a.kind for a in judge_all(jana, project, carefully=True)} == {"first"}


def test_careful_annotators_pass_and_careless_ones_fail(project: Project, jana: User) -> None:
    make_controls(project=project, count=6, seed=1)
    judge_all(jana, project, carefully=True)
    hers = list(control_outcomes(project))
    assert hers
    assert all(outcome.passed for outcome in hers)
    Project.objects.update(judges_per_sentence=2)
    project.refresh_from_db()
    petr = make_annotator(project, "petr")
    judge_all(petr, project, carefully=False)
    his = [outcome for outcome in control_outcomes(project) if outcome.annotator == petr.pk]
    duplicates = [outcome for outcome in his if outcome.kind == "duplicate"]
    assert duplicates
    assert not any(outcome.passed for outcome in duplicates)
    items = control_items(project)
    assert sum(item.judged for item in items) == len(hers) + len(his)
    assert sum(item.passed for item in items) == len(hers) + sum(o.passed for o in his)


@pytest.mark.parametrize(
    ("kind", "original", "changed", "passed"),
    [
        ("degraded", 1, 2, True),
        ("degraded", 1, None, True),
        ("degraded", 2, 2, False),
        ("degraded", 2, 1, False),
        ("degraded", None, 3, False),
        ("degraded", None, None, True),
        ("duplicate", 2, 2, True),
        ("duplicate", None, None, True),
        ("duplicate", 2, 3, False),
        ("duplicate", 2, None, False),
        ("duplicate", None, 1, False),
    ],
)
def test_a_control_is_passed_if_the_changed_candidate_is_ranked_rightly(
    kind: str, original: int | None, changed: int | None, passed: bool
) -> None:
    assert ControlOutcome(1, 1, kind, original, changed).passed is passed


def test_sentences_of_practice_are_no_controls_for_those_who_practised_them(
    project: Project, jana: User
) -> None:
    (control,) = make_controls(project=project, count=1, seed=1)
    page = answer_sheet(
        project.sentences.get(purpose="judge", number=control.source_number), project
    )
    choices = {card.key: 1 for segment in page.segments for card in segment.cards}
    make_practice(project=project, number=control.source_number, choices=choices, explanations={})
    assert {a.kind for a in judge_all(jana, project, carefully=True)} == {"first"}


def test_a_candidate_is_duplicated_if_none_can_be_degraded() -> None:
    alike = make_project("alike", sentences=4, segments={"0 1 2": ("starý dům", "dům starý")})
    make_controls(project=alike, count=4, seed=1)
    assert set(Control.objects.values_list("kind", flat=True)) == {"duplicate"}


def test_control_counts_as_an_assignment_and_leaves_as_many_as_its_source(
    project: Project, jana: User
) -> None:
    make_controls(project=project, count=6, seed=1)
    had: set[int] = set()
    while assignment := next_assignment(annotator=jana, project=project):
        source = assignment.sentence.copy_of_id or assignment.sentence_id
        member = load_annotator(jana, project.pk)
        assert member
        left = remaining_sentences(member, assignment, 8)
        # A sentence that comes again is not among those that are left.
        assert left == max(8 - len(had), 1)
        had.add(source)
        (before,) = statuses_of(jana)
        judge(assignment, carefully=True)
        (after,) = statuses_of(jana)
        assert after.assignments - before.assignments == 1
    assert after.assignments == past_judgements(jana, project).count() > 8
    assert after.together.all == 8


def test_controls_are_not_consecutive_after_a_late_change_of_the_rate(
    project: Project, jana: User
) -> None:
    make_controls(project=project, count=6, seed=1)
    Project.objects.update(control_rate=0)
    project.refresh_from_db()
    for _sentence in range(4):
        assignment = assign_next(jana, project)
        judge(assignment, carefully=True)
    Project.objects.update(control_rate=1)
    project.refresh_from_db()
    kinds = [a.kind for a in judge_all(jana, project, carefully=True)]
    assert "control" in kinds
    assert ("control", "control") not in list(pairwise(kinds))
    # There is none after all else is done, when it could be nothing but that.
    assert kinds[-1] == "first"


def test_a_sentence_that_is_not_prepared_is_not_copied(project: Project) -> None:
    Project.objects.update(state="failed")
    with pytest.raises(NoControls, match="not prepared"):
        make_controls(project=project, count=1, seed=1)


@pytest.mark.parametrize(("count", "why"), [(0, "Between 1"), (201, "Between 1"), (9, "Only 8")])
def test_impossible_numbers_of_controls_are_refused_and_nothing_is_stored(
    project: Project, count: int, why: str
) -> None:
    with pytest.raises(NoControls, match=why):
        make_controls(project=project, count=count, seed=1)
    assert not Sentence.objects.filter(purpose="control").exists()
