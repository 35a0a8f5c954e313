"""The page of the evaluated metrics of a project, its refresh, and its files."""

from typing import Any, Final, cast
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.common.error_messages import localize_error
from annotation.formats.errors import InputError
from annotation.formats.names import plain_name
from annotation.models import Project, User
from annotation.projects.permissions import observed_project, project_to_observe
from annotation.selectors import judgements
from annotation.web.downloads import attachment
from evaluation.findings.options import DEFAULT_METRICS, MetricsOptions
from evaluation.meta.williams import SIGNIFICANT
from evaluation.metrics.catalogue import NAMES
from evaluation.rendering.figures.rendering import IMAGE_TYPES
from evaluation.rendering.formats import TABLE_FORMATS
from evaluation.report.figures import metric_figure, metric_figures
from evaluation.report.figures.scatter import plot_names
from evaluation.report.files import metric_files
from evaluation.report.metric_shape import MetricsData, MetricTausRow, SystemLevelRow, SystemSetPart
from evaluation.report.metric_tables import RULES, fixed_metrics, table, tables
from evaluation.services import reports
from evaluation.services.human_scores import golds_of
from evaluation.services.metric_evaluation import missing_for_metrics
from evaluation.services.metrics_export import zipped_metrics_eval
from evaluation.services.score_files import score_files
from evaluation.web.report_texts import GOLD_LABELS, TABLE_CAPTIONS, age
from evaluation.web.views.stored_report import ReportPage, explaining_refusals, status_of

# Figures by system, with the words that name them.
FIGURES: Final = {
    "pearson": gettext_lazy("Pearson’s r"),
    "spearman": gettext_lazy("Spearman’s ρ"),
    "kendall": gettext_lazy("Kendall’s τ"),
    "accuracy": gettext_lazy("Accuracy"),
    "soft_accuracy": gettext_lazy("Soft accuracy"),
}


@never_cache
@login_required
@require_safe
@explaining_refusals("metrics")
def metrics(request: HttpRequest, pk: int) -> HttpResponse:
    """Show how far metrics agree with people; request the evaluation if there is none.

    For the parameters see `options_of`.
    """
    project, mine = observed_project(request.user, pk)
    # Lazy, because counting takes long and most pages do not show the counts.
    summary = SimpleLazyObject(lambda: judgements.project_summary(project))
    context: dict[str, Any] = {
        "project": project,
        "mine": mine,
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
    stored = reports.report_of(project, options, by=cast(User, request.user))
    context |= {
        "stored": stored,
        "options": options,
        "parameters": _parameters(options, project),
        "waiting": stored.is_waiting,
        "status": status_of(stored) if stored.is_waiting else None,
        "age": age(timezone.now() - stored.made) if stored.made else "",
        "new": reports.new_since(stored) if stored.made else 0,
        "outdated": stored.made and reports.is_outdated(stored),
        "golds": [(name, GOLD_LABELS[name]) for name in golds_of(project)],
        "known_metrics": NAMES,
        "score_files": score_files(project),
    }
    found: MetricsData | None = reports.data_of(stored)
    if found is not None:
        context |= contents(found)
    return render(request, "evaluation/metrics.html", context)


@never_cache
@login_required
@require_POST
@explaining_refusals("metrics")
def refresh(request: HttpRequest, pk: int) -> HttpResponse:
    """Request a new evaluation, if there is anything to evaluate."""
    project = project_to_observe(request.user, pk)
    options = options_of(request, project)
    user = cast(User, request.user)
    if not missing_for_metrics(project):
        reports.request(reports.report_of(project, options, by=user), by=user)
    parameters = _parameters(options, project)
    address = reverse("metrics", args=[project.pk])
    return HttpResponseRedirect(f"{address}?{parameters}" if parameters else address)


@never_cache
@login_required
@require_safe
def eval_set(request: HttpRequest, pk: int) -> HttpResponse:
    """Send texts and scores by people as a test set of mt-metrics-eval, zipped."""
    project = project_to_observe(request.user, pk)
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


def contents(data: MetricsData) -> dict[str, Any]:
    """Return the context of the templates."""
    level = data["system_level"]
    every, rest = level["all_systems"], level["without_outliers"]
    outliers = data["gold"]["outliers"]
    best = best_metric(every)
    comparisons = _with_preferences(data["comparisons"])
    drawn = [name for name, _specification in metric_figures(data)]
    sets = [_shown_set(every, "all")] + ([_shown_set(rest, "rest")] if rest else [])
    return {
        "found": data,
        # Only these can be listed as outliers.
        "systems": sorted(row["system"] for row in data["gold"]["systems"]),
        "best": best,
        "leaders": leaders(every),
        "none_agrees": best is not None and _is_not_positive(best["pearson"]["value"]),
        "compared": sum(row["pearson"]["value"] is not None for row in every["metrics"]),
        "best_of_rest": best_metric(rest) if rest else None,
        "leaders_of_rest": leaders(rest) if rest else [],
        "rest": rest,
        "outliers": outliers,
        "score_rows": [
            {
                **row,
                "scores": [metric["scores"].get(row["system"]) for metric in data["metrics"]],
            }
            for row in data["gold"]["systems"]
        ],
        "has_wide": any(row.get("wide_low") is not None for row in data["gold"]["systems"]),
        "gold_label": GOLD_LABELS[data["gold"]["method"]],
        "sets": sets,
        "fixed": fixed_metrics(data),
        "plots": [
            (row["metric"], name)
            for row, name in zip(data["metrics"], plot_names(data), strict=True)
            if name in drawn
        ],
        "drawn": drawn,
        "rules": RULES,
        "comparisons": _shown_taus(comparisons),
        "sentence_pairs": _shown_taus(data["pairs"]),
        "candidates": _shown_taus(data["candidates"]),
        "ceiling": _shown_taus(data["annotators"]),
        "winners_differ": _winners_differ(comparisons) or _winners_differ(data["pairs"]),
        "tables": [(made.name, TABLE_CAPTIONS[made.name]) for made in tables(data)],
        "extensions": list(TABLE_FORMATS),
        "images": list(IMAGE_TYPES),
    }


def best_metric(part: SystemSetPart) -> SystemLevelRow | None:
    """Return the metric with the highest r, or else accuracy; None if neither is defined."""
    # By falling r already.
    rows = [row for row in part["metrics"] if row["pearson"]["value"] is not None]
    if not rows:
        rows = [row for row in part["metrics"] if row["accuracy"]["value"] is not None]
        rows.sort(key=lambda row: -(row["accuracy"]["value"] or 0.0))
    return rows[0] if rows else None


def leaders(part: SystemSetPart) -> list[str]:
    """Return the metric with the highest r, and those that it does not significantly exceed.

    By Williams' test; without a test, as of fewer than four systems, it exceeds none.
    """
    rows = part["metrics"]
    if not rows or rows[0]["pearson"]["value"] is None:
        return []
    return [
        row["metric"]
        for row, p in zip(rows, part["williams"][0], strict=True)
        if row["pearson"]["value"] is not None and (p is None or p > SIGNIFICANT)
    ]


def _is_not_positive(r: float | None) -> bool:
    return r is not None and r <= 0


def _shown_set(part: SystemSetPart, name: str) -> dict[str, Any]:
    """Return a set of systems with its figures in rows, reasons, and p of Williams' test."""
    metrics = part["metrics"]
    every: list[tuple[str, Any, dict[str, Any]]] = [
        (row["metric"], label, row[key])  # type: ignore[literal-required]
        for row in metrics
        for key, label in FIGURES.items()
    ]
    return {
        **part,
        "name": name,
        "figures": [{**found, "metric": metric, "label": label} for metric, label, found in every],
        "reasons": [
            (metric, label, found["undefined"])
            for metric, label, found in every
            if found["undefined"]
        ],
        "tests": list(zip([row["metric"] for row in metrics], part["williams"], strict=True)),
    }


def _with_preferences(rows: list[MetricTausRow]) -> list[MetricTausRow]:
    """Return the rows, or none if people prefer neither system in any of the comparisons.

    So it is where annotators see one translation at a time: only identical ones are compared.
    """
    preferred = sum(row["concordant"] + row["discordant"] + row["metric_ties"] for row in rows)
    return rows if preferred else []


def _shown_taus(rows: list[MetricTausRow]) -> list[dict[str, Any]]:
    """Return the rows with τ by rule in the order of RULES."""
    return [
        {
            **row,
            "cells": [
                {**row["taus"][rule], "rule": rule, "is_best": rule in row["best"]}
                for rule in RULES
            ],
        }
        for row in rows
    ]


def _winners_differ(rows: list[MetricTausRow]) -> bool:
    """Tell whether two rules have no best metric in common."""
    best = [{row["metric"] for row in rows if rule in row["best"]} for rule in RULES]
    return any(not (one & other) for one in best for other in best if one and other)
