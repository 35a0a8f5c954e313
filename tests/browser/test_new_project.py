"""A new project from uploaded files to its first sentence."""

import re

import pytest
from playwright.sync_api import expect

from tests.annotation.uploads import upload_files as files
from tests.browser.site import NUMBERS
from tests.installation import wait_until

TIMEOUT = 60_000


@pytest.fixture
def boss(inspected, site):
    """The window of an administrator who starts a new project."""
    inspected.visitor.sign_in("administrator")
    inspected.page.goto(f"{site.address}/projects/new/")
    return inspected.page


def choose(page, *chosen):
    """Pick files, (name, content)."""
    page.locator("input[type=file]").first.set_input_files(
        [
            {"name": name, "mimeType": "application/octet-stream", "buffer": content}
            for name, content in chosen
        ]
    )


def drop(page, contents):
    """Drop files onto the page as a hand would."""
    transfer = page.evaluate_handle(
        """contents => {
          const transfer = new DataTransfer();
          for (const [name, text] of Object.entries(contents)) {
            transfer.items.add(new File([text], name, { type: "text/plain" }));
          }
          return transfer;
        }""",
        contents,
    )
    for event in ("dragenter", "dragover", "drop"):
        page.locator(".drop").dispatch_event(event, {"dataTransfer": transfer})


def fill_in(page, name):
    """Fill in the details; return the name, which is made unique."""
    name = f"{name} {next(NUMBERS)}"
    page.locator("#id_name").fill(name)
    page.locator("#id_source_language").select_option("en")
    page.locator("#id_target_language").select_option("cs")
    return name


def preview(page):
    page.locator("#files button[name=go-on]").click()


def prepare(page):
    """Accept the preview and the default settings."""
    page.locator("#lengths button[name=go-on]").click()
    page.locator("button[name=prepare]").click()


def expect_ready(page):
    expect(page.locator(".ready")).to_be_visible(timeout=TIMEOUT)


def expect_files_match(page):
    expect(page.locator("#findings .notice-success")).to_be_visible()


def projects(site, name):
    found: list[list[object]] = site.query(
        f"[list(row) for row in Project.objects.filter(name={name!r})"
        ".values_list('state', 'min_length', 'max_length')]"
    )
    return found


def test_from_a_zip_to_the_first_sentence(boss, inspected, site):
    page = boss
    inspected.look("new project")
    choose(page, ("texts.zip", files.make_zip(files.TEXTS)))
    page.wait_for_url(re.compile(r"/projects/new/[\w-]{20,}/$"))
    expect_files_match(page)
    expect(page.locator(".file")).to_have_count(len(files.TEXTS))
    inspected.look("files")
    name = fill_in(page, "From the browser")
    page.locator("details.more summary").click()
    page.locator("#id_parser").select_option("phrases")
    preview(page)
    expect(page.locator(".shown")).to_have_count(2, timeout=TIMEOUT)
    # As annotators see it: boards, and nothing in them can be moved.
    expect(page.locator(".shown .board").first).to_be_visible()
    expect(page.locator(".shown .face").first).to_be_disabled()
    inspected.look("preview")
    with page.expect_response("**/sentences/**"):
        page.locator("input[type=range]").last.fill("9")
    expect(page.locator("#id_max_length")).to_have_value("9")
    page.locator("input[type=range]").first.fill("2")
    page.locator("#lengths button[name=go-on]").click()
    page.locator("#id_judges_per_sentence").fill("0")
    page.locator("button[name=prepare]").click()
    # The problem is in sight and has the focus.
    expect(page.locator("#problems")).to_be_focused()
    inspected.look("settings")
    page.locator("#id_judges_per_sentence").fill("2")
    page.locator("button[name=prepare]").click()
    page.wait_for_url("**/preparing/")
    expect_ready(page)
    inspected.look("ready")
    assert projects(site, name) == [["closed", 2, 9]]
    page.locator(".ready button[value=open]").click()
    page.goto(page.url.split("settings/")[0] + "judge/")
    expect(page.locator("#judgement .segment").first).to_be_visible()


def test_the_sample_files_lead_to_a_preview(boss, inspected):
    page = boss
    name = f"Sample {next(NUMBERS)}"
    page.locator("#drop-name").fill(name)
    page.locator(".sample button").click()
    expect_files_match(page)
    expect(page.locator("#id_name")).to_have_value(name)
    page.locator("#id_name").fill("")
    page.locator("#id_source_language").select_option("other")
    expect(page.locator("#id_source_language_code")).to_be_visible()
    preview(page)
    expect(page.locator("#findings")).to_be_focused()
    inspected.look("details with mistakes")
    page.locator("#id_name").fill(name)
    page.locator("#id_source_language_code").fill("en")
    preview(page)
    expect(page.locator(".shown:visible")).to_have_count(2, timeout=TIMEOUT)
    page.locator("#more-sentences summary").click()
    expect(page.locator(".shown:visible")).to_have_count(10)
    with page.expect_response("**/sentences/**"):
        page.locator("input[type=range]").last.fill("9")
    # The response has begun; the page still has the former sentences until it is read.
    expect(page.locator("#sentences")).to_have_attribute("aria-busy", "false")
    # What was opened stays open.
    expect(page.locator(".shown:visible")).to_have_count(10)
    # The lengths stay in sight.
    page.locator(".shown").last.scroll_into_view_if_needed()
    expect(page.locator("#id_max_length")).to_be_in_viewport()


def test_wrong_files_are_explained_and_can_be_replaced(boss, inspected, site):
    page = boss
    drop(
        page,
        {
            "source.txt": files.SOURCE,
            "north.txt": files.NORTH + "One line too many .\n",
            "south.txt": files.SOUTH,
            "trees.txt": files.TREES.replace("(NN house)", "", 1),
        },
    )
    page.wait_for_url(re.compile(r"/projects/new/[\w-]{20,}/$"))
    problems = page.locator("#findings .findings-bad li")
    expect(problems).to_have_count(2)
    expect(problems.locator("bdi").first).to_have_text(re.compile("north.txt|trees.txt"))
    inspected.look("problems")
    name = fill_in(page, "Broken")
    preview(page)
    expect(problems).to_have_count(2)
    assert not page.url.endswith("/preview/")
    # The page checks again when the role of a file changes.
    page.locator(".file", has_text="trees.txt").locator("select").select_option("unused")
    expect(problems).to_have_count(1)
    # A file of the same name replaces the wrong one, and what was filled in stays.
    drop(page, {"north.txt": files.NORTH})
    expect_files_match(page)
    expect(page.locator("#id_name")).to_have_value(name)
    page.locator("form.discard button").click()
    page.locator("[data-question] button").click()
    page.wait_for_url("**/projects/new/")
    assert projects(site, name) == []
    choose(page, ("photo.png", b"\x89PNG\0"))
    expect(page.locator(".notices")).to_contain_text("photo.png")
    expect(page.locator(".unfinished")).to_have_count(0)


def test_a_text_in_another_encoding_is_read_by_its_button(boss, inspected):
    page = boss
    north = files.NORTH.encode("cp1250")
    choose(page, ("source.txt", files.SOURCE.encode()), ("north.txt", north))
    page.wait_for_url(re.compile(r"/projects/new/[\w-]{20,}/$"))
    name = fill_in(page, "Encoded")
    button = page.locator("#findings .read-as")
    expect(button).to_have_attribute("name", "read-as")
    # Findings are pale until the server has answered what was filled in.
    expect(page.locator("#findings.is-old")).to_have_count(0)
    inspected.look("encoding")
    button.focus()
    page.keyboard.press("Enter")
    expect_files_match(page)
    # What was entered stays.
    expect(page.locator("#id_name")).to_have_value(name)


@pytest.mark.slow
def test_cancelling_ends_the_work_and_leaves_nothing(visit, site):
    boss = visit()
    boss.sign_in("administrator")
    page = boss.page
    page.goto(f"{site.address}/projects/new/")
    texts = {name: text * 1500 for name, text in files.TEXTS.items()}
    choose(page, ("texts.zip", files.make_zip(texts)))
    name = fill_in(page, "Cancelled")
    preview(page)
    page.locator(".shown").first.wait_for(timeout=TIMEOUT)
    prepare(page)
    page.wait_for_url("**/preparing/", timeout=TIMEOUT)
    page.locator(".stage[data-state=running]").first.wait_for(timeout=TIMEOUT)

    def answer_late(route):
        """Give the page time to find out that the project is gone."""
        done = route.fetch(max_redirects=0)
        page.wait_for_timeout(2500)
        route.fulfill(response=done)

    page.route("**/cancel/", answer_late)
    page.locator("form[action$='/cancel/'] button").click()
    page.locator("[data-question] button").click()
    expect(page.locator(".notices")).to_contain_text(name, timeout=TIMEOUT)
    assert projects(site, name) == []
    # A worker deletes the rows of the project, which is gone at once.
    left = (
        f"[Sentence.objects.filter(project__name={name!r}).count(),"
        f" Job.objects.filter(project__name={name!r}).count()]"
    )
    wait_until(lambda: site.query(left) == [0, 0])


@pytest.mark.slow
def test_kinds_without_boards_have_a_preview(boss, inspected):
    page = boss
    drop(page, files.TEXTS)
    page.wait_for_url(re.compile(r"/projects/new/[\w-]{20,}/$"))
    fill_in(page, "Scores")
    # In a group of kinds that is folded.
    page.locator("input[name=kind][value=direct_assessment_source]").evaluate("one => one.click()")
    preview(page)
    expect(page.locator(".shown .list").first).to_be_visible(timeout=TIMEOUT)
    inspected.look("preview of scores")


@pytest.mark.slow
def test_ready_made_segments_need_no_preparation(boss, inspected):
    page = boss
    drop(page, {"segments.tsv": files.SEGMENTS, "systems.tsv": files.SYSTEMS})
    page.wait_for_url(re.compile(r"/projects/new/[\w-]{20,}/$"))
    fill_in(page, "Ready-made")
    preview(page)
    expect(page.locator(".shown")).to_have_count(2, timeout=TIMEOUT)
    inspected.look("preview")
    prepare(page)
    expect_ready(page)


@pytest.mark.slow
def test_segments_of_the_source_come_as_a_file(boss, inspected):
    page = boss
    wrong = files.GIVEN.replace("the garden\t3 4", "the garden\t4 5")
    drop(page, {**files.TEXTS, "source.segments": wrong})
    expect(page.locator("#findings")).to_contain_text("source.segments")
    row = page.locator(".file", has_text="source.segments")
    expect(row.locator("select")).to_have_value("given")
    drop(page, {"source.segments": files.GIVEN})
    expect_files_match(page)
    fill_in(page, "Given")
    preview(page)
    expect(page.locator(".shown")).to_have_count(2, timeout=TIMEOUT)
    expect(page.locator(".shown mark")).to_have_text(["old house", "near the river", "the garden"])
    expect(page.locator("input[type=range]")).to_have_count(0)
    inspected.look("preview")
    prepare(page)
    expect_ready(page)


@pytest.mark.slow
def test_all_of_it_works_without_javascript(visit, site):
    boss = visit(java_script_enabled=False)
    boss.sign_in("administrator")
    page = boss.page
    page.goto(f"{site.address}/projects/new/")
    choose(page, ("texts.zip", files.make_zip(files.TEXTS)))
    page.locator(".drop noscript button, .drop button[type=submit]").first.click()
    fill_in(page, "Plain")
    preview(page)
    expect(page.locator(".shown .list").first).to_be_visible(timeout=TIMEOUT)
    page.locator("#id_max_length").fill("8")
    page.locator("button[name=show]").click()
    expect(page.locator(".shown .list").first).to_be_visible(timeout=TIMEOUT)
    expect(page.locator("#id_max_length")).to_have_value("8")
    prepare(page)
    expect_ready(page)
