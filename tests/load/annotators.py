"""Annotators without browsers: the page, and for each sentence drafts and a submission, over HTTP.

The answer to a submission has the next sheet, as in a browser.

    python -m tests.load.annotators < ORDER > FIGURES

ORDER is JSON: `port`, `project`, `sessions` (one of each annotator), `seconds`, `think`, the
fewest and most seconds that a sentence takes them ([0, 0] is without pause), and `drafts`, how many
they save of each. FIGURES is JSON:
`seconds` of each request by its kind, `sentences` submitted, `errors` in words with how often, and
`processor`, the seconds of it that this program took. One process, one thread, and no library,
since it shares the machine with what it measures.
"""

import asyncio
import json
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

DRAFTS = 3
# Seconds after which a connection is opened anew: a little later the server closes it, perhaps in
# the very moment in which something is asked.
IDLE = 1.0
CARD = re.compile(r'<fieldset class="[^"]*" data-card="((\d+)-\d+)"')
ADDRESS = re.compile(r'data-(draft|submission|skip)-url="([^"]+)"')
FRAME = re.compile(r'data-frame="([^"]+)"')
TOKEN = re.compile(r'name="token" value="([^"]+)"')
STATUS = re.compile(rb"HTTP/1\.1 (\d+)")
LENGTH = re.compile(rb"\r\nContent-Length: (\d+)", re.IGNORECASE)
COOKIE = re.compile(rb"\r\nSet-Cookie: *([^=]+)=([^;\r]*)", re.IGNORECASE)


class Failed(Exception):
    """A request that was not answered as it should be."""


@dataclass
class Figures:
    """What was measured."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    sentences: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    processor: float = 0.0


class Annotator:
    """A person who is signed in, with one connection, opened anew after each pause of `idle`.

    `server` is where the connection goes, and `site` the name of the site, over HTTPS, if a proxy
    serves it.
    """

    def __init__(
        self,
        port: int,
        session: str,
        figures: Figures,
        *,
        server: str = "127.0.0.1",
        site: str = "",
        idle: float = IDLE,
    ) -> None:
        self.port, self.server, self.idle = port, server, idle
        self.cookies = {"sessionid": session}
        self.figures = figures
        self._who = [f"Host: {site or f'{server}:{port}'}"]
        if site:
            self._who.append(f"Origin: https://{site}")
        # The sheet that is open, "" for none, and what the page says of what is around it.
        self.sheet = self.frame = ""
        self._used = 0.0
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def judge(self, project: int, think: float, drafts: int) -> None:
        """Judge one sentence in so many seconds, and those that the answers take."""
        if not self.sheet:
            self.sheet = await self.ask("page", "GET", f"/projects/{project}/judge/")
            self.frame = found(FRAME, self.sheet)
        sheet, self.sheet = self.sheet, ""
        addresses, token = dict(ADDRESS.findall(sheet)), found(TOKEN, sheet)
        choices = placements(sheet)
        for version in range(drafts):
            await asyncio.sleep(think / (drafts + 1))
            placed = islice(choices.items(), -(-len(choices) * (version + 1) // drafts))
            draft = {"base": version, "choices": dict(placed), "active_seconds": think}
            await self.ask("draft", "PUT", addresses["draft"], draft)
        await asyncio.sleep(think / (drafts + 1))
        judged = {"token": token, "choices": choices, "active_seconds": think, "frame": self.frame}
        answer = await self.ask("submission", "POST", addresses["submission"], judged)
        self.figures.sentences += 1
        self.sheet = json.loads(answer)["next"] or ""

    async def ask(
        self, kind: str, method: str, address: str, body: Mapping[str, Any] | None = None
    ) -> str:
        """Send a request and return the text of its answer. Raises Failed where it is refused."""
        began = time.perf_counter()
        status, text = await self.exchange(method, address, body)
        self.figures.seconds[kind].append(time.perf_counter() - began)
        if status not in (200, 201):
            raise Failed(f"{kind}: {status} {text[:100]}")
        return text

    async def exchange(
        self, method: str, address: str, body: Mapping[str, Any] | None = None
    ) -> tuple[int, str]:
        """Send a request; return the status and the text of its answer.

        Raises Failed where the connection is closed before it.
        """
        content = b"" if body is None else json.dumps(body).encode()
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        lines = [
            f"{method} {address} HTTP/1.1",
            *self._who,
            f"Cookie: {cookies}",
            f"X-CSRFToken: {self.cookies.get('csrftoken', '')}",
            "Content-Type: application/json",
            f"Content-Length: {len(content)}",
        ]
        request = "\r\n".join([*lines, "", ""]).encode() + content
        if self._reader is None or time.perf_counter() - self._used > self.idle:
            self.close()
            # A page is larger than what asyncio reads at once by itself.
            self._reader, self._writer = await asyncio.open_connection(
                self.server, self.port, limit=2**22
            )
        assert self._writer
        self._writer.write(request)
        try:
            head = await self._reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionResetError):
            self.close()
            raise Failed("the connection was closed") from None
        status = STATUS.match(head)
        assert status, head
        for name, value in COOKIE.findall(head):
            self.cookies[name.decode()] = value.decode()
        content = await self._content(head)
        self._used = time.perf_counter()
        return int(status[1]), content.decode()

    async def _content(self, head: bytes) -> bytes:
        assert self._reader
        if length := LENGTH.search(head):
            return await self._reader.readexactly(int(length[1]))
        content = b""
        # In pieces, each with its length before it; the last has none.
        while size := int(await self._reader.readline(), 16):
            content += (await self._reader.readexactly(size + 2))[:-2]
        await self._reader.readline()
        return content

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


def found(pattern: re.Pattern[str], page: str) -> str:
    """Return what the page has there. Raises Failed where nothing is left to judge."""
    match = pattern.search(page)
    if match is None:
        raise Failed("page: nothing to judge")
    return match[1]


def placements(page: str) -> dict[str, int | str]:
    """Return a rank at random, or the garbage bin, for each card of the page."""
    cards = CARD.findall(page)
    sizes = Counter(segment for _key, segment in cards)
    return {
        key: "garbage" if random.random() < 0.05 else random.randint(1, sizes[segment])
        for key, segment in cards
    }


async def campaign(order: Mapping[str, Any]) -> Figures:
    """Let all annotators judge until the time is over; they finish what they have begun."""
    figures = Figures()
    end = time.perf_counter() + order["seconds"]

    async def work(session: str) -> None:
        annotator = Annotator(order["port"], session, figures)
        fewest, most = order["think"]
        # People do not begin all at the same moment.
        await asyncio.sleep(random.uniform(0, most))
        while time.perf_counter() < end:
            try:
                pause = random.uniform(fewest, most)
                await annotator.judge(order["project"], pause, order.get("drafts", DRAFTS))
            except Failed as failure:
                figures.errors[str(failure)] += 1
        annotator.close()

    await asyncio.gather(*map(work, order["sessions"]))
    return figures


async def repeat(order: Mapping[str, Any]) -> Figures:
    """Let all annotators ask for one address, `address`, over and over: what to compare with."""
    figures = Figures()
    end = time.perf_counter() + order["seconds"]

    async def work(session: str) -> None:
        annotator = Annotator(order["port"], session, figures)
        while time.perf_counter() < end:
            await annotator.ask("baseline", "GET", order["address"])
        annotator.close()

    await asyncio.gather(*map(work, order["sessions"]))
    return figures


async def pearmut(order: Mapping[str, Any]) -> Figures:
    """Let the users, `sessions`, of a `campaign` of Pearmut judge by what its page sends."""
    figures = Figures()
    end = time.perf_counter() + order["seconds"]

    async def work(user: str) -> None:
        annotator = Annotator(order["port"], "", figures)
        who = {"campaign_id": order["campaign"], "user_id": user}
        while time.perf_counter() < end:
            item = json.loads(await annotator.ask("page", "POST", "/get-next-item", who))
            if not item.get("payload"):
                figures.errors["no sentence is left"] += 1
                break
            number, texts = item["info"]["item_i"], item["payload"][0]["tgt"]
            scores = {name: {"score": random.randint(0, 100)} for name in texts}
            actions = [{"time": time.time(), "action": "load"}]
            judged = {"item_i": number, "payload": {"annotations": [scores], "actions": actions}}
            await annotator.ask("submission", "POST", "/log-response", who | judged)
            figures.sentences += 1
        annotator.close()

    await asyncio.gather(*map(work, order["sessions"]))
    return figures


def main() -> None:
    order = json.load(sys.stdin)
    task = pearmut if "campaign" in order else repeat if "address" in order else campaign
    figures = asyncio.run(task(order))
    figures.processor = time.process_time()
    json.dump(vars(figures), sys.stdout)


if __name__ == "__main__":
    main()
