"""Images and audio beside the source: played by keys, counted, and stored with the judgement."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import expect_state, place_all, submit
from tests.browser.site import Site
from tests.media_files import png, wav


@pytest.fixture(scope="module")
def project(site: Site, tmp_path_factory: pytest.TempPathFactory) -> int:
    """A project with a picture and a sound of three seconds beside each of two lines."""
    pk = site.add_project("Media", [3], sentences=2, judges=50)
    folder = tmp_path_factory.mktemp("media")
    for line in (1, 2):
        Path(folder / f"{line}.png").write_bytes(png(64, 36))
        Path(folder / f"{line}.wav").write_bytes(wav(3))
    site.installation.manage("add_media", str(pk), str(folder))
    return pk


def stored(site: Site, name: str) -> Any:
    """Return seconds and starts of what the annotator has submitted, the first sheet first."""
    return site.query(
        "[list(row) for row in MediaPlay.objects.filter(submission__assignment__annotator__"
        f"username={name!r}).order_by('pk').values_list('seconds', 'plays')]"
    )


def test_what_is_played_is_counted_and_stored(visit: Any, site: Site, project: int) -> None:
    jana = visit()
    jana.judge(project)
    page = jana.page
    image, audio = page.locator(".media img"), page.locator(".media audio")
    expect(image).to_have_js_property("naturalWidth", 64)
    expect(audio).to_have_js_property("duration", 3)
    expect(audio).to_have_js_property("paused", True)
    audio.focus()
    page.keyboard.press("Space")
    page.wait_for_function("() => document.querySelector('audio').currentTime > 1")
    page.keyboard.press("Space")
    expect(audio).to_have_js_property("paused", True)
    # Its file comes in ranges, so that it can be played from any place.
    page.evaluate("document.querySelector('audio').currentTime = 2")
    expect(audio).to_have_js_property("currentTime", 2)
    place_all(page)
    expect_state(page, "saved")
    page.reload()
    submit(page)
    [[seconds, starts]] = stored(site, jana.name)
    assert (1 <= seconds < 3, starts) == (True, 1)
    # The next sheet, in the same document, counts its own.
    page.evaluate("document.querySelector('audio').play()")
    page.wait_for_function("() => document.querySelector('audio').currentTime > 0")
    page.evaluate("document.querySelector('audio').pause()")
    expect(page.locator(".media audio")).to_have_js_property("paused", True)
    place_all(page)
    submit(page)
    [first, [more, again]] = stored(site, jana.name)
    assert (first, more < seconds, again) == ([seconds, 1], True, 1)


def test_pages_with_media_are_accessible(inspected: Any, site: Site, project: int) -> None:
    page = inspected.page
    inspected.visitor.judge(project)
    inspected.look("judge")
    inspected.visitor.sign_in("administrator", project)
    page.goto(site.url("settings/media", project))
    inspected.look("media")
    page.goto(site.url("sentences/1", project))
    inspected.look("sentence")
