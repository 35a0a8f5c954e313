"""Take the screenshots of the documentation: python -m tools.docs.screenshots [FOLDER]

SegRanks runs in a temporary folder with the projects of demo_campaign.py. The images are stored in
docs/images, or in FOLDER.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django
from playwright.sync_api import Browser, Page, sync_playwright

REPOSITORY = Path(__file__).resolve().parents[2]
IMAGES = REPOSITORY / "docs" / "images"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
DESKTOP: dict[str, Any] = {"viewport": {"width": 1120, "height": 720}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
ADMINISTRATOR, ANNOTATOR = "admin", "annotator1"
PLAN = "systems=12&annotators=20&documents=190&lines=2.4&words=60&beside=3&hours=60&pay=20"


@dataclass(frozen=True)
class Screenshot:
    """An image of a page, and the person who is signed in.

    In `path`, {demo} and {documents} stand for the ids of the projects. `prepare` is called on the
    page before. The image has the window or, with `until`, all from its top to that element's end.
    """

    name: str
    who: str
    path: str
    prepare: Callable[[Page], None] | None = None
    until: str = ""
    window: dict[str, Any] | None = None


def wait_for_report(page: Page) -> None:
    page.locator(".headline").wait_for()
    page.locator("[data-waiting=yes]").wait_for(state="detached")
    page.locator('.plot[data-name="ranking-ratio_of_wins"][data-drawn=yes]').wait_for()


def preview_samples(page: Page) -> None:
    """Start a project with the sample files, and show its preview."""
    page.locator("button[formaction$='/sample/']").click()
    page.locator("#files button[name=go-on]").click()
    page.locator("#sentences[aria-busy=false]:not(:has(.working))").wait_for()


SCREENSHOTS = [
    Screenshot("documents-side-by-side", ANNOTATOR, "projects/{documents}/judge/"),
    Screenshot("new-project", ADMINISTRATOR, "projects/new/", preview_samples),
    Screenshot("overview", ADMINISTRATOR, "projects/{demo}/overview/"),
    Screenshot("people", ADMINISTRATOR, "projects/{demo}/people/"),
    Screenshot("invitations", ADMINISTRATOR, "projects/{demo}/invitations/"),
    Screenshot("quality", ADMINISTRATOR, "projects/{demo}/quality/"),
    Screenshot(
        "report",
        ADMINISTRATOR,
        "projects/{demo}/report/",
        wait_for_report,
        until=".plot[data-name='ranking-ratio_of_wins']",
    ),
    Screenshot("export", ADMINISTRATOR, "projects/{demo}/export/"),
    Screenshot("plan", ADMINISTRATOR, f"plan/?kind=contrastive_error_spans&{PLAN}"),
    Screenshot("judging", ANNOTATOR, "projects/{demo}/judge/"),
    Screenshot("judging-phone", ANNOTATOR, "projects/{demo}/judge/", window=PHONE),
]


@contextmanager
def running(folder: Path) -> Iterator[str]:
    """Yield the address of SegRanks with all projects prepared and judged."""
    os.environ |= {"SEGRANKS_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "segranks.settings"}
    for name in ("DATABASE_URL", "CELERY_BROKER_URL"):
        os.environ.pop(name, None)
    django.setup()
    # It has models, which need Django.
    from tools.docs import demo_campaign

    demo_campaign.create(folder)
    command = [sys.executable, "manage.py", "up", "--port", "0"]
    with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            address, waiting = "", {demo_campaign.DEMO, demo_campaign.DOCUMENTS}
            while waiting:
                line = process.stdout.readline()
                if not line:
                    raise RuntimeError("SegRanks ended before the projects were prepared.")
                if line.startswith("SegRanks is at "):
                    address = line.split()[-1]
                waiting -= {name for name in waiting if line.startswith(f"{name} is prepared")}
            demo_campaign.judge()
            yield address
        finally:
            process.terminate()


def sessions() -> dict[str, str]:
    """Return the cookie of a session of each person."""
    from django.test import Client

    from annotation.models import User

    found = {}
    for name in (ADMINISTRATOR, ANNOTATOR):
        client = Client()
        client.force_login(User.objects.get(username=name))
        found[name] = client.cookies["sessionid"].value
    return found


def ids() -> dict[str, int]:
    """Return the ids of the projects by their names in paths."""
    from annotation.models import Project
    from tools.docs import demo_campaign

    projects = {"demo": demo_campaign.DEMO, "documents": demo_campaign.DOCUMENTS}
    return {key: Project.objects.get(name=name).pk for key, name in projects.items()}


def take(browser: Browser, shot: Screenshot, address: str, session: str, path: Path) -> None:
    """Store the screenshot of the page at the address, with the cookie of a session."""
    window = shot.window or DESKTOP
    with browser.new_context(**window, locale="en-GB", color_scheme="light") as context:
        context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
        page = context.new_page()
        page.goto(address)
        if shot.prepare:
            shot.prepare(page)
        if shot.until:
            box = page.locator(shot.until).bounding_box()
            assert box
            height = round(box["y"] + box["height"] + 24)
            page.set_viewport_size({"width": window["viewport"]["width"], "height": height})
        page.wait_for_load_state("networkidle")
        page.screenshot(path=path, animations="disabled", caret="hide")


def main(images: Path) -> None:
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        raise SystemExit("Chromium is missing: run `make chromium`.")
    images.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="segranks-") as folder,
        running(Path(folder)) as address,
    ):
        cookies, projects = sessions(), ids()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=program, args=["--no-sandbox", "--disable-gpu"]
            )
            for shot in SCREENSHOTS:
                page = address + shot.path.format(**projects)
                take(browser, shot, page, cookies[shot.who], images / f"{shot.name}.png")
            browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES)
