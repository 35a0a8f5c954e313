"""Abilities of systems by the model of Hopkins and May.

System x has an ability μx ~ N(0, 1). In each comparison an annotator perceives the quality of each
of the two translations as N(μ, 1); x is better if the difference exceeds a radius d, and the two
tie within it. So x is better than y with the probability Φ((μx - μy - d) / √2). Ties of systems
with one text are left out, because no annotator compared them.

Here are the abilities with the largest posterior, for many tables of wins at once, with the d that
makes it largest. Unlike strengths of Bradley and Terry they are finite for systems that win
everything, because the prior keeps them near 0.
Source: Hopkins & May (2013), "Models of Translation Competitions", section 7; of their two
variances, of translations and of what is perceived of them, only the sum matters.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.ranking.scores import NoScore
from evaluation.stats.resampling import Floats
from evaluation.stats.wins import KINDS, Wins

# The standard deviations of abilities, and of the difference of two perceived qualities.
SPREAD: Final = 1.0
NOISE: Final = float(np.sqrt(2))
CLOSE_ENOUGH: Final = 1e-10
MOST_STEPS: Final = 100
# Newton's method may overshoot far from the maximum.
LONGEST_STEP: Final = 1.0


class NoAbility(Enum):
    """Why abilities have no estimate although systems were compared."""

    ALL_TIED = "all candidates are always tied"


def judged_only(tables: Wins) -> Wins:
    """Leave out ties of systems with one text, which no annotator compared."""
    return Wins(tables.wins, tables.ties - tables.same_texts)


def abilities(tables: Wins) -> Floats:
    """Return the abilities with the largest posterior: T × systems.

    NaN for systems never compared, and in tables with ties only, whose radius has no estimate.
    """
    return abilities_and_radius(tables)[:, :-1]


def abilities_and_radius(tables: Wins) -> Floats:
    """Return the abilities and, in the last column, d: T × (systems + 1). d is 0 without ties."""
    from scipy.special import ndtri

    tables = judged_only(tables)
    present = tables.compared.sum(axis=2) > 0
    decided, ties = tables.wins.sum(axis=(1, 2)), tables.ties.sum(axis=(1, 2)) / 2
    found = np.full((len(decided), present.shape[1] + 1), np.nan)
    climbing = np.flatnonzero(decided > 0)
    # Begun where all systems are equal.
    found[climbing, :-1] = 0.0
    found[climbing, -1] = NOISE * ndtri((1 + (ties / (ties + decided))[climbing]) / 2)
    for _ in range(MOST_STEPS):
        if not len(climbing):
            break
        some = Wins(tables.wins[climbing], tables.ties[climbing])
        step = _newton_step(found[climbing], some, free=ties[climbing] > 0)
        # The radius stays above 0.
        found[climbing, -1] += np.maximum(step[:, -1], -found[climbing, -1] / 2)
        found[climbing, :-1] += step[:, :-1]
        climbing = climbing[np.abs(step).max(axis=1) > CLOSE_ENOUGH]
    found[climbing] = np.nan
    found[:, :-1][~present] = np.nan
    return found


def ability_gradient(total: Wins) -> Floats:
    """Return the derivative of each ability by the number of each outcome: systems × (4 · P).

    The columns are those of SentenceWins; NaN where the ability is undefined. By the implicit
    function theorem it is the inverse information times the slope of each outcome's log likelihood.
    """
    found = abilities_and_radius(total)
    systems = found.shape[1] - 1
    x, y = np.triu_indices(systems, 1)
    if np.isnan(found[0, -1]):
        return np.full((systems, KINDS * len(x)), np.nan)
    judged = judged_only(total)
    free = np.array([judged.ties.any()])
    outcomes = Outcomes.of(np.nan_to_num(found))
    win, tie, of_radius = outcomes.win / NOISE, outcomes.tie / NOISE, outcomes.tie_radius / NOISE
    of_outcomes = np.zeros((systems + 1, KINDS, len(x)))
    pair = np.arange(len(x))
    for outcome, slope in enumerate((win[0, x, y], -win[0, y, x], tie[0, x, y])):
        of_outcomes[x, outcome, pair] = slope
        of_outcomes[y, outcome, pair] = -slope
    for outcome, slope in enumerate((-win[0, x, y], -win[0, y, x], of_radius[0, x, y])):
        of_outcomes[-1, outcome] = slope * free
    # One more pair with the same text is one tie less that was judged.
    of_outcomes[:, 3] = -of_outcomes[:, 2]
    information = _information(outcomes, judged, free)[0]
    changes = np.linalg.solve(information, of_outcomes.reshape(systems + 1, -1))[:systems]
    return np.where(np.isnan(found[0, :-1, None]), np.nan, changes)


def why_no_ability(tables: Wins) -> list[NoScore | NoAbility]:
    """Return, for each system of the first table, why it has no ability, if it has none."""
    compared = judged_only(tables).compared[0].sum(axis=1)
    return [NoAbility.ALL_TIED if count else NoScore.NEVER_COMPARED for count in compared]


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Moments of the normal distribution where x is better than y (`win`), and where they tie.

    All are T × systems × systems, for the difference of perceived qualities less its mean, divided
    by NOISE. `win` and `tie` are its means, also the slopes of the log likelihood by μx - μy, and
    `win_known` and `tie_known` 1 - its variances, also minus the second derivatives. `tie_radius`,
    `tie_cross` and `tie_both` are the slope by d, and minus the second derivatives by d and by
    μx - μy and d.
    """

    win: Floats
    win_known: Floats
    tie: Floats
    tie_known: Floats
    tie_radius: Floats
    tie_both: Floats
    tie_cross: Floats

    @classmethod
    def of(cls, parameters: Floats) -> "Outcomes":
        """Return those of T × (systems + 1) abilities and d."""
        from scipy.special import log_ndtr, ndtr

        ability, radius = parameters[:, :-1], parameters[:, -1, None, None]
        ahead = ability[:, :, None] - ability[:, None, :]
        end = (ahead - radius) / NOISE
        win = np.exp(-(end**2) / 2 - np.log(2 * np.pi) / 2 - log_ndtr(end))
        # In the lower tail, where small probabilities are exact.
        upper, lower = (radius - np.abs(ahead)) / NOISE, (-radius - np.abs(ahead)) / NOISE
        share = ndtr(upper) - ndtr(lower)
        at_upper, at_lower = (
            np.divide(_density(end), share, out=np.zeros_like(share), where=share > 0)
            for end in (upper, lower)
        )
        sign = np.sign(ahead)
        tie, of_radius = sign * (at_lower - at_upper), at_upper + at_lower
        spread = upper * at_upper - lower * at_lower
        skew = sign * (upper * at_upper + lower * at_lower)
        return cls(
            win=win,
            win_known=win * (win + end),
            tie=tie,
            tie_known=tie**2 + spread,
            tie_radius=of_radius,
            tie_both=of_radius**2 + spread,
            tie_cross=tie * of_radius - skew,
        )


def _density(x: Floats) -> Floats:
    return np.asarray(np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi))


def _newton_step(parameters: Floats, tables: Wins, *, free: NDArray[np.bool_]) -> Floats:
    """Return Newton's step, shortened if it is too long; 0 for a radius that is not free."""
    outcomes = Outcomes.of(parameters)
    won = tables.wins * outcomes.win
    slope = (won - won.swapaxes(1, 2) + tables.ties * outcomes.tie).sum(axis=2) / NOISE
    slope -= parameters[:, :-1] / SPREAD**2
    of_radius = (tables.ties * outcomes.tie_radius / 2 - won).sum(axis=(1, 2)) / NOISE * free
    rest = np.concatenate([slope, of_radius[:, None]], axis=1)
    information = _information(outcomes, tables, free)
    step = np.linalg.solve(information, rest[:, :, None])[:, :, 0]
    longest = np.abs(step).max(axis=1, keepdims=True)
    return np.asarray(step / np.maximum(1, longest / LONGEST_STEP))


def _information(outcomes: Outcomes, tables: Wins, free: NDArray[np.bool_]) -> Floats:
    """Return minus the second derivatives of the log posterior: T × (systems + 1)²."""
    count, systems, _ = tables.wins.shape
    won = tables.wins * outcomes.win_known / NOISE**2
    spread = won + won.swapaxes(1, 2) + tables.ties * outcomes.tie_known / NOISE**2
    cross = won.swapaxes(1, 2) - won + tables.ties * outcomes.tie_cross / NOISE**2
    information = np.zeros((count, systems + 1, systems + 1))
    information[:, :-1, :-1] = -spread
    information[:, range(systems), range(systems)] += spread.sum(axis=2) + 1 / SPREAD**2
    information[:, :-1, -1] = information[:, -1, :-1] = cross.sum(axis=2) * free[:, None]
    both = (won + tables.ties * outcomes.tie_both / NOISE**2 / 2).sum(axis=(1, 2))
    information[:, -1, -1] = np.where(free, both, 1.0)
    return information
