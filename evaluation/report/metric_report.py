"""How far the automatic metrics of a project agree with its annotators: figures, and their JSON.

System level: the scores of whole systems by each metric beside those by people. Segment level:
which of two translations of a sentence, or of two candidates of a segment, is better.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from evaluation.findings.serialisation import rounded
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
from evaluation.meta.resampled_metrics import (
    ResampledMetric,
    SentenceStatistics,
    resample_metric,
)
from evaluation.meta.segment_tau import MetricTaus, segment_taus
from evaluation.meta.segment_tau import winners as best_by_rule
from evaluation.meta.segment_ties import TieCalibration, calibrate
from evaluation.meta.soft_accuracy import SegmentScores
from evaluation.meta.system_level import (
    LACKS_SEGMENT_SCORES,
    Figure,
    SystemLevel,
    SystemSet,
    evaluate_systems,
)
from evaluation.meta.system_scores import SystemScores
from evaluation.meta.windows import Windows
from evaluation.report.metric_shape import (
    DecisionsRow,
    DecisionTest,
    FigureRow,
    MetricsData,
    MetricsProjectPart,
    MetricTausRow,
    SystemSetPart,
    TextsPart,
    TiesRow,
    WindowRow,
)
from evaluation.stats.estimates import VERSION, Estimate, signed
from evaluation.stats.judgements import Codes, Judgements
from evaluation.stats.ranking.systems import BY_WINS, rank_all
from evaluation.stats.resampling import Floats
from evaluation.stats.wins import count_cells


@dataclass(frozen=True, eq=False)
class ScoredMetric:
    """A metric's scores of K systems and of their S sentences; better is higher, NaN is missing.

    `of_systems` K; `of_sentences` K × S, None if the metric has none. `provenance` says where
    imported scores come from; it is empty for those that SegRanks computed. `of_systems` are the
    scores of all sentences of the `statistics`; without these they stay fixed in resamples.
    """

    name: str
    signature: str
    of_systems: Floats
    of_sentences: Floats | None
    provenance: str = ""
    statistics: SentenceStatistics | None = None

    @property
    def decided_by(self) -> DecisionTest:
        """The test of a difference of two systems: a t-test needs means of sentence scores."""
        is_mean = self.statistics is None or self.statistics.is_mean
        return "paired t-test" if is_mean else "bootstrap"


@dataclass(frozen=True, eq=False)
class ScoredCandidates:
    """Scores of C candidates by name, with signatures; see `candidate_pairs` for the codes."""

    scores: Mapping[str, Floats]
    signatures: Mapping[str, str]
    first_candidates: Codes
    count: int


@dataclass(frozen=True, eq=False)
class MetricFindings:
    """All findings about the metrics of a project.

    `people` are the estimated scores of the systems, in their order, and `words` say how mean
    scores were computed. `comparisons` are of systems by segment, `pairs` of systems by sentence,
    `candidates` of candidates; the last are empty where candidates were not scored. `annotators`
    are another one, and the same one again, as if they were metrics of candidates. `ties` has
    acc_eq by name of the metric, and `decisions` how often it tells two systems apart by the judged
    sentences as people do.
    """

    systems: tuple[str, ...]
    gold: str
    people: tuple[Estimate, ...]
    metrics: tuple[ScoredMetric, ...]
    system_level: SystemLevel
    comparisons: tuple[MetricTaus, ...]
    pairs: tuple[MetricTaus, ...]
    candidates: tuple[MetricTaus, ...]
    annotators: tuple[MetricTaus, ...]
    ties: Mapping[str, TieCalibration]
    decisions: Mapping[str, Decisions]
    permutations: tuple[PermutationTests, ...]
    signature: str
    words: tuple[str, ...] = ()


def evaluate_metrics(
    judgements: Judgements,
    metrics: Sequence[ScoredMetric],
    candidates: ScoredCandidates | None = None,
    *,
    gold: str = "ratio_of_wins",
    means: MeanScores | None = None,
    outliers: Collection[str] | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> MetricFindings:
    """Return how far metrics agree with the judgements of their systems.

    Systems and sentences of the scores are those of the judgements, in their order. Intervals by
    sentence resample people's judgements and the metrics' statistics alike. Outliers are found by
    MAD unless they are given. The golds MEANS take `means`. Raises InputError for an unknown
    outlier, for fewer than two systems with a score by people, and for one of MEANS without
    `means`; KeyError for an unknown gold, ValueError if shapes differ.
    """
    if gold in MEANS:
        people = _by_means(judgements, means, resamples, seed)
    else:
        people = _by_wins(judgements, gold, resamples, seed)
    scored = dict(zip(judgements.system_names, people.of_systems, strict=True))
    names = tuple(name for name in judgements.system_names if scored[name].value is not None)
    if len(names) < 2:
        raise InputError(
            _("Annotators preferred too few systems to compare metrics with: judge more sentences.")
            if gold not in MEANS
            else _("Annotators judged fewer than two systems with whole outputs and a reference.")
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
    return MetricFindings(
        systems=names,
        gold=gold,
        people=tuple(scored[name] for name in names),
        metrics=tuple(metrics),
        system_level=evaluate_systems(
            scores,
            outliers=outliers,
            segments=segments,
            soft_draws=resamples,
            resampled=resampled,
            resamples_of_systems=resamples,
            seed=seed,
        ),
        comparisons=segment_taus(
            segment_comparisons(judgements), of_sentences, resamples=resamples, seed=seed
        ),
        pairs=segment_taus(people.pairs, of_sentences, resamples=resamples, seed=seed),
        candidates=segment_taus(
            candidate_pairs(judgements, candidates.first_candidates, candidates.count),
            candidates.scores,
            resamples=resamples,
            seed=seed,
        )
        if candidates
        else (),
        annotators=tuple(
            annotators_as_metric(judgements, same=same, resamples=resamples, seed=seed)
            for same in (False, True)
        ),
        ties={
            name: calibrate(of_people, values, resamples=resamples, seed=seed)
            for name, values in of_sentences.items()
        },
        decisions=_decisions(of_people, metrics, of_resamples, kept, judged),
        permutations=_permutations(
            of_people[kept][:, judged],
            {name: values[kept][:, judged] for name, values in of_sentences.items()},
            resamples,
            seed,
        ),
        signature="|".join(
            (
                "evaluation of metrics",
                f"gold {gold}",
                *people.words,
                f"{resamples} resamples of {judgements.unit}",
                f"seed {seed}",
                f"judgements {len(judgements)}",
                f"sentences {judgements.sentences_judged}",
                f"SegRanks {VERSION}",
            )
        ),
        words=people.words,
    )


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
        return (
            ResampledScores(
                "sentences", len(means.ratios.by_unit), seed, human[:, kept], of_metrics
            ),
        )

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


def as_json(
    findings: MetricFindings,
    *,
    project: MetricsProjectPart,
    texts: TextsPart,
    judgements: Judgements,
    options: dict[str, Any],
    seconds: dict[str, float],
    made: str,
) -> MetricsData:
    """Return the findings with six decimals; undefined is None. `made` is the ISO time."""
    rules = project["prepared"]
    decided_by = {metric.name: metric.decided_by for metric in findings.metrics}
    level = findings.system_level
    outliers = level.outliers
    people = sorted(
        zip(findings.systems, findings.people, outliers.is_outlier.tolist(), strict=True),
        key=lambda row: -(row[1].value or 0.0),
    )
    return {
        "project": project,
        "made": made,
        "signature": signed(findings.signature, rules),
        "options": options,
        "seconds": seconds,
        "texts": texts,
        "judgements": len(judgements),
        "sentences_judged": judgements.sentences_judged,
        "gold": {
            "method": findings.gold,
            "systems": [
                {
                    "system": name,
                    "score": rounded(score.value) or 0.0,
                    "low": rounded(score.low),
                    "high": rounded(score.high),
                    "wide_low": rounded(score.wide_low),
                    "wide_high": rounded(score.wide_high),
                    "outlier": is_outlier,
                }
                for name, score, is_outlier in people
            ],
            "outliers": list(outliers.names),
            "outliers_by": outliers.method,
            "note": outliers.note,
            "words": list(findings.words),
            "only_sentences": next(
                (score.no_wide_interval for score in findings.people if score.no_wide_interval), ""
            ),
        },
        "metrics": [
            {
                "metric": metric.name,
                "signature": metric.signature,
                "provenance": metric.provenance,
                "resampled": metric.statistics is not None,
                "scores": {
                    name: rounded(float(value))
                    for name, value in zip(judgements.system_names, metric.of_systems, strict=True)
                },
            }
            for metric in findings.metrics
        ],
        "system_level": {
            "all_systems": system_set_json(level.all_systems),
            "without_outliers": system_set_json(level.without_outliers) if outliers.names else None,
            "windows": windows_json(level.windows),
            "signature": signed(level.signature, rules),
        },
        "comparisons": taus_json(findings.comparisons, rules),
        "pairs": taus_json(findings.pairs, rules),
        "candidates": taus_json(findings.candidates, rules),
        # A ceiling does not compete.
        "annotators": [{**row, "best": []} for row in taus_json(findings.annotators, rules)],
        "decisions": [
            decisions_json(name, found, decided_by[name])
            for name, found in findings.decisions.items()
        ],
        "permutations": [
            {
                "swapped": found.swapped,
                "metrics": list(found.metrics),
                "pearson": [rounded(r) for r in found.pearson.tolist()],
                "p": [[rounded(p) for p in row] for row in found.p.tolist()],
                "signature": signed(found, rules),
            }
            for found in findings.permutations
        ],
        "ties": [ties_json(name, found, rules) for name, found in findings.ties.items()],
    }


def decisions_json(metric: str, found: Decisions, test: DecisionTest) -> DecisionsRow:
    """Return the decisions of a metric by this test."""
    return {
        "metric": metric,
        "test": test,
        "right": found.right,
        "unseen": found.unseen,
        "opposite": found.opposite,
        "missed": found.missed,
    }


def system_set_json(found: SystemSet) -> SystemSetPart:
    """Return the figures over one set of systems with six decimals, metrics by falling r."""
    tests = found.williams
    order = np.argsort(-np.nan_to_num(tests.pearson, nan=-2.0), kind="stable").tolist()
    rows = [found.metrics[place] for place in order]
    return {
        "systems": list(found.systems),
        "metrics": [
            {
                "metric": row.metric,
                "pearson": _figure(row.pearson),
                "spearman": _figure(row.spearman),
                "kendall": _figure(row.kendall),
                "accuracy": _figure(row.accuracy),
                "soft_accuracy": _figure(row.soft_accuracy),
                "agreeing": row.agreeing,
                "pairs": row.pairs,
                "winner": row.metric in found.winners,
            }
            for row in rows
        ],
        "williams": [[rounded(p) for p in row] for row in tests.p[np.ix_(order, order)].tolist()],
        "same": [
            [tests.metrics[x], tests.metrics[y]]
            for x, y in np.argwhere(np.triu(tests.same, 1)).tolist()
        ],
        "caution": tests.caution,
        "soft_segments": (
            {"compared": found.soft.segments, "all": found.soft.segments + found.soft.left_out}
            if found.soft
            else None
        ),
    }


def windows_json(found: Windows) -> list[WindowRow]:
    """Return the windows from the best systems to the worst, with six decimals."""
    return [
        {
            "first": window.first,
            "last": window.last,
            "pearson": {
                metric: rounded(r)
                for metric, r in zip(found.metrics, window.pearson.tolist(), strict=True)
            },
        }
        for window in reversed(found.windows)
    ]


def _figure(figure: Figure) -> FigureRow:
    ends: dict[str, float | None] = {}
    for prefix, unit in (("", "sentences"), ("published_", "comparisons"), ("systems_", "systems")):
        found = figure.interval(unit)
        ends[f"{prefix}low"] = rounded(found.low) if found else None
        ends[f"{prefix}high"] = rounded(found.high) if found else None
    return {"value": rounded(figure.value), "undefined": figure.undefined, **ends}  # type: ignore[typeddict-item]


def taus_json(found: Sequence[MetricTaus], rules: Sequence[str]) -> list[MetricTausRow]:
    """Return τ of metrics by rule; `rules` are added to the signatures."""
    best = best_by_rule(found)
    return [
        {
            "metric": row.metric,
            "taus": {
                tau.rule: {
                    "value": rounded(tau.estimate.value),
                    "low": rounded(tau.estimate.low),
                    "high": rounded(tau.estimate.high),
                    "half_width": rounded(tau.half_width),
                    "published_half_width": rounded(tau.half_width_by_comparison),
                    "undefined": tau.estimate.undefined,
                }
                for tau in row.taus
            },
            "concordant": row.concordant,
            "discordant": row.discordant,
            "metric_ties": row.metric_ties,
            "human_ties": row.human_ties,
            "missing": row.missing,
            "untied": row.untied,
            "best": [rule for rule, names in best.items() if row.metric in names],
            "signature": signed(row.signature, rules),
        }
        for row in found
    ]


def ties_json(name: str, found: TieCalibration, rules: Sequence[str]) -> TiesRow:
    """Return acc_eq; undefined for a metric that lacks scores, which is compared with no other."""
    calibrated = found.calibrated
    if calibrated.missing:
        return {
            "metric": name,
            "accuracy": None,
            "calibrated": None,
            "low": None,
            "high": None,
            "epsilon": None,
            "undefined": LACKS_SEGMENT_SCORES,
            "signature": signed(calibrated.signature, rules),
        }
    return {
        "metric": name,
        "accuracy": rounded(found.uncalibrated.estimate.value),
        "calibrated": rounded(calibrated.estimate.value),
        "low": rounded(calibrated.estimate.low),
        "high": rounded(calibrated.estimate.high),
        "epsilon": rounded(found.epsilon),
        "undefined": calibrated.estimate.undefined,
        "signature": signed(calibrated.signature, rules),
    }
