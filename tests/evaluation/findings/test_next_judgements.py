from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.findings import next_judgements
from evaluation.findings.evidence import Evidence
from evaluation.findings.next_judgements import NextJudgements, order_changes, scores_after
from evaluation.findings.options import ReportOptions
from evaluation.formats.judgement_files import Choice, read_judgements
from evaluation.stats.ranking.learning_curve import ScoredUnits, scored_units
from tests.evaluation.tables import judged

# Sentences judged at first, and those that are judged then.
JUDGED, MORE = (50, 100, 200, 400), 65


def found_in(rows: list[tuple[str, str, list[int]]]) -> NextJudgements:
    evidence = Evidence(judged(rows, systems="ABC"), ReportOptions(resamples=500))
    return next_judgements.compute(evidence)


def test_systems_that_are_nearly_equal_may_change_places():
    # A beats B in 11 of 20 sentences; C always loses.
    rows = [(f"{n:02}", "jana", [1, 2, 3] if n < 11 else [2, 1, 3]) for n in range(20)]

    found = found_in(rows)

    (change,) = found.changes
    assert (change.ahead, change.behind) == ("A", "B")
    assert 0.3 < change.probability < 0.5
    assert (found.leader, found.judgements, found.units) == ("A", 100, 100)
    # Both share the draws in which they are equal.
    assert found.another_leader == pytest.approx(change.probability)
    assert found.pairs == 3


def test_systems_that_are_equal_now_have_no_order_to_change():
    rows = [(f"{n:02}", "jana", [1, 2, 3] if n % 2 else [2, 1, 3]) for n in range(20)]

    found = found_in(rows)

    assert found.changes == ()
    assert (found.leader, found.another_leader) == (None, None)


def test_few_sentences_say_nothing_of_the_next_ones():
    found = found_in([(f"{n:02}", "jana", [1, 2, 3]) for n in range(9)])

    assert found.undefined
    assert (found.changes, found.leader) == ((), None)


def test_the_next_sentences_are_copies_of_judged_ones():
    units = ScoredUnits(np.array([[1.0, 0], [0, 1]]), lambda sums: sums, "", ())

    sums = scores_after(units, 3, draws=4000, seed=1)

    assert set(sums.sum(axis=1)) == {5}
    # Of an urn with two sentences, each number of copies from 0 to 3 is as probable.
    _numbers, counts = np.unique(sums[:, 0], return_counts=True)
    assert counts / len(sums) == pytest.approx([0.25] * 4, abs=0.025)


@pytest.mark.shared
def test_of_changes_given_50_percent_40_to_60_happen(shared: Path):
    """Parts of the sentences of WMT12, and the next ones that people judged."""
    path = shared / "data/judgements/wmt12/wmt12.RNK_results.csv.gz"
    judgements = read_judgements(Choice("wmt-five", [path], pair="English-Czech")).judgements
    all_units = scored_units(judgements)
    names = judgements.system_names
    random = np.random.default_rng(0)
    given, happened = [], []
    for size in JUDGED * 25:
        order = random.permutation(len(all_units))
        before = part_of(all_units, order[:size])
        then = part_of(all_units, order[: size + MORE]).total
        draws = scores_after(before, MORE, draws=300, seed=size)
        for change in order_changes(names, before.total, draws):
            ahead, behind = (then[names.index(name)] for name in (change.ahead, change.behind))
            given.append(change.probability)
            happened.append(ahead < behind)

    for low, high, least, most in ((0.4, 0.6, 0.4, 0.6), (0.2, 0.4, 0.2, 0.4), (0, 0.05, 0, 0.05)):
        chosen = (np.array(given) >= low) & (np.array(given) < high)
        assert np.count_nonzero(chosen) > 300
        assert least <= np.mean(np.array(happened)[chosen]) <= most


def part_of(units: ScoredUnits, rows: NDArray[np.intp]) -> ScoredUnits:
    return ScoredUnits(units.sums[rows], units.scores, units.method, units.words)
