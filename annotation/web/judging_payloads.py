"""What the judging page sends while somebody judges, read from its JSON.

Read by hand: each candidate that is placed sends one, and a serializer takes a fifth of its time.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest
from django.utils.translation import gettext as _

from annotation.judging.drafts import GARBAGE
from annotation.web.forms.judging import ReasonForm

LARGEST_RANK = 10_000
LARGEST_VERSION = 2**31 - 1
MOST_SECONDS = 1e9


class Unreadable(Exception):
    """It is not what such a page sends; the message is for people, `status` for the answer."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class SentDraft:
    """Placements by keys of cards, a rank from 1 or "garbage": the version after `base`."""

    base: int
    choices: dict[str, int | str]
    active_seconds: float


@dataclass(frozen=True)
class SentSubmission:
    """Placements by the keys of cards, None for garbage, under the token of the page."""

    token: str
    choices: dict[str, int | None]
    active_seconds: float | None


@dataclass(frozen=True)
class SentSkip:
    reason: str
    comment: str


def read_draft(request: HttpRequest) -> SentDraft:
    """Return the draft that the request brings. Raises Unreadable."""
    sent = _object(request)
    base: Any = sent.get("base")
    if not _is_whole(base, 0, LARGEST_VERSION):
        raise Unreadable(_("Which version was changed, in base, is missing or no whole number."))
    return SentDraft(int(base), _choices(sent), _seconds(sent.get("active_seconds", 0.0)))


def read_submission(request: HttpRequest) -> SentSubmission:
    """Return what the request hands in. Raises Unreadable."""
    sent = _object(request)
    token, seconds = sent.get("token"), sent.get("active_seconds")
    try:
        token = str(UUID(token))
    except (TypeError, ValueError, AttributeError):
        raise Unreadable(_("The token is none of a judging page.")) from None
    choices = {
        key: None if place == GARBAGE else int(place) for key, place in _choices(sent).items()
    }
    return SentSubmission(token, choices, None if seconds is None else _seconds(seconds))


def read_skip(request: HttpRequest) -> SentSkip:
    """Return why the request gives a sentence back. Raises Unreadable."""
    sent = _object(request)
    reason, comment = sent.get("reason", ""), sent.get("comment", "")
    if not (_is_text(reason) and _is_text(comment)):
        raise Unreadable(_("A reason and a comment are texts."))
    form = ReasonForm({"reason": reason, "comment": comment})
    if not form.is_valid():
        name, problems = next(iter(form.errors.items()))
        raise Unreadable(f"{name}: {problems[0]}")
    return SentSkip(form.cleaned_data["reason"], form.cleaned_data["comment"])


def _object(request: HttpRequest) -> Mapping[str, Any]:
    if request.content_type not in ("application/json", ""):
        raise Unreadable(_("Only JSON is read here."), 415)
    try:
        sent = json.loads(request.body, parse_constant=_no_number)
    except RequestDataTooBig:
        raise Unreadable(_("This is too large to be a judgement."), 413) from None
    except RecursionError:
        raise Unreadable(_("This is nested too deeply to be a judgement.")) from None
    except ValueError:
        raise Unreadable(_("This is no JSON that can be read.")) from None
    if not isinstance(sent, dict):
        raise Unreadable(_("This is no JSON object."))
    return sent


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no JSON.")


def _choices(sent: Mapping[str, Any]) -> dict[str, Any]:
    choices = sent.get("choices")
    if not isinstance(choices, dict) or not all(map(_is_place, choices.values())):
        raise Unreadable(_("A placement is a rank, as a whole number from 1, or the word garbage."))
    return choices


def _is_place(place: object) -> bool:
    return place == GARBAGE or _is_whole(place, 1, LARGEST_RANK)


def _seconds(sent: object) -> float:
    if isinstance(sent, bool) or not isinstance(sent, int | float) or not 0 <= sent <= MOST_SECONDS:
        raise Unreadable(_("The seconds of activity are no number that can be."))
    return float(sent)


def _is_whole(sent: object, least: int, most: int) -> bool:
    return isinstance(sent, int) and not isinstance(sent, bool) and least <= sent <= most


def _is_text(sent: object) -> bool:
    # JSON can have half of a character, which no database takes.
    return isinstance(sent, str) and not any("\ud800" <= each <= "\udfff" for each in sent)
