"""Agreement with its uncertainty: κ, Krippendorff's α and Kendall's τ-b, with 95 % intervals.

Everything is counted by sentence. Sentences are resampled, and all figures are computed from each
resample, P(E) of κ included (method.md, "Agreement" and "Systems"). If the judgements are sampled
by documents or blocks, these take the place of sentences; below they are the sampled units.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.agreement.alpha import (
    ALPHA,
    COUNTED,
    TIED,
    UNITS,
    UNTIED,
    alpha,
    count_units,
    pair_values,
)
from evaluation.stats.agreement.kappa import Agreement, Chance, Undefined
from evaluation.stats.agreement.over_annotators import (
    alpha_over_annotators,
    kappa_over_annotators,
    ratio_over_annotators,
)
from evaluation.stats.agreement.weighted_kappa import NO_TWO_ANNOTATORS
from evaluation.stats.comparisons import Comparisons, Counts, Kind, compare_judgements, count_ties
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import Codes, Judgements, natural_key
from evaluation.stats.resampling import (
    ALL_EQUAL,
    CORRELATION,
    FEWEST_SENTENCES,
    UNBOUNDED,
    Bounds,
    Floats,
    draw_counts,
    number_sentences,
    sums_by,
    too_few,
    weighted_sums,
    with_interval,
)

Positions = NDArray[np.intp]
# How often each sampled unit (row) was drawn in each resample (column): once on average, so a byte
# is enough.
Kept = NDArray[np.uint8]
# Counts by name, with one element for each sampled unit or resample.
Columns = Mapping[str, Floats]
ONLY_TIES: Final = "in each pair of judgements, one has only ties"
# Counted in every unit; the other counts only where two judgements were compared.
EVERYWHERE: Final = ("tied", "untied")
# Sampled units of a group multiplied at once.
UNITS_AT_ONCE: Final = 4096


@dataclass(frozen=True)
class Kappa:
    """Pairs of candidates of `sentences` sentences: `agree` of all `compared`; κ with its interval.

    `observed` is P(A), None if nothing was compared; `expected` is P(E), None without any pairs.
    """

    agree: int
    compared: int
    observed: float | None
    expected: float | None
    sentences: int
    kappa: Estimate


@dataclass(frozen=True)
class Alpha:
    """Krippendorff's α over `units`: pairs of candidates that two annotators or more compared.

    `values` is the number of their outcomes, one for each annotator and unit.
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
    """τ-b of pairs of judgements by one annotator, and by two."""

    intra: TauB
    inter: TauB


@dataclass(frozen=True)
class AnnotatorAgreement:
    """An annotator's agreement with themselves and with all others."""

    annotator: str
    intra: Kappa
    inter: Kappa


@dataclass(frozen=True)
class PairAgreement:
    """The agreement of two annotators who judged the same candidates."""

    annotator: str
    other: str
    inter: Kappa


@dataclass(frozen=True)
class AgreementEstimates:
    """Agreement of all, of each annotator in the order of codes, of each pair in order of names."""

    chance: Chance
    intra: Kappa
    inter: Kappa
    alpha: Alpha
    tau_b: IntraAndInter
    annotators: tuple[AnnotatorAgreement, ...]
    pairs: tuple[PairAgreement, ...]
    resamples: int
    seed: int
    signature: str


@dataclass(frozen=True, eq=False)
class Groups:
    """Comparisons of groups (annotators, or pairs of them), one element for a group and unit.

    Each group has few units. `starts` has where the elements of each group begin, and the end;
    `sentences` is the number of sentences in which each group compared anything.
    """

    starts: Positions
    units: Positions
    agree: Floats
    compared: Floats
    sentences: Positions

    def __len__(self) -> int:
        return len(self.starts) - 1

    def units_of(self, group: int) -> int:
        """Return the number of sampled units in which the group compared anything."""
        return int(self.starts[group + 1] - self.starts[group])

    def totals(self) -> tuple[Floats, Floats]:
        """Return the agreeing and the compared pairs by group."""
        groups = np.repeat(np.arange(len(self)), np.diff(self.starts))
        return sums_by(groups, self.agree, len(self)), sums_by(groups, self.compared, len(self))

    def resampled(self, group: int, kept: Kept) -> tuple[Floats, Floats]:
        """Return the agreeing and the compared pairs of a group by resample."""
        sums = np.zeros((2, kept.shape[1]))
        for places in self._parts(group):
            amounts = np.stack([self.agree[places], self.compared[places]])
            sums += amounts @ kept[self.units[places]].astype(np.float64)
        return sums[0], sums[1]

    def _parts(self, group: int) -> Iterator[slice]:
        end = int(self.starts[group + 1])
        for start in range(int(self.starts[group]), end, UNITS_AT_ONCE):
            yield slice(start, min(end, start + UNITS_AT_ONCE))


def group_by(
    codes: NDArray[np.integer],
    count: int,
    units: Positions,
    sentences: Codes,
    amounts: tuple[Counts, Counts],
) -> Groups:
    """Sum comparisons, given one element for each pair of judgements, by group and unit.

    `codes` are those of `count` groups; `amounts` are the agreeing and the compared pairs.
    """
    agree, compared = amounts
    some = compared > 0
    groups = codes[some].astype(np.int64)
    width = int(units.max(initial=0)) + 1
    keys, places = np.unique(groups * width + units[some], return_inverse=True)
    broad = int(sentences.max(initial=0)) + 1
    judged = np.unique(groups * broad + sentences[some]) // broad
    return Groups(
        starts=np.searchsorted(keys // width, np.arange(count + 1)),
        units=(keys % width).astype(np.intp),
        agree=sums_by(places, agree[some], len(keys)),
        compared=sums_by(places, compared[some], len(keys)),
        sentences=np.bincount(judged, minlength=count),
    )


@dataclass(frozen=True, eq=False)
class SentenceCounts:
    """Counts by sampled unit (`columns`, an element each), and all comparisons.

    `kept` has the codes of units with a comparison; `units` has the position in `kept` for each
    comparison, and `sentences` its sentence. `tied` and `untied` have the pairs of candidates of
    each judgement.
    """

    columns: Columns
    comparisons: Comparisons
    units: Positions
    sentences: Codes
    kept: Codes
    tied: Counts
    untied: Counts


@dataclass(frozen=True, eq=False)
class ResampledCounts:
    """The sums of all columns by resample, and how often each kept unit was drawn."""

    columns: Columns
    kept: Kept


def count_agreement(judgements: Judgements) -> SentenceCounts:
    """Return the counts by sampled unit that κ, α and τ-b need."""
    codes, count = number_sentences(judgements.units)
    comparisons = compare_judgements(judgements)
    where = codes[comparisons.rows]
    kept, positions = np.unique(where, return_inverse=True)
    ties = count_ties(judgements.candidate_ranks)
    columns = {
        name: sums_by(codes, tied, count) for name, tied in zip(EVERYWHERE, ties, strict=True)
    }
    of_alpha = count_units(judgements, codes, count)
    columns |= {f"alpha {column}": of_alpha[:, column] for column in range(COUNTED)}
    for kind, chosen in (("intra", comparisons.by_one), ("inter", ~comparisons.by_one)):
        columns |= _columns(kind, comparisons.select(chosen), where[chosen], count)
    sentences = judgements.sentences[comparisons.rows]
    return SentenceCounts(columns, comparisons, positions, sentences, kept, *ties)


def _columns(kind: str, comparisons: Comparisons, where: Codes, count: int) -> dict[str, Floats]:
    defined = ~np.isnan(comparisons.tau_b)
    amounts = {
        "agree": comparisons.agree,
        "compared": comparisons.compared,
        "tau_b": np.where(defined, comparisons.tau_b, 0.0),
        "taus": defined,
        "no taus": ~defined & (comparisons.compared > 0),
    }
    return {f"{kind} {name}": sums_by(where, amount, count) for name, amount in amounts.items()}


def resample_counts(counted: SentenceCounts, resamples: int, seed: int) -> ResampledCounts:
    """Resample the sampled units, and sum the counts of those drawn."""
    everywhere = np.stack([counted.columns[name] for name in EVERYWHERE], axis=1)
    others = [name for name in counted.columns if name not in EVERYWHERE]
    compared = np.stack([counted.columns[name][counted.kept] for name in others], axis=1)
    drawn_sums = np.zeros((resamples, len(EVERYWHERE) + len(others)))
    kept = np.zeros((len(counted.kept), resamples), dtype=np.uint8)
    start = 0
    for drawn in draw_counts(len(everywhere), resamples=resamples, seed=seed):
        rows = slice(start, start := start + len(drawn))
        # The other counts are 0 elsewhere; bytes are faster to transpose.
        drawn_kept = np.take(drawn, counted.kept, axis=1)
        drawn_sums[rows, : len(EVERYWHERE)] = weighted_sums(drawn, everywhere)
        drawn_sums[rows, len(EVERYWHERE) :] = weighted_sums(drawn_kept, compared)
        kept[:, rows] = drawn_kept.astype(np.uint8).T
    return ResampledCounts(dict(zip((*EVERYWHERE, *others), drawn_sums.T, strict=True)), kept)


class _Measure:
    """Combines the counts with their resamples."""

    def __init__(
        self, judgements: Judgements, counted: SentenceCounts, drawn: ResampledCounts
    ) -> None:
        self._judgements = judgements
        self._names = judgements.annotator_names
        self._counted, self._drawn = counted, drawn
        self._sums = {name: float(column.sum()) for name, column in counted.columns.items()}
        self._expected = _expected(drawn.columns["tied"], drawn.columns["untied"])
        self.chance = Chance(int(self._sums["tied"]), int(self._sums["untied"]))
        # κ where all comparisons disagree, and where all agree.
        expected = self.chance.expected or 0.0
        self._bounds = (-expected / (1 - expected), 1.0) if expected < 1 else UNBOUNDED

    def kappa(self, kind: Kind) -> Kappa:
        agree, compared = f"{kind} agree", f"{kind} compared"
        every = self._counted.comparisons
        chosen = (every.by_one == (kind == "intra")) & (every.compared > 0)
        sentences = len(np.unique(self._counted.sentences[chosen]))
        kappa = self._kappa(
            Agreement(
                int(self._sums[agree]),
                int(self._sums[compared]),
                self.chance,
                sentences,
            ),
            sentences,
            self._units(compared),
            (self._drawn.columns[agree], self._drawn.columns[compared]),
        )
        if kappa.kappa.value is None or kappa.kappa.low is None:
            return kappa
        if kappa.agree in (0, kappa.compared):
            # No annotator makes a difference: an error of 0 says nothing of others.
            return replace(kappa, kappa=replace(kappa.kappa, no_wide_interval=ALL_EQUAL))
        ties = self._counted.tied, self._counted.untied
        both = kappa_over_annotators(self._judgements, every.of_kind(kind), ties)
        return replace(kappa, kappa=both.widen(kappa.kappa, 0, self._bounds))

    def alpha(self) -> Alpha:
        names = [f"alpha {column}" for column in range(COUNTED)]
        sums = np.array([[self._sums[name] for name in names]])
        resampled = np.stack([self._drawn.columns[name] for name in names], axis=1)
        value = float(alpha(sums)[0])
        units = int(sums[0, UNITS])
        estimate = self._estimate(
            None if np.isnan(value) else value,
            alpha(resampled),
            self._units(names[UNITS]),
            Undefined.ALL_TIED.value if units else NO_TWO_ANNOTATORS,
            ALPHA,
        )
        if estimate.low is not None:
            both = alpha_over_annotators(self._judgements, pair_values(self._judgements))
            estimate = both.widen(estimate, 0, ALPHA)
        return Alpha(estimate, units, int(sums[0, TIED] + sums[0, UNTIED]))

    def tau_b(self, kind: Kind) -> TauB:
        taus = f"{kind} taus"
        pairs, undefined = int(self._sums[taus]), int(self._sums[f"{kind} no taus"])
        with np.errstate(invalid="ignore"):
            resampled = self._drawn.columns[f"{kind} tau_b"] / self._drawn.columns[taus]
        estimate = self._estimate(
            self._sums[f"{kind} tau_b"] / pairs if pairs else None,
            resampled,
            self._units(taus),
            ONLY_TIES if undefined else Undefined.NOTHING_COMPARED.value,
            CORRELATION,
        )
        if estimate.low is not None:
            every = self._counted.comparisons.of_kind(kind)
            known = every.select(~np.isnan(every.tau_b))
            both = ratio_over_annotators(self._judgements, known, known.tau_b, np.ones(pairs))
            estimate = both.widen(estimate, 0, CORRELATION)
        return TauB(estimate, pairs, undefined)

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
            if kappa.compared:
                found.append((sorted((place[key // people], place[key % people])), kappa))
        for (one, other), kappa in sorted(found, key=lambda pair: pair[0]):
            yield PairAgreement(self._names[by_name[one]], self._names[by_name[other]], kappa)

    def _groups(
        self, codes: NDArray[np.signedinteger], chosen: NDArray[np.bool_], count: int
    ) -> Groups:
        """Group the chosen comparisons; `codes` may list all comparisons twice, for both sides."""
        compared = self._counted.comparisons
        times = len(codes) // max(1, len(compared))
        agree, of = (
            np.tile(counts, times)[chosen] for counts in (compared.agree, compared.compared)
        )
        units = np.tile(self._counted.units, times)[chosen]
        sentences = np.tile(self._counted.sentences, times)[chosen]
        return group_by(codes[chosen], count, units, sentences, (agree, of))

    def _each(self, groups: Groups) -> Iterator[Kappa]:
        for group, (agree, compared) in enumerate(zip(*groups.totals(), strict=True)):
            units = groups.units_of(group)
            enough = units >= FEWEST_SENTENCES
            yield self._kappa(
                Agreement(int(agree), int(compared), self.chance, int(groups.sentences[group])),
                int(groups.sentences[group]),
                units,
                groups.resampled(group, self._drawn.kept) if enough else None,
            )

    def _kappa(
        self,
        agreement: Agreement,
        sentences: int,
        units: int,
        resampled: tuple[Floats, Floats] | None,
    ) -> Kappa:
        kappas = np.zeros(0) if resampled is None else _kappas(*resampled, self._expected)
        reason = agreement.undefined.value if agreement.undefined else ""
        estimate = self._estimate(agreement.kappa, kappas, units, reason, self._bounds)
        return Kappa(
            agree=agreement.agree,
            compared=agreement.compared,
            observed=agreement.observed,
            expected=agreement.chance.expected,
            sentences=sentences,
            kappa=estimate,
        )

    def _units(self, column: str) -> int:
        return int(np.count_nonzero(self._counted.columns[column]))

    def _estimate(
        self,
        value: float | None,
        resampled: Floats,
        units: int,
        undefined: str,
        bounds: Bounds = UNBOUNDED,
    ) -> Estimate:
        if value is None:
            return Estimate(None, undefined=undefined)
        unit = self._judgements.unit
        if not len(resampled):
            few = units < FEWEST_SENTENCES and self._drawn.kept.shape[1]
            return Estimate(value, no_interval=too_few(unit) if few else "")
        return with_interval(value, resampled, units, bounds, unit)


def agreement_with_intervals(
    judgements: Judgements, *, resamples: int = 1000, seed: int = 0
) -> AgreementEstimates:
    """Return the agreement of all annotators, of each, and of each pair, with intervals.

    Figures of fewer than FEWEST_SENTENCES sampled units have no interval, and none has with
    `resamples` = 0. Time is proportional to resamples × units, and memory is a byte for each with
    comparisons.
    """
    measure = _measure(judgements, resamples, seed)
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
        signature=judgements.sign(
            "agreement of unordered pairs of unique candidates",
            "expected agreement over all judgements",
            "repeats included",
            *(
                (f"95 % intervals of {resamples} resamples of {judgements.unit}", f"seed {seed}")
                if resamples
                else ()
            ),
        ),
    )


def kappas_with_intervals(
    judgements: Judgements, *, resamples: int = 1000, seed: int = 0
) -> tuple[Kappa, Kappa]:
    """Return intra- and inter-annotator κ as `agreement_with_intervals` does, and no more."""
    measure = _measure(judgements, resamples, seed)
    return measure.kappa("intra"), measure.kappa("inter")


def _measure(judgements: Judgements, resamples: int, seed: int) -> _Measure:
    counted = count_agreement(judgements)
    return _Measure(judgements, counted, resample_counts(counted, resamples, seed))


def _expected(tied: Floats, untied: Floats) -> Floats:
    """Return P(E) as in `Chance.expected`; NaN without pairs."""
    with np.errstate(invalid="ignore"):
        ties = tied / (tied + untied)
    return ties**2 + 2 * ((1 - ties) / 2) ** 2


def _kappas(agree: Floats, compared: Floats, expected: Floats) -> Floats:
    """Return κ by resample; NaN if nothing was compared or everything is tied."""
    with np.errstate(invalid="ignore", divide="ignore"):
        kappas = (agree / compared - expected) / (1 - expected)
    return np.where((compared > 0) & (expected < 1), kappas, np.nan)
