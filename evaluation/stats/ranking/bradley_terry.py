"""Strengths of systems by the model of Bradley and Terry with ties, as Davidson extended it.

With strengths θ and a tendency to tie ν, x is better than y, worse or equal with probabilities
in the proportion of exp(θx), exp(θy) and ν exp((θx + θy) / 2): θx - θy is the logarithm of the odds
that x wins where the two do not tie. Ties of systems with one text are left out, because no
annotator compared them. Davidson's and not Rao and Kupper's ties: they are an exponential family,
for which wins + ties / 2 of each system and the number of all ties are sufficient, and the
likelihood has one maximum or none.
Source: Davidson (1970), "On Extending the Bradley–Terry Model to Accommodate Ties in Paired
Comparison Experiments", Journal of the American Statistical Association 65.
"""

from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.ranking.scores import NoScore
from evaluation.stats.resampling import Floats
from evaluation.stats.wins import KINDS, Wins

Flags = NDArray[np.bool_]

CLOSE_ENOUGH: Final = 1e-8
MOST_STEPS: Final = 200
# Newton's method may overshoot far from the maximum.
LONGEST_STEP: Final = 1.0
FAR: Final = -1e9


class NoMaximum(Enum):
    """Why the likelihood has no maximum."""

    APART = (
        "some systems never lost or tied against the others, or were never compared with them, so "
        "their strengths have no finite estimate"
    )
    TOO_MANY_TIES = "too many ties to estimate strengths"


def strengths(tables: Wins) -> Floats:
    """Return the maximum-likelihood θ: T × systems, with mean 0 over compared systems.

    NaN for systems never compared, and in tables whose likelihood has no maximum (nothing is added
    to the data to force one). Without ties ν is 0: the model of Bradley and Terry.
    """
    tables = _judged(tables)
    present = tables.compared.sum(axis=2) > 0
    distances = _distances(tables)
    defined = _connected(distances, present) & _contradicted(distances)
    theta = np.full(present.shape, np.nan)
    fitted = _fit(Wins(tables.wins[defined], tables.ties[defined]), present[defined])[:, :-1]
    theta[defined] = np.where(present[defined], fitted, np.nan)
    return theta


def strengths_or_sides(tables: Wins) -> Floats:
    """Return the strengths; in tables without a maximum, where θ goes: inf, -inf, or NaN.

    It goes to inf for systems that some others could not reach by steps from winner to loser or
    between tied systems, and that are out of reach of none; to -inf in the opposite case.
    """
    theta = strengths(tables)
    reach = np.isfinite(_distances(_judged(tables)))
    above = np.any(reach & ~reach.swapaxes(1, 2), axis=2)
    below = np.any(reach.swapaxes(1, 2) & ~reach, axis=2)
    lost = np.isnan(theta)
    theta[lost & above & ~below] = np.inf
    theta[lost & below & ~above] = -np.inf
    return theta


def strength_gradient(total: Wins) -> Floats:
    """Return the derivative of each θ by the number of each outcome: systems × (4 · P), one table.

    The columns are those of SentenceWins; NaN where θ is undefined. By the implicit function
    theorem it is the inverse information times the derivative of each outcome's log likelihood.
    """
    systems = total.wins.shape[1]
    x, y = np.triu_indices(systems, 1)
    defined = ~np.isnan(strengths(total))
    if not defined.any():
        return np.full((systems, KINDS * len(x)), np.nan)
    total = _judged(total)
    parameters = _fit(total, defined)
    score, tie = _expected(parameters)
    free = np.append(defined, [[total.ties.any()]], axis=1)
    information = _with_fixed(_information(total.compared, score, tie), free)
    of_outcomes = np.zeros((systems + 1, KINDS, len(x)))
    pair = np.arange(len(x))
    for outcome, points in enumerate((1.0, 0.0, 0.5)):
        of_outcomes[x, outcome, pair] = points - score[0, x, y]
        of_outcomes[y, outcome, pair] = 1 - points - score[0, y, x]
        of_outcomes[-1, outcome, pair] = (points == 0.5) - tie[0, x, y]
    # One more pair with the same text is one tie less that was judged.
    of_outcomes[:, 3] = -of_outcomes[:, 2]
    of_outcomes *= free[0, :, None, None]
    changes = np.linalg.solve(information[0], of_outcomes.reshape(systems + 1, -1))[:systems]
    return np.where(defined[0, :, None], changes, np.nan)


def why_no_strengths(tables: Wins) -> list[NoScore | NoMaximum]:
    """Return, for each system of the first table, why it has no strength, if it has none."""
    tables = _judged(tables)
    present = tables.compared.sum(axis=2) > 0
    connected = _connected(_distances(tables), present)[0]
    whole = NoMaximum.TOO_MANY_TIES if connected else NoMaximum.APART
    return [whole if compared else NoScore.NEVER_COMPARED for compared in present[0]]


def _judged(tables: Wins) -> Wins:
    """Leave out ties of systems with one text, which no annotator compared."""
    return Wins(tables.wins, tables.ties - tables.same_texts)


# --- whether there is a maximum ---------------------------------------------------------------
#
# There is none iff θ and ln ν can grow without bound in a direction d and h in which no observation
# becomes less likely: x better than y needs dx - dy >= 2h and >= 0, and a tie |dx - dy| <= 2h. With
# h = 0 this needs systems that others cannot reach by steps from winner to loser or between tied
# systems; with 2h = 1 it needs that no cycle of steps has more wins than ties.


def _distances(tables: Wins) -> Floats:
    """Return the least (ties - wins) on paths from each system to each; inf without a path."""
    far = np.where(tables.ties > 0, 1.0, np.inf)
    far = np.where(tables.wins > 0, -1.0, far)
    for over in range(far.shape[1]):
        far = np.minimum(far, far[:, :, over, None] + far[:, over, None, :])
        far = np.maximum(far, FAR)  # negative cycles would shrink without end
    return far


def _connected(distances: Floats, present: Flags) -> Flags:
    """Tell, by table, whether there is a path from each compared system to each."""
    both = present[:, :, None] & present[:, None, :]
    return np.asarray(np.all(np.isfinite(distances) | ~both, axis=(1, 2)))


def _contradicted(distances: Floats) -> Flags:
    """Tell, by table, whether some cycle has more wins than ties."""
    return np.asarray(np.any(np.diagonal(distances, axis1=1, axis2=2) < 0, axis=1))


# --- the maximum ------------------------------------------------------------------------------


def _fit(tables: Wins, present: Flags) -> Floats:
    """Return the maximum of each table by Newton's method: θ of the systems, and last ln ν."""
    compared = tables.compared
    scores = (tables.wins + tables.ties / 2).sum(axis=2)
    ties = tables.ties.sum(axis=(1, 2)) / 2
    decided = tables.wins.sum(axis=(1, 2))
    # Begun where all systems are equal.
    with np.errstate(divide="ignore"):
        log_nu = np.log(2 * ties / decided)  # -inf without ties: it stays there
    parameters = np.concatenate([np.zeros(present.shape), log_nu[:, None]], axis=1)
    observed = np.concatenate([scores, ties[:, None]], axis=1)
    free = np.concatenate([present, (ties > 0)[:, None]], axis=1)
    climbing = np.arange(len(parameters))
    for _ in range(MOST_STEPS):
        if not len(climbing):
            return parameters
        step = _step(parameters[climbing], compared[climbing], observed[climbing], free[climbing])
        parameters[climbing] += step
        climbing = climbing[np.abs(step).max(axis=1) > CLOSE_ENOUGH]
    parameters[climbing] = np.nan
    return parameters


def _step(parameters: Floats, compared: Floats, observed: Floats, free: Flags) -> Floats:
    """Return Newton's step, shortened if it is too long; 0 for fixed parameters."""
    score, tie = _expected(parameters)
    expected = np.concatenate(
        [(compared * score).sum(axis=2), (compared * tie).sum(axis=(1, 2))[:, None] / 2], axis=1
    )
    information = _with_fixed(_information(compared, score, tie), free)
    rest = np.where(free, observed - expected, 0)
    step = np.linalg.solve(information, rest[:, :, None])[:, :, 0]
    longest = np.abs(step).max(axis=1, keepdims=True)
    return np.asarray(step / np.maximum(1, longest / LONGEST_STEP))


def _expected(parameters: Floats) -> tuple[Floats, Floats]:
    """Return the expected score of the row (1 for a win, 1/2 for a tie) and P(tie), by pair."""
    theta, nu = parameters[:, :-1], np.exp(parameters[:, -1])[:, None, None]
    half = np.exp((theta[:, :, None] - theta[:, None, :]) / 2)
    weights = half + half.swapaxes(1, 2) + nu
    tie = nu / weights
    return half / weights + tie / 2, tie


def _with_fixed(information: Floats, free: Flags) -> Floats:
    """Return the information with which the mean of θ and parameters that are not free stay."""
    systems = information.shape[1] - 1
    information[:, :systems, :systems] += 1  # keeps the mean where it is: only differences matter
    information *= free[:, :, None] & free[:, None, :]
    information[:, range(systems + 1), range(systems + 1)] += ~free
    return information


def _information(compared: Floats, score: Floats, tie: Floats) -> Floats:
    """Return the covariance of the scores and of the number of ties: T × (systems + 1)²."""
    tables, systems, _ = compared.shape
    information = np.empty((tables, systems + 1, systems + 1))
    spread = compared * (score * (1 - score) - tie / 4)
    information[:, :systems, :systems] = -spread
    information[:, range(systems), range(systems)] += spread.sum(axis=2)
    with_ties = (compared * tie * (0.5 - score)).sum(axis=2)
    information[:, :systems, -1] = information[:, -1, :systems] = with_ties
    information[:, -1, -1] = (compared * tie * (1 - tie)).sum(axis=(1, 2)) / 2
    return information
