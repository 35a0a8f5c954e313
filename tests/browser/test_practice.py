"""The practice round, and the page where administrators give its gold answers."""

import pytest
from playwright.sync_api import expect

from annotation.kinds import KINDS
from tests.browser.axe import overflow_of
from tests.browser.judging_page import (
    PHONE,
    assignment,
    checked,
    expect_state,
    place_by_click,
    press,
    submit_button,
)
from tests.browser.site import CANDIDATES
from tests.browser.test_kinds import make


def make_practice(site, project, *numbers, required=False):
    """Use these sentences for practice: candidates are right in the order of their ids."""
    site.installation.execute(f"""
from annotation.models import *
from annotation.judging.practice import answer_sheet, make_practice
project = Project.objects.get(pk={project})
Project.objects.filter(pk=project.pk).update(practice_required={required})
for number in {numbers!r}:
    sentence = project.sentences.get(purpose="judge", number=number)
    texts = list(Candidate.objects.filter(segment__sentence=sentence).order_by("pk")
        .values_list("text", flat=True))
    choices = {{card.key: [c.text for c in sorted(segment.cards, key=lambda c: texts.index(c.text))]
        .index(card.text) + 1 for segment in answer_sheet(sentence, project).segments
        for card in segment.cards}}
    make_practice(project=project, number=number, choices=choices,
        explanations={{0: "The first one has the right case."}})
""")


@pytest.fixture
def project(site):
    """A project whose practice round of two sentences is required."""
    made = site.add_project("Practice", [3], sentences=6)
    make_practice(site, made, 1, 2, required=True)
    return made


@pytest.fixture
def jana(visit, project):
    jana = visit()
    jana.judge(project)
    return jana


def right_places(page):
    """Return the places that the gold answer has: candidates in the order of the project's."""
    page.locator(".candidate").first.wait_for(state="attached")
    found = {}
    for card in page.locator(".candidate").all():
        text = card.locator("legend bdi").text_content()
        found[card.get_attribute("data-card")] = str(CANDIDATES.index(text) + 1)
    return found


def place_by_keys(page, places):
    for key in places:
        page.locator(f'.piece[data-card="{key}"] .face').focus()
        press(page, places[key])


def test_practice_leads_to_the_real_work_by_keys_alone(visit, site, project):
    jana = visit()
    jana.sign_in(project=project)
    page = jana.page
    page.goto(site.address)
    page.locator(f'a.judge-button[href$="/{project}/practice/"]').focus()
    press(page, "Enter")
    expect(page.locator(".practice-banner")).to_be_visible()
    right = right_places(page)
    wrong = {key: str(4 - int(rank)) for key, rank in right.items()}
    place_by_keys(page, wrong)
    assert checked(page) == wrong
    press(page, "Shift+Enter")
    page.wait_for_url("**/practice/*/")
    expect(page.locator(".verdict-good")).to_have_count(0)
    expect(page.locator(".moved")).to_have_count(2)
    expect(page.locator(".reason-why")).to_contain_text("The first one has the right case.")
    # A key that is still held down from the page before does not skip the feedback.
    page.evaluate(
        "document.dispatchEvent(new KeyboardEvent('keydown',"
        " {key: 'Enter', repeat: true, bubbles: true, cancelable: true}))"
    )
    expect(page.locator(".verdict")).to_be_visible()
    press(page, "Enter")
    expect(page.locator(".practice-banner")).to_be_visible()
    place_by_keys(page, right_places(page))
    press(page, "Shift+Enter")
    expect(page.locator(".verdict-good")).to_be_visible()
    press(page, "Shift+Enter")
    page.wait_for_url("**/judge/")
    expect(page.locator(".practice-banner")).to_have_count(0)
    press(page, "1")
    expect_state(page, "saved")


@pytest.mark.slow
def test_practice_works_without_javascript(visit, project):
    jana = visit(java_script_enabled=False)
    jana.judge(project)
    page = jana.page
    for _sentence in range(2):
        expect(page.locator(".practice-banner")).to_be_visible()
        for key, rank in right_places(page).items():
            page.locator(f'input[name="card-{key}"][value="{rank}"]').check()
        submit_button(page).click()
        expect(page.locator(".verdict-good")).to_be_visible()
        page.locator(".continue").click()
    expect(page.locator("#judgement")).to_be_visible()
    expect(page.locator(".practice-banner")).to_have_count(0)


@pytest.mark.slow
def test_practice_waits_for_the_network(jana):
    page = jana.page
    place_by_click(page, right_places(page))
    expect_state(page, "saved")
    jana.context.set_offline(True)
    submit_button(page).click()
    expect_state(page, "waiting")
    jana.context.set_offline(False)
    page.wait_for_url("**/practice/*/")
    expect(page.locator(".verdict-good")).to_be_visible()
    jana.excuse("ERR_INTERNET_DISCONNECTED")


@pytest.mark.slow
def test_a_sentence_that_was_skipped_or_submitted_elsewhere_leads_to_the_next(jana):
    page = jana.page
    other = jana.context.new_page()
    other.goto(page.url)
    place_by_click(other, right_places(other))
    submit_button(other).click()
    other.wait_for_url("**/practice/*/")
    before = assignment(page)
    page.locator("#notice a").click()
    expect(page.locator("input[name=assignment]")).not_to_have_value(before)
    page.locator(".skip-switch").click()
    page.locator("#skip input[value=other]").check()
    page.locator("#skip .button-skip").click()
    page.locator(".page-head a.button-main").click()
    expect(page.locator("#judgement")).to_be_visible()
    expect(page.locator(".practice-banner")).to_have_count(0)


@pytest.mark.slow
def test_a_voluntary_round_can_be_left_and_reviewed(visit, site):
    project = site.add_project("Voluntary practice", [2], sentences=5)
    make_practice(site, project, 1, 2)
    jana = visit(**PHONE | {"viewport": {"width": 360, "height": 740}})
    jana.sign_in(project=project)
    page = jana.page
    page.goto(site.address)
    page.locator(f'.project-mine a[href$="/{project}/practice/"]').tap()
    for left in (1, 0):
        expect(page.locator(".practice-banner")).to_be_visible()
        place_by_click(page, right_places(page))
        submit_button(page).tap()
        page.wait_for_url("**/practice/*/")
        assert overflow_of(page) == 0
        if left:
            page.locator(".continue").tap()
    page.locator(f'.submit-bar a[href$="/{project}/practice/"]').tap()
    expect(page.locator(".past-one")).to_have_count(2)
    page.locator(".past-one").first.tap()
    expect(page.locator(".verdict-good")).to_be_visible()


@pytest.fixture
def boss(visit, site):
    boss = visit()
    project = site.add_project("Practice answers", [3, 2], sentences=8)
    boss.sign_in("administrator", project)
    boss.page.goto(site.url("quality/practice", project))
    return boss


def test_gold_answers_are_given_and_changed(boss):
    page = boss.page
    page.goto(page.url + "new/?sentence=3")
    # Not before everything has its place.
    press(page, "Shift+Enter")
    assert checked(page) == {}
    press(page, "1")
    page.locator("textarea").first.fill("Digits 1 and 2 are typed here, not placed.")
    page.reload()
    assert len(checked(page)) == 1
    expect(page.locator("textarea").first).to_have_value(
        "Digits 1 and 2 are typed here, not placed."
    )
    lower = page.locator(".segment .board").first.bounding_box()
    assert page.locator(".why").first.bounding_box()["y"] >= lower["y"] + lower["height"] - 1
    places = {key: "garbage" if key == "1-2" else "1" for key in right_places(page)}
    place_by_click(page, {key: to for key, to in places.items() if key not in checked(page)})
    stored = checked(page)
    submit_button(page).click()
    change = page.locator("#practice tbody a")
    change.click()
    page.locator(".rank .piece").first.wait_for()
    assert checked(page) == stored
    page.locator('.piece[data-card="1-1"] .face').focus()
    press(page, "3")
    submit_button(page).click()
    change.click()
    page.locator(".rank .piece").first.wait_for()
    assert checked(page) == stored | {"1-1": "3"}


def test_pages_of_practice_and_control_are_accessible(inspected, site):
    boss, page = inspected.visitor, inspected.page
    project = site.add_project("Inspected practice", [3, 2], sentences=8)
    boss.sign_in("administrator", project)
    practice = site.url("quality/practice", project)
    page.goto(site.url("practice", project))
    inspected.look("nothing to practise")
    for query in ("", "?sentence=0", "?sentence=1"):
        page.goto(f"{practice}new/{query}")
        inspected.look(f"answers {query}")
    page.locator(".view-switch").click()
    page.evaluate("document.getElementById('judgement').submit()")
    page.get_by_role("alert").first.wait_for()
    inspected.look("answers, incomplete, list")
    page.locator(".view-switch").click()
    make_practice(site, project, 3, 4, 5, required=True)
    site.installation.execute(
        "from annotation.models import *\n"
        "from annotation.judging import control_items, practice\n"
        f"project = Project.objects.get(pk={project})\n"
        "first = Candidate.objects.filter(segment__sentence__project=project,"
        " segment__sentence__number=8).first()\n"
        "Candidate.objects.filter(pk=first.pk).update(text='něco úplně jiného zde')\n"
        "control_items.make_controls(project=project, count=1, seed=1)\n"
        "practice.retire(project=project, purpose='practice', number=3, retired=True)\n",
    )
    for name in ("practice", "controls"):
        page.goto(site.url(f"quality/{name}", project))
        inspected.look(name)
    page.goto(site.url("judge", project))
    inspected.look("practice")
    for right in (False, True):
        places = right_places(page)
        place_by_click(page, places if right else dict.fromkeys(places, "garbage"))
        submit_button(page).click()
        page.wait_for_url("**/practice/*/")
        inspected.look(f"feedback, right: {right}")
        page.locator(".continue").click()


def test_a_tutorial_is_done_by_keys_and_explained(inspected, site):
    project = make(site, KINDS["contrastive_error_spans"])
    site.installation.call("add_tutorial", str(project))
    jana = inspected.visitor
    jana.judge(project)
    page = jana.page
    # The first word of the first translation is no error.
    page.locator(".marked-text").first.focus()
    press(page, "1")
    for field in page.locator(".score-number").all():
        field.fill("60")
        field.blur()
    expect_state(page, "saved")
    submit_button(page).click()
    expect(page.locator(".verdict")).to_be_visible()
    expect(page.locator(".expected-errors [data-found=no]")).to_have_count(3)
    inspected.look("feedback of a tutorial")
    press(page, "Enter")
    expect(page.locator(".practice-banner")).to_be_visible()
    boss = jana
    boss.sign_in("administrator", project)
    page.goto(site.url("quality/practice", project))
    inspected.look("practice with a tutorial")
