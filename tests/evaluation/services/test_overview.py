from collections.abc import Mapping, Sequence

import pytest

from annotation.selectors.judged_sentences import judged_since, last_submission
from annotation.selectors.working_time import recent_speeds
from evaluation.services.loading import load
from evaluation.stats.annotators.statistics import describe
from tests.evaluation.projects import revise, submit
from tests.factories import make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
FIRST: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}
SECOND: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]}


@pytest.fixture
def project():
    return make_project(sentences=4)


@pytest.fixture
def jana(project):
    return make_annotator(project)


@pytest.fixture
def petr(project):
    return make_annotator(project, "petr")


def test_speeds_are_those_of_the_table_of_results(project, jana, petr):
    submit(project, jana, 1, FIRST, seconds=30)
    submit(project, jana, 2, FIRST, seconds=600)
    first = submit(project, petr, 1, SECOND, seconds=10)
    assert recent_speeds(project, last_submission(project))[jana.pk].per_segment == 30

    submit(project, petr, 3, SECOND, seconds=20)
    revise(first, FIRST, seconds=10)
    found = recent_speeds(project, last_submission(project))

    rows = {row.annotator: row for row in describe(load(project)).annotators}
    for person in (jana, petr):
        speed, row = found[person.pk], rows[person.username]
        assert (speed.segments, speed.timed) == (row.judgements, row.timed)
        assert speed.per_segment == row.seconds_per_segment


def test_speeds_are_cached_until_the_next_submission(project, jana, django_assert_num_queries):
    submit(project, jana, 1, FIRST, seconds=60)
    last = last_submission(project)
    recent_speeds(project, last)

    with django_assert_num_queries(0):
        assert recent_speeds(project, last)[jana.pk].segments == 2

    submit(project, jana, 2, FIRST, seconds=30)
    assert recent_speeds(project, last_submission(project))[jana.pk].per_segment == 45


def test_the_last_submission_is_found_behind_many_of_another_project(project, jana, monkeypatch):
    other = make_project("other", sentences=3)
    submit(project, jana, 1, FIRST)
    last = last_submission(project)
    for number in (1, 2, 3):
        submit(other, jana, number, FIRST)

    for latest in (1, 100):
        monkeypatch.setattr("annotation.selectors.judged_sentences.LATEST", latest)
        assert last_submission(project) == last
    assert judged_since(project, last) == 0
    assert judged_since(other, last) == 6
