"""The page on which people judge."""

from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation import judging
from annotation.assignment import NotAMember, NotOpen, ProjectNotOpen, next_assignment, renew, skip
from annotation.drafts import GARBAGE, DraftChoices
from annotation.forms import PostedJudgement, SkipForm, judgement_fields, read_judgement
from annotation.instructions import as_html
from annotation.models import Assignment, Draft, Project, Skip, User
from annotation.progress import Progress, outlook, progress_of


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def judge(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the next sentence of the project; take its judgements and go on to the next."""
    annotator, progress = _who_judges(request, pk)
    if request.method == "POST":
        return _take(request, annotator, progress)
    assignment = _assignment(annotator, progress.project)
    if assignment is None:
        return _show_nothing_to_judge(request, progress)
    return _show(request, progress, assignment)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def skip_sentence(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask why the open sentence is not judged; give it back and go on to the next."""
    annotator, progress = _who_judges(request, pk)
    if request.method == "POST":
        return _skip(request, annotator, progress)
    assignment = _open_assignment(annotator, progress.project)
    if assignment is None:
        return redirect("judge", pk=pk)
    return _ask_why(request, progress, SkipForm(initial={"skip": assignment.pk}))


def _who_judges(request: HttpRequest, pk: int) -> tuple[User, Progress]:
    annotator = cast(User, request.user)
    progress = next(iter(progress_of(annotator, pk)), None)
    if progress is None or not progress.may_judge:
        raise Http404
    return annotator, progress


def _assignment(annotator: User, project: Project) -> Assignment | None:
    open_one = _open_assignment(annotator, project)
    if open_one:
        renew(open_one)
        return open_one
    try:
        return next_assignment(annotator=annotator, project=project)
    except ProjectNotOpen:
        return None
    except NotAMember:
        raise Http404 from None


def _open_assignment(annotator: User, project: Project) -> Assignment | None:
    """Return it with everything that its page needs, by one query."""
    return (
        Assignment.objects.filter(annotator=annotator, project=project, state=Assignment.State.OPEN)
        .select_related("project", "sentence", "instructions", "draft")
        .first()
    )


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
    except (judging.AlreadySubmitted, judging.Gone) as refusal:
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
    # None where nothing was saved yet; "draft" was selected with the assignment, or is asked for.
    draft: Draft | None = getattr(assignment, "draft", None)
    choices = posted.choices if posted else _as_choices(draft.choices if draft else {})
    annotator = cast(User, request.user)
    context: dict[str, Any] = {
        "project": progress.project,
        "progress": progress,
        "outlook": outlook(annotator, progress.project, open_ones=1),
        "assignment": assignment,
        "draft": draft,
        "posted": posted,
        "sheet": sheet,
        "segments": judgement_fields(sheet, choices, complain=refusal is not None),
        "refusal": refusal,
        "instructions": assignment.instructions and as_html(assignment.instructions),
        "first_time": progress.judged_by_me == 0,
        "reasons": Skip.Reason.choices,
    }
    return render(request, "annotation/judge.html", context, status=400 if refusal else 200)


def _as_choices(places: DraftChoices) -> dict[str, int | None]:
    return {key: None if place == GARBAGE else int(place) for key, place in places.items()}


def _show_again(
    request: HttpRequest,
    annotator: User,
    progress: Progress,
    posted: PostedJudgement,
    refusal: judging.Invalid,
) -> HttpResponse:
    """Show the same sentence with the choices that were made, and what is wrong with them."""
    open_one = _open_assignment(annotator, progress.project)
    if open_one is None or open_one.pk != posted.assignment_id:
        return _refuse(request, progress, refusal, status=400)
    return _show(request, progress, open_one, posted=posted, refusal=refusal)


def _skip(request: HttpRequest, annotator: User, progress: Progress) -> HttpResponse:
    form = SkipForm(request.POST)
    if not form.is_valid():
        return _ask_why(request, progress, form)
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
    return redirect("judge", pk=progress.project.pk)


def _ask_why(request: HttpRequest, progress: Progress, form: SkipForm) -> HttpResponse:
    context = {
        "project": progress.project,
        "form": form,
        "assignment_id": form["skip"].value(),
        "reasons": Skip.Reason.choices,
    }
    status = 400 if form.is_bound else 200
    return render(request, "annotation/skip.html", context, status=status)


def _refuse(
    request: HttpRequest, progress: Progress, refusal: Exception, *, status: int
) -> HttpResponse:
    context = {"project": progress.project, "refusal": refusal}
    return render(request, "annotation/refused.html", context, status=status)


def _show_nothing_to_judge(request: HttpRequest, progress: Progress) -> HttpResponse:
    context = {"project": progress.project, "progress": progress}
    return render(request, "annotation/nothing_to_judge.html", context)
