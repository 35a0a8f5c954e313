"""How sure the headline is of what it says."""

import pytest

from annotation.models import Projection
from tests.evaluation.projects import submit
from tests.evaluation.report_pages.setting import SECOND, make, page
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db


def test_one_annotator_has_nobody_to_agree_with(client):
    project = make_project()
    client.force_login(make_annotator(project, "boss", "administrator"))
    submit(project, make_annotator(project), 1, SECOND)
    make(project)

    shown = page(client, project)

    assert "no two judgements of the same candidates to compare" in shown
    assert "No two annotators have judged the same segment yet" in shown
    assert "There is no learning curve yet: fewer than two sentences were judged." in shown
    assert "No segment was judged twice yet" in shown
    assert "No two judgements of a segment disagree." not in shown
    assert 'data-name="pairs-of-annotators"' not in shown


def judged(client, sentences, ranks=SECOND):
    """Return the page of a project of which one annotator judged so many sentences."""
    project = make_project(sentences=sentences)
    client.force_login(make_annotator(project, "boss", "administrator"))
    jana = make_annotator(project)
    for number in range(1, sentences + 1):
        submit(project, jana, number, ranks)
    make(project)
    return page(client, project)


def test_one_sentence_makes_nothing_sure(client):
    shown = judged(client, 1)

    ahead = "<strong><bdi>A</bdi></strong> is ahead, but too little is judged to tell"
    assert ahead in shown
    assert "and that is sure" not in shown
    assert "Its lead is not sure over <bdi>B</bdi> and <bdi>C</bdi>." in shown


def test_two_sentences_make_nothing_sure(client):
    shown = judged(client, 2)

    assert "is ahead, but too little is judged to tell whether it is better." in shown
    why = "There are no intervals, ranges of ranks or clusters: fewer than 10 sentences."
    assert shown.count(why) == 1
    assert "Against 0 of 2 other systems its lead is significant" in shown
    assert "and that is sure" not in shown


def test_many_sentences_make_it_sure(client):
    shown = judged(client, 12)

    assert "<strong><bdi>A</bdi></strong> is the best system, and that is sure." in shown
    assert "Its lead is not sure" not in shown
    assert "There are no intervals" not in shown
    assert "Against 2 of 2 other systems its lead is significant" in shown


def test_systems_that_never_met_leave_it_unsure(client):
    project = make_project(sentences=12, segments={"0 1 2": ("dům", "domy")})
    client.force_login(make_annotator(project, "boss", "administrator"))
    jana = make_annotator(project)
    third = project.systems.get(name="C")
    fourth = project.systems.create(name="D")
    for number in range(1, 13):
        submit(project, jana, number, {"0 1 2": [2, 1] if number == 1 else [1, 2]})
        if number % 2:
            met = Projection.objects.filter(segment__sentence__number=number)
            met.filter(system__name="A").update(system=third)
            met.filter(system__name="B").update(system=fourth)
    make(project)

    shown = page(client, project)

    assert "and that is sure" not in shown
    assert "It was never judged together with <bdi>C</bdi> and <bdi>D</bdi>." in shown


def test_equal_systems_are_said_to_be_level(client):
    shown = judged(client, 4, {"0 1 2": [1, 1, 2], "4 5 6": [1, 1]})

    assert "<strong><bdi>A</bdi> and <bdi>B</bdi></strong> are level." in shown
    assert "is ahead" not in shown


def test_two_who_judge_alike_do_not_disagree(client):
    project = make_project()
    client.force_login(make_annotator(project, "boss", "administrator"))
    for name in ("jana", "petr"):
        submit(project, make_annotator(project, name), 1, SECOND)
    make(project)

    shown = page(client, project)

    assert "No two judgements of a segment disagree." in shown
    assert "No segment was judged twice" not in shown


def test_all_ties_rank_nobody(client):
    project = make_project()
    client.force_login(make_annotator(project, "boss", "administrator"))
    for name in ("jana", "petr"):
        submit(project, make_annotator(project, name), 1, {"0 1 2": [1, 1, 1], "4 5 6": [2, 2]})
    make(project)

    shown = page(client, project)

    assert "No system has a score: the system tied in every comparison." in shown
    assert "all candidates are always tied, so that agreement means nothing" in shown
    assert 'data-name="ranking-' not in shown


def test_all_garbage_is_all_tied(client):
    project = make_project()
    client.force_login(make_annotator(project, "boss", "administrator"))
    submit(
        project, make_annotator(project), 1, {"0 1 2": [None, None, None], "4 5 6": [None, None]}
    )
    make(project)

    assert "the system tied in every comparison" in page(client, project)


def test_one_system_has_nothing_to_be_compared_with(client, project, boss):
    Projection.objects.exclude(system__name="A").delete()
    project.systems.exclude(name="A").delete()
    make(project)

    shown = page(client, project)

    assert "There is only one system: nothing to compare it with." in shown
    assert "System against system" not in shown


def test_two_systems_that_were_never_judged_together_are_not_tested(client, project, boss):
    for segment in Projection.objects.values_list("segment", flat=True).distinct():
        rows = Projection.objects.filter(segment=segment)
        rows.exclude(system__name="A" if segment % 2 else "B").delete()
    make(project)

    shown = page(client, project)

    assert "the system was never judged together with another one" in shown


def test_systems_that_are_not_known_are_said_to_be(client, project, boss):
    Projection.objects.all().delete()
    project.systems.all().delete()
    make(project)

    assert "no ranking is possible" in page(client, project)
