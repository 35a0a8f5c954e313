import numpy as np
import pytest

from evaluation.meta.outliers import listed_outliers, mad_outliers
from tests.evaluation.meta.wmt19 import PAIRS, read_wmt19

# Mathur (2021), chapter 6: the outliers of WMT19.
OUTLIERS = {
    "en-de": {"en_de_task.6790", "online-X.0"},
    "en-kk": {"DBMS-KU_ENKK.6730", "NICT.6550"},
    "en-fi": {"apertium-fin-eng-unconstrained-en-fi.6448"},
    "en-ru": {"NICT.6563"},
    "de-en": {"online-X.0"},
    "gu-en": {"Ju_Saarland.6525"},
    "kk-en": {"UMD.6736", "DBMS-KU_KKEN.6726"},
    "ru-en": {"NICT.6561"},
    "zh-en": {"online-X.0", "Apprentice-c.6706"},
    "de-cs": {"CAiRE.6949"},
    "fr-de": {"online-X.0", "eTranslation.6262", "MSRA.MADL.6893"},
    "lt-en": {"online-X.0"},
}


@pytest.mark.shared
@pytest.mark.parametrize("pair", PAIRS)
def test_outliers_of_wmt19(shared, pair):
    scores = read_wmt19(shared, pair)
    assert set(mad_outliers(scores.systems, scores.human).names) == OUTLIERS.get(pair, set())


@pytest.mark.shared
def test_robust_scores_of_english_german(shared):
    scores = read_wmt19(shared, "en-de")
    found = mad_outliers(scores.systems, scores.human)
    assert found.median == pytest.approx(0.0875)
    assert found.mad == pytest.approx(0.182360, abs=5e-7)
    of_outliers = [found.robust_z[found.systems.index(name)] for name in found.names]
    assert of_outliers == pytest.approx([-10.180, -2.673], abs=5e-4)


def test_a_system_within_the_cutoff_is_no_outlier():
    # The median is 0 and the median distance 1: 2.5 · 1.4826 = 3.7065.
    human = np.array([-1.0, -1, 0, 1, 3.706])
    assert not mad_outliers("abcde", human).names
    assert mad_outliers("abcde", human + np.array([0, 0, 0, 0, 0.001])).names == ("e",)
    assert mad_outliers("abcde", human, cutoff=2).names == ("e",)


def test_a_mad_of_zero_makes_all_other_scores_outliers_and_says_so():
    found = mad_outliers("abcde", np.array([1.0, 1, 1, 1.001, 5]))
    assert found.names == ("d", "e")
    assert found.mad == 0
    assert np.isnan(found.robust_z).all()
    assert found.note
    assert not mad_outliers("abc", np.ones(3)).note


def test_outliers_can_be_given():
    found = listed_outliers("abc", np.array([1.0, 2, 3]), ["b"])
    assert found.names == ("b",)
    assert str(found) == "outliers list"
    assert not found.note
    assert str(mad_outliers("abc", np.array([1.0, 2, 3]))) == "outliers MAD 2.5"


def test_it_refuses_an_outlier_that_does_not_exist():
    with pytest.raises(ValueError, match="'x'"):
        listed_outliers("abc", np.array([1.0, 2, 3]), ["a", "x"])
