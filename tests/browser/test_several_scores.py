"""Scores on several scales: by keys, by mouse, and what is missing."""

from playwright.sync_api import Page, expect

from annotation.kinds import KINDS
from tests.browser.judging_page import PHONE, assert_light, expect_state, press, submit
from tests.browser.test_kinds import make

SCORES = KINDS["scores"]
# Of a card by keys alone: fluency, adequacy, its Enter, XSTS.
KEYS = ("4", "8", "0", "Enter", "3")
GIVEN = "Fluency 4, Adequacy 80, XSTS 3"


def detail(page: Page, card: str) -> str:
    return page.locator(f'input[name="detail-{card}"]').input_value()


def stored(site, name: str):
    """Return the ranks of the scales of each placement that the annotator has submitted."""
    return site.query(
        "[[one.rank, *one.further_scores.order_by('scale').values_list('rank', flat=True)]"
        " for one in Placement.objects.filter("
        f"judgement__submission__assignment__annotator__username={name!r})]"
    )


def test_a_sheet_is_scored_by_keys_alone(inspected, site):
    project = make(site, SCORES)
    jana = inspected.visitor
    jana.judge(project)
    page = jana.page
    assert_light(page, has_board=False)
    inspected.look("sheet of scores")
    cards = [one.get_attribute("data-card") for one in page.locator(".candidate").all()]
    for card in cards[:-1]:
        press(page, *KEYS)
        assert detail(page, card) == GIVEN
    # The last one lacks a score: the page goes to it, and keeps the draft.
    press(page, *KEYS[:4])
    press(page, "Shift+Enter")
    last = page.locator(f'.candidate[data-card="{cards[-1]}"]')
    expect(last.locator(".scale.is-gap")).to_have_count(1)
    expect(last.locator(".scale").last.locator("input").first).to_be_focused()
    inspected.look("sheet of scores with a gap")
    expect_state(page, "saved")
    page.reload()
    assert detail(page, cards[-1]) == "Fluency 4, Adequacy 80"
    expect(last.locator(".scale[data-unanswered]")).to_have_count(1)
    press(page, "3")
    assert submit(page) != ""
    assert stored(site, jana.name) == [[2, 5, 3]] * len(cards)
    # The next sheet has scales of its own.
    press(page, *KEYS)
    assert detail(page, cards[0]) == GIVEN


def test_scores_are_chosen_and_undone_with_the_mouse(inspected, site):
    project = make(site, SCORES)
    jana = inspected.visitor
    jana.judge(project)
    page = jana.page
    card = page.locator(".candidate").first
    fluency, adequacy, _xsts = card.locator(".scale").all()
    fluency.locator(".choice").nth(2).click()
    adequacy.locator(".slider").click()
    assert detail(page, "1-1") == "Fluency 2, Adequacy 50"
    page.locator(".undo").click()
    assert detail(page, "1-1") == "Fluency 2"
    expect(adequacy.locator(".slider.is-unset")).to_have_count(1)
    page.locator(".redo").click()
    expect(adequacy.locator(".score-number")).to_have_value("50")
    # A score that is on no step is not taken, and stays to be corrected.
    adequacy.locator(".score-number").fill("52")
    adequacy.locator(".score-number").blur()
    assert detail(page, "1-1") == "Fluency 2"
    expect(adequacy.locator(".score-number[aria-invalid=true]")).to_have_value("52")


def test_a_submission_is_revised(inspected, site):
    project = make(site, SCORES)
    jana = inspected.visitor
    jana.judge(project)
    page = jana.page
    for _ in page.locator(".candidate").all():
        press(page, *KEYS)
    assert submit(page) != ""
    mine = f"Assignment.objects.get(state='submitted', annotator__username={jana.name!r}).pk"
    page.goto(f"{site.url('mine', project)}{site.query(mine)}/")
    assert detail(page, "1-1") == GIVEN
    page.locator(".candidate").first.locator(".choice").nth(5).click()
    assert detail(page, "1-1") == GIVEN.replace("Fluency 4", "Fluency 5")
    page.locator("#judgement button[type=submit]").click()
    page.wait_for_url(lambda address: not address.endswith(f"{site.query(mine)}/"))
    rows = (
        "sorted(Placement.objects.filter(judgement__submission__current=True,"
        f" judgement__submission__assignment__annotator__username={jana.name!r})"
        ".values_list('rank', flat=True))"
    )
    assert site.query(rows)[:2] == [1, 2]


def test_all_scales_fit_on_a_phone(visit, site):
    jana = visit(**PHONE)
    jana.judge(make(site, SCORES))
    assert jana.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
