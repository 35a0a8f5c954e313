"""The work, the speed and the agreement of annotators (thesis, table 2.3)."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annotation.formats.answer_times import TOO_LONG
from evaluation.stats.agreement.kappa import Agreement, AgreementReport, measure_agreement
from evaluation.stats.annotators.controls import Controls, ControlTable
from evaluation.stats.judgements import UNIDENTIFIED, Codes, Judgements, natural_key

NO_CONTROLS: Final = ControlTable()


@dataclass(frozen=True)
class AnnotatorStatistics:
    """The work of an annotator, or of all: distinct sentences, judgements with repeats, κ.

    `seconds` is the time of the `timed` judgements, whose time is known and under 600 s. `controls`
    are in no other figure.
    """

    annotator: str
    sentences: int
    judgements: int
    timed: int
    seconds: float | None
    intra: Agreement
    inter: Agreement
    controls: Controls

    @property
    def seconds_per_segment(self) -> float | None:
        return None if self.seconds is None else self.seconds / self.timed


@dataclass(frozen=True)
class Statistics:
    """Totals, annotators and agreement.

    `together` is the row of all annotators; its sentences are distinct ones, not the sum.
    """

    judgements: int
    sentences_judged: int
    segments_judged: int
    unidentified: int
    annotators: tuple[AnnotatorStatistics, ...]
    together: AnnotatorStatistics
    agreement: AgreementReport
    signature: str


def describe(judgements: Judgements, controls: ControlTable = NO_CONTROLS) -> Statistics:
    """Return the table of annotators, in the natural order of their names, and totals.

    Annotators without judgements or control segments have no row. The `unidentified` judgements by
    unknown annotators count in the totals and in no row.
    """
    agreement = measure_agreement(judgements)
    rows = _annotator_statistics(judgements, agreement, controls)
    identified = judgements.annotators != UNIDENTIFIED
    return Statistics(
        judgements=len(judgements),
        sentences_judged=judgements.sentences_judged,
        segments_judged=len(np.unique(judgements.segments)),
        unidentified=int(np.count_nonzero(~identified)),
        annotators=rows,
        together=AnnotatorStatistics(
            annotator="",
            sentences=len(np.unique(judgements.sentences[identified])),
            judgements=sum(row.judgements for row in rows),
            timed=sum(row.timed for row in rows),
            seconds=_sum([row.seconds for row in rows]),
            intra=agreement.intra,
            inter=agreement.inter,
            controls=controls.together,
        ),
        agreement=agreement,
        signature=judgements.sign(
            "statistics of annotators",
            f"times of {TOO_LONG:.0f} s or more left out",
            "repeats included",
            *_controls_apart(controls.together.judged),
        ),
    )


def _controls_apart(judged: int) -> tuple[str, ...]:
    return (f"{judged} control segments apart",) if judged else ()


def _annotator_statistics(
    judgements: Judgements, agreement: AgreementReport, controls: ControlTable
) -> tuple[AnnotatorStatistics, ...]:
    people = len(judgements.annotator_names)
    known = judgements.annotators != UNIDENTIFIED
    who, seconds = judgements.annotators[known], judgements.seconds[known]
    timed = seconds < TOO_LONG  # False for NaN
    sentences = _distinct(who, judgements.sentences[known], people)
    counts = np.bincount(who, minlength=people)
    times = np.bincount(who[timed], minlength=people)
    totals = np.bincount(who[timed], weights=seconds[timed], minlength=people)
    rows = [
        AnnotatorStatistics(
            annotator=name,
            sentences=int(sentences[code]),
            judgements=int(counts[code]),
            timed=int(times[code]),
            seconds=float(totals[code]) if times[code] else None,
            intra=agreement.annotators_intra[code],
            inter=agreement.annotators_inter[code],
            controls=controls.of(name),
        )
        for code, name in enumerate(judgements.annotator_names)
        if counts[code] or controls.of(name).judged
    ]
    return tuple(sorted(rows, key=lambda row: natural_key(row.annotator)))


def _sum(seconds: list[float | None]) -> float | None:
    known = [time for time in seconds if time is not None]
    return sum(known) if known else None


def _distinct(who: Codes, what: Codes, people: int) -> NDArray[np.intp]:
    """Return the number of distinct elements of `what` for each annotator."""
    width = int(what.max(initial=0)) + 1
    pairs = np.unique(who.astype(np.int64) * width + what)
    return np.bincount(pairs // width, minlength=people)
