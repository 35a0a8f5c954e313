"""What administrators prepare to check the judging by: practice and control sentences."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.judging import control_items, practice
from annotation.judging.errors import InvalidJudgement
from annotation.models import Project, Sentence, User
from annotation.projects.permissions import project_to_administer
from annotation.web.forms.quality_checks import ControlsForm, WhichSentenceForm
from annotation.web.practice_answers import AnswerPage, answer_page, read_answers
from annotation.web.views.manage_page import back_to, show_page

# So many sentences are offered at once.
OFFERED = 50


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def new_practice(request: HttpRequest, pk: int) -> HttpResponse:
    """Offer sentences; show the one of `?sentence=`; store its answers when they are sent."""
    project = project_to_administer(_user(request), pk)
    if request.method == "POST":
        return _make_practice(request, project)
    if "sentence" not in request.GET:
        return _offer(request, project, WhichSentenceForm())
    form = WhichSentenceForm(request.GET)
    if form.is_valid():
        try:
            sentence = practice.sentence_to_serve(project, form.cleaned_data["sentence"])
        except practice.NotForPractice as problem:
            form.add_error("sentence", str(problem))
        else:
            return _show(request, answer_page(sentence, project))
    return _offer(request, project, form)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def change_practice(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show the answers of a practice sentence; store them when they are sent."""
    project = project_to_administer(_user(request), pk)
    sentence = get_object_or_404(practice.practice_sentences(project), number=number)
    if request.method == "GET":
        return _show(request, answer_page(sentence, project))
    sent = read_answers(request.POST, sentence, project)
    try:
        practice.change_answers(project=project, sentence=sentence, **sent.checked())
    except InvalidJudgement as problem:
        return _show(request, answer_page(sentence, project, sent), problem)
    told = _("The answers of sentence %(number)d are changed; feedback goes by them from now on.")
    messages.success(request, told % {"number": sentence.source_number})
    return back_to(project, "practice")


@never_cache
@login_required
@require_POST
def retire_practice(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Take a practice sentence out, or put it back."""
    return _retire(request, pk, Sentence.Purpose.PRACTICE, number, "practice")


@never_cache
@login_required
@require_POST
def retire_control(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Take a control sentence out, or put it back."""
    return _retire(request, pk, Sentence.Purpose.CONTROL, number, "controls")


@never_cache
@login_required
@require_POST
def make_controls(request: HttpRequest, pk: int) -> HttpResponse:
    project = project_to_administer(_user(request), pk)
    form = ControlsForm(request.POST)
    if form.is_valid():
        try:
            made = control_items.make_controls(project=project, count=form.cleaned_data["count"])
        except control_items.NoControls as problem:
            form.add_error("count", str(problem))
        else:
            told = ngettext(
                "%(count)d control sentence is made.",
                "%(count)d control sentences are made.",
                len(made),
            )
            messages.success(request, told % {"count": len(made)})
            return back_to(project, "controls")
    return show_page(request, project, controls=form)


def _make_practice(request: HttpRequest, project: Project) -> HttpResponse:
    form = WhichSentenceForm(request.POST)
    if not form.is_valid():
        return _offer(request, project, form)
    number = form.cleaned_data["sentence"]
    purpose = Sentence.Purpose.JUDGE
    sentence = project.sentences.filter(purpose=purpose, number=number).first()
    if sentence is None:
        raise Http404
    sent = read_answers(request.POST, sentence, project)
    try:
        practice.make_practice(project=project, number=number, **sent.checked())
    except (practice.NotForPractice, InvalidJudgement) as problem:
        return _show(request, answer_page(sentence, project, sent), problem)
    told = _("Sentence %(number)d serves for practice from now on.") % {"number": number}
    messages.success(request, told)
    return back_to(project, "practice")


def _offer(request: HttpRequest, project: Project, form: WhichSentenceForm) -> HttpResponse:
    """Show which sentences may serve for practice, the first ones."""
    some = list(practice.may_serve(project)[: OFFERED + 1])
    context = {
        "project": project,
        "form": form,
        "sentences": some[:OFFERED],
        "more": len(some) > OFFERED,
    }
    status = 400 if form.is_bound else 200
    return render(request, "annotation/practice_offer.html", context, status=status)


def _show(request: HttpRequest, page: AnswerPage, problem: Exception | None = None) -> HttpResponse:
    context: dict[str, Any] = vars(page) | {"refusal": problem}
    return render(
        request, "annotation/practice_answers.html", context, status=400 if problem else 200
    )


def _retire(
    request: HttpRequest, pk: int, purpose: Sentence.Purpose, number: int, part: str
) -> HttpResponse:
    project = project_to_administer(_user(request), pk)
    wanted = request.POST.get("retired")
    if wanted not in {"yes", "no"}:
        raise SuspiciousOperation
    retired = wanted == "yes"
    if not practice.retire(project=project, purpose=purpose, number=number, retired=retired):
        raise Http404
    told = (
        _("The sentence is taken out: nobody is given it any more. What was done with it stays.")
        if retired
        else _("The sentence is back: annotators are given it again.")
    )
    messages.success(request, told)
    return back_to(project, part)


def _user(request: HttpRequest) -> User:
    return cast(User, request.user)
