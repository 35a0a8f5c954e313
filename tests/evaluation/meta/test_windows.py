import numpy as np
import pytest

from evaluation.meta.intervals import FEW_SYSTEMS
from evaluation.meta.system_scores import SystemScores
from evaluation.meta.windows import rolling_windows
from tests.evaluation.meta.wmt19 import read_wmt19

SCORES = SystemScores(
    systems=tuple("abcde"),
    human=np.array([1.0, 5, 3, 2, 4]),
    metrics=("same", "reversed", "constant", "lacking"),
    scores=np.array([[1.0, 5, 3, 2, 4], [5, 1, 3, 4, 2], [1, 1, 1, 1, 1], [np.nan, 5, 3, 2, 4]]),
)


def test_windows_roll_from_the_worst_systems_to_the_best():
    found = rolling_windows(SCORES, size=3)
    assert [window.systems for window in found.windows] == [
        ("c", "d", "a"),
        ("e", "c", "d"),
        ("b", "e", "c"),
    ]
    assert [(window.first, window.last) for window in found.windows] == [(3, 5), (2, 4), (1, 3)]
    for window in found.windows:
        assert window.pearson[:2] == pytest.approx([1, -1])
        assert np.isnan(window.pearson[2])
    assert np.isnan(found.windows[0].pearson[3])
    assert found.windows[1].pearson[3] == pytest.approx(1)


def test_there_is_no_window_of_more_systems_than_there_are():
    assert rolling_windows(SCORES, size=6).windows == ()


def test_it_refuses_windows_of_one_system():
    with pytest.raises(ValueError, match="two systems"):
        rolling_windows(SCORES, size=1)


def test_windows_of_few_systems_have_a_caution():
    assert rolling_windows(SCORES, size=4).caution == FEW_SYSTEMS


@pytest.mark.shared
def test_german_english_of_wmt19(shared):
    scores = read_wmt19(shared, "de-en")
    windows = {window.first: window for window in rolling_windows(scores, size=4).windows}
    chosen = [scores.metrics.index(metric) for metric in ("sacreBLEU-BLEU", "chrF", "ESIM")]
    # Mathur (2021), section 6.5: over the top four, BLEU and chrF are far below 0, ESIM is not.
    assert windows[1].pearson[chosen] == pytest.approx([-0.82, -0.61, 0.90], abs=0.005)
    # The text calls those of ranks 2 to 5 perfect; the scores do not confirm it.
    assert windows[2].pearson[chosen[:2]] == pytest.approx([0.52, 0.54], abs=0.005)
    assert windows[3].pearson[chosen[:2]] == pytest.approx([0.78, 0.92], abs=0.005)
    assert len(windows) == 13
