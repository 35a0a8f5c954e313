"""Handling the judging page as people do."""

from collections.abc import Callable, Iterator, Sequence
from secrets import token_hex
from typing import TYPE_CHECKING

from playwright.sync_api import Locator, Page, expect

if TYPE_CHECKING:
    from tests.browser.conftest import Site, Visitor

SOURCE = "the committee which had met for weeks behind closed doors agreed on the new rules"
CANDIDATES = (
    "za zavřenými dveřmi",
    "za uzavřenými dveřmi",
    "zavřenými dveřmi za",
    "za zavřené dveře na týdny",
    "zavřených dveří",
    "dveřmi",
    "za branou",
    "při zavřených dveřích",
    "s dveřmi zavřenými",
    "bez dveří",
)


def add_project(
    site: "Site",
    name: str,
    sizes: Sequence[int],
    *,
    sentences: int = 3,
    target: str = "cs",
    texts: Sequence[str] = CANDIDATES,
) -> str:
    """Make a project whose sentences have segments of so many candidates; return its page."""
    code = f"""
from annotation.models import *
# A module's fixture is made again where another process hands tests of it back.
Project.objects.filter(name={name!r}).update(name={f"{name} {token_hex(4)}"!r})
project = Project.objects.create(name={name!r}, source_language="en", target_language={target!r},
    state="open", intra_rate=0, inter_rate=0)
systems = [System.objects.create(project=project, name=f"system {{i}}") for i in range(10)]
for number in range(1, {sentences} + 1):
    sentence = Sentence.objects.create(
        project=project, number=number, text={SOURCE!r}, tokens={SOURCE!r})
    for at, size in enumerate({tuple(sizes)!r}):
        segment = Segment.objects.create(
            sentence=sentence, token_indices=f"{{3 * at}} {{3 * at + 1}} {{3 * at + 2}}")
        for system, text in zip(systems, {tuple(texts)!r}[:size]):
            candidate = Candidate.objects.create(segment=segment, text=text)
            Projection.objects.create(segment=segment, system=system, candidate=candidate)
print(project.pk)
"""
    made = site.installation.execute(code).strip()
    return f"{site.address}/projects/{made}/judge/"


def join(visitor: "Visitor", url: str) -> None:
    """Sign in as somebody new who judges in that project too, and open it."""
    visitor.sign_in()
    visitor.site.installation.query(
        "Membership.objects.create(role='annotator', user=User.objects.get("
        f"username={visitor.name!r}), project_id={url.split('/')[-3]}).pk"
    )
    visitor.page.goto(url)


def visit_as(visitor: "Visitor", other: "Visitor") -> None:
    """Let this window be another device of the person of the other one."""
    visitor.name = other.name
    visitor.context.add_cookies(other.context.cookies())  # type: ignore[arg-type]


def excuse(visitor: "Visitor", *words: str) -> None:
    """The console reports statuses of answers and failed requests; these were to be expected."""
    visitor.complaints = [
        line for line in visitor.complaints if not any(word in line for word in words)
    ]


def expect_saved(page: Page) -> None:
    expect(page.locator("#saving")).to_have_attribute("data-state", "saved")


def segments(page: Page) -> list[Locator]:
    # A click that leads to the judging page does not wait until it is there.
    page.locator(".segment").first.wait_for()
    return page.locator(".segment").all()


def plan(page: Page) -> dict[str, str]:
    """Return a place for every candidate: all kinds of them, ties and empty ranks among them."""
    places: dict[str, str] = {}
    for number, segment in enumerate(segments(page)):
        keys = [
            str(card.get_attribute("data-card")) for card in segment.locator(".candidate").all()
        ]
        for position, key in enumerate(keys):
            rank = 1 + (position * (number + 2)) % len(keys)
            places[key] = "garbage" if position == 1 else str(rank)
    return places


def pieces(page: Page, places: dict[str, str]) -> Iterator[tuple[Locator, Locator]]:
    """Yield each planned candidate on the board with the zone it is to go to."""
    for key, value in places.items():
        piece = page.locator(f'.piece[data-card="{key}"]')
        board = page.locator(".board", has=piece)
        yield piece, board.locator(f'.zone[data-value="{value}"]')


def place_by_click(page: Page, places: dict[str, str]) -> None:
    for piece, zone in pieces(page, places):
        piece.locator(".face").click()
        zone.locator(".put").click()


def centre(part: Locator) -> tuple[float, float]:
    box = part.bounding_box()
    assert box, f"{part} is not on the screen"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def show_together(page: Page, piece: Locator, zone: Locator) -> None:
    """Scroll until both are on the screen, the bar at the bottom covering neither."""
    lower = max((piece, zone), key=lambda part: centre(part)[1])
    lower.evaluate("part => part.scrollIntoView({block: 'end', behavior: 'instant'})")
    page.mouse.move(5, 5)
    page.evaluate("window.scrollBy({top: 120, behavior: 'instant'})")


def drag(page: Page, piece: Locator, zone: Locator) -> None:
    """Drag with the mouse, as a hand does: in many small steps."""
    show_together(page, piece, zone)
    x, y = centre(piece)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 4, y + 8, steps=4)
    page.mouse.move(*centre(zone), steps=12)
    page.mouse.up()


class Finger:
    """Real touch events, as the browser gets them from a touch screen."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session = page.context.new_cdp_session(page)

    def drag(
        self,
        start: tuple[float, float],
        target: Callable[[], tuple[float, float]],
        steps: int = 12,
    ) -> None:
        """Drag to where the target is once the ranks have opened."""
        self._send("touchStart", start)
        self._page.wait_for_timeout(50)
        self._send("touchMove", (start[0] + 2, start[1] + 12))
        self._page.wait_for_timeout(50)
        end = target()
        for step in range(1, steps + 1):
            share = step / steps
            self._send(
                "touchMove",
                (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share),
            )
            self._page.wait_for_timeout(16)
        self._page.wait_for_timeout(100)
        self._send("touchEnd", None)

    def _send(self, kind: str, point: tuple[float, float] | None) -> None:
        points = [{"x": point[0], "y": point[1]}] if point else []
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def checked(page: Page) -> dict[str, str]:
    """Return what the form would submit: card → value."""
    found: dict[str, str] = page.evaluate(
        "() => Object.fromEntries([...new FormData(document.getElementById('judgement'))]"
        ".filter(([name]) => name.startsWith('card-'))"
        ".map(([name, value]) => [name.slice('card-'.length), value]))"
    )
    return found


def assignment(page: Page) -> str:
    return page.locator("input[name=assignment]").input_value()


def submit(page: Page) -> str:
    """Submit and return the assignment of the page that follows ("" = nothing is left)."""
    before = assignment(page)
    page.get_by_role("button", name="Submit").click()
    page.wait_for_function(
        "before => document.readyState === 'complete'"
        " && document.querySelector('input[name=assignment]')?.value !== before",
        arg=before,
    )
    return assignment(page) if page.locator("input[name=assignment]").count() else ""
