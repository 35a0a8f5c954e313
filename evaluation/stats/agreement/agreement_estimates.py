"""Agreement with its uncertainty: κ, Krippendorff's α and Kendall's τ-b, with 95 % intervals.

Everything is counted a sentence first; then sentences are drawn again and again, and all that
depends on them is computed anew, P(E) of κ too (method.md, "Agreement" and "Systems").
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.agreement.agreement import Agreement, Chance, Undefined
from evaluation.stats.agreement.agreement_counts import (
    Counted,
    Drawn,
    count_agreement,
    draw_sentences,
)
from evaluation.stats.agreement.agreement_groups import Groups, group_by
from evaluation.stats.agreement.alpha import COUNTED, TIED, UNITS, UNTIED, alpha
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import Judgements
from evaluation.stats.labels import natural_key
from evaluation.stats.resampling import FEWEST, Floats, estimated
from evaluation.stats.signature import Signature

NO_TWO_ANNOTATORS: Final = "no two annotators judged the same candidates"
ONLY_TIES: Final = "in every two judgements to compare, one has only ties"


@dataclass(frozen=True)
class Kappa:
    """Pairs of candidates on which judgements of `sentences` sentences agree, and κ of them."""

    agreement: Agreement
    sentences: int
    estimate: Estimate


@dataclass(frozen=True)
class Alpha:
    """Krippendorff's α over `units`: pairs of candidates that two annotators or more compared.

    `values` is how often they did: the first outcome of each annotator.
    """

    estimate: Estimate
    units: int
    values: int


@dataclass(frozen=True)
class TauB:
    """The mean of Kendall's τ-b over `pairs` pairs of judgements; `undefined` more have none."""

    estimate: Estimate
    pairs: int
    undefined: int


@dataclass(frozen=True)
class IntraAndInter:
    """τ-b of judgements by one annotator, and by two."""

    intra: TauB
    inter: TauB


@dataclass(frozen=True)
class AnnotatorAgreement:
    """An annotator's agreement with himself, and with all others."""

    annotator: str
    intra: Kappa
    inter: Kappa


@dataclass(frozen=True)
class PairAgreement:
    """The agreement of two annotators who judged the same candidates."""

    annotators: tuple[str, str]
    inter: Kappa


@dataclass(frozen=True)
class AgreementEstimates:
    """Agreement of all together, of each annotator in the order of codes, of each pair by names."""

    chance: Chance
    intra: Kappa
    inter: Kappa
    alpha: Alpha
    tau_b: IntraAndInter
    annotators: tuple[AnnotatorAgreement, ...]
    pairs: tuple[PairAgreement, ...]
    resamples: int
    seed: int
    signature: Signature


def agreement_with_intervals(
    judgements: Judgements, *, resamples: int = 1000, seed: int = 0
) -> AgreementEstimates:
    """Measure the agreement of all, of each annotator and of each pair of annotators.

    A figure of fewer than FEWEST sentences has no interval, nor any with `resamples` = 0. Takes
    time in proportion to resamples × sentences, and a byte for each of these that were compared.
    """
    counted = count_agreement(judgements)
    drawn = draw_sentences(counted, resamples, seed)
    measure = _Measure(judgements, counted, drawn)
    return AgreementEstimates(
        chance=measure.chance,
        intra=measure.kappa("intra"),
        inter=measure.kappa("inter"),
        alpha=measure.alpha(),
        tau_b=IntraAndInter(measure.tau_b("intra"), measure.tau_b("inter")),
        annotators=tuple(measure.annotators()),
        pairs=tuple(measure.pairs()),
        resamples=resamples,
        seed=seed,
        signature=Signature(
            "agreement of unordered pairs of unique candidates",
            (
                "expected agreement over all judgements",
                "repeats included",
                f"95 % intervals of {resamples} resamples of sentences",
                f"seed {seed}",
            ),
            len(judgements),
            judgements.sentences_judged,
        ),
    )


def _expected(tied: Floats, untied: Floats) -> Floats:
    """Return P(E), as `Chance.expected`; NaN without pairs."""
    with np.errstate(invalid="ignore"):
        ties = tied / (tied + untied)
    return ties**2 + 2 * ((1 - ties) / 2) ** 2


def _kappas(agree: Floats, compared: Floats, expected: Floats) -> Floats:
    """Return κ a resample; NaN where nothing was compared or all is tied."""
    with np.errstate(invalid="ignore", divide="ignore"):
        kappas = (agree / compared - expected) / (1 - expected)
    return np.where((compared > 0) & (expected < 1), kappas, np.nan)


def _estimate(value: float | None, resampled: Floats, sentences: int, undefined: str) -> Estimate:
    if value is None:
        return Estimate(None, undefined=undefined)
    return estimated(value, resampled, sentences)


class _Measure:
    """Puts together what was counted and what was drawn."""

    def __init__(self, judgements: Judgements, counted: Counted, drawn: Drawn) -> None:
        self._names = judgements.annotator_names
        self._counted, self._drawn = counted, drawn
        self._sums = {name: float(column.sum()) for name, column in counted.columns.items()}
        self._expected = _expected(drawn.columns["tied"], drawn.columns["untied"])
        self.chance = Chance(int(self._sums["tied"]), int(self._sums["untied"]))

    def kappa(self, kind: str) -> Kappa:
        agree, compared = f"{kind} agree", f"{kind} compared"
        return self._kappa(
            Agreement(int(self._sums[agree]), int(self._sums[compared]), self.chance),
            self._sentences(compared),
            (self._drawn.columns[agree], self._drawn.columns[compared]),
        )

    def alpha(self) -> Alpha:
        names = [f"alpha {column}" for column in range(COUNTED)]
        sums = np.array([[self._sums[name] for name in names]])
        resampled = np.stack([self._drawn.columns[name] for name in names], axis=1)
        value = float(alpha(sums)[0])
        units = int(sums[0, UNITS])
        return Alpha(
            _estimate(
                None if np.isnan(value) else value,
                alpha(resampled),
                self._sentences(names[UNITS]),
                Undefined.ALL_TIED.value if units else NO_TWO_ANNOTATORS,
            ),
            units,
            int(sums[0, TIED] + sums[0, UNTIED]),
        )

    def tau_b(self, kind: str) -> TauB:
        taus = f"{kind} taus"
        pairs, undefined = int(self._sums[taus]), int(self._sums[f"{kind} no taus"])
        with np.errstate(invalid="ignore"):
            resampled = self._drawn.columns[f"{kind} tau_b"] / self._drawn.columns[taus]
        return TauB(
            _estimate(
                self._sums[f"{kind} tau_b"] / pairs if pairs else None,
                resampled,
                self._sentences(taus),
                ONLY_TIES if undefined else Undefined.NOTHING_COMPARED.value,
            ),
            pairs,
            undefined,
        )

    def annotators(self) -> Iterator[AnnotatorAgreement]:
        compared, people = self._counted.comparisons, len(self._names)
        own = compared.by_one
        intra = self._groups(compared.left, own, people)
        inter = self._groups(
            np.concatenate([compared.left, compared.right]), np.tile(~own, 2), people
        )
        for name, of_one, of_others in zip(
            self._names, self._each(intra), self._each(inter), strict=True
        ):
            yield AnnotatorAgreement(name, of_one, of_others)

    def pairs(self) -> Iterator[PairAgreement]:
        compared, people = self._counted.comparisons, len(self._names)
        keys = compared.left.astype(np.int64) * people + compared.right
        known, codes = np.unique(keys, return_inverse=True)
        groups = self._groups(codes, ~compared.by_one, len(known))
        by_name = sorted(range(people), key=lambda code: natural_key(self._names[code]))
        place = {code: place for place, code in enumerate(by_name)}
        found = []
        for key, kappa in zip(known.tolist(), self._each(groups), strict=True):
            if kappa.agreement.compared:
                found.append((sorted((place[key // people], place[key % people])), kappa))
        for (one, other), kappa in sorted(found, key=lambda pair: pair[0]):
            names = self._names[by_name[one]], self._names[by_name[other]]
            yield PairAgreement(names, kappa)

    def _groups(
        self, codes: NDArray[np.signedinteger], chosen: NDArray[np.bool_], count: int
    ) -> Groups:
        """Group the chosen comparisons, which may stand there twice, once for each side."""
        compared = self._counted.comparisons
        times = len(codes) // max(1, len(compared))
        agree, of = (
            np.tile(counts, times)[chosen] for counts in (compared.agree, compared.compared)
        )
        sentences = np.tile(self._counted.sentences, times)[chosen]
        return group_by(codes[chosen], count, sentences, (agree, of))

    def _each(self, groups: Groups) -> Iterator[Kappa]:
        for group, (agree, compared) in enumerate(zip(*groups.totals(), strict=True)):
            sentences = groups.sentences_of(group)
            enough = sentences >= FEWEST
            yield self._kappa(
                Agreement(int(agree), int(compared), self.chance),
                sentences,
                groups.resampled(group, self._drawn.kept) if enough else None,
            )

    def _kappa(
        self, agreement: Agreement, sentences: int, resampled: tuple[Floats, Floats] | None
    ) -> Kappa:
        kappas = np.zeros(0) if resampled is None else _kappas(*resampled, self._expected)
        reason = agreement.undefined.value if agreement.undefined else ""
        return Kappa(agreement, sentences, _estimate(agreement.kappa, kappas, sentences, reason))

    def _sentences(self, column: str) -> int:
        return int(np.count_nonzero(self._counted.columns[column]))
