"""Statistics and rankings of a project, as commands, the API and pages show them."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from annotation.judging.practice_results import PracticeResults, practice_results
from annotation.kinds import kind_of
from annotation.models import Project
from annotation.pipeline.segment_sample import sample_of
from annotation.selectors import judgements as selectors
from annotation.selectors.exclusion import excluded_of
from evaluation.findings import statistics
from evaluation.findings.evidence import Evidence
from evaluation.findings.options import ReportOptions
from evaluation.findings.serialisation import rounded
from evaluation.findings.statistics import ProjectStatistics
from evaluation.services.loading import load, load_assignments, load_controls
from evaluation.stats.annotators.exclusion import leave_out
from evaluation.stats.judgements import Judgements, natural_key
from evaluation.stats.ranking.systems import (
    EstimatedRanking,
    Ranking,
    SystemResult,
    rank_all,
    rank_by_ratio_of_wins,
)


@dataclass(frozen=True)
class Findings:
    """Ranking and practice of a project; loads its judgements once."""

    project: Project

    @cached_property
    def judgements(self) -> Judgements:
        return load(self.project)

    @cached_property
    def ranking(self) -> Ranking:
        return rank_by_ratio_of_wins(self.judgements)

    @cached_property
    def practice(self) -> PracticeResults:
        """The practice results, in the natural order of the annotators' names."""
        results = practice_results(self.project)
        by_name = sorted(results.annotators, key=lambda row: natural_key(row.annotator))
        return replace(results, annotators=by_name)

    @property
    def ranking_signature(self) -> str:
        return "|".join((str(self.ranking.signature), *provenance(self.project)))


def provenance(project: Project) -> list[str]:
    """Return ["parser NAME VERSION", "aligner NAME VERSION"], as far as they are known.

    The kind of judgement is before them, if signatures name it. Whole sentences have neither.
    "coverage predicates" stands between them if segments were extracted for predicates too. The
    next says which part of the segments is judged, if not all, and the last what is excluded.
    """
    sample = sample_of(project)
    sampled = (
        f"{sample['segments']} of {sample['of']} segments, sampled with seed {sample['seed']}"
        if sample
        else ""
    )
    excluded = _excluded_words(project)
    kind = kind_of(project)
    asked = kind.name.replace("_", " ") if kind.in_signatures else ""
    if project.provenance.get("command") == "import_segments":
        return [part for part in (asked, "segments imported", sampled, excluded) if part]
    if kind.whole_sentences:
        return [part for part in (asked, sampled, excluded) if part]
    parser, aligner = (_tool(part, project.provenance.get(part)) for part in ("parser", "aligner"))
    predicates = project.provenance.get("coverage") == "predicates"
    coverage = "coverage predicates" if predicates else ""
    parts = (asked, parser, coverage, aligner, sampled, excluded)
    return [part for part in parts if part]


def _excluded_words(project: Project) -> str:
    """Return "excluded N sentences, N segments, N candidates, N judgements", without zeros."""
    excluded = excluded_of(project)
    counts = {
        "sentences": excluded.sentences,
        "segments": excluded.segments,
        "candidates": excluded.candidates,
        "judgements": excluded.discarded,
    }
    parts = [f"{count} {name}" for name, count in counts.items() if count]
    return f"excluded {', '.join(parts)}" if parts else ""


def _tool(part: str, tool: object) -> str:
    """Return "parser NAME VERSION", or as much of it as a restored archive has."""
    known = [tool.get(key) for key in ("name", "version")] if isinstance(tool, dict) else []
    words = [str(word) for word in known if word]
    return " ".join((part, *words)) if words else ""


def statistics_of(project: Project) -> ProjectStatistics:
    """Return how much of the project is judged, by whom, and how well annotators agree."""
    summary = selectors.project_summary(project)
    evidence = Evidence(
        load(project),
        ReportOptions(),
        load_controls(project),
        assignments=load_assignments(project),
    )
    return statistics.compute(
        evidence,
        sentences=summary.sentences,
        segments=summary.segments,
        candidates=summary.candidates,
    )


def ranking_report(findings: Findings) -> dict[str, Any]:
    """Return the systems, best first, with 6 decimals; undefined is None."""
    return {
        "systems": [system_report(result) for result in findings.ranking.systems],
        "signature": findings.ranking_signature,
    }


def system_report(result: SystemResult) -> dict[str, Any]:
    return {
        "system": result.system,
        "wins": result.wins,
        "losses": result.losses,
        "ties": result.ties,
        "same_text": result.same_text,
        "ties_of_different_texts": result.ties_of_different_texts,
        "ratio_of_wins": rounded(result.ratio_of_wins),
    }


def ranking_now(project: Project, method: str, options: ReportOptions) -> EstimatedRanking:
    """Rank the systems by one method, from the judgements that the options do not exclude.

    There are no intervals: nothing is resampled. Raises KeyError for an unknown method.
    """
    judgements = replace(load(project), provenance=tuple(provenance(project)))
    kept, _left_out = leave_out(judgements, load_controls(project), **options.filters)
    return rank_all(kept, resamples=0, methods=(method,))[method]


def ranking_by(findings: Findings, method: str) -> EstimatedRanking:
    """Rank the systems by one method, with intervals of 1000 resamples.

    Raises KeyError for an unknown method.
    """
    judgements = replace(findings.judgements, provenance=tuple(provenance(findings.project)))
    return rank_all(judgements, methods=(method,))[method]
