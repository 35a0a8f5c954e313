"""Results without a report: ranking and annotators, and whole sentences."""

from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import Project
from annotation.projects.added_systems import sampled_systems
from annotation.projects.permissions import project_to_observe
from annotation.projects.undecided_systems import decisions
from annotation.selectors import judgements
from annotation.selectors.submitted_work import judged_sentences
from evaluation.services.findings import Findings
from evaluation.services.overview import MOST_JUDGEMENTS
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
def results(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the ranking of systems and the annotators; refer to the report for many judgements."""
    project = project_to_observe(request.user, pk)
    if judgements.has_more_judgements_than(project, MOST_JUDGEMENTS):
        context = {"project": project, "most": MOST_JUDGEMENTS}
        return render(request, "evaluation/results_of_many.html", context)
    # Not all sentences are to be judged: some serve for practice, some have no candidates.
    context = {
        "project": project,
        "findings": Findings(project),
        "all_sentences": judged_sentences(project).all,
        "narrowed": judgements.narrowed_judgements(project) if decisions(project) else 0,
        "estimated": sampled_systems(project),
    }
    return render(request, "evaluation/results.html", context)


@never_cache
@login_required
@require_safe
def sentence_level(request: HttpRequest, pk: int) -> HttpResponse:
    """Show τ of each system, and sentences whose segments were judged better than the whole."""
    project = project_to_observe(request.user, pk)
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
