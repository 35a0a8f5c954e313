"""Pairs of translations of one text where annotators preferred one, as JSON lines.

`prompt`, `chosen` and `rejected` are the columns of an explicit preference data set of TRL.
"""

import json
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import fmean
from typing import Any, Final

from annotation.formats.errors import Template as _

# Why two translations are no pair, as pages translate it.
TIE: Final = _("ties")
BELOW: Final = _("below the margin")
SAME_TEXT: Final = _("same text of two systems")
NOT_JUDGED: Final = _("a translation without a judgement")
NOT_COMPARED: Final = _("judged by different annotators")
DECIMALS: Final = 4


@dataclass(eq=False)
class JudgedTexts:
    """The translations of one text: systems by translation, and what annotators said of them.

    `judgements` have for each one its annotator, and the values of the translations in it, the
    higher the better. Where only the order of values counts (`is_order`), those of two judgements
    are not comparable.
    """

    prompt: str
    is_order: bool
    systems: dict[str, list[str]] = field(default_factory=dict)
    judgements: list[tuple[Hashable, Mapping[str, float]]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PreferencePair:
    """`margin` is the mean over the `annotators` who judged both of what chosen has more.

    It is a difference of values, or of an order the share of judgements in favour less that
    against. `preferred` of the annotators said that chosen is better, `tied` saw no difference.
    """

    chosen: str
    rejected: str
    margin: float
    annotators: int
    preferred: int
    tied: int


def preference_pairs(
    texts: JudgedTexts, left_out: Counter[str], *, minimum_margin: float = 0
) -> Iterator[PreferencePair]:
    """Yield the pairs that are no tie and have the least margin, in the order of the translations.

    What is left out is counted by reason. Each annotator counts once, by the mean of their
    judgements.
    """
    for systems in texts.systems.values():
        left_out[SAME_TEXT] += len(systems) * (len(systems) - 1) // 2
    by_annotator: dict[Hashable, list[Mapping[str, float]]] = {}
    for annotator, values in texts.judgements:
        by_annotator.setdefault(annotator, []).append(values)
    judged = {text for _annotator, values in texts.judgements for text in values}
    margin_of = _of_order if texts.is_order else _of_values
    for one, other in combinations(texts.systems, 2):
        found = (margin_of(of_one, one, other) for of_one in by_annotator.values())
        margins = [margin for margin in found if margin is not None]
        mean = round(fmean(margins), DECIMALS) if margins else 0.0
        if not margins:
            left_out[NOT_COMPARED if {one, other} <= judged else NOT_JUDGED] += 1
        elif not mean:
            left_out[TIE] += 1
        elif abs(mean) < minimum_margin:
            left_out[BELOW] += 1
        else:
            chosen, rejected = (one, other) if mean > 0 else (other, one)
            yield PreferencePair(
                chosen,
                rejected,
                abs(mean),
                len(margins),
                sum(margin * mean > 0 for margin in margins),
                sum(not margin for margin in margins),
            )


def pair_line(pair: PreferencePair, texts: JudgedTexts, where: Mapping[str, Any]) -> str:
    """Return the line of JSON; `where` are further columns, which say what the pair is of."""
    entry = {
        "prompt": texts.prompt,
        "chosen": pair.chosen,
        "rejected": pair.rejected,
        "margin": pair.margin,
        "annotators": pair.annotators,
        "preferred": pair.preferred,
        "tied": pair.tied,
        "chosen_systems": texts.systems[pair.chosen],
        "rejected_systems": texts.systems[pair.rejected],
        **where,
    }
    return json.dumps(entry, ensure_ascii=False) + "\n"


def _of_order(judgements: Sequence[Mapping[str, float]], one: str, other: str) -> float | None:
    both = [each for each in judgements if one in each and other in each]
    if not both:
        return None
    return fmean((each[one] > each[other]) - (each[one] < each[other]) for each in both)


def _of_values(judgements: Sequence[Mapping[str, float]], one: str, other: str) -> float | None:
    of_one = [each[one] for each in judgements if one in each]
    of_other = [each[other] for each in judgements if other in each]
    return fmean(of_one) - fmean(of_other) if of_one and of_other else None
