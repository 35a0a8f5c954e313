"""What the next judgements would change: which systems would change places, how probably.

The next judgements are drawn by a Pólya urn: a sentence that was judged is drawn, and put back with
a copy of itself, so that what is drawn is as uncertain as the judged sentences leave it. Source:
Ghosh & Meeden (1997), "Bayesian Methods for Finite Population Sampling", chapter 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.findings.evidence import Evidence
from evaluation.findings.ranking import SCORES
from evaluation.rendering.tables import Column, Name, Percent, Table
from evaluation.rendering.text import Quantity, Text, _
from evaluation.stats.ranking.learning_curve import ScoredUnits, signs_of_pairs
from evaluation.stats.ranking.systems import TIE_DECIMALS
from evaluation.stats.resampling import FEWEST_SENTENCES, Floats, too_few

NEXT: Final = 100
# Changes that are less probable than this are not listed.
LEAST: Final = 0.01


@dataclass(frozen=True)
class OrderChange:
    """A system that is `ahead` of another now, and the probability that they change places."""

    ahead: str
    behind: str
    probability: float


@dataclass(frozen=True)
class NextJudgements:
    """What `judgements` more, of about `units` sampled units, would change by the score `method`.

    `changes` are those that are probable enough, the most probable first, of the `pairs` of systems
    that are in an order now. `leader` leads now, and `another_leader` is the probability that
    another system will; both are None if no system leads alone, or the whole is `undefined`.
    """

    method: str
    judgements: int
    units: int
    pairs: int
    changes: tuple[OrderChange, ...]
    leader: str | None
    another_leader: float | None
    undefined: str
    signature: str


def compute(evidence: Evidence) -> NextJudgements:
    judgements, scored, seed = evidence.judgements, evidence.scored, evidence.options.seed
    draws = evidence.options.resamples
    names = judgements.system_names
    more = max(1, round(NEXT * len(scored) / max(1, len(judgements))))
    # Documents and blocks have many judgements each.
    number = round(more * len(judgements) / max(1, len(scored)))
    few = len(scored) < FEWEST_SENTENCES
    changes: Sequence[OrderChange] = ()
    leader = another = None
    if not few:
        now = np.round(scored.total, TIE_DECIMALS)
        then = scores_after(scored, more, draws=draws, seed=seed)
        changes = order_changes(names, now, then)
        best = np.flatnonzero(now == np.max(now, initial=-np.inf, where=~np.isnan(now)))
        if len(best) == 1:
            leader = names[best[0]]
            rounded = np.round(np.nan_to_num(then, nan=-np.inf), TIE_DECIMALS)
            leads = rounded == rounded.max(axis=1, keepdims=True)
            # Systems that lead together share a draw.
            another = float(1 - np.mean(leads[:, best[0]] / leads.sum(axis=1)))
    return NextJudgements(
        method=scored.method,
        judgements=number,
        units=more,
        pairs=len(changes),
        changes=tuple(change for change in changes if change.probability >= LEAST),
        leader=leader,
        another_leader=another,
        undefined=too_few(judgements.unit) if few else "",
        signature=judgements.sign(
            f"order after {number} more judgements",
            *scored.words,
            f"{more} {judgements.unit} from a Pólya urn",
            f"{draws} draws",
            f"seed {seed}",
        ),
    )


def scores_after(scored: ScoredUnits, more: int, *, draws: int, seed: int) -> Floats:
    """Return the scores (draws × K) of the systems when so many more units are judged."""
    random = np.random.default_rng(seed)
    drawn: NDArray[np.intp] = np.empty((more, draws), dtype=np.intp)
    sums = np.repeat(scored.sums.sum(axis=0, keepdims=True), draws, axis=0)
    for number, units in enumerate(drawn):
        # Each judged unit, or a copy of one that was drawn before.
        picked = random.integers(0, len(scored) + number, draws)
        copies = np.flatnonzero(picked >= len(scored))
        picked[copies] = drawn[picked[copies] - len(scored), copies]
        units[:] = picked
        sums += scored.sums[units]
    return scored.scores(sums)


def order_changes(names: Sequence[str], now: Floats, then: Floats) -> list[OrderChange]:
    """Return the probability with which each two systems change places, the highest first.

    Scores are those of K systems `now`, and in draws (T × K). Equal scores are half a change; two
    systems whose scores are equal now, or undefined, have no order that could change.
    """
    first, second = np.triu_indices(len(names), 1)
    signs = signs_of_pairs(now[None])[0]
    changed = (1 - (signs_of_pairs(then) * signs)) / 2
    shares = changed.mean(axis=0).tolist()
    found = [
        OrderChange(names[x], names[y], share)
        if sign > 0
        else OrderChange(names[y], names[x], share)
        for x, y, sign, share in zip(
            first.tolist(), second.tolist(), signs.tolist(), shares, strict=True
        )
        if sign
    ]
    return sorted(found, key=lambda change: -change.probability)


def tables(found: NextJudgements) -> list[Table]:
    if not found.pairs:
        return []
    notes: list[Text] = []
    if not found.changes:
        notes.append(_("No two systems change places with a probability of 1 % or more."))
    if found.another_leader is not None:
        notes.append(
            _(
                "%(leader)s leads now. After %(count)s more judgements, another system leads with "
                "a probability of %(share)s %%.",
                leader=found.leader,
                count=found.judgements,
                share=Quantity(100 * found.another_leader, 0),
            )
        )
    return [
        Table.of(
            "next-judgements",
            _("Order after %(number)s more judgements", number=found.judgements),
            (
                Column("ahead", _("Ahead now"), Name()),
                Column("behind", _("Behind now"), Name()),
                Column("probability", _("They change places"), Percent(), is_main=True),
            ),
            found.changes,
            notes=(
                *notes,
                _(
                    "It takes the next sentences to be like those judged so far, and judged by the "
                    "same annotators. Score: %(score)s. Pairs below 1 %% are not listed.",
                    score=SCORES[found.method],
                ),
            ),
            details=[found.signature],
        )
    ]
