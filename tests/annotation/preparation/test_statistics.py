import pytest

from annotation.preparation.statistics import Quality, Tally


def test_its_shares_are_those_counted_by_hand() -> None:
    tally = Tally()
    tally.add({"a": "red", "b": "red", "c": ""}, gapped=0)
    tally.add({"a": "red", "b": "blue", "c": "dark blue"}, gapped=1)
    tally.add({"a": "", "b": "", "c": ""}, gapped=0)
    quality = tally.quality(sentences=4, uncut=1)
    assert quality.empty_projections == pytest.approx(4 / 9)
    assert quality.candidates_with_gaps == pytest.approx(1 / 5)
    assert quality.unique_candidates == pytest.approx(4 / 5)
    # A segment without candidates is not one on which all systems agree.
    assert quality.agreeing_segments == pytest.approx(1 / 3)
    assert quality.sentences_without_segments == pytest.approx(1 / 4)


def test_a_share_of_nothing_is_none() -> None:
    quality = Tally().quality(sentences=0, uncut=0)
    assert quality == Quality()
    assert quality.empty_projections is None
    assert quality.candidates_with_gaps is None
    assert quality.unique_candidates is None
    assert quality.agreeing_segments is None
    assert quality.sentences_without_segments is None
