"""The screens of each annotator in order of time: a screen has all segments of a sentence."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.judgements import UNIDENTIFIED, Codes, Judgements
from evaluation.stats.resampling import Floats, sums_by

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Screens:
    """M screens, sorted by annotator and time.

    `of_judgements` is the screen of each judgement (J), or -1 if the annotator or the time is
    unknown; `annotators` and `sentences` (codes) and `places` (from 0, among the annotator's
    screens) have one element a screen.
    """

    of_judgements: Rows
    annotators: Codes
    sentences: Codes
    places: Rows

    def __len__(self) -> int:
        return len(self.annotators)

    def sums(self, rows: Rows, values: NDArray[Any]) -> Floats:
        """Return the sums by screen (M) of values of the judgements in `rows`."""
        where = self.of_judgements[rows]
        known = where >= 0
        return sums_by(where[known], values[known], len(self))

    def select(self, chosen: NDArray[np.bool_]) -> "Screens":
        """Return these screens with their places; other judgements get the screen -1."""
        numbers = np.append(np.where(chosen, np.cumsum(chosen) - 1, -1), -1)
        return Screens(
            numbers[self.of_judgements],
            self.annotators[chosen],
            self.sentences[chosen],
            self.places[chosen],
        )


def screens(judgements: Judgements) -> Screens:
    """Group consecutive judgements of one sentence by one annotator."""
    known = np.flatnonzero((judgements.annotators != UNIDENTIFIED) & ~np.isnan(judgements.created))
    who, what = judgements.annotators[known], judgements.sentences[known]
    order = np.lexsort((judgements.created[known], who))
    who, what = who[order], what[order]
    begins = np.ones(len(order), dtype=np.bool_)
    begins[1:] = (who[1:] != who[:-1]) | (what[1:] != what[:-1])
    of_judgements = np.full(len(judgements), -1, dtype=np.intp)
    of_judgements[known[order]] = np.cumsum(begins) - 1
    annotators = who[begins]
    places = np.arange(len(annotators)) - np.searchsorted(annotators, annotators)
    return Screens(of_judgements, annotators, what[begins], places)
