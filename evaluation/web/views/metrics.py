"""The page of the evaluated metrics of a project, its refresh, and its files."""

from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from annotation.common.error_messages import localize_error
from annotation.formats.errors import InputError
from annotation.formats.names import plain_name
from annotation.models import Project
from annotation.process import clock
from annotation.selectors import judgements
from annotation.web.downloads import attachment
from annotation.web.project_views import POST, READ, project_view
from annotation.web.requests import ProjectRequest
from evaluation.findings.metric_scores import GOLD_NAMES
from evaluation.findings.metric_segments import OF_SENTENCES, TIE_RULES
from evaluation.findings.metrics import (
    MetricsReport,
    best_metric,
    figures,
    leaders,
    table,
    tables,
    winners_differ,
)
from evaluation.findings.options import DEFAULT_METRICS, MetricsOptions
from evaluation.metrics.catalogue import NAMES
from evaluation.rendering.figures.rendering import IMAGE_TYPES
from evaluation.rendering.figures.style import SCREEN
from evaluation.rendering.formats import TABLE_FORMATS
from evaluation.report.files import metric_figure, metric_files
from evaluation.services import reports
from evaluation.services.human_scores import golds_of
from evaluation.services.metric_evaluation import missing_for_metrics
from evaluation.services.metrics_export import zipped_metrics_eval
from evaluation.services.report_kinds import data_of
from evaluation.services.score_files import score_files
from evaluation.web.report_texts import age, figure_words
from evaluation.web.views.stored_report import ReportPage, explaining_refusals, status_of


@project_view(observe=READ)
@explaining_refusals("metrics")
def metrics(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show how far metrics agree with people; request the evaluation if there is none.

    For the parameters see `options_of`.
    """
    # Lazy, because counting takes long and most pages do not show the counts.
    summary = SimpleLazyObject(lambda: judgements.project_summary(project))
    context: dict[str, Any] = {
        "project": project,
        "summary": summary,
        "page": "metrics",
        "at": reverse("metrics", args=[project.pk]),
    }
    if project.state in (Project.State.PREPARING, Project.State.FAILED):
        return render(request, "evaluation/metrics.html", context)
    missing = missing_for_metrics(project)
    if missing:
        return render(request, "evaluation/metrics.html", {**context, "missing": missing})
    options = options_of(request, project)
    stored = reports.report_of(project, options, by=request.user)
    context |= {
        "stored": stored,
        "options": options,
        "parameters": _parameters(options, project),
        "waiting": stored.is_unfinished,
        "status": status_of(stored) if stored.is_unfinished else None,
        "age": age(clock.now() - stored.made) if stored.made else "",
        "new": reports.new_since(stored) if stored.made else 0,
        "outdated": stored.made and reports.is_outdated(stored),
        "golds": [(name, GOLD_NAMES[name]) for name in golds_of(project)],
        "known_metrics": NAMES,
        "score_files": score_files(project),
    }
    found: MetricsReport | None = data_of(stored)
    if found is not None:
        context |= contents(found)
    return render(request, "evaluation/metrics.html", context)


@project_view(observe=POST)
@explaining_refusals("metrics")
def refresh(request: ProjectRequest, project: Project) -> HttpResponse:
    """Request a new evaluation, if there is anything to evaluate."""
    options = options_of(request, project)
    if not missing_for_metrics(project):
        reports.request(reports.report_of(project, options, by=request.user), by=request.user)
    parameters = _parameters(options, project)
    address = reverse("metrics", args=[project.pk])
    return HttpResponseRedirect(f"{address}?{parameters}" if parameters else address)


@project_view(observe=READ)
def eval_set(request: ProjectRequest, project: Project) -> HttpResponse:
    """Send texts and scores by people as a test set of mt-metrics-eval, zipped."""
    if project.state in (Project.State.PREPARING, Project.State.FAILED):
        return redirect("exports", project.pk)
    try:
        contents = zipped_metrics_eval(project)
    except InputError as problem:
        messages.error(request, str(localize_error(problem)))
        return redirect("exports", project.pk)
    return HttpResponse(
        contents,
        content_type="application/zip",
        headers={"Content-Disposition": attachment(project, ".mt-metrics-eval.zip")},
    )


def options_of(request: HttpRequest, project: Project) -> MetricsOptions:
    """Return the options of `?metrics=bleu&metrics=ter&gold=expected_wins&outliers=A`.

    Outliers are those listed with `outliers_by=list`, perhaps none. Raises BadOption.
    """
    given = request.GET
    chosen = given.getlist("metrics")
    # In one order, so that equal choices are one report.
    ordered = tuple(name for name in NAMES if name in chosen)
    unknown = tuple(name for name in chosen if name not in NAMES)
    is_default = not chosen or set(chosen) == set(DEFAULT_METRICS)
    listed = given.get("outliers_by", "") == "list"
    return MetricsOptions(
        metrics=DEFAULT_METRICS if is_default else ordered + unknown,
        gold=given.get("gold", "") or golds_of(project)[0],
        outliers=tuple(sorted(set(map(plain_name, given.getlist("outliers"))))) if listed else None,
    )


PAGE: Final = ReportPage("metrics", options_of, metric_figure, table, metric_files)


def _parameters(options: MetricsOptions, project: Project) -> str:
    """Return the options as a query string; "" for default options."""
    default = reports.default_metrics(project)
    chosen: dict[str, Any] = {}
    if options.metrics != default.metrics:
        chosen["metrics"] = options.metrics
    if options.gold != default.gold:
        chosen["gold"] = options.gold
    if options.outliers is not None:
        chosen |= {"outliers_by": "list", "outliers": options.outliers}
    return urlencode(chosen, doseq=True)


def contents(report: MetricsReport) -> dict[str, Any]:
    """Return the context of the templates."""
    every, rest = report.system_level.all_systems, report.system_level.without_outliers
    best, best_of_rest = best_metric(every), rest and best_metric(rest)
    words = figure_words()
    plots = {each.name: each for each in figures(report) if each.draw(SCREEN, words)}
    made = {each.name: each for each in tables(report)}
    return {
        "found": report,
        # Only these can be listed as outliers.
        "systems": sorted(row.system for row in report.gold.systems),
        "best": best,
        "other_systems": best and best.pearson.interval("systems"),
        "leaders": leaders(every),
        "none_agrees": best is not None and _is_not_positive(best.pearson.value),
        "compared": sum(row.pearson.value is not None for row in every.metrics),
        "best_of_rest": best_of_rest,
        "leaders_of_rest": leaders(rest) if rest else [],
        "outliers": report.system_level.outliers.names,
        "suffixes": ["", "-without-outliers"] if rest else [""],
        "figures": plots,
        "plots": list(plots),
        "winners_differ": winners_differ(report.comparisons) or winners_differ(report.pairs),
        "tables": made,
        "segments": [name for name in OF_SENTENCES if name in made],
        "tie_rules": TIE_RULES,
        "permutations": [name for name in made if name.startswith("permutations-")],
        "extensions": list(TABLE_FORMATS),
        "images": list(IMAGE_TYPES),
    }


def _is_not_positive(r: float | None) -> bool:
    return r is not None and r <= 0
