"""Systems that were added with a sample of segments: apart from the ranking, with an interval."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation.models import Project, User
from annotation.pipeline.system_candidates import project_new_system
from evaluation.findings.options import ReportOptions
from evaluation.services.estimated_systems import estimated_systems
from evaluation.services.loading import load
from evaluation.services.report_kinds import make_report
from evaluation.services.reports import compute, report_of
from evaluation.services.sentence_level import load_levels
from tests.annotation.judging.judged_next import judge
from tests.annotation.pipeline.system_files import files, store
from tests.factories import make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
SENTENCES = 15


@pytest.fixture
def annotator() -> User:
    return make_annotator(make_project(sentences=SENTENCES), "jana")


@pytest.fixture
def project(annotator: User, tmp_path: Path) -> Project:
    """A judged project to which D was added, with twelve sampled segments."""
    project = Project.objects.get()
    while judge(annotator, project):
        pass
    text, links = files(tmp_path, *["starobylý dům při řece"] * SENTENCES)
    project_new_system(system=store(project, "D", text, links, judge=12))
    project.refresh_from_db()
    return project


def test_it_is_no_ranked_system(project: Project) -> None:
    assert load(project).system_names == ("A", "B", "C")
    assert load(project, with_sampled_systems=True).system_names == ("A", "B", "C", "D")


def test_before_the_sample_is_judged_it_is_predicted(project: Project) -> None:
    (row,) = estimated_systems(project, ["parser P"])

    assert (row.system, row.sampled, row.judged, row.weight) == ("D", 12, 0, 0.0)
    assert row.score == row.predicted
    assert row.signature.endswith("|parser P")


def test_judgements_of_the_sample_correct_the_prediction(project: Project, annotator: User) -> None:
    before = estimated_systems(project, [])
    while judge(annotator, project):
        pass

    (row,) = estimated_systems(project, [])

    assert (row.sampled, row.judged) == (12, 12)
    assert row.predicted == before[0].predicted
    assert row.weight > 0
    assert row.score.low is not None
    assert row.score.value is not None
    assert row.score.low <= row.score.value
    assert "12 of 30 judged" in row.signature


def test_report_and_command_show_it_apart(project: Project, annotator: User) -> None:
    while judge(annotator, project):
        pass

    data = make_report(project, ReportOptions(resamples=100)).data

    assert [row.system for row in data.estimated] == ["D"]
    ranked = {row.system for row in data.rankings["ratio_of_wins"].systems}
    assert ranked == {"A", "B", "C"}
    printed = StringIO()
    call_command("rank_systems", str(project.pk), "--json", stdout=printed)
    assert [row["system"] for row in json.loads(printed.getvalue())["estimated"]] == ["D"]


def test_the_overview_and_the_api_have_the_estimates_of_the_report(
    project: Project, annotator: User, client: Client
) -> None:
    while judge(annotator, project):
        pass
    administrator = make_annotator(project, "boss", "administrator")
    client.force_login(administrator)
    ranking = reverse("api-ranking", args=[project.pk])
    overview = reverse("overview", args=[project.pk])
    assert client.get(ranking).json()["estimates"] is None
    assert 'data-system="D"' not in client.get(overview).content.decode()

    compute(report_of(project, ReportOptions()).pk)

    (row,) = client.get(ranking).json()["estimates"]["systems"]
    assert row["system"] == "D"
    assert 'data-system="D"' in client.get(overview).content.decode()


def test_a_project_without_samples_has_none(annotator: User) -> None:
    assert estimated_systems(Project.objects.get(), []) == []


def test_whole_sentences_are_compared_without_it(project: Project) -> None:
    whole, segments = load_levels(project)

    assert whole.system_names == segments.system_names == ("A", "B", "C")


def test_filters_of_the_report_exclude_judgements(project: Project, annotator: User) -> None:
    while judge(annotator, project):
        pass

    (row,) = estimated_systems(project, [], {"repeats": False})

    assert "repeats left out" in row.signature


def test_two_sampled_systems_are_estimated_each_alone(
    project: Project, annotator: User, tmp_path: Path
) -> None:
    text, links = files(tmp_path, *["starobylý dům při řece"] * SENTENCES)
    project_new_system(system=store(project, "E", text, links, judge=12))
    project.refresh_from_db()
    while judge(annotator, project):
        pass

    rows = estimated_systems(project, [])

    assert [(row.system, row.sampled, row.judged) for row in rows] == [
        ("D", 12, 12),
        ("E", 12, 12),
    ]
    for row in rows:
        assert row.score.value is not None
        assert 0 <= row.score.value <= 1


def test_answers_about_other_systems_are_used_again(tmp_path: Path) -> None:
    annotator = make_annotator(make_project(kind="acceptability", sentences=SENTENCES), "jana")
    project = Project.objects.get()
    while judge(annotator, project):
        pass
    # The first segment is as A has it, the second as none has.
    text, links = files(tmp_path, *["starý dům při řece"] * SENTENCES)
    project_new_system(system=store(project, "D", text, links, judge=12))
    project.refresh_from_db()

    (row,) = estimated_systems(project, ["parser P"])

    part = row.reused
    assert part is not None
    assert part.scale == ("Yes", "Not sure", "No")
    (found,) = part.systems
    assert (found.system, found.segments, found.missing) == ("D", 2 * SENTENCES, 0)
    assert (found.hits, sum(found.answers)) == (SENTENCES, SENTENCES)
    yes, _unsure, no = found.answers
    decided = found.best_of_decided
    assert decided is not None
    assert decided.value == (yes / (yes + no) if yes + no else None)
    assert found.best_of_all.value == yes / SENTENCES
    # A, B and C in the first segment of each sentence, A and B in the second one.
    assert part.errors.texts == 5 * SENTENCES
    assert part.errors.bias.value is not None
    assert part.signature.endswith("|parser P")


def test_the_report_shows_answers_that_are_used_again(client: Client, tmp_path: Path) -> None:
    annotator = make_annotator(make_project(kind="acceptability", sentences=SENTENCES), "jana")
    project = Project.objects.get()
    while judge(annotator, project):
        pass
    text, links = files(tmp_path, *["starý dům při řece"] * SENTENCES)
    project_new_system(system=store(project, "D", text, links, judge=12))
    project.refresh_from_db()
    compute(report_of(project, ReportOptions()).pk)
    client.force_login(make_annotator(project, "boss", "administrator"))

    page = client.get(reverse("report", args=[project.pk])).content.decode()

    assert f'data-hits="{SENTENCES}" data-texts="{5 * SENTENCES}"' in page
    assert "reused-answers" in page
