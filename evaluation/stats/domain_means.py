"""The ranking of systems by scores of segments in several domains, as WMT24 made it.

A system's score is the macro mean: the mean over domains of its mean over the segments of a domain.
Two systems are compared by Wilcoxon's signed-rank test of the segments that both have, two-sided,
in each domain, and the p of the domains are combined by Stouffer's method: z = Φ⁻¹(1 - p), summed
and divided by the square root of the number of domains. Since the tests are two-sided, domains with
opposite differences strengthen each other; this is the rule as it was published. Every p is exact,
where WMT24 took the normal approximation for ties and for many segments.
Source: Kocmi et al. (2024), "Findings of the WMT24 General Machine Translation Shared Task".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.estimates import Estimate, sign
from evaluation.stats.resampling import Floats, resampled_sums, shares, sums_by, with_interval
from evaluation.stats.signed_ranks import LEAST_P, signed_rank_p

ALPHA: Final = 0.05
# p of 1 would have an infinite z, which could not be summed.
MOST_P: Final = 1 - 1e-16


@dataclass(frozen=True, eq=False)
class DomainRanking:
    """S systems in the order of their macro means, the best first.

    `means` S, `domain_means` S × D (NaN where a system has no segment of a domain, which its macro
    mean then leaves out), `segments` S is the number of segments scored. `p` S × S is NaN for pairs
    without a common segment and on the diagonal. `wins` and `losses` S count the systems with p
    below `alpha` and a worse or better mean; `rank_ranges` are (losses + 1, S - wins). `clusters` S
    are numbers from 1: a cluster ends where all systems so far differ from all that follow.
    """

    systems: tuple[str, ...]
    domains: tuple[str, ...]
    means: Floats
    domain_means: Floats
    segments: NDArray[np.int64]
    p: Floats
    wins: NDArray[np.int64]
    losses: NDArray[np.int64]
    rank_ranges: tuple[tuple[int, int], ...]
    clusters: tuple[int, ...]
    alpha: float
    signature: str


def rank_by_domains(
    scores: Floats,
    domains_of: NDArray[np.intp],
    *,
    systems: Sequence[str],
    domains: Sequence[str],
    judgements: int,
    alpha: float = ALPHA,
    units_of: NDArray[np.integer] | None = None,
) -> DomainRanking:
    """Return the ranking of S systems by their scores of I segments, higher is better.

    `scores` S × I, NaN where there is none; `domains_of` I are codes of `domains`. `judgements` is
    the number behind the scores, for the signature. Each system needs a score. With `units_of`, I
    codes of documents or other units, tests are of these: a unit has the mean difference of the
    segments that both systems have.
    """
    of_domains = np.full((len(systems), len(domains)), np.nan)
    for code in range(len(domains)):
        in_domain = scores[:, domains_of == code]
        there = ~np.isnan(in_domain)
        np.divide(
            np.nansum(in_domain, axis=1),
            there.sum(axis=1),
            out=of_domains[:, code],
            where=there.any(axis=1),
        )
    macro = np.nansum(of_domains, axis=1) / (~np.isnan(of_domains)).sum(axis=1)
    order = np.argsort(-macro, kind="stable")
    scores, of_domains, macro = scores[order], of_domains[order], macro[order]
    p = _p_values(scores, domains_of, len(domains), units_of)
    better = macro[:, None] > macro[None, :]
    significant = p < alpha
    wins = (significant & better).sum(axis=1)
    losses = (significant & better.T).sum(axis=1)
    return DomainRanking(
        systems=tuple(systems[place] for place in order),
        domains=tuple(domains),
        means=macro,
        domain_means=of_domains,
        segments=(~np.isnan(scores)).sum(axis=1),
        p=p,
        wins=wins,
        losses=losses,
        rank_ranges=tuple(
            (int(lost) + 1, len(order) - int(won)) for won, lost in zip(wins, losses, strict=True)
        ),
        clusters=clusters_by_tests(p, alpha),
        alpha=alpha,
        signature=sign(
            "macro mean over domains",
            (
                f"domains {len(domains)}",
                f"Wilcoxon signed-rank by domain, two-sided, exact to {LEAST_P:g}, Stouffer",
                f"alpha {alpha:g}",
            ),
            judgements,
            scores.shape[1],
        ),
    )


def macro_means(
    scores: Floats, domains_of: NDArray[np.intp], *, resamples: int, seed: int
) -> list[Estimate]:
    """Return the macro mean of each of S systems, with an interval for other segments.

    `scores` S × I, NaN where there is none. Segments are sampled with all systems' scores of them.
    """
    systems, domains = len(scores), np.unique(domains_of)
    known = ~np.isnan(scores)
    # Of each segment, sums and numbers by domain and system: I × 2DS.
    here = np.repeat(domains_of[:, None] == domains, systems, axis=1)
    sums = np.tile(np.where(known, scores, 0.0).T, len(domains)) * here
    counts = np.tile(known.T, len(domains)) * here
    cells = np.hstack([sums, counts])
    every = np.vstack(
        [cells.sum(axis=0), resampled_sums(cells, resamples=resamples, seed=seed)]
    ).reshape(-1, 2, len(domains), systems)
    by_domain = shares(every[:, 0], every[:, 1])
    there = ~np.isnan(by_domain)
    means = shares(np.where(there, by_domain, 0.0).sum(axis=1), there.sum(axis=1))
    return [
        with_interval(float(means[0, place]), means[1:, place], int(known[place].sum()))
        for place in range(systems)
    ]


def _p_values(
    scores: Floats,
    domains_of: NDArray[np.intp],
    domains: int,
    units_of: NDArray[np.integer] | None,
) -> Floats:
    from scipy.special import ndtr, ndtri

    p = np.full((len(scores), len(scores)), np.nan)
    for first, second in combinations(range(len(scores)), 2):
        differences = scores[first] - scores[second]
        known = ~np.isnan(differences)
        by_domain = [
            signed_rank_p(_of_units(differences, known & (domains_of == code), units_of))
            for code in range(domains)
            if (known & (domains_of == code)).any()
        ]
        if by_domain:
            z = -ndtri(np.minimum(by_domain, MOST_P))
            p[first, second] = p[second, first] = ndtr(-z.sum() / np.sqrt(len(z)))
    return p


def _of_units(
    differences: Floats, known: NDArray[np.bool_], units_of: NDArray[np.integer] | None
) -> Floats:
    """Return the known differences, or their mean in each unit."""
    if units_of is None:
        return np.asarray(differences[known])
    _units, places, counts = np.unique(units_of[known], return_inverse=True, return_counts=True)
    return np.asarray(sums_by(places, differences[known], len(counts)) / counts)


def clusters_by_tests(p: Floats, alpha: float) -> tuple[int, ...]:
    """Return the cluster of each of S systems, best first, by p of each two (S × S, or NaN).

    A cluster ends where all systems so far differ from all that follow.
    """
    apart = p <= alpha
    clusters, cluster = [], 1
    for place in range(len(p)):
        clusters.append(cluster)
        cluster += bool(apart[: place + 1, place + 1 :].all())
    return tuple(clusters)
