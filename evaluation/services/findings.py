"""Findings about a project as plain dictionaries: what commands, API and pages give out."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from annotation.judging.practice_results import PracticeResults, practice_results
from annotation.models import Project
from annotation.selectors import judgements as selectors
from annotation.selectors.judgements import ProjectSummary
from evaluation.services.loading import load, load_controls
from evaluation.stats.judgements import Judgements
from evaluation.stats.labels import natural_key
from evaluation.stats.ranking.ranking import Ranking, SystemResult, rank_by_ratio_of_wins
from evaluation.stats.statistics import AnnotatorStatistics, Statistics, describe

DECIMALS = 6


@dataclass(frozen=True)
class Findings:
    """Statistics and ranking of one project, from one reading of its judgements."""

    project: Project

    @cached_property
    def summary(self) -> ProjectSummary:
        return selectors.project_summary(self.project)

    @cached_property
    def judgements(self) -> Judgements:
        return load(self.project)

    @cached_property
    def statistics(self) -> Statistics:
        return describe(self.judgements, load_controls(self.project))

    @cached_property
    def ranking(self) -> Ranking:
        return rank_by_ratio_of_wins(self.judgements)

    @cached_property
    def practice(self) -> PracticeResults:
        """How annotators did in the practice round, in the natural order of their names."""
        results = practice_results(self.project)
        by_name = sorted(results.annotators, key=lambda row: natural_key(row.annotator))
        return replace(results, annotators=by_name)

    @property
    def ranking_signature(self) -> str:
        return "|".join((str(self.ranking.signature), *provenance(self.project)))


def provenance(project: Project) -> list[str]:
    """Return what cut and aligned: ["parser NAME VERSION", "aligner NAME VERSION"], if known.

    Between them stands "coverage predicates" where segments were cut for predicates too.
    """
    if project.provenance.get("made_by") == "import_segments":
        return ["segments imported"]
    parser, aligner = (_tool(part, project.provenance.get(part)) for part in ("parser", "aligner"))
    predicates = project.provenance.get("coverage") == "predicates"
    coverage = "coverage predicates" if predicates else ""
    return [part for part in (parser, coverage, aligner) if part]


def _tool(part: str, tool: object) -> str:
    """Return "parser NAME VERSION", or as much as a restored archive knows of it."""
    known = [tool.get(key) for key in ("name", "version")] if isinstance(tool, dict) else []
    words = [str(word) for word in known if word]
    return " ".join((part, *words)) if words else ""


def statistics_report(findings: Findings) -> dict[str, Any]:
    """Return the totals and the table of annotators; undefined is None.

    Numbers that are not counts are rounded to 6 decimals.
    """
    statistics, agreement = findings.statistics, findings.statistics.agreement
    return {
        "sentences": findings.summary.sentences,
        "sentences_judged": statistics.sentences_judged,
        "segments": findings.summary.segments,
        "candidates": findings.summary.candidates,
        "judgements": statistics.judgements,
        "expected_agreement": rounded(agreement.chance.expected),
        "kappa_intra": rounded(agreement.intra.kappa),
        "kappa_inter": rounded(agreement.inter.kappa),
        "controls": statistics.together.controls.judged,
        "controls_passed": statistics.together.controls.passed,
        "annotators": [_annotator(row) for row in statistics.annotators],
    }


def ranking_report(findings: Findings) -> dict[str, Any]:
    """Return the systems, best first, and the signature; ratios rounded to 6 decimals or None."""
    return {
        "systems": [system_report(result) for result in findings.ranking.systems],
        "signature": findings.ranking_signature,
    }


def _annotator(row: AnnotatorStatistics) -> dict[str, Any]:
    return {
        "annotator": row.annotator,
        "sentences": row.sentences,
        "segments": row.segments,
        "seconds": rounded(row.seconds),
        "seconds_per_segment": rounded(row.seconds_per_segment),
        "kappa_intra": rounded(row.intra.kappa),
        "kappa_inter": rounded(row.inter.kappa),
        "controls": row.controls.judged,
        "controls_passed": row.controls.passed,
    }


def system_report(result: SystemResult) -> dict[str, Any]:
    return {
        "system": result.system,
        "wins": result.wins,
        "losses": result.losses,
        "ties": result.ties,
        "ratio_of_wins": rounded(result.ratio_of_wins),
    }


def rounded(number: float | None) -> float | None:
    return None if number is None else round(number, DECIMALS)
