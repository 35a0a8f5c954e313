"""The pages on which a curator settles disputed sheets."""

import csv
import io

import pytest
from django.urls import reverse

from annotation.import_export.exports import placements
from annotation.models import Assignment, Membership, Settlement, User
from annotation.projects.administration import change_settings
from tests.annotation.kinds.document_project import judge, prepared
from tests.factories import make_annotator, next_assignment

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(tmp_path):
    """A project of one sheet, to which two annotators give 80 and 40."""
    found = prepared(tmp_path, kind="contrastive_error_spans", documents=("news 1", "news 1"))
    change_settings(project=found, values={"judges_per_sentence": 2, "disputed_from": 20})
    found.refresh_from_db()
    for name, score in (("anežka", 80), ("zbyněk", 40)):
        annotator = make_annotator(found, name)
        assignment = next_assignment(annotator=annotator, project=found)
        assert assignment
        judge(annotator, assignment, score=score)
    return found


@pytest.fixture
def curator(project, client):
    user = User.objects.create_user("curator")
    Membership.objects.create(user=user, project=project, role="administrator")
    client.force_login(user)
    return client


def scores(sheet, score):
    return {f"score-{place}": score for place in range(1, 7)} | {"decision": "own"}


def exported(project):
    rows = csv.DictReader(io.StringIO("".join(placements(project))))
    return [row["settled"] for row in rows]


def test_a_disputed_sheet_is_listed_until_it_is_settled(project, curator):
    listed = curator.get(reverse("disputed", args=[project.pk]))
    (row,) = listed.context["sheets"]
    assert (row.number, row.answers, row.difference, row.is_settled) == (1, 2, 40, False)
    answer = curator.post(reverse("settle", args=[project.pk, 1]), {"decision": "2"})
    assert answer.status_code == 302
    (row,) = curator.get(reverse("disputed", args=[project.pk])).context["sheets"]
    assert row.is_settled
    assert Settlement.objects.get().answer_of == User.objects.get(username="zbyněk")
    assert set(exported(project)) == {"40"}


def test_answers_stand_beside_each_other_without_names(project, curator):
    page = curator.get(reverse("settle", args=[project.pk, 1]))
    assert page.context["sheet"].means == [(column, [80, 40]) for column in (1, 2, 3)]
    assert "zbyněk" not in page.content.decode()


def test_a_curator_can_give_scores_of_their_own(project, curator):
    curator.post(reverse("settle", args=[project.pk, 1]), scores(project, "55"))
    assert Settlement.objects.get().answer_of is None
    assert set(exported(project)) == {"55"}
    page = curator.get(reverse("settle", args=[project.pk, 1]))
    texts = [text for one in page.context["sheet"].paragraphs for text in one.texts]
    assert {text.own for text in texts} == {"55"}


@pytest.mark.parametrize(
    "posted",
    [{}, {"decision": "3"}, {"decision": "own"}, {"decision": "own", "score-1": "x"}, "101"],
)
def test_what_is_no_decision_is_refused_with_what_was_typed(project, curator, posted):
    fields = scores(project, posted) if isinstance(posted, str) else posted
    answer = curator.post(reverse("settle", args=[project.pk, 1]), fields)
    assert answer.status_code == 400
    assert answer.context["problem"]
    (first, *_others) = answer.context["sheet"].paragraphs[0].texts
    assert first.own == fields.get("score-1", "")
    assert not Settlement.objects.exists()


def test_nothing_is_listed_where_the_project_does_not_say_what_is_disputed(project, curator):
    change_settings(project=project, values={"disputed_from": None})
    assert curator.get(reverse("disputed", args=[project.pk])).context["sheets"] == []


def test_a_sheet_of_one_annotator_has_no_page(project, curator):
    Assignment.objects.filter(annotator__username="anežka").update(
        state="discarded", discarded_with_annotator=True
    )
    assert curator.get(reverse("settle", args=[project.pk, 1])).status_code == 404
