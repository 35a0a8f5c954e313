"""Why a report's plain JSON has null, beside it, and what its figures rest on."""

from evaluation.report.contents import Report
from evaluation.report.shape import ReportData
from evaluation.stats.ranking.significance import Significance


def put_reasons(data: ReportData, report: Report) -> None:
    """Write into the report's JSON why figures lack, and on how many sentences others rest."""
    data["significance"]["undefined"] = _why_untested(report.significance)
    for method, ranking in report.rankings.items():
        for row, system in zip(data["rankings"][method]["systems"], ranking.systems, strict=True):
            row["no_interval"] = system.score.no_interval
    left_out = {row.annotator: row for row in report.left_out.annotators}
    for annotator in data["left_out"]["annotators"]:
        person = left_out[annotator["annotator"]]
        annotator["sentences_intra"] = person.sentences_intra
        annotator["sentences_inter"] = person.sentences_inter


def _why_untested(found: Significance) -> list[list[str]]:
    """Return systems × systems; "" on the diagonal, where nobody expects a figure."""
    places = range(len(found.system_names))
    return [["" if x == y else found.undefined(x, y) for y in places] for x in places]
