"""The practice round: sentences with known answers, and how each was meant."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.judging.assignment import ProjectNotOpen, next_assignment
from annotation.judging.practice import feedback, practised
from annotation.judging.practice_feedback import compared
from annotation.judging.practice_scores import Agreed, agreed_pairs
from annotation.models import User
from annotation.selectors.annotator_progress import Standing
from annotation.web.views.judging_page import is_practice, show_sentence, who_judges


@never_cache
@login_required
@require_safe
def practice(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the next sentence for practice; what was practised, when none is left.

    Whoever has begun another sentence goes on with that one first.
    """
    annotator, progress = who_judges(request, pk)
    try:
        assignment = next_assignment(annotator=annotator, project=progress.project, practise=True)
    except ProjectNotOpen:
        assignment = None
    if assignment is None:
        return _show_what_was_practised(request, annotator, progress)
    if not is_practice(assignment):
        return redirect("judge", pk=pk)
    return show_sentence(request, progress, assignment)


@never_cache
@login_required
@require_safe
def practice_feedback(request: HttpRequest, pk: int, assignment_pk: int) -> HttpResponse:
    """Show how a sentence that the annotator has practised was meant."""
    annotator, progress = who_judges(request, pk)
    assignment = get_object_or_404(practised(annotator, progress.project), pk=assignment_pk)
    result = feedback(assignment)
    context = {
        "project": progress.project,
        "progress": progress,
        "sheet": result.sheet,
        "result": result,
        "segments": [compared(segment) for segment in result.segments],
    }
    return render(request, "annotation/practice_feedback.html", context)


def _show_what_was_practised(
    request: HttpRequest, annotator: User, progress: Standing
) -> HttpResponse:
    done = practised(annotator, progress.project)
    agreed = agreed_pairs(done)
    context = {
        "project": progress.project,
        "progress": progress,
        "done": [(assignment, agreed.get(assignment.pk, Agreed())) for assignment in done],
    }
    return render(request, "annotation/practice_done.html", context)
