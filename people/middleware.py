"""What is noted of each request."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_only_middleware

from people import sessions


@sync_only_middleware
class Seen:
    """Notes, coarsely, when somebody last looked at a page; what is sent costs nothing more."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.method == "GET":
            sessions.note_seen(request)
        return response
