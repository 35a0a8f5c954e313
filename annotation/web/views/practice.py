"""The practice round: sentences with gold answers, and feedback after each."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from annotation.judging.annotator import ProjectAnnotator
from annotation.judging.assignment import ProjectNotOpen, assign_next, put_back_untouched
from annotation.judging.practice_comparisons import Agreed
from annotation.judging.practice_results import agreed_pairs, feedback, practised
from annotation.judging.practice_tries import failed_practice, practise_again
from annotation.kinds import kind_of
from annotation.models import Project
from annotation.selectors.annotator_progress import status_of
from annotation.web.project_views import POST, READ, annotator_view
from annotation.web.requests import ProjectRequest
from annotation.web.views.judging_page import (
    is_practice,
    questionnaire_first,
    show_sentence,
)


@annotator_view(READ)
def practice(request: ProjectRequest, annotator: ProjectAnnotator) -> HttpResponse:
    """Show the next practice sentence, or the results when none is left.

    An annotator who has begun another sentence finishes that one first. One that was only shown
    goes back to the queue: as the next sentence is shown after each, practice would never come.
    """
    if asked := questionnaire_first(annotator, back="practice"):
        return asked
    if annotator.history.has_open:
        put_back_untouched(annotator)
    try:
        assignment = assign_next(annotator, practise=True)
    except ProjectNotOpen:
        assignment = None
    if assignment is None:
        return _show_results(request, annotator)
    if not is_practice(assignment):
        if not status_of(annotator).practice_left:
            return _show_results(request, annotator)
        messages.info(request, _("Submit what you have begun, then you can practise."))
        return redirect("judge", pk=annotator.project.pk)
    return show_sentence(request, annotator, assignment)


@annotator_view(READ)
def practice_feedback(
    request: ProjectRequest, annotator: ProjectAnnotator, assignment_pk: int
) -> HttpResponse:
    """Show the annotator's judgement of a practice sentence beside its gold answer."""
    done = practised(annotator.user, annotator.project)
    result = feedback(get_object_or_404(done, pk=assignment_pk))
    context = {
        "project": annotator.project,
        "progress": status_of(annotator),
        "failed": failed_practice(annotator.user, annotator.project),
        "sheet": result.sheet,
        "result": result.score,
        "errors": result.errors,
        "segments": result.segments,
        "reasons_in": result.reasons_language,
    }
    return render(request, "annotation/practice_feedback.html", context)


@annotator_view(POST)
def again(request: ProjectRequest, annotator: ProjectAnnotator) -> HttpResponse:
    """Begin another try at practice, or show again why there is none."""
    if annotator.project.state == Project.State.OPEN:
        practise_again(annotator=annotator.user, project=annotator.project)
    return redirect("practice", pk=annotator.project.pk)


def _show_results(request: HttpRequest, annotator: ProjectAnnotator) -> HttpResponse:
    done = practised(annotator.user, annotator.project)
    answer = kind_of(annotator.project).answer
    scores = agreed_pairs(done, answer)
    counted = answer.practice.counted
    context = {
        "project": annotator.project,
        "progress": status_of(annotator),
        "failed": failed_practice(annotator.user, annotator.project),
        "done": [
            (assignment, score, counted % vars(score) if counted and score.pairs else "")
            for assignment in done
            for score in (scores.get(assignment.pk, Agreed()),)
        ],
    }
    return render(request, "annotation/practice_done.html", context)
