"""The practice round and what administrators prepare for it, in a browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import (
    CANDIDATES,
    add_project,
    assignment,
    checked,
    excuse,
    expect_saved,
    join,
    place_by_click,
)
from tests.browser.test_accessibility import Inspector
from tests.browser.test_pages import assert_nothing_sticks_out

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def make_practice(site, judge, *numbers, required=False):
    """Let these sentences serve for practice: candidates are right in the order of their ids."""
    project = judge.split("/")[-3]
    code = f"""
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
"""
    site.installation.execute(code)


def project_page(judge, path):
    return judge.replace("judge/", path)


@pytest.fixture
def three(site, request):
    """A project with practice that is required: two of its sentences."""
    judge = add_project(site, f"Practice {request.node.name}", [3], sentences=6)
    make_practice(site, judge, 1, 2, required=True)
    return judge


def right_places(page):
    """Return the places by which all is right: the order of the texts of the project."""
    found = {}
    for card in page.locator(".candidate").all():
        text = card.locator("legend bdi").text_content()
        found[card.get_attribute("data-card")] = str(CANDIDATES.index(text) + 1)
    return found


def place_by_keys(page, places):
    """Type the rank of each candidate, in the order in which the focus goes through them."""
    for key in places:
        page.locator(f'.piece[data-card="{key}"] .face').focus()
        page.keyboard.press(places[key])


def test_practice_is_gone_through_by_keys_alone_up_to_the_real_work(visit, site, three):
    jana = visit()
    join(jana, three)
    page = jana.page
    page.goto(site.address)
    first = page.get_by_role("link", name=re.compile("Practise first"))
    first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".practice-banner")).to_contain_text("Practice 1 of 2")
    places = right_places(page)
    turned = {key: str(4 - int(rank)) for key, rank in places.items()}
    place_by_keys(page, turned)
    assert checked(page) == turned
    page.keyboard.press("Shift+Enter")
    page.wait_for_url("**/practice/*/")
    expect(page.locator("h1")).to_have_text("How it was meant")
    expect(page.locator(".verdict")).to_contain_text("0 of 3 pairs of candidates")
    expect(page.locator(".moved")).to_have_text([re.compile("lower"), re.compile("higher")])
    expect(page.locator(".reason-why")).to_contain_text("The first one has the right case.")
    page.keyboard.press("Enter")
    expect(page.locator(".practice-banner")).to_contain_text("Practice 2 of 2")
    place_by_keys(page, right_places(page))
    page.keyboard.press("Shift+Enter")
    expect(page.locator("h1")).to_contain_text("Just as it was meant")
    expect(page.get_by_role("link", name="Start judging")).to_be_visible()
    # The keys that hand in go on as well.
    page.keyboard.press("Shift+Enter")
    page.wait_for_url("**/judge/")
    expect(page.locator(".practice-banner")).to_have_count(0)
    expect(page.locator(".judge-progress")).to_contain_text("judged by you: 0 of 4")
    page.keyboard.press("1")
    expect_saved(page)


def test_a_key_that_is_still_held_down_does_not_pass_the_feedback_by(visit, three):
    jana = visit()
    join(jana, three)
    page = jana.page
    place_by_click(page, right_places(page))
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url("**/practice/*/")
    page.evaluate(
        "document.dispatchEvent(new KeyboardEvent('keydown',"
        " {key: 'Enter', repeat: true, bubbles: true, cancelable: true}))"
    )
    page.wait_for_timeout(200)
    expect(page.locator("h1")).to_contain_text("Just as it was meant")


def test_practice_without_javascript(visit, three):
    jana = visit(java_script_enabled=False)
    join(jana, three)
    page = jana.page
    for onward in ("Next practice sentence", "Start judging"):
        expect(page.locator(".practice-banner")).to_be_visible()
        for key, rank in right_places(page).items():
            page.locator(f'input[name="card-{key}"][value="{rank}"]').check()
        page.get_by_role("button", name="Submit").click()
        expect(page.locator("h1")).to_contain_text("Just as it was meant")
        expect(page.locator(".by-keys")).to_be_hidden()
        page.get_by_role("link", name=onward).click()
    expect(page.locator("#judgement")).to_be_visible()
    expect(page.locator(".practice-banner")).to_have_count(0)


def test_practice_is_handed_in_when_the_network_is_back(visit, three):
    jana = visit()
    join(jana, three)
    page = jana.page
    place_by_click(page, right_places(page))
    expect_saved(page)
    jana.context.set_offline(True)
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("#status")).to_have_text("Waiting to be submitted.")
    jana.context.set_offline(False)
    page.wait_for_url("**/practice/*/")
    expect(page.locator("h1")).to_contain_text("Just as it was meant")
    excuse(jana, "ERR_INTERNET_DISCONNECTED")


def test_a_skipped_practice_sentence_is_followed_by_the_next_one(visit, three):
    jana = visit()
    join(jana, three)
    page = jana.page
    before = assignment(page)
    page.get_by_role("link", name="Skip this sentence").click()
    page.locator("input[value=other]").check()
    page.locator("#skip .button-skip").click()
    expect(page.locator(".practice-banner")).to_contain_text("Practice 2 of 2")
    assert assignment(page) != before
    assert page.url.endswith("/practice/")


def test_one_that_was_submitted_in_another_window_leads_on(visit, three):
    jana = visit()
    join(jana, three)
    page = jana.page
    other = jana.context.new_page()
    other.goto(page.url)
    place_by_click(other, right_places(other))
    other.get_by_role("button", name="Submit").click()
    other.wait_for_url("**/practice/*/")
    expect(page.locator("#notice")).to_contain_text("submitted in another window")
    page.get_by_role("link", name="Go on judging").click()
    expect(page.locator(".practice-banner")).to_contain_text("Practice 2 of 2")


def test_a_voluntary_round_can_be_left_and_looked_back_on(visit, site, request):
    judge = add_project(site, "Voluntary practice", [2], sentences=5)
    make_practice(site, judge, 1, 2)
    jana = visit(**PHONE)
    join(jana, judge)
    page = jana.page
    expect(page.locator(".practice-banner")).to_have_count(0)
    site.installation.query(
        "[ShownCandidate.objects.filter(assignment__annotator__username="
        f"{jana.name!r}).delete()[0], Assignment.objects.filter(annotator__username="
        f"{jana.name!r}).delete()[0]]"
    )
    page.goto(site.address)
    page.get_by_role("link", name=re.compile(r"Practice round \(2 left\)")).tap()
    for number in (1, 2):
        expect(page.locator(".practice-banner")).to_contain_text(f"Practice {number} of 2")
        place_by_click(page, right_places(page))
        page.get_by_role("button", name="Submit").tap()
        page.wait_for_url("**/practice/*/")
        assert_nothing_sticks_out(page)
        expect(page.get_by_role("link", name="Stop practising")).to_have_count(2 - number)
        if number == 1:
            page.get_by_role("link", name="Next practice sentence").tap()
    page.get_by_role("link", name="All you practised").tap()
    expect(page.locator("h1")).to_have_text("Practice is done")
    expect(page.locator(".past-one")).to_have_count(2)
    assert_nothing_sticks_out(page)
    page.locator(".past-one").first.tap()
    expect(page.locator("h1")).to_contain_text("Just as it was meant")


@pytest.fixture
def boss(visit, site, request):
    """An administrator of a project of his own, on the page from which it is run."""
    judge = add_project(site, f"Checks {request.node.name}", [3, 2], sentences=8)
    boss = visit()
    boss.sign_in("administrator")
    site.installation.query(
        "Membership.objects.create(role='administrator', user=User.objects.get("
        f"username={boss.name!r}), project_id={judge.split('/')[-3]}).pk"
    )
    boss.page.goto(project_page(judge, "manage/"))
    return boss


def test_a_practice_sentence_is_made_and_changed(boss):
    page = boss.page
    page.get_by_role("link", name="Add a practice sentence").click()
    page.get_by_label("Number in the source").fill("99")
    page.get_by_role("button", name="Go to this sentence").click()
    expect(page.get_by_role("alert")).to_have_text("There is no sentence 99 in this project.")
    page.get_by_label("Number in the source").fill("3")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Practice sentence 3")
    # Not before everything has its place.
    expect(page.locator("#status")).to_have_text("Candidates left to place: 5")
    page.keyboard.press("Shift+Enter")
    expect(page.locator("#status")).to_contain_text("Not placed yet: 5")
    page.keyboard.press("1")
    page.get_by_role("textbox").first.fill("Digits 1 and 2 are typed here, not placed.")
    page.reload()
    # What was placed and written is there still.
    expect(page.locator("#status")).to_have_text("Candidates left to place: 4")
    assert len(checked(page)) == 1
    expect(page.get_by_role("textbox").first).to_have_value(re.compile("Digits 1 and 2"))
    places = {key: "garbage" if key == "1-2" else "1" for key in right_places(page)}
    place_by_click(page, {key: to for key, to in places.items() if key not in checked(page)})
    stored = checked(page)
    page.get_by_role("button", name="Use it for practice").click()
    expect(page.get_by_role("status")).to_contain_text("Sentence 3 serves for practice")
    page.get_by_role("link", name="Change the answers").click()
    expect(page.locator("#status")).to_have_text("Everything is placed.")
    assert checked(page) == stored
    expect(page.get_by_role("textbox").first).to_have_value(re.compile("Digits 1 and 2"))
    page.get_by_role("textbox").nth(1).fill("Both are as good.")
    page.locator('.piece[data-card="1-1"] .face').focus()
    page.keyboard.press("3")
    page.get_by_role("button", name="Save the answers").click()
    expect(page.get_by_role("status")).to_contain_text("are changed")
    page.get_by_role("link", name="Change the answers").click()
    expect(page.locator("#status")).to_have_text("Everything is placed.")
    assert checked(page) == stored | {"1-1": "3"}
    page.go_back()
    page.get_by_role("button", name="Take out").click()
    expect(page.locator("#practice .tag")).to_have_text("taken out")
    excuse(boss, "400 (Bad Request)")


def test_an_explanation_stands_below_its_board(boss):
    page = boss.page
    page.goto(page.url + "practice/new/?sentence=2")
    for segment in page.locator(".segment").all():
        board, why = segment.locator(".board"), segment.locator(".why")
        lower = board.bounding_box()["y"] + board.bounding_box()["height"]
        assert why.bounding_box()["y"] >= lower - 1


def test_control_sentences_are_made_in_the_browser(boss):
    page = boss.page
    page.get_by_label("How many").fill("500")
    page.get_by_role("button", name="Make them").click()
    field = page.get_by_label("How many")
    expect(field).to_have_accessible_description(re.compile("a whole number from 1 to 200"))
    excuse(boss, "400 (Bad Request)")
    page.get_by_role("link", name=re.compile("Control sentences")).click()
    expect(page.locator("#controls")).to_be_in_viewport()


# --- for everybody -----------------------------------------------------------------------------


@pytest.fixture
def inspector(boss):
    inspector = Inspector(boss.page)
    yield inspector
    # What axe, which has no address, tries in vain, and statuses that were to be expected.
    excuse(boss, "'url': ''", "server responded with a status")
    assert inspector.found == []


def test_every_page_of_practice_and_control_is_accessible(boss, site, inspector):
    page = boss.page
    manage = page.url
    judge = manage.replace("manage/", "judge/")
    page.goto(project_page(judge, "practice/"))
    inspector.look("nothing to practise")
    page.goto(manage + "practice/new/")
    inspector.look("offer")
    page.goto(manage + "practice/new/?sentence=0")
    inspector.look("offer, wrong")
    page.goto(manage + "practice/new/?sentence=1")
    inspector.look("answers")
    page.locator(".view-switch").click()
    inspector.look("answers, list")
    page.locator("textarea").first.fill("x")
    page.evaluate("document.getElementById('judgement').submit()")
    page.get_by_role("alert").wait_for()
    inspector.look("answers, complaint")
    page.locator(".view-switch").click()
    make_practice(site, judge, 3, 4, 5, required=True)
    site.installation.execute(
        "from annotation.models import *\n"
        "from annotation import controls, practice\n"
        f"project = Project.objects.get(pk={judge.split('/')[-3]})\n"
        "first = Candidate.objects.filter(segment__sentence__project=project,"
        " segment__sentence__number=8).first()\n"
        "Candidate.objects.filter(pk=first.pk).update(text='něco úplně jiného zde')\n"
        "controls.make_controls(project=project, count=1, seed=1)\n"
        "practice.retire(project=project, purpose='practice', number=3, retired=True)\n",
    )
    page.goto(manage)
    inspector.look("manage")
    page.goto(site.address)
    inspector.look("projects")
    page.goto(judge)
    inspector.look("practice")
    for right in (False, True):
        places = right_places(page)
        place_by_click(page, places if right else dict.fromkeys(places, "garbage"))
        page.get_by_role("button", name="Submit").click()
        page.wait_for_url("**/practice/*/")
        inspector.look(f"feedback, right: {right}")
        assert_nothing_sticks_out(page)
        page.locator(".go-on").click()
    page.goto(project_page(judge, "practice/"))
    page.goto(manage)
    page.goto(f"{site.address}/projects/{judge.split('/')[-3]}/judge/skip/")
    page.locator("input[value=other]").check()
    page.locator(".skip-form button").click()
    page.wait_for_url("**/judge/")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_sticks_out_of_a_narrow_screen(boss, site, scheme):
    page = boss.page
    manage = page.url
    make_practice(site, manage.replace("manage/", "judge/"), 1, 2)
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(color_scheme=scheme)
    for path in ("", "practice/new/", "practice/new/?sentence=3", "practice/1/"):
        page.goto(manage + path)
        assert_nothing_sticks_out(page)
    page.goto(manage.replace("manage/", "practice/"))
    assert_nothing_sticks_out(page)
