"""The questionnaire of a project: administrators write it, annotators answer it."""

from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.judging.annotator import ProjectAnnotator
from annotation.models import Project
from annotation.web.downloads import attachment
from annotation.web.project_views import FORM, READ, annotator_view, project_view
from annotation.web.requests import ProjectRequest
from people import questionnaires
from people.models import Questionnaire
from people.questionnaire_forms import (
    PREFIX,
    AnswerForm,
    ConsentForm,
    Questions,
    as_initial,
    posted_initial,
)
from people.questionnaires import MOST_QUESTIONS, NewQuestion

# Where an annotator goes on after answering.
NEXT: Final = ("judge", "practice")


@project_view(administer=FORM)
def questionnaire(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show the editor; a post saves a new version, previews it, or adds a question to the form.

    `?version=` loads an earlier version into the editor.
    """
    if request.method == "GET":
        return _show_editor(request, project)
    if "add" in request.POST:
        return _add_question(request, project)
    consent, questions = ConsentForm(request.POST), Questions(request.POST, prefix=PREFIX)
    if not (consent.is_valid() and questions.is_valid()):
        return _show_editor(request, project, consent, questions, status=400)
    asked = questions.questions()
    if "preview" in request.POST:
        shown = _unsaved(project, consent.cleaned_data["consent"], asked)
        return _show_editor(request, project, consent, questions, preview=shown)
    saved = questionnaires.write_questionnaire(
        project=project, author=request.user, questions=asked, **consent.cleaned_data
    )
    if saved is None:
        messages.info(request, _("The questionnaire has not changed."))
    elif saved.consent or asked:
        messages.success(request, _("Questionnaire saved. Annotators see it before they judge."))
    else:
        messages.success(request, _("The questionnaire is off. Earlier answers are kept."))
    return redirect("questionnaire", pk=project.pk)


@project_view(administer=READ)
def answers(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show the latest answers of every person."""
    table = questionnaires.answer_table(project)
    context = {"project": project, "table": table}
    return render(request, "people/questionnaire_answers.html", context)


@project_view(administer=READ)
def answers_file(request: ProjectRequest, project: Project) -> HttpResponseBase:
    """Send the latest answers of every person as CSV."""
    lines = questionnaires.answers_csv(questionnaires.answer_table(project))
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = attachment(project, "-questionnaire.csv")
    return response


@annotator_view(FORM)
def answer(request: ProjectRequest, annotator: ProjectAnnotator) -> HttpResponse:
    """Show an annotator the questionnaire of the project; a post stores the answers.

    Participants of a crowd, as whom others could sign in, cannot look at their answers again.
    """
    user, project, membership = annotator.user, annotator.project, annotator.membership
    is_due = membership.questionnaire_is_due
    asked = questionnaires.current_questionnaire(project)
    if asked is None:
        if is_due:
            questionnaires.mark_answered(membership)
        return _go_on(request, project)
    if user.confined_to is not None and not is_due:
        return _go_on(request, project)
    earlier = None if user.confined_to else questionnaires.response_of(user, project)
    given = {one.question.text: one.value for one in earlier.answers.all()} if earlier else None
    form = AnswerForm(
        request.POST if request.method == "POST" else None,
        questionnaire=asked,
        given=given,
        agreed=not is_due,
    )
    # The administrator may have saved another version since the page was loaded.
    is_current = request.POST.get("version") == str(asked.version)
    if request.method == "POST" and is_current and form.is_valid():
        questionnaires.store_response(user=user, questionnaire=asked, values=form.values())
        if not is_due:
            messages.success(request, _("Answers saved."))
        return _go_on(request, project)
    status = 200
    if request.method == "POST":
        status = 400 if is_current else 409
    context = {
        "project": project,
        "questionnaire": asked,
        "consent": questionnaires.consent_html(asked),
        "form": form,
        "has_changed": status == 409,
        "is_due": is_due,
        "next": _next(request),
    }
    return render(request, "people/answer_questionnaire.html", context, status=status)


def _next(request: HttpRequest) -> str:
    wanted = request.POST.get("next") or request.GET.get("next", "")
    return wanted if wanted in NEXT else NEXT[0]


def _go_on(request: HttpRequest, project: Project) -> HttpResponse:
    return redirect(_next(request), pk=project.pk)


def _add_question(request: HttpRequest, project: Project) -> HttpResponse:
    """Show the form with one more question, empty or a preset; nothing is saved."""
    typed = posted_initial(request.POST)
    preset = questionnaires.presets().get(request.POST["add"])
    full = len(typed) >= MOST_QUESTIONS
    if not full:
        typed += as_initial([preset]) if preset else [{}]
    consent = ConsentForm(
        initial={
            "consent": request.POST.get("consent", "")[: questionnaires.LONGEST_CONSENT],
            "ask_again": "ask_again" in request.POST,
        }
    )
    return _show_editor(
        request,
        project,
        consent,
        Questions(initial=typed, prefix=PREFIX),
        added=not full,
        full=full,
    )


def _unsaved(project: Project, consent: str, questions: list[NewQuestion]) -> dict[str, Any]:
    """Return a preview of a questionnaire that is not stored."""
    shown = Questionnaire(project=project, consent=consent)
    return {"consent": questionnaires.consent_html(shown), "questions": questions}


def _show_editor(
    request: HttpRequest,
    project: Project,
    consent: ConsentForm | None = None,
    questions: Any = None,
    *,
    status: int = 200,
    **changes: Any,
) -> HttpResponse:
    versions = list(questionnaires.versions(project))
    current = versions[0] if versions else None
    wanted = request.GET.get("version")
    loaded = next((one for one in versions if str(one.version) == wanted), None)
    shown = loaded or current
    if consent is None:
        consent = ConsentForm(initial={"consent": shown.consent if shown else ""})
    if questions is None:
        stored = shown.questions.all() if shown else []
        initial = as_initial(
            [NewQuestion(q.text, q.kind, q.required, tuple(q.choices)) for q in stored]
        )
        questions = Questions(initial=initial, prefix=PREFIX)
    context = {
        "project": project,
        "consent_form": consent,
        "questions": questions,
        "presets": questionnaires.presets(),
        "versions": versions,
        "current": current if current and (current.consent or current.questions.all()) else None,
        "loaded": loaded,
        "responses": questionnaires.latest_responses(project).count(),
    }
    return render(request, "people/questionnaire.html", context | changes, status=status)
