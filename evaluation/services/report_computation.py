"""Computation of a project's report from the present judgements."""

from dataclasses import dataclass
from time import perf_counter

from django.utils import timezone

from annotation.common.snapshot import snapshot
from annotation.models import Project
from annotation.selectors import judgements as selectors
from annotation.selectors.judged_sentences import last_submission, segment_words
from annotation.selectors.judgements import ProjectSummary
from evaluation.report.contents import compute
from evaluation.report.options import ReportOptions
from evaluation.report.plain import as_json
from evaluation.report.shape import ProjectPart, ReportData
from evaluation.services.findings import provenance
from evaluation.services.loading import load, load_controls


@dataclass(frozen=True)
class MadeReport:
    """A report, and the id of the last submission that is in it."""

    data: ReportData
    last_submission: int

    @property
    def judgements(self) -> int:
        """The number of judgements, with those that the options leave out."""
        return self.data["left_out"]["of"]


def make_report(project: Project, options: ReportOptions) -> MadeReport:
    """Load the judgements, of one moment, and compute the report: seconds to minutes.

    Raises Project.DoesNotExist where the project was deleted.
    """
    begun = perf_counter()
    with snapshot():
        summary = selectors.project_summary(project)
        left = selectors.sentences_left(project)
        latest = last_submission(project)
        judgements = load(project)
        controls = load_controls(project)
    loaded = perf_counter()
    report = compute(judgements, controls, options)
    data = as_json(
        report,
        project=_described(summary, provenance(project)),
        sentences=judgements.sentences_judged + left,
        sentences_left=left,
        made=timezone.now().isoformat(timespec="seconds"),
        words=segment_words([dispute.segment for dispute in report.disputed]),
    )
    data["seconds"] = {
        "loading": round(loaded - begun, 4),
        **data["seconds"],
        "total": round(perf_counter() - begun, 4),
    }
    return MadeReport(data, latest)


def _described(summary: ProjectSummary, prepared: list[str]) -> ProjectPart:
    return {
        "name": summary.name,
        "source_language": summary.source_language,
        "target_language": summary.target_language,
        "systems": summary.systems,
        "sentences": summary.sentences,
        "segments": summary.segments,
        "candidates": summary.candidates,
        "prepared": prepared,
    }
