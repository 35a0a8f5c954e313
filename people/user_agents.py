"""What a browser says of itself, in the words that people know it by."""

# Each of these claims to be all that come after it: the first that fits is meant.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh", "macOS"),
    ("Linux", "Linux"),
)


def browser_and_system(user_agent: str) -> tuple[str, str]:
    """Return the names of both, "" for one that we do not know."""
    return _named(user_agent, BROWSERS), _named(user_agent, SYSTEMS)


def _named(user_agent: str, known: tuple[tuple[str, str], ...]) -> str:
    return next((name for mark, name in known if mark in user_agent), "")
