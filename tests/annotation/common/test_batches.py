"""Many rows at a time."""

import pytest

from annotation.common.batches import ROWS_PER_BATCH, pages, update_rows
from annotation.models import Sentence
from tests.factories import make_project

pytestmark = pytest.mark.django_db


def test_all_rows_come_once_and_may_be_changed_in_between():
    project = make_project(sentences=3)
    seen = []
    for page in pages(project.sentences.all()):
        seen += page
        project.sentences.update(text="changed")
    assert [sentence.number for sentence in seen] == [1, 2, 3]


def test_only_the_fields_that_are_named_are_stored():
    project = make_project(sentences=2)
    first, second = list(project.sentences.order_by("number"))
    first.tokens, second.tokens = "a", "b"
    first.text = "not to be stored"
    Sentence.objects.filter(pk=second.pk).update(candidate_version=7)
    update_rows([first, second], "tokens")
    stored = project.sentences.order_by("number").values_list(
        "pk", "text", "tokens", "candidate_version"
    )
    assert list(stored) == [(first.pk, second.text, "a", 1), (second.pk, second.text, "b", 7)]


def test_as_many_rows_as_one_likes_and_none(django_assert_max_num_queries):
    project = make_project(sentences=1)
    Sentence.objects.bulk_create(
        Sentence(project=project, number=number, text="x")
        for number in range(2, ROWS_PER_BATCH + 3)
    )
    rows = list(project.sentences.order_by("number"))
    for row in rows:
        row.tokens = str(row.number)
    # SQLite takes a thousand values at a time.
    with django_assert_max_num_queries(10):
        update_rows(rows, "tokens")
    assert dict(project.sentences.values_list("number", "tokens")) == {
        number: str(number) for number in range(1, ROWS_PER_BATCH + 3)
    }
    with django_assert_max_num_queries(0):
        update_rows([], "tokens")
