"""The page of the stored report, its refresh and its schedule."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, cast
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import localize
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.utils.translation import gettext as translated  # no msgid is extracted
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.models import Project, User
from annotation.projects.permissions import (
    observed_project,
    project_to_administer,
    project_to_observe,
)
from annotation.selectors import judgements
from annotation.selectors.documents import documents_are_known
from evaluation.models import ReportSchedule, StoredReport
from evaluation.report.figures import figure, figures
from evaluation.report.figures.intervals import FEWEST_SCREENS
from evaluation.report.figures.rendering import IMAGE_TYPES
from evaluation.report.files import files
from evaluation.report.formats import TABLE_FORMATS
from evaluation.report.marked_errors import measures
from evaluation.report.options import ReportOptions, block_size, share
from evaluation.report.readings import (
    NoLeader,
    excluded_by_kappa,
    grade_and_label,
    has_curve,
    has_only_ties,
    has_order,
    headline,
    mean_leader,
    significant_pairs,
)
from evaluation.report.shape import AnnotatorRow, ReportData, SignificancePart
from evaluation.report.tables import table, tables
from evaluation.services import reports
from evaluation.services.findings import Findings
from evaluation.services.quality import flagged_in_agreement
from evaluation.stats.units import UnitName
from evaluation.templatetags.findings import figure as figure_text
from evaluation.web.report_texts import (
    METHODS_EXPLAINED,
    RANKING_LABELS,
    SAMPLED,
    SCORE_LABELS,
    TABLE_CAPTIONS,
    age,
)
from evaluation.web.views.stored_report import ReportPage, explaining_refusals, status_of


@never_cache
@login_required
@require_safe
@explaining_refusals("report")
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the stored report and its age; request it if there is none.

    `?method=` selects the ranking; for the other parameters see `options_of`.
    """
    project, mine = observed_project(request.user, pk)
    # Lazy, because counting takes long and most pages do not show the counts.
    summary = SimpleLazyObject(lambda: judgements.project_summary(project))
    context: dict[str, Any] = {"project": project, "mine": mine, "summary": summary}
    if project.state in (Project.State.PREPARING, Project.State.FAILED):
        return render(request, "evaluation/report.html", context)
    options = options_of(request)
    stored = reports.report_of(project, options, by=cast(User, request.user))
    context |= _around(request, project, stored, options)
    if stored.data is not None:
        context |= contents(stored.data, request.GET.get("method", ""))
        context["flagged"] = flagged_in_agreement(project, stored.data)
    return render(request, "evaluation/report.html", context)


@never_cache
@login_required
@require_POST
@explaining_refusals("report")
def refresh(request: HttpRequest, pk: int) -> HttpResponse:
    """Request a new report."""
    project = project_to_observe(request.user, pk)
    options = options_of(request)
    user = cast(User, request.user)
    reports.request(reports.report_of(project, options, by=user), by=user)
    return _back(project, options, request.POST.get("method", ""))


@never_cache
@login_required
@require_POST
def set_schedule(request: HttpRequest, pk: int) -> HttpResponse:
    """Set how often the report is refreshed automatically."""
    project = project_to_administer(request.user, pk)
    try:
        reports.set_schedule(project, request.POST.get("every", ""))
    except ValueError:
        messages.error(request, _("Choose how often the report is refreshed."))
    else:
        messages.success(request, _("Schedule saved."))
    return redirect("report", pk)


def options_of(request: HttpRequest) -> ReportOptions:
    """Return the options of a query such as `?minimum_kappa=0.2&repeats=no&unit=document`.

    Raises BadOption.
    """
    given = request.GET
    unit = given.get("unit", "") or "sentence"
    return ReportOptions(
        minimum_kappa=share(given.get("minimum_kappa", "")),
        minimum_controls=share(given.get("minimum_controls", "")),
        repeats=given.get("repeats", "") != "no",
        predictions=given.get("predictions", "") == "yes",
        unit=cast(UnitName, unit),
        block_size=block_size(given.get("block_size", "") if unit == "block" else ""),
    )


PAGE: Final = ReportPage(
    "report", lambda request, _project: options_of(request), figure, table, files
)


def _around(
    request: HttpRequest, project: Project, stored: StoredReport, options: ReportOptions
) -> dict[str, Any]:
    known = documents_are_known(project)
    return {
        "page": "report",
        "at": reverse("report", args=[project.pk]),
        "stored": stored,
        "options": options,
        "filters": filters_of(options),
        "units": SAMPLED[options.unit],
        "choices_of_units": [
            (name, label)
            for name, label in SAMPLED.items()
            if name in (options.unit, "sentence", "block") or known
        ],
        "documents_known": known,
        "parameters": _parameters(options),
        "waiting": stored.is_waiting,
        "status": status_of(stored) if stored.is_waiting else None,
        "age": age(timezone.now() - stored.made) if stored.made else "",
        "new": reports.new_since(stored) if stored.made else 0,
        "outdated": stored.made and reports.is_outdated(stored),
        "schedule": reports.schedule_of(project),
        "findings": Findings(project),
        "schedules": ReportSchedule.Every.choices,
    }


def _parameters(options: ReportOptions, method: str = "") -> str:
    """Return the options as a query string; "" for default options."""
    chosen = {
        "minimum_kappa": _written(options.minimum_kappa),
        "minimum_controls": _written(options.minimum_controls),
        "repeats": "" if options.repeats else "no",
        "unit": "" if options.unit == "sentence" else options.unit,
        "predictions": "yes" if options.predictions else "",
        "block_size": str(options.block_size) if options.unit == "block" else "",
        "method": method,
    }
    return urlencode({name: value for name, value in chosen.items() if value})


def _written(number: float | None) -> str:
    return "" if number is None else f"{number:g}"


def _back(project: Project, options: ReportOptions, method: str) -> HttpResponseRedirect:
    parameters = _parameters(options, method if method in RANKING_LABELS else "")
    address = reverse("report", args=[project.pk])
    return HttpResponseRedirect(f"{address}?{parameters}" if parameters else address)


def contents(data: ReportData, wanted: str) -> dict[str, Any]:
    """Return the context of the templates; `wanted` is the ranking method, if it exists."""
    methods = [name for name in RANKING_LABELS if name in data["rankings"]]
    method = wanted if wanted in methods else methods[0]
    lead = headline(data, method)
    by_mean = mean_leader(data)
    means = data.get("assessments") or data.get("marked_errors")
    different, tested = (
        (by_mean.different, by_mean.tested) if by_mean else significant_pairs(data, method)
    )
    changes = [*data["drift"]["annotators"], data["drift"]["together"]]
    measured, disagreements = _measures(data), _disagreements(data)
    drawn = [name for name, _specification in figures(data)]
    return {
        "report": data,
        "ordered": has_order(data),
        "has_curve": has_curve(data),
        "method": method,
        "methods": [(name, RANKING_LABELS[name]) for name in methods],
        "explained": METHODS_EXPLAINED[method],
        "ranking": data["rankings"].get(method),
        "ranking_name": f"ranking-{method}",
        "boundaries": ", ".join(
            figure_text(share, 2) for share in data["rankings"][method]["boundaries"]
        ),
        "same_text": _same_text(data, method),
        "headline": None if isinstance(lead, NoLeader) or not has_order(data) else lead,
        "mean_leader": by_mean,
        "any_mean": bool(means and means["systems"]),
        "no_leader": lead.name if isinstance(lead, NoLeader) else "",
        "different": different,
        "tested": tested,
        # Widths are whole points of scores up to 100.
        "curve_places": 0 if data["learning_curve"].get("method") == "mean_score" else 2,
        "curve_label": SCORE_LABELS[data["learning_curve"].get("method", "ratio_of_wins")],
        "effects_label": SCORE_LABELS[data["annotator_effects"].get("method", "ratio_of_wins")],
        "win_rates_tested": significant_pairs(data)[1],
        "left": data["judged"]["sentences_left"],
        "system_pairs": _system_pairs(data["significance"]),
        **_undecided(data),
        **_assessments(data),
        **_answers(data),
        **_marked_errors(data),
        **_edit_rates(data),
        "measures": measured,
        "agreement_lacks_intervals": _reasons_of(measured),
        "only_ties": has_only_ties(data, "inter"),
        "biased": excluded_by_kappa(data),
        "disagreements": disagreements,
        "disagreement_lacks_intervals": _reasons_of(disagreements),
        "effects": _effects(data),
        "powers": [
            {**data["power"]["one_pair"], "name": _("One pair of systems")},
            {**data["power"]["all_pairs"], "name": _("All pairs, corrected (Holm)")},
        ],
        "changes": changes,
        "any_changes": any(
            row[what]["value"] is not None for row in changes for what in ("seconds", "agreement")
        ),
        "any_speeds": any(row["seconds"]["value"] is not None for row in changes),
        "drawn": drawn,
        "changes_drawn": "speed-changes" in drawn,
        "fewest_drawn": FEWEST_SCREENS,
        "any_controls": any(row["controls"] for row in data["annotators"]),
        "together": _together(data["annotators"]),
        "any_pairs": any(row["kappa"] is not None for row in data["pairs"]),
        "judged_twice": data["judged"]["judgements"] > data["judged"]["segments_judged"],
        "tables": [(made.name, TABLE_CAPTIONS[made.name]) for made in tables(data)],
        "extensions": list(TABLE_FORMATS),
        "images": list(IMAGE_TYPES),
        "sections": _sections(data, tested=bool(significant_pairs(data)[1])),
    }


def _sections(data: ReportData, *, tested: bool) -> list[tuple[str, str]]:
    """Return id and title of each section of the page, for the list of contents."""
    ordered = has_order(data)
    sections = [
        ("headline-heading", _("In short"), True),
        ("marked-errors-heading", _("Scores and marked errors"), "marked_errors" in data),
        ("assessments-heading", _("Scores"), data.get("assessments")),
        ("answers-heading", _("Answers"), data["answers"]),
        ("edits-heading", _("Edits"), data["edit_rates"]),
        ("ranking-heading", _("System ranking"), ordered),
        ("powered-heading", _("With predictions from the texts"), ordered and data["powered"]),
        ("undecided-heading", _("Undecided systems"), ordered and data["undecided"]),
        ("estimated-heading", _("Estimated systems"), ordered and data["estimated"]),
        ("pairs-heading", _("Pairwise comparison"), ordered and tested),
        ("agreement-heading", _("How well annotators agree"), ordered),
        ("annotators-heading", _("Annotators"), True),
        ("curve-heading", _("How many sentences are enough?"), has_curve(data)),
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


def _together(rows: list[AnnotatorRow]) -> dict[str, Any]:
    """Return the sums of the table of annotators; `assignments` is None if they are unknown."""
    known = [row["assignments"] for row in rows if row["assignments"] is not None]
    return {
        "assignments": sum(known) if known else None,
        "seconds": sum(row["seconds"] or 0 for row in rows),
        "controls": sum(row["controls"] for row in rows),
        "controls_passed": sum(row["controls_passed"] for row in rows),
    }


def _undecided(data: ReportData) -> dict[str, Any]:
    """Return what the part about undecided systems shows, if there is one."""
    part = data["undecided"]
    if part is None:
        return {}
    return {
        "undecided_when": datetime.fromisoformat(part["when"]),
        "undecided_pairs": _system_pairs(part["significance"]),
    }


def _assessments(data: ReportData) -> dict[str, Any]:
    """Return what the part about scores of single translations shows, if there is one."""
    part = data.get("assessments")
    if not part:
        return {}
    untested = [
        test["undefined"] for row in part["annotators"] for test in (row["low"], row["repeats"])
    ]
    return {
        "assessments_lack": _reasons_of(part["systems"]),
        "assessments_untested": [reason for reason in dict.fromkeys(untested) if reason],
    }


def _answers(data: ReportData) -> dict[str, Any]:
    """Return what the part about answers on a scale shows, if there is one."""
    part = data["answers"]
    if part is None:
        return {}
    # The kinds of judgement list these labels for translation.
    steps = part["steps"] if part["own_labels"] else [translated(each) for each in part["steps"]]
    kappas = [
        (_("Intra-annotator κ"), part["agreement"]["intra"]),
        (_("Inter-annotator κ"), part["agreement"]["inter"]),
    ]
    if decided := part["decided_agreement"]:
        middle = {"answer": steps[1]}
        kappas += [
            (_("Intra-annotator κ without “%(answer)s”") % middle, decided["intra"]),
            (_("Inter-annotator κ without “%(answer)s”") % middle, decided["inter"]),
        ]
    estimates = [each for row in part["systems"] for each in (row["grade"], row["decided"]) if each]
    return {
        "answer_steps": steps,
        "answer_grades": ", ".join(
            grade_and_label(grade, label)
            for grade, label in zip(part["grades"], steps, strict=True)
        ),
        "answer_measures": [
            {**row, "name": name, "width": _width(dict(row)), "read": True} for name, row in kappas
        ],
        "answer_agreement_lacks_intervals": _reasons_of(row for _name, row in kappas),
        "grade_pairs": part["pairs"]["pairs"],
        "answers_lack_intervals": _reasons_of(estimates, besides=part["only_sentences"]),
    }


def _reasons_of(rows: Iterable[Mapping[str, Any]], *, besides: str = "") -> list[str]:
    """Return each reason why an interval of these rows is missing, once."""
    reasons = (row["no_interval"] or row["no_wide_interval"] for row in rows)
    return [reason for reason in dict.fromkeys(reasons) if reason not in ("", besides)]


def _marked_errors(data: ReportData) -> dict[str, Any]:
    """Return what the part about scores and marked errors shows, if there is one."""
    part = data.get("marked_errors")
    if part is None:
        return {}
    names = {
        "marked characters intra": _("Marked characters, by one annotator (F1)"),
        "marked characters with severity intra": _("… with the same severity"),
        "r of scores intra": _("Scores by one annotator (r)"),
        "difference of scores intra": _("Mean difference of scores by one annotator"),
        "marked characters inter": _("Marked characters, by two annotators (F1)"),
        "marked characters with severity inter": _("… with the same severity"),
        "r of scores inter": _("Scores by two annotators (r)"),
        "difference of scores inter": _("Mean difference of scores by two annotators"),
        "α of scores": _("Scores (α)"),
    }
    return {
        "marked_lack": _reasons_of(part["systems"]),
        "mark_measures": [{**row, "name": names[row["measure"]]} for row in measures(part)],
        "marks_lack": _reasons_of(measures(part)),
    }


def _edit_rates(data: ReportData) -> dict[str, Any]:
    """Return what the part about edits shows, if there is one."""
    part, answers = data["edit_rates"], data["answers"]
    if part is None or answers is None:
        return {}
    steps = {row["system"]: row["steps"] for row in answers["systems"]}
    rates = [row["rate"] for row in part["systems"]]
    return {
        "edited_systems": [
            {**row, "right": steps[row["system"]][0], "unable": steps[row["system"]][-1]}
            for row in part["systems"]
        ],
        "edit_rates_lack_intervals": _reasons_of(rates, besides=part["only_sentences"]),
    }


def _system_pairs(part: SignificancePart) -> list[dict[str, Any]]:
    """Return the rows of the table of pairs of systems."""
    names = part["systems"]
    return [
        {
            "system": names[x],
            "other": names[y],
            "wins": part["wins"][x][y],
            "losses": part["losses"][x][y],
            "ties_of_different_texts": part["ties_of_different_texts"][x][y],
            "same_text": part["same_text"][x][y],
            "win_rate": part["win_rate"][x][y],
            "p": part["p"][x][y],
            "p_holm": part["p_holm"][x][y],
            "wide_p_holm": part["wide_p_holm"][x][y],
            "better": part["better"][x][y],
        }
        for x in range(len(names))
        for y in range(x + 1, len(names))
    ]


def _same_text(data: ReportData, method: str) -> float | None:
    """Return the share of one text in all ties of systems; None without ties."""
    rows = data["rankings"][method]["systems"] if data["rankings"] else []
    ties = sum(row["ties"] for row in rows)
    return sum(row["same_text"] for row in rows) / ties if ties else None


def _measures(data: ReportData) -> list[dict[str, Any]]:
    """Return the rows of the table of agreement; `read` if κ has an interpretation."""
    part = data["agreement"]
    kappas = (
        (_("Intra-annotator κ"), part["intra"], has_only_ties(data, "intra")),
        (_("Inter-annotator κ"), part["inter"], has_only_ties(data, "inter")),
    )
    judged, taus = part["alpha"]["units"], part["tau_b"]
    behind = ngettext("%(n)s pair of candidates", "%(n)s pairs of candidates", judged)
    rows: list[dict[str, Any]] = [
        {**row, "name": name, "value": row["kappa"], "read": True, "only_ties": ties}
        for name, row, ties in kappas
    ]
    rows.append(
        {**part["alpha"], "name": _("Krippendorff’s α"), "behind": behind % {"n": localize(judged)}}
    )
    for name, row in (
        (_("Intra-annotator τ-b"), taus["intra"]),
        (_("Inter-annotator τ-b"), taus["inter"]),
    ):
        pairs = ngettext("%(n)s pair of judgements", "%(n)s pairs of judgements", row["units"])
        rows.append({**row, "name": name, "behind": pairs % {"n": localize(row["units"])}})
    return [{**row, "width": _width(row)} for row in rows]


def _disagreements(data: ReportData) -> list[dict[str, Any]]:
    """Return the rows of the table of kinds of disagreement."""
    part = data["disagreement"]
    intra, inter, units = part["intra"], part["inter"], part["ordinal_alpha"]["units"]
    behind = ngettext("%(n)s pair of candidates", "%(n)s pairs of candidates", units)
    return [
        {**intra["linear"], "name": _("Intra-annotator κ, linear weights"), "kinds": intra},
        {**inter["linear"], "name": _("Inter-annotator κ, linear weights"), "kinds": inter},
        {**intra["quadratic"], "name": _("Intra-annotator κ, quadratic weights"), "kinds": intra},
        {**inter["quadratic"], "name": _("Inter-annotator κ, quadratic weights"), "kinds": inter},
        {
            **part["ordinal_alpha"],
            "name": _("Ordinal α (Krippendorff)"),
            "behind": behind % {"n": localize(units)},
        },
        {
            **intra["reversed_share"],
            "name": _("Reversed, of intra-annotator disagreements"),
            "disagree": intra["one_tied"] + intra["reversed"],
            "reversed": intra["reversed"],
        },
        {
            **inter["reversed_share"],
            "name": _("Reversed, of inter-annotator disagreements"),
            "disagree": inter["one_tied"] + inter["reversed"],
            "reversed": inter["reversed"],
        },
    ]


def _effects(data: ReportData) -> list[dict[str, Any]]:
    part = data["sequence"]
    garbage = {**part["garbage"], "name": _("Carry-over of Garbage from the previous sentence")}
    return [
        # On a scale there is none.
        *([] if data["answers"] else [garbage]),
        {**part["ties"], "name": _("Carry-over of ties from the previous sentence")},
        {**part["place"], "name": _("The candidate shown first is better")},
    ]


def _width(row: dict[str, Any]) -> float:
    """Return the width of the interval on a scale from 0 to 1."""
    low, high = row["low"], row["high"]
    return 0.0 if low is None or high is None else max(0.0, min(1.0, high) - max(0.0, low))
