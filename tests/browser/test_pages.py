"""The remaining pages: lists of projects, states of a project, administration."""

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import place_all, place_by_click, plan, press, submit, submit_button


def test_the_judging_page_is_accessible(inspected, site):
    jana, page = inspected.visitor, inspected.page
    jana.judge()
    inspected.look("judge")
    for switch, dialog in ((".help-switch", "#help"), (".skip-switch", "#skip")):
        page.locator(switch).click()
        inspected.look(dialog)
        press(page, "Escape")
    page.locator(".differences-switch").click()
    places = plan(page)
    place_by_click(page, dict(list(places.items())[::2]))
    page.locator(".tray .face").first.click()
    inspected.look("half judged")
    page.locator(".view-switch").click()
    inspected.look("half judged, list")
    page.evaluate("document.getElementById('judgement').submit()")
    page.get_by_role("alert").first.wait_for()
    inspected.look("incomplete, list")
    page.locator(".view-switch").click()
    place_by_click(page, places)
    inspected.look("all judged")
    other = jana.context.new_page()
    other.goto(site.url("judge"))
    submit(other)
    submit_button(page).click()
    expect(page.locator("#notice")).to_be_visible()
    inspected.look("submitted elsewhere")


def test_project_pages_are_accessible_in_every_state(inspected, site):
    boss, page = inspected.visitor, inspected.page
    project = site.add_project("Inspected", [3, 2])
    boss.sign_in("administrator", project)
    others = site.query(
        f"[Membership.objects.create(user=User.objects.get(username={boss.name!r}),"
        " role='administrator', project=Project.objects.create(name=f'{state} for "
        f"{boss.name}', source_language='en', target_language='pt-BR', state=state))"
        ".project_id for state in ('closed', 'preparing', 'failed')]"
    )
    page.goto(site.url("judge", project))
    place_all(page)
    submit(page)
    page.goto(site.address)
    inspected.look("projects")
    page.goto(site.url("report", project))
    expect(page.locator(".headline")).to_be_visible()
    inspected.look("first report")
    closed, preparing, failed = others
    # In the other states these pages differ by a word.
    for name, of in {
        "judge": (closed,),
        "report": (closed, preparing),
        "settings": (closed, preparing, failed),
        "settings/systems": (closed, preparing),
        "preparing": (closed, preparing, failed),
    }.items():
        for other in of:
            page.goto(site.url(name, other))
            inspected.look(f"{name} of {other}")


@pytest.mark.parametrize("page_name", ["list", pytest.param("all", marks=pytest.mark.slow)])
def test_the_administration_is_accessible(inspected, site, page_name):
    inspected.visitor.sign_in_as_administrator()
    every = (
        "",
        "annotation/user/",
        "annotation/user/1/change/",
        "annotation/user/add/",
        "annotation/project/",
        f"annotation/project/{site.project}/change/",
        "annotation/membership/",
        "annotation/membership/1/change/",
        "annotation/membership/add/",
    )
    for path in every if page_name == "all" else every[:1]:
        inspected.page.goto(f"{site.address}/admin/{path}")
        inspected.look(path)
