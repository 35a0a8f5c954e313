"""The page on which annotators judge."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from annotation.judging import submission
from annotation.judging.annotator import ProjectAnnotator
from annotation.judging.assignment import (
    NotAMember,
    ProjectNotOpen,
    assign_next,
    open_assignment,
    skip,
)
from annotation.judging.errors import (
    AlreadySubmitted,
    InvalidJudgement,
    NotAssigned,
    NotAvailable,
)
from annotation.judging.sheet import layout_of
from annotation.kinds import kind_of
from annotation.web.forms.judging import PostedJudgement, SkipForm, read_judgement, reasons_of
from annotation.web.project_views import FORM, annotator_view
from annotation.web.requests import ProjectRequest
from annotation.web.views.judging_page import (
    is_practice,
    questionnaire_first,
    refuse,
    show_nothing_to_judge,
    show_sentence,
)


@annotator_view(FORM)
def judge(request: ProjectRequest, annotator: ProjectAnnotator) -> HttpResponse:
    """Show the next sentence of the project, or store its judgement and go on to the next.

    `?skipped` says that the sentence before was skipped.

    An annotator who has not answered the project's questionnaire does so first.

    A practice sentence that is open or comes first is shown here too; its feedback follows.
    """
    if request.method == "POST":
        return _submit(request, annotator)
    if asked := questionnaire_first(annotator, back="judge"):
        return asked
    try:
        assignment = assign_next(annotator)
    except ProjectNotOpen:
        assignment = None
    except NotAMember:
        raise Http404 from None
    if assignment is None:
        return show_nothing_to_judge(request, annotator)
    return show_sentence(request, annotator, assignment)


@annotator_view(FORM)
def skip_sentence(request: ProjectRequest, annotator: ProjectAnnotator) -> HttpResponse:
    """Ask why the open sentence is skipped, or skip it and go on to the next."""
    assignment = open_assignment(annotator.user, annotator.project)
    practice = assignment is not None and is_practice(assignment)
    if request.method == "POST":
        return _skip(request, annotator, practice=practice)
    if assignment is None:
        return redirect("judge", pk=annotator.project.pk)
    form = SkipForm(initial={"skip": assignment.pk})
    return _ask_for_reason(request, annotator, form, practice=practice)


def _submit(request: HttpRequest, annotator: ProjectAnnotator) -> HttpResponse:
    project = annotator.project
    posted = read_judgement(request.POST, kind_of(project).answer)
    try:
        stored = submission.submit(
            annotator=annotator.user,
            project=project,
            assignment_id=posted.assignment_id,
            token=posted.token,
            choices=posted.checked_choices(),
            comments=posted.comments,
            details=posted.details,
        )
    except NotAssigned as refusal:
        return refuse(request, annotator, refusal, status=403)
    except (AlreadySubmitted, NotAvailable) as refusal:
        return refuse(request, annotator, refusal, status=409)
    except InvalidJudgement as refusal:
        return _show_again(request, annotator, posted, refusal)
    number = stored.submission.assignment_id
    layout = layout_of(number)
    if layout and layout.is_practice:
        return redirect("practice-feedback", pk=project.pk, assignment_pk=number)
    return redirect("judge", pk=project.pk)


def _show_again(
    request: HttpRequest,
    annotator: ProjectAnnotator,
    posted: PostedJudgement,
    refusal: InvalidJudgement,
) -> HttpResponse:
    """Show the same sentence with the choices that were made, and what is wrong with them."""
    open_one = open_assignment(annotator.user, annotator.project)
    if open_one is None or open_one.pk != posted.assignment_id:
        return refuse(request, annotator, refusal, status=400)
    return show_sentence(request, annotator, open_one, posted=posted, refusal=refusal)


def _skip(request: HttpRequest, annotator: ProjectAnnotator, *, practice: bool) -> HttpResponse:
    form = SkipForm(request.POST)
    if not form.is_valid():
        return _ask_for_reason(request, annotator, form, practice=practice)
    project = annotator.project
    try:
        skip(
            annotator=annotator.user,
            project=project,
            assignment_id=form.cleaned_data["skip"],
            reason=form.cleaned_data["reason"],
            comment=form.cleaned_data["comment"],
        )
    except NotAvailable as refusal:
        return refuse(request, annotator, refusal, status=409)
    address = reverse("practice" if practice else "judge", args=[project.pk])
    return redirect(f"{address}?skipped")


def _ask_for_reason(
    request: HttpRequest, annotator: ProjectAnnotator, form: SkipForm, *, practice: bool
) -> HttpResponse:
    context = {
        "project": annotator.project,
        "practice": practice,
        "form": form,
        "assignment_id": form["skip"].value(),
        "reasons": reasons_of(annotator.project),
    }
    status = 400 if form.is_bound else 200
    return render(request, "annotation/skip.html", context, status=status)
