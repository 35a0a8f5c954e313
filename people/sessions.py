"""Where people are signed in: known to them, and ended by them."""

from datetime import timedelta
from typing import Any, Final

from django.contrib.auth import SESSION_KEY, update_session_auth_hash
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db.models import QuerySet
from django.db.models.signals import post_save
from django.http import HttpRequest
from django.utils import timezone

from annotation.models import User
from people.models import SignedIn
from people.user_agents import browser_and_system

# How exactly it is known when somebody was there last: one write in so long, a process.
SEEN_EVERY: Final = timedelta(minutes=10)


def follow() -> None:
    """Note whoever signs in from now on, and end what a new password ends."""
    user_logged_in.connect(_on_signing_in)
    post_save.connect(_on_new_password, sender=User)


def places(request: HttpRequest, user: User) -> list[SignedIn]:
    """Return where the user is signed in, this browser first, then the latest seen."""
    here = _note(request, user)
    elsewhere = _elsewhere(here, user).filter(session__expire_date__gt=timezone.now())
    return [here, *elsewhere.order_by("-seen", "-pk")]


def update_last_seen(request: HttpRequest) -> None:
    """Note that somebody looks at a page. No query but one in ten minutes, a process.

    Of a session that began before this was noted, that it is there, so that it can be ended.
    """
    session = request.session
    if not (session.accessed and session.session_key and SESSION_KEY in session):
        return
    if _is_time_to_write(str(session.session_key)):
        known = SignedIn.objects.filter(session=session.session_key)
        if not known.update(seen=timezone.now()) and isinstance(request.user, User):
            _note(request, request.user)


def end(user: User, pk: int) -> bool:
    """Sign the user out of this browser; return whether he was signed in there."""
    ended, _each = Session.objects.filter(signed_in__user=user, signed_in__pk=pk).delete()
    return bool(ended)


def end_others(request: HttpRequest, user: User) -> int:
    """Sign the user out of all browsers but this one; return of how many."""
    others = _elsewhere(_note(request, user), user)
    number = others.count()
    Session.objects.filter(signed_in__in=others).delete()
    return number


def go_on_with_new_password(request: HttpRequest, user: User) -> None:
    """Keep this browser signed in after a new password, which has ended all sessions."""
    update_session_auth_hash(request, user)
    _note(request, user)


def _note(request: HttpRequest, user: User) -> SignedIn:
    session = request.session
    if session.session_key is None:
        # Somebody else was signed in here: this session is new and not stored yet.
        session.create()
    browser, system = browser_and_system(request.headers.get("User-Agent", ""))
    here, _made = SignedIn.objects.get_or_create(
        session_id=session.session_key,
        defaults={"user": user, "browser": browser, "system": system},
    )
    return here


def _elsewhere(here: SignedIn, user: User) -> QuerySet[SignedIn]:
    return SignedIn.objects.filter(user=user).exclude(pk=here.pk)


def _is_time_to_write(session_key: str) -> bool:
    return bool(cache.add(f"seen-{session_key}", True, SEEN_EVERY.total_seconds()))


def _on_signing_in(request: HttpRequest, user: User, **_signal: Any) -> None:
    # Seen just now, as is written with it.
    _is_time_to_write(_note(request, user).session_id)


def _on_new_password(instance: User, **_signal: Any) -> None:
    # Django ends them too, but each only when somebody comes with it.
    if instance._password is not None:  # type: ignore[attr-defined]
        Session.objects.filter(signed_in__user=instance).delete()
