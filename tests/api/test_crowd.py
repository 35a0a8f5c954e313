"""Start links, pay and the table of payment through the API."""

from decimal import Decimal
from typing import Any

import pytest

from annotation.models import Membership, Project
from crowd.models import MembersPay, StartLink
from crowd.payment import payment, payment_csv
from tests.api.client import Program, problem_of
from tests.crowd.coming import come, judge, make_link, user_of
from tests.factories import make_annotator

NEW = {"platform": "Prolific", "id_parameter": "PROLIFIC_PID", "code": "C0DE-1"}


def at(project: Project, path: str = "") -> str:
    return f"projects/{project.pk}/start-links/{path}"


def test_a_start_link_is_added_and_changed(program: Program, project: Project) -> None:
    answer = program.send("POST", at(project), NEW | {"pay_per_hour": "12.5", "sentences": 3})
    assert answer.status_code == 201, answer.content
    made = answer.json()
    assert (made["is_on"], made["most_participants"], made["currency"]) == (True, 1000, "EUR")
    assert (made["pay_per_hour"], made["pay_cap"], made["started"]) == ("12.50", None, 0)
    link = StartLink.objects.get()
    assert f"/start/{link.token}/?PROLIFIC_PID=" in made["start_address"]
    assert made["start_address"].startswith("http://testserver/")
    one = answer.headers["Location"].removeprefix("/api/v1/")
    assert program.send("GET", one).json() == made

    come(link)
    assert Membership.objects.get(user=user_of(link)).sentence_limit == 3
    changed = program.send("PATCH", one, {"is_on": False, "sentences": 5}).json()
    assert changed == made | {"is_on": False, "sentences": 5, "started": 1}
    assert Membership.objects.get(user=user_of(link)).sentence_limit == 5
    assert program.send("PATCH", one, {"is_on": True}).json()["is_on"] is True
    listed = {"results": [changed | {"is_on": True}], "next": None, "previous": None}
    assert program.send("GET", at(project)).json() == listed


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"platform": ""}, "#/platform"),
        ({"id_parameter": "who is it"}, "#/id_parameter"),
        ({"visit_parameter": "PROLIFIC_PID"}, "#/visit_parameter"),
        ({"sentences": 0}, "#/sentences"),
        ({"most_participants": None}, "#/most_participants"),
        ({"address": "https://elsewhere.example/"}, "#/address"),
        ({"address": "http://app.prolific.com/"}, "#/address"),
        ({"pay_per_hour": "-1"}, "#/pay_per_hour"),
        ({"pay_per_hour": "1.234"}, "#/pay_per_hour"),
        ({"pay_cap": "NaN"}, "#/pay_cap"),
        ({"currency": "euro"}, "#/currency"),
        ({"is_on": "perhaps"}, "#/is_on"),
        ({"token": "mine"}, "#/token"),
    ],
)
def test_it_refuses_a_wrong_start_link(
    program: Program, project: Project, change: dict[str, Any], pointer: str
) -> None:
    problem = problem_of(program.send("POST", at(project), NEW | change), 400)
    assert {error["pointer"] for error in problem["errors"]} == {pointer}
    assert not StartLink.objects.exists()


def test_the_list_takes_the_same_queries_for_many_links(
    program: Program, project: Project, django_assert_num_queries: Any
) -> None:
    make_link(project, platform="one")
    program.send("GET", at(project))
    with django_assert_num_queries(3):
        program.send("GET", at(project))
    for number in range(3):
        come(make_link(project, platform=f"p{number}"), f"{number}" * 24)
    with django_assert_num_queries(3):
        assert len(program.send("GET", at(project)).json()["results"]) == 4


def both_ways(program: Program, path: str, name: str) -> list[list[Any]]:
    """Return the pages by following `next`; following `previous` leads back through the same."""
    pages, page = [], program.send("GET", path).json()
    while True:
        pages.append([row[name] for row in page["results"]])
        if page["next"] is None:
            break
        page = program.get(page["next"]).json()
    for held in pages[-2::-1]:
        page = program.get(page["previous"]).json()
        assert [row[name] for row in page["results"]] == held
    assert page["previous"] is None
    return pages


def test_start_links_come_in_pages(program: Program, project: Project) -> None:
    for name in ("b", "c", "a", "e", "d"):
        make_link(project, platform=name)
    found = both_ways(program, f"{at(project)}?limit=2", "platform")
    assert found == [["b", "c"], ["a", "e"], ["d"]]


def test_payment_comes_in_pages_or_as_one_csv(program: Program, project: Project) -> None:
    Project.objects.update(judges_per_sentence=6)
    project.refresh_from_db()
    for number in range(5):
        judge(make_annotator(project, f"jana-{number}"), project, 1)
    judge(make_annotator(project, "petr"), project, 1)
    path = f"projects/{project.pk}/payment/"
    whole = [row.name for row in payment(project)]
    assert len(whole) == 6
    pages = both_ways(program, f"{path}?limit=2", "annotator")
    assert pages == [whole[:2], whole[2:4], whole[4:]]
    found = both_ways(program, f"{path}?limit=2&find=jana", "annotator")
    assert found == [whole[:2], whole[2:4], whole[4:5]]
    table = program.send("GET", path, Accept="text/csv").getvalue().decode()
    assert len(table.splitlines()) == 1 + len(whole)
    for paged in ("limit=2", "offset=2"):
        problem = problem_of(program.send("GET", f"{path}?{paged}", Accept="text/csv"), 400)
        assert problem["errors"][0]["parameter"] == paged.partition("=")[0]


def test_pay_of_the_others(program: Program, project: Project) -> None:
    path = f"projects/{project.pk}/pay/"
    nothing = {"pay_per_hour": None, "pay_cap": None, "currency": "EUR"}
    assert program.send("GET", path).json() == nothing
    assert not MembersPay.objects.exists()
    sent = {"pay_per_hour": "12.50", "pay_cap": 20, "currency": "CZK"}
    stored = {"pay_per_hour": "12.50", "pay_cap": "20.00", "currency": "CZK"}
    assert program.send("PUT", path, sent).json() == stored
    assert program.send("GET", path).json() == stored
    assert program.send("PUT", path, {}).json() == nothing
    for wrong in ({"pay_per_hour": -1}, {"currency": "€"}, {"pay_per_hour": True}, {"tax": 1}):
        problem = problem_of(program.send("PUT", path, wrong), 400)
        assert problem["errors"][0]["pointer"] == f"#/{next(iter(wrong))}"


def test_the_table_of_payment_is_that_of_the_page(program: Program, project: Project) -> None:
    link = make_link(project, pay_per_hour="12.50", pay_cap="20.00", sentences=2)
    come(link)
    judge(user_of(link), project, 2)
    jana = make_annotator(project, "jana")
    judge(jana, project, 1)
    path = f"projects/{project.pk}/payment/"
    rows = {row["annotator"]: row for row in program.send("GET", path).json()["results"]}
    of_crowd, of_jana = rows[user_of(link).shown_name], rows["jana"]
    expected = {row.user_id: row for row in payment(project)}
    assert {row["user"] for row in rows.values()} == set(expected)
    assert (of_crowd["platform"], of_crowd["assignments"]) == ("Prolific", 2)
    assert Decimal(of_crowd["pay"]) == expected[of_crowd["user"]].pay
    assert (of_crowd["pay_per_hour"], of_crowd["pay_cap"]) == ("12.50", "20.00")
    assert (of_jana["assignments"], of_jana["pay"], of_jana["platform"]) == (1, None, "")

    table = program.send("GET", path, Accept="text/csv")
    assert table.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert table.getvalue().decode() == "".join(payment_csv(payment(project)))
    found = program.send("GET", f"{path}?find=JAN").json()["results"]
    assert [row["annotator"] for row in found] == ["jana"]
    problem_of(program.send("GET", path, Accept="text/html"), 406)
