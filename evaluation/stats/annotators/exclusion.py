"""Excludes unreliable annotators and repeats.

WMT also excluded annotators who failed control items (Bojar et al. 2013, "Findings of the 2013
Workshop on Statistical Machine Translation", section 3.2). Every signature names the filters and
what they excluded. κ excludes an annotator only where it comes from FEWEST_SENTENCES or more: by
fewer, many an annotator who judges like all others would be below a bound by chance. For the same
reason the agreement of the others is biased upwards.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.agreement.kappa import measure_agreement
from evaluation.stats.annotators.controls import ControlTable
from evaluation.stats.judgements import UNIDENTIFIED, Judgements, natural_key
from evaluation.stats.resampling import FEWEST_SENTENCES


@dataclass(frozen=True)
class LeftOutAnnotator:
    """An annotator, the number of judgements, and the figures that the filters use.

    Undefined figures are None and exclude no one. `sentences_intra` and `sentences_inter` are the
    sentences behind each κ.
    """

    annotator: str
    judgements: int
    kappa_intra: float | None
    kappa_inter: float | None
    controls: float | None
    sentences_intra: int = 0
    sentences_inter: int = 0


@dataclass(frozen=True)
class LeftOut:
    """How many `judgements`, `of` so many, do not count, and why.

    Those of `annotators` do not, nor do `repeats` of the others.
    By default `minimum_kappa` and `minimum_controls` are None and `with_repeats` is True. `spared`
    are annotators with a lower κ who stay because it comes from too few sentences.
    """

    annotators: tuple[LeftOutAnnotator, ...]
    spared: tuple[LeftOutAnnotator, ...]
    repeats: int
    judgements: int
    of: int
    minimum_kappa: float | None
    minimum_controls: float | None
    with_repeats: bool

    @property
    def options(self) -> tuple[str, ...]:
        """The filters and what they excluded, for signatures; empty without filters."""
        parts = []
        if self.minimum_kappa is not None:
            parts.append(
                f"without annotators with κ below {self.minimum_kappa:g} "
                f"on {FEWEST_SENTENCES} sentences or more"
            )
        if self.minimum_controls is not None:
            parts.append(f"without annotators under {self.minimum_controls:g} of controls")
        if parts:
            parts.append(f"{len(self.annotators)} annotators left out")
        if not self.with_repeats:
            parts.append(f"{self.repeats} repeats left out")
        return tuple(parts)


def leave_out(
    judgements: Judgements,
    controls: ControlTable,
    *,
    minimum_kappa: float | None = None,
    minimum_controls: float | None = None,
    repeats: bool = True,
) -> tuple[Judgements, LeftOut]:
    """Return the judgements that remain, and what was excluded.

    Excludes annotators whose κ, with themselves or with others, is below `minimum_kappa` on
    FEWEST_SENTENCES or more, or whose share of passed control segments is below `minimum_controls`.
    `repeats=False` excludes repeats;
    if the first judgement of a segment was excluded with its annotator, its first repeat stays.
    Judgements of unidentified annotators stay. Signatures of what remains name the filters.
    """
    agreement = measure_agreement(judgements)
    known = judgements.annotators[judgements.annotators != UNIDENTIFIED]
    counts = np.bincount(known, minlength=len(judgements.annotator_names))
    people = [
        LeftOutAnnotator(
            name,
            int(counts[code]),
            agreement.annotators_intra[code].kappa,
            agreement.annotators_inter[code].kappa,
            controls.of(name).share,
            sentences_intra=agreement.annotators_intra[code].sentences or 0,
            sentences_inter=agreement.annotators_inter[code].sentences or 0,
        )
        for code, name in enumerate(judgements.annotator_names)
    ]
    goes = np.array([_goes(person, minimum_kappa, minimum_controls) for person in people], np.bool_)
    spared = [
        person
        for person, gone in zip(people, goes.tolist(), strict=True)
        if not gone
        and (_below(person.kappa_intra, minimum_kappa) or _below(person.kappa_inter, minimum_kappa))
    ]
    stays = (judgements.annotators == UNIDENTIFIED) | ~np.append(goes, False)[judgements.annotators]
    remaining = judgements.select(stays)
    chosen = remaining if repeats else remaining.select(~_repeats(remaining))
    left_out = LeftOut(
        annotators=_by_name(person for person, gone in zip(people, goes, strict=True) if gone),
        spared=_by_name(spared),
        repeats=len(remaining) - len(chosen),
        judgements=len(judgements) - len(chosen),
        of=len(judgements),
        minimum_kappa=minimum_kappa,
        minimum_controls=minimum_controls,
        with_repeats=repeats,
    )
    return replace(chosen, provenance=(*left_out.options, *judgements.provenance)), left_out


def _by_name(people: Iterable[LeftOutAnnotator]) -> tuple[LeftOutAnnotator, ...]:
    return tuple(sorted(people, key=lambda person: natural_key(person.annotator)))


def _goes(
    person: LeftOutAnnotator, minimum_kappa: float | None, minimum_controls: float | None
) -> bool:
    kappas = (
        (person.kappa_intra, person.sentences_intra),
        (person.kappa_inter, person.sentences_inter),
    )
    return _below(person.controls, minimum_controls) or any(
        _below(kappa, minimum_kappa) and sentences >= FEWEST_SENTENCES
        for kappa, sentences in kappas
    )


def _below(figure: float | None, minimum: float | None) -> bool:
    return figure is not None and minimum is not None and figure < minimum


def _repeats(judgements: Judgements) -> NDArray[np.bool_]:
    """Tell which judgements repeat one that remains."""
    order = np.lexsort((judgements.created, judgements.repeats, judgements.segments))
    _, firsts = np.unique(judgements.segments[order], return_index=True)
    again = judgements.repeats.copy()
    again[order[firsts]] = False
    return again
