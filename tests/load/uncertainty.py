"""Print how often intervals hold the truth and tests claim a difference that does not exist.

    python -m tests.load.uncertainty [--projects N] [--seed N]

Simulated projects of equally good systems, whose annotators differ about systems by a standard
deviation of 0, .1 or .2 (a hundredth to a fiftieth of the ratio of wins), with 1, 3, 5 or 15
annotators and 100, 300 or 1000 sentences. For each: the share of 95 % intervals of the ratio of
wins and of measures of agreement that hold the truth, over sentences and over sentences and
annotators; and the share
of projects in which any pair differs significantly (Holm), a system is significantly better than
all, or there is more than one cluster. Not a test: it takes minutes.
"""

import argparse
from collections import defaultdict
from collections.abc import Mapping
from itertools import product

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.agreement.intervals import agreement_with_intervals
from evaluation.stats.agreement.weighted_kappa import measure_disagreement
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import Judgements
from evaluation.stats.ranking.significance import Figures, compare_pairs
from evaluation.stats.ranking.systems import rank_all

SYSTEMS = 5
SEGMENTS = 3
# Standard deviations of what a ranking depends on: chosen so that κ intra is about .55 and κ inter
# about .37, as in the thesis.
SENTENCE, CANDIDATE, ANNOTATOR, OCCASION = 0.5, 0.9, 0.7, 0.6
# Candidates whose quality differs by less tend to share a rank.
TIE = 0.25
SAME_TEXT = 0.25
LEVEL = 0.05


def simulate(
    random: np.random.Generator,
    *,
    sentences: int,
    annotators: int,
    effect: float,
    repeated: float = 0.1,
    unlike: bool = False,
    in_documents: tuple[int, float] = (1, 0.0),
) -> Judgements:
    """Return judgements of equally good systems, each sentence by one annotator.

    `effect` is the standard deviation of annotator × system effects. A share `repeated` of the
    sentences is judged again, one half by the same annotator and one half by another. `unlike`
    annotators differ in how carefully they judge and how readily they tie. `in_documents` are the
    number of documents, of neighbouring sentences, and the standard deviation of document × system.
    """
    quality = random.normal(0, SENTENCE, (sentences, 1, SYSTEMS))
    quality = quality + random.normal(0, CANDIDATE, (sentences, SEGMENTS, SYSTEMS))
    documents, of_documents = in_documents
    if of_documents:
        document = np.arange(sentences) * documents // sentences
        quality += random.normal(0, of_documents, (documents, 1, SYSTEMS))[document]
    producer = _producers(random, sentences)
    preference = random.normal(0, effect, (annotators, SYSTEMS))
    care = np.exp(random.normal(0, 0.5 * unlike, annotators))
    tie = TIE * np.exp(random.normal(0, 0.4 * unlike, annotators))
    which, who = _assignments(random, sentences, annotators, repeated)
    pairs, codes = np.unique(which * annotators + who, return_inverse=True)
    opinion = random.normal(0, ANNOTATOR, (len(pairs), SEGMENTS, SYSTEMS))[codes]
    error = opinion + random.normal(0, OCCASION, opinion.shape)
    seen = quality[which] + preference[who][:, None] + error * care[who][:, None, None]
    seen = np.take_along_axis(seen, producer[which], 2)
    steps = -np.floor(seen / tie[who][:, None, None])
    ranks = 1 + (steps[..., :, None] > steps[..., None, :]).sum(axis=3)
    system_ranks = np.asfortranarray(ranks.reshape(-1, SYSTEMS).astype(np.int16))
    own = (producer[which] == np.arange(SYSTEMS)).reshape(-1, SYSTEMS)
    candidate_ranks = np.asfortranarray(np.where(own, system_ranks, 0).astype(np.int16))
    count = len(system_ranks)
    return Judgements(
        candidate_ranks=candidate_ranks,
        system_ranks=system_ranks,
        system_candidates=producer[which].reshape(-1, SYSTEMS).astype(np.int8),
        shown=np.zeros_like(candidate_ranks),
        segments=(which[:, None] * SEGMENTS + np.arange(SEGMENTS)).ravel().astype(np.int32),
        sentences=np.repeat(which, SEGMENTS).astype(np.int32),
        annotators=np.repeat(who, SEGMENTS).astype(np.int32),
        seconds=np.full(count, np.nan),
        created=np.arange(count, dtype=np.float64),
        repeats=np.arange(count) >= sentences * SEGMENTS,
        segment_ids=np.arange(sentences * SEGMENTS),
        sentence_numbers=np.arange(sentences) + 1,
        annotator_names=tuple(f"annotator{number}" for number in range(annotators)),
        system_names=tuple(f"system{number}" for number in range(SYSTEMS)),
    )


def _producers(random: np.random.Generator, sentences: int) -> NDArray[np.intp]:
    """Return, for each system, the system whose text it has: often its own."""
    shape = (sentences, SEGMENTS, SYSTEMS)
    own = np.broadcast_to(np.arange(SYSTEMS), shape)
    other = random.integers(0, SYSTEMS, shape)
    copies = random.random(shape) < SAME_TEXT
    producer = np.where(copies, other, own)
    # The text of a system that copies itself is not copied.
    original = np.take_along_axis(~copies, producer, 2)
    return np.where(original, producer, own)


def _assignments(
    random: np.random.Generator, sentences: int, annotators: int, repeated: float
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    first = np.arange(sentences)
    who = first % annotators
    again = random.permutation(sentences)[: int(repeated * sentences / 2)]
    others = random.permutation(sentences)[: len(again) if annotators > 1 else 0]
    another = (who[others] + random.integers(1, max(2, annotators), len(others))) % annotators
    return np.concatenate([first, again, others]), np.concatenate([who, who[again], another])


def measures_of_agreement(judgements: Judgements, *, resamples: int) -> dict[str, Estimate]:
    agreement = agreement_with_intervals(judgements, resamples=resamples)
    disagreement = measure_disagreement(judgements, resamples=resamples)
    return {
        "κ intra": agreement.intra.kappa,
        "κ inter": agreement.inter.kappa,
        "α": agreement.alpha.estimate,
        "ordinal α": disagreement.ordinal_alpha,
        "τ-b intra": agreement.tau_b.intra.estimate,
        "τ-b inter": agreement.tau_b.inter.estimate,
        "reversed intra": disagreement.intra.reversed_share,
        "reversed inter": disagreement.inter.reversed_share,
    }


def true_agreement(
    random: np.random.Generator, *, effect: float, unlike: bool, repeated: float
) -> dict[str, float]:
    """Return the measures of agreement of very many annotators."""
    many = [
        measures_of_agreement(
            simulate(
                random,
                sentences=3000,
                annotators=300,
                effect=effect,
                repeated=repeated,
                unlike=unlike,
            ),
            resamples=0,
        )
        for _ in range(20)
    ]
    return {name: float(np.mean([each[name].value or 0 for each in many])) for name in many[0]}


def any_significant(p: Figures) -> bool:
    return any(value is not None and value < LEVEL for row in p for value in row)


def any_better_than_all(p: Figures, rates: Figures) -> bool:
    return any(
        all(
            (value := p[x][y]) is not None and value < LEVEL and (rates[x][y] or 0) > 0.5
            for y in range(len(p))
            if y != x
        )
        for x in range(len(p))
    )


def holds(estimate: Estimate, truth: float) -> tuple[bool | None, bool | None]:
    """Tell whether the intervals over sentences, and over both, hold the truth."""
    narrow, wide = (
        None if low is None or high is None else low <= truth <= high
        for low, high in (
            (estimate.low, estimate.high),
            (estimate.wide_low, estimate.wide_high),
        )
    )
    return narrow, wide


def measure(
    random: np.random.Generator,
    projects: int,
    *,
    sentences: int,
    annotators: int,
    effect: float,
    unlike: bool,
    repeated: float,
    truth: Mapping[str, float],
) -> None:
    found: dict[str, list[bool]] = defaultdict(list)

    def add(name: str, *values: bool | None) -> None:
        found[name] += [value for value in values if value is not None]

    for _ in range(projects):
        judgements = simulate(
            random,
            sentences=sentences,
            annotators=annotators,
            effect=effect,
            repeated=repeated,
            unlike=unlike,
        )
        ranking = rank_all(judgements, methods=["ratio_of_wins"])["ratio_of_wins"]
        for system in ranking.systems:
            narrow, wide = holds(system.score, 0.5)
            add("ratio", narrow)
            add("ratio, both", wide)
        for name, estimate in measures_of_agreement(judgements, resamples=1000).items():
            narrow, wide = holds(estimate, truth[name])
            add(name, narrow)
            add(f"{name}, both", wide)
        pairs = compare_pairs(judgements, draws=0)
        add("any pair", any_significant(pairs.p_holm))
        add("best", any_better_than_all(pairs.p_holm, pairs.win_rate))
        if not pairs.only_sentences:
            add("any pair, both", any_significant(pairs.wide_p_holm))
            add("best, both", any_better_than_all(pairs.wide_p_holm, pairs.win_rate))
        add("clusters", ranking.systems[-1].cluster != 1)
    shares = "  ".join(
        f"{name} {np.mean(values):.1%}" for name, values in sorted(found.items()) if values
    )
    print(
        f"{annotators:2} annotators{' unlike' if unlike else ''}, effect {effect}, "
        f"{sentences} sentences, {repeated:.0%} repeated: {shares}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--projects", type=int, default=300, help="simulated for each line")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    print(f"{options.projects} projects of {SYSTEMS} equal systems a line, seed {options.seed}")
    for unlike, repeated, sizes in ((False, 0.1, (100, 300, 1000)), (True, 0.3, (300, 1000))):
        for effect in (0.0, 0.1, 0.2):
            truth = true_agreement(random, effect=effect, unlike=unlike, repeated=repeated)
            for annotators, sentences in product((1, 3, 5, 15), sizes):
                measure(
                    random,
                    options.projects,
                    sentences=sentences,
                    annotators=annotators,
                    effect=effect,
                    unlike=unlike,
                    repeated=repeated,
                    truth=truth,
                )


if __name__ == "__main__":
    main()
