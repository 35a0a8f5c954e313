"""The page of the stored report, its refresh and its schedule."""

from datetime import datetime
from typing import Any, Final, cast
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import localize
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from annotation.models import Project
from annotation.process import clock
from annotation.selectors import judgements
from annotation.selectors.documents import documents_are_known
from annotation.web.project_views import POST, READ, project_view
from annotation.web.requests import ProjectRequest
from evaluation.findings.agreement import excluded_by_kappa, has_only_ties
from evaluation.findings.headline import (
    NoLeader,
    headline,
    mean_leader,
    significant_pairs,
)
from evaluation.findings.options import BLOCK_SIZE, ReportOptions, share, whole_number
from evaluation.findings.ranking import COMPARISONS, SCORES
from evaluation.findings.report import Report, figures, table, tables
from evaluation.models import ReportSchedule, StoredReport, default_options
from evaluation.rendering.figures.intervals import FEWEST_SCREENS
from evaluation.rendering.figures.rendering import IMAGE_TYPES
from evaluation.rendering.figures.style import SCREEN
from evaluation.rendering.formats import TABLE_FORMATS
from evaluation.report.files import drawn_figure, files
from evaluation.report.paper import paper_files
from evaluation.services import reports
from evaluation.services.findings import practice_of
from evaluation.services.quality import flagged_in_agreement
from evaluation.services.report_kinds import data_of
from evaluation.stats.ranking.marked_systems import ERROR_FREE_FROM
from evaluation.stats.units import UnitName
from evaluation.templatetags.blocks import PAGE as PAGE_LANGUAGE
from evaluation.templatetags.findings import figure as figure_text
from evaluation.web.report_texts import age, figure_words, sampled_units
from evaluation.web.views.stored_report import ReportPage, explaining_refusals, status_of

# Columns of the table of annotators, which the page leaves out if they say nothing.


@project_view(observe=READ)
@explaining_refusals("report")
def report(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show the stored report and its age; request it if there is none.

    `?method=` selects the ranking; for the other parameters see `options_of`.
    """
    # Lazy, because counting takes long and most pages do not show the counts.
    summary = SimpleLazyObject(lambda: judgements.project_summary(project))
    context: dict[str, Any] = {"project": project, "summary": summary}
    if project.state in (Project.State.PREPARING, Project.State.FAILED):
        return render(request, "evaluation/report.html", context)
    options = options_of(request, project)
    stored = reports.report_of(project, options, by=request.user)
    context |= _around(request, project, stored, options)
    found: Report | None = data_of(stored)
    if found is not None:
        context |= contents(found, request.GET.get("method", ""))
        context["flagged"] = flagged_in_agreement(project, found)
    return render(request, "evaluation/report.html", context)


@project_view(observe=POST)
@explaining_refusals("report")
def refresh(request: ProjectRequest, project: Project) -> HttpResponse:
    """Request a new report."""
    options = options_of(request, project)
    reports.request(reports.report_of(project, options, by=request.user), by=request.user)
    return _back(project, options, request.POST.get("method", ""))


@project_view(administer=POST)
def set_schedule(request: ProjectRequest, project: Project) -> HttpResponse:
    """Set how often the report is refreshed automatically."""
    try:
        reports.set_schedule(project, request.POST.get("every", ""))
    except ValueError:
        messages.error(request, _("Choose how often the report is refreshed."))
    else:
        messages.success(request, _("Schedule saved."))
    return redirect("report", project.pk)


@project_view(observe=READ)
def paper(request: ProjectRequest, project: Project) -> HttpResponse:
    """Send what a paper says of the report, as a zip file. Raises Http404 if nothing is judged."""
    data = PAGE.contents(request, project)
    if not data.judged.judgements:
        raise Http404
    return PAGE.send_packed(project, data, "paper", paper_files)


def options_of(request: HttpRequest, project: Project) -> ReportOptions:
    """Return the options of a query such as `?minimum_kappa=0.2&repeats=no&unit=document`.

    Raises BadOption.
    """
    given = request.GET
    unit = given.get("unit", "") or default_options(project).unit
    return ReportOptions(
        minimum_kappa=share(given.get("minimum_kappa", "")),
        minimum_controls=share(given.get("minimum_controls", "")),
        repeats=given.get("repeats", "") != "no",
        predictions=given.get("predictions", "") == "yes",
        unit=cast(UnitName, unit),
        block_size=whole_number(given.get("block_size", "") if unit == "block" else "", BLOCK_SIZE),
        error_free_from=whole_number(given.get("error_free_from", ""), ERROR_FREE_FROM),
    )


PAGE: Final = ReportPage("report", options_of, drawn_figure, table, files)


def _around(
    request: HttpRequest, project: Project, stored: StoredReport, options: ReportOptions
) -> dict[str, Any]:
    known = documents_are_known(project)
    units = sampled_units(project)
    return {
        "page": "report",
        "at": reverse("report", args=[project.pk]),
        "stored": stored,
        "options": options,
        "filters": filters_of(options),
        "units": units[options.unit],
        "choices_of_units": [
            (name, label)
            for name, label in units.items()
            if name in (options.unit, "sentence", "block") or known
        ],
        "documents_known": known,
        "parameters": _parameters(project, options),
        "command": f"manage.py report {project.pk} --output report",
        "waiting": stored.is_unfinished,
        "status": status_of(stored) if stored.is_unfinished else None,
        "age": age(clock.now() - stored.made) if stored.made else "",
        "new": reports.new_since(stored) if stored.made else 0,
        "outdated": stored.made and reports.is_outdated(stored),
        "schedule": reports.schedule_of(project),
        "practice": SimpleLazyObject(lambda: practice_of(project)),
        "schedules": ReportSchedule.Every.choices,
    }


def _parameters(project: Project, options: ReportOptions, method: str = "") -> str:
    """Return the options as a query string; "" for those of the project's own report."""
    chosen = {
        "minimum_kappa": _written(options.minimum_kappa),
        "minimum_controls": _written(options.minimum_controls),
        "repeats": "" if options.repeats else "no",
        "unit": "" if options.unit == default_options(project).unit else options.unit,
        "predictions": "yes" if options.predictions else "",
        "block_size": str(options.block_size) if options.unit == "block" else "",
        "error_free_from": str(options.error_free_from)
        if options.error_free_from != ERROR_FREE_FROM
        else "",
        "method": method,
    }
    return urlencode({name: value for name, value in chosen.items() if value})


def _written(number: float | None) -> str:
    return "" if number is None else f"{number:g}"


def _back(project: Project, options: ReportOptions, method: str) -> HttpResponseRedirect:
    parameters = _parameters(project, options, method if method in SCORES else "")
    address = reverse("report", args=[project.pk])
    return HttpResponseRedirect(f"{address}?{parameters}" if parameters else address)


def contents(report: Report, wanted: str) -> dict[str, Any]:
    """Return the context of the templates; `wanted` is the ranking method, if it exists."""
    methods = [each.method for each in report.ordered_rankings]
    method = wanted if wanted in methods else methods[0]
    ranking = report.rankings[method]
    lead, by_mean = headline(report, method), mean_leader(report)
    of_method = significant_pairs(report, method)
    win_rates_different, win_rates_tested = significant_pairs(report)
    different, tested = (by_mean.different, by_mean.tested) if by_mean else of_method
    marked, assessed = report.marked_errors or report.error_points, report.assessments
    changes = [*report.drift.annotators, report.drift.together]
    ties = sum(row.ties for row in ranking.systems)
    of_report = {made.name: made for made in tables(report)}
    words = figure_words()
    drawn = {each.name: each for each in figures(report) if each.draw(SCREEN, words)}
    return {
        "report": report,
        "tables": of_report,
        "figures": drawn,
        "ordered": report.has_order,
        "has_curve": report.has_curve,
        "method": method,
        "methods": [(name, SCORES[name]) for name in methods],
        "ranking": ranking,
        "ranking_name": f"ranking-{method}",
        "comparisons": " ".join(column.name for column in COMPARISONS),
        "boundaries": ", ".join(figure_text(share, 2) for share in ranking.boundaries),
        "same_text": sum(row.same_text for row in ranking.systems) / ties if ties else None,
        "lacks_intervals": any(row.score.no_interval for row in ranking.systems),
        "headline": None if isinstance(lead, NoLeader) or not report.has_order else lead,
        "mean_leader": by_mean,
        "has_means": bool(marked or assessed or report.scales),
        "any_mean": bool(
            (assessed and assessed.systems)
            or (marked and marked.by_system.systems)
            or (report.scales and report.scales.scales[0].systems)
        ),
        "no_leader": lead.name if isinstance(lead, NoLeader) else "",
        "different": different,
        "tested": tested,
        "win_rates_different": win_rates_different,
        "win_rates_tested": win_rates_tested,
        "left": report.judged.sentences_left,
        "undecided_when": report.undecided and datetime.fromisoformat(report.undecided.when),
        "answer_steps": [PAGE_LANGUAGE.text(label) for label in report.answers.labels]
        if report.answers
        else [],
        "only_ties": has_only_ties(report.agreement, "inter"),
        "biased": excluded_by_kappa(report.options, report.left_out),
        "any_changes": any(
            trend.change.value is not None
            for row in changes
            for trend in (row.seconds, row.agreement)
        ),
        "any_speeds": any(row.seconds.change.value is not None for row in changes),
        "changes_drawn": "speed-changes" in drawn,
        "fewest_drawn": FEWEST_SCREENS,
        "any_controls": any(row.controls for row in report.annotators),
        "any_pairs": any(pair.inter.kappa.value is not None for pair in report.agreement.pairs),
        "judged_twice": report.judged.judgements > report.judged.segments_judged,
        "extensions": list(TABLE_FORMATS),
        "images": list(IMAGE_TYPES),
        "sections": _sections(report, tested=bool(win_rates_tested)),
    }


def _sections(report: Report, *, tested: bool) -> list[tuple[str, str]]:
    """Return id and title of each section of the page, for the list of contents."""
    ordered, marked = report.has_order, report.marked_errors
    scores = _("Scores and marked errors") if marked and marked.marks else _("Scores")
    sections = [
        ("headline-heading", _("In short"), True),
        ("conclusions-heading", _("Which systems differ"), report.conclusions),
        ("marked-errors-heading", scores, report.marked_errors),
        ("error-points-heading", _("Errors and their points"), report.error_points),
        ("scales-heading", _("Scores by scale"), report.scales),
        ("assessments-heading", _("Scores"), report.assessments),
        ("whole-documents-heading", _("Documents as a whole"), report.whole_documents),
        ("columns-heading", _("Side by side"), report.columns),
        ("powered-means-heading", _("With the help of metrics"), report.powered_means),
        ("answers-heading", _("Answers"), report.answers),
        ("edits-heading", _("Edits"), report.edit_rates),
        ("ranking-heading", _("System ranking"), ordered),
        ("powered-heading", _("With predictions from the texts"), ordered and report.powered),
        ("undecided-heading", _("Undecided systems"), ordered and report.undecided),
        ("estimated-heading", _("Estimated systems"), ordered and report.estimated),
        ("pairs-heading", _("Pairwise comparison"), ordered and tested),
        ("agreement-heading", _("How well annotators agree"), ordered),
        ("annotators-heading", _("Annotators"), True),
        ("curve-heading", _("How much is enough?"), report.has_curve),
        ("order-heading", _("Order and time effects"), ordered),
        ("texts-heading", _("Notable cases"), ordered),
        ("left-out-heading", _("Filters"), True),
        ("files-heading", _("Files for your paper"), True),
    ]
    return [(name, title) for name, title, shown in sections if shown]


def filters_of(options: ReportOptions) -> list[str]:
    """Return the filters of the options in words."""
    kappa, controls = options.minimum_kappa, options.minimum_controls
    words = [
        kappa is not None and _("minimum κ %(number)s") % {"number": localize(kappa)},
        controls is not None
        and _("minimum share of controls passed %(number)s") % {"number": localize(controls)},
        not options.repeats and _("without repeats"),
    ]
    return [word for word in words if word]
