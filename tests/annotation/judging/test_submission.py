"""Submissions and revisions: what is stored, what is refused, and what the tables refuse."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from annotation.judging.assignment import create_assignment, release, skip
from annotation.judging.errors import AlreadySubmitted, InvalidJudgement, NotAssigned, NotAvailable
from annotation.judging.sheet import (
    Arrangement,
    Sheet,
    build_sheet,
    current_comments,
    current_ranks,
    sheet,
)
from annotation.judging.submission import revise, submit
from annotation.models import (
    Assignment,
    Candidate,
    Control,
    Judgement,
    Membership,
    Placement,
    Project,
    Sentence,
    Submission,
    Translation,
    User,
)
from annotation.preparation.tokens import look
from annotation.projects.sentence_copies import copy_sentence
from tests.annotation.judging.open_sentence import (
    all_placed,
    assignment,
    jana,
    project,
    submit_sentence,
)
from tests.factories import assign_next, make_annotator, make_project, places

# Fixtures, which are used by their names.
__all__ = ["assignment", "jana", "project"]

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


def test_it_stores_a_judgement_per_segment_and_a_placement_per_candidate(
    assignment: Assignment, jana: User
) -> None:
    page = sheet(assignment)
    choices = all_placed(page)
    done = submit_sentence(assignment, choices=choices)
    assert done.created
    assert Judgement.objects.count() == 2
    texts = {card.text: card.key for segment in page.segments for card in segment.cards}
    stored = {texts[p.candidate.text]: p.rank for p in Placement.objects.all()}
    assert stored == choices
    assert {p.ranks_offered for p in Placement.objects.all()} == {2, 3}
    assignment.refresh_from_db()
    assert assignment.state == "submitted"
    assert assignment.lease_until is None


@pytest.mark.parametrize(
    ("active", "each"), [(None, 50), (30.0, 15), (1000.0, 50)], ids=["unknown", "pause", "too long"]
)
def test_time_without_pauses_is_shared_among_the_segments(
    assignment: Assignment, jana: User, active: float | None, each: int
) -> None:
    assert assignment.shown
    assignment.shown -= timedelta(seconds=100)
    assignment.save()
    submit_sentence(assignment, active_seconds=active)
    assert [j.seconds for j in Judgement.objects.all()] == pytest.approx([each, each], abs=1)


def test_the_same_submission_twice_is_stored_once(assignment: Assignment, jana: User) -> None:
    page = sheet(assignment)
    for created in (True, False):
        done = submit_sentence(assignment, token=page.token)
        assert done.created is created
    assert Judgement.objects.count() == 2


def test_another_submission_of_the_same_assignment_is_refused(
    assignment: Assignment, jana: User
) -> None:
    page = sheet(assignment)
    choices = all_placed(page)
    submit_sentence(assignment, choices=choices)
    with pytest.raises(AlreadySubmitted):
        submit_sentence(assignment, token=str(uuid4()), choices=choices)
    assert Judgement.objects.count() == 2


def test_a_token_is_valid_for_one_assignment_only(
    assignment: Assignment, jana: User, project: Project
) -> None:
    page = sheet(assignment)
    submit_sentence(assignment, token=page.token)
    following = assign_next(jana, project)
    with pytest.raises(InvalidJudgement):
        submit_sentence(following, token=page.token)


def test_candidates_of_one_card_get_the_same_rank() -> None:
    project = make_project("alike", sentences=1, segments={"0 1 2": ("dům", "du\u030am", "jiný")})
    jana = make_annotator(project)
    assignment = assign_next(jana, project)
    page = sheet(assignment)
    cards = page.segments[0].cards
    ranks = {look(card.text): rank for rank, card in enumerate(cards, start=1)}
    choices = {card.key: ranks[look(card.text)] for card in cards}
    submit_sentence(assignment, choices=choices)
    stored = {p.candidate.text: p.rank for p in Placement.objects.all()}
    assert stored == {
        "dům": ranks["dům"],
        "du\u030am": ranks["dům"],
        "jiný": ranks["jiný"],
    }


def test_it_accepts_an_open_assignment_of_a_closed_project(
    assignment: Assignment, jana: User, project: Project
) -> None:
    project.state = Project.State.CLOSED
    project.save()
    done = submit_sentence(assignment, project=project)
    assert done.created


def test_it_refuses_an_open_assignment_of_an_archived_project(
    assignment: Assignment, project: Project
) -> None:
    Project.objects.filter(pk=project.pk).update(state=Project.State.ARCHIVED)
    with pytest.raises(NotAvailable):
        submit_sentence(assignment)
    assert not Submission.objects.exists()


def test_card_keys_say_nothing_but_positions() -> None:
    # The ids of candidates are in the order of the systems: none may reach the browser.
    project = make_project("blind", sentences=40, intra_rate=0, inter_rate=0)
    jana = make_annotator(project)
    first_texts = set()
    for _ in range(40):
        given = assign_next(jana, project)
        page = sheet(given)
        keys = [[card.key for card in segment.cards] for segment in page.segments]
        assert keys == [["1-1", "1-2", "1-3"], ["2-1", "2-2"]]
        first_texts.add(page.segments[0].cards[0].text)
        submit_sentence(given)
    # By chance alone one of the three is never first with a probability of 3 * (2/3) ** 40.
    assert len(first_texts) == 3


def test_the_number_of_queries_does_not_grow_with_the_segments(
    django_assert_max_num_queries: object,
) -> None:
    texts = ("jedna", "dvě", "tři")
    segments = {f"{i} {i + 1} {i + 2}": texts for i in range(5)}
    project = make_project("many", sentences=1, segments=segments)
    jana = make_annotator(project)
    assignment = assign_next(jana, project)
    assignment.refresh_from_db()
    with django_assert_max_num_queries(4):  # type: ignore[operator]
        page = sheet(assignment)
    choices = {card.key: 1 for segment in page.segments for card in segment.cards}
    with django_assert_max_num_queries(10):  # type: ignore[operator]
        submit(
            annotator=jana,
            project=assignment.project,
            assignment_id=assignment.pk,
            token=page.token,
            choices=choices,
        )
    assert Placement.objects.count() == len(choices) == 15


# --- returned assignments -----------------------------------------------------------------------


def test_it_accepts_a_returned_assignment_that_is_still_free(
    assignment: Assignment, project: Project
) -> None:
    release(project=project, assignment_id=assignment.pk)
    assert submit_sentence(assignment).created
    assignment.refresh_from_db()
    assert (assignment.state, assignment.slot) == ("submitted", 1)


# --- revisions ---------------------------------------------------------------------------------


def test_a_revision_is_a_new_row_and_the_first_stays(assignment: Assignment, jana: User) -> None:
    first = submit_sentence(assignment, active_seconds=12.5)
    page = sheet(assignment)
    choices: dict[str, int | None] = dict.fromkeys(all_placed(page), 1)
    for created in (True, False):
        again = revise(
            annotator=jana,
            project=assignment.project,
            assignment_id=assignment.pk,
            token=page.token,
            choices=choices,
        )
        assert again.created is created
    assert current_ranks(assignment) == choices
    rows = assignment.submissions.order_by("number").values_list("number", "current")
    assert list(rows) == [(1, False), (2, True)]
    assert first.submission.active_seconds == 12.5
    assert Judgement.objects.count() == 4


# --- what the project shows --------------------------------------------------------------------


def test_reference_and_neighbours_are_shown_as_the_project_says(jana: User) -> None:
    project = make_project("shown", queue_order="document", shown_references="none")
    Membership.objects.create(user=jana, project=project, role="annotator")
    project.sentences.filter(number=2).update(text="it is old.")
    first = assign_next(jana, project)
    page = sheet(first)
    assert (page.references, page.before, page.after) == ([], "", "")
    Project.objects.filter(pk=project.pk).update(shown_references="first", show_neighbours=True)
    page = sheet(Assignment.objects.get(pk=first.pk))
    assert [one.text for one in page.references] == ["reference"]
    assert (page.before, page.after) == ("", "it is old.")


@pytest.mark.parametrize(
    ("shown", "numbers"), [("none", [[], []]), ("first", [[1], [2]]), ("all", [[1, 2], [2, 3]])]
)
def test_the_first_reference_of_a_sentence_or_all_are_shown(
    jana: User, shown: str, numbers: list[list[int]]
) -> None:
    project = make_project("several", queue_order="document", shown_references=shown)
    first, second, *_more = project.sentences.order_by("number")
    second.translations.update(reference=3)
    Translation.objects.bulk_create(
        Translation(sentence=one, reference=2, text="dům", tokens="0-3", alignment="2-0")
        for one in (first, second)
    )
    Membership.objects.create(user=jana, project=project, role="annotator")
    sheets = [sheet(Assignment.objects.get(pk=assign_next(jana, project).pk))]
    copied = copy_sentence(second, Sentence.Purpose.PRACTICE).sentence
    assert set(copied.translations.values_list("reference", flat=True)) == {2, 3}
    sheets.append(build_sheet(copied, project, Arrangement([])))
    assert [[one.number for one in page.references] for page in sheets] == numbers
    if shown == "all":
        assert [one.pieces for one in sheets[0].references] == [
            [("reference", "")],
            [("dům", "1")],
        ]


def test_words_of_the_source_and_of_the_reference_name_their_segments(jana: User) -> None:
    project = make_project("linked", queue_order="document")
    Membership.objects.create(user=jana, project=project, role="annotator")
    Translation.objects.filter(sentence__project=project).update(
        text="starý dům stojí u řeky",
        tokens=places("starý dům stojí u řeky"),
        alignment="1-0 2-1 3-2 4-3 6-4 5-9",
    )
    page = sheet(assign_next(jana, project))
    assert page.source_pieces == [
        ("the old house", "1"),
        (" stands ", ""),
        ("near the river", "2"),
    ]
    assert page.references[0].pieces == [("starý dům", "1"), (" stojí ", ""), ("u řeky", "2")]


def test_links_that_cannot_be_read_mark_nothing(jana: User) -> None:
    project = make_project("broken")
    Membership.objects.create(user=jana, project=project, role="annotator")
    Translation.objects.filter(sentence__project=project).update(alignment="0-0 x")
    assert sheet(assign_next(jana, project)).references[0].pieces == [("reference", "")]


def test_a_candidate_has_its_whole_translations_if_the_project_shows_them(jana: User) -> None:
    project = make_project("whole", queue_order="document")
    Membership.objects.create(user=jana, project=project, role="annotator")
    sentence = project.sentences.get(number=1)
    for system, tokens in (("A", "starý dům stojí"), ("B", "dům tu stojí")):
        Translation.objects.create(
            sentence=sentence,
            system=project.systems.get(name=system),
            text=tokens,
            tokens=places(tokens),
            alignment="1-0 2-1 3-2" if system == "A" else "2-0 3-2",
        )
    assignment = assign_next(jana, project)

    def whole() -> dict[str, list[list[tuple[str, bool]]]]:
        page = sheet(Assignment.objects.get(pk=assignment.pk))
        return {card.text: list(card.whole) for card in page.segments[0].cards}

    assert not any(whole().values())
    Project.objects.filter(pk=project.pk).update(show_whole_translations=True)
    shown = whole()
    assert shown["starý dům"] == [[("starý dům", True), (" stojí", False)]]
    assert shown["dům"] == [[("dům", True), (" tu stojí", False)]]


def test_a_degraded_candidate_is_shown_in_a_translation_like_all_others(jana: User) -> None:
    project = make_project("control", show_whole_translations=True)
    Membership.objects.create(user=jana, project=project, role="annotator")
    for sentence in project.sentences.all():
        Translation.objects.create(
            sentence=sentence,
            system=project.systems.get(name="A"),
            text="starý dům stojí",
            tokens=places("starý dům stojí"),
            alignment="1-0 2-1",
        )
    original = project.sentences.get(number=1)
    copy = copy_sentence(original, Sentence.Purpose.CONTROL)
    segment = next(iter(copy.segments.values()))
    degraded = Candidate.objects.create(segment=segment, text="starý vlak")
    Control.objects.create(
        segment=segment,
        kind="degraded",
        original=segment.candidates.get(text="starý dům"),
        changed=degraded,
    )
    assignment = create_assignment(jana, project, Assignment.Kind.CONTROL, copy.sentence)
    cards = {card.text: card for card in sheet(assignment).segments[0].cards}
    assert cards["starý vlak"].whole == [[("starý vlak", True), (" stojí", False)]]


# --- comments ---------------------------------------------------------------------------------


def test_a_comment_is_stored_with_its_segment_and_replaced_by_a_revision(
    jana: User, assignment: Assignment
) -> None:
    page = sheet(assignment)
    given: dict[str, Any] = {
        "annotator": jana,
        "project": assignment.project,
        "assignment_id": assignment.pk,
        "choices": all_placed(page),
    }
    submit(**given, token=str(uuid4()), comments={"2": " a typo "})
    assert current_comments(assignment) == {"1": "", "2": "a typo"}
    revise(**given, token=str(uuid4()), comments={"1": "fine"})
    assert current_comments(assignment) == {"1": "fine", "2": ""}


@pytest.mark.parametrize("comments", [{"3": "no such segment"}, {"1": "x" * 1001}])
def test_it_refuses_a_comment_that_is_too_long_or_of_no_segment(
    jana: User, assignment: Assignment, comments: dict[str, str]
) -> None:
    with pytest.raises(InvalidJudgement):
        submit(
            annotator=jana,
            project=assignment.project,
            assignment_id=assignment.pk,
            token=str(uuid4()),
            choices=all_placed(sheet(assignment)),
            comments=comments,
        )
    assert not Submission.objects.exists()


# --- refusals ---------------------------------------------------------------------------------


def broken(page: Sheet, how: str) -> dict[str, int | None]:
    choices = all_placed(page)
    first = page.segments[0].cards[0].key
    match how:
        case "missing":
            del choices[first]
        case "foreign":
            choices["3-1"] = 1
        case "zero":
            choices[first] = 0
        case "beyond":
            choices[first] = 4
        case "empty":
            choices = {}
    return choices


@pytest.mark.parametrize("how", ["missing", "foreign", "zero", "beyond", "empty"])
def test_it_refuses_what_does_not_cover_the_candidates(
    assignment: Assignment, jana: User, how: str
) -> None:
    page = sheet(assignment)
    with pytest.raises(InvalidJudgement):
        submit_sentence(assignment, choices=broken(page, how))
    assignment.refresh_from_db()
    assert assignment.state == "open"
    assert not Judgement.objects.exists()
    assert not Placement.objects.exists()


def test_it_refuses_another_annotators_assignment(assignment: Assignment, project: Project) -> None:
    petr = make_annotator(project, "petr")
    with pytest.raises(NotAssigned):
        submit_sentence(assignment, annotator=petr)
    assert not Judgement.objects.exists()


def test_it_refuses_former_members(assignment: Assignment, jana: User, project: Project) -> None:
    Membership.objects.all().delete()
    with pytest.raises(NotAssigned):
        submit_sentence(assignment)


def test_it_refuses_an_assignment_of_another_project(assignment: Assignment, jana: User) -> None:
    other = make_project("castles")
    Membership.objects.create(user=jana, project=other, role="annotator")
    with pytest.raises(NotAssigned):
        submit_sentence(assignment, project=other)


def test_it_refuses_a_malformed_token(assignment: Assignment, jana: User) -> None:
    with pytest.raises(InvalidJudgement):
        submit_sentence(assignment, token="again")


@pytest.mark.parametrize(("rank", "offered"), [(0, 3), (4, 3)])
def test_the_database_refuses_a_rank_out_of_range(
    assignment: Assignment, jana: User, rank: int, offered: int
) -> None:
    submit_sentence(assignment)
    placement = Placement.objects.first()
    assert placement
    placement.rank, placement.ranks_offered = rank, offered
    with pytest.raises(IntegrityError), transaction.atomic():
        placement.save()


def test_the_database_refuses_a_second_placement_of_a_candidate(
    assignment: Assignment, jana: User
) -> None:
    submit_sentence(assignment)
    placement = Placement.objects.first()
    assert placement
    placement.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        placement.save()


def test_the_database_refuses_two_open_assignments(
    assignment: Assignment, jana: User, project: Project
) -> None:
    other = project.sentences.exclude(pk=assignment.sentence_id)[0]
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.create(
            project=project,
            sentence=other,
            annotator=jana,
            kind="first",
            slot=1,
            lease_until=assignment.lease_until,
            created=assignment.created,
        )


# --- returned assignments -----------------------------------------------------------------------


def test_it_refuses_a_sentence_assigned_to_another_meanwhile(jana: User) -> None:
    project = make_project("one", sentences=1)
    make_annotator_of = make_annotator(project, "petr")
    Membership.objects.create(user=jana, project=project, role="annotator")
    hers = assign_next(jana, project)
    release(project=project, assignment_id=hers.pk)
    his = assign_next(make_annotator_of, project)
    with pytest.raises(NotAvailable):
        submit_sentence(hers)
    submit_sentence(his)
    with pytest.raises(NotAvailable):
        submit_sentence(hers)
    assert Judgement.objects.count() == 2


def test_it_refuses_a_skipped_sentence(
    assignment: Assignment, jana: User, project: Project
) -> None:
    skip(annotator=jana, project=project, assignment_id=assignment.pk, reason="technical")
    with pytest.raises(NotAvailable):
        submit_sentence(assignment)


# --- revisions ---------------------------------------------------------------------------------


def test_it_refuses_to_revise_what_was_not_submitted(assignment: Assignment, jana: User) -> None:
    page = sheet(assignment)
    with pytest.raises(NotAvailable):
        revise(
            annotator=jana,
            project=assignment.project,
            assignment_id=assignment.pk,
            token=page.token,
            choices=all_placed(page),
        )
