"""The page of a report: its age, what it is asked to leave out, what it says of none."""

import pytest
from django.urls import reverse

from annotation.models import Candidate, Projection, User
from evaluation.models import StoredReport
from evaluation.services import stored_reports
from tests.evaluation.projects import submit
from tests.evaluation.report_pages.setting import FIRST, SECOND, make, page
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db


def test_the_first_view_asks_for_the_report_and_waits(client, project, boss):
    shown = page(client, project)

    assert "The first report is being made" in shown
    assert "A new report waits for a worker" in shown
    assert 'data-waiting="yes"' in shown
    assert reverse("results", args=[project.pk]) in shown
    assert StoredReport.objects.get().is_waiting


def test_it_is_shown_with_its_age_once_it_is_made(client, project, boss):
    make(project)
    shown = page(client, project)

    assert "Made just now" in shown
    assert "Nothing was judged since then." in shown
    assert 'data-waiting=""' in shown
    assert "<strong><bdi>A</bdi></strong>" in shown
    assert "2 of 3" not in shown
    for heading in (
        "Which systems are better",
        "System against system",
        "How well annotators agree",
        "Who judged",
        "How much is enough",
        "Order and time",
        "Worth reading",
        "What counts",
        "For a paper",
    ):
        assert heading in shown
    for name in ("ranking-ratio_of_wins", "win-rates", "pairs-of-annotators", "learning-curve"):
        assert f'data-name="{name}"' in shown


def test_the_page_says_on_how_many_sentences_each_kappa_rests(client, project, boss):
    report = make(project)
    shown = " ".join(page(client, project).split())

    # Both with each other, on the two sentences that they judged, and as a pair.
    assert shown.count("on 2 sentences") == 3
    # Those stored before it was counted say nothing of it.
    report.refresh_from_db()
    for row in (*report.data["annotators"], *report.data["pairs"]):
        for kappa in (row.get("inter", row), row.get("intra", row)):
            kappa.pop("sentences", None)
    report.save()
    assert "on 2 sentences" not in page(client, project)


def test_numbers_in_the_maps_are_written_as_the_reader_writes_them(client, project, boss):
    make(project)
    address = reverse("report-figure", args=[project.pk, "win-rates"])
    labels = {}
    for language in ("en", "cs"):
        made = client.get(address, headers={"accept-language": language}).json()
        cells = made["data"]["values"]
        labels[language] = {cell["label"] + cell["significant"] for cell in cells}

    assert labels == {"en": {".00", "1.00"}, "cs": {"0,00", "1,00"}}


def test_it_says_how_much_was_judged_since(client, project, boss):
    make(project)
    submit(project, User.objects.get(username="jana"), 3, FIRST)

    assert "2 judgements since then are not in it." in page(client, project)


def test_the_ranking_is_shown_by_another_method(client, project, boss):
    make(project)
    shown = page(client, project, method="expected_wins")

    assert 'data-name="ranking-expected_wins"' in shown
    assert 'method=expected_wins#ranking" aria-current="true"' in shown
    assert 'data-name="ranking-ratio_of_wins"' in page(client, project, method="taste")


def test_a_button_has_it_made_anew(client, project, boss):
    report = make(project)
    address = reverse("report-refresh", args=[project.pk])

    response = client.post(f"{address}?method=expected_wins")

    assert response["Location"] == f"{reverse('report', args=[project.pk])}?method=expected_wins"
    report.refresh_from_db()
    assert report.is_waiting
    assert "A new report waits for a worker" in page(client, project)


def test_the_schedule_is_chosen(client, project, boss):
    address = reverse("report-schedule", args=[project.pk])

    client.post(address, {"every": "day"})
    client.post(address, {"every": "sometimes"})

    assert stored_reports.schedule_of(project) == "day"
    assert '<option value="day" selected>' in page(client, project)


def test_options_make_another_report(client, project, boss):
    make(project, repeats=False, minimum_kappa=0.1)
    shown = page(client, project, repeats="no", minimum_kappa="0,1")

    assert "4 judgements of 8 are left out of this report." in shown
    assert "4 of them are repeats." in shown
    assert "minimum_kappa=0.1&amp;repeats=no" in shown
    assert "The first report is being made" in page(client, project)


def test_sentences_without_judgements_are_still_to_be_judged(client, project, boss):
    make(project)

    assert "One sentence is still to be judged." in page(client, project)


def test_what_is_left_out_was_judged_all_the_same(client):
    project = make_project(sentences=2)
    client.force_login(make_annotator(project, "boss", "administrator"))
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    backwards = {"0 1 2": [3, 2, 1], "4 5 6": [2, 1]}
    for ranks in (SECOND, backwards):
        submit(project, petr, 2, ranks)
    submit(project, jana, 1, SECOND)
    report = make(project, minimum_kappa=0.5)

    shown = page(client, project, minimum_kappa="0.5")

    report.refresh_from_db()
    assert report.data["judged"]["sentences_judged"] == 1
    assert report.data["judged"]["sentences"] == 2
    assert "All sentences are judged." in shown
    assert "still to be judged" not in shown


def test_sentences_with_nothing_to_judge_are_not_left(client, project, boss):
    third = project.sentences.get(number=3)
    Projection.objects.filter(segment__sentence=third).delete()
    Candidate.objects.filter(segment__sentence=third).delete()
    report = make(project)

    assert "All sentences are judged." in page(client, project)
    report.refresh_from_db()
    assert report.data["judged"]["sentences"] == 2


def test_a_report_made_before_it_was_counted_says_nothing_of_what_is_left(client, project, boss):
    report = make(project)
    report.refresh_from_db()
    del report.data["judged"]["sentences_left"]
    report.save()

    shown = page(client, project)

    assert "still to be judged" not in shown
    assert "All sentences are judged." not in shown


def test_skill_is_shown_on_request_without_ranges(client, project, boss):
    make(project)
    assert "method=skill" not in page(client, project)
    assert '<option value="yes">is computed too' in page(client, project)

    make(project, skill=True)
    shown = page(client, project, skill="yes", method="skill")

    assert "Uncertainty (σ)" in shown
    assert "no ranges of ranks and no clusters" in shown
    assert ">Cluster<" not in shown
    assert "how sure that is cannot be told from this ranking" in shown
    assert "skill=yes&amp;method=ratio_of_wins#ranking" in shown
    figure = reverse("report-figure", args=[project.pk, "ranking-skill"])
    assert client.get(figure, {"skill": "yes"}).status_code == 200
    assert ">Cluster<" in page(client, project, skill="yes")


def test_where_everyone_is_left_out_it_says_so(client, project, boss):
    make(project, minimum_kappa=1.0)

    shown = page(client, project, minimum_kappa="1")

    assert "Nothing is left to report on" in shown
    assert "All 8 judgements were left out." in shown


def test_an_option_that_means_nothing_is_refused_in_words(client, project, boss):
    response = client.get(
        reverse("report", args=[project.pk]), {"minimum_kappa": "much"}, follow=True
    )

    assert "&#x27;much&#x27; is no number." in response.content.decode()
    refresh = f"{reverse('report-refresh', args=[project.pk])}?minimum_kappa=much"
    assert client.post(refresh).status_code == 302


def test_nothing_judged_yet_is_said_kindly(client):
    project = make_project()
    client.force_login(make_annotator(project, "boss", "administrator"))
    make(project)

    shown = page(client, project)

    assert "Nothing is judged yet" in shown
    assert "6 segments wait for their judges." in shown
    assert "vega" not in shown


def test_a_project_that_is_being_prepared_has_no_report(client, project, boss):
    project.state = "preparing"
    project.save()

    assert "Waiting to be prepared" in page(client, project)
    assert not StoredReport.objects.exists()
