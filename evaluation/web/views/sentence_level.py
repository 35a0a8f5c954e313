"""How the judgements of segments agree with those of whole sentences that were made elsewhere."""

from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import Project
from annotation.selectors import judgements
from evaluation.services.permissions import project_to_evaluate
from evaluation.services.sentence_level_findings import SentenceLevelFindings

# For each of the thesis' tables, which comparisons of the system's sentence are in it.
TITLES: Final = {
    "better": _("Where its sentence was better"),
    "worse": _("Where its sentence was worse"),
    "all": _("Better or worse"),
}


@never_cache
@login_required
@require_safe
def sentence_level(request: HttpRequest, pk: int) -> HttpResponse:
    """Show τ of each system, and the sentences whose segments were judged better than they were."""
    project = project_to_evaluate(request.user, pk)
    summary = judgements.project_summary(project)
    context: dict[str, Any] = {"project": project, "summary": summary}
    if summary.state not in (Project.State.PREPARING, Project.State.FAILED):
        findings = SentenceLevelFindings(project)
        context["findings"] = findings
        if findings.imported:
            context["tables"] = [
                (name, TITLES[name], table) for name, table in findings.tables.items()
            ]
    return render(request, "evaluation/sentence_level.html", context)
