"""The people of a project: how they work, their roles, limits and pauses."""

from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.common.exceptions import NotPossible
from annotation.judging.batches import has_batches
from annotation.judging.discarding import discard_judgements, restore_judgements
from annotation.judging.practice_tries import failed_practice, practise_again
from annotation.kinds import kind_of
from annotation.models import Assignment, Membership, Project, User
from annotation.process import clock
from annotation.projects import administration
from annotation.projects.permissions import LARGEST_ID
from annotation.selectors.members import members
from annotation.web.confirmation import ask, is_confirmed
from annotation.web.forms.settings import LimitForm, MemberForm
from annotation.web.project_views import FORM, POST, READ, project_view
from annotation.web.requests import ProjectRequest
from evaluation.models import RuleKind
from evaluation.services.people import DESCENDING, ORDERS, Person, people_of, sorted_people
from evaluation.web.views.overview import when_active

COLUMNS = {
    "active": gettext_lazy("Last active"),
    "seconds": gettext_lazy("Median seconds per judgement"),
    "own_kappa": gettext_lazy("κ with oneself"),
    "kappa": gettext_lazy("κ with others"),
    "controls": gettext_lazy("Controls passed"),
    "practice": gettext_lazy("Practice"),
    "ties": gettext_lazy("Ties"),
}
ALWAYS: Final = ("sentences", "active")


@project_view(administer=FORM)
def people(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show all people; a post adds a member, or changes the role of one.

    `?order=` sorts them by a figure, `-` before it the other way round; `?show=unusual` leaves out
    those whose figures are as usual.
    """
    form = MemberForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            member = administration.set_role(project=project, by=request.user, **form.cleaned_data)
        except NotPossible as problem:
            form.add_error("username", str(problem))
        else:
            message = _("%(name)s now has the role: %(role)s.") % {
                "name": member.username,
                "role": Membership.Role(form.cleaned_data["role"]).label,
            }
            messages.success(request, message)
            return redirect("people", pk=project.pk)
    wanted = request.GET.get("order", "")
    order = wanted.removeprefix("-")
    is_reversed = wanted.startswith("-")
    now = clock.now()
    found = people_of(project, now=now)
    ordered = sorted_people(found, order, descending=(order in DESCENDING) != is_reversed)
    unusual = [person for person in ordered.rows if person.unusual]
    only_unusual = request.GET.get("show") == "unusual"
    # A column in which no one has a figure is left out.
    shown = [
        key
        for key, value in ORDERS.items()
        if key in ALWAYS
        or any(value(person) is not None for person in found.rows)
        or (key == "practice" and any(person.practice for person in found.rows))
    ]
    rows = unusual if only_unusual else ordered.rows
    context = {
        "project": project,
        "people": found,
        "rows": [_row(person, now) for person in rows],
        "unusual": len(unusual),
        "only_unusual": only_unusual,
        "order": order if order in ORDERS else "",
        "shown": shown,
        "columns": [
            _column(request, key, label, wanted)
            for key, label in ({"sentences": kind_of(project).unit.words.sheets} | COLUMNS).items()
            if key in shown
        ],
        "member": form,
    }
    status = 400 if form.errors else 200
    return render(request, "evaluation/people.html", context, status=status)


@project_view(administer=READ)
def person(request: ProjectRequest, project: Project, user_pk: int) -> HttpResponse:
    """Show one person, with what an administrator can do about them."""
    return _show_person(request, project, user_pk)


@project_view(administer=POST)
def change_role(request: ProjectRequest, project: Project, user_pk: int) -> HttpResponse:
    member = _member_or_404(project, user_pk)
    role = request.POST.get("role", "")
    if role not in Membership.Role.values:
        messages.error(request, _("Choose a role."))
        return redirect("person", pk=project.pk, user_pk=user_pk)
    name = member.user.username
    _attempt(
        request,
        lambda: administration.set_role(project=project, by=request.user, username=name, role=role),
        _("Role of %(name)s saved.") % {"name": name},
    )
    return redirect("person", pk=project.pk, user_pk=user_pk)


@project_view(administer=POST)
def limit_member(request: ProjectRequest, project: Project, user_pk: int) -> HttpResponse:
    """Set the maximum number of sentences for a member."""
    member = _member_or_404(project, user_pk)
    form = LimitForm(request.POST, instance=member)
    if not form.is_valid():
        return _show_person(request, project, user_pk, limit=form, status=400)
    most = form.cleaned_data["sentence_limit"]
    _attempt(
        request,
        lambda: administration.limit_sentences(project=project, user_id=user_pk, most=most),
        _("Limit for %(name)s saved.") % {"name": member.user.username},
    )
    return redirect("person", pk=project.pk, user_pk=user_pk)


@project_view(administer=POST)
def pause(request: ProjectRequest, project: Project, user_pk: int) -> HttpResponse:
    """Pause a member, or with `resume` let them judge again; `back=quality` returns there."""
    member = _member_or_404(project, user_pk)
    resume = "resume" in request.POST
    change = administration.resume_member if resume else administration.pause_member
    done = _("%(name)s can judge again.") if resume else _("%(name)s is paused.")
    _attempt(
        request,
        lambda: change(project=project, by=request.user, user_id=user_pk),
        done % {"name": member.user.username},
    )
    if request.POST.get("back") == "quality":
        return redirect("quality", pk=project.pk)
    return redirect("person", pk=project.pk, user_pk=user_pk)


@project_view(administer=POST)
def let_practise_again(request: ProjectRequest, project: Project, user_pk: int) -> HttpResponse:
    """Give a member whose practice failed another try, however many they have had."""
    member = _member_or_404(project, user_pk)
    name = {"name": member.user.username}
    if practise_again(annotator=member.user, project=project, by=request.user):
        messages.success(request, _("%(name)s can practise again.") % name)
    else:
        messages.info(request, _("%(name)s needs no other try at practice.") % name)
    return redirect("person", pk=project.pk, user_pk=user_pk)


@project_view(administer=POST)
def discard(request: ProjectRequest, project: Project, user_pk: int) -> HttpResponse:
    """Discard the judgements of a person, or with `restore` let them count again."""
    worked = Assignment.objects.filter(project=project, annotator=OuterRef("pk"))
    annotator = get_object_or_404(User.objects.filter(Exists(worked)), pk=min(user_pk, LARGEST_ID))
    if "restore" in request.POST:
        number = restore_judgements(project=project, by=request.user, annotator=annotator)
        words = ngettext(
            "The judgements of %(n)d assignment count again.",
            "The judgements of %(n)d assignments count again.",
            number,
        )
    elif not is_confirmed(request):
        again = _("What they judged needs a judge again.")
        if has_batches(project):
            again = _("Other annotators judge their batches, from the beginning.")
        return ask(
            request,
            question=_("Discard the judgements of %(name)s?") % {"name": annotator.shown_name},
            consequences=[
                _("They stay stored, but count nowhere: not in agreement, rankings and reports."),
                again,
                _("You can let them count again at any time."),
            ],
            button=_("Discard"),
            back=reverse("person", args=[project.pk, user_pk]),
        )
    else:
        number = discard_judgements(project=project, by=request.user, annotator=annotator)
        words = ngettext(
            "The judgements of %(n)d assignment were discarded. They stay stored.",
            "The judgements of %(n)d assignments were discarded. They stay stored.",
            number,
        )
    messages.success(request, words % {"n": number})
    return redirect("person", pk=project.pk, user_pk=user_pk)


@project_view(administer=POST)
def remove_member(request: ProjectRequest, project: Project, user_pk: int) -> HttpResponse:
    """End a membership, and ask first; the member's judgements are kept."""
    if not is_confirmed(request):
        member = _member_or_404(project, user_pk)
        return ask(
            request,
            question=_("Remove %(name)s from this project?") % {"name": vars(member)["name"]},
            consequences=[
                _("They can no longer open the project."),
                _("What they have not submitted goes to other annotators."),
                _("Their judgements are kept and still count."),
                _("You can add them again at any time."),
            ],
            button=_("Remove"),
            back=reverse("person", args=[project.pk, user_pk]),
        )
    try:
        removed = administration.remove_member(project=project, by=request.user, user_id=user_pk)
    except NotPossible as problem:
        messages.error(request, str(problem))
    else:
        message = _("%(name)s was removed. Their judgements are kept.")
        messages.success(request, message % {"name": removed.username})
    return redirect("people", pk=project.pk)


def _attempt(request: HttpRequest, change: Callable[[], object], done: str) -> None:
    """Make the change and say that it is done, or why it is not possible."""
    try:
        change()
    except NotPossible as problem:
        messages.error(request, str(problem))
    else:
        messages.success(request, done)


def _member_or_404(project: Project, user_pk: int) -> Membership:
    return get_object_or_404(members(project), user=min(user_pk, LARGEST_ID))


def _column(request: HttpRequest, key: str, label: Any, wanted: str) -> dict[str, Any]:
    """Return the head of a column of figures: a link that sorts by it, or the other way round."""
    is_current = wanted.removeprefix("-") == key
    is_reversed = is_current and wanted.startswith("-")
    query = request.GET.copy()
    query["order"] = f"-{key}" if is_current and not is_reversed else key
    falls = (key in DESCENDING) != is_reversed
    return {
        "label": label,
        "url": f"?{query.urlencode()}",
        "sort": ("descending" if falls else "ascending") if is_current else "",
    }


def _row(found: Person, now: Any) -> dict[str, Any]:
    """Return what the page shows of a person besides their figures."""
    return {
        "person": found,
        "when": when_active(found.active, now),
        "unusual": [label for kind, label in RuleKind.choices if kind in found.unusual],
    }


def _show_person(
    request: HttpRequest,
    project: Project,
    user_pk: int,
    *,
    limit: LimitForm | None = None,
    status: int = 200,
) -> HttpResponse:
    now = clock.now()
    found = people_of(project, now=now)
    shown = found.of(user_pk)
    if shown is None:
        raise Http404
    context = {
        "project": project,
        "people": found,
        **_row(shown, now),
        "limit": limit or (LimitForm(instance=shown.membership) if shown.membership else None),
        "roles": Membership.Role.choices,
        "failed": failed_practice(shown.membership.user, project) if shown.membership else None,
    }
    return render(request, "evaluation/person.html", context, status=status)
