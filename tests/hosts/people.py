"""Annotators who judge through the proxy as the page does, and note all that happens to them.

    python -m tests.hosts.people < ORDERS > EVENTS

The first line of ORDERS is JSON: `server`, `site`, `project`, `sessions` (one of each annotator)
and `think`, the fewest and most seconds that a sentence takes them. Each other line is `rest`,
after which no request is sent until the line `judge`; the event `resting` says that none is under
way.
EVENTS are lines of JSON, one an Event.

What static/annotation/judging/ does on a page is done here: a draft is saved after each change, the
newest again after growing pauses where the server does not answer; a submission is sent again, with
its token, until it is answered.
"""

import asyncio
import json
import random
import re
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import uuid4

from tests.hosts.host import Host
from tests.installation import REPOSITORY
from tests.load.annotators import ADDRESS, FRAME, Annotator, Failed, Figures, found, placements

# Those of sheet.js, in seconds: how long a request may take, and the longest pause between two.
TIMEOUT, MAX_WAIT = 20.0, 60.0
# As long as a browser keeps a connection that nginx does not close.
IDLE = 60.0
DRAFTS = 3
# Seconds after which a person loads a page again that could not be loaded.
LOADED_AGAIN = 5.0
VERSION = re.compile(r'data-version="(\d+)" data-active')
ASSIGNMENT = re.compile(r"/assignments/(\d+)/")


@dataclass(frozen=True)
class Event:
    """What happened to an annotator, `who`, `at` a second of the machine's monotonic clock.

    `kind` is page, draft or submission for a request with its `status` (0 for no answer), `seconds`
    and whether it was sent `again`; message for a `text` of the page; sent for a submission, saved
    and confirmed for what the server acknowledged of an `assignment`; resting where no request is
    under way.
    """

    kind: str
    at: float = field(default_factory=time.monotonic)
    who: int = 0
    status: int = 0
    seconds: float = 0.0
    again: bool = False
    text: str = ""
    assignment: int = 0
    token: str = ""
    choices: dict[str, Any] = field(default_factory=dict)

    @property
    def is_request(self) -> bool:
        return self.kind in ("page", "draft", "submission")

    @property
    def is_good(self) -> bool:
        return self.status in (200, 201)


class Gate:
    """Lets requests through, or keeps all back until people go on."""

    def __init__(self) -> None:
        self._is_open = asyncio.Event()
        self._is_open.set()
        self._under_way = 0

    async def through(self, request: Callable[[], Awaitable[tuple[int, str]]]) -> tuple[int, str]:
        await self._is_open.wait()
        self._under_way += 1
        try:
            return await request()
        finally:
            self._under_way -= 1

    def open(self) -> None:
        self._is_open.set()

    async def close(self) -> None:
        self._is_open.clear()
        while self._under_way:
            await asyncio.sleep(0.05)


class Person:
    """An annotator with the page in a browser."""

    def __init__(self, who: int, session: str, order: Mapping[str, Any], gate: Gate) -> None:
        self.who, self.gate = who, gate
        self.page = f"/projects/{order['project']}/judge/"
        self.think = order["think"]
        self.browser = Annotator(
            80, session, Figures(), server=order["server"], site=order["site"], idle=IDLE
        )

    async def judge(self) -> None:
        """Judge sentence after sentence."""
        # People do not begin all at the same moment.
        await asyncio.sleep(random.uniform(0, self.think[1]))
        sheet = frame = ""
        while True:
            if not sheet:
                sheet = await self.load()
                frame = found(FRAME, sheet)
            sheet = await self.judge_sheet(sheet, frame)

    async def load(self) -> str:
        """Return the page, loaded again where that failed."""
        again = False
        while True:
            status, text = await self.ask("page", "GET", self.page, again=again)
            if status == 200:
                if not FRAME.search(text):
                    raise SystemExit("Nothing is left to judge: make more sentences.")
                return text
            self.say(f"page {status}")
            again = True
            await asyncio.sleep(LOADED_AGAIN)

    async def judge_sheet(self, sheet: str, frame: str) -> str:
        """Place all cards, saving drafts, and submit; return the next sheet, or "" for a page."""
        addresses, choices = dict(ADDRESS.findall(sheet)), placements(sheet)
        draft = Draft(self, addresses["draft"], int(found(VERSION, sheet)))
        saving = asyncio.create_task(draft.save())
        pause = random.uniform(*self.think) / (DRAFTS + 1)
        try:
            for step in range(1, DRAFTS + 1):
                await asyncio.sleep(pause)
                draft.place(dict(islice(choices.items(), -(-len(choices) * step // DRAFTS))))
            await asyncio.sleep(pause)
        finally:
            # A draft under way is given up, because the submission has all of it.
            saving.cancel()
            await asyncio.gather(saving, return_exceptions=True)
        if draft.is_over:
            return ""
        return await self.submit(addresses["submission"], choices, frame)

    async def submit(self, address: str, choices: dict[str, Any], frame: str) -> str:
        """Submit until the server answers; return the next sheet, or "" for a page."""
        token, began, failures = str(uuid4()), time.monotonic(), 0
        body = {"token": token, "choices": choices, "active_seconds": 10.0, "frame": frame}
        assignment = int(found(ASSIGNMENT, address))
        self.note("sent", assignment=assignment, token=token, choices=choices)
        while True:
            status, text = await self.ask("submission", "POST", address, body, again=failures > 0)
            if status == 201:
                waited = time.monotonic() - began
                self.note(
                    "confirmed",
                    assignment=assignment,
                    token=token,
                    choices=choices,
                    seconds=waited,
                )
                return str(json.loads(text)["next"] or "")
            if status in (400, 404, 409):
                self.say(f"submission {status}: {text[:200]}")
                return ""
            self.say("unanswered" if status else "offline")
            await asyncio.sleep(min(2**failures, MAX_WAIT))
            failures += 1

    async def ask(
        self,
        kind: str,
        method: str,
        address: str,
        body: Mapping[str, Any] | None = None,
        *,
        again: bool = False,
    ) -> tuple[int, str]:
        """Return the status of the answer, 0 for none, and its text."""
        return await self.gate.through(lambda: self._ask(kind, method, address, body, again))

    async def _ask(
        self, kind: str, method: str, address: str, body: Mapping[str, Any] | None, again: bool
    ) -> tuple[int, str]:
        began = time.monotonic()
        try:
            status, text = await asyncio.wait_for(
                self.browser.exchange(method, address, body), TIMEOUT
            )
        except (TimeoutError, OSError, EOFError, ValueError, Failed):
            self.browser.close()
            status, text = 0, ""
        except asyncio.CancelledError:
            self.browser.close()
            raise
        self.note(kind, status=status, seconds=time.monotonic() - began, again=again)
        return status, text

    def say(self, text: str) -> None:
        """Note a message that the page shows."""
        self.note("message", text=text)

    def note(self, kind: str, **more: Any) -> None:
        print(json.dumps(asdict(Event(kind, who=self.who, **more))), flush=True)


class Draft:
    """What is placed on a sheet so far, saved after each change."""

    def __init__(self, person: Person, address: str, version: int) -> None:
        self.person, self.address, self.version = person, address, version
        self.is_over = False
        self._choices: dict[str, Any] = {}
        self._unanswered: list[dict[str, Any]] = []
        self._changed = asyncio.Event()

    def place(self, choices: dict[str, Any]) -> None:
        self._choices = choices
        self._changed.set()

    async def save(self) -> None:
        """Save the newest choices whenever they change, and again where that failed."""
        failures, wait = 0, None
        while not self.is_over:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), wait)
            self._changed.clear()
            wait = None
            if not await self._save_once(again=failures > 0):
                wait = min(2**failures, MAX_WAIT)
                failures += 1
            else:
                failures = 0

    async def _save_once(self, *, again: bool) -> bool:
        choices = self._choices
        if choices not in self._unanswered:
            self._unanswered.append(choices)
        body = {"base": self.version, "choices": choices, "active_seconds": 10.0}
        person = self.person
        status, text = await person.ask("draft", "PUT", self.address, body, again=again)
        if status == 200:
            self.version = json.loads(text)["version"]
            self._unanswered = []
            assignment = int(found(ASSIGNMENT, self.address))
            person.note("saved", assignment=assignment, choices=choices)
            return True
        if status == 409 and "version" in (theirs := json.loads(text)):
            stored = {card: place for card, place in theirs["choices"].items() if place}
            if stored not in ([*self._unanswered, choices]):
                person.say(f"conflict: {text[:200]}")
            self.version = theirs["version"]
            if stored != choices:
                self._changed.set()
            return True
        if status in (400, 404, 409):
            person.say(f"draft {status}: {text[:200]}")
            self.is_over = True
            return True
        person.say("unanswered" if status else "offline")
        return False


async def main() -> None:
    reader = asyncio.StreamReader(limit=2**22)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    order = json.loads(await reader.readline())
    gate = Gate()
    people = [Person(who, s, order, gate) for who, s in enumerate(order["sessions"])]
    judging = asyncio.gather(*(person.judge() for person in people))
    judging.add_done_callback(lambda _: reader.feed_eof())
    while line := await reader.readline():
        if line == b"judge\n":
            gate.open()
        else:
            await gate.close()
            print(json.dumps(asdict(Event("resting"))), flush=True)
    judging.cancel()
    await judging


class People:
    """The annotators, as the harness sees them."""

    def __init__(self, host: Host, order: Mapping[str, Any], log: Path) -> None:
        self.events: list[Event] = []
        program = [sys.executable, "-m", "tests.hosts.people"]
        self._process = subprocess.Popen(
            # Of this checkout, not of an image: it is no part of SegRanks.
            host.command(*program, folder=str(REPOSITORY)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log.open("w"),
            text=True,
            start_new_session=True,
        )
        self._log = log
        self._rested = 0
        Thread(target=self._read, daemon=True).start()
        self._write(json.dumps(order))

    def rest(self) -> None:
        """Keep all requests back, and return when none is under way."""
        self._rested += 1
        self._write("rest")
        deadline = time.monotonic() + 3 * TIMEOUT
        while sum(event.kind == "resting" for event in list(self.events)) < self._rested:
            assert time.monotonic() < deadline, self._log.read_text()
            assert self._process.poll() is None, self._log.read_text()
            time.sleep(0.1)

    def go_on(self) -> None:
        self._write("judge")

    def since(self, moment: float) -> list[Event]:
        """Return the events after this second of the monotonic clock."""
        return [event for event in list(self.events) if event.at >= moment]

    def _write(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self.events.append(Event(**json.loads(line)))


if __name__ == "__main__":
    asyncio.run(main())
