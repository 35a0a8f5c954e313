from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache

from annotation.models import Assignment, Sentence, Skip
from annotation.selectors.project_progress import (
    DAYS,
    VERY_LARGE,
    Pace,
    progress_of,
    submitted_by_day,
)
from tests.factories import make_annotator, make_project, places

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 8, 3, 12, tzinfo=UTC)
MIDNIGHT = datetime(2026, 8, 3, tzinfo=UTC)


def add_submission(
    project, annotator, number, *, ago=timedelta(hours=1), kind="first", slot=1, **fields
):
    assignment = Assignment.objects.create(
        project=project,
        sentence=project.sentences.get(number=number, purpose=Sentence.Purpose.JUDGE),
        annotator=annotator,
        kind=kind,
        slot=slot if kind == "first" else None,
        state="submitted",
        created=NOW - ago,
        submitted=NOW - ago,
        **fields,
    )
    assignment.submissions.create(created=NOW - ago)
    return assignment


def add_assignment(project, annotator, number, *, ago, lease=timedelta(hours=4), **fields):
    return Assignment.objects.create(
        project=project,
        sentence=project.sentences.get(number=number),
        annotator=annotator,
        kind="first",
        slot=1,
        created=NOW - ago,
        shown=NOW - ago,
        lease_until=NOW - ago + lease,
        **fields,
    )


def work(project):
    return progress_of(project, now=NOW, midnight=MIDNIGHT)


def row(project, name):
    return next(worker for worker in work(project).workers if worker.name == name)


def test_sentences_count_as_often_as_they_are_to_be_judged():
    project = make_project(judges_per_sentence=2)
    jana, petr, eva = (make_annotator(project, name) for name in ("jana", "petr", "eva"))
    add_submission(project, jana, 1)
    add_submission(project, petr, 1, slot=2)
    add_submission(project, eva, 1, kind="inter")
    add_submission(project, jana, 2)
    add_submission(project, jana, 2, kind="intra")

    found = work(project)

    assert (found.sentences, found.wanted, found.submitted, found.left) == (3, 6, 3, 3)
    assert (found.missing_judges, found.judges) == (2, 3)


def test_more_judges_than_are_wanted_now_count_no_more():
    project = make_project(judges_per_sentence=2)
    add_submission(project, make_annotator(project), 1)
    add_submission(project, make_annotator(project, "petr"), 1, slot=2)
    project.judges_per_sentence = 1

    assert (work(project).submitted, work(project).wanted) == (1, 3)


def test_sentences_with_candidates_of_an_added_system_are_to_be_judged_again():
    project = make_project()
    add_submission(project, make_annotator(project), 1)
    project.sentences.filter(number=1).update(candidate_version=2)

    assert work(project).submitted == 0


@pytest.mark.parametrize(("kind", "assignments"), [("practice", 0), ("control", 1)])
def test_control_is_an_assignment_and_practice_only_activity(kind, assignments):
    project = make_project()
    jana = make_annotator(project)
    add_submission(project, jana, 1, kind=kind, ago=timedelta(hours=2))

    found = row(project, "jana")

    assert found.today == assignments
    assert work(project).submitted == 0
    assert found.active == NOW - timedelta(hours=2)


def test_today_begins_at_midnight():
    project = make_project()
    jana = make_annotator(project)
    add_submission(project, jana, 1, ago=timedelta(hours=12))
    add_submission(project, jana, 2, ago=timedelta(hours=12, seconds=1))

    assert row(project, "jana").today == 1


def test_members_who_have_not_begun_are_there_and_administrators_only_if_they_judge():
    project = make_project()
    make_annotator(project)
    boss = make_annotator(project, "boss", "administrator")

    assert [(worker.name, worker.active) for worker in work(project).workers] == [("jana", None)]

    add_submission(project, boss, 1)
    assert {worker.name for worker in work(project).workers} == {"boss", "jana"}


@pytest.mark.parametrize(("minutes", "expected"), [(4, True), (6, False)])
def test_annotators_who_opened_a_sentence_a_moment_ago_work_now(minutes, expected):
    project = make_project()
    add_assignment(project, make_annotator(project), 1, ago=timedelta(minutes=minutes))

    assert row(project, "jana").is_active is expected


def test_annotators_who_saved_a_draft_a_moment_ago_work_now():
    project = make_project()
    assignment = add_assignment(project, make_annotator(project), 1, ago=timedelta(hours=1))
    assert not row(project, "jana").is_active

    saved = NOW - timedelta(minutes=1)
    Assignment.objects.filter(pk=assignment.pk).update(draft_version=1, draft_saved=saved)

    assert row(project, "jana").is_active
    assert row(project, "jana").active == NOW - timedelta(minutes=1)


def test_annotators_who_reopened_a_sentence_a_moment_ago_work_now():
    project = make_project()
    assignment = add_assignment(project, make_annotator(project), 1, ago=timedelta(hours=3))
    assignment.lease_until = NOW - timedelta(minutes=2) + timedelta(minutes=project.lease_minutes)
    assignment.save()

    assert row(project, "jana").active == NOW - timedelta(minutes=2)


def test_annotators_who_revised_a_moment_ago_work_now():
    project = make_project()
    assignment = add_submission(project, make_annotator(project), 1, ago=timedelta(days=2))
    assignment.submissions.update(current=False)
    assignment.submissions.create(number=2, created=NOW - timedelta(minutes=1))

    assert row(project, "jana").is_active


def test_the_pace_is_that_of_seven_days_where_people_judged_before_them():
    project = make_project(sentences=4)
    jana = make_annotator(project)
    add_submission(project, jana, 1, ago=timedelta(days=8))
    add_submission(project, jana, 2, ago=timedelta(days=3))
    add_submission(project, jana, 3, ago=timedelta(hours=1))
    add_submission(project, jana, 3, kind="intra")

    assert work(project).pace == Pace(2, NOW - timedelta(days=7))


def test_the_pace_begins_with_the_first_sentence_after_a_break():
    project = make_project(sentences=4)
    jana = make_annotator(project)
    add_submission(project, jana, 1, ago=timedelta(days=400))
    assert work(project).pace == Pace(0, None)

    add_submission(project, jana, 2, ago=timedelta(days=3))
    add_submission(project, make_annotator(project, "petr"), 3, ago=timedelta(days=2))

    assert work(project).pace == Pace(2, NOW - timedelta(days=3))


def test_practice_sentences_are_neither_judged_nor_to_be_judged():
    project = make_project()
    add_submission(project, make_annotator(project), 1)
    Sentence.objects.create(
        project=project,
        number=1,
        purpose=Sentence.Purpose.PRACTICE,
        copy_of=project.sentences.get(number=1),
        text="a",
        tokens=places("a"),
    )

    assert (work(project).submitted, work(project).wanted) == (0, 2)


def test_a_skipped_sentence_still_lacks_its_judge():
    project = make_project(sentences=1)
    assignment = add_assignment(project, make_annotator(project), 1, ago=timedelta(hours=1))
    Assignment.objects.filter(pk=assignment.pk).update(state="skipped", lease_until=None)
    Skip.objects.create(assignment=assignment, reason="unclear", created=NOW)

    assert (work(project).submitted, work(project).missing_judges) == (0, 1)


def test_nothing_to_judge_is_nothing_left():
    found = work(make_project(sentences=0))

    assert (found.wanted, found.left, found.missing_judges) == (0, 0, 0)


def test_another_projects_work_is_not_seen():
    project, other = make_project(), make_project("other")
    add_submission(other, make_annotator(other), 1, ago=timedelta(minutes=1))

    assert (work(project).submitted, work(project).workers) == (0, [])


def test_it_asks_as_many_queries_however_many_annotators(django_assert_num_queries):
    project = make_project(sentences=9)
    for number in range(1, 9):
        annotator = make_annotator(project, f"annotator{number}")
        add_submission(project, annotator, number)
        cache.clear()
        with django_assert_num_queries(8):
            work(project)


@pytest.mark.databases
def test_submissions_are_counted_by_the_days_of_the_zone():
    project = make_project()
    jana = make_annotator(project)
    add_submission(project, jana, 1, ago=timedelta(hours=1))
    # 23:30 UTC of the second of August.
    add_submission(project, jana, 2, ago=timedelta(hours=12, minutes=30))
    add_submission(project, jana, 3, ago=timedelta(days=DAYS + 1))

    def days(zone):
        return submitted_by_day(project, sentences=3, now=NOW, zone=ZoneInfo(zone))

    assert list(days("UTC").values()) == [0] * (DAYS - 2) + [1, 1]
    assert days("Europe/Prague")[date(2026, 8, 3)] == 2


def test_cached_days_are_those_of_the_zone():
    project = make_project()
    # Midnight is at the same time in both, of different days.
    for zone in ("Etc/GMT-13", "Etc/GMT+11"):
        days = submitted_by_day(project, sentences=VERY_LARGE, now=NOW, zone=ZoneInfo(zone))
        assert list(days)[-1] == NOW.astimezone(ZoneInfo(zone)).date()
