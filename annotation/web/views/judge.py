"""The page on which people judge."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.judging import submission
from annotation.judging.assignment import (
    NotAMember,
    NotOpen,
    ProjectNotOpen,
    next_assignment,
    open_assignment,
    skip,
)
from annotation.models import Assignment, Project, Skip, User
from annotation.selectors.annotator_progress import Standing
from annotation.web.forms.judging import PostedJudgement, SkipForm, read_judgement
from annotation.web.views.judging_page import (
    is_practice,
    show_nothing_to_judge,
    show_sentence,
    who_judges,
)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def judge(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the next sentence of the project; take its judgements and go on to the next.

    Where practice is open or comes first, that is for practice, and its feedback follows.
    """
    annotator, progress = who_judges(request, pk)
    if request.method == "POST":
        return _take(request, annotator, progress)
    assignment = _assignment(annotator, progress.project)
    if assignment is None:
        return show_nothing_to_judge(request, annotator, progress)
    return show_sentence(request, progress, assignment)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def skip_sentence(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask why the open sentence is not judged; give it back and go on to the next."""
    annotator, progress = who_judges(request, pk)
    assignment = open_assignment(annotator, progress.project)
    practice = assignment is not None and is_practice(assignment)
    if request.method == "POST":
        return _skip(request, annotator, progress, practice=practice)
    if assignment is None:
        return redirect("judge", pk=pk)
    form = SkipForm(initial={"skip": assignment.pk})
    return _ask_why(request, progress, form, practice=practice)


def _assignment(annotator: User, project: Project) -> Assignment | None:
    try:
        return next_assignment(annotator=annotator, project=project)
    except ProjectNotOpen:
        return None
    except NotAMember:
        raise Http404 from None


def _take(request: HttpRequest, annotator: User, progress: Standing) -> HttpResponse:
    posted = read_judgement(request.POST)
    try:
        handed = submission.submit(
            annotator=annotator,
            project=progress.project,
            assignment_id=posted.assignment_id,
            token=posted.token,
            choices=posted.checked_choices(),
        )
    except (submission.AlreadySubmitted, submission.Gone) as refusal:
        return _refuse(request, progress, refusal, status=409)
    except submission.NotYours as refusal:
        return _refuse(request, progress, refusal, status=403)
    except submission.Invalid as refusal:
        return _show_again(request, annotator, progress, posted, refusal)
    assignment = handed.submission.assignment
    if is_practice(assignment):
        return redirect("practice-feedback", pk=progress.project.pk, assignment_pk=assignment.pk)
    return redirect("judge", pk=progress.project.pk)


def _show_again(
    request: HttpRequest,
    annotator: User,
    progress: Standing,
    posted: PostedJudgement,
    refusal: submission.Invalid,
) -> HttpResponse:
    """Show the same sentence with the choices that were made, and what is wrong with them."""
    open_one = open_assignment(annotator, progress.project)
    if open_one is None or open_one.pk != posted.assignment_id:
        return _refuse(request, progress, refusal, status=400)
    return show_sentence(request, progress, open_one, posted=posted, refusal=refusal)


def _skip(
    request: HttpRequest, annotator: User, progress: Standing, *, practice: bool
) -> HttpResponse:
    form = SkipForm(request.POST)
    if not form.is_valid():
        return _ask_why(request, progress, form, practice=practice)
    try:
        skip(
            annotator=annotator,
            project=progress.project,
            assignment_id=form.cleaned_data["skip"],
            reason=form.cleaned_data["reason"],
            comment=form.cleaned_data["comment"],
        )
    except NotOpen as refusal:
        return _refuse(request, progress, refusal, status=409)
    return redirect("practice" if practice else "judge", pk=progress.project.pk)


def _ask_why(
    request: HttpRequest, progress: Standing, form: SkipForm, *, practice: bool
) -> HttpResponse:
    context = {
        "project": progress.project,
        "practice": practice,
        "form": form,
        "assignment_id": form["skip"].value(),
        "reasons": Skip.Reason.choices,
    }
    status = 400 if form.is_bound else 200
    return render(request, "annotation/skip.html", context, status=status)


def _refuse(
    request: HttpRequest, progress: Standing, refusal: Exception, *, status: int
) -> HttpResponse:
    context = {"project": progress.project, "refusal": refusal}
    return render(request, "annotation/refused.html", context, status=status)
