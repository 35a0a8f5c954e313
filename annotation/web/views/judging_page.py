"""The page with a sentence to judge, for judging and for practice."""

import json
from datetime import timedelta
from hashlib import blake2b
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language

from annotation.formats.judgement_lines import GARBAGE
from annotation.judging import sheet as sheets
from annotation.judging.annotator import ProjectAnnotator
from annotation.judging.drafts import DraftChoices
from annotation.judging.errors import JudgingError
from annotation.judging.given_errors import given_details
from annotation.judging.practice_tries import failed_practice
from annotation.judging.queue import is_any_left
from annotation.judging.rank_fields import judgement_fields
from annotation.kinds import kind_of
from annotation.models import Assignment, Submission, User
from annotation.process import clock
from annotation.projects.instructions import divided_html_of
from annotation.selectors.annotator_progress import latest_submission, remaining_work, status_of
from annotation.signals import nothing_left_to_judge
from annotation.web.forms.judging import PostedJudgement, reasons_of

# Finished documents that the page lists.
MOST_LISTED = 9
# How long a page says that the sentence before it was submitted.
JUST_SUBMITTED = timedelta(seconds=30)


def questionnaire_first(annotator: ProjectAnnotator, *, back: str) -> HttpResponse | None:
    """Return a redirect to the questionnaire that the annotator answers before they judge, or None.

    `back` is the name of the page from which they came. No query.
    """
    if not annotator.questionnaire_is_due:
        return None
    address = reverse("answer-questionnaire", args=[annotator.project.pk])
    return redirect(f"{address}?next={back}")


def is_practice(assignment: Assignment) -> bool:
    """Return True for practice. No other kind may be visible on a page."""
    return assignment.kind == Assignment.Kind.PRACTICE


def show_sentence(
    request: HttpRequest,
    annotator: ProjectAnnotator,
    assignment: Assignment,
    *,
    posted: PostedJudgement | None = None,
    refusal: JudgingError | None = None,
) -> HttpResponse:
    """Show the assignment as saved, or as `posted` with what is wrong with it."""
    context = _of_sheet(annotator, assignment, posted, refusal) | {
        **_previous(annotator),
        "refusal": refusal,
        "frame": _frame(annotator, assignment),
        "just_skipped": "skipped" in request.GET and request.method == "GET",
        "instructions": instructions_of(assignment),
        "may_skip": not (is_practice(assignment) and annotator.project.share_asked),
        "reasons": reasons_of(annotator.project),
    }
    return render(request, "annotation/judge.html", context, status=400 if refusal else 200)


def next_sheet(
    request: HttpRequest,
    annotator: ProjectAnnotator,
    assignment: Assignment,
    *,
    frame: str,
    submitted: Submission | None,
) -> str | None:
    """Return the parts of the page that belong to this assignment, as HTML.

    It follows what was `submitted`, or a sentence that was skipped. The page with this `frame` puts
    them in the place of those that it has. None where it has to be loaded instead: its frame has
    changed, or practice comes next.
    """
    if is_practice(assignment) or _frame(annotator, assignment) != frame:
        return None
    context = _of_sheet(annotator, assignment)
    if submitted:
        context |= {"previous": submitted.assignment_id, "just_submitted": True}
    else:
        context |= _previous(annotator) | {"just_skipped": True}
    return render_to_string("annotation/judge/_next_sheet.html", context, request)


def _of_sheet(
    annotator: ProjectAnnotator,
    assignment: Assignment,
    posted: PostedJudgement | None = None,
    refusal: JudgingError | None = None,
) -> dict[str, Any]:
    """Return what the templates of the parts that change with the sentence show."""
    practice = is_practice(assignment)
    status = status_of(annotator, count_practice=practice)
    sheet = sheets.sheet(assignment)
    choices = posted.choices if posted else _as_ranks(assignment.draft_choices)
    comments = posted.comments if posted else assignment.draft_comments
    given = given_details(assignment, sheets.cards_of(assignment.pk)) if assignment.given else {}
    # What is given is no draft: nothing is saved before the annotator changes anything.
    saved = assignment.draft_details if assignment.draft_version else given
    details = posted.details if posted else saved
    return {
        "project": annotator.project,
        "progress": status,
        "practice": practice,
        "remaining": None if practice else remaining_work(annotator, assignment, status),
        "assignment": assignment,
        "posted": posted,
        "sheet": sheet,
        "marked_before": assignment.given,
        "given_details": given,
        "document_instructions": _instructions_of_document(assignment),
        "finished": [] if practice else _finished_documents(annotator, assignment),
        "played": json.dumps(assignment.draft_media) if assignment.draft_media else "",
        "segments": judgement_fields(
            sheet, choices, complain=refusal is not None, comments=comments, details=details
        ),
        "first_time": not (status.assignments or status.practised),
    }


def _finished_documents(
    annotator: ProjectAnnotator, assignment: Assignment
) -> list[tuple[int, int]]:
    """Return number and id of the documents that were finished last; none of other kinds.

    No query. Participants of a crowd have no page of them.
    """
    if annotator.user.confined_to or not kind_of(annotator.project).unit.is_document:
        return []
    return annotator.history.finished_before(assignment.pk)[-MOST_LISTED:]


def _frame(annotator: ProjectAnnotator, assignment: Assignment) -> str:
    """Return a text that changes with what the page shows around a sheet, and with its scripts."""
    user, project = annotator.user, annotator.project
    around = (
        settings.VERSION,
        get_language(),
        user.pk,
        user.shown_name,
        project.name,
        project.answer_options,
        project.show_whole_translations,
        sorted(assignment.aids),
        bool(project.media_count),
        assignment.instructions_id,
    )
    return blake2b(repr(around).encode(), digest_size=8).hexdigest()


def _previous(annotator: ProjectAnnotator) -> dict[str, Any]:
    """Return the annotator's latest submission, and whether it has just been submitted."""
    latest = latest_submission(annotator)
    is_new = latest is not None and clock.now() - latest.submitted < JUST_SUBMITTED
    return {"previous": latest and latest.pk, "just_submitted": is_new}


def show_nothing_to_judge(request: HttpRequest, annotator: ProjectAnnotator) -> HttpResponse:
    """Redirect annotators who have finished, or say why there is nothing to judge."""
    status = status_of(annotator)
    answers = nothing_left_to_judge.send(User, user=annotator.user, status=status)
    place = next((path for _receiver, path in answers if path), None)
    if place:
        return redirect(place)
    context = {
        "project": annotator.project,
        "progress": status,
        "failed": failed_practice(annotator.user, annotator.project),
        "waits": is_any_left(annotator.user, annotator.project),
    }
    return render(request, "annotation/nothing_to_judge.html", context)


def refuse(
    request: HttpRequest, annotator: ProjectAnnotator, refusal: Exception, *, status: int
) -> HttpResponse:
    context = {"project": annotator.project, "refusal": refusal}
    return render(request, "annotation/refused.html", context, status=status)


def instructions_of(assignment: Assignment) -> str | None:
    """Return the instructions of the assignment as HTML, None for the built-in ones. Cached."""
    pk = assignment.instructions_id
    return divided_html_of(pk).general if pk else None


def _instructions_of_document(assignment: Assignment) -> str:
    """Return the instructions for the document of the sheet as HTML; "" for none."""
    divided = divided_html_of(pk) if (pk := assignment.instructions_id) else None
    if divided is None or not divided.of_documents:
        return ""
    head = assignment.sentence.copy_of or assignment.sentence
    return divided.of_document(head.document)


def _as_ranks(places: DraftChoices) -> dict[str, int | None]:
    return {key: None if place == GARBAGE else int(place) for key, place in places.items()}
