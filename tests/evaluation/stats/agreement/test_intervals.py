from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.stats import resampling
from evaluation.stats.agreement.intervals import (
    ONLY_TIES,
    AgreementEstimates,
    Kappa,
    agreement_with_intervals,
)
from evaluation.stats.agreement.kappa import Agreement, Undefined, measure_agreement, only_ties
from evaluation.stats.agreement.weighted_kappa import NO_TWO_ANNOTATORS
from evaluation.stats.judgements import Judgements
from evaluation.stats.resampling import ALL_EQUAL, draw_counts, interval
from tests.evaluation.tables import G, judged, slow_agreement, slow_chance, tables
from tests.load.evaluation import made_up

SEVERAL = [
    ("s", "jana", [1, 2, 3]),
    ("s", "jana", [1, 3, 2]),
    ("s", "petr", [1, 2, 2]),
    ("t", "jana", [1, 2]),
    ("t", "petr", [2, 1]),
    ("t", "zuzana", [1, 2]),
    ("u", "petr", [1, G, G]),
    ("u", "zuzana", [2, 3, 1]),
]


def figures(found: Kappa | Agreement) -> tuple[float | None, ...]:
    expected = found.expected if isinstance(found, Kappa) else found.chance.expected
    kappa = found.kappa.value if isinstance(found, Kappa) else found.kappa
    return found.agree, found.compared, found.observed, expected, found.sentences, kappa


def test_the_figures_are_those_without_intervals():
    judgements = made_up(600, seed=3)

    found, expected = agreement_with_intervals(judgements), measure_agreement(judgements)

    assert found.chance == expected.chance
    for row, of_all, taus in (
        (found.intra, expected.intra, found.tau_b.intra),
        (found.inter, expected.inter, found.tau_b.inter),
    ):
        assert figures(row) == figures(of_all)
        has_only_ties = only_ties(row.agree, row.compared, any_tau=bool(taus.pairs))
        assert has_only_ties == of_all.only_ties
    assert found.inter.kappa.value == expected.inter.kappa
    assert [row.annotator for row in found.annotators] == list(judgements.annotator_names)
    for rows, of_each in (
        ([row.intra for row in found.annotators], expected.annotators_intra),
        ([row.inter for row in found.annotators], expected.annotators_inter),
    ):
        assert [figures(row) for row in rows] == [figures(each) for each in of_each]


def test_an_interval_surrounds_its_figure():
    found = agreement_with_intervals(made_up(600, seed=3))

    estimates = [found.intra.kappa, found.inter.kappa, found.alpha.estimate]
    estimates += [found.tau_b.inter.estimate, found.annotators[0].inter.kappa]
    for estimate in estimates:
        assert estimate.low is not None
        assert estimate.value is not None
        assert estimate.high is not None
        assert -1 <= estimate.low < estimate.value < estimate.high <= 1


def test_perfect_agreement_says_nothing_of_other_annotators():
    rows = [(f"{n:02}", who, [1, 2, 2]) for n in range(12) for who in ("jana", "petr", "eva")] * 2
    rows.append(("99", "jana", [1, 1, 2]))

    found = agreement_with_intervals(judged(rows))

    for kappa in (found.intra.kappa, found.inter.kappa):
        assert kappa.value == 1
        assert kappa.low is not None
        assert kappa.low < 0.9
        assert (kappa.wide_low, kappa.wide_high, kappa.no_wide_interval) == (None, None, ALL_EQUAL)


@given(tables())
def test_each_pair_of_annotators_agrees_with_plain_loops(rows):
    found = {
        (pair.annotator, pair.other): (pair.inter.agree, pair.inter.compared)
        for pair in agreement_with_intervals(judged(rows), resamples=5).pairs
    }

    expected = {}
    for names in combinations(["jana", "petr", "zuzana"], 2):
        agree, compared = slow_agreement([row for row in rows if row[1] in names], same=False)
        if compared:
            expected[names] = agree, compared
    assert found == expected


def slow_intervals(rows, *, resamples, seed):
    """κ, intra and inter, of the rows of each sentence as often as it was drawn."""
    segments = sorted({segment for segment, _, _ in rows})
    counted = {
        segment: (
            slow_chance([row for row in rows if row[0] == segment]),
            slow_agreement([row for row in rows if row[0] == segment], same=True),
            slow_agreement([row for row in rows if row[0] == segment], same=False),
        )
        for segment in segments
    }
    kappas: tuple[list[float], list[float]] = [], []
    for part in draw_counts(len(segments), resamples=resamples, seed=seed):
        for drawn in part:
            sums = np.zeros((3, 2))
            for segment, times in zip(segments, drawn, strict=True):
                sums += int(times) * np.array(counted[segment])
            (tied, untied), *agreements = sums
            for found, (agree, compared) in zip(kappas, agreements, strict=True):
                share = tied / (tied + untied) if tied + untied else np.nan
                expected = share**2 + (1 - share) ** 2 / 2
                defined = compared and expected < 1
                found.append((agree / compared - expected) / (1 - expected) if defined else np.nan)
    return kappas


@given(tables(), st.integers(0, 3))
@settings(max_examples=50)
def test_intervals_agree_with_plain_loops_over_sampled_sentences(rows, seed):
    with pytest.MonkeyPatch.context() as patch:
        # Otherwise none of these small tables would have an interval.
        patch.setattr(resampling, "FEWEST_SENTENCES", 2)
        found = agreement_with_intervals(judged(rows), resamples=20, seed=seed)

    expected = slow_intervals(rows, resamples=20, seed=seed)
    chance = found.chance.expected or 0
    for kappa, values in zip((found.intra, found.inter), expected, strict=True):
        estimate = kappa.kappa
        if estimate.value is None or kappa.sentences < 2:
            assert estimate.low is estimate.high is None
            continue
        low, high = interval(np.array(values), kappa.sentences)
        if low < high:
            ends = [
                end if np.isfinite(end) else bound
                for end, bound in ((low, -chance / (1 - chance)), (high, 1))
            ]
            assert [estimate.low, estimate.high] == pytest.approx(ends)


def test_two_runs_with_one_seed_are_equal_and_another_seed_is_not():
    judgements = made_up(600, seed=3)

    first, again = (agreement_with_intervals(judgements, seed=7) for _ in range(2))

    assert first == again
    assert first.inter.kappa != agreement_with_intervals(judgements, seed=8).inter.kappa
    assert "1000 resamples of sentences|seed 7" in first.signature


def test_the_mean_of_tau_b_is_over_the_pairs_of_judgements_that_have_one():
    tau_b = agreement_with_intervals(judged(SEVERAL), resamples=50).tau_b

    # s: petr with jana's two, each two pairs alike, one tied; t: -1, 1 and -1; u: one pair alike,
    # one opposite.
    assert tau_b.inter.pairs == 6
    assert tau_b.inter.undefined == 0
    assert tau_b.inter.estimate.value == pytest.approx((2 / 6**0.5 + 2 / 6**0.5 - 1) / 6)
    assert tau_b.intra.pairs == 1
    assert tau_b.intra.estimate.value == pytest.approx(1 / 3)


def test_few_sentences_have_no_interval():
    found = agreement_with_intervals(judged(SEVERAL))

    assert found.intra.sentences == 1
    assert found.intra.kappa.value is not None
    assert found.intra.kappa.low is found.intra.kappa.high is None
    assert found.inter.sentences == 3
    assert found.inter.kappa.low is None
    assert found.inter.kappa.no_interval == "the figure comes from fewer than 10 sentences"


def test_without_resamples_there_are_no_intervals():
    found = agreement_with_intervals(judged(SEVERAL), resamples=0)

    assert found.inter.kappa.value == measure_agreement(judged(SEVERAL)).inter.kappa
    assert found.inter.kappa.low is None
    assert found.alpha.estimate.low is None


def undefined(found: AgreementEstimates) -> list[str]:
    estimates = [found.intra.kappa, found.inter.kappa, found.alpha.estimate]
    estimates += [found.tau_b.intra.estimate, found.tau_b.inter.estimate]
    assert all(estimate.value is None for estimate in estimates if estimate.undefined)
    assert all(estimate.undefined for estimate in estimates if estimate.value is None)
    return [estimate.undefined for estimate in estimates]


NOTHING = Undefined.NOTHING_COMPARED.value
TIED = Undefined.ALL_TIED.value


@pytest.mark.parametrize(
    ("rows", "reasons"),
    [
        ([], [NOTHING, NOTHING, NO_TWO_ANNOTATORS, NOTHING, NOTHING]),
        ([("s", None, [1, 2])] * 2, [NOTHING, NOTHING, NO_TWO_ANNOTATORS, NOTHING, NOTHING]),
        ([("s", "jana", [1])] * 2, [NOTHING, NOTHING, NO_TWO_ANNOTATORS, NOTHING, NOTHING]),
        ([("s", "jana", [1, 2])] * 2, ["", NOTHING, NO_TWO_ANNOTATORS, "", NOTHING]),
        (
            [("s", "jana", [1, 1]), ("s", "jana", [G, G]), ("s", "petr", [2, 2])],
            [TIED, TIED, TIED, ONLY_TIES, ONLY_TIES],
        ),
        (
            [("s", "jana", [1, 2]), ("s", "petr", [1, 1])],
            [NOTHING, "", "", NOTHING, ONLY_TIES],
        ),
    ],
)
def test_undefined_figures_say_why(rows, reasons):
    assert undefined(agreement_with_intervals(judged(rows), resamples=20)) == reasons


def test_annotators_who_judged_nothing_of_a_selection_are_undefined():
    judgements: Judgements = judged(SEVERAL)

    found = agreement_with_intervals(judgements.select(judgements.annotators != 0), resamples=20)

    assert [row.annotator for row in found.annotators] == ["jana", "petr", "zuzana"]
    assert found.annotators[0].inter.kappa.undefined == NOTHING
    assert [(pair.annotator, pair.other) for pair in found.pairs] == [("petr", "zuzana")]
