"""Working time and pay."""

import csv
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.judging.assignment import skip
from annotation.judging.control_items import make_controls
from annotation.judging.sheet import sheet
from annotation.judging.submission import revise
from annotation.models import Project, Submission, User
from crowd.models import MembersPay
from crowd.payment import PAYMENT_COLUMNS, earned, hours, payment
from tests.annotation.judging.practice_setting import practise_one, practise_with
from tests.crowd.coming import PID, come, judge, make_link, submit_sentence, user_of
from tests.evaluation.projects import submit
from tests.factories import assign_next, make_annotator, make_project

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def project() -> Project:
    return make_project(sentences=12, numbered=True)


@pytest.fixture
def boss(project: Project) -> User:
    return make_annotator(project, "boss", "administrator")


def table(client, boss: User, project: Project) -> list[dict[str, str]]:
    client.force_login(boss)
    answer = client.get(reverse("payment-csv", args=[project.pk]))
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    disposition = f'attachment; filename="houses-{project.pk}-payment.csv"'
    assert answer.headers["Content-Disposition"] == disposition
    lines = answer.getvalue().decode().splitlines()
    assert tuple(lines[0].split(",")) == PAYMENT_COLUMNS
    return list(csv.DictReader(lines))


def work(
    annotator: User, project: Project, *, wall: float, active: float | None, at: float = 0
) -> None:
    """Submit the next sentence `wall` seconds after it was shown, which was `at` after noon."""
    with time_machine.travel(NOON + timedelta(seconds=at), tick=False) as clock:
        given = assign_next(annotator, project)
        clock.shift(timedelta(seconds=wall))
        submit_sentence(given, active)


def seconds_of(annotator: User, project: Project) -> int | None:
    return next(row.seconds for row in payment(project) if row.user_id == annotator.pk)


def test_the_table_of_a_participant(client, project, boss):
    link = make_link(
        project, sentences=2, pay_per_hour=Decimal("12.00"), pay_cap=Decimal("20.00"),
        currency="GBP",
    )  # fmt: skip
    with time_machine.travel(NOON - timedelta(minutes=1), tick=False):
        browser = come(link)
    jana = user_of(link)
    work(jana, project, wall=100, active=60.4)
    work(jana, project, wall=100, active=90.1, at=100)
    with time_machine.travel(NOON + timedelta(minutes=5), tick=False):
        browser.get(reverse("judge", args=[project.pk]))
    assert table(client, boss, project) == [
        {
            "annotator": jana.username,
            "platform": "Prolific",
            "participant_id": PID,
            "visit_id": "",
            "sentences": "2",
            "assignments": "2",
            "judgements": "4",
            "repeats": "0",
            "controls": "0",
            "controls_passed": "0",
            "practised": "0",
            "skipped": "0",
            "active_seconds": "151",
            "active_hours": "0.0419",
            "pay_per_hour": "12.00",
            "pay_cap": "20.00",
            "currency": "GBP",
            "pay": "0.50",
            "started": "2026-03-01T11:59:00+00:00",
            "finished": "2026-03-01T12:03:20+00:00",
            "completed": "2026-03-01T12:05:00+00:00",
            "completion_code": "C0DE-1",
        }
    ]


def test_it_counts_repeats_controls_practice_and_skips(client, project, boss):
    practise_with(project, 12)
    make_controls(project=project, count=2, seed=1)
    Project.objects.update(intra_rate=0.3, control_rate=0.2)
    project.refresh_from_db()
    jana = make_annotator(project)
    practise_one(jana, project)
    given = assign_next(jana, project)
    skip(annotator=jana, project=project, assignment_id=given.pk, reason="other")
    judge(jana, project, 10)
    row = next(row for row in table(client, boss, project) if row["annotator"] == "jana")
    kinds = list(jana.assignments.filter(state="submitted").values_list("kind", flat=True))
    assert row["assignments"] == "10"
    assert row["repeats"] == str(kinds.count("intra"))
    assert row["controls"] == str(kinds.count("control"))
    assert kinds.count("intra")
    assert kinds.count("control")
    assert 0 <= int(row["controls_passed"]) <= kinds.count("control")
    assert (row["practised"], row["skipped"]) == ("1", "1")


@pytest.mark.parametrize(
    ("wall", "active", "counted"),
    [
        (100, 60, 60),
        # A browser cannot report more than the time by the server's clock.
        (100, 1e9, 100),
        # Without JavaScript.
        (100, None, 100),
        (3000, None, 600),
        # At most ten minutes a sentence.
        (3000, 2000, 600),
        (3000, 500, 500),
        (0.4, 0.4, 0),
        (10, 0.5, 1),
        (10, 1.5, 2),
        # The clock was set back.
        (-50, 30, 0),
    ],
)
def test_active_time_is_limited_by_the_servers_clock(project, wall, active, counted):
    jana = make_annotator(project)
    work(jana, project, wall=wall, active=active)
    assert seconds_of(jana, project) == counted


def test_no_minute_counts_twice(project):
    """Several sentences open at the same time count as one."""
    jana = make_annotator(project)
    for begin, end in ((0, 100), (50, 150), (60, 90), (300, 310)):
        with time_machine.travel(NOON + timedelta(seconds=begin), tick=False) as clock:
            given = assign_next(jana, project)
            clock.shift(timedelta(seconds=end - begin))
            submit_sentence(given, 1e9)
    assert seconds_of(jana, project) == 150 + 10


def test_revisions_add_nothing(project):
    jana = make_annotator(project)
    work(jana, project, wall=100, active=60)
    done = jana.assignments.get()
    page = sheet(done)
    revise(
        annotator=jana, project=project, assignment_id=done.pk, token=page.token,
        choices={card.key: 2 for segment in page.segments for card in segment.cards},
        active_seconds=500,
    )  # fmt: skip
    assert Submission.objects.count() == 2
    assert seconds_of(jana, project) == 60


def test_the_time_of_imported_judgements_is_unknown(client, project, boss):
    jana = make_annotator(project)
    submit(project, jana, 1, {"0 1 2": [1, 2, None], "4 5 6": [1, 1]})
    MembersPay.objects.create(project=project, pay_per_hour=Decimal("10.00"))
    row = table(client, boss, project)[0]
    assert (row["sentences"], row["active_seconds"], row["active_hours"], row["pay"]) == (
        "1", "", "", "",
    )  # fmt: skip


def test_other_annotators_get_the_pay_of_the_project(client, project, boss):
    jana = make_annotator(project)
    work(jana, project, wall=1000, active=900)
    assert table(client, boss, project)[0]["pay"] == ""
    path = reverse("crowd-pay", args=[project.pk])
    for cap, pay in (("", "1.67"), ("1.50", "1.50")):
        form = {"pay_per_hour": "10", "pay_cap": cap, "currency": "CZK"}
        assert client.post(path, form).status_code == 302
        row = table(client, boss, project)[0]
        assert (row["pay"], row["currency"], row["participant_id"]) == (pay, "CZK", "")
    for wrong in ({"pay_per_hour": "-1"}, {"pay_per_hour": "1.005"}, {"pay_per_hour": "NaN"}):
        answer = client.post(path, {"currency": "CZK"} | wrong)
        assert answer.status_code == 400
        assert list(answer.context["pay"].errors) == ["pay_per_hour"]
    answer = client.post(path, {"pay_per_hour": "1", "currency": "crowns"})
    assert answer.status_code == 400
    assert MembersPay.objects.get().pay_per_hour == 10


def test_no_cell_contains_a_formula(client, project, boss):
    jana = make_annotator(project)
    User.objects.filter(pk=jana.pk).update(display_name='=HYPERLINK("https://evil.example")')
    judge(jana, project, 1)
    link = make_link(project, platform="@SUM(1)", code="+1")
    come(link)
    link.participants.update(code="-1+1")
    first, second = table(client, boss, project)
    assert first["annotator"] == '\'=HYPERLINK("https://evil.example")'
    assert (second["platform"], second["completion_code"]) == ("'@SUM(1)", "'-1+1")
    assert second["sentences"] == "0"


def test_a_participant_who_left_without_judging_stays_in_the_table(client, project, boss):
    link = make_link(project)
    come(link)
    user_of(link).memberships.all().delete()
    assert [row["participant_id"] for row in table(client, boss, project)] == [PID]


def test_the_number_of_queries_does_not_grow(project, boss):
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            payment(project)
        return len(captured)

    link = make_link(project)
    come(link)
    judge(user_of(link), project, 1)
    few = queries()
    for number in range(5):
        come(link, f"person{number}")
        judge(user_of(link, f"person{number}"), project, 1)
    assert queries() == few == 10


def test_the_page_finds_annotators_by_name_and_id(client, project, boss):
    link = make_link(project)
    for participant in ("abcd1", "efgh2"):
        come(link, participant)
    client.force_login(boss)
    path = reverse("crowd", args=[project.pk])
    page = client.get(path, {"find": "ABCD"}).content.decode()
    assert "abcd1" in page
    assert "efgh2" not in page
    assert not client.get(path, {"find": "xyz"}).context["rows"]


# --- amounts, computed by hand -----------------------------------------------------------------

TEN = Decimal("10.00")


@pytest.mark.parametrize(
    ("seconds", "per_hour", "cap", "amount"),
    [
        (3600, TEN, None, "10.00"),
        (0, TEN, None, "0.00"),
        (1800, Decimal("12.34"), None, "6.17"),
        # 9 s at 10 an hour are 2.5 cents: half a cent is rounded up, not to even.
        (9, TEN, None, "0.03"),
        (27, TEN, None, "0.08"),
        # 1 s at 12.50 is 0.347 cents.
        (1, Decimal("12.50"), None, "0.00"),
        (7200, TEN, Decimal("15.00"), "15.00"),
        (5400, TEN, Decimal("15.00"), "15.00"),
        (5399, TEN, Decimal("15.00"), "15.00"),
        (5396, TEN, Decimal("15.00"), "14.99"),
        (7200, TEN, Decimal(0), "0.00"),
        # 100.5 cents, which floats would round to 1.00.
        (3618, Decimal("1.00"), None, "1.01"),
        (10**9, Decimal("999999.99"), None, "277777775000.00"),
    ],
)
def test_pay_is_hours_times_rate_up_to_the_cap(seconds, per_hour, cap, amount):
    assert str(earned(seconds, per_hour=per_hour, cap=cap)) == amount


def test_there_is_no_pay_without_a_rate():
    assert earned(3600, per_hour=None, cap=TEN) is None


def test_hours_have_four_decimals():
    assert [str(hours(seconds)) for seconds in (0, 1, 3600, 5000)] == [
        "0.0000",
        "0.0003",
        "1.0000",
        "1.3889",
    ]
