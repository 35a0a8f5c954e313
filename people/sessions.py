"""The sessions of a user: listed for them, and ended by them."""

from datetime import timedelta
from typing import Final

from django.contrib.auth import SESSION_KEY, update_session_auth_hash
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db.models import QuerySet
from django.http import HttpRequest

from annotation.models import User
from annotation.process import clock
from people.models import SignedIn

# How exactly `SignedIn.seen` is kept: each process writes it once in this time.
SEEN_EVERY: Final = timedelta(minutes=10)
# Text in the User-Agent header, and the name. The first match counts: Edge also says "Chrome".
BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh", "macOS"),
    ("Linux", "Linux"),
)


def sessions_of(request: HttpRequest, user: User) -> list[SignedIn]:
    """Return the user's sessions: this one first, then the latest seen."""
    here = _get_or_record(request, user)
    others = _others(here, user).filter(session__expire_date__gt=clock.now())
    return [here, *others.order_by("-seen", "-pk")]


def record_sign_in(request: HttpRequest, user: User) -> None:
    # `seen` is written with the row, so it need not be updated for a while.
    _is_time_to_update(_get_or_record(request, user).session_id)


def update_last_seen(request: HttpRequest, *, may_record: bool) -> None:
    """Record that the session was used. One query in SEEN_EVERY for each process and session.

    One that is not known yet is recorded only with `may_record`: a form may have ended it.
    """
    session = request.session
    if not (session.accessed and session.session_key and SESSION_KEY in session):
        return
    if _is_time_to_update(str(session.session_key)):
        known = SignedIn.objects.filter(session=session.session_key)
        is_known = known.update(seen=clock.now())
        if may_record and not is_known and isinstance(request.user, User):
            _get_or_record(request, request.user)


def end(user: User, pk: int) -> bool:
    """End this session of the user; return False if there is none."""
    ended, _each = Session.objects.filter(signed_in__user=user, signed_in__pk=pk).delete()
    return bool(ended)


def end_others(request: HttpRequest, user: User) -> int:
    """End all sessions of the user but this one; return how many."""
    others = _others(_get_or_record(request, user), user)
    number = others.count()
    Session.objects.filter(signed_in__in=others).delete()
    return number


def keep_after_new_password(request: HttpRequest, user: User) -> None:
    """Keep this session; the new password has ended all others."""
    update_session_auth_hash(request, user)
    _get_or_record(request, user)


def browser_and_system(user_agent: str) -> tuple[str, str]:
    """Return the names of both, "" if unknown."""
    browser, system = (
        next((name for text, name in known if text in user_agent), "")
        for known in (BROWSERS, SYSTEMS)
    )
    return browser, system


def _get_or_record(request: HttpRequest, user: User) -> SignedIn:
    session = request.session
    if session.session_key is None:
        # Another user was signed in here: this session is new and not stored yet.
        session.create()
    browser, system = browser_and_system(request.headers.get("User-Agent", ""))
    here, _made = SignedIn.objects.get_or_create(
        session_id=session.session_key,
        defaults={"user": user, "browser": browser, "system": system},
    )
    return here


def _others(here: SignedIn, user: User) -> QuerySet[SignedIn]:
    return SignedIn.objects.filter(user=user).exclude(pk=here.pk)


def _is_time_to_update(session_key: str) -> bool:
    return bool(cache.add(f"seen-{session_key}", True, SEEN_EVERY.total_seconds()))
