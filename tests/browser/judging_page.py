"""Actions of annotators on the judging page."""

from collections.abc import Callable, Iterator

from playwright.sync_api import Locator, Page, expect

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def expect_state(page: Page, name: str) -> None:
    """Wait until the page says that the work is `saved`, `offline`, in `conflict` …"""
    expect(page.locator("#saving")).to_have_attribute("data-state", name)


def expect_next_sentence(page: Page, before: str) -> None:
    expect(page.locator("input[name=assignment]")).not_to_have_value(before)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def press_at(page: Page, key: str, code: str, **modifiers: bool) -> None:
    """Press the key of this place, which types this character on a keyboard of another script."""
    page.evaluate(
        """keys => document.activeElement.dispatchEvent(
          new KeyboardEvent("keydown", {...keys, bubbles: true, cancelable: true}))""",
        {"key": key, "code": code, **modifiers},
    )


def submit_button(page: Page) -> Locator:
    return page.locator("#judgement button[type=submit]")


def choose_in_list(page: Page, card: str, value: str) -> None:
    page.locator(f'input[name="card-{card}"][value="{value}"]').check()


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


def show_segment(page: Page, number: int) -> None:
    """Turn to this segment where the page shows one at a time."""
    pager = page.locator(".segment-pager")
    while pager.is_visible() and (shown := int(pager.locator(".number").inner_text())) != number:
        pager.locator(".next-segment" if shown < number else ".previous-segment").click()


def pieces(page: Page, places: dict[str, str]) -> Iterator[tuple[Locator, Locator]]:
    """Yield each planned candidate on the board with the zone it is to go to."""
    for key, value in places.items():
        show_segment(page, int(key.split("-")[0]))
        piece = page.locator(f'.piece[data-card="{key}"]')
        board = page.locator(".board", has=piece)
        yield piece, board.locator(f'.zone[data-value="{value}"]')


def place_by_click(page: Page, places: dict[str, str]) -> None:
    for piece, zone in pieces(page, places):
        piece.locator(".face").click()
        zone.locator(".put").click()


def place_all(page: Page) -> dict[str, str]:
    """Place every candidate of a new sheet by its key, the cheapest way; return the places."""
    places = plan(page)
    page.locator(".piece").first.wait_for()
    press(page, *("G" if place == "garbage" else place for place in places.values()))
    return places


def assert_light(page: Page, *, has_board: bool) -> None:
    """Assert that a page that was opened with an empty cache asked for little."""
    files: dict[str, int] = page.evaluate(
        "() => Object.fromEntries(['navigation', 'resource'].flatMap(kind =>"
        " performance.getEntriesByType(kind).filter(entry => !entry.name.includes('favicon'))"
        ".map(entry => [entry.name, entry.encodedBodySize])))"
    )
    assert len(files) <= 8
    assert sum(files.values()) <= 90_000, files
    assert any("Sortable" in name for name in files) is has_board


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
    # A card that was placed just now moves to its rank for a moment.
    piece.hover(trial=True)


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
        *,
        last: str = "touchEnd",
    ) -> None:
        """Drag to where the target is once the ranks have opened; the `last` event may cancel."""
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
        self._send(last, None)

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
    submit_button(page).click()
    page.wait_for_function(
        "before => document.readyState === 'complete'"
        " && document.querySelector('input[name=assignment]')?.value !== before",
        arg=before,
    )
    return assignment(page) if page.locator("input[name=assignment]").count() else ""


def hold(page: Page, part: Locator, milliseconds: int) -> None:
    """Put a finger on the part and lift it again, by real touch events."""
    part.evaluate("part => part.scrollIntoView({block: 'center', behavior: 'instant'})")
    session = page.context.new_cdp_session(page)
    x, y = centre(part)
    session.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    )
    page.wait_for_timeout(milliseconds)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
