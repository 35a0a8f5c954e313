"""The results of a project as they are now: agreement, annotators and ranking."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.import_export.exports import thesis_json
from annotation.selectors import judgements
from evaluation.services.findings import Findings
from evaluation.services.interim_statistics import MOST_JUDGEMENTS
from evaluation.services.permissions import project_to_evaluate


@never_cache
@login_required
@require_safe
def results(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the statistics of annotators and the ranking of systems, unless that takes long.

    Of very many judgements a worker makes the report, and nobody waits for them here.
    """
    project = project_to_evaluate(request.user, pk)
    if judgements.has_more_judgements_than(project, MOST_JUDGEMENTS):
        context = {"project": project, "most": MOST_JUDGEMENTS}
        return render(request, "evaluation/results_of_many.html", context)
    findings = Findings(project)
    return render(request, "evaluation/results.html", {"project": project, "findings": findings})


@never_cache
@login_required
@require_safe
def export_json(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    """Send all judgements as the thesis' JSON (appendix B.5), streaming."""
    project = project_to_evaluate(request.user, pk)
    response = StreamingHttpResponse(thesis_json(project), content_type="application/json")
    name = slugify(project.name) or f"project-{project.pk}"
    disposition = content_disposition_header(as_attachment=True, filename=f"{name}.json")
    response["Content-Disposition"] = disposition or "attachment"
    return response
