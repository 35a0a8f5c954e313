"""Cohen's κ of annotators with themselves (intra) and with each other (inter).

Definitions: method.md, "Agreement"; thesis, chapter 2.3.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from evaluation.stats.comparisons import Comparisons, compare_judgements, count_ties
from evaluation.stats.judgements import Codes, Judgements


class Undefined(Enum):
    """Why κ is undefined."""

    NOTHING_COMPARED = "no two judgements of the same candidates to compare"
    ALL_TIED = "all candidates are always tied, so agreement is meaningless"


@dataclass(frozen=True)
class Chance:
    """Tied and untied pairs of candidates over all judgements."""

    tied: int
    untied: int

    @property
    def expected(self) -> float | None:
        """P(E) = P(=)² + P(<)² + P(>)², with P(<) = P(>) = (1 - P(=)) / 2; None without pairs."""
        if not self.tied + self.untied:
            return None
        ties = self.tied / (self.tied + self.untied)
        return ties**2 + 2 * ((1 - ties) / 2) ** 2


@dataclass(frozen=True)
class Agreement:
    """Pairs of candidates on which two judgements agree, and all pairs that both compare.

    They are in `sentences` sentences, None if these were not counted. `only_ties`: all candidates
    are tied in all judgements compared.
    """

    agree: int
    compared: int
    chance: Chance
    sentences: int | None = None
    only_ties: bool = False

    @property
    def observed(self) -> float | None:
        """P(A); None if nothing was compared."""
        return self.agree / self.compared if self.compared else None

    @property
    def undefined(self) -> Undefined | None:
        """Why κ is undefined; None if it is defined."""
        if not self.compared:
            return Undefined.NOTHING_COMPARED
        return None if self.chance.untied else Undefined.ALL_TIED

    @property
    def kappa(self) -> float | None:
        """κ = (P(A) - P(E)) / (1 - P(E)); None if undefined, never 0."""
        observed, expected = self.observed, self.chance.expected
        if observed is None or expected is None or self.undefined:
            return None
        return (observed - expected) / (1 - expected)


@dataclass(frozen=True)
class AgreementReport:
    """Agreement of all annotators together, and of each in the order of their codes."""

    chance: Chance
    intra: Agreement
    inter: Agreement
    annotators_intra: tuple[Agreement, ...]
    annotators_inter: tuple[Agreement, ...]
    signature: str


def measure_agreement(judgements: Judgements) -> AgreementReport:
    """Return P(E) and κ, intra and inter, of all annotators and of each.

    Every pair of judgements of one segment counts: as intra if by one annotator, as inter if by two
    (in the figures of both). Judgements by unidentified annotators count in P(E) only.
    """
    chance = chance_of(judgements)
    compared = compare_judgements(judgements)
    people = len(judgements.annotator_names)
    own, between = compared.select(compared.by_one), compared.select(~compared.by_one)
    sentences = judgements.sentences
    return AgreementReport(
        chance=chance,
        intra=_together(own, sentences, chance),
        inter=_together(between, sentences, chance),
        annotators_intra=_each(own, [own.left], sentences, people, chance),
        annotators_inter=_each(between, [between.left, between.right], sentences, people, chance),
        signature=judgements.sign(
            "κ of unordered pairs of unique candidates",
            "expected agreement over all judgements",
            "repeats included",
        ),
    )


def chance_of(judgements: Judgements) -> Chance:
    """Count tied and untied pairs over all judgements."""
    tied, untied = count_ties(judgements.candidate_ranks)
    return Chance(int(tied.sum()), int(untied.sum()))


def only_ties(agree: int, compared: int, *, any_tau: bool) -> bool:
    """Tell whether all candidates are tied in all judgements compared.

    Two judgements that agree and have no τ-b have ties only. `any_tau`: whether any two have one.
    """
    return 0 < compared == agree and not any_tau


def _together(compared: Comparisons, sentences: Codes, chance: Chance) -> Agreement:
    some = compared.select(compared.compared > 0)
    agree, every = int(some.agree.sum()), int(some.compared.sum())
    any_tau = not np.isnan(some.tau_b).all()
    return Agreement(
        agree,
        every,
        chance,
        len(np.unique(sentences[some.rows])),
        only_ties(agree, every, any_tau=any_tau),
    )


def _each(
    compared: Comparisons, sides: Sequence[Codes], sentences: Codes, people: int, chance: Chance
) -> tuple[Agreement, ...]:
    """Return the agreement of each annotator; comparisons count for those of all `sides`."""
    agree, every = (
        np.sum([np.bincount(side, weights=count, minlength=people) for side in sides], axis=0)
        for count in (compared.agree, compared.compared)
    )
    some = compared.compared > 0
    who = np.concatenate([side[some] for side in sides])
    behind = np.tile(sentences[compared.rows[some]], len(sides))
    pairs = np.unique(np.stack([who, behind]), axis=1)
    counts = np.bincount(pairs[0], minlength=people)
    return tuple(
        Agreement(int(agree[code]), int(every[code]), chance, int(counts[code]))
        for code in range(people)
    )
