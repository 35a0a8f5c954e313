"""The list of sentences and the page of a sentence."""

import re

import pytest
from playwright.sync_api import expect

from tests.judged_project import SENTENCES, add_judged_project


@pytest.fixture(scope="module")
def project(site, tmp_path_factory):
    return add_judged_project(site.installation, tmp_path_factory.mktemp("judged"))


def test_filters_apply_at_once_and_stay_on_the_way_to_a_sentence(visit, site, project):
    window = visit()
    window.sign_in("administrator", project)
    page = window.page
    page.goto(site.url("sentences", project))
    rows = page.locator(".sentences-table tbody tr")
    expect(rows).to_have_count(SENTENCES)
    page.locator("select[name=state]").select_option("complete")
    page.wait_for_url(re.compile(r"\?state=complete&sort=number$"))
    page.locator("select[name=sort]").select_option("agreement")
    page.wait_for_url(re.compile("sort=agreement"))
    numbers = [row.get_attribute("data-number") for row in rows.all()]
    rows.first.get_by_role("link").click()
    expect(page.locator(".source mark")).to_have_count(2)
    for number in numbers[1:3]:
        page.locator("a[rel=next]").click()
        page.wait_for_url(re.compile(rf"/sentences/{number}/\?"))
    page.locator("#to-list").click()
    expect(rows).to_have_count(len(numbers))
    assert [row.get_attribute("data-number") for row in rows.all()] == numbers


def test_checked_sentences_are_counted_and_excluded(visit, site, project):
    window = visit()
    window.sign_in("administrator", project)
    page = window.page
    page.goto(site.url("sentences", project))
    page.locator("#check-all").check()
    expect(page.locator("#checked-count")).to_have_text(str(SENTENCES))
    page.locator("#check-all").uncheck()
    page.locator('input[name=number][value="16"]').check()
    page.locator('#checked-bar [value="exclude"]').click()
    row = page.locator('[data-number="16"]')
    expect(row.locator("[data-state=excluded]")).to_be_visible()
    page.locator('input[name=number][value="16"]').check()
    page.locator('#checked-bar [value="include"]').click()
    expect(row.locator("[data-state=excluded]")).to_have_count(0)


def test_without_javascript_a_sentence_is_found_and_excluded(visit, site, project):
    window = visit(java_script_enabled=False)
    window.sign_in("administrator", project)
    page = window.page
    page.goto(site.url("sentences", project))
    page.locator("input[name=q]").fill("house15")
    page.locator("#filters [type=submit]").click()
    expect(page.locator(".sentences-table tbody tr")).to_have_count(1)
    page.locator(".sentences-table tbody th a").click()
    for action in ("exclude", "include"):
        page.locator(f'.manage button[value="{action}"]').click()
    expect(page.locator('.manage button[value="exclude"]')).to_be_visible()


def test_the_pages_of_sentences_are_accessible(inspected, site, project):
    boss, page = inspected.visitor, inspected.page
    boss.sign_in("administrator", project)
    page.goto(site.url("sentences", project))
    page.locator(".more-filters summary").click()
    page.locator("input[name=number]").first.check()
    inspected.look("list of sentences")
    page.goto(site.url("sentences", project) + "?q=nowhere")
    inspected.look("no sentence")
    page.goto(site.url("sentences/1", project))
    page.locator(".judged td button").first.click()
    page.locator(".assign summary").click()
    inspected.look("sentence")
    page.locator(".judged [value=include]").click()
    page.goto(site.url("sentences/1/return", project))
    inspected.look("return to judging")
