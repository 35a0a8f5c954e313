"""Statistics and rankings of a project, as commands, the API and pages show them."""

from dataclasses import replace

from annotation.judging.practice_results import PracticeResults, practice_results
from annotation.kinds import kind_of
from annotation.models import Project
from annotation.projects.provenance import provenance_of
from annotation.selectors import judgements as selectors
from annotation.selectors.exclusion import excluded_of
from evaluation.findings import statistics
from evaluation.findings.evidence import Evidence
from evaluation.findings.options import ReportOptions
from evaluation.findings.statistics import ProjectStatistics
from evaluation.services.kinds import unit_of
from evaluation.services.loading import load, load_assignments, load_controls
from evaluation.stats.annotators.exclusion import leave_out
from evaluation.stats.judgements import natural_key
from evaluation.stats.ranking.same_texts import count_same_texts, systems_asked
from evaluation.stats.ranking.systems import (
    EstimatedRanking,
    rank_all,
)


def practice_of(project: Project) -> PracticeResults:
    """Return the practice results, in the natural order of the annotators' names."""
    results = practice_results(project)
    annotators = sorted(results.annotators, key=lambda row: natural_key(row.annotator))
    return replace(results, annotators=annotators)


def provenance(project: Project) -> list[str]:
    """Return ["parser NAME VERSION", "aligner NAME VERSION"], as far as they are known.

    The kind of judgement is before them, if signatures name it. Whole sentences have neither.
    "coverage predicates" stands between them if segments were extracted for predicates too. The
    next says which part of the segments is judged, if not all, then what is excluded, and the last
    how many judgements were made with aids, if any.
    """
    made = provenance_of(project)
    sample = made.sample
    sampled = (
        f"{sample.segments} of {sample.of} segments, sampled with seed {sample.seed}"
        if sample
        else ""
    )
    excluded, aided = _excluded_words(project), _aided_words(project)
    kind = kind_of(project)
    asked = kind.name.replace("_", " ") if kind.in_signatures else ""
    if made.command == "import_segments":
        return [part for part in (asked, "segments imported", sampled, excluded, aided) if part]
    parts = (asked, *unit_of(project).programs(made), sampled, excluded, aided)
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


def _aided_words(project: Project) -> str:
    """Return "aids: NAME in N of N judgements, NAME in N of N judgements", "" without any."""
    aided = selectors.aided_judgements(project)
    parts = [
        f"{name} in {with_it} of {with_it + without} judgements"
        for name, (with_it, without) in aided.items()
    ]
    return f"aids: {', '.join(parts)}" if parts else ""


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


def ranking_now(
    project: Project, method: str, options: ReportOptions, *, resamples: int = 0
) -> EstimatedRanking:
    """Rank the systems by one method, from the judgements that the options do not exclude.

    Without `resamples` there are no intervals. Raises KeyError for an unknown method.
    """
    given = load(project, with_documents=options.unit == "document").sampled_by(options.sampled)
    judgements = replace(given, provenance=tuple(provenance(project)))
    kept, _left_out = leave_out(judgements, load_controls(project), **options.filters)
    columns = unit_of(project).load_columns(project) or {}
    texts = count_same_texts(kept, systems_asked(kept, columns))
    return rank_all(kept, resamples=resamples, methods=(method,), texts=texts)[method]
