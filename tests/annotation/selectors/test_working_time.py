import pytest

from annotation.kinds import KINDS, kind_of_cost
from annotation.models import Candidate, Project
from annotation.selectors.judgements import Speed
from annotation.selectors.working_time import working_time
from tests.factories import make_project

pytestmark = pytest.mark.django_db


def test_it_is_items_times_judges_times_seconds():
    project = make_project(sentences=3, judges_per_sentence=2)
    published = working_time(project, sentences=3, speed=Speed(9, 9, 900.0))
    # Each sentence has two segments.
    assert (published.items, published.judges, published.seconds) == (6, 2, 68)
    assert published.hours == pytest.approx(6 * 2 * 68 / 3600)
    assert published.cost_of is KINDS["segment_ranking"]

    measured = working_time(project, sentences=3, speed=Speed(10, 10, 300.0))
    assert (measured.seconds, measured.cost_of) == (30, None)


def test_segments_with_nothing_to_compare_take_no_time():
    project = make_project(sentences=2)
    first = Candidate.objects.filter(segment__sentence__project=project).order_by("pk")[0]
    Candidate.objects.filter(segment=first.segment).exclude(pk=first.pk).update(excluded=True)
    assert working_time(project, sentences=2, speed=Speed()).items == 3


def test_whole_sentences_are_items(django_assert_num_queries):
    project = Project(kind="post_editing", judges_per_sentence=1)
    with django_assert_num_queries(0):
        assert working_time(project, sentences=7, speed=Speed()).items == 7


def test_each_kind_has_the_cost_of_one_with_such_items():
    for kind in KINDS.values():
        like = kind_of_cost(kind)
        assert like.cost is not None
        assert isinstance(kind.unit, type(like.unit))
