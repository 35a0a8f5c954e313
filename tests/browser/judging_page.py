"""Handling the judging page as people do."""

from collections.abc import Iterator

from playwright.sync_api import Locator, Page


def segments(page: Page) -> list[Locator]:
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

    def drag(self, start: tuple[float, float], end: tuple[float, float], steps: int = 12) -> None:
        self._send("touchStart", start)
        self._page.wait_for_timeout(50)
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
