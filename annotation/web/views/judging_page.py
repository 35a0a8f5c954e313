"""The page with a sentence to judge, whichever address it is shown at."""

from typing import Any, cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from annotation.judging import completion, submission
from annotation.judging import sheet as showing
from annotation.judging.drafts import GARBAGE, DraftChoices
from annotation.judging.queue import unjudged_sentences
from annotation.judging.rank_fields import judgement_fields
from annotation.models import Assignment, Draft, Skip, User
from annotation.projects.instructions import as_html
from annotation.selectors.annotator_progress import Standing, outlook, standing_of
from annotation.web.forms.judging import PostedJudgement


def who_judges(request: HttpRequest, pk: int) -> tuple[User, Standing]:
    """Return the annotator and how far he is in the project; raise Http404 if he is no member."""
    annotator = cast(User, request.user)
    progress = standing_of(annotator, pk)
    if progress is None or not progress.rights.may_judge:
        raise Http404
    return annotator, progress


def is_practice(assignment: Assignment) -> bool:
    """Tell what of its kind annotators may know: nothing else of it ever reaches a page."""
    return assignment.kind == Assignment.Kind.PRACTICE


def show_sentence(
    request: HttpRequest,
    progress: Standing,
    assignment: Assignment,
    *,
    posted: PostedJudgement | None = None,
    refusal: submission.Refused | None = None,
) -> HttpResponse:
    """Show the assignment as saved, or as `posted` with what is wrong about it."""
    sheet = showing.sheet(assignment)
    # None where nothing was saved yet.
    draft: Draft | None = getattr(assignment, "draft", None)
    choices = posted.choices if posted else _as_choices(draft.choices if draft else {})
    practice = is_practice(assignment)
    annotator = cast(User, request.user)
    context: dict[str, Any] = {
        "project": progress.project,
        "progress": progress,
        "practice": practice,
        "outlook": None
        if practice
        else outlook(
            annotator,
            progress.project,
            open_ones=1,
            size=progress.sentences,
            most=progress.most_left,
        ),
        "assignment": assignment,
        "draft": draft,
        "posted": posted,
        "sheet": sheet,
        "segments": judgement_fields(sheet, choices, complain=refusal is not None),
        "refusal": refusal,
        "instructions": assignment.instructions and as_html(assignment.instructions),
        "first_time": not (progress.judged_by_me or progress.practised),
        "reasons": Skip.Reason.choices,
    }
    return render(request, "annotation/judge.html", context, status=400 if refusal else 200)


def show_nothing_to_judge(
    request: HttpRequest, annotator: User, progress: Standing
) -> HttpResponse:
    """Send him to where it ends for him, or say why there is nothing to judge."""
    place = completion.place_to_go(annotator, progress)
    if place:
        return redirect(place)
    waits = unjudged_sentences(annotator, progress.project).exists()
    context = {"project": progress.project, "progress": progress, "waits": waits}
    return render(request, "annotation/nothing_to_judge.html", context)


def _as_choices(places: DraftChoices) -> dict[str, int | None]:
    return {key: None if place == GARBAGE else int(place) for key, place in places.items()}
