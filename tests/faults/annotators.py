"""Annotators who judge over HTTP as the page does: a submission without an answer is repeated."""

import random
import re
import time
from dataclasses import dataclass, field
from uuid import uuid4

import requests

from tests.installation import WITHIN

CARD = re.compile(r'name="card-([0-9-]+)" value="([0-9]+)"')
URL = re.compile(r'data-submission-url="([^"]+)"')
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


@dataclass
class Sheet:
    """A sentence as it is shown, and where its candidates are to be placed."""

    url: str
    token: str
    choices: dict[str, int]


@dataclass
class Annotator:
    """An annotator signed in by a link; `statuses` are the answers to submissions, 0 for none."""

    address: str
    project: int
    link: str
    statuses: list[int] = field(default_factory=list)
    submitted: list[Sheet] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._session = requests.Session()
        shown = self._session.get(self.link, timeout=WITHIN)
        [token] = TOKEN.findall(shown.text)[-1:]
        form = {"csrfmiddlewaretoken": token}
        self._session.post(
            self.link, form, headers={"Referer": self.link}, timeout=WITHIN
        ).raise_for_status()

    def get(self, path: str) -> tuple[int, str]:
        """Return the status of a page, 0 for no answer, and the page."""
        try:
            answer = self._session.get(f"{self.address}{path}", timeout=WITHIN)
        except requests.RequestException:
            return 0, ""
        return answer.status_code, answer.text

    def upload(
        self, path: str, files: dict[str, bytes], accept: str, **fields: str
    ) -> tuple[int, str]:
        """Send files with a form; return the status of what it leads to, and its text."""
        answer = self._session.post(
            self.address + path,
            data=fields | {"csrfmiddlewaretoken": str(self._session.cookies["csrftoken"])},
            files=[
                ("files" if "." in name else name, (name, text)) for name, text in files.items()
            ],
            headers={"Accept": accept},
            timeout=WITHIN,
        )
        return answer.status_code, answer.text

    def judging_page(self) -> tuple[int, str]:
        return self.get(f"/projects/{self.project}/judge/")

    def sheet(self) -> Sheet | None:
        """Return the next sheet, with each candidate on some rank; None where nothing is left."""
        deadline = time.monotonic() + WITHIN
        while (page := self.judging_page())[0] != 200:
            assert time.monotonic() < deadline, page
            time.sleep(0.1)
        found = URL.search(page[1])
        if found is None:
            return None
        ranks: dict[str, list[int]] = {}
        for card, rank in CARD.findall(page[1]):
            ranks.setdefault(card, []).append(int(rank))
        choices = {card: random.choice(offered) for card, offered in ranks.items()}
        return Sheet(found[1], str(uuid4()), choices)

    def save_draft(self, sheet: Sheet) -> int:
        """Save the first draft of it once; return the status, 0 for no answer."""
        try:
            return self._session.put(
                self.address + sheet.url.replace("/submission/", "/draft/"),
                json={"base": 0, "choices": sheet.choices, "active_seconds": 1},
                headers={"X-CSRFToken": str(self._session.cookies["csrftoken"])},
                timeout=WITHIN,
            ).status_code
        except requests.RequestException:
            return 0

    def send_once(self, sheet: Sheet) -> int:
        """Submit it once; return the status, 0 for no answer."""
        try:
            status = self._session.post(
                self.address + sheet.url,
                json={"token": sheet.token, "choices": sheet.choices},
                headers={"X-CSRFToken": str(self._session.cookies["csrftoken"])},
                timeout=WITHIN,
            ).status_code
        except requests.RequestException:
            status = 0
        self.statuses.append(status)
        return status

    def submit(self, sheet: Sheet) -> None:
        """Submit it as the page does, again where there is no answer or a server error."""
        deadline = time.monotonic() + WITHIN
        while (status := self.send_once(sheet)) == 0 or status >= 500:
            assert time.monotonic() < deadline, self.statuses
            time.sleep(0.1)
        assert status == 201, (self.statuses, sheet)
        self.submitted.append(sheet)
