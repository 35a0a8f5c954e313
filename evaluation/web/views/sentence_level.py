"""The comparison with judgements of whole sentences, which is computed on each visit."""

from typing import Any, Final

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from annotation.selectors import judgements
from annotation.web.project_views import READ, project_view
from annotation.web.requests import ProjectRequest
from evaluation.services.sentence_level import SentenceLevelFindings

# The comparisons in each of the three tables of the thesis.
TITLES: Final = {
    "better": _("The system’s sentence was better"),
    "worse": _("The system’s sentence was worse"),
    "all": _("Better or worse"),
}


@project_view(observe=READ)
def sentence_level(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show τ of each system, and sentences whose segments were judged better than the whole."""
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
