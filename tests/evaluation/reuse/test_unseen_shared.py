"""How well systems of the thesis' real data are judged without judgements of them, or with a few.

The bars are what `docs/reuse.md` promises; `python -m tests.load.unseen` prints all
figures.
"""

import numpy as np
import pytest

from evaluation.reuse.prediction import LeftOut, leave_one_out
from evaluation.reuse.project_texts import ProjectTexts
from evaluation.stats.judgements import Judgements
from tests.conftest import SHARED
from tests.evaluation.thesis_texts import read_thesis
from tests.load.unseen import (
    of_carried_effects,
    of_corrections,
    of_powered,
    of_predictions,
    of_sentences,
)

pytestmark = [pytest.mark.shared, pytest.mark.slow]


@pytest.fixture(scope="module")
def thesis() -> tuple[Judgements, ProjectTexts]:
    return read_thesis(SHARED / "data/wmt14-en-cs/first-half")


@pytest.fixture(scope="module")
def left_out(thesis) -> tuple[LeftOut, ...]:
    return leave_one_out(*thesis)


def test_systems_are_judged_without_judgements(left_out):
    found = of_predictions(left_out)

    assert found.mean <= 0.012
    assert found.displacement <= 1
    assert found.holds >= 0.9


@pytest.mark.parametrize(("judged", "error"), [(100, 0.009), (200, 0.007), (300, 0.006)])
def test_a_few_judgements_correct_the_prediction(left_out, judged, error):
    shrunk, unshrunk = of_corrections(left_out, judged=judged, repeats=100, seed=0)

    assert shrunk.mean <= error
    assert 0.92 <= shrunk.holds <= 0.97
    assert 0.93 <= unshrunk.holds <= 0.97
    assert shrunk.width < unshrunk.width


def test_effects_of_systems_carry_over_to_other_sentences(thesis):
    judgements, texts = thesis
    first = np.arange(len(texts.references)) < len(texts.references) // 2
    halves = [leave_one_out(*of_sentences(judgements, texts, keep)) for keep in (first, ~first)]

    carried, correlation = of_carried_effects(*halves)

    assert correlation > 0.8
    assert carried.mean < 0.6 * of_predictions(halves[1]).mean


def test_predictions_make_intervals_narrower_without_bias(thesis):
    judgements, texts = thesis
    once = judgements.select(~judgements.repeats)

    results = of_powered(once, texts, sizes=(100,), repeats=100, seed=0)

    for found in results.values():
        assert found.width_ratio <= 0.88
        assert 0.93 <= found.holds <= 0.97
        assert found.bias <= 3
