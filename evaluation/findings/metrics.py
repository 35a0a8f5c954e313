"""How far the automatic metrics of a project agree with its annotators, in the order of the page.

System level: the scores of whole systems by each metric beside those by people. Segment level:
which of two translations of a sentence, or of two candidates of a segment, is better.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from evaluation.findings import metric_scores, metric_segments, metric_systems
from evaluation.findings.metric_scores import (
    Gold,
    GoldSystem,
    MetricScores,
    ScoredMetric,
    scores_of,
)
from evaluation.findings.metric_segments import ScoreAgreement
from evaluation.findings.options import MetricsOptions
from evaluation.findings.serialisation import as_stored
from evaluation.meta.decisions import Decisions, bootstrap_p, compare_decisions, paired_t_p
from evaluation.meta.gold_pairs import GoldPairs
from evaluation.meta.intervals import ResampledScores, resample_human_scores
from evaluation.meta.mean_scores import MEANS, MeanScores, pairs_by_mean
from evaluation.meta.permutation import PermutationTests, Swapped, compare_by_permutation
from evaluation.meta.project_gold import (
    annotators_as_metric,
    candidate_pairs,
    net_wins,
    segment_comparisons,
    sentence_pairs,
)
from evaluation.meta.resampled_metrics import ResampledMetric, resample_metric
from evaluation.meta.segment_tau import MetricTaus, segment_taus, winners
from evaluation.meta.soft_accuracy import SegmentScores
from evaluation.meta.system_level import MetricFigures, SystemLevel, SystemSet, evaluate_systems
from evaluation.meta.system_scores import SystemScores
from evaluation.meta.williams import SIGNIFICANT
from evaluation.rendering.figures import Figure
from evaluation.rendering.tables import Table
from evaluation.rendering.text import Text
from evaluation.stats.estimates import VERSION, Estimate, signed
from evaluation.stats.judgements import Codes, Judgements
from evaluation.stats.ranking.systems import BY_WINS, rank_all
from evaluation.stats.resampling import Floats
from evaluation.stats.wins import count_cells


@dataclass(frozen=True, eq=False)
class ScoredCandidates:
    """Scores of C candidates by name, with signatures; see `candidate_pairs` for the codes."""

    scores: Mapping[str, Floats]
    signatures: Mapping[str, str]
    first_candidates: Codes
    count: int


@dataclass(frozen=True)
class EvaluatedProject:
    """The project; `prepared` names the parser and the aligner."""

    name: str
    source_language: str
    target_language: str
    prepared: tuple[str, ...] = ()


@dataclass(frozen=True)
class ScoredTexts:
    """What was scored: `sentences` with a reference, of `all_sentences` of the project.

    `references` is the largest number that a sentence has. `without_outputs` are systems that have
    no whole outputs, and are left out.
    """

    sentences: int
    all_sentences: int
    references: int
    without_outputs: tuple[str, ...]


@dataclass(frozen=True)
class MetricsSurroundings:
    """What an evaluation says besides what is computed from judgements; see `MetricsReport`."""

    project: EvaluatedProject
    texts: ScoredTexts
    made: str
    options: MetricsOptions = field(default_factory=MetricsOptions)
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class MetricsReport:
    """All findings about the metrics of a project; `made` is the ISO time.

    `comparisons` are of systems by segment, `pairs` of systems by sentence, `candidates` of
    candidates; the last are empty where candidates were not scored. `annotators` are another one,
    and the same one again, as if they were metrics of candidates: a ceiling. `score_agreement`
    is by name of the metric, and `decisions` how often it tells two systems apart by the judged
    sentences as people do. `problems` are what is wrong with imported scores, a sentence each.
    """

    project: EvaluatedProject
    made: str
    signature: str
    options: MetricsOptions
    seconds: dict[str, float]
    texts: ScoredTexts
    judgements: int
    sentences_judged: int
    gold: Gold
    metrics: tuple[MetricScores, ...]
    system_level: SystemLevel
    comparisons: tuple[MetricTaus, ...]
    pairs: tuple[MetricTaus, ...]
    candidates: tuple[MetricTaus, ...]
    annotators: tuple[MetricTaus, ...]
    score_agreement: dict[str, ScoreAgreement]
    decisions: dict[str, Decisions]
    permutations: tuple[PermutationTests, ...]
    problems: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        return [row.metric for row in self.metrics]

    @property
    def fixed(self) -> list[str]:
        """The metrics whose scores of systems are not resampled with the sentences."""
        return [
            row.metric
            for row in self.metrics
            if not row.resampled and any(score is not None for score in row.scores.values())
        ]


def evaluate_metrics(
    judgements: Judgements,
    metrics: Sequence[ScoredMetric],
    candidates: ScoredCandidates | None,
    around: MetricsSurroundings,
    means: MeanScores | None = None,
) -> MetricsReport:
    """Return how far metrics agree with the judgements of their systems.

    Systems and sentences of the scores are those of the judgements, in their order. Intervals by
    sentence resample people's judgements and the metrics' statistics alike. The golds MEANS take
    `means`. Raises InputError for an unknown outlier, for fewer than two systems with a score by
    people, and for one of MEANS without `means`; ValueError if shapes differ.
    """
    options = around.options
    outliers, resamples, seed = options.outliers, options.resamples, options.seed
    if options.gold in MEANS:
        people = _by_means(judgements, means, resamples, seed)
    else:
        people = _by_wins(judgements, options.gold, resamples, seed)
    scored = dict(zip(judgements.system_names, people.of_systems, strict=True))
    names = tuple(name for name in judgements.system_names if scored[name].value is not None)
    if len(names) < 2:
        raise InputError(
            _("Annotators judged fewer than two systems with whole outputs and a reference.")
            if options.gold in MEANS
            else _(
                "Annotators preferred too few systems to compare metrics with: judge more "
                "sentences."
            )
        )
    for name in outliers or ():
        if name not in names:
            raise InputError(
                _("There is no judged system %(name)r to leave out; there are %(known)s."),
                name=name,
                known=", ".join(names),
            )
    kept = [judgements.system_names.index(name) for name in names]
    scores = SystemScores(
        systems=names,
        human=np.array([scored[name].value for name in names], dtype=np.float64),
        metrics=tuple(metric.name for metric in metrics),
        scores=np.array([metric.of_systems[kept] for metric in metrics]).reshape(-1, len(names)),
    )
    of_sentences = {
        metric.name: metric.of_sentences for metric in metrics if metric.of_sentences is not None
    }
    of_people = people.of_sentences
    # Judgements of some sentences may be left out: their columns are empty.
    judged = np.asarray(np.isfinite(of_people).any(axis=0))
    missing = np.full(of_people.shape, np.nan)
    segments = SegmentScores(
        scores.metrics,
        of_people[kept],
        np.array([of_sentences.get(name, missing)[kept] for name in scores.metrics]).reshape(
            -1, len(kept), of_people.shape[1]
        ),
    )
    of_resamples = {
        metric.name: resample_metric(metric.statistics, judgements, resamples=resamples, seed=seed)
        for metric in metrics
        if metric.statistics is not None
    }
    of_resampled_sentences = np.broadcast_to(
        scores.scores, (resamples, *scores.scores.shape)
    ).copy()
    for row, name in enumerate(scores.metrics):
        if name in of_resamples:
            of_resampled_sentences[:, row] = of_resamples[name].of_all[:, kept]
    resampled = people.resampled(
        kept, scores.scores, of_resampled_sentences if of_resamples else None
    )
    again: dict[str, Any] = {"resamples": resamples, "seed": seed}
    gold = Gold(
        method=options.gold,
        systems=tuple(
            sorted(
                (GoldSystem(name, scored[name]) for name in names),
                key=lambda row: -(row.score.value or 0.0),
            )
        ),
        words=people.words,
    )
    found = MetricsReport(
        project=around.project,
        made=around.made,
        signature="|".join(
            (
                "evaluation of metrics",
                f"gold {options.gold}",
                *people.words,
                f"{resamples} resamples of {judgements.unit}",
                f"seed {seed}",
                f"judgements {len(judgements)}",
                f"sentences {judgements.sentences_judged}",
                f"SegRanks {VERSION}",
                *around.project.prepared,
            )
        ),
        options=options,
        seconds={},
        texts=around.texts,
        judgements=len(judgements),
        sentences_judged=judgements.sentences_judged,
        gold=gold,
        metrics=tuple(scores_of(metric, judgements.system_names) for metric in metrics),
        system_level=evaluate_systems(
            scores,
            outliers=outliers,
            segments=segments,
            soft_draws=resamples,
            resampled=resampled,
            resamples_of_systems=resamples,
            seed=seed,
        ),
        comparisons=segment_taus(segment_comparisons(judgements), of_sentences, **again),
        pairs=segment_taus(people.pairs, of_sentences, **again),
        candidates=segment_taus(
            candidate_pairs(judgements, candidates.first_candidates, candidates.count),
            candidates.scores,
            **again,
        )
        if candidates
        else (),
        annotators=tuple(
            annotators_as_metric(judgements, same=same, **again) for same in (False, True)
        ),
        score_agreement=metric_segments.agreement_of_scores(of_people, of_sentences, **again),
        decisions=_decisions(of_people, metrics, of_resamples, kept, judged),
        permutations=_permutations(
            of_people[kept][:, judged],
            {name: values[kept][:, judged] for name, values in of_sentences.items()},
            resamples,
            seed,
        ),
        problems=around.problems,
    )
    return as_stored(found)


@dataclass(frozen=True, eq=False)
class _People:
    """Scores by people: of K systems, of K × S sentences, and the pairs of systems in sentences.

    `resampled` returns the scores of the kept systems in resamples, given the metrics' M × N scores
    and those of resampled sentences (B × M × N) or None. `words` are for the signature.
    """

    of_systems: Sequence[Estimate]
    of_sentences: Floats
    pairs: GoldPairs
    resampled: Callable[[Sequence[int], Floats, Floats | None], tuple[ResampledScores, ...]]
    words: tuple[str, ...] = ()


def _by_wins(judgements: Judgements, gold: str, resamples: int, seed: int) -> _People:
    cells = count_cells(judgements)
    ranking = rank_all(judgements, resamples=resamples, seed=seed, methods=(gold,), cells=cells)
    scored = {row.system: row.score for row in ranking[gold].systems}

    def resampled(
        kept: Sequence[int], scores: Floats, again: Floats | None
    ) -> tuple[ResampledScores, ...]:
        return resample_human_scores(
            cells.by_sentence,
            lambda wins: BY_WINS[gold].scores(wins)[..., kept],
            scores,
            of_resampled_sentences=again,
            resamples=resamples,
            seed=seed,
        )

    return _People(
        [scored[name] for name in judgements.system_names],
        net_wins(judgements),
        sentence_pairs(judgements),
        resampled,
    )


def _by_means(
    judgements: Judgements, means: MeanScores | None, resamples: int, seed: int
) -> _People:
    if means is None:
        raise InputError(
            _("The annotators’ answers have no such score in this project: choose another gold.")
        )
    human = means.resampled(resamples=resamples, seed=seed)

    def resampled(
        kept: Sequence[int], scores: Floats, again: Floats | None
    ) -> tuple[ResampledScores, ...]:
        of_metrics = scores if again is None else again
        sentences = len(means.ratios.by_unit)
        return (ResampledScores("sentences", sentences, seed, human[:, kept], of_metrics),)

    return _People(
        means.estimates(human, judgements),
        means.of_sentences,
        pairs_by_mean(judgements, means),
        resampled,
        means.words,
    )


def _decisions(
    people: Floats,
    metrics: Sequence[ScoredMetric],
    of_resamples: Mapping[str, ResampledMetric],
    kept: Sequence[int],
    judged: NDArray[np.bool_],
) -> dict[str, Decisions]:
    """Compare decisions about pairs of systems, from the sentences that people judged.

    People: one-sided rank-sum tests of net wins, as in WMT20. Metrics, two-sided: paired t-tests of
    sentence scores, or the bootstrap if the score of a system is not their mean.
    """
    p = {}
    for metric in metrics:
        if metric.of_sentences is None:
            continue
        values = metric.of_sentences[kept][:, judged]
        if not np.isfinite(values).all():
            continue
        p[metric.name] = (
            bootstrap_p(of_resamples[metric.name].of_judged[:, kept])
            if metric.decided_by == "bootstrap"
            else paired_t_p(values)
        )
    return compare_decisions(people[kept][:, judged], p)


def _permutations(
    people: Floats, metrics: Mapping[str, Floats], permutations: int, seed: int
) -> tuple[PermutationTests, ...]:
    """Test the differences of r by permutations (Deutsch et al. 2021); none for one metric."""
    complete = {name: values for name, values in metrics.items() if np.isfinite(values).all()}
    if len(complete) < 2 or not np.isfinite(people).any(axis=1).all() or len(people) < 3:
        return ()
    scores = np.array(list(complete.values()))
    kinds: tuple[Swapped, ...] = ("systems", "inputs", "both")
    return tuple(
        compare_by_permutation(
            tuple(complete), people, scores, swapped=swapped, permutations=permutations, seed=seed
        )
        for swapped in kinds
    )


def tables(report: MetricsReport) -> list[Table]:
    """Return all tables, in the order of the page."""
    prepared, level = report.project.prepared, report.system_level
    made = [
        *metric_scores.tables(report.gold, level.outliers, report.metrics),
        *metric_systems.level_tables(level, signed(level.signature, prepared), fixed=report.fixed),
        *metric_systems.decision_tables(
            report.decisions,
            {row.metric: row.decided_by for row in report.metrics},
            report.signature,
        ),
    ]
    # Where annotators see one translation at a time, only identical ones are compared.
    if any(row.untied for row in report.comparisons):
        made.append(
            metric_segments.taus_table(
                report.comparisons,
                "tau-comparisons",
                metric_segments.BY_SEGMENT,
                provenance=prepared,
            )
        )
    if report.pairs:
        made.append(
            metric_segments.taus_table(
                report.pairs,
                "tau-pairs",
                metric_segments.BY_SENTENCE,
                provenance=prepared,
            )
        )
    made += metric_segments.score_tables(report.score_agreement, report.names, prepared)
    made += metric_systems.permutation_tables(report.permutations, prepared)
    if report.candidates:
        made.append(
            metric_segments.taus_table(
                report.candidates,
                "tau-candidates",
                metric_segments.OF_CANDIDATES,
                ceiling=report.annotators,
                metric=metric_segments.SCORE,
                provenance=prepared,
            )
        )
    return made


def table(report: MetricsReport, name: str) -> Table | None:
    """Return the table of this name, or None."""
    return next((each for each in tables(report) if each.name == name), None)


def figures(report: MetricsReport) -> list[Figure]:
    """Return all figures, in the order of the page; some may have no data."""
    return metric_scores.figures(report.gold, report.system_level.outliers, report.metrics)


def best_metric(found: SystemSet) -> MetricFigures | None:
    """Return the metric with the highest r, or else accuracy; None if neither is defined."""
    rows = [found.metrics[place] for place in found.by_r]
    with_r = [row for row in rows if row.pearson.value is not None]
    with_accuracy = [row for row in rows if row.accuracy.value is not None]
    with_accuracy.sort(key=lambda row: -(row.accuracy.value or 0.0))
    return next(iter(with_r or with_accuracy), None)


def leaders(found: SystemSet) -> list[str]:
    """Return the metric with the highest r, and those that it does not significantly exceed.

    By Williams' test; without a test, as of fewer than four systems, it exceeds none.
    """
    order = found.by_r
    if not order or found.metrics[order[0]].pearson.value is None:
        return []
    return [
        found.metrics[place].metric
        for place in order
        if found.metrics[place].pearson.value is not None
        and not found.williams.p[order[0], place] <= SIGNIFICANT
    ]


def winners_differ(found: Sequence[MetricTaus]) -> bool:
    """Tell whether two rules for ties have no best metric in common."""
    best = [set(names) for names in winners(found).values()]
    return any(not (one & other) for one in best for other in best if one and other)


def head(report: MetricsReport) -> list[Text | str]:
    """Return what was judged and scored, and what is wrong with it, a paragraph each."""
    texts = report.texts
    lines: list[Text | str] = [
        f"Project {report.project.name}: {report.judgements} judgements of "
        f"{report.sentences_judged} sentences; metrics scored {texts.sentences} of "
        f"{texts.all_sentences} sentences against "
        + ("the reference." if texts.references == 1 else "all references.")
    ]
    if texts.without_outputs:
        lines.append(f"Without whole outputs, and left out: {', '.join(texts.without_outputs)}.")
    return [*lines, *report.problems]
