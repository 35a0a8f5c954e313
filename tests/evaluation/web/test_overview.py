import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone, translation

from annotation.models import Assignment, Membership, Project, Submission
from annotation.selectors.project_progress import Pace, ProjectProgress
from evaluation.stats.annotators.forecast import EstimatedEnd, NoEnd
from evaluation.web.views.overview import REASONS, end_words, when_active
from tests.evaluation.projects import submit
from tests.evaluation.web.pages import data, part, text
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
RANKS: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}
OTHERS: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]}
NOW = datetime(2026, 8, 3, 12, tzinfo=UTC)
WORK = ProjectProgress(10, 20, 5, 2, 1, Pace(5, None), [])


@pytest.fixture
def project():
    return make_project(sentences=4)


@pytest.fixture
def boss(project, client):
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


def address(project, name="overview"):
    return reverse(name, args=[project.pk])


def shown(client, project):
    return client.get(address(project)).content.decode()


def now(client, project, tag="", **parameters):
    headers = {"If-None-Match": tag} if tag else {}
    return client.get(address(project, "overview-now"), parameters, headers=headers)


# Midnight would begin another day.
@time_machine.travel(NOW, tick=False)
def test_it_shows_progress_and_annotators(client, project, boss):
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    make_annotator(project, "eva")
    submit(project, jana, 1, RANKS, seconds=30)
    submit(project, petr, 1, OTHERS, seconds=10)
    yesterday = timezone.now() - timedelta(days=1)
    old = submit(project, petr, 2, OTHERS, seconds=20)
    Assignment.objects.filter(pk=old.pk).update(submitted=yesterday, created=yesterday)

    page = shown(client, project)

    assert part(page, "headline").startswith("50 %")
    assert part(page, "judged").startswith("2 of 4")
    assert part(page, "today").startswith("2 ")
    assert part(page, "now") == "2 jana , petr"
    rows = part(page, "rows")
    # Sentences, assignments, judgements, assignments of today.
    assert "eva 0 0 0 0 never –" in rows
    assert "jana 1 1 2 1 active now 30.0" in rows
    assert "petr 2 2 4 1 active now 15.0" in rows
    assert "2 3 6 2 20.0" in part(page, "together")
    assert str(REASONS[NoEnd.TOO_LITTLE]) in part(page, "end")


def test_a_count_is_shown_once(client, project, boss):
    """One assignment of today, with two judgements: the other counts would repeat the first."""
    submit(project, make_annotator(project), 1, RANKS)

    shown_counts = re.findall(
        r'data-live="(sentences|assignments|judgements)"', shown(client, project)
    )

    assert shown_counts == ["judgements"]


def test_earlier_days_are_a_chart_and_a_table(client, project, boss):
    jana = make_annotator(project)
    submit(project, jana, 1, RANKS)
    assert 'data-live="days"' not in shown(client, project)

    old = submit(project, jana, 2, RANKS)
    Assignment.objects.filter(pk=old.pk).update(submitted=timezone.now() - timedelta(days=3))
    page = shown(client, project)

    assert page.partition('class="days"')[2].count("<rect") == 2
    assert part(page, "days-rows").split()[-1] == "1"


def test_the_time_left_is_shown_after_ten_sentences(client, boss):
    large = make_project("large", sentences=11)
    make_annotator(large, "boss", "administrator")
    jana = make_annotator(large)
    for number in range(1, 10):
        submit(large, jana, number, RANKS, seconds=60)
    assert part(shown(client, large), "time").startswith("–")

    submit(large, jana, 10, RANKS, seconds=60)
    # A sentence of two segments is left.
    assert part(shown(client, large), "time").startswith("2 minutes")


def test_it_names_sentences_that_no_annotator_is_left_to_judge(client, project, boss):
    jana = make_annotator(project)
    assert 'id="stuck"' not in shown(client, project)
    Membership.objects.filter(user=jana).update(paused=True)
    page = shown(client, project)
    assert part(page, "stuck").startswith("4 ")
    assert f'href="{address(project, "sentences")}?stuck=on"' in page


@pytest.mark.parametrize("language", ["en", "cs"])
def test_little_progress_is_not_rounded_to_nothing(client, project, boss, language):
    Project.objects.filter(pk=project.pk).update(judges_per_sentence=100)
    submit(project, make_annotator(project), 1, RANKS)
    client.cookies["django_language"] = language

    assert "1 %" in part(shown(client, project), "headline")


def test_it_can_be_read_before_anything_is_judged(client, project, boss):
    page = shown(client, project)

    assert part(page, "judged").startswith("0 of 4")
    assert part(page, "now").startswith("0 ")
    assert 'data-live="together"' not in page


def test_it_shows_why_there_is_no_end(client, project, boss):
    jana = make_annotator(project)
    Project.objects.update(state="closed")
    assert str(REASONS[NoEnd.PAUSED]) in part(shown(client, project), "end")

    Project.objects.update(state="open", judges_per_sentence=3)
    assert "3" in part(shown(client, project), "end")
    assert part(shown(client, project), "judged").startswith("0 of 12")

    Project.objects.update(judges_per_sentence=1)
    for number in range(1, 5):
        submit(project, jana, number, RANKS)
    assert str(REASONS[NoEnd.ALL_JUDGED]) in part(shown(client, project), "end")


def test_old_imports_are_no_pace(client, project, boss):
    jana = make_annotator(project)
    for number in range(1, 4):
        submit(project, jana, number, RANKS)
    long_ago = timezone.now() - timedelta(days=3650)
    Assignment.objects.update(submitted=long_ago, created=long_ago)
    Submission.objects.update(created=long_ago)

    assert str(REASONS[NoEnd.NOTHING_LATELY]) in part(shown(client, project), "end")
    assert part(shown(client, project), "now").startswith("0 ")


def test_a_project_without_sentences_has_nothing_to_judge(client, project, boss):
    empty = make_project("empty", sentences=0)
    make_annotator(empty, "boss", "administrator")

    page = shown(client, empty)

    assert str(REASONS[NoEnd.NOTHING_TO_JUDGE]) in part(page, "end")
    assert "<progress" not in page


@pytest.mark.parametrize("state", ["preparing", "failed"])
def test_an_unprepared_project_is_not_polled(client, project, boss, state):
    Project.objects.update(state=state)

    page = shown(client, project)

    assert data(page, "state") == state
    assert "overview.js" not in page
    assert now(client, project).status_code == 204


def test_polling_answers_what_the_page_shows_or_304(client, project, boss):
    jana = make_annotator(project)
    submit(project, jana, 1, RANKS)
    polled = now(client, project)
    assert polled.content.decode() in shown(client, project)

    again = now(client, project, polled["ETag"])
    assert (again.status_code, again.content) == (304, b"")

    submit(project, jana, 2, RANKS)
    assert now(client, project, polled["ETag"]).status_code == 200


def test_today_is_a_day_in_the_time_zone_of_the_reader(client, project, boss):
    for zone in ("Pacific/Auckland", "Europe/Prague"):
        assert f"({zone})" in text(now(client, project, zone=zone).content.decode())
    for invalid in ("Nowhere/Land", "../../etc/passwd", "/", "x" * 300):
        assert "(UTC)" in text(now(client, project, zone=invalid).content.decode())


def test_names_are_escaped(client, project, boss):
    submit(project, make_annotator(project, "<b>jana"), 1, RANKS)

    assert "<b>jana" not in shown(client, project)


def test_only_administrators_have_links_to_it(client, project, boss):
    for page in (reverse("projects"), reverse("people", args=[project.pk])):
        assert address(project) in client.get(page).content.decode()
    client.force_login(make_annotator(project))
    assert address(project) not in client.get(reverse("projects")).content.decode()


@pytest.mark.parametrize("more", [0, 8])
def test_the_number_of_queries_is_constant(client, project, boss, more, django_assert_num_queries):
    for number in range(1, more + 2):
        submit(project, make_annotator(project, f"annotator{number}"), 1, RANKS)
    now(client, project)

    with django_assert_num_queries(20):
        assert now(client, project).status_code == 200


# --- words ------------------------------------------------------------------------------------


def words(end):
    with translation.override("en"):
        found = end_words(end, WORK, NOW)
        return found.when, found.how


def test_the_end_is_a_date_or_hours_or_a_reason():
    def end(days):
        found = end_words(EstimatedEnd(when=NOW + timedelta(days=days), a_day=38.2), WORK, NOW)
        return found.when, found.day

    later = NOW + timedelta(days=3)
    assert [end(days) for days in (0.3, 1, 3)] == [("today", None), ("tomorrow", None), ("", later)]
    assert words(EstimatedEnd(when=NOW, a_day=38.2))[1].endswith(": 38")
    assert words(EstimatedEnd(when=NOW, a_day=2.57))[1].endswith(": 2.6")
    assert words(EstimatedEnd(hours=4.2))[0] == "5 hours"
    assert words(EstimatedEnd(hours=0.1))[0] == "1 hour"
    assert words(EstimatedEnd(a_day=1.0, far=True))[0] == "–"
    for why in NoEnd:
        when_, how = words(EstimatedEnd(unknown=why))
        assert (when_ == "–") == (why != NoEnd.ALL_JUDGED)
        assert how


def test_the_last_activity_is_an_age_or_a_date():
    assert when_active(None, NOW) == "never"
    assert when_active(NOW - timedelta(minutes=7), NOW) == "7 minutes ago"
    # The page shows the date.
    assert when_active(NOW - timedelta(days=400), NOW) == ""
