"""What axe-core, a checker of accessibility, thinks of every page."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import assignment, place_by_click, plan

pytestmark = pytest.mark.browser
AXE = next(Path(__file__).parent.glob("vendor/axe-core-*/axe.min.js"))
# All that axe looks at by itself, and whether a finger can hit what is to be hit.
# Colours that are just changing, as those of the administration do, are not what people read.
RUN = """async () => {
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  // One that is cancelled meanwhile rejects.
  await Promise.allSettled(document.getAnimations().map(animation => animation.finished));
  const result = await axe.run({rules: {"target-size": {enabled: true}}});
  return result.violations.flatMap(rule => rule.nodes.map(
    node => `${rule.id}: ${node.target.join(" ")}: ${node.failureSummary}`));
}"""
SIZES = ({"width": 1280, "height": 900}, {"width": 390, "height": 844})


class Inspector:
    """Looks at the page that is open, wide and narrow, light and dark.

    Colours are the same in all languages: what is dark is looked at in one of them.
    """

    def __init__(self, page):
        self.page = page
        self.found = []
        self.pages = []

    def look(self, name):
        self.pages.append(name)
        self.page.wait_for_load_state()
        self.page.evaluate(AXE.read_text())
        czech = self.page.locator("html[lang=cs]").count()
        for size in SIZES:
            self.page.set_viewport_size(size)
            for scheme in ("light",) if czech else ("light", "dark"):
                self.page.emulate_media(color_scheme=scheme)
                complaints = self.page.evaluate(RUN)
                self.found += [f"{name}, {size['width']} {scheme}: {c}" for c in complaints]
        self.page.set_viewport_size(SIZES[0])


@pytest.fixture(params=["en", "cs"])
def jana(request, visit):
    jana = visit(locale=request.param)
    yield jana
    # The console reports the statuses of the pages about problems, and what axe, which has no
    # address, tries in vain.
    expected = ("server responded with a status", "'url': ''")
    jana.complaints = [
        line for line in jana.complaints if not any(words in line for words in expected)
    ]


@pytest.fixture
def inspector(jana):
    inspector = Inspector(jana.page)
    yield inspector
    assert inspector.found == []


def press_main_button(page):
    page.locator("main form .button-main").click()


def hand_in(page):
    """Press the main button of a judgement and go where it leads."""
    with page.expect_navigation():
        page.locator("#judgement .button-main").click()


def test_pages_for_strangers(jana, inspector, site):
    for path in (
        "/sign-in/",
        "/register/",
        "/sign-in/link/made-up/",
        "/invitations/made-up/",
        "/password/forgotten/",
        "/no/such/page/",
    ):
        jana.page.goto(site.address + path)
        inspector.look(path)
    jana.page.goto(f"{site.address}/sign-in/")
    jana.sign_in_by_password("nobody", "wrong")
    inspector.look("wrong password")
    jana.page.goto(f"{site.address}/register/")
    jana.page.locator("#id_username").fill("no such name!")
    jana.page.locator("#id_password1").fill("1")
    jana.page.locator("#id_password2").fill("2")
    press_main_button(jana.page)
    inspector.look("bad registration")


def test_pages_for_those_who_come(jana, inspector, site):
    page = jana.page
    _name, link = site.add_user()
    page.goto(link)
    inspector.look("link")
    press_main_button(page)
    inspector.look("password")
    page.goto(link)
    inspector.look("used link")
    jana.context.clear_cookies(name="csrftoken")
    page.go_back()
    press_main_button(page)
    inspector.look("form too old")


def test_pages_of_the_crowd(jana, inspector, site, visit):
    page = jana.page
    jana.sign_in("owner")
    page.goto(f"{site.address}/my-data/")
    inspector.look("my data")
    page.goto(f"{site.address}/projects/{site.project}/crowd/new/")
    page.locator("#id_platform").fill(f"Pool of {jana.name}")
    page.locator("#id_sentences").fill("1")
    page.locator("#id_code").fill("C0DE")
    page.locator("#id_pay_per_hour").fill("-1")
    page.locator(".link-form .button-main").click()
    inspector.look("wrong start link")
    page.locator("#id_pay_per_hour").fill("10")
    page.locator(".link-form .button-main").click()
    start = page.get_by_label("Address for the platform").or_(
        page.get_by_label("Adresa pro platformu")
    )
    path = start.last.input_value().split("?")[0]
    worker = visit()
    for address in (path, f"{path}?PROLIFIC_PID=person-of-{jana.name}"):
        page.goto(address)
        inspector.look(address)
    worker.page.goto(f"{path}?PROLIFIC_PID=person-of-{jana.name}")
    press_main_button(worker.page)
    place_by_click(worker.page, plan(worker.page))
    hand_in(worker.page)
    expect(worker.page.locator("#code")).to_have_value("C0DE")
    page.goto(f"{site.address}/projects/{site.project}/crowd/")
    inspector.look("crowd")
    page.locator(".pay-table a[href$='/anonymise/']").last.click()
    inspector.look("anonymise")
    page.context.add_cookies(worker.context.cookies())
    page.goto(f"{site.address}/projects/{site.project}/crowd/done/")
    inspector.look("done")


def test_pages_for_those_who_judge(jana, inspector, site):
    page = jana.page
    jana.judge()
    inspector.look("judge")
    for dialog in (".help-switch", ".skip-switch"):
        page.locator(dialog).click()
        inspector.look(dialog)
        page.keyboard.press("Escape")
    page.locator(".differences-switch").click()
    places = plan(page)
    place_by_click(page, dict(list(places.items())[::2]))
    page.locator(".tray .face").first.click()
    inspector.look("half judged")
    page.locator(".view-switch").click()
    inspector.look("half judged, list")
    page.evaluate("document.getElementById('judgement').submit()")
    page.get_by_role("alert").wait_for()
    inspector.look("complaint, list")
    page.locator(".view-switch").click()
    inspector.look("complaint")
    place_by_click(page, places)
    inspector.look("all judged")
    other = jana.context.new_page()
    other.goto(site.judge)
    before = assignment(other)
    press_main_button(other)
    expect(other.locator("input[name=assignment]")).not_to_have_value(before)
    press_main_button(page)
    expect(page.locator("#notice")).to_be_visible()
    inspector.look("refused")


def test_pages_for_those_who_look_back(jana, inspector, site):
    page = jana.page
    mine = f"{site.address}/projects/{site.project}/mine/"
    jana.judge()
    page.goto(mine)
    inspector.look("nothing judged")
    page.goto(site.judge)
    place_by_click(page, plan(page))
    hand_in(page)
    page.goto(mine)
    inspector.look("my judgements")
    page.locator(".past-one").click()
    inspector.look("revise")
    page.locator(".view-switch").click()
    inspector.look("revise, list")
    page.locator("#judgement input:checked").first.evaluate("radio => radio.disabled = true")
    page.evaluate("document.getElementById('judgement').submit()")
    page.get_by_role("alert").wait_for()
    inspector.look("revise, complaint")
    page.goto(mine)
    page.locator(".past-one").click()
    hand_in(page)
    inspector.look("revised")


def test_pages_for_those_who_manage(jana, inspector, site):
    page = jana.page
    jana.sign_in("administrator")
    manage = f"{site.address}/projects/{site.project}/manage/"
    page.goto(site.judge)
    page.goto(f"{site.judge}skip/")
    page.locator("input[value=other]").check()
    page.locator(".skip-form button").click()
    page.wait_for_url(site.judge)
    page.goto(manage)
    editor = page.locator("#id_text")
    editor.fill("Only the *meaning* counts.\n\n- [Guide](https://example.org)")
    page.locator("[name=preview]").click()
    inspector.look("preview of instructions")
    page.locator("#instructions .button-main").click()
    page.locator(".versions summary").click()
    inspector.look("manage, versions")
    page.locator("#id_lease_minutes").fill("1")
    page.locator("#settings .button-main").click()
    inspector.look("wrong setting")
    page.goto(manage)
    page.locator("#members .add-member .button").click()
    inspector.look("wrong member")
    page.goto(manage)
    page.locator(".limit [type=number]").first.fill("0")
    page.locator(".limit button").first.click()
    page.locator("#limit-error").wait_for()
    inspector.look("wrong limit")
    page.goto(manage)
    editor.fill("")
    page.locator("#instructions .button-main").click()
    page.locator(".notice").wait_for()


def test_pages_for_those_who_administer(jana, inspector, site):
    page = jana.page
    jana.sign_in("administrator")
    others = site.installation.query(
        "[Membership.objects.create(user=User.objects.get(username="
        f"{jana.name!r}), role='administrator', project=Project.objects.create(name=f'{{state}}"
        f" for {jana.name}', source_language='en', target_language='pt_BR', state=state))"
        ".project_id for state in ('closed', 'preparing', 'failed')]"
    )
    page.goto(site.judge)
    place_by_click(page, plan(page))
    hand_in(page)
    pages = [(project, name) for project in others for name in ("judge", "results", "manage")]
    for path in (
        "/",
        f"/projects/{site.project}/results/",
        *(f"/projects/{project}/{name}/" for project, name in pages),
    ):
        page.goto(site.address + path)
        inspector.look(path)


def test_pages_of_the_administration(jana, inspector, site):
    jana.page.goto(f"{site.address}/admin/")
    inspector.look("sign in")
    jana.sign_in_by_password("admin", site.process.passwords["admin"])
    for path in (
        "",
        "annotation/user/",
        "annotation/user/1/change/",
        "annotation/user/add/",
        "annotation/project/",
        f"annotation/project/{site.project}/change/",
        "annotation/membership/",
        "annotation/membership/1/change/",
        "annotation/membership/add/",
    ):
        jana.page.goto(f"{site.address}/admin/{path}")
        inspector.look(path)
