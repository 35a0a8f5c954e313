"""A project from files to its first sentence, in a browser; and all that may come between."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.annotation.uploads import upload_files as files
from tests.browser.test_accessibility import AXE, RUN

pytestmark = pytest.mark.browser
DEMO = Path(__file__).parents[2] / "operations" / "demo"
PATIENCE = 60_000


@pytest.fixture
def demo():
    """The demo's texts as a zip of other names."""
    systems = {f"systems/{path.name}": path.read_text() for path in DEMO.glob("systems/*.txt")}
    texts = {"source.txt": DEMO / "source.en.txt", "reference.txt": DEMO / "reference.cs.txt"}
    return files.make_zip(systems | {name: path.read_text() for name, path in texts.items()})


@pytest.fixture
def boss(visit, site):
    """Somebody who administers a project, on the page where one makes another."""
    boss = visit()
    boss.sign_in("administrator")
    boss.page.goto(f"{site.address}/")
    boss.page.get_by_role("link", name="New project").click()
    return boss


def choose(page, *chosen):
    """Pick files, (name, content)."""
    page.locator("input[type=file]").set_input_files(
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


def look(page):
    """Return what axe finds wrong, wide and narrow, light and dark."""
    page.evaluate(AXE.read_text())
    found = []
    for size in ({"width": 1280, "height": 900}, {"width": 360, "height": 740}):
        page.set_viewport_size(size)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found += page.evaluate(RUN)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size["width"], f"{page.url} is {wide} wide"
    page.set_viewport_size({"width": 1280, "height": 900})
    return found


def forget_axe(visitor):
    # The console reports the statuses of refused forms, and what axe, without an address, tries.
    expected = ("server responded with a status", "'url': ''")
    visitor.complaints = [
        line for line in visitor.complaints if not any(words in line for words in expected)
    ]


def projects(site, name):
    found: list[str] = site.installation.query(
        f"list(Project.objects.filter(name={name!r}).values_list('state', flat=True))"
    )
    return found


def test_from_a_zip_to_the_first_sentence(boss, site, demo):
    page = boss.page
    assert look(page) == []
    choose(page, ("texts.zip", demo))
    page.wait_for_url(re.compile(r"/projects/new/[\w-]{20,}/$"))
    expect(page.locator("#findings")).to_contain_text("The files fit together: 40 sentences.")
    expect(page.get_by_label("Source language")).to_have_value("en")
    expect(page.get_by_label("Target language")).to_have_value("cs")
    expect(page.locator(".file")).to_have_count(7)
    assert look(page) == []
    page.get_by_label("Name of the project").fill("From the browser")
    page.get_by_text("More settings").click()
    page.get_by_label("Parser").select_option("phrases")
    page.get_by_role("button", name="Go on to the preview").click()
    shown = page.locator(".shown")
    expect(shown).to_have_count(10, timeout=PATIENCE)
    # As annotators see it: boards, and nothing in them can be moved.
    expect(page.locator(".shown .board").first).to_be_visible()
    expect(page.locator(".shown .face").first).to_be_disabled()
    assert look(page) == []
    counts = page.locator("#preview-counts")
    before = counts.text_content()
    page.locator("input[type=range]").last.fill("9")
    expect(counts).not_to_have_text(before or "", timeout=PATIENCE)
    expect(page.get_by_role("spinbutton", name="Longest segment")).to_have_value("9")
    page.locator("input[type=range]").first.fill("4")
    page.get_by_role("button", name="Prepare the project").click()
    page.wait_for_url("**/preparing/")
    expect(page.locator(".ready h2")).to_have_text(
        "The project is prepared and open.", timeout=PATIENCE
    )
    assert look(page) == []
    lengths = site.installation.query(
        "list(Project.objects.filter(name='From the browser')"
        ".values_list('min_length', 'max_length'))"
    )
    assert lengths == [[4, 9]]
    page.get_by_role("link", name="Judge").click()
    expect(page.locator("#judgement .segment").first).to_be_visible()
    forget_axe(boss)


def test_a_broken_upload_tells_everything_and_can_be_mended(boss, site):
    page = boss.page
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
    findings = page.locator("#findings")
    expect(findings).to_contain_text("2 things have to be put right first")
    expect(findings).to_contain_text("north.txt: This file has 3 lines, but source.txt has 2")
    expect(findings).to_contain_text("trees.txt, line 1: The tree has 7 leaves")
    assert look(page) == []
    page.get_by_label("Name of the project").fill("Broken")
    page.get_by_role("button", name="Go on to the preview").click()
    expect(findings).to_contain_text("2 things have to be put right first")
    assert not page.url.endswith("/preview/")
    # What a file is for is changed, and the page says anew what is wrong.
    page.locator(".file", has_text="trees.txt").get_by_role("combobox").select_option("unused")
    expect(findings).to_contain_text("1 thing has to be put right first")
    # A file of the same name takes the place of the broken one, and what was filled in stays.
    drop(page, {"north.txt": files.NORTH})
    expect(findings).to_contain_text("The files fit together: 2 sentences.")
    expect(page.get_by_label("Name of the project")).to_have_value("Broken")
    page.get_by_role("button", name="Remove all of it").click()
    expect(page.locator(".notices")).to_have_text("The files are removed.")
    assert projects(site, "Broken") == []
    forget_axe(boss)


def test_what_is_no_text_is_said_and_not_kept(boss):
    page = boss.page
    choose(page, ("photo.png", b"\x89PNG\0"))
    expect(page.locator(".notices")).to_contain_text("photo.png: This is not a plain text")
    expect(page.locator(".unfinished")).to_have_count(0)


def answer_late(route):
    """Do what is asked, and answer after the page had time to find that it has no project."""
    done = route.fetch(max_redirects=0)
    route.request.frame.page.wait_for_timeout(2500)
    route.fulfill(response=done)


def test_cancelling_ends_the_work_and_leaves_nothing(boss, site):
    page = boss.page
    texts = {name: text * 1500 for name, text in files.TEXTS.items()}
    choose(page, ("texts.zip", files.make_zip(texts)))
    page.get_by_label("Name of the project").fill("Cancelled")
    page.get_by_role("button", name="Go on to the preview").click()
    page.locator(".shown").first.wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="Prepare the project").click()
    page.wait_for_url("**/preparing/", timeout=PATIENCE)
    expect(page.locator("#preparing-heading")).to_have_text(
        re.compile("Step [1-4] of 4"), timeout=PATIENCE
    )
    assert look(page) == []
    page.route("**/cancel/", answer_late)
    page.get_by_role("button", name="Cancel and delete the project").click()
    expect(page.locator(".notices")).to_contain_text("“Cancelled” is cancelled", timeout=PATIENCE)
    assert projects(site, "Cancelled") == []
    left = site.installation.query(
        "[Sentence.objects.filter(project__name='Cancelled').count(),"
        " Job.objects.exclude(state='done').count(), Upload.objects.count()]"
    )
    assert left == [0, 0, 0]
    forget_axe(boss)


def test_ready_made_segments_need_no_preparation(boss, site):
    page = boss.page
    drop(page, {"segments.tsv": files.SEGMENTS, "systems.tsv": files.SYSTEMS})
    page.get_by_label("Name of the project").fill("Ready-made")
    page.get_by_label("Source language").fill("en")
    page.get_by_label("Target language").fill("cs")
    page.get_by_role("button", name="Go on to the preview").click()
    expect(page.locator(".shown")).to_have_count(2)
    assert look(page) == []
    page.get_by_role("button", name="Make the project").click()
    expect(page.locator(".ready h2")).to_have_text("The project is prepared and open.")
    forget_axe(boss)


def test_segments_of_the_source_come_as_a_file(boss, site):
    page = boss.page
    wrong = files.GIVEN.replace("the garden\t3 4", "the garden\t4 5")
    drop(page, {**files.TEXTS, "source.segments": wrong})
    findings = page.locator("#findings")
    expect(findings).to_contain_text("source.segments, line 3:")
    row = page.locator(".file", has_text="source.segments")
    expect(row.get_by_role("combobox")).to_have_value("given")
    assert look(page) == []
    drop(page, {"source.segments": files.GIVEN})
    expect(findings).to_contain_text("The files fit together: 2 sentences.")
    page.get_by_label("Name of the project").fill("Given")
    page.get_by_label("Source language").fill("en")
    page.get_by_label("Target language").fill("cs")
    page.get_by_role("button", name="Go on to the preview").click()
    expect(page.locator(".shown")).to_have_count(2, timeout=PATIENCE)
    expect(page.locator(".shown mark")).to_have_text(["old house", "near the river", "the garden"])
    expect(page.locator("input[type=range]")).to_have_count(0)
    expect(page.locator("#preview-counts")).to_contain_text("which aligns the project too.")
    assert look(page) == []
    page.get_by_role("button", name="Prepare the project").click()
    expect(page.locator(".ready h2")).to_have_text(
        "The project is prepared and open.", timeout=PATIENCE
    )
    forget_axe(boss)


def test_all_of_it_works_without_javascript(visit, site, demo):
    boss = visit(java_script_enabled=False)
    boss.sign_in("administrator")
    page = boss.page
    page.goto(f"{site.address}/projects/new/")
    choose(page, ("texts.zip", demo))
    page.get_by_role("button", name="Send").click()
    page.get_by_label("Name of the project").fill("Plain")
    page.get_by_role("button", name="Go on to the preview").click()
    expect(page.locator(".shown .list").first).to_be_visible(timeout=PATIENCE)
    page.get_by_role("spinbutton", name="Longest segment").fill("8")
    page.get_by_role("button", name="Show these lengths").click()
    expect(page.locator(".shown .list").first).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("spinbutton", name="Longest segment")).to_have_value("8")
    page.get_by_role("button", name="Prepare the project").click()
    expect(page.locator(".ready")).to_be_visible(timeout=PATIENCE)
