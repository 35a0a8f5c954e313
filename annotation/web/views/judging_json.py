"""What the judging page talks to while somebody judges: drafts, submissions, skips.

Every refusal is one sentence under "detail", for the annotator; then nothing is stored.
"""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.judging import drafts
from annotation.judging import submission as judging
from annotation.judging.assignment import NotOpen, NotYours
from annotation.judging.assignment import skip as give_back
from annotation.models import Project, User
from annotation.projects.permissions import LARGEST_ID
from annotation.web import judging_payloads


class Which(NamedTuple):
    """One assignment of the signed-in annotator, by its project and id."""

    annotator: User
    # Whether it is the assignment's project is asked with the assignment, in one query.
    project: Project
    assignment_id: int


Answer = Callable[[HttpRequest, Which], HttpResponse]


def about_an_assignment(method: str) -> Callable[[Answer], Callable[..., HttpResponse]]:
    """Make a view of what answers requests of this method about an assignment."""

    def as_view(answer: Answer) -> Callable[..., HttpResponse]:
        @never_cache
        @require_http_methods([method])
        @wraps(answer)
        def view(request: HttpRequest, project_pk: int, pk: int) -> HttpResponse:
            if not request.user.is_authenticated:
                return refused(_("You are signed out."), HTTPStatus.FORBIDDEN)
            if max(project_pk, pk) > LARGEST_ID:
                return refused(_("This sentence is not open any more."), HTTPStatus.NOT_FOUND)
            which = Which(request.user, Project(pk=project_pk), pk)
            try:
                return answer(request, which)
            except judging_payloads.Unreadable as problem:
                return refused(str(problem), problem.status)
            except judging.Refused as refusal:
                submitted = isinstance(refusal, judging.AlreadySubmitted)
                return refused(str(refusal), _status_of(refusal), submitted=submitted)

        return view

    return as_view


@about_an_assignment("PUT")
def draft(request: HttpRequest, which: Which) -> HttpResponse:
    """Save placements that are not submitted yet, as the version after `base`."""
    fields = judging_payloads.read_draft(request)
    try:
        version = drafts.save_draft(**which._asdict(), **vars(fields))
    except drafts.Conflict as conflict:
        current = conflict.current
        there = {"version": current.version, "choices": current.choices}
        return refused(str(conflict), HTTPStatus.CONFLICT, **there)
    return JsonResponse({"version": version})


@about_an_assignment("POST")
def submission(request: HttpRequest, which: Which) -> HttpResponse:
    """Hand in; the same token again gets the same answer and changes nothing."""
    return _hand_in(judging.submit, request, which)


@about_an_assignment("POST")
def revision(request: HttpRequest, which: Which) -> HttpResponse:
    """Store a revision of what was submitted."""
    return _hand_in(judging.revise, request, which)


@about_an_assignment("POST")
def skip(request: HttpRequest, which: Which) -> HttpResponse:
    """Give the sentence back for a reason."""
    try:
        give_back(**which._asdict(), **vars(judging_payloads.read_skip(request)))
    except NotYours as problem:
        return refused(str(problem), HTTPStatus.NOT_FOUND)
    except NotOpen as problem:
        return refused(str(problem), HTTPStatus.CONFLICT)
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def refused(detail: str, status: int, **more: Any) -> JsonResponse:
    """Return a refusal, with a sentence for the annotator."""
    return JsonResponse({"detail": detail, **more}, status=status)


def _hand_in(
    store: Callable[..., judging.Handed], request: HttpRequest, which: Which
) -> HttpResponse:
    handed = store(**which._asdict(), **vars(judging_payloads.read_submission(request)))
    return JsonResponse({"submission": handed.submission.number}, status=HTTPStatus.CREATED)


def _status_of(refusal: judging.Refused) -> HTTPStatus:
    match refusal:
        case judging.NotYours():
            return HTTPStatus.NOT_FOUND
        case judging.AlreadySubmitted() | judging.Gone():
            return HTTPStatus.CONFLICT
    return HTTPStatus.BAD_REQUEST
