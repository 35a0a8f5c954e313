"""Assignments that show the candidates of undecided systems only."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.judging.assignment import create_assignment
from annotation.judging.control_items import make_controls
from annotation.judging.queue import sentences_to_judge
from annotation.judging.sheet import sheet
from annotation.models import Assignment, Candidate, Project, Projection, System, User
from annotation.projects.undecided_systems import set_undecided
from annotation.selectors import counts
from annotation.selectors.submitted_work import judged_sentences
from tests.annotation.judging.judged_next import judge, submit_all
from tests.factories import make_annotator, make_project, next_assignment

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

FULL = [{"starý dům", "stará dům", "dům"}, {"u řeky", "blízko řeky"}]
# A produced the first candidate of each segment, B the second, and C the third.
OF_A_AND_B = [{"starý dům", "stará dům"}, {"u řeky", "blízko řeky"}]
OF_A_AND_C = [{"starý dům", "dům"}]


def decide(project: Project, names: str) -> Project:
    set_undecided(project=project, names=list(names), by="Jana")
    project.refresh_from_db()
    return project


def shown(assignment: Assignment) -> list[set[str]]:
    return [{card.text for card in segment.cards} for segment in sheet(assignment).segments]


def assign(annotator: User, project: Project) -> Assignment:
    found = next_assignment(annotator=annotator, project=project)
    assert found
    return found


def test_candidates_of_decided_systems_are_not_shown() -> None:
    project = decide(make_project(), "AB")

    assignment = assign(make_annotator(project), project)

    assert shown(assignment) == OF_A_AND_B
    assert assignment.decision == 1


def test_a_segment_with_one_candidate_left_is_not_shown() -> None:
    project = decide(make_project(), "AC")

    assert shown(assign(make_annotator(project), project)) == OF_A_AND_C


def test_a_candidate_shared_with_an_undecided_system_is_shown() -> None:
    project = make_project(sentences=1)
    other = Candidate.objects.get(text="blízko řeky")
    system = System.objects.get(name="C")
    Projection.objects.create(segment=other.segment, system=system, candidate=other)

    decide(project, "AC")

    assert shown(assign(make_annotator(project), project)) == [*OF_A_AND_C, FULL[1]]


def test_a_sentence_without_anything_left_to_compare_is_not_assigned() -> None:
    project = make_project(segments={"4 5 6": ("u řeky", "blízko řeky")})
    annotator = make_annotator(project)

    decide(project, "AC")

    assert not sentences_to_judge(project).exists()
    assert next_assignment(annotator=annotator, project=project) is None
    decide(project, "ABC")
    assert assign(annotator, project).decision is None


def test_open_assignments_keep_what_they_show() -> None:
    project = make_project()
    annotator = make_annotator(project)
    before = assign(annotator, project)

    decide(project, "AB")

    again = assign(annotator, project)
    assert again == before
    assert shown(again) == FULL


def test_all_systems_are_shown_after_the_decision_is_reversed() -> None:
    project = decide(make_project(), "AB")
    annotator = make_annotator(project)
    judge(annotator, project)

    decide(project, "ABC")

    assignment = assign(annotator, project)
    assert shown(assignment) == FULL
    assert assignment.decision is None


@pytest.mark.parametrize("kind", [Assignment.Kind.INTRA, Assignment.Kind.INTER])
def test_a_repeat_shows_what_was_shown_before(kind: Assignment.Kind) -> None:
    project = make_project(sentences=2)
    first, other = make_annotator(project), make_annotator(project, "petr")
    by = first if kind == Assignment.Kind.INTRA else other
    full = assign(first, project)
    submit_all(full)
    decide(project, "AB")
    narrowed = assign(first, project)
    submit_all(narrowed)
    decide(project, "AC")

    of_full = create_assignment(by, project, kind, full.sentence)
    assert shown(of_full) == FULL
    submit_all(of_full)
    of_narrowed = create_assignment(by, project, kind, narrowed.sentence)

    assert shown(of_narrowed) == OF_A_AND_B
    assert (of_full.decision, of_narrowed.decision) == (None, 1)


def test_control_items_show_everything() -> None:
    project = make_project(sentences=4)
    (control,) = make_controls(project=project, count=1, seed=1)
    decide(project, "AB")

    assignment = create_assignment(
        make_annotator(project), project, Assignment.Kind.CONTROL, control
    )

    assert assignment.decision is None
    assert sum(len(cards) for cards in shown(assignment)) >= 5


def test_a_slot_with_nothing_new_of_undecided_systems_shows_all() -> None:
    project = make_project(sentences=1)
    annotator = make_annotator(project)
    judge(annotator, project)
    # What C changed: the segment in which A has a candidate and B another.
    sentence = project.sentences.get()
    sentence.candidate_version = 2
    sentence.save()
    sentence.segments.filter(token_indices="4 5 6").update(candidate_version=2)
    decide(project, "AC")

    assignment = assign(annotator, project)

    assert assignment.decision is None
    assert FULL[1] in shown(assignment)


def test_counts_are_of_what_is_left_to_compare() -> None:
    project = make_project(sentences=3)
    annotator = make_annotator(project)
    judge(annotator, project)
    # In the others, C has no candidate any more, so that nothing of A and C is left to compare.
    left = sentences_to_judge(project).exclude(assignments__annotator=annotator)
    Projection.objects.filter(segment__sentence=left.first(), system__name="C").delete()
    decide(project, "AC")

    sentences = judged_sentences(project)

    assert (sentences.judged, sentences.left) == (1, 1)
    assert counts.to_judge(project) == 2
    assert counts.free(project) == 1
    other = make_project("other")
    assert counts.to_judge_of([project, other]) == {project.pk: 2, other.pk: 3}


def test_without_decisions_no_query_asks_for_systems() -> None:
    project = make_project()
    annotator, sentence = make_annotator(project), project.sentences.get(number=1)

    with CaptureQueriesContext(connection) as captured:
        create_assignment(annotator, project, Assignment.Kind.FIRST, sentence, slot=1)

    assert not [query for query in captured if "annotation_projection" in query["sql"]]


def test_the_database_refuses_narrowed_control_items() -> None:
    project = make_project(sentences=4)
    (control,) = make_controls(project=project, count=1, seed=1)
    assignment = create_assignment(
        make_annotator(project), project, Assignment.Kind.CONTROL, control
    )

    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.filter(pk=assignment.pk).update(decision=1)
