"""The report in a real browser: figures really drawn, saved and printed, on any screen."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_accessibility import Inspector
from tests.judged_project import SYSTEMS, add_judged_project

pytestmark = pytest.mark.browser

FIGURES = (
    "ranking-ratio_of_wins",
    "win-rates",
    "pairs-of-annotators",
    "learning-curve",
    "interval-widths",
)


@pytest.fixture(scope="module")
def project(site, tmp_path_factory):
    return add_judged_project(site.installation, tmp_path_factory.mktemp("judged"))


@pytest.fixture
def boss(visit, project):
    return sign_in(visit())


def sign_in(window):
    window.page.goto(f"{window.site.address}/sign-in/")
    window.sign_in_by_password("admin", window.site.process.passwords["admin"])
    return window


def report(window, project):
    return f"{window.site.address}/projects/{project}/report/"


def open_report(window, project):
    """Open the report and wait until the worker has made it and all of it is drawn."""
    page = window.page
    page.goto(report(window, project))
    expect(page.locator(".headline")).to_be_visible(timeout=60_000)
    for name in FIGURES:
        expect(figure(page, name)).to_have_attribute("data-drawn", "yes", timeout=30_000)
    return page


def figure(page, name):
    return page.locator(f'.plot[data-name="{name}"]')


def marks(page, name, kind):
    return page.locator(f'.plot[data-name="{name}"] svg .mark-{kind}.role-mark path')


def test_the_report_is_made_by_the_worker_and_its_figures_are_drawn(boss, project):
    page = open_report(boss, project)
    systems = page.locator(".ranking-table tbody tr")
    count = systems.count()

    assert count == len(SYSTEMS)
    expect(marks(page, "ranking-ratio_of_wins", "symbol")).to_have_count(count)
    # All pairs, both ways.
    expect(marks(page, "win-rates", "rect")).to_have_count(count * (count - 1))
    expect(marks(page, "pairs-of-annotators", "rect")).to_have_count(2)
    points = page.locator("#curve-caption").locator("xpath=..").locator("tbody tr").count()
    expect(marks(page, "learning-curve", "symbol")).to_have_count(points)
    expect(page.locator("#age")).to_have_attribute("data-new", "0")


def test_figures_are_written_as_the_reader_writes_numbers(visit, project):
    page = open_report(sign_in(visit(locale="cs")), project)
    for name in FIGURES:
        drawn = " ".join(figure(page, name).locator("svg text").all_text_contents())
        assert re.search(r"\d,\d", drawn), name
        assert not re.search(r"\.\d", drawn), name


def test_figures_are_as_wide_as_their_room_and_no_page_sticks_out(boss, project):
    page = open_report(boss, project)
    for width in (360, 768, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(300)
        scroll, inner = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert scroll <= inner
    box = figure(page, "learning-curve").locator("svg").bounding_box()
    room = figure(page, "learning-curve").locator(".plot-room").bounding_box()
    assert box["width"] == pytest.approx(room["width"], abs=2)


def test_figures_follow_the_readers_light_and_dark_without_being_drawn_again(boss, project):
    page = open_report(boss, project)
    label = figure(page, "ranking-ratio_of_wins").locator("svg .role-axis-label text").first

    def colour():
        return label.evaluate("text => getComputedStyle(text).fill")

    page.emulate_media(color_scheme="light")
    light = colour()
    page.emulate_media(color_scheme="dark")
    dark = colour()
    page.emulate_media(color_scheme="dark", media="print")

    assert light == "rgb(81, 93, 88)"
    assert dark == "rgb(165, 177, 172)"
    assert colour() == light


def test_a_mark_says_what_it_is(boss, project):
    page = open_report(boss, project)
    mark = marks(page, "win-rates", "rect").first
    mark.scroll_into_view_if_needed()
    mark.hover(force=True)

    tooltip = page.locator("#vg-tooltip-element.visible")
    expect(tooltip).to_contain_text("Share of wins")
    assert tooltip.evaluate("element => getComputedStyle(element).position") == "fixed"


def test_it_prints_on_paper(boss, project, tmp_path):
    page = open_report(boss, project)
    page.emulate_media(media="print", color_scheme="dark")

    assert page.locator(".age-tools").is_hidden()
    assert page.locator(".site-header").is_hidden()
    assert page.locator(".paper-only").first.is_visible()
    page.emulate_media(media="screen")
    paper = page.pdf(format="A4")
    assert paper.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) >= 2


def test_figures_are_saved_in_the_colours_of_paper(boss, project, tmp_path):
    page = open_report(boss, project)
    page.emulate_media(color_scheme="dark")
    plot = figure(page, "win-rates")
    for kind, beginning in (("svg", b"<svg"), ("png", b"\x89PNG")):
        with page.expect_download() as download:
            plot.locator(f'[data-save="{kind}"]').click()
        download.value.save_as(tmp_path / f"map.{kind}")
        content = (tmp_path / f"map.{kind}").read_bytes()
        assert content.startswith(beginning)
        assert download.value.suggested_filename == f"win-rates.{kind}"
    drawn = (tmp_path / "map.svg").read_text()
    assert "var(" not in drawn
    assert "#4fa798" in drawn or "#f1f4f2" in drawn
    with page.expect_download() as download:
        plot.get_by_role("link", name="Data").click()
    download.value.save_as(tmp_path / "map.csv")
    assert (tmp_path / "map.csv").read_text().startswith("system,other,wins,losses,ties,")


def test_all_files_come_in_one(boss, project, tmp_path):
    page = open_report(boss, project)
    with page.expect_download() as download:
        page.get_by_role("link", name="The report (JSON)").click()
    download.value.save_as(tmp_path / "report.json")

    assert json.loads((tmp_path / "report.json").read_text())["resamples"] == 1000


def test_the_ranking_is_computed_another_way(boss, project):
    page = open_report(boss, project)
    page.get_by_role("link", name="Expected wins", exact=True).click()

    expect(figure(page, "ranking-expected_wins")).to_have_attribute("data-drawn", "yes")
    expect(page.locator(".methods [aria-current]")).to_have_text("Expected wins")


def test_it_is_refreshed_while_one_looks(boss, project):
    page = open_report(boss, project)
    with page.expect_navigation():
        page.get_by_role("button", name="Refresh").click()

    expect(page.locator("#age")).to_have_attribute("data-waiting", "", timeout=60_000)
    expect(page.locator(".age-status")).to_have_count(0, timeout=60_000)


def test_a_schedule_is_kept(boss, project):
    page = open_report(boss, project)
    with page.expect_navigation():
        page.locator("#every").select_option("day")

    expect(page.locator("#every")).to_have_value("day")
    with page.expect_navigation():
        page.locator("#every").select_option("never")


def test_what_is_disputed_leads_to_its_texts(boss, project):
    page = open_report(boss, project)
    link = page.locator(".texts-table a").first
    words = link.inner_text()
    link.click()

    expect(page.locator("h1")).to_contain_text("Sentence")
    expect(page.locator(".judged:target h2 strong").first).to_be_visible()
    assert (
        page.locator(".judged:target h2")
        .inner_text()
        .replace(" ", "")
        .count(words.replace(" ", ""))
    )


def test_it_is_accessible(visit, project):
    for locale in ("en", "cs"):
        window = sign_in(visit(locale=locale))
        page = open_report(window, project)
        inspector = Inspector(page)
        inspector.look(f"report, {locale}")
        page.locator(".texts-table a").first.click()
        inspector.look(f"sentence, {locale}")
        window.complaints = [line for line in window.complaints if "'url': ''" not in line]
        assert inspector.found == []


def test_without_scripts_the_tables_are_there(visit, project, boss):
    open_report(boss, project)
    plain = sign_in(visit(java_script_enabled=False))
    plain.page.goto(report(plain, project))

    expect(plain.page.locator(".ranking-table")).to_be_visible()
    expect(plain.page.locator("noscript").first).to_be_attached()
    expect(plain.page.locator("[data-save]").first).to_be_hidden()
