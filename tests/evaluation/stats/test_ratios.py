"""Quotients of sums over cells, against hand-computed sums and plain loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.stats.judgements import UNIDENTIFIED, number_cells
from evaluation.stats.ratios import Ratios, ratios_of_cells
from evaluation.stats.resampling import ALL_EQUAL, SHARE, UNBOUNDED, draw_counts, sum_rows
from evaluation.stats.two_way import TOO_FEW_ANNOTATORS
from evaluation.stats.units import SENTENCES, Unit

WHY = "nothing was judged"


def codes(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int32)


def ratios(numerators, denominators, units, annotators, **options) -> Ratios:
    """Return the quotients of rows of judgements."""
    cells = number_cells(codes(*units), codes(*annotators))
    rows = np.hstack([np.array(numerators, float), np.array(denominators, float)])
    return ratios_of_cells(sum_rows(cells.codes, rows, len(cells)), cells, **options)


def table(of_judgement, *, sentences=20, people=3, **options) -> Ratios:
    """Return quotients of a row for each person in each sentence, from a function of both."""
    rows = [of_judgement(s, who) for s in range(sentences) for who in range(people)]
    units, annotators = np.indices((sentences, people)).reshape(2, -1).tolist()
    return ratios([row[0] for row in rows], [row[1] for row in rows], units, annotators, **options)


def estimates(found: Ratios, *, bounds=SHARE, unit=SENTENCES):
    count = len(found.values)
    again = found.resampled(resamples=200, seed=1)
    return found.estimates(again, [bounds] * count, [WHY] * count, unit)


# One judgement in each cell (0, 0), (1, 0), (1, 1) and (2, 2) of units and annotators.
BY_HAND = ([[1], [3], [2], [0]], [[2], [4], [2], [2]], [0, 1, 1, 2], [0, 0, 1, 2])


def test_sums_are_divided_after_they_are_added() -> None:
    found = ratios(*BY_HAND)

    assert found.values.tolist() == [6 / 10]
    assert found.by_unit.tolist() == [[1, 2], [5, 6], [0, 2]]
    assert found.units.tolist() == [3]


def test_covariances_are_those_of_the_linearised_quotient() -> None:
    found = ratios(*BY_HAND).two_way

    # (n - 0.6 d) / 10 of the cells is -0.02, 0.06, 0.08 and -0.12.
    over_units = (0.02**2 + 0.14**2 + 0.12**2) * 3 / 2
    over_cells = 0.02**2 + 0.06**2 + 0.08**2 + 0.12**2
    # The annotators' shares 6, 2, 2 are as good as 100 / 44 annotators.
    effective = 100 / 44
    over_annotators = (0.04**2 + 0.08**2 + 0.12**2) * effective / (effective - 1)
    assert found.sentences == pytest.approx(np.array([[over_units]]))
    assert found.both == pytest.approx(np.array([[over_units + over_annotators - over_cells]]))


def test_the_caller_can_weigh_cells_and_say_what_all_add_up_to() -> None:
    cells = number_cells(codes(0, 1, 1, 2), codes(0, 0, 1, 2))
    sums = np.array([[1.0, 2], [3, 4], [2, 2], [0, 2]])
    given_totals = ratios_of_cells(sums, cells, totals=(np.array([5.0]), np.array([10.0])))
    weighed = ratios_of_cells(sums, cells, weights=np.array([1.0, 0, 1, 1]))

    assert given_totals.values.tolist() == [0.5]
    # Three annotators with equal shares are as good as 3.
    assert weighed.two_way.both is not None
    difference = weighed.two_way.both - weighed.two_way.sentences
    over_cells = 0.02**2 + 0.06**2 + 0.08**2 + 0.12**2
    assert difference == pytest.approx((0.04**2 + 0.08**2 + 0.12**2) * 3 / 2 - over_cells)


def test_a_scale_multiplies_figures_resamples_and_errors() -> None:
    found, scaled = ratios(*BY_HAND), ratios(*BY_HAND, scale=25.0)
    options = {"seed": 3}

    assert scaled.values == pytest.approx(25 * found.values)
    for draw in (
        lambda one: one.resampled(resamples=20, **options),
        lambda one: one.reweighted(draws=20, **options),
        lambda one: one.two_way.errors,
    ):
        assert draw(scaled) == pytest.approx(25 * draw(found), nan_ok=True)


def test_several_figures_can_be_of_the_same_sums() -> None:
    def split(counts):
        best, middle, worst = np.moveaxis(counts, -1, 0)
        return np.stack([best, best], axis=-1), np.stack(
            [best + middle + worst, best + worst], axis=-1
        )

    cells = number_cells(codes(0, 0, 1), codes(0, 1, 0))
    found = ratios_of_cells(np.array([[2.0, 1, 1], [0, 1, 0], [1, 2, 2]]), cells, split=split)

    assert found.values.tolist() == [3 / 10, 3 / 6]
    assert found.by_unit.shape == (2, 3)
    assert found.resampled(resamples=5, seed=0).shape == (5, 2)


def test_a_figure_with_nothing_to_divide_by_says_why() -> None:
    found = table(lambda s, who: ([s % 2, 0], [1, 0]))

    first, second = estimates(found)

    assert first.value == 0.5
    assert (second.value, second.undefined, second.low) == (None, WHY, None)
    assert found.units.tolist() == [20, 0]


def test_both_intervals_surround_the_figure_within_its_bounds() -> None:
    (found,) = estimates(table(lambda s, who: ([2 * (s % 5 > 0) - (who == 0)], [2])), bounds=(0, 1))

    assert 0 <= found.wide_low < found.low < found.value < found.high < found.wide_high <= 1


def test_without_annotators_to_compare_only_units_are_sampled() -> None:
    (found,) = estimates(table(lambda s, who: ([s % 2], [1]), people=2))

    assert found.low < found.value < found.high
    assert (found.wide_low, found.no_wide_interval) == (None, TOO_FEW_ANNOTATORS)


def test_few_units_have_no_interval() -> None:
    (found,) = estimates(table(lambda s, who: ([s % 2], [1]), sentences=9), unit=Unit("document"))

    assert (found.low, found.no_interval) == (None, "the figure comes from fewer than 10 documents")
    assert found.no_wide_interval == found.no_interval


@pytest.mark.parametrize(("people", "why"), [(3, ALL_EQUAL), (2, TOO_FEW_ANNOTATORS)])
def test_judgements_that_are_alike_say_nothing_of_other_annotators(people, why) -> None:
    alike = table(lambda s, who: ([1 + s % 3, s % 2], [2 + 2 * (s % 3), 1]), people=people)

    same, differs = estimates(alike)

    assert alike.unmoved.tolist() == [True, False]
    # Wilson's interval of the units.
    assert same.low < same.value == 0.5 < same.high
    assert (same.wide_low, same.no_wide_interval) == (None, why)
    assert (differs.wide_low is None) == (people == 2)


def test_equal_figures_without_bounds_have_no_interval() -> None:
    (found,) = estimates(table(lambda s, who: ([3], [1])), bounds=UNBOUNDED)

    assert (found.value, found.low, found.wide_low) == (3, None, None)
    assert found.no_interval == found.no_wide_interval == ALL_EQUAL


def test_nothing_judged_has_no_figures() -> None:
    found = ratios(np.zeros((0, 2)), np.zeros((0, 2)), [], [])

    assert [one.undefined for one in estimates(found)] == [WHY, WHY]


JUDGEMENTS = st.lists(
    st.tuples(
        # Two numerators, two denominators, unit and annotator.
        st.integers(-5, 5),
        st.integers(0, 9),
        st.integers(0, 3),
        st.integers(0, 3),
        st.integers(0, 4),
        st.integers(UNIDENTIFIED, 2),
    ),
    min_size=1,
    max_size=20,
)


@given(judgements=JUDGEMENTS)
def test_quotients_are_those_of_plain_loops(judgements) -> None:
    # Without a denominator there is no numerator either.
    rows = [(a * bool(c), b * bool(d), c, d, u, who) for a, b, c, d, u, who in judgements]
    units = sorted({row[4] for row in rows})

    def naive(times, figure):
        """Return the quotient of judgements that count as often as their units."""
        whole = sum(times[row[4]] * row[2 + figure] for row in rows)
        part = sum(times[row[4]] * row[figure] for row in rows)
        return part / whole if whole else np.nan

    found = ratios(
        [row[:2] for row in rows],
        [row[2:4] for row in rows],
        [row[4] for row in rows],
        [row[5] for row in rows],
    )

    once = dict.fromkeys(units, 1)
    assert np.array_equal(found.values, [naive(once, 0), naive(once, 1)], equal_nan=True)
    (drawn,) = draw_counts(len(units), resamples=7, seed=2)
    expected = [
        [naive(dict(zip(units, row, strict=True)), figure) for figure in (0, 1)]
        for row in drawn.tolist()
    ]
    assert np.array_equal(found.resampled(resamples=7, seed=2), expected, equal_nan=True)
    weights = np.random.default_rng(2).standard_exponential((7, len(units)))
    expected = [
        [naive(dict(zip(units, row, strict=True)), figure) for figure in (0, 1)]
        for row in weights.tolist()
    ]
    assert found.reweighted(draws=7, seed=2) == pytest.approx(np.array(expected), nan_ok=True)


@given(judgements=JUDGEMENTS)
def test_influences_are_those_of_plain_loops(judgements) -> None:
    rows = [(a * bool(c), c, u, who) for a, _, c, _, u, who in judgements]
    found = ratios(
        [row[:1] for row in rows],
        [row[1:2] for row in rows],
        [row[2] for row in rows],
        [row[3] for row in rows],
    )

    whole = sum(row[1] for row in rows)
    value = sum(row[0] for row in rows) / whole if whole else 0
    moved = {unit: 0.0 for *_, unit, _who in rows}
    cells = {(unit, who): 0.0 for *_, unit, who in rows}
    for part, of, unit, who in rows:
        moved[unit] += (part - value * of) / max(whole, 1)
        cells[unit, who] += part - value * of
    squares = sum(each**2 for each in moved.values())
    correction = len(moved) / max(1, len(moved) - 1)
    assert found.two_way.sentences[0, 0] == pytest.approx(squares * correction, abs=1e-12)
    assert found.unmoved[0] == all(abs(each) < 1e-9 for each in cells.values())
    assert found.units[0] == len({unit for _, of, unit, _who in rows if of})
