"""Scores on a project's own scales: a table of systems for each, and how far scales agree."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from annotation.formats.score_scales import Scale
from evaluation.findings.agreement import measures_table
from evaluation.findings.evidence import Evidence
from evaluation.findings.marked_errors import alpha_measure, score_measures
from evaluation.meta.mean_scores import StepValues, mean_scores, scales_of
from evaluation.rendering.tables import (
    Column,
    Count,
    Name,
    Ranks,
    Table,
    estimate_columns,
    missing_figures,
)
from evaluation.rendering.text import _
from evaluation.stats.agreement.labels import label_candidates
from evaluation.stats.agreement.scores import ScoreAgreement, measure_scores
from evaluation.stats.domain_means import ALPHA, rank_by_domains
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import MISSING, Judgements
from evaluation.stats.scales import JudgedScales, ScaleCorrelation, correlate_scales


@dataclass(frozen=True)
class ScaleSystem:
    """A system with its mean score on a scale, and that of standardised scores.

    Ranks and clusters are as in `DomainRanking`.
    """

    system: str
    score: Estimate
    z: Estimate
    segments: int
    judgements: int
    best_rank: int
    worst_rank: int
    cluster: int


@dataclass(frozen=True)
class ScaleFound:
    """What is found on one scale: its systems, best first, and the agreement of annotators.

    `place` counts from 1.
    """

    place: int
    name: str
    least: int
    most: int
    step: int
    labels: tuple[str, ...]
    systems: tuple[ScaleSystem, ...]
    agreement: ScoreAgreement
    signature: str


@dataclass(frozen=True)
class ScalesFound:
    """All scales of a project, and the correlation of each two of them."""

    scales: tuple[ScaleFound, ...]
    correlations: tuple[ScaleCorrelation, ...]
    signature: str


def values_of(scale: Scale) -> StepValues:
    """Return what the ranks on a scale count as."""
    scores = tuple(map(float, reversed(scale.scores)))
    return StepValues(f"mean score on {scale.name}", scores, by_sentence=True)


def compute(evidence: Evidence) -> ScalesFound | None:
    """Return the scores on each scale; None unless the project has scales of its own."""
    judged, kept = evidence.scales, evidence.judgements
    if judged is None:
        return None
    return ScalesFound(
        tuple(
            _found(judged, place, kept, evidence.options.resamples, evidence.options.seed)
            for place in range(len(judged.scales))
        ),
        tuple(
            correlate_scales(judged, places, kept, **evidence.again)
            for places in combinations(range(len(judged.scales)), 2)
        ),
        kept.sign(
            "Pearson's r of two scales",
            f"95 % intervals of {evidence.options.resamples} resamples of {kept.unit}",
            f"seed {evidence.options.seed}",
        ),
    )


def _found(
    judged: JudgedScales, place: int, kept: Judgements, resamples: int, seed: int
) -> ScaleFound:
    scale = judged.scales[place]
    items, _labels = label_candidates(kept)
    rows, columns = np.nonzero(kept.candidate_ranks)
    scores = judged.scores(place, kept)[rows, columns]
    return ScaleFound(
        place=place + 1,
        name=scale.name,
        least=scale.least,
        most=scale.most,
        step=scale.step,
        labels=scale.labels,
        systems=systems_on(judged, place, kept, resamples=resamples, seed=seed),
        agreement=measure_scores(items, scores, resamples=resamples, seed=seed),
        signature=kept.sign(
            f"mean scores on {scale.name}",
            f"scale {scale.range}",
            "z by annotator",
            "Wilcoxon signed-rank of segments, two-sided",
            f"alpha {ALPHA:g}",
            f"95 % intervals of {resamples} resamples of {kept.unit}",
            f"seed {seed}",
        ),
    )


def systems_on(
    judged: JudgedScales, place: int, kept: Judgements, *, resamples: int, seed: int
) -> tuple[ScaleSystem, ...]:
    """Return the systems that have a score on the scale, best mean first."""
    on_scale, values = judged.on(place, kept), values_of(judged.scales[place])
    raw = mean_scores(on_scale, values)
    standardised = mean_scores(on_scale, values, scales_of(on_scale, values))
    known = np.flatnonzero(np.isfinite(raw.of_systems)).tolist()
    if not known:
        return ()
    judgements = (on_scale.system_ranks != MISSING).sum(axis=0)
    ranking = rank_by_domains(
        raw.of_sentences[known],
        np.zeros(raw.of_sentences.shape[1], dtype=np.intp),
        systems=[kept.system_names[system] for system in known],
        domains=("all",),
        judgements=int(judgements.sum()),
    )
    scores, z = (
        means.estimates(means.resampled(resamples=resamples, seed=seed), on_scale)
        for means in (raw, standardised)
    )
    codes = {name: code for code, name in enumerate(kept.system_names)}
    return tuple(
        ScaleSystem(
            system=name,
            score=scores[codes[name]],
            z=z[codes[name]],
            segments=int(segments),
            judgements=int(judgements[codes[name]]),
            best_rank=best,
            worst_rank=worst,
            cluster=cluster,
        )
        for name, segments, (best, worst), cluster in zip(
            ranking.systems, ranking.segments, ranking.rank_ranges, ranking.clusters, strict=True
        )
    )


def tables(found: ScalesFound | None) -> list[Table]:
    if found is None:
        return []
    of_scales = [
        table for each in found.scales for table in (systems_table(each), agreement_table(each))
    ]
    return [*of_scales, *([correlations_table(found)] if found.correlations else [])]


def systems_table(found: ScaleFound) -> Table:
    return Table.of(
        f"scale-{found.place}",
        _(
            "Systems by mean score on the scale %(scale)s, from %(least)s to %(most)s.",
            scale=found.name,
            least=found.least,
            most=found.most,
        ),
        (
            Column("system", _("System"), Name()),
            *estimate_columns("value", _("Score"), lambda row: row.score, places=2),
            *estimate_columns("z", "z", lambda row: row.z, places=2),
            Column("best_rank worst_rank", _("Ranks"), Ranks()),
            Column("cluster", _("Cluster"), Count()),
            Column("segments", _("Sentences"), Count()),
            Column("judgements", _("Judgements"), Count()),
        ),
        found.systems,
        groups=lambda row: row.cluster,
        notes=(
            _(
                "Score: mean over sentences of the mean over judgements. z: the same of scores "
                "minus the mean of their annotator on this scale, divided by their standard "
                "deviation. Ranks and clusters are by Wilcoxon’s signed-rank test of the sentences "
                "that two systems share (p < 0.05): for other sentences judged by the same "
                "annotators."
            ),
            *missing_figures((row.system, row.score) for row in found.systems),
        ),
        details=[found.signature],
    )


def agreement_table(found: ScaleFound) -> Table:
    agreement = found.agreement
    return measures_table(
        f"agreement-on-scale-{found.place}",
        _(
            "Agreement of annotators with themselves (intra) and with each other (inter) on the "
            "scale %(scale)s.",
            scale=found.name,
        ),
        [
            *score_measures("intra", agreement.intra),
            *score_measures("inter", agreement.inter),
            alpha_measure(agreement),
        ],
        [Column("units", _("Pairs"), Count())],
        notes=(),
        details=[agreement.signature],
    )


def correlations_table(found: ScalesFound) -> Table:
    return Table.of(
        "correlation-of-scales",
        _("How far scores on two scales agree: Pearson’s r of the scores of a translation."),
        (
            Column("scale", _("Scale"), Name()),
            Column("other", _("Other scale"), Name()),
            *estimate_columns("value", "r", lambda row: row.correlation, places=2),
            Column("scores", _("Translations judged"), Count()),
        ),
        found.correlations,
        notes=missing_figures(
            (f"{row.scale}, {row.other}", row.correlation) for row in found.correlations
        ),
        details=[found.signature],
    )
