"""Which pairs of systems the stored report of a project leaves undecided."""

from dataclasses import dataclass
from datetime import datetime

from django import template

from annotation.models import Project
from evaluation.findings.pairs import undecided_pairs as pairs_of
from evaluation.findings.report import Report
from evaluation.findings.serialisation import from_json, shape_of
from evaluation.findings.undecided import UndecidedRanking
from evaluation.models import StoredReport, default_options
from evaluation.stats.ranking.significance import Significance

register = template.Library()


@dataclass(frozen=True)
class ReportedPairs:
    """The pairs that a report, made then, does not tell apart."""

    pairs: list[tuple[str, str]]
    made: datetime


@register.simple_tag
def undecided_pairs(project: Project) -> ReportedPairs | None:
    """Return the pairs by the report with default options; None if there is none. One query."""
    reports = StoredReport.objects.filter(
        project=project,
        key=default_options(project).key,
        made__isnull=False,
        shape=shape_of(Report),
    )
    found = reports.values_list("data__significance", "data__undecided", "made").first()
    if found is None:
        return None
    part, undecided, made = found
    assert made is not None
    # Among the systems that are left, it knows more.
    significance = (
        from_json(undecided, UndecidedRanking).significance
        if undecided
        else from_json(part, Significance)
    )
    pairs = pairs_of(significance)
    return ReportedPairs(pairs, made)
