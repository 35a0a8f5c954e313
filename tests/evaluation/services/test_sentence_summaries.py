"""Summaries follow what was judged, skipped, discarded and excluded."""

from collections.abc import Mapping, Sequence

import pytest

from annotation.judging.assignment import skip
from annotation.judging.discarding import discard_judgements, restore_judgements
from annotation.models import Project, SentenceSummary, SummarisedProject, User
from annotation.projects.exclusion import set_excluded
from evaluation.services import sentence_summaries
from evaluation.services.sentence_summaries import (
    change_sentence,
    count_all,
    refresh_summaries,
)
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project, next_assignment

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

Ranks = Mapping[str, Sequence[int | None]]
FIRST: Ranks = {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}
SECOND: Ranks = {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]}


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def jana(project: Project) -> User:
    return make_annotator(project)


@pytest.fixture
def petr(project: Project) -> User:
    return make_annotator(project, "petr")


def summary(number: int = 1) -> SentenceSummary:
    return SentenceSummary.objects.get(sentence__number=number)


def test_judges_and_agreement_are_counted(project, jana, petr):
    submit(project, jana, 1, FIRST)
    assert refresh_summaries(project) == 0
    assert (summary().judges, summary().done, summary().agreement) == (1, 1, None)

    submit(project, petr, 1, SECOND)
    refresh_summaries(project)

    # Of three pairs in the first segment all agree, the one of the second does not.
    assert (summary().agree, summary().compared, summary().agreement) == (3, 4, 0.75)
    assert summary().judges == 2
    assert not SentenceSummary.objects.filter(sentence__number=2).exists()


def test_nothing_is_counted_again_without_a_change(project, jana, django_assert_max_num_queries):
    submit(project, jana, 1, FIRST)
    refresh_summaries(project)

    with django_assert_max_num_queries(4):
        refresh_summaries(project)


def test_an_annotator_who_repeats_a_sentence_does_not_agree_with_themselves(project, jana):
    submit(project, jana, 1, FIRST)
    submit(project, jana, 1, SECOND)
    refresh_summaries(project)

    assert (summary().judges, summary().compared) == (1, 0)


def test_a_submission_that_is_stored_late_is_counted(project, jana, petr):
    late = submit(project, jana, 1, FIRST)
    submit(project, petr, 2, SECOND)
    refresh_summaries(project)
    # As if its transaction had not ended when the later one was counted.
    SentenceSummary.objects.filter(sentence=late.sentence).delete()

    refresh_summaries(project)

    assert summary().judges == 1


def test_discarded_judgements_are_not_counted_until_they_are_restored(project, jana, petr):
    submit(project, jana, 1, FIRST)
    submit(project, petr, 1, SECOND)
    refresh_summaries(project)

    discard_judgements(project=project, by=petr, annotator=petr)
    refresh_summaries(project)
    assert (summary().judges, summary().compared) == (1, 0)

    restore_judgements(project=project, by=petr, annotator=petr)
    refresh_summaries(project)
    assert (summary().judges, summary().compared) == (2, 4)


def test_excluding_a_segment_counts_only_its_sentence_again(project, jana, petr):
    for number in (1, 2):
        submit(project, jana, number, FIRST)
        submit(project, petr, number, SECOND)
    refresh_summaries(project)
    sentence = project.sentences.get(number=1)
    segment = sentence.segments.get(token_indices="4 5 6")

    part = {"sentence": sentence.pk, "segment": segment.pk}
    change_sentence(set_excluded, project=project, by=jana, excluded=True, **part)

    assert (summary(1).agree, summary(1).compared) == (3, 3)
    # The other one is not counted again.
    SentenceSummary.objects.filter(pk=summary(2).pk).update(judges=7)
    refresh_summaries(project)
    assert summary(2).judges == 7


def test_a_change_before_the_exclusion_is_not_lost(project, jana, petr):
    for number in (1, 2):
        submit(project, jana, number, FIRST)
    refresh_summaries(project)
    # Read before the change, as by a request that waits for it.
    read = Project.objects.get(pk=project.pk)
    discard_judgements(project=project, by=petr, annotator=jana)
    sentence = project.sentences.get(number=1)

    change_sentence(set_excluded, project=read, by=jana, sentence=sentence.pk, excluded=True)
    refresh_summaries(read)

    assert summary(2).judges == 0


def test_many_sentences_are_left_to_a_worker(project, jana, monkeypatch):
    monkeypatch.setattr(sentence_summaries, "AT_ONCE", 1)
    for number in (1, 2, 3):
        submit(project, jana, number, FIRST)

    assert refresh_summaries(project) == 3
    assert not SentenceSummary.objects.exists()

    count_all(project.pk)
    assert refresh_summaries(project) == 0
    assert SentenceSummary.objects.count() == 3


def test_a_skipped_sentence_is_counted(project, jana):
    assignment = next_assignment(annotator=jana, project=project)
    assert assignment
    skip(annotator=jana, project=project, assignment_id=assignment.pk, reason="other")
    refresh_summaries(project)

    assert summary(assignment.sentence.number).skips == 1
    assert SummarisedProject.objects.get().skip > 0
