import pytest

from annotation.judging.control_items import make_controls
from annotation.models import Candidate, Projection
from annotation.selectors.judgements import project_summaries, project_summary
from annotation.selectors.submitted_work import judged_sentences
from tests.annotation.import_export.exchange_files import add_practice
from tests.evaluation.projects import revise, submit, submit_control
from tests.factories import make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


def test_sentences_left_have_candidates_and_no_judgement_that_counts():
    project = make_project(sentences=6)
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    assert judged_sentences(project).left == 6

    # Several judgements, a repeat and a revision of one sentence count once.
    submit(project, petr, 1, {"0 1 2": [1, 2, 3]})
    repeat = submit(project, jana, 1, {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]})
    revise(repeat, {"0 1 2": [3, 2, 1], "4 5 6": [1, 2]})
    assert judged_sentences(project).left == 5

    add_practice(project, 2, {"dům": 1})
    Projection.objects.filter(segment__sentence__number=3).delete()
    Candidate.objects.filter(segment__sentence__number=3).delete()
    assert judged_sentences(project).left == 3

    other = make_project("other", sentences=2)
    submit(other, jana, 1, {"4 5 6": [1, 2]})
    assert (judged_sentences(project).left, judged_sentences(other).left) == (3, 1)


def test_a_judged_control_leaves_its_sentence_to_judge():
    project = make_project(sentences=2)
    make_controls(project=project, count=1, seed=1)
    submit_control(project, make_annotator(project), 1, passes=True)

    assert judged_sentences(project).left == 2


def test_the_summary_counts_each_table_apart():
    make_project("empty", sentences=0)
    project = make_project(sentences=2)
    submit(project, make_annotator(project), 1, {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]})

    empty, houses = project_summaries()

    assert (empty.name, empty.sentences, empty.segments, empty.judgements) == ("empty", 0, 0, 0)
    assert (houses.systems, houses.sentences, houses.segments, houses.candidates) == (3, 2, 4, 10)
    assert houses.judgements == 2
    assert project_summary(project) == houses
