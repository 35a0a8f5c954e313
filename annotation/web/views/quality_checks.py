"""Practice and control sentences, as administrators make and change them."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import SuspiciousOperation
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.judging import control_items, practice
from annotation.judging.errors import InvalidJudgement
from annotation.judging.judged_units import judged_unit
from annotation.kinds import kind_of
from annotation.models import Project, Sentence
from annotation.models.names import contains
from annotation.web.confirmation import ask, is_confirmed
from annotation.web.forms.quality_checks import ControlsForm, WhichSentenceForm
from annotation.web.forms.search import SearchForm
from annotation.web.practice_answers import AnswerPage, answer_page, read_answers
from annotation.web.project_views import FORM, POST, project_view
from annotation.web.requests import ProjectRequest, SignedInRequest

# Sentences that are listed; others are chosen by their number.
MAX_LISTED = 50


@project_view(administer=FORM)
def new_practice(request: ProjectRequest, project: Project) -> HttpResponse:
    """List eligible sentences, show the one of `?sentence=`, or store its posted gold answers."""
    if request.method == "POST":
        return _make_practice(request, project)
    if "sentence" not in request.GET:
        return _list_eligible(request, project, WhichSentenceForm())
    form = WhichSentenceForm(request.GET)
    if form.is_valid():
        try:
            sentence = practice.sentence_to_serve(project, form.cleaned_data["sentence"])
        except practice.NotForPractice as problem:
            form.add_error("sentence", str(problem))
        else:
            return _show_answers(request, answer_page(sentence, project))
    return _list_eligible(request, project, form)


@project_view(administer=FORM)
def change_practice(request: ProjectRequest, project: Project, number: int) -> HttpResponse:
    """Show the gold answers of a practice sentence, or store the posted ones."""
    sentence = get_object_or_404(practice.practice_sentences(project), number=number)
    if request.method == "GET":
        return _show_answers(request, answer_page(sentence, project))
    posted = read_answers(request.POST, sentence, project)
    try:
        practice.change_answers(project=project, sentence=sentence, **posted.checked())
    except InvalidJudgement as problem:
        return _show_answers(request, answer_page(sentence, project, posted), problem)
    message = _("Answers of line %(number)d saved. Feedback uses them from now on.")
    messages.success(request, message % {"number": sentence.source_number})
    return redirect("practice-sentences", project.pk)


@project_view(administer=POST)
def retire_practice(request: ProjectRequest, project: Project, number: int) -> HttpResponse:
    """Disable a practice sentence, and ask first, or enable it again."""
    return _retire(request, project, Sentence.Purpose.PRACTICE, number, "practice-sentences")


@project_view(administer=POST)
def retire_control(request: ProjectRequest, project: Project, number: int) -> HttpResponse:
    """Disable a control sentence, and ask first, or enable it again."""
    return _retire(request, project, Sentence.Purpose.CONTROL, number, "control-sentences")


@project_view(administer=FORM)
def controls(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show the control sentences, or create as many as the posted form says."""
    form = ControlsForm(request.POST) if request.method == "POST" else ControlsForm()
    if form.is_valid():
        try:
            made = control_items.make_controls(project=project, count=form.cleaned_data["count"])
        except control_items.NoControls as problem:
            form.add_error("count", str(problem))
        else:
            message = ngettext(
                "%(count)d control created.",
                "%(count)d controls created.",
                len(made),
            )
            messages.success(request, message % {"count": len(made)})
            return redirect("control-sentences", project.pk)
    design = control_items.control_design(kind_of(project).unit)
    context = {
        "project": project,
        "control_items": control_items.control_items(project),
        "controls": form,
        "explanation": design.explanation,
        "copied": design.copied,
    }
    status = 400 if form.is_bound else 200
    return render(request, "annotation/quality/controls.html", context, status=status)


def _make_practice(request: SignedInRequest, project: Project) -> HttpResponse:
    form = WhichSentenceForm(request.POST)
    if not form.is_valid():
        return _list_eligible(request, project, form)
    number = form.cleaned_data["sentence"]
    purpose = Sentence.Purpose.JUDGE
    sentence = project.sentences.filter(purpose=purpose, number=number).first()
    if sentence is None:
        raise Http404
    posted = read_answers(request.POST, sentence, project)
    try:
        practice.make_practice(project=project, number=number, **posted.checked())
    except (practice.NotForPractice, InvalidJudgement) as problem:
        return _show_answers(request, answer_page(sentence, project, posted), problem)
    message = _("Line %(number)d is now practice.") % {"number": number}
    messages.success(request, message)
    return redirect("practice-sentences", project.pk)


def _list_eligible(
    request: SignedInRequest, project: Project, form: WhichSentenceForm
) -> HttpResponse:
    """Show the first sentences that are eligible for practice and have the words of `?q=`."""
    words = SearchForm(request.GET).words
    eligible = practice.may_serve(project)
    shown = list(eligible.filter(contains("text", words))[: MAX_LISTED + 1])
    outputs = judged_unit(kind_of(project).unit).outputs(shown[:MAX_LISTED])
    offered = [(sentence, outputs.get(sentence.pk)) for sentence in shown[:MAX_LISTED]]
    context = {
        "words": words,
        "project": project,
        "form": form,
        "offered": offered,
        "more": len(shown) > MAX_LISTED,
    }
    status = 400 if form.is_bound else 200
    return render(request, "annotation/practice_offer.html", context, status=status)


def _show_answers(
    request: SignedInRequest, page: AnswerPage, problem: Exception | None = None
) -> HttpResponse:
    context: dict[str, Any] = vars(page) | {"refusal": problem}
    return render(
        request, "annotation/practice_answers.html", context, status=400 if problem else 200
    )


def _retire(
    request: SignedInRequest, project: Project, purpose: Sentence.Purpose, number: int, page: str
) -> HttpResponse:
    posted = request.POST.get("retired")
    if posted not in {"yes", "no"}:
        raise SuspiciousOperation
    retired = posted == "yes"
    if retired and not is_confirmed(request):
        sentence = get_object_or_404(project.sentences, purpose=purpose, number=number)
        is_practice = purpose == Sentence.Purpose.PRACTICE
        return ask(
            request,
            question=(
                _("Disable practice of line %(number)d?")
                if is_practice
                else _("Disable the control of line %(number)d?")
            )
            % {"number": sentence.source_number},
            consequences=[
                _("It is not assigned to annotators any more."),
                _("Existing judgements are kept."),
                _("You can enable it again at any time."),
            ],
            button=_("Disable"),
            back=reverse(page, args=[project.pk]),
        )
    if not practice.retire(project=project, purpose=purpose, number=number, retired=retired):
        raise Http404
    message = (
        _("It is disabled. Existing judgements are kept.") if retired else _("It is enabled again.")
    )
    messages.success(request, message)
    return redirect(page, project.pk)
