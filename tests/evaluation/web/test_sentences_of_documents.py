"""The list of sentences, and the page of one, where sheets are documents."""

import pytest
from django.urls import reverse

from annotation.judging.discarding import return_to_judging
from annotation.models import Assignment, Sentence
from annotation.selectors.judgements import project_summary
from annotation.selectors.sentence_history import past_assignments
from annotation.selectors.sentence_list import SentenceFilters, listed_sentences, sentence_rows
from evaluation.services.loading import load
from evaluation.services.sentence_summaries import refresh_summaries
from tests.annotation.kinds.document_project import judge, prepared
from tests.factories import assign_next, make_annotator

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(tmp_path):
    return prepared(tmp_path, rate_documents=True)


@pytest.fixture
def judged(project):
    """One document of three paragraphs is judged, by eva."""
    annotator = make_annotator(project, "eva")
    assignment = assign_next(annotator, project)
    while assignment.sentence.document != "news 1":
        judge(annotator, assignment)
        assignment = assign_next(annotator, project)
    judge(annotator, assignment)
    Assignment.objects.exclude(pk=assignment.pk).filter(state="submitted").update(
        state="discarded", discarded_with_sentence=True
    )
    refresh_summaries(project)
    return assignment.sentence


def rows_of(head):
    return [head, *head.further_rows.order_by("number")]


def listed(project, **filters):
    return list(listed_sentences(project, SentenceFilters(**filters)))


def test_rows_of_a_sheet_have_its_assignments(project, judged) -> None:
    rows = rows_of(judged)
    for row in sentence_rows(project, [one.pk for one in rows]):
        assert (row.state, row.judges, row.done, row.segments) == ("complete", ["eva"], 1, 1)
        assert row.translation.startswith(f"{row.systems[0]} has ")
    assert [one.annotator for one in past_assignments(project, rows[2])] == ["eva"]
    eva = Assignment.objects.filter(sentence=judged).get().annotator_id
    for filters in ({"state": "complete"}, {"annotator": eva}, {"state": "judged"}):
        assert {one.pk for one in listed(project, **filters)} >= {one.pk for one in rows}
    assert len(listed(project, state="complete")) == 3
    assert len(listed(project, state="unjudged")) == 15
    assert listed(project, state="nothing") == []


def test_words_are_found_in_the_paragraph_that_has_them(project) -> None:
    found = listed(project, words="A has 3 .", in_translations=True)
    assert [one.source_number for one in found] == [3]


def test_a_paragraph_is_excluded_without_the_others(client, project, judged) -> None:
    client.force_login(make_annotator(project, "boss", role="owner"))
    second = rows_of(judged)[1]
    response = client.post(
        reverse("sentences", args=[project.pk]), {"number": second.number, "action": "exclude"}
    )
    assert response.status_code == 302
    assert not Sentence.objects.filter(project=project, excluded=True).exists()
    assert [row.state for row in sentence_rows(project, [one.pk for one in rows_of(judged)])] == [
        "complete",
        "excluded",
        "complete",
    ]
    assert listed(project, state="excluded") == [second]
    assert len(load(project)) == 2


def test_a_document_is_excluded_from_the_page_of_any_paragraph(client, project, judged) -> None:
    client.force_login(make_annotator(project, "boss", role="owner"))
    third = rows_of(judged)[2]
    page = reverse("sentence", args=[project.pk, third.number])
    assert client.get(page).status_code == 200
    client.post(page, {"action": "exclude"})
    assert set(listed(project, state="excluded")) == set(rows_of(judged))
    assert len(load(project)) == 0
    assert project_summary(project).segments == 15
    client.post(page, {"action": "include"})
    assert listed(project, state="excluded") == []
    assert len(load(project)) == 3


def test_a_document_is_assigned_and_returned_from_the_page_of_any_paragraph(
    client, project, judged
) -> None:
    boss = make_annotator(project, "boss", role="owner")
    client.force_login(boss)
    third = rows_of(judged)[2]
    page = reverse("sentence", args=[project.pk, third.number])
    client.post(page, {"action": "assign", "annotator": boss.pk})
    assert [row.reserved_for for row in sentence_rows(project, [third.pk])] == [["boss"]]
    assert return_to_judging(project=project, by=boss, sentence=third.pk) == 1
    assert len(load(project)) == 0


@pytest.mark.parametrize("kind", ["document_sqm", "contrastive_error_spans", "document_ranking"])
def test_each_page_of_a_document_project_opens(client, tmp_path, kind) -> None:
    project = prepared(tmp_path, kind=kind, name=kind, rate_documents=True)
    client.force_login(make_annotator(project, "boss", role="owner"))
    assert client.get(reverse("sentences", args=[project.pk])).status_code == 200
    for row in project.sentences.all():
        response = client.get(reverse("sentence", args=[project.pk, row.number]))
        assert response.status_code == 200
