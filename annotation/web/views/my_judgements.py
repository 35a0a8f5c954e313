"""What the annotator has judged, to look at and to revise, and the instructions."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.judging import sheet as sheets
from annotation.judging import submission
from annotation.judging.errors import InvalidJudgement, JudgingError, NotAssigned
from annotation.judging.rank_fields import judgement_fields
from annotation.kinds import kind_of
from annotation.models import Assignment, Project
from annotation.projects.instructions import current_instructions, html_of
from annotation.selectors.my_judgements import count_past, neighbours, past_judgements
from annotation.web.forms.judging import PostedJudgement, read_judgement
from annotation.web.forms.search import SearchForm
from annotation.web.project_views import FORM, READ, project_view
from annotation.web.requests import ProjectRequest
from annotation.web.views.judging_page import instructions_of

SENTENCES_PER_PAGE = 50


@project_view(judge=READ)
def my_judgements(request: ProjectRequest, project: Project) -> HttpResponse:
    """List the sentences that the annotator has submitted, the newest first.

    `?q=` searches them. Those that count no more are marked.
    """
    search = SearchForm(request.GET)
    found = past_judgements(request.user, project, words=search.words)
    pages = Paginator(found, SENTENCES_PER_PAGE)
    # Both counts in one query.
    pages.count, submitted = count_past(request.user, project, words=search.words)
    page = pages.get_page(request.GET.get("page"))
    context = {
        "submitted": submitted,
        "project": project,
        "search": search,
        "query": search.query,
        "way_back": _way_back(request),
        "page": page,
        "numbers": pages.get_elided_page_range(page.number, on_each_side=1, on_ends=1),
        "ellipsis": Paginator.ELLIPSIS,
    }
    return render(request, "annotation/my_judgements.html", context)


@project_view(judge=READ)
def instructions(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show the current instructions of the project."""
    current = current_instructions(project)
    context = {
        "project": project,
        "instructions": html_of(current.pk, current) if current else None,
    }
    return render(request, "annotation/instructions.html", context)


@project_view(judge=FORM)
def revise(request: ProjectRequest, project: Project, assignment_pk: int) -> HttpResponse:
    """Show a submitted sentence as it was judged last; store it as a revision when submitted."""
    assignment = get_object_or_404(
        past_judgements(request.user, project).select_related("project", "sentence"),
        pk=assignment_pk,
        state=Assignment.State.SUBMITTED,
    )
    if request.method == "GET":
        current = PostedJudgement(
            assignment_id=assignment.pk,
            token="",
            choices=sheets.current_ranks(assignment),
            comments=sheets.current_comments(assignment),
            details=sheets.current_details(assignment),
            problem="",
            differences=False,
        )
        return _show_revision(request, project, assignment, current)
    posted = read_judgement(request.POST, kind_of(project).answer)
    try:
        submission.revise(
            annotator=request.user,
            project=project,
            assignment_id=assignment.pk,
            token=posted.token,
            choices=_choices_for(assignment, posted),
            comments=posted.comments,
            details=posted.details,
            differences=posted.differences,
        )
    except NotAssigned:
        raise Http404 from None
    except JudgingError as refusal:
        return _show_revision(request, project, assignment, posted, refusal)
    messages.success(request, _("Changes saved."))
    return redirect(_left_to(request, project))


def _way_back(request: HttpRequest) -> str:
    """Return the query that says where the annotator came from.

    The judging page, or the list: then it has the words of their search, and the page.
    """
    if "judging" in request.GET:
        return "?judging"
    kept = {name: request.GET[name] for name in ("q", "page") if request.GET.get(name)}
    return f"?{urlencode(kept)}" if kept else ""


def _left_to(request: HttpRequest, project: Project) -> str:
    """Return the address of the page that the annotator came from."""
    if "judging" in request.GET:
        return reverse("judge", args=[project.pk])
    return reverse("my-judgements", args=[project.pk]) + _way_back(request)


def _choices_for(assignment: Assignment, posted: PostedJudgement) -> dict[str, int | None]:
    if posted.assignment_id not in (0, assignment.pk):
        raise InvalidJudgement(
            _("This form belongs to another assignment: please reload the page.")
        )
    return posted.checked_choices()


def _show_revision(
    request: HttpRequest,
    project: Project,
    assignment: Assignment,
    answer: PostedJudgement,
    refusal: JudgingError | None = None,
) -> HttpResponse:
    sheet = sheets.sheet(assignment)
    before, after = neighbours(assignment)
    context: dict[str, Any] = {
        "project": project,
        "assignment": assignment,
        "sheet": sheet,
        "segments": judgement_fields(
            sheet,
            answer.choices,
            complain=refusal is not None,
            comments=answer.comments,
            details=answer.details,
        ),
        "before": before,
        "after": after,
        "way_back": _way_back(request),
        "left_to": _left_to(request, project),
        "refusal": refusal,
        "instructions": instructions_of(assignment),
    }
    return render(request, "annotation/revise.html", context, status=400 if refusal else 200)
