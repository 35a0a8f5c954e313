"""Who gets at a report, how it is asked for, and what that costs."""

import pytest
from django.urls import reverse

from annotation.models import User
from evaluation.models import StoredReport
from evaluation.report.options import ReportOptions
from evaluation.services import stored_reports
from tests.evaluation.projects import submit
from tests.evaluation.report_pages.setting import FIRST, PAGES, make, page
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
POSTS = ["report-refresh", "report-schedule"]


def test_names_are_escaped_and_nothing_is_inline(client, project, boss):
    User.objects.filter(username="jana").update(display_name="<script>alert(1)</script>")
    project.systems.filter(name="A").update(name="</script><b>")
    make(project)

    shown = page(client, project)

    assert "<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>" in shown
    assert "</script><b>" not in shown
    assert "style=" not in shown
    assert shown.count("<script") == shown.count('<script defer src="') + shown.count(
        '<script type="module" src="'
    )


def test_a_failure_is_shown_and_can_be_tried_again(client, project, boss):
    def fail(*arguments):
        raise ValueError("no luck")

    report = stored_reports.report_of(project, ReportOptions())
    stored_reports.compute(report.pk, fail)

    shown = page(client, project)

    assert "ValueError: no luck" in shown
    assert "Try again" in shown


def test_the_state_says_when_it_is_there(client, project, boss):
    address = reverse("report-state", args=[project.pk])

    assert client.get(address).json() == {"waiting": False, "made": None}
    page(client, project)
    assert client.get(address).json() == {"waiting": True, "made": None}
    stored_reports.compute(StoredReport.objects.get().pk)
    assert client.get(address).json()["waiting"] is False


@pytest.mark.parametrize(("name", "arguments"), PAGES)
def test_annotators_may_not_see_it(client, project, name, arguments):
    client.force_login(User.objects.get(username="jana"))

    assert client.get(reverse(name, args=[project.pk, *arguments])).status_code == 403


@pytest.mark.parametrize(("name", "arguments"), PAGES)
def test_another_projects_administrator_does_not_find_it(client, project, name, arguments):
    client.force_login(make_annotator(make_project("other"), "boss", "administrator"))

    assert client.get(reverse(name, args=[project.pk, *arguments])).status_code == 404


@pytest.mark.parametrize(("name", "arguments"), PAGES)
def test_strangers_are_asked_to_sign_in(client, project, name, arguments):
    response = client.get(reverse(name, args=[project.pk, *arguments]))

    assert response.status_code == 302
    assert response["Location"].startswith(reverse("sign-in"))


@pytest.mark.parametrize("name", POSTS)
def test_only_administrators_change_it_and_only_by_post(client, project, name):
    address = reverse(name, args=[project.pk])
    client.force_login(User.objects.get(username="jana"))
    assert client.post(address).status_code == 403
    client.force_login(make_annotator(project, "boss", "administrator"))
    assert client.get(address).status_code == 405


@pytest.mark.parametrize("more", [0, 5])
def test_it_asks_as_many_queries_however_much_there_is(
    client, project, boss, more, django_assert_num_queries
):
    for number in range(more):
        submit(project, make_annotator(project, f"annotator{number}"), 3, FIRST)
    make(project)

    # Session, user, project, role (once more for the buttons), the report in its transaction, what
    # is new, schedule.
    with django_assert_num_queries(8):
        page(client, project)
    with django_assert_num_queries(12):
        client.get(reverse("report-sentence", args=[project.pk, 1]))
