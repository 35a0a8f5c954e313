"""Middleware that records when a session was last used."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_only_middleware

from people import sessions


@sync_only_middleware
class LastSeenMiddleware:
    """Record when a signed-in user last loaded a page or sent a form. Drafts cost nothing.

    Annotators may judge for hours without loading a page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.method in ("GET", "POST"):
            sessions.update_last_seen(request, may_record=request.method == "GET")
        return response
