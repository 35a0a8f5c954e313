"""Sheets of several rows: assignments are of the head, texts and their judgements of each row."""

from itertools import count

import pytest
from django.db import IntegrityError, transaction

from annotation.judging.queue import sentences_to_judge
from annotation.models import Candidate, Judgement, Placement, Project, Sentence
from annotation.projects.deletion import delete_project
from annotation.projects.texts import delete_texts
from annotation.selectors import judgements
from annotation.selectors.sentence_summaries import placements_of
from tests.annotation.judging.judged_next import submit_all
from tests.factories import assign_next, make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.fixture
def project() -> Project:
    return make_project(sentences=3, numbered=True)


@pytest.fixture
def judged(project: Project) -> tuple[Sentence, Sentence]:
    """Return the head and the further row of a sheet on which both were judged."""
    head, further, other = project.sentences.order_by("number")
    Sentence.objects.filter(pk=further.pk).update(sheet=head)
    project.sentences.filter(pk=other.pk).update(excluded=True)
    assignment = assign_next(make_annotator(project), project)
    assert assignment.sentence == head
    submit_all(assignment)
    for segment in further.segments.all():
        judgement = Judgement.objects.create(
            submission=assignment.submissions.get(), segment=segment, created=assignment.created
        )
        ranks = count(1)
        Placement.objects.bulk_create(
            Placement(judgement=judgement, candidate=one, rank=next(ranks), ranks_offered=9)
            for one in Candidate.objects.filter(segment=segment)
        )
    return head, further


def test_a_row_is_not_its_own_head(project: Project) -> None:
    row = project.sentences.earliest("number")
    with pytest.raises(IntegrityError), transaction.atomic():
        Sentence.objects.filter(pk=row.pk).update(sheet=row)


def test_only_heads_are_assigned(project: Project) -> None:
    head, further, other = project.sentences.order_by("number")
    Sentence.objects.filter(pk=further.pk).update(sheet=head)
    assert list(sentences_to_judge(project).order_by("number")) == [head, other]


def test_judgements_are_found_by_the_sentence_of_their_segment(
    project: Project, judged: tuple[Sentence, Sentence]
) -> None:
    head, further = judged
    lines = {row.sentence for row in judgements.judgements(project)}
    assert lines == {head.number, further.number}
    found = {segment for _sentence, segment, *_more in placements_of([further.pk])}
    assert found == set(further.segments.values_list("pk", flat=True))


@pytest.mark.parametrize(("place", "left"), [(0, []), (1, [0])])
def test_excluding_the_head_excludes_the_sheet(
    project: Project, judged: tuple[Sentence, Sentence], place: int, left: list[int]
) -> None:
    Sentence.objects.filter(pk=judged[place].pk).update(excluded=True)
    lines = {row.sentence for row in judgements.judgements(project)}
    assert lines == {judged[row].number for row in left}


def test_whole_sheets_are_deleted(
    project: Project, judged: tuple[Sentence, Sentence], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotation.projects.deletion.SENTENCES_PER_PAGE", 1)
    delete_project(project)
    assert not Sentence.objects.exists()


def test_texts_of_sheets_are_deleted_row_by_row(project: Project) -> None:
    head, *further = project.sentences.order_by("number")
    Sentence.objects.filter(pk__in=[row.pk for row in further]).update(sheet=head)
    delete_texts(project, size=1, writing=transaction.atomic)
    assert not Sentence.objects.exists()
