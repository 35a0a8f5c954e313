"""Running a project, and changing one's mind, in a browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import checked

pytestmark = pytest.mark.browser


@pytest.fixture
def boss(visit, site):
    """An administrator on the page from which the demo project is run."""
    boss = visit()
    boss.sign_in("administrator")
    boss.page.goto(f"{site.address}/")
    boss.page.get_by_role("link", name=re.compile("Manage.*Demo")).click()
    return boss


def choose(page, key, value):
    """Place a candidate by the list, as without JavaScript."""
    name = "Garbage" if value == "garbage" else re.compile(rf"^Rank {value}\b")
    card = page.locator(f'.candidate[data-card="{key}"]')
    card.get_by_role("radio", name=name).check()


def judge_one(visit, site):
    """Sign in and put all candidates of one sentence on rank 1; return the window and the keys."""
    jana = visit(java_script_enabled=False)
    jana.judge()
    keys = [str(card.get_attribute("data-card")) for card in jana.page.locator(".candidate").all()]
    for key in keys:
        choose(jana.page, key, "1")
    jana.page.get_by_role("button", name="Submit").click()
    expect(jana.page.locator(".candidate input:checked")).to_have_count(0)
    return jana, keys


def test_judging_is_paused_and_opened_again(visit, site, boss):
    jana = visit()
    boss.page.get_by_role("button", name="Pause judging").click()
    try:
        expect(boss.page.get_by_role("status")).to_have_text("Judging is paused.")
        jana.sign_in()
        jana.page.goto(site.address)
        expect(jana.page.locator(".tag")).to_have_text("paused")
        expect(jana.page.get_by_role("link", name=re.compile("Judge.*Demo"))).to_have_count(0)
        jana.page.goto(site.judge)
        expect(jana.page.locator("#judgement")).to_have_count(0)
    finally:
        boss.page.get_by_role("button", name="Open judging again").click()
    jana.page.goto(site.judge)
    expect(jana.page.locator("#judgement")).to_be_visible()


def test_what_is_wrong_in_the_settings_stands_beside_it(boss):
    page = boss.page
    page.get_by_label("Share of intra repeats").fill("7")
    page.get_by_role("button", name="Save the settings").click()
    field = page.get_by_label("Share of intra repeats")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile("Write a share from 0 to 1"))
    field.fill("0.05")
    page.get_by_role("button", name="Save the settings").click()
    expect(page.get_by_role("status")).to_have_text("The settings are saved.")
    # The console reports the status of the page itself; anything else is a complaint.
    boss.complaints = [line for line in boss.complaints if "400 (Bad Request)" not in line]


def test_instructions_are_written_seen_and_taken_back(visit, site, boss):
    page = boss.page
    editor = page.get_by_label("Text")
    editor.fill("Only the *meaning* counts.")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator(".seen-draft em")).to_have_text("meaning")
    page.get_by_role("button", name="Save a new version").click()
    expect(page.locator(".seen")).to_contain_text("What annotators see: version")
    jana = visit()
    jana.judge()
    expect(jana.page.locator(".instructions em")).to_have_text("meaning")
    editor.fill("")
    page.get_by_role("button", name="Save a new version").click()
    expect(page.locator(".seen")).to_contain_text("come with SegRanks")


def test_a_sentence_is_released(visit, boss):
    jana = visit()
    jana.judge()
    boss.page.reload()
    row = boss.page.get_by_role("row").filter(has_text=jana.name)
    row.get_by_role("button", name="Release").click()
    expect(boss.page.locator("#open tbody").get_by_text(jana.name)).to_have_count(0)


@pytest.fixture(params=["with JavaScript", "without"])
def reviser(request, visit, site):
    """Somebody who has judged one sentence and opened it again."""
    jana, keys = judge_one(visit, site)
    if request.param == "with JavaScript":
        jana = visit(storage_state=jana.context.storage_state())
    page = jana.page
    page.goto(site.address)
    page.get_by_role("link", name="My judgements").click()
    page.locator(".past-one").click()
    expect(page.locator("h1")).to_have_text("Revise")
    return page, keys, request.param == "with JavaScript"


def test_a_judgement_is_revised(reviser):
    page, keys, script = reviser
    if script:
        assert checked(page) == dict.fromkeys(keys, "1")
        piece = page.locator(f'.piece[data-card="{keys[0]}"]')
        piece.locator(".face").click()
        page.locator(".board", has=piece).locator('.zone[data-value="garbage"] .put').click()
    else:
        choose(page, keys[0], "garbage")
    page.get_by_role("button", name="Revise").click()
    expect(page.locator(".notice")).to_contain_text("Your revision is stored")
    expect(page.locator(".past .tag")).to_contain_text("revised")
    page.locator(".past-one").click()
    stored = page.locator(f'input[name="card-{keys[0]}"]:checked')
    expect(stored).to_have_value("garbage")
    others = page.locator('input[value="1"]:checked')
    expect(others).to_have_count(len(keys) - 1)


def test_a_revision_under_way_survives_a_reload_and_can_be_left(visit, site):
    jana, keys = judge_one(visit, site)
    page = visit(storage_state=jana.context.storage_state()).page
    page.goto(f"{site.address}/projects/{site.project}/mine/")
    page.locator(".past-one").click()
    page.locator(f'.piece[data-card="{keys[0]}"] .face').focus()
    page.keyboard.press("g")
    changed = dict.fromkeys(keys, "1") | {keys[0]: "garbage"}
    assert checked(page) == changed
    page.reload()
    assert checked(page) == changed
    page.keyboard.press("u")
    assert checked(page) == dict.fromkeys(keys, "1")
    page.keyboard.press("y")
    page.get_by_role("link", name="Leave it as it is").click()
    page.locator(".past-one").click()
    assert checked(page) == dict.fromkeys(keys, "1")


def test_times_are_those_of_the_reader(visit, site):
    jana, _keys = judge_one(visit, site)
    mine = f"{site.address}/projects/{site.project}/mine/"
    jana.page.goto(mine)
    expect(jana.page.locator("time")).to_contain_text("UTC")
    reader = visit(storage_state=jana.context.storage_state())
    reader.page.goto(mine)
    expect(reader.page.locator("time")).not_to_contain_text("UTC")


def test_a_limit_is_set_and_taken_away_in_the_members_row(visit, boss):
    jana, page = visit(), boss.page
    jana.sign_in()
    page.reload()
    limit = page.get_by_label(f"Limit: {jana.name}", exact=True)
    save = page.locator(".limit", has=limit).get_by_role("button")
    size = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    limit.fill("0")
    save.click()
    expect(limit).to_have_attribute("aria-invalid", "true")
    # The table is wider than a narrow window.
    expect(limit).to_be_in_viewport()
    expect(limit).to_have_accessible_description(
        "Write a whole number from 1 to 1000000; empty for no limit."
    )
    page.set_viewport_size(size)
    limit.fill("30")
    save.click()
    expect(page.get_by_role("status")).to_have_text(f"The limit for {jana.name} is saved.")
    expect(limit).to_have_value("30")
    limit.fill("")
    save.click()
    expect(limit).to_have_value("")
    boss.complaints = [line for line in boss.complaints if "400 (Bad Request)" not in line]
