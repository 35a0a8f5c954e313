"""How judgements of segments agree with judgements of the whole sentences, system by system.

Definitions: method.md, "Sentence-level comparison"; thesis, chapter 3.1.2 and table 3.2.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import Judgements
from evaluation.stats.resampling import Floats, estimated, resampled_sums
from evaluation.stats.sentence_level.levels import Levels, meet
from evaluation.stats.sentence_level.quotients import Disagreements, disagreements
from evaluation.stats.signature import Signature


class NoTau(Enum):
    """Why there is no τ."""

    NO_SENTENCE = "no sentence was judged both as a whole and by its segments"
    NOTHING_MET = "no comparison of whole sentences meets one of their segments that is no tie"


@dataclass(frozen=True)
class Tau:
    """τ = (concordant - discordant) / (concordant + discordant), and these counts."""

    concordant: int
    discordant: int
    estimate: Estimate


@dataclass(frozen=True)
class SystemTau:
    """τ over the comparisons in which the system's sentence was better, worse, and either."""

    system: str
    better: Tau
    worse: Tau
    all: Tau


@dataclass(frozen=True)
class SentenceLevel:
    """τ of each system, in the order of the project, and of all `together`; and where they differ.

    `sentences` were judged at both levels, by so many `sentence_judgements` and
    `segment_judgements`. In `together`, each comparison counts once.
    """

    systems: tuple[SystemTau, ...]
    together: Tau
    disagreements: Disagreements
    sentences: int
    sentence_judgements: int
    segment_judgements: int
    signature: Signature


def compare_levels(
    sentence_level: Judgements,
    segment_level: Judgements,
    *,
    resamples: int = 1000,
    seed: int = 0,
    limit: int | None = None,
) -> SentenceLevel:
    """Compare judgements of whole sentences with those of their segments.

    Every comparison of two systems' sentences that is no tie meets that of every judgement of a
    segment of the sentence; ties are skipped there too, and repeats count. Intervals come from
    `resamples` of the sentences judged at both levels; a figure of fewer than FEWEST of them has
    none. `limit` is the most disagreements listed. Raises ValueError for different systems.
    """
    levels = meet(sentence_level, segment_level)
    counted = _count_meetings(levels)
    again = resampled_sums(counted, resamples=resamples, seed=seed)
    figures = counted.shape[1] // 2
    taus = [_tau(counted[:, each::figures], again[:, each::figures]) for each in range(figures)]
    systems = len(levels.system_names)
    options = (
        "ties skipped",
        "repeats included",
        f"{resamples} resamples of sentences",
        f"seed {seed}",
        f"judgements of whole sentences {levels.sentence_judgements}",
    )
    return SentenceLevel(
        systems=tuple(
            SystemTau(name, *taus[system : 3 * systems : systems])
            for system, name in enumerate(levels.system_names)
        ),
        together=taus[-1],
        disagreements=disagreements(levels, limit=limit),
        sentences=len(levels.numbers),
        sentence_judgements=levels.sentence_judgements,
        segment_judgements=levels.segment_judgements,
        signature=Signature(
            "Kendall's τ of sentences and segments",
            options,
            levels.segment_judgements,
            len(levels.numbers),
        ),
    )


def _count_meetings(levels: Levels) -> Floats:
    """Count, a sentence (row), the concordant and the discordant meetings of each figure.

    A column a figure: each system when better, then when worse, then all; then all together. First
    come the concordant ones of all figures, then the discordant ones.
    """
    sentence = np.split(levels.sentence_wins.counts, 3, axis=1)[:2]
    segment = np.split(levels.segment_wins.counts, 3, axis=1)[:2]
    first, second = levels.members
    columns: list[Floats] = []
    # What won at the level of sentences wins at that of segments as well; or the other one does.
    for of_first, of_second in (segment, segment[::-1]):
        first_better, second_better = sentence[0] * of_first, sentence[1] * of_second
        better = first_better @ first + second_better @ second
        worse = first_better @ second + second_better @ first
        together = better.sum(axis=1, keepdims=True)
        columns += [better, worse, better + worse, together]
    return np.hstack(columns)


def _tau(counted: Floats, again: Floats) -> Tau:
    """Return τ of S × 2 meetings and of their resamples."""
    concordant, discordant = (int(count) for count in counted.sum(axis=0))
    if not concordant + discordant:
        why = NoTau.NOTHING_MET if len(counted) else NoTau.NO_SENTENCE
        return Tau(0, 0, Estimate(None, undefined=why.value))
    value = (concordant - discordant) / (concordant + discordant)
    met = np.count_nonzero(counted.any(axis=1))
    total = again.sum(axis=1)
    taus = np.divide(
        again[:, 0] - again[:, 1], total, out=np.full(len(again), np.nan), where=total > 0
    )
    return Tau(concordant, discordant, estimated(value, taus, int(met)))
