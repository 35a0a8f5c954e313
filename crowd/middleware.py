"""Whoever came by a start link may judge in its project, and nothing else."""

from collections.abc import Callable
from typing import Any, Final

from django.contrib.auth import BACKEND_SESSION_KEY
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from crowd.backends import START_LINK

# By the names of their addresses: pages of one project, and those of none.
IN_THE_PROJECT: Final = {
    "judge",
    "skip-sentence",
    "practice",
    "practice-feedback",
    "draft",
    "submission",
    "skip",
    "crowd-done",
}
ANYWHERE: Final = {"start", "sign-out", "set_language"}


class Confining:
    """Sends those away who would leave the project that they came for.

    Anybody who knows the id of a participant can come as that participant: so there must be nothing
    to be had by that but what is judged at the moment.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        # From the session, so that nobody else's request costs a query.
        if request.session.get(BACKEND_SESSION_KEY) != START_LINK:
            return None
        name = request.resolver_match.view_name if request.resolver_match else ""
        project = getattr(request.user, "confined_to", None)
        if project is None or name in ANYWHERE:
            return None
        if name in IN_THE_PROJECT and kwargs.get("project_pk", kwargs.get("pk")) == project:
            return None
        if request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        return redirect("judge", pk=project)
