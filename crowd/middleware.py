"""Participants who came by a start link may judge in its project, and do nothing else."""

from collections.abc import Callable
from typing import Any, Final

from django.contrib.auth import BACKEND_SESSION_KEY
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from crowd.backends import START_LINK

# Names of URLs: those of the participant's project, and those of no project.
PROJECT_PAGES: Final = {
    "judge",
    "skip-sentence",
    "practice",
    "practice-feedback",
    "practise-again",
    "draft",
    "submission",
    "skip",
    "medium",
    "crowd-done",
    "answer-questionnaire",
}
OTHER_PAGES: Final = {"start", "sign-out", "set_language", "help", "privacy"}
# In the session of a browser in which a participant has signed out.
CAME_BY_LINK: Final = "came_by_start_link"


class ProjectOnlyMiddleware:
    """Redirect participants who leave the project of their start link, or look for a sign-in form.

    Anyone who knows a participant's id can sign in as that participant, so their session must give
    access to nothing but the sentence to be judged.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        name = request.resolver_match.view_name if request.resolver_match else ""
        # Read from the session, so that requests of other users cost no query.
        backend = request.session.get(BACKEND_SESSION_KEY)
        if name == "sign-in" and backend is None and request.session.get(CAME_BY_LINK):
            wants_form = request.method != "GET" or "password" in request.GET
            return None if wants_form else redirect("start-again")
        if backend != START_LINK:
            return None
        project = getattr(request.user, "confined_to", None)
        if project is None or name in OTHER_PAGES:
            return None
        if name in PROJECT_PAGES and kwargs.get("project_pk", kwargs.get("pk")) == project:
            return None
        if request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        return redirect("judge", pk=project)
