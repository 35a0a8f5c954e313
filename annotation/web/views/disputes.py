"""Disputed sheets, and what a curator decides about them."""

from collections.abc import Mapping

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.common.exceptions import NotPossible
from annotation.judging.disputes import settle, takes_own_scores
from annotation.kinds import kind_of
from annotation.kinds.answers import InvalidAnswer
from annotation.models import Project, Settlement
from annotation.selectors.disputes import DisputedSheet, disputed_sheet, disputed_sheets
from annotation.web.project_views import FORM, READ, project_view
from annotation.web.requests import ProjectRequest

OWN = "own"


@project_view(administer=READ)
def disputed(request: ProjectRequest, project: Project) -> HttpResponse:
    """List the sheets whose answers differ by more than the project allows."""
    context = {
        "project": project,
        "sheets": disputed_sheets(project),
        "is_document": kind_of(project).unit.is_document,
    }
    return render(request, "annotation/quality/disputed.html", context)


@project_view(administer=FORM)
def settle_sheet(request: ProjectRequest, project: Project, number: int) -> HttpResponse:
    """Show the answers to a sheet beside each other, or store what the curator decided."""
    sheet = disputed_sheet(project, number, request.POST)
    if sheet is None:
        raise Http404
    problem = ""
    if request.method == "POST":
        try:
            answer_of, ranks = _decision(project, sheet, request.POST)
            settle(
                project=project,
                by=request.user,
                number=number,
                answer_of=answer_of,
                ranks=ranks,
                comment=request.POST.get("comment", ""),
            )
        except (InvalidAnswer, NotPossible) as error:
            problem = str(error)
        else:
            messages.success(request, _("Settled. All answers stay stored."))
            return redirect("disputed", project.pk)
    context = {
        "project": project,
        "sheet": sheet,
        "asked": kind_of(project),
        "gives_scores": takes_own_scores(kind_of(project).answer),
        "own": OWN,
        "problem": problem,
        "posted": request.POST,
        "longest_comment": Settlement.LONGEST_COMMENT,
    }
    status = 400 if problem else 200
    return render(request, "annotation/quality/settle.html", context, status=status)


def _decision(
    project: Project, sheet: DisputedSheet, posted: Mapping[str, str]
) -> tuple[int | None, dict[int, int | None] | None]:
    """Return the annotator (id) whose answer is taken over, or the curator's ranks.

    Raises NotPossible and InvalidAnswer.
    """
    decision = posted.get("decision", "")
    if decision != OWN:
        by_number = dict(zip(map(str, sheet.numbers), sheet.annotators, strict=True))
        if decision not in by_number:
            raise NotPossible(_("Choose an answer, or give scores of your own."))
        return by_number[decision], None
    answer = kind_of(project).answer
    ranks: dict[int, int | None] = {}
    for place, candidate in enumerate(sheet.candidates, start=1):
        rank = answer.read_score(posted.get(f"score-{place}", "").strip())
        if rank is None:
            raise NotPossible(_("Give each translation on the sheet a score."))
        answer.check_rank(rank, answer.ranks(1))
        ranks[candidate] = rank
    return None, ranks
