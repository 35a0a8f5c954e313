"""The report: its figures are drawn, saved and printed."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import overflow_of, wait_for_report
from tests.judged_project import SYSTEMS, add_judged_project

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
def page(visit, project):
    return open_report(visit(), project)


def open_report(window, project):
    """Open the report and wait until the worker has made it and all figures are drawn."""
    window.sign_in_as_administrator()
    page = window.page
    page.goto(window.site.url("report", project))
    wait_for_report(page)
    expect(page.locator(".headline")).to_be_visible()
    for name in FIGURES:
        expect(figure(page, name)).to_have_attribute("data-drawn", "yes", timeout=30_000)
    unfold(page)
    return page


def unfold(page):
    page.locator("main details").evaluate_all("all => all.forEach(each => { each.open = true; })")


def figure(page, name):
    return page.locator(f'.plot[data-name="{name}"]')


def marks(page, name, kind):
    return page.locator(f'.plot[data-name="{name}"] svg .mark-{kind}.role-mark path')


def test_the_worker_makes_the_report_and_the_browser_draws_its_figures(page):
    count = page.locator("#ranking-ratio_of_wins tbody tr").count()
    assert count == len(SYSTEMS)
    expect(marks(page, "ranking-ratio_of_wins", "symbol")).to_have_count(count)
    # All pairs, both ways.
    expect(marks(page, "win-rates", "rect")).to_have_count(count * (count - 1))
    expect(marks(page, "pairs-of-annotators", "rect")).to_have_count(2)
    points = page.locator("#learning-curve tbody tr").count()
    expect(marks(page, "learning-curve", "symbol")).to_have_count(points)
    mark = marks(page, "win-rates", "rect").first
    mark.scroll_into_view_if_needed()
    mark.hover(force=True)
    tooltip = page.locator("#vg-tooltip-element.visible")
    expect(tooltip).not_to_be_empty()
    assert tooltip.evaluate("element => getComputedStyle(element).position") == "fixed"


@pytest.mark.slow
def test_figures_write_numbers_as_the_reader_does(visit, project):
    page = open_report(visit(locale="cs"), project)
    for name in FIGURES:
        drawn = " ".join(figure(page, name).locator("svg text").all_text_contents())
        assert re.search(r"\d,\d", drawn), name
        assert not re.search(r"\.\d", drawn), name


@pytest.mark.slow
def test_figures_fill_the_screen_and_nothing_overflows(page):
    for width in (360, 768, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(300)
        assert overflow_of(page) == 0
    box = figure(page, "learning-curve").locator("svg").bounding_box()
    room = figure(page, "learning-curve").locator(".plot-room").bounding_box()
    assert box["width"] == pytest.approx(room["width"], abs=2)


@pytest.mark.slow
def test_figures_follow_light_and_dark_without_being_drawn_again(page):
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


@pytest.mark.slow
def test_it_prints_on_paper(page):
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator(".age-tools").is_hidden()
    assert page.locator(".site-header").is_hidden()
    assert page.locator(".paper-only").first.is_visible()
    page.emulate_media(media="screen")
    paper = page.pdf(format="A4")
    assert paper.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) >= 2


def test_figures_are_saved_in_the_colours_of_paper(page, tmp_path):
    page.emulate_media(color_scheme="dark")
    plot = figure(page, "win-rates")
    for kind, beginning in (("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        with page.expect_download() as download:
            plot.locator(f'a[href*=".{kind}"]').click()
        download.value.save_as(tmp_path / f"map.{kind}")
        assert (tmp_path / f"map.{kind}").read_bytes().startswith(beginning)
        assert download.value.suggested_filename.endswith(f"-win-rates.{kind}")
    drawn = (tmp_path / "map.svg").read_text()
    assert "var(" not in drawn
    assert "#4fa798" in drawn


@pytest.mark.slow
def test_another_method_is_drawn(page):
    page.locator(".methods a[href*='expected_wins']").click()
    expect(figure(page, "ranking-expected_wins")).to_have_attribute("data-drawn", "yes")


@pytest.mark.slow
def test_it_is_refreshed_while_it_is_read(page):
    with page.expect_navigation():
        page.locator("#age form[action*=refresh] button").click()
    expect(page.locator(".age-status")).to_have_count(0, timeout=60_000)
    with page.expect_navigation():
        page.locator("#every").select_option("day")
    expect(page.locator("#every")).to_have_value("day")


@pytest.mark.slow
def test_a_disputed_segment_leads_to_its_texts(page):
    link = page.locator("#disputed-segments a").first
    words = link.inner_text().replace(" ", "")
    link.click()
    heading = page.locator(".judged:target h2")
    expect(heading.locator("strong").first).to_be_visible()
    assert words in heading.inner_text().replace(" ", "")


def test_it_is_accessible(inspected, project):
    page = open_report(inspected.visitor, project)
    inspected.look("report")
    page.locator("#disputed-segments a").first.click()
    inspected.look("sentence")


@pytest.mark.slow
def test_without_javascript_the_tables_are_there(visit, project, page):
    plain = visit(java_script_enabled=False)
    plain.sign_in_as_administrator()
    plain.page.goto(plain.site.url("report", project))
    expect(plain.page.locator("#ranking-ratio_of_wins")).to_be_visible()
    expect(plain.page.locator("noscript").first).to_be_attached()
    expect(plain.page.locator(".plot-tools a").first).to_be_visible()
