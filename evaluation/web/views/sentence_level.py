"""The comparison with judgements of whole sentences, which is computed on each visit."""

from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import Project
from annotation.projects.permissions import observed_project
from annotation.selectors import judgements
from evaluation.services.sentence_level import SentenceLevelFindings

# The comparisons in each of the three tables of the thesis.
TITLES: Final = {
    "better": _("The system’s sentence was better"),
    "worse": _("The system’s sentence was worse"),
    "all": _("Better or worse"),
}


@never_cache
@login_required
@require_safe
def sentence_level(request: HttpRequest, pk: int) -> HttpResponse:
    """Show τ of each system, and sentences whose segments were judged better than the whole."""
    project, mine = observed_project(request.user, pk)
    summary = judgements.project_summary(project)
    context: dict[str, Any] = {"project": project, "mine": mine, "summary": summary}
    if summary.state not in (Project.State.PREPARING, Project.State.FAILED):
        findings = SentenceLevelFindings(project)
        context["findings"] = findings
        if findings.imported:
            context["tables"] = [
                (name, TITLES[name], table) for name, table in findings.tables.items()
            ]
    return render(request, "evaluation/sentence_level.html", context)
