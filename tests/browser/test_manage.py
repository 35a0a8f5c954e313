"""The pages from which a project is managed, and adding a system there."""

import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import place_all, place_by_click, plan, submit

# The one segment is the first three words.
TEXT = "nový výbor který zasedal\n"
LINKS = "0-0 1-1 2-2 3-3\n"
NEW = "nový výbor který"


def test_a_limit_is_set_and_removed_on_the_page_of_the_person(visit, site):
    jana, boss = visit(), visit()
    jana.sign_in()
    boss.sign_in("administrator")
    page = boss.page
    page.goto(site.url("people"))
    page.get_by_role("link", name=jana.name, exact=True).click()
    limit, save = page.locator("#limit"), page.locator(".limit-form button")
    limit.fill("0")
    save.click()
    expect(limit).to_have_attribute("aria-invalid", "true")
    expect(limit).to_be_in_viewport()
    expect(limit).to_have_accessible_description(re.compile("1000000"))
    for value in ("30", ""):
        limit.fill(value)
        save.click()
        expect(limit).to_have_value(value)
        expect(limit).not_to_have_attribute("aria-invalid", "true")
    boss.excuse("400 (Bad Request)")


def test_the_manage_page_is_accessible(inspected, site):
    boss, page = inspected.visitor, inspected.page
    project = site.add_project("Managed", [2], sentences=4)
    boss.sign_in("administrator", project)
    page.goto(site.url("judge", project))
    page.goto(f"{site.url('judge', project)}skip/")
    inspected.look("skip")
    page.locator("input[value=other]").check()
    page.locator(".skip-form button").click()
    page.wait_for_url(f"{site.url('judge', project)}?skipped")
    page.goto(site.url("settings/instructions", project))
    page.locator("#id_text").fill("Only the *meaning* counts.\n\n- [Guide](https://example.org)")
    page.locator("[name=preview]").click()
    expect(page.locator(".seen-draft em")).to_have_text("meaning")
    inspected.look("preview of instructions")
    page.locator(".instructions-part .button-main").click()
    page.locator(".versions summary").click()
    inspected.look("versions of instructions")
    page.goto(site.url("settings", project))
    page.locator("#id_lease_minutes").fill("1")
    page.locator("#settings .button-main").click()
    expect(page.locator("#id_lease_minutes")).to_have_attribute("aria-invalid", "true")
    inspected.look("wrong setting")
    page.goto(site.url("people", project))
    page.locator("#members .add-member .button").click()
    inspected.look("wrong member")
    for name in ("sentences/open", "sentences/skipped", "instructions"):
        page.goto(site.url(name, project))
        inspected.look(name)
    for name in ("people", "people/questionnaire", "people/reminders", "invitations"):
        page.goto(site.url(name, project))
        inspected.look(name)
    page.goto(site.url("people/questionnaire", project))
    page.locator("[value=level]").click()
    inspected.look("added question")
    page.goto(site.url("people", project))
    page.locator(".people-table tbody a").first.click()
    page.locator("#limit").fill("0")
    page.locator(".limit-form button").click()
    page.locator("#limit-error").wait_for()
    inspected.look("wrong limit")


@pytest.fixture
def judged(visit, site):
    """A project with one sentence, and the window of the annotator who judged it."""
    project = site.add_project("Systems", [3], sentences=1)
    jana = visit()
    jana.judge(project)
    place_all(jana.page)
    assert submit(jana.page) == ""
    return jana, project


def manage(boss, site, project):
    boss.sign_in("administrator", project)
    boss.page.goto(site.url("settings/systems", project))
    return boss.page.locator("#systems")


def add_system(part, name, text=TEXT, links=LINKS):
    part.locator("#id_system_name").fill(name)
    files = {"text_file": ("D.txt", text), "links_file": ("D.links", links)}
    for field, (file, content) in files.items():
        part.locator(f"#id_{field}").set_input_files(
            {"name": file, "mimeType": "text/plain", "buffer": content.encode()}
        )
    part.locator(".add-system button").click()


def test_a_system_is_added_and_its_segment_is_judged_again(inspected, visit, site, judged):
    jana, project = judged
    part = manage(inspected.visitor, site, project)
    add_system(part, "D", links=LINKS * 2)
    expect(part.get_by_role("alert").first).to_be_visible()
    expect(part.locator("#id_system_name")).to_have_value("D")
    inspected.look("wrong system")
    add_system(part, "D")
    # The page looks again by itself.
    row = part.get_by_role("row").filter(has_text="D.txt")
    expect(row.locator(".counts")).to_have_attribute("data-reassigned", "1", timeout=60_000)
    expect(part.locator("#adding")).to_have_count(0)
    inspected.look("system added")
    jana.page.goto(site.url("judge", project))
    expect(jana.page.locator(".piece")).to_have_count(4)
    expect(jana.page.locator(".piece").filter(has_text=NEW)).to_have_count(1)
    place_by_click(jana.page, plan(jana.page))
    assert submit(jana.page) == ""


@pytest.mark.slow
def test_a_system_is_added_without_javascript(visit, site, judged):
    _jana, project = judged
    boss = visit(java_script_enabled=False)
    part = manage(boss, site, project)
    add_system(part, "D")
    counts = (
        part.get_by_role("row").filter(has_text="D.txt").locator(".counts[data-reassigned='1']")
    )
    deadline = time.monotonic() + 60
    while not counts.count():
        assert time.monotonic() < deadline
        boss.page.wait_for_timeout(500)
        boss.page.goto(site.url("settings/systems", project))


@pytest.mark.slow
def test_a_half_filled_form_is_not_reloaded_when_a_system_is_added(visit, site, judged):
    _jana, project = judged
    boss = visit()
    part = manage(boss, site, project)
    state = {"state": "running", "words": "3 of 4", "done": 3, "total": 4}
    boss.page.route("**/systems/state/", lambda route: route.fulfill(json=state))
    add_system(part, "D")
    expect(part.locator("#adding-progress")).to_have_attribute("value", "3")
    part.locator("#id_system_name").fill("E")
    state["state"] = "done"
    expect(part.locator("#adding-over")).to_be_visible()
    expect(part.locator("#id_system_name")).to_have_value("E")
