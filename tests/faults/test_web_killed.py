"""The web is killed while annotators submit: each sentence is stored once, with their ranks."""

import random
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.conftest import ARGUMENTS
from tests.faults.annotators import Annotator, Sheet
from tests.faults.cluster import Cluster
from tests.faults.stored import assert_stored_once, stored
from tests.installation import wait_until

pytestmark = [pytest.mark.postgresql, pytest.mark.redis]
PEOPLE = 6
SENTENCES = 200
KILLED = 8
# Submissions without an answer, at least.
UNANSWERED = 8
# Seconds that the server takes for a submission, about: it is killed within them.
TAKES = 0.04


class Person(Annotator):
    """Sets `under_way` when a submission is sent."""

    under_way = Event()

    def send_once(self, sheet: Sheet) -> int:
        self.under_way.set()
        return super().send_once(sheet)

    def judge_until(self, enough: Event) -> None:
        while not enough.is_set() and (sheet := self.sheet()):
            self.submit(sheet)


def test_every_submission_is_stored_once(cluster: Cluster) -> None:
    project, links = cluster.make_judged(sentences=SENTENCES, people=PEOPLE)
    web = cluster.start_web()
    people = [Person(cluster.address, project, link) for link in links]
    enough = Event()
    with ThreadPoolExecutor(PEOPLE) as pool:
        judging = [pool.submit(person.judge_until, enough) for person in people]
        try:
            for _time in range(KILLED):
                Person.under_way.clear()
                assert Person.under_way.wait(60)
                time.sleep(random.uniform(0, TAKES))
                web.kill()
                web = cluster.start_web()
        finally:
            enough.set()
        for each in judging:
            each.result(120)
    unanswered = sum(person.statuses.count(0) for person in people)
    print(f"{len(stored(cluster))} stored, {unanswered} without an answer")
    assert unanswered >= UNANSWERED
    assert_stored_once(cluster, *people)


@pytest.mark.browser
def test_the_page_waits_for_the_web_and_hands_in_by_itself(cluster: Cluster, chromium: str) -> None:
    project, [link] = cluster.make_judged(sentences=2, people=1)
    web = cluster.start_web()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        page = browser.new_page()
        page.goto(link)
        with page.expect_navigation():
            page.locator("main form button").click()
        page.goto(f"{cluster.address}/projects/{project}/judge/")
        # The first rank of each, by their keys.
        for _card in page.locator(".candidate").all():
            page.keyboard.press("1")
        expect(page.locator("#saving")).to_have_attribute("data-state", "saved")
        web.kill()
        page.keyboard.press("Shift+Enter")
        expect(page.locator("#saving")).to_have_attribute("data-state", "waiting")
        assert stored(cluster) == {}
        with page.expect_navigation(timeout=60_000):
            cluster.start_web()
        browser.close()
    wait_until(lambda: len(stored(cluster)) == 1)
    [placed] = stored(cluster).values()
    assert set(placed.values()) == {1}
