"""The page of metrics: plots are drawn, metrics are chosen and uploaded, and tables are saved."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import wait_for_report
from tests.judged_project import SYSTEMS, add_judged_project

ADD_TEXTS = """
from annotation.models import *
from tests.factories import places
project = Project.objects.get(pk={project})
Translation.objects.bulk_create(
    Translation(sentence=sentence, system=system, reference=None if system else 1, text=text,
                tokens=places(text))
    for sentence in project.sentences.all()
    for worse, system in enumerate([None, *project.systems.order_by("name")])
    for text in [" ".join(["dům", "stojí", "blízko", "u", "velké", "řeky"][:6 - worse])])
"""
SCORES = "".join(f"COMET\ten-cs\ttest\t{name}\t{len(name)}\n" for name in SYSTEMS)


@pytest.fixture(scope="module")
def project(site, tmp_path_factory):
    made = add_judged_project(site.installation, tmp_path_factory.mktemp("judged"))
    site.installation.execute(ADD_TEXTS.format(project=made))
    return made


def open_metrics(window, project, query=""):
    """Open the page, and wait until the worker has evaluated the metrics."""
    window.sign_in_as_administrator()
    page = window.page
    page.goto(window.site.url("metrics", project) + query)
    wait_for_report(page)
    expect(page.locator(".headline")).to_be_visible()
    return page


def plot(page, name):
    return page.locator(f'.plot[data-name="scatter-{name}"]')


def test_metrics_are_chosen_plotted_and_saved(visit, project, tmp_path):
    page = open_metrics(visit(), project)
    page.locator("#options summary").click()
    for box in page.locator("#options input[name=metrics]").all():
        box.set_checked(box.get_attribute("value") in ("chrf", "ter"))
    page.locator("#options button[type=submit]").click()
    expect(page.locator(".plot")).to_have_count(2, timeout=60_000)
    expect(plot(page, "ter")).to_have_attribute("data-drawn", "yes")
    points = page.locator('.plot[data-name="scatter-ter"] svg .mark-symbol.role-mark path')
    expect(points).to_have_count(len(SYSTEMS))
    with page.expect_download() as download:
        page.locator(".files summary").click()
        page.locator(".files-table a[href*='system-level.tex']").click()
    download.value.save_as(tmp_path / "table.tex")
    assert "\\begin{tabular}" in (tmp_path / "table.tex").read_text()


def test_scores_are_uploaded_and_removed(visit, project):
    window = visit()
    # A plot may be fetched when the evaluation that had it has just been replaced.
    window.excuse("scatter-11-comet")
    page = open_metrics(window, project)
    page.locator("#imported summary").click()
    file = {"name": "COMET.sys.score", "mimeType": "text/plain", "buffer": SCORES.encode()}
    page.locator("#score-files").set_input_files(file)
    page.locator("#imported form[enctype] button").click()
    expect(plot(page, "11-comet")).to_have_attribute("data-drawn", "yes", timeout=60_000)
    page.locator("#imported-table button").click()
    page.locator("[data-question] button").click()
    expect(plot(page, "11-comet")).to_have_count(0, timeout=60_000)


def test_it_is_accessible(inspected, project):
    page = open_metrics(inspected.visitor, project)
    expect(plot(page, "bleu")).to_have_attribute("data-drawn", "yes")
    for folded in page.locator("main details").all():
        folded.locator("summary").click()
    inspected.look("metrics")
