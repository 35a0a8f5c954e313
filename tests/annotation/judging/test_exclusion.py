"""What annotators are assigned once texts are excluded, and what they had before."""

import pytest
from django.db import IntegrityError, transaction

from annotation.judging.control_items import make_controls
from annotation.judging.queue import free_sentences, sentences_to_judge
from annotation.judging.sheet import sheet
from annotation.models import Assignment, Candidate, Project, Segment, Sentence, User
from annotation.projects.exclusion import LastCandidate, NotOfProject, set_excluded
from annotation.selectors.exclusion import Excluded, excluded_of
from annotation.selectors.judgements import project_summary
from tests.annotation.judging.judged_next import judge, submit_all
from tests.annotation.judging.practice_setting import practise_with
from tests.factories import assign_next, make_annotator, make_project, next_assignment

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

FULL = [{"starý dům", "stará dům", "dům"}, {"u řeky", "blízko řeky"}]


@pytest.fixture
def project() -> Project:
    return make_project(sentences=2)


@pytest.fixture
def jana(project: Project) -> User:
    return make_annotator(project)


def exclude(project: Project, text: str = "", *, number: int = 1, excluded: bool = True) -> None:
    """Exclude a sentence, or the segment or candidate with this text (a segment: its indices)."""
    sentence = project.sentences.get(number=number, purpose="judge")
    of_sentence = Segment.objects.filter(sentence=sentence)
    segment = of_sentence.filter(token_indices=text).first()
    candidate = Candidate.objects.filter(segment__in=of_sentence, text=text).first()
    set_excluded(
        project=project,
        by=User.objects.get_or_create(username="boss")[0],
        sentence=sentence.pk,
        segment=segment.pk if segment else candidate.segment_id if candidate else None,
        candidate=candidate.pk if candidate else None,
        excluded=excluded,
    )


def shown(assignment: Assignment) -> list[set[str]]:
    return [{card.text for card in segment.cards} for segment in sheet(assignment).segments]


def test_an_excluded_sentence_is_not_assigned(project: Project, jana: User) -> None:
    exclude(project)

    found = judge(jana, project)

    assert found
    assert found[0].sentence.number == 2
    assert next_assignment(annotator=jana, project=project) is None
    assert list(sentences_to_judge(project).values_list("number", flat=True)) == [2]
    exclude(project, excluded=False)
    assert assign_next(jana, project).sentence.number == 1


def test_excluded_segments_and_candidates_are_not_shown(project: Project, jana: User) -> None:
    exclude(project, "4 5 6")
    exclude(project, "dům")
    exclude(project, number=2)

    assert shown(assign_next(jana, project)) == [{"starý dům", "stará dům"}]


def test_a_segment_with_one_candidate_left_is_not_shown(project: Project, jana: User) -> None:
    exclude(project, "u řeky")
    exclude(project, number=2)

    assert shown(assign_next(jana, project)) == FULL[:1]
    exclude(project, "dům")
    exclude(project, "stará dům")
    assert not sentences_to_judge(project).exists()


def test_an_open_assignment_stays_and_is_submitted_whole(project: Project, jana: User) -> None:
    assignment = assign_next(jana, project)
    number = assignment.sentence.number
    exclude(project, "dům", number=number)
    exclude(project, "4 5 6", number=number)
    assert shown(assignment) == FULL
    exclude(project, number=number)

    assert assign_next(jana, project) == assignment
    submit_all(assignment)

    assignment.refresh_from_db()
    assert assignment.state == Assignment.State.SUBMITTED
    judged = assignment.submissions.get().judgements.values_list("placements__candidate__text")
    assert {text for (text,) in judged} == FULL[0] | FULL[1]


def test_a_draft_of_an_excluded_sentence_is_not_reopened_but_can_be_submitted(
    project: Project, jana: User
) -> None:
    assignment = assign_next(jana, project)
    assignment.draft_version, assignment.draft_saved = 1, assignment.created
    assignment.state, assignment.lease_until = Assignment.State.RETURNED, None
    assignment.save()
    exclude(project, number=assignment.sentence.number)

    assert assign_next(jana, project) != assignment
    submit_all(assignment)

    assignment.refresh_from_db()
    assert assignment.state == Assignment.State.SUBMITTED


def test_an_excluded_sentence_is_not_repeated() -> None:
    # Not among the latest half of what she judged, which is not repeated.
    project = make_project(sentences=6, queue_order="document")
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    while judge(jana, project):
        pass
    for number in (1, 2, 4, 5, 6):
        exclude(project, number=number)
    project.intra_rate = project.inter_rate = 1.0
    project.save()

    for annotator in (jana, petr):
        assert assign_next(annotator, project).sentence.number == 3


def test_copies_of_an_excluded_sentence_are_not_assigned() -> None:
    project = make_project(sentences=3, control_rate=1.0, practice_required=True)
    practise_with(project, 1)
    (control,) = make_controls(project=project, count=1, seed=1)
    exclude(project, number=1)
    exclude(project, number=control.source_number)

    found = judge(make_annotator(project), project)

    assert found
    assert found[0].kind == Assignment.Kind.FIRST


def test_a_copy_has_nothing_that_is_excluded(project: Project) -> None:
    exclude(project, "4 5 6")
    exclude(project, "dům")
    practise_with(project, 1)

    (segment,) = Segment.objects.filter(sentence__purpose="practice")
    texts = set(segment.candidates.values_list("text", flat=True))
    assert texts == {"starý dům", "stará dům"}


def test_it_counts_what_is_excluded_once(project: Project, jana: User) -> None:
    assert excluded_of(project) == Excluded()
    exclude(project, number=2)
    exclude(project, "4 5 6", number=2)
    exclude(project, "4 5 6")
    exclude(project, "u řeky")
    exclude(project, "dům")
    project.refresh_from_db()

    assert excluded_of(project) == Excluded(sentences=1, segments=1, candidates=1)
    summary = project_summary(project)
    assert (summary.sentences, summary.segments, summary.candidates) == (1, 1, 2)


def test_it_refuses_the_last_candidate_of_a_segment(project: Project, jana: User) -> None:
    exclude(project, "u řeky")

    with pytest.raises(LastCandidate):
        exclude(project, "blízko řeky")


def test_it_refuses_another_projects_sentence_and_copies(project: Project, jana: User) -> None:
    other = make_project("other")
    practise_with(project, 1)
    mine, yours = project.sentences.get(purpose="judge", number=2), other.sentences.all()[0]
    (copy,) = project.sentences.filter(purpose="practice")
    foreign = yours.segments.all()[0]
    candidate = mine.segments.all()[0].candidates.all()[0]
    for wanted in (
        {"sentence": yours.pk},
        {"sentence": copy.pk},
        {"sentence": mine.pk, "segment": foreign.pk},
        {"sentence": mine.pk, "candidate": candidate.pk},
        {"sentence": mine.pk, "segment": foreign.pk, "candidate": candidate.pk},
    ):
        with pytest.raises(NotOfProject):
            set_excluded(project=project, by=jana, excluded=True, **wanted)
    with pytest.raises(IntegrityError), transaction.atomic():
        Sentence.objects.filter(pk=copy.pk).update(excluded=True)


def test_blocks_and_documents_leave_out_excluded_sentences() -> None:
    for order in ("document", "blocks"):
        project = make_project(order, sentences=3, queue_order=order)
        jana = make_annotator(project, order)
        exclude(project, number=1)

        assert assign_next(jana, project).sentence.number == 2
        assert set(free_sentences(jana, project).values_list("number", flat=True)) == {3}
