"""Adding a system in a browser, and what annotators see of it."""

import re
import time

import pytest
from playwright.sync_api import expect

from annotation.formats.errors import InputError
from tests.browser.judging_page import add_project, join, place_by_click, plan, submit
from tests.browser.test_new_project import PATIENCE, forget_axe, look

pytestmark = pytest.mark.browser

# The one segment is the first three words.
TEXT = "nový výbor který zasedal\n"
LINKS = "0-0 1-1 2-2 3-3\n"
NEW = "nový výbor který"


@pytest.fixture
def judged(visit, site, request):
    """Somebody who has judged all of a project, and its page for judging."""
    url = add_project(site, request.node.name, [3], sentences=1)
    jana = visit()
    join(jana, url)
    place_by_click(jana.page, plan(jana.page))
    assert submit(jana.page) == ""
    return jana, url


def run_by(boss, url):
    """Let somebody administer the project, and open the page from which it is run."""
    boss.sign_in("administrator")
    boss.site.installation.query(
        "Membership.objects.create(role='administrator', user=User.objects.get("
        f"username={boss.name!r}), project_id={url.split('/')[-3]}).pk"
    )
    boss.page.goto(url.replace("/judge/", "/manage/"))
    return boss.page.locator("#systems")


def fill_in(part, name, text=TEXT, links=LINKS):
    part.get_by_label("Name of the system").fill(name)
    files = {"Its translations": ("D.txt", text), "Links of its words": ("D.links", links)}
    for label, (file, content) in files.items():
        part.get_by_label(re.compile(label)).set_input_files(
            {"name": file, "mimeType": "text/plain", "buffer": content.encode()}
        )
    part.get_by_role("button", name="Add the system").click()


def test_a_system_is_added_and_its_segment_judged_again(visit, judged):
    jana, url = judged
    boss = visit()
    part = run_by(boss, url)
    assert look(boss.page) == []
    fill_in(part, "D", links=LINKS * 2)
    wrong = re.compile(r"D\.txt ends with line 1 but D\.links with line 2")
    expect(part.get_by_role("alert")).to_have_text(wrong)
    expect(part.get_by_label("Name of the system")).to_have_value("D")
    assert look(boss.page) == []
    fill_in(part, "D")
    expect(boss.page.get_by_role("status").first).to_contain_text("“D” is stored")
    # The page looks again by itself.
    row = part.get_by_role("row").filter(has_text="D.txt")
    brought = "known 0 · new 1 · missing 0 · judged again 1"
    expect(row).to_contain_text(brought, timeout=PATIENCE)
    expect(row).to_contain_text("1 of 1")
    expect(part.locator("#adding")).to_have_count(0)
    assert look(boss.page) == []
    jana.page.goto(url)
    expect(jana.page.locator(".piece")).to_have_count(4)
    expect(jana.page.locator(".piece").filter(has_text=NEW)).to_have_count(1)
    place_by_click(jana.page, plan(jana.page))
    assert submit(jana.page) == ""
    forget_axe(boss)


def test_all_of_it_works_without_javascript(visit, judged):
    _jana, url = judged
    part = run_by(boss := visit(java_script_enabled=False), url)
    fill_in(part, "D")
    row = part.get_by_role("row").filter(has_text="D.txt")
    deadline = time.monotonic() + PATIENCE / 1000
    while not row.get_by_text("judged again 1").count():
        assert time.monotonic() < deadline
        boss.page.wait_for_timeout(500)
        if part.get_by_role("link", name="Look again").count():
            part.get_by_role("link", name="Look again").first.click()
    expect(row).to_contain_text("1 of 1")


FAILED = "Eflomal failed with status 1."


def test_what_is_being_added_and_what_failed_is_shown(visit, site, judged):
    _jana, url = judged
    boss = visit()
    part = run_by(boss, url)
    project = url.split("/")[-3]
    # Without chunks, no worker takes the job.
    site.installation.query(
        "Job.objects.create(task='add_system', state='running',"
        " stage='candidates', done=3, total=4,"
        f" options={{'system': 'D', 'effort': ''}}, project_id={project}).pk"
    )
    boss.page.reload()
    expect(part.locator("#adding-words")).to_have_text("Collecting candidates: 3 of 4")
    assert look(boss.page) == []
    site.installation.query(f"Job.objects.filter(project={project}).update(done=4)")
    expect(part.locator("#adding-words")).to_have_text("Collecting candidates: 4 of 4")
    # What somebody is filling in stays before him.
    part.get_by_label("Name of the system").fill("E")
    site.installation.query(
        f"Job.objects.filter(project={project}).update(state='failed', error={FAILED!r},"
        f" reason={InputError(FAILED).to_json()!r})"
    )
    expect(part.locator("#adding-over")).to_contain_text("It is over.")
    expect(part.get_by_label("Name of the system")).to_have_value("E")
    part.locator("#adding-over").get_by_role("link").click()
    expect(part).to_contain_text("Adding “D” stopped.")
    expect(part).to_contain_text(FAILED)
    assert look(boss.page) == []
    forget_axe(boss)
