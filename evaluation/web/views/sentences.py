"""The sentences of a project: the list with its filters, and each sentence with its judgements."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.common.exceptions import NotPossible
from annotation.judging.discarding import restore_sentence, return_to_judging
from annotation.judging.reservations import assign_sentences, withdraw_sentences
from annotation.kinds import kind_of
from annotation.kinds.unit_words import Number
from annotation.models import Membership, Project, Sentence
from annotation.projects.exclusion import set_excluded
from annotation.projects.media import shown_media
from annotation.projects.permissions import LARGEST_ID
from annotation.selectors.judged_sentences import judged_sentence
from annotation.selectors.members import members
from annotation.selectors.sentence_history import (
    marked_source,
    past_assignments,
    system_translations,
)
from annotation.selectors.sentence_list import (
    STATES,
    listed_sentences,
    neighbours,
    sentence_rows,
)
from annotation.web.project_views import POST, READ, project_view
from annotation.web.requests import ProjectRequest, SignedInRequest
from evaluation.services.sentence_summaries import change_sentence, refresh_summaries
from evaluation.web.sentence_filters import SentenceFilterForm

SENTENCES_PER_PAGE: Final = 50
LARGEST_NUMBER: Final = 2**31 - 1


@project_view(observe=READ, administer=POST)
def sentences(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show the sentences that the filters leave; change the posted ones."""
    if request.method == "POST":
        return _change_checked(request, project)
    waiting = refresh_summaries(project)
    form = SentenceFilterForm(request.GET, project)
    # Ids only: sorting would move the texts of all sentences.
    listed = listed_sentences(project, form.filters).values_list("pk", flat=True)
    pages = Paginator(listed, SENTENCES_PER_PAGE)
    page = pages.get_page(request.GET.get("page"))
    context = {
        "project": project,
        "form": form,
        "query": form.query,
        "page": page,
        "rows": sentence_rows(project, list(page.object_list)),
        "numbers": pages.get_elided_page_range(page.number, on_each_side=1, on_ends=1),
        "ellipsis": Paginator.ELLIPSIS,
        "states": STATES,
        "waiting": waiting,
        "judging": _judging_members(project) if request.rights.may_administer else [],
    }
    return render(request, "evaluation/sentences.html", context)


def _change_checked(request: SignedInRequest, project: Project) -> HttpResponse:
    """Exclude or include the checked sentences, or assign them to a member."""
    found = (
        project.sentences.filter(
            purpose=Sentence.Purpose.JUDGE, number__in=_numbers(request, "number")
        )
        .select_related("sheet")
        .order_by("number")[:SENTENCES_PER_PAGE]
    )
    checked = list(found)
    action = request.POST.get("action")
    if action not in ("exclude", "include", "assign"):
        return HttpResponseBadRequest()
    if not checked:
        messages.error(request, _("Nothing changed: check lines first."))
    elif action == "assign":
        _assign_checked(request, project, sorted({row.head.number for row in checked}))
    else:
        for row in checked:
            _exclude_row(request, project, row, excluded=action == "exclude")
        message = _("Excluded: %(rows)s.") if action == "exclude" else _("Included: %(rows)s.")
        rows = kind_of(project).unit.words.counted_rows % {"number": Number(len(checked))}
        messages.success(request, message % {"rows": rows})
    form = SentenceFilterForm(request.GET, project)
    address = reverse("sentences", args=[project.pk])
    return _back(address, form.query, page=request.GET.get("page", ""))


def _assign_checked(request: SignedInRequest, project: Project, numbers: list[int]) -> None:
    chosen = _numbers(request, "annotator")
    member = members(project).filter(user__in=chosen).first()
    if member is None:
        messages.error(request, _("Nothing changed: choose an annotator."))
        return
    try:
        assigned = assign_sentences(
            project=project, by=request.user, annotator=member.user, numbers=numbers
        )
    except NotPossible as problem:
        messages.error(request, str(problem))
        return
    name = member.user.shown_name
    new, again, judged = assigned.new, assigned.again, assigned.judged
    counted_sheets = kind_of(project).unit.words.counted_sheets

    def sheets(number: int) -> dict[str, str]:
        return {"name": name, "sheets": counted_sheets % {"number": Number(number)}}

    said = (
        _("Newly assigned to %(name)s: %(sheets)s.") % sheets(new)
        if new or not (again or judged)
        else "",
        _("Skipped by %(name)s before, and assigned again: %(sheets)s.") % sheets(again)
        if again
        else "",
        _("Left out, because %(name)s is judging or has judged them: %(sheets)s.") % sheets(judged)
        if judged
        else "",
        _("%(name)s is paused, and gets nothing before you end the pause.") % {"name": name}
        if assigned.paused
        else "",
        _("%(name)s has reached their limit, and gets nothing before you raise it.")
        % {"name": name}
        if assigned.reached_limit
        else "",
    )
    waits = assigned.paused or assigned.reached_limit
    level = messages.SUCCESS if new + again and not waits else messages.WARNING
    messages.add_message(request, level, " ".join(filter(None, said)))


@project_view(observe=READ, administer=POST)
def sentence(request: ProjectRequest, project: Project, number: int) -> HttpResponse:
    """Show the texts and the judgements of a sentence; change what of it counts and who gets it."""
    if request.method == "POST":
        return _change(request, project, number)
    row = _sentence(project, number)
    judged = judged_sentence(project, number)
    if judged is None:
        raise Http404
    form = SentenceFilterForm(request.GET, project)
    before, after = neighbours(project, form.filters, number)
    reserved = set(row.head.reservations.values_list("annotator", flat=True))
    past = past_assignments(project, row)
    context = {
        "project": project,
        "sentence": judged,
        "line": row.source_number,
        "document": row.document,
        "source": marked_source(row),
        "media": shown_media(project, [row.pk]).get(row.pk, ()),
        "translations": system_translations(row),
        "row": sentence_rows(project, [row.pk])[0],
        "states": STATES,
        "past": past,
        "submitted": sum(one.state == "submitted" for one in past),
        "any_played": any(one.played is not None for one in past),
        "restorable": any(one.with_sentence for one in past),
        "before": before,
        "after": after,
        "query": form.query,
        "filtered": bool(form.filters),
        "judging": [
            (member, member.user_id in reserved)
            for member in (_judging_members(project) if request.rights.may_administer else [])
        ],
    }
    return render(request, "evaluation/sentence.html", context)


def _change(request: SignedInRequest, project: Project, number: int) -> HttpResponse:
    row = _sentence(project, number)
    action = request.POST.get("action")
    anchor = ""
    try:
        if action in ("exclude", "include"):
            anchor = _exclude_part(request, project, row, excluded=action == "exclude")
        elif action == "assign":
            _assign(request, project, row)
        elif action == "restore":
            restored = change_sentence(
                restore_sentence, project=project, by=request.user, sentence=row.pk
            )
            message = ngettext(
                "%(number)d assignment counts again.",
                "%(number)d assignments count again.",
                restored,
            )
            messages.success(request, message % {"number": restored})
        else:
            return HttpResponseBadRequest()
    except NotPossible as problem:
        messages.error(request, str(problem))
    return _to_sentence(request, project, number, anchor)


def _exclude_part(
    request: SignedInRequest, project: Project, row: Sentence, *, excluded: bool
) -> str:
    """Exclude or include the posted segment or candidate, or the sentence; return its anchor.

    Raises Http404 for an id that cannot be read, because without it a larger part would change.
    """
    segment, candidate = (_numbers(request, name)[:1] for name in ("segment", "candidate"))
    if ("segment" in request.POST and not segment) or (
        "candidate" in request.POST and not candidate
    ):
        raise Http404
    _exclude(
        request,
        project,
        row,
        segment=segment[0] if segment else None,
        candidate=candidate[0] if candidate else None,
        excluded=excluded,
    )
    messages.success(
        request, _("Excluded: it counts nowhere.") if excluded else _("Included: it counts again.")
    )
    return f"#segment-{segment[0]}" if segment else ""


def _exclude_row(
    request: SignedInRequest, project: Project, row: Sentence, *, excluded: bool
) -> None:
    """Exclude or include what a row of the list is about: of a document, the paragraph."""
    if not kind_of(project).unit.is_document:
        _exclude(request, project, row, excluded=excluded)
        return
    for segment in row.segments.filter(of_document=False):
        _exclude(request, project, row, segment=segment.pk, excluded=excluded)


def _exclude(request: SignedInRequest, project: Project, row: Sentence, **part: Any) -> None:
    change_sentence(set_excluded, project=project, by=request.user, sentence=row.pk, **part)


def _assign(request: SignedInRequest, project: Project, row: Sentence) -> None:
    """Assign the sentence to the checked members, and withdraw it from the others."""
    wanted = set(_numbers(request, "annotator"))
    reserved = set(row.head.reservations.values_list("annotator", flat=True))
    for member in _judging_members(project):
        if (member.user_id in wanted) == (member.user_id in reserved):
            continue
        change: Callable[..., object]
        change = assign_sentences if member.user_id in wanted else withdraw_sentences
        change(project=project, by=request.user, annotator=member.user, numbers=[row.head.number])
    messages.success(request, _("Assignment saved."))


@project_view(administer=(*READ, *POST))
def return_sentence(request: ProjectRequest, project: Project, number: int) -> HttpResponse:
    """Ask whether to discard the judgements of a sentence, and do so when it is confirmed."""
    row = _sentence(project, number)
    query = SentenceFilterForm(request.GET, project).query
    if request.method == "POST":
        discarded = change_sentence(
            return_to_judging, project=project, by=request.user, sentence=row.pk
        )
        message = ngettext(
            "%(number)d assignment is discarded. It can be judged again.",
            "%(number)d assignments are discarded. They can be judged again.",
            discarded,
        )
        messages.success(request, message % {"number": discarded})
        return _to_sentence(request, project, number)
    past = [one for one in past_assignments(project, row) if one.state == "submitted"]
    context = {
        "project": project,
        "sentence": row,
        "assignments": len(past),
        "annotators": Counter(one.annotator for one in past).items(),
        "judgements": sum(one.judgements for one in past),
        "query": query,
    }
    return render(request, "evaluation/return_sentence.html", context)


def _sentence(project: Project, number: int) -> Sentence:
    to_judge = project.sentences.filter(purpose=Sentence.Purpose.JUDGE)
    row = to_judge.filter(number=min(number, LARGEST_NUMBER)).first()
    if row is None:
        raise Http404
    return row


def _judging_members(project: Project) -> list[Membership]:
    return list(members(project).filter(role__in=Membership.JUDGING, user__is_active=True))


def _numbers(request: HttpRequest, name: str) -> list[int]:
    """Return the posted values of this name that are ids or numbers of sentences."""
    values = request.POST.getlist(name)[:1000]
    most = LARGEST_NUMBER if name == "number" else LARGEST_ID
    # Python refuses to read numbers of thousands of digits.
    digits = [value for value in values if value.isascii() and value.isdigit() and len(value) < 20]
    return [number for number in map(int, digits) if number <= most]


def _to_sentence(
    request: SignedInRequest, project: Project, number: int, anchor: str = ""
) -> HttpResponse:
    query = SentenceFilterForm(request.GET, project).query
    return _back(reverse("sentence", args=[project.pk, number]), query, anchor)


def _back(address: str, query: str, anchor: str = "", page: str = "") -> HttpResponse:
    if page:
        query = "&".join(filter(None, (query, urlencode({"page": page}))))
    return redirect(f"{address}{'?' if query else ''}{query}{anchor}")
