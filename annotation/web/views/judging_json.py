"""The JSON endpoints of the judging page: drafts, submissions, revisions and skips.

A refusal is JSON with one sentence for the annotator under "detail"; then nothing was stored.
"""

from collections.abc import Callable
from functools import partial, wraps
from http import HTTPStatus
from logging import getLogger
from typing import Any, Final, NamedTuple

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.judging import assignment, drafts
from annotation.judging import submission as judging
from annotation.judging.errors import (
    AlreadySubmitted,
    JudgingError,
    NotAssigned,
    NotAvailable,
)
from annotation.models import Project, Submission, User
from annotation.projects.permissions import LARGEST_ID
from annotation.web.judging_payloads import (
    BadPayload,
    DraftPayload,
    SkipPayload,
    SubmissionPayload,
    read_payload,
)
from annotation.web.project_views import ProjectView, with_rights
from annotation.web.views.judging_page import next_sheet

log = getLogger(__name__)

# The header with the id of the account to which the page belongs.
ANNOTATOR: Final = "X-Annotator"


class AssignmentRef(NamedTuple):
    """An assignment of the signed-in annotator; the services check that all three fit."""

    annotator: User
    project: Project
    assignment_id: int


Endpoint = Callable[[HttpRequest, AssignmentRef], HttpResponse]


def assignment_view(method: str) -> Callable[[Endpoint], ProjectView]:
    """Return a decorator that makes an endpoint for this method a view of an assignment."""

    def decorate(endpoint: Endpoint) -> ProjectView:
        @never_cache
        @require_http_methods([method])
        @wraps(endpoint)
        def view(request: HttpRequest, project_pk: int, pk: int) -> HttpResponse:
            if not request.user.is_authenticated:
                return refused(_("You are signed out."), HTTPStatus.FORBIDDEN)
            # The page may belong to another account, which was signed in before.
            if request.headers.get(ANNOTATOR) not in (None, str(request.user.pk)):
                name = request.user.shown_name
                words = _("%(name)s has signed in in this browser.") % {"name": name}
                return refused(words, HTTPStatus.FORBIDDEN, signed_in=name)
            if max(project_pk, pk) > LARGEST_ID:
                return refused(_("This assignment is not open any more."), HTTPStatus.NOT_FOUND)
            try:
                return endpoint(request, AssignmentRef(request.user, Project(pk=project_pk), pk))
            except BadPayload as problem:
                return refused(str(problem), problem.status)
            except JudgingError as error:
                submitted = isinstance(error, AlreadySubmitted)
                return refused(str(error), _status_of(error), submitted=submitted)

        return with_rights(view, {method: "judge"})

    return decorate


@assignment_view("PUT")
def draft(request: HttpRequest, ref: AssignmentRef) -> HttpResponse:
    """Save placements that are not submitted yet, as the version after `base`."""
    sent = read_payload(request, DraftPayload)
    try:
        version = drafts.save_draft(
            **ref._asdict(),
            base=sent.base,
            choices=sent.choices,
            comments=sent.comments,
            details=sent.details,
            media=sent.media,
            active_seconds=sent.active_seconds,
        )
    except drafts.Conflict as conflict:
        current = conflict.current
        stored = {
            "version": current.version,
            "choices": current.choices,
            "comments": current.comments,
            "details": current.details,
        }
        return refused(str(conflict), HTTPStatus.CONFLICT, **stored)
    return JsonResponse({"version": version})


@assignment_view("POST")
def submission(request: HttpRequest, ref: AssignmentRef) -> HttpResponse:
    """Submit; the same token again gets the same number and changes nothing.

    A page that says what is around its sheet gets the next one, if it need not be loaded for it.
    """
    sent = read_payload(request, SubmissionPayload)
    if not sent.frame:
        return _stored(judging.submit(**ref._asdict(), token=str(sent.token), **vars(sent.given)))
    stored, following = judging.submit_and_assign(
        **ref._asdict(), token=str(sent.token), given=sent.given
    )
    sheet = _sheet(request, lambda: following, frame=sent.frame, submitted=stored.submission)
    return _stored(stored, next=sheet)


@assignment_view("POST")
def revision(request: HttpRequest, ref: AssignmentRef) -> HttpResponse:
    """Store a revision of what was submitted."""
    sent = read_payload(request, SubmissionPayload)
    return _stored(judging.revise(**ref._asdict(), token=str(sent.token), **vars(sent.given)))


@assignment_view("POST")
def skip(request: HttpRequest, ref: AssignmentRef) -> HttpResponse:
    """Return the sentence for a reason; the answer has the next sheet as above."""
    sent = read_payload(request, SkipPayload)
    assignment.skip(**ref._asdict(), reason=sent.reason, comment=sent.comment)
    if not sent.frame:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    after_skip = partial(assignment.assign_after_skip, ref.annotator, ref.project)
    return JsonResponse({"next": _sheet(request, after_skip, frame=sent.frame)})


def refused(detail: str, status: int, **more: Any) -> JsonResponse:
    """Return a refusal, with a sentence for the annotator."""
    return JsonResponse({"detail": detail, **more}, status=status)


def _stored(stored: judging.SubmissionResult, **more: Any) -> JsonResponse:
    number = stored.submission.number
    answer = {"submission": number, **more}
    # Texts of many languages are half as long as escaped ones.
    params = {"ensure_ascii": False}
    return JsonResponse(answer, status=HTTPStatus.CREATED, json_dumps_params=params)


def _sheet(
    request: HttpRequest,
    find: Callable[[], assignment.Following | None],
    *,
    frame: str,
    submitted: Submission | None = None,
) -> str | None:
    """Return the next sheet for a page with this frame, None where the page has to be loaded."""
    try:
        following = find()
        return following and next_sheet(request, *following, frame=frame, submitted=submitted)
    except Exception:
        # What is stored is acknowledged, even if what follows fails.
        log.exception("The next sheet could not be made.")
        return None


def _status_of(error: JudgingError) -> HTTPStatus:
    match error:
        case NotAssigned():
            return HTTPStatus.NOT_FOUND
        case AlreadySubmitted() | NotAvailable():
            return HTTPStatus.CONFLICT
    return HTTPStatus.BAD_REQUEST
