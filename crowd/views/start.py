"""The start page and the completion page of participants."""

from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_safe

from annotation.models import Project
from annotation.projects.instructions import current_instructions, html_of
from annotation.projects.permissions import LARGEST_ID
from annotation.web.requests import SignedInRequest
from crowd.backends import START_LINK
from crowd.completion import address_at_the_end, has_more, participation
from crowd.middleware import CAME_BY_LINK
from crowd.models import StartLink
from crowd.participants import (
    CannotStart,
    Closed,
    arrive,
    checked_id,
    checked_visit,
    closed,
    find,
    is_open,
)


@never_cache
@require_http_methods(["GET", "POST"])
@sensitive_variables("token", "participant_id", "visit")
def start(request: HttpRequest, token: str) -> HttpResponse:
    """Show information about the study; a post signs the participant in to judge.

    Only a post creates an account: programs that fetch links for a preview do not post.
    """
    links = StartLink.objects.filter(token=token, project__delete_after=None)
    link = links.select_related("project").first()
    if link is None:
        words = _("This link is unknown. Please open the study from your platform again.")
        return render(request, "crowd/cannot_start.html", {"problem": words}, status=404)
    # In the query string of the post, too: the form posts to the URL of its page.
    visit = checked_visit(request.GET.get(link.visit_parameter, ""))
    try:
        participant_id = checked_id(request.GET.get(link.id_parameter, ""))
        if request.method == "GET":
            return _welcome(request, link, participant_id)
        participant = arrive(link=link, participant_id=participant_id, visit=visit)
    except CannotStart as problem:
        context = {"link": link, "problem": problem}
        status = 403 if isinstance(problem, Closed) else 400
        return render(request, "crowd/cannot_start.html", context, status=status)
    login(request, participant.user, backend=START_LINK)
    is_done = participant.completed and not has_more(participant)
    return redirect("crowd-done" if is_done else "judge", pk=link.project_id)


@never_cache
@require_safe
def start_again(request: HttpRequest) -> HttpResponse:
    """Tell participants who have signed out to open their link again, for they have no password."""
    if not request.user.is_authenticated:
        # From now on the sign-in page sends this browser here: see the middleware.
        request.session[CAME_BY_LINK] = True
    return render(request, "crowd/start_again.html")


@never_cache
@login_required
@require_safe
def done(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the completion code and the link back to the platform.

    Always a page: the CSP forbids that a form, as of the last sentence, redirects to another site.
    """
    project = Project(pk=min(pk, LARGEST_ID))
    participant = participation(request.user, project)
    if participant is None or participant.completed is None:
        raise Http404
    address = address_at_the_end(participant)
    more = has_more(participant)
    context = {
        "participant": participant,
        "link": participant.link,
        "address": address,
        "more": more,
        "leaves": bool(address) and not participant.code and not more,
    }
    return render(request, "crowd/done.html", context)


def _welcome(request: HttpRequest, link: StartLink, participant_id: str) -> HttpResponse:
    known = find(link, participant_id)
    if known is None and not is_open(link):
        raise closed()
    instructions = current_instructions(link.project)
    context = {
        "link": link,
        "project": link.project,
        "participant_id": participant_id,
        "known": known,
        "is_done": known and known.completed and not has_more(known),
        "instructions": html_of(instructions.pk, instructions)
        if instructions and instructions.text
        else "",
    }
    return render(request, "crowd/start.html", context)
