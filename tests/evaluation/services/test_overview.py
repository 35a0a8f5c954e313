import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone, translation

from annotation.models import Assignment, Project, Submission
from annotation.selectors.project_progress import Pace, ProjectProgress
from evaluation.services import interim_statistics
from evaluation.stats.annotators.forecast import EstimatedEnd, NoEnd
from evaluation.web.overview_texts import end_words, when_active
from tests.evaluation.projects import submit
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


def text(response):
    words = re.sub(r"<[^>]+>", " ", response.content.decode())
    return " ".join(unescape(words).split())


def shown(client, project):
    return text(client.get(address(project)))


def now(client, project, tag="", **parameters):
    headers = {"If-None-Match": tag} if tag else {}
    return client.get(address(project, "overview-now"), parameters, headers=headers)


def test_it_says_what_was_judged_by_whom_and_how_well_they_agree(client, project, boss):
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    make_annotator(project, "eva")
    submit(project, jana, 1, RANKS, seconds=30)
    submit(project, petr, 1, OTHERS, seconds=10)
    yesterday = timezone.now() - timedelta(days=1)
    old = submit(project, petr, 2, OTHERS, seconds=20)
    Assignment.objects.filter(pk=old.pk).update(submitted=yesterday, created=yesterday)

    page = shown(client, project)

    assert "50 % is judged." in page
    assert "Sentences judged 2 of 4 and 1 repeat" in page
    assert "Today 2 by 2 annotators, repeats included" in page
    assert "Working now 2 jana , petr" in page
    # Three pairs of one segment and one of the other: two of them alike.
    assert "alike in 3 of 4 pairs" in page
    assert "eva 0 0 never –" in page
    assert "jana 1 1 working now 30.0" in page
    assert "petr 2 1 working now 15.0" in page
    assert "Together 3 2 20.0" in page
    assert "Estimated end – too little was judged so far to tell" in page


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Less than 1 % is judged."), ("cs", "Ohodnoceno je méně než 1 % .")],
)
def test_that_little_is_judged_is_not_that_nothing_is(client, project, boss, language, words):
    Project.objects.filter(pk=project.pk).update(judges_per_sentence=100)
    submit(project, make_annotator(project), 1, RANKS)
    client.cookies["django_language"] = language

    assert words in shown(client, project)


def test_it_can_be_read_before_anything_is_judged(client, project, boss):
    page = shown(client, project)

    assert "Nothing is judged yet." in page
    assert "Working now 0 nobody did anything in the last five minutes" in page
    assert "Nobody is here to judge yet" in page


def test_all_judged_is_said_and_a_project_without_sentences_too(client, project, boss):
    jana = make_annotator(project)
    for number in range(1, 5):
        submit(project, jana, number, RANKS)
    assert "Everything is judged." in shown(client, project)
    assert "Estimated end Done every sentence has all its judges" in shown(client, project)

    empty = make_project("empty", sentences=0)
    make_annotator(empty, "boss", "administrator")
    assert "There is nothing to judge." in shown(client, empty)


def test_a_paused_project_has_no_end(client, project, boss):
    Project.objects.update(state="closed")

    assert "Estimated end – judging is paused" in shown(client, project)


def test_too_few_judges_are_told_of(client, boss, project):
    Project.objects.update(judges_per_sentence=3)
    make_annotator(project)

    page = shown(client, project)

    assert "judges that a sentence still needs: 3; people who may judge: 2" in page
    assert "Sentences judged 0 of 12; 4 sentences, 3 judges each" in page


@pytest.mark.parametrize("state", ["preparing", "failed"])
def test_an_unprepared_project_says_so(client, project, boss, state):
    Project.objects.update(state=state)

    assert client.get(address(project)).status_code == 200
    assert "overview.js" not in client.get(address(project)).content.decode()
    assert now(client, project).status_code == 204


def test_what_is_polled_is_what_the_page_has(client, project, boss):
    submit(project, make_annotator(project), 1, RANKS)

    assert now(client, project).content.decode() in client.get(address(project)).content.decode()


def test_nothing_changed_is_a_short_answer(client, project, boss):
    jana = make_annotator(project)
    tag = now(client, project)["ETag"]
    again = now(client, project, tag)
    assert (again.status_code, again.content) == (304, b"")

    submit(project, jana, 1, RANKS)

    assert now(client, project, tag).status_code == 200


def test_today_is_the_readers_where_he_says_where_he_is(client, project, boss):
    for zone in ("Pacific/Auckland", "Europe/Prague"):
        assert f"Today began at midnight ( {zone} )" in text(
            now(client, project, zone=zone)
        ).replace(f"({zone})", f"( {zone} )")
    for nonsense in ("Nowhere/Land", "../../etc/passwd", "/", "x" * 300, "\0"):
        assert "(UTC)" in text(now(client, project, zone=nonsense))


@pytest.mark.parametrize("name", ["overview", "overview-now"])
def test_annotators_and_strangers_do_not_see_it(client, project, name):
    assert client.get(address(project, name)).status_code == 302
    client.force_login(make_annotator(project))
    assert client.get(address(project, name)).status_code == 403
    client.force_login(make_annotator(make_project("other"), "eva", "administrator"))
    assert client.get(address(project, name)).status_code == 404


def test_names_are_escaped(client, project, boss):
    submit(project, make_annotator(project, "<b>jana"), 1, RANKS)

    assert "<b>jana" not in client.get(address(project)).content.decode()


def test_administrators_get_there_from_the_projects_and_from_manage(client, project, boss):
    for page in (reverse("projects"), reverse("manage-project", args=[project.pk])):
        assert address(project) in client.get(page).content.decode()
    client.force_login(make_annotator(project))
    assert address(project) not in client.get(reverse("projects")).content.decode()


def test_agreement_says_how_old_it_is_and_where_to_get_it(client, project, boss, monkeypatch):
    jana = make_annotator(project)
    submit(project, jana, 1, RANKS)
    shown(client, project)
    monkeypatch.setattr(interim_statistics, "REST", 10**9)
    submit(project, jana, 2, RANKS)
    assert "measured just now; 2 judgements since then are not in it" in shown(client, project)

    cache.clear()
    monkeypatch.setattr(interim_statistics, "MOST_JUDGEMENTS", 1)
    assert "too many judgements to measure agreement" in shown(client, project)


@pytest.mark.parametrize("more", [0, 8])
def test_it_asks_as_many_queries_however_many_annotators(
    client, project, boss, more, django_assert_num_queries
):
    for number in range(1, more + 2):
        submit(project, make_annotator(project, f"annotator{number}"), 1, RANKS)
    now(client, project)

    with django_assert_num_queries(13):
        assert now(client, project).status_code == 200


# --- words ------------------------------------------------------------------------------------


def words(end, language="en"):
    with translation.override(language):
        found = end_words(end, WORK, NOW)
        return found.when, found.how


def test_the_end_is_a_date_in_words():
    def when(days):
        return words(EstimatedEnd(when=NOW + timedelta(days=days), a_day=38.2))[0]

    assert [when(days) for days in (0.3, 1, 3, 300)] == [
        "today",
        "tomorrow",
        "Thursday, 6 August",
        "May 30, 2027",
    ]
    how = words(EstimatedEnd(when=NOW, a_day=38.2))[1]
    assert how == "if it goes on as in the last days; sentences a day: 38"
    assert words(EstimatedEnd(when=NOW, a_day=2.57))[1].endswith("a day: 2.6")


def test_the_end_is_in_hours_before_there_is_a_day_to_go_by():
    assert words(EstimatedEnd(hours=4.2))[0] == "5 hours"
    assert words(EstimatedEnd(hours=0.1))[0] == "1 hour"


def test_an_end_that_cannot_be_told_says_why():
    assert words(EstimatedEnd(a_day=1.0, far=True)) == (
        "–",
        "in more than two years; sentences a day now: 1.0",
    )
    for why in NoEnd:
        when, how = words(EstimatedEnd(unknown=why))
        assert when == ("Done" if why == NoEnd.ALL_JUDGED else "–")
        assert how


def test_when_somebody_was_there_is_said_in_words():
    assert when_active(None, NOW) == "never"
    assert when_active(NOW - timedelta(minutes=7), NOW) == "7 minutes ago"
    assert when_active(NOW - timedelta(days=400), NOW) == "June 29, 2025"


def test_imports_of_the_past_are_no_pace(client, project, boss):
    jana = make_annotator(project)
    for number in range(1, 4):
        submit(project, jana, number, RANKS)
    long_ago = timezone.now() - timedelta(days=3650)
    Assignment.objects.update(submitted=long_ago, created=long_ago)
    Submission.objects.update(created=long_ago)

    page = shown(client, project)

    assert "Estimated end – nothing new was judged in the last seven days" in page
    assert "Working now 0" in page
