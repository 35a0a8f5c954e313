"""The page on which people judge."""

from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation import judging
from annotation.assignment import NotAMember, ProjectNotOpen, next_assignment
from annotation.forms import PostedJudgement, judgement_fields, read_judgement
from annotation.models import Assignment, Project, User
from annotation.progress import Progress, progress_of


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def judge(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the next sentence of the project; take its judgements and go on to the next."""
    annotator = cast(User, request.user)
    progress = next(iter(progress_of(annotator, pk)), None)
    if progress is None or not progress.may_judge:
        raise Http404
    if request.method == "POST":
        return _take(request, annotator, progress)
    assignment = _assignment(annotator, progress.project)
    if assignment is None:
        return _show_nothing_to_judge(request, progress)
    return _show(request, progress, assignment)


def _assignment(annotator: User, project: Project) -> Assignment | None:
    try:
        return next_assignment(annotator=annotator, project=project)
    except ProjectNotOpen:
        return None
    except NotAMember:
        raise Http404 from None


def _take(request: HttpRequest, annotator: User, progress: Progress) -> HttpResponse:
    posted = read_judgement(request.POST)
    try:
        judging.submit(
            annotator=annotator,
            project=progress.project,
            assignment_id=posted.assignment_id,
            token=posted.token,
            choices=posted.checked_choices(),
        )
    except judging.AlreadySubmitted as refusal:
        return _refuse(request, progress, refusal, status=409)
    except judging.NotYours as refusal:
        return _refuse(request, progress, refusal, status=403)
    except judging.Invalid as refusal:
        return _show_again(request, annotator, progress, posted, refusal)
    return redirect("judge", pk=progress.project.pk)


def _show(
    request: HttpRequest,
    progress: Progress,
    assignment: Assignment,
    *,
    posted: PostedJudgement | None = None,
    refusal: judging.Refused | None = None,
) -> HttpResponse:
    sheet = judging.sheet(assignment)
    choices = posted.choices if posted else {}
    context: dict[str, Any] = {
        "project": progress.project,
        "progress": progress,
        "assignment": assignment,
        "sheet": sheet,
        "segments": judgement_fields(sheet, choices, complain=refusal is not None),
        "refusal": refusal,
        "first_time": progress.judged_by_me == 0,
    }
    return render(request, "annotation/judge.html", context, status=400 if refusal else 200)


def _show_again(
    request: HttpRequest,
    annotator: User,
    progress: Progress,
    posted: PostedJudgement,
    refusal: judging.Invalid,
) -> HttpResponse:
    """Show the same sentence with the choices that were made, and what is wrong with them."""
    open_one = Assignment.objects.filter(
        pk=posted.assignment_id,
        annotator=annotator,
        project=progress.project,
        state=Assignment.State.OPEN,
    ).first()
    if open_one is None:
        return _refuse(request, progress, refusal, status=400)
    return _show(request, progress, open_one, posted=posted, refusal=refusal)


def _refuse(
    request: HttpRequest, progress: Progress, refusal: judging.Refused, *, status: int
) -> HttpResponse:
    context = {"project": progress.project, "refusal": refusal}
    return render(request, "annotation/refused.html", context, status=status)


def _show_nothing_to_judge(request: HttpRequest, progress: Progress) -> HttpResponse:
    context = {"project": progress.project, "progress": progress}
    return render(request, "annotation/nothing_to_judge.html", context)
