"""Who judges which sentence next."""

from uuid import uuid4

import pytest
from django.utils import timezone

from annotation.judging import queue
from annotation.judging.annotator import load_annotator
from annotation.judging.assignment import NotAMember, ProjectNotOpen, release
from annotation.judging.assignment import assign_next as assign_to_member
from annotation.judging.control_items import make_controls
from annotation.judging.sheet import cards_of, sheet
from annotation.judging.submission import submit
from annotation.models import Assignment, Project, Segment, ShownCandidate, User
from annotation.preparation.tokens import look
from annotation.projects import administration
from tests.factories import assign_next, make_annotator, make_project, next_assignment, places

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


def judge_next(annotator: User, project: Project) -> Assignment | None:
    assignment = next_assignment(annotator=annotator, project=project)
    if assignment is None:
        return None
    submit(
        annotator=annotator,
        project=project,
        assignment_id=assignment.pk,
        token=str(uuid4()),
        choices=dict.fromkeys(cards_of(assignment.pk), 1),
    )
    return assignment


def test_it_gives_every_sentence_once_and_then_nothing() -> None:
    project = make_project(sentences=4, intra_rate=0, inter_rate=0)
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    given = [judge_next(who, project) for who in (jana, petr, petr, jana)]
    assert sorted(a.sentence.number for a in given if a) == [1, 2, 3, 4]
    assert judge_next(jana, project) is None
    assert judge_next(petr, project) is None


def test_it_returns_the_open_assignment_in_its_order_again() -> None:
    project = make_project()
    jana = make_annotator(project)
    first = next_assignment(annotator=jana, project=project)
    again = next_assignment(annotator=jana, project=project)
    assert first
    assert first == again
    assert [s.cards for s in sheet(first).segments] == [s.cards for s in sheet(first).segments]


def test_it_never_gives_an_open_sentence_to_another() -> None:
    project = make_project(sentences=1, intra_rate=0, inter_rate=1)
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    assert next_assignment(annotator=jana, project=project)
    assert next_assignment(annotator=petr, project=project) is None


def test_it_skips_sentences_without_candidates() -> None:
    project = make_project(sentences=2)
    Segment.objects.filter(sentence__number=1).exclude(candidates=None)
    empty = project.sentences.create(number=3, text="short", tokens=places("short"))
    Segment.objects.create(sentence=empty, token_indices="0")
    jana = make_annotator(project)
    numbers = [a.sentence.number for a in (judge_next(jana, project) for _ in range(3)) if a]
    assert sorted(numbers) == [1, 2]


def kinds_given(project: Project, people: list[User], sentences: int) -> dict[str, list[str]]:
    kinds: dict[str, list[str]] = {who.username: [] for who in people}
    for _ in range(sentences):
        for who in people:
            assignment = judge_next(who, project)
            assert assignment
            kinds[who.username].append(assignment.kind)
    return kinds


def test_repeats_keep_to_their_rates() -> None:
    project = make_project(sentences=150, intra_rate=0.05, inter_rate=0.1)
    people = [make_annotator(project), make_annotator(project, "petr")]
    for kinds in kinds_given(project, people, 60).values():
        for given in range(1, 61):
            # One in each block of 20; the block that is going on may have had its own.
            assert kinds[:given].count("intra") <= 1 + (given - 1) // 20
            assert kinds[:given].count("inter") <= 1 + (given - 1) // 10
        # The last one may fall on the very sentence on which the other kind was due.
        assert kinds.count("intra") in (2, 3)
        assert kinds.count("inter") in (5, 6)


def test_repeats_keep_to_their_rates_where_few_sentences_have_candidates() -> None:
    project = make_project(
        sentences=150, judges_per_sentence=40, intra_rate=0, inter_rate=0, control_rate=0.1
    )
    Segment.objects.exclude(sentence__number__lte=20).update(excluded=True)
    make_controls(project=project, count=3)
    places = []
    for number in range(40):
        jana = make_annotator(project, f"jana{number}")
        given = [judge_next(jana, project) for _ in range(10)]
        places += [at for at, one in enumerate(given) if one and one.kind == "control"]
    # One in each ten, at any place: if each try decided anew, most would be among the first three.
    assert len(places) == 40
    assert sum(at < 5 for at in places) <= 32


def test_repeats_come_at_unpredictable_places() -> None:
    project = make_project(sentences=150, intra_rate=0, inter_rate=0.2)
    people = [make_annotator(project, f"annotator{i}") for i in range(4)]
    kinds = kinds_given(project, people, 15)
    places = {
        tuple(i for i, kind in enumerate(given) if kind == "inter") for given in kinds.values()
    }
    # Three blocks of five sentences each: 125 patterns, all alike for four with 125 ** -3.
    assert len(places) > 1


def test_a_rate_of_one_repeats_whenever_it_can() -> None:
    project = make_project(sentences=10, intra_rate=1, inter_rate=0)
    [kinds] = kinds_given(project, [make_annotator(project)], 8).values()
    assert kinds[:3] == ["first", "first", "intra"]
    # A sentence that was among the last ones has to wait: then there is a new one.
    assert kinds.count("intra") >= 3


def test_an_intra_repeat_is_a_sentence_that_the_annotator_judged_long_before() -> None:
    project = make_project(sentences=60, intra_rate=0.2, inter_rate=0)
    jana = make_annotator(project)
    seen: list[int] = []
    for _ in range(60):
        assignment = judge_next(jana, project)
        assert assignment
        if assignment.kind == "intra":
            last = len(seen) - 1 - seen[::-1].index(assignment.sentence_id)
            assert len(seen) - last > min(20, (len(seen) + 1) // 2)
        else:
            assert assignment.sentence_id not in seen
        seen.append(assignment.sentence_id)


def test_an_inter_repeat_is_a_submitted_sentence_of_another() -> None:
    project = make_project(sentences=30, intra_rate=0, inter_rate=0.5)
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    for _ in range(10):
        judge_next(jana, project)
    for _ in range(10):
        assignment = judge_next(petr, project)
        assert assignment
        others = Assignment.objects.filter(sentence=assignment.sentence, annotator=jana)
        assert others.exists() == (assignment.kind == "inter")


def test_it_refuses_users_who_are_not_members() -> None:
    project = make_project()
    stranger = User.objects.create(username="stranger")
    with pytest.raises(NotAMember):
        next_assignment(annotator=stranger, project=project)


def test_a_closed_project_assigns_nothing_new_and_keeps_open_assignments() -> None:
    project = make_project()
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    open_one = next_assignment(annotator=jana, project=project)
    project.state = Project.State.CLOSED
    project.save()
    assert next_assignment(annotator=jana, project=project) == open_one
    with pytest.raises(ProjectNotOpen):
        next_assignment(annotator=petr, project=project)


def test_candidates_that_look_alike_are_one_card() -> None:
    project = make_project(sentences=1, segments={"0 1 2": ("dům", "du\u030am", "starý dům")})
    jana = make_annotator(project)
    assignment = assign_next(jana, project)
    [segment] = sheet(assignment).segments
    assert sorted(look(card.text) for card in segment.cards) == ["dům", "starý dům"]
    positions = ShownCandidate.objects.filter(assignment=assignment)
    assert sorted(shown.position for shown in positions) in ([1, 1, 2], [1, 2, 2])


def test_the_order_of_candidates_differs_between_annotators() -> None:
    texts = [f"slovo {letter}" for letter in "abcdefgh"]
    project = make_project(sentences=12, segments={"0 1 2": texts[:3]}, intra_rate=0)
    jana = make_annotator(project)
    orders = set()
    for _ in range(12):
        assignment = judge_next(jana, project)
        assert assignment
        orders.add(tuple(card.text for card in sheet(assignment).segments[0].cards))
    # Twelve shuffles of three agree all with a chance of 6 ** -11.
    assert len(orders) > 1


def test_shown_is_the_server_time() -> None:
    project = make_project()
    before = timezone.now()
    assignment = next_assignment(annotator=make_annotator(project), project=project)
    assert assignment
    assert assignment.shown
    assert before <= assignment.shown <= timezone.now()


# --- how many judges a sentence has -----------------------------------------------------------


def test_each_sentence_has_as_many_judges_as_the_project_asks_for() -> None:
    project = make_project(sentences=5, judges_per_sentence=2, intra_rate=0, inter_rate=0)
    people = [make_annotator(project, name) for name in ("jana", "petr", "olga")]
    given = [judge_next(who, project) for _ in range(6) for who in people]
    judges: dict[int, set[int]] = {}
    for assignment in given:
        if assignment:
            judges.setdefault(assignment.sentence_id, set()).add(assignment.annotator_id)
    assert [len(people) for people in judges.values()] == [2] * 5
    assert sum(assignment is not None for assignment in given) == 10


def test_an_inter_repeat_never_takes_the_place_of_a_judge() -> None:
    project = make_project(sentences=4, judges_per_sentence=2, intra_rate=0, inter_rate=1)
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    for who in (jana, petr):
        kinds = [a.kind for a in (judge_next(who, project) for _ in range(4)) if a]
        assert kinds == ["first"] * 4


def test_the_one_sentence_with_all_its_judges_is_found_among_many() -> None:
    project = make_project(
        sentences=200, judges_per_sentence=2, queue_order="document", intra_rate=0, inter_rate=1
    )
    for name in ("jana", "petr"):
        assert numbers_given(project, make_annotator(project, name), 1) == [1]
    # It is in a third of the samples only.
    for name in ("a", "b", "c", "d", "e", "f"):
        assignment = next_assignment(annotator=make_annotator(project, name), project=project)
        assert assignment
        assert (assignment.kind, assignment.sentence.number) == ("inter", 1)


def test_inter_repeats_are_spread_evenly() -> None:
    project = make_project(sentences=5, intra_rate=0, inter_rate=0)
    assert sorted(numbers_given(project, make_annotator(project), 5)) == [1, 2, 3, 4, 5]
    Project.objects.update(inter_rate=1)
    for turn in range(2):
        people = [make_annotator(project, f"{turn}-{number}") for number in range(5)]
        given = [judge_next(who, project) for who in people]
        assert [assignment.kind for assignment in given if assignment] == ["inter"] * 5
        assert len({assignment.sentence_id for assignment in given if assignment}) == 5


# --- the order of the queue -------------------------------------------------------------------


def numbers_given(project: Project, annotator: User, sentences: int) -> list[int]:
    given = [judge_next(annotator, project) for _ in range(sentences)]
    return [assignment.sentence.number for assignment in given if assignment]


def test_sentences_may_come_as_in_the_document() -> None:
    project = make_project(sentences=6, queue_order="document", intra_rate=0, inter_rate=0)
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    assert numbers_given(project, jana, 3) == [1, 2, 3]
    assert numbers_given(project, petr, 3) == [4, 5, 6]


def test_the_first_free_sentence_of_a_large_document_is_cached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(queue, "LARGE_PROJECT", 1)
    project = make_project(sentences=6, queue_order="document", intra_rate=0, inter_rate=0)
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    first = assign_next(petr, project)
    assert numbers_given(project, jana, 2) == [2, 3]
    # The first sentence comes back: she has it once she looks anew, in a minute, or when nothing
    # else is left.
    release(project=project, assignment_id=first.pk)
    assert numbers_given(project, jana, 4) == [4, 5, 6, 1]
    assert numbers_given(project, jana, 1) == []


def test_in_blocks_each_annotator_continues_in_an_own_block() -> None:
    project = make_project(
        sentences=9, queue_order="blocks", block_size=3, intra_rate=0, inter_rate=0
    )
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    assert numbers_given(project, jana, 1) == [1]
    assert numbers_given(project, petr, 1) == [4]
    assert numbers_given(project, jana, 3) == [2, 3, 7]
    # No block is free of the others: he goes on in his own, then helps.
    assert numbers_given(project, petr, 4) == [5, 6, 8, 9]


def test_in_blocks_a_begun_block_is_not_started_again() -> None:
    project = make_project(
        sentences=7, queue_order="blocks", block_size=3, intra_rate=0, inter_rate=0
    )
    jana, petr, eva = (make_annotator(project, name) for name in ("jana", "petr", "eva"))
    assert numbers_given(project, jana, 3) == [1, 2, 3]
    assert numbers_given(project, petr, 1) == [4]
    # The last block is shorter, and the only one that is not begun.
    assert numbers_given(project, eva, 3) == [7, 5, 6]
    assert numbers_given(project, petr, 1) == []


@pytest.mark.parametrize("change", ["removed", "observer"])
def test_a_member_who_may_no_longer_judge_gets_no_sentence(change: str) -> None:
    """The request began before the change, and assigns a sentence after it."""
    project = make_project()
    boss, jana = make_annotator(project, "boss", "administrator"), make_annotator(project)
    member = load_annotator(jana, project.pk)
    assert member
    if change == "removed":
        administration.remove_member(project=project, by=boss, user_id=jana.pk)
    else:
        administration.set_role(project=project, by=boss, username="jana", role=change)
    with pytest.raises(NotAMember):
        assign_to_member(member)
    assert not Assignment.objects.exists()


@pytest.mark.parametrize("state", [Project.State.CLOSED, Project.State.ARCHIVED])
def test_no_sentence_is_assigned_once_the_project_is_paused_or_archived(state: str) -> None:
    project = make_project()
    annotator = load_annotator(make_annotator(project), project.pk)
    assert annotator
    administration.set_state(project=project, state=Project.State.CLOSED)
    administration.set_state(project=project, state=state)
    with pytest.raises(ProjectNotOpen):
        assign_to_member(annotator)
    assert not Assignment.objects.exists()
