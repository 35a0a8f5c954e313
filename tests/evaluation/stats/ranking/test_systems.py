import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.stats.ranking.systems import (
    METHODS,
    SystemResult,
    clusters,
    probabilities_of_first,
    rank_all,
    rank_by_ratio_of_wins,
    rank_ranges,
    ranks,
)
from evaluation.stats.resampling import interval
from tests.evaluation.tables import G, judged, slow_wins, tables_with_systems

NAN = np.nan
# A is best and C worst, though not always.
ORDERS = ([1, 2, 3], [1, 2, 3], [2, 1, 3], [1, 3, 2], [1, 2, 2], [1, 2, 3], [3, 1, 2], [1, 1, 2])
ROWS = [(f"{number:02}", "jana", ranks) for number, ranks in enumerate(ORDERS * 3)]


def results(judgements):
    return {result.system: result for result in rank_by_ratio_of_wins(judgements).systems}


def by_name(ranking):
    return {system.system: system for system in ranking.systems}


def figures(ranking):
    """All figures of each system, rounded because the order of additions matters a little."""
    return {
        system.system: (
            *(
                figure if figure is None else round(figure, 6)
                for figure in (system.score.value, system.score.low, system.score.high)
            ),
            *(system.wins, system.losses, system.ties),
            *(system.rank, system.best_rank, system.worst_rank, system.cluster),
            system.score.undefined,
        )
        for system in ranking.systems
    }


# --- the ratio of wins without intervals --------------------------------------------------------


def test_every_pair_of_systems_of_a_judgement_is_a_win_a_loss_or_a_tie():
    ranking = rank_by_ratio_of_wins(judged([("s", "jana", [1, 2, 2])], systems="ABC"))

    assert ranking.systems == (
        SystemResult("A", wins=2, losses=0, ties=0, same_text=0),
        SystemResult("B", wins=0, losses=1, ties=1, same_text=0),
        SystemResult("C", wins=0, losses=1, ties=1, same_text=0),
    )


def test_systems_with_the_same_candidate_tie_and_one_without_is_absent():
    judgements = judged([("s", "jana", [2, 1])], systems="ABCD", made={"s": [0, 0, 1, None]})

    assert results(judgements)["A"] == SystemResult("A", wins=0, losses=1, ties=1, same_text=1)
    assert results(judgements)["A"].ties_of_different_texts == 0
    assert results(judgements)["C"] == SystemResult("C", wins=2, losses=0, ties=0, same_text=0)
    assert results(judgements)["D"] == SystemResult("D", wins=0, losses=0, ties=0, same_text=0)


def test_garbage_loses_to_the_last_rank_and_ties_with_garbage():
    judgements = judged([("s", "jana", [G, 3, G])], systems="ABC")

    assert results(judgements)["A"] == SystemResult("A", wins=0, losses=1, ties=1, same_text=0)


def test_repeats_count_and_the_ratio_ignores_ties():
    rows = [("s", "jana", [1, 2]), ("s", "jana", [2, 1]), ("s", "jana", [1, 2])]
    judgements = judged([*rows, ("s", "jana", [1, 1])], systems="AB")

    assert results(judgements)["A"].ratio_of_wins == 2 / 3


def test_systems_that_never_won_nor_lost_are_undefined_and_come_last():
    judgements = judged(
        [("s", "jana", [1, 2]), ("t", "jana", [1])],
        systems=["A10", "A9", "C", "D"],
        made={"s": [None, None, 1, 0], "t": [0, None, None, None]},
    )

    ranking = rank_by_ratio_of_wins(judgements)

    assert [result.system for result in ranking.systems] == ["D", "C", "A9", "A10"]
    assert [result.ratio_of_wins for result in ranking.systems] == [1.0, 0.0, None, None]


@given(tables_with_systems())
def test_the_counts_agree_with_plain_loops(table):
    rows, made = table
    judgements = judged(rows, systems="ABC", made=made)
    plain = results(judgements)

    for index, name in enumerate("ABC"):
        result = plain[name]
        assert [result.wins, result.losses, result.ties] == slow_wins(rows, made, index)
    for ranking in rank_all(judgements, resamples=0).values():
        for name, system in by_name(ranking).items():
            result = plain[name]
            assert (system.wins, system.losses, system.ties) == (
                result.wins,
                result.losses,
                result.ties,
            )


# --- all methods, with intervals ----------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_the_best_come_first(method):
    judgements = judged(ROWS, systems="CAB", made={row[0]: [2, 0, 1] for row in ROWS})

    ranking = rank_all(judgements, methods=[method])[method]

    assert [system.system for system in ranking.systems] == ["A", "B", "C"]
    assert [system.rank for system in ranking.systems] == [1, 2, 3]
    for value, low, high, *_ in figures(ranking).values():
        assert low < value < high


@pytest.mark.parametrize("method", METHODS)
def test_the_interval_is_the_middle_of_the_resamples_by_plain_loops(method):
    judgements = judged(ROWS, systems="ABC")
    random = np.random.default_rng(11)
    again = []
    for _ in range(100):
        drawn = random.integers(0, len(ROWS), len(ROWS))
        rows = [(str(index), "jana", ROWS[number][2]) for index, number in enumerate(drawn)]
        once = rank_all(judged(rows, systems="ABC"), methods=[method], resamples=0)[method]
        again.append(by_name(once)["A"])

    found = by_name(rank_all(judgements, resamples=100, seed=11, methods=[method])[method])["A"]

    scores = [system.score.value for system in again]
    places = sorted(system.rank for system in again)
    low, high = interval(np.array(scores), len(ROWS))
    assert (found.score.low, found.score.high) == pytest.approx((low, high))
    ends = int(0.025 * len(places))
    assert (found.best_rank, found.worst_rank) == (places[ends], places[-1 - ends])


def test_systems_always_in_one_order_are_clusters_of_their_own():
    rows = [(str(number), "jana", [1, 2, 3]) for number in range(10)]

    ranking = rank_all(judged(rows, systems="ABC"))["ratio_of_wins"]
    of_few = rank_all(judged(rows[:9], systems="ABC"))["ratio_of_wins"]

    assert [system.cluster for system in ranking.systems] == [1, 2, 3]
    assert [system.best_rank for system in ranking.systems] == [1, 2, 3]
    for system in of_few.systems:
        assert system.cluster is system.best_rank is system.worst_rank is system.score.low is None
        assert system.score.no_interval == "the figure comes from fewer than 10 sentences"


@pytest.mark.parametrize("method", METHODS)
def test_one_seed_gives_one_result(method):
    judgements = judged(ROWS, systems="ABC")

    one = rank_all(judgements, resamples=50, seed=4, methods=[method])

    assert rank_all(judgements, resamples=50, seed=4, methods=[method]) == one
    assert rank_all(judgements, resamples=50, seed=5, methods=[method]) != one


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "rows",
    [
        [],
        [("s", "jana", [1])],
        # Only one system translated these sentences.
        [("s", "jana", [1]), ("t", "jana", [G])],
    ],
)
def test_nothing_to_compare_is_undefined(method, rows):
    ranking = rank_all(judged(rows, systems="AB"), resamples=20, methods=[method])[method]

    for system in ranking.systems:
        assert system.score.value is None
        assert "never judged together" in system.score.undefined
        assert (system.rank, system.best_rank, system.worst_rank, system.cluster) == (None,) * 4


@pytest.mark.parametrize("ranks", [[2, 2], [G, G]])
def test_a_project_of_ties_only_is_undefined_and_not_0(ranks):
    rows = [(str(number), "jana", ranks) for number in range(10)]

    rankings = rank_all(judged(rows, systems="AB"), resamples=20)

    for method in ("ratio_of_wins", "expected_wins", "bradley_terry"):
        for system in rankings[method].systems:
            assert system.score.value is None
            assert system.score.undefined
            assert system.ties == 10
    assert [system.score.value for system in rankings["ratio_with_ties"].systems] == [1, 1]
    assert [system.cluster for system in rankings["ratio_with_ties"].systems] == [1, 1]


def test_systems_never_compared_leave_no_order_by_bradley_terry():
    rows = [("s", "jana", [1, 2]), ("s", "petr", [2, 1])]
    rows += [("t", "jana", [1, 2]), ("t", "jana", [2, 1])]
    judgements = judged(
        rows, systems="ABCD", made={"s": [0, 1, None, None], "t": [None, None, 0, 1]}
    )

    ranking = rank_all(judgements, resamples=20)["bradley_terry"]

    assert all("never compared" in system.score.undefined for system in ranking.systems)


def test_signatures_name_the_method_the_options_and_the_size():
    rows = [*ROWS, ROWS[0]]
    rankings = rank_all(judged(rows, systems="ABC"), resamples=20, seed=3)
    resampled = "repeats included|20 resamples of sentences|ranks over sentences|seed 3"

    assert [ranking.signature for ranking in rankings.values()] == [
        f"{method}|judgements 25|sentences 24|SegRanks 1.0.0"
        for method in (
            f"ratio of wins|ties ignored|{resampled}",
            f"ratio of wins|ties counted as wins|{resampled}",
            f"expected wins|ties ignored|{resampled}",
            f"Bradley-Terry|ties of different texts by Davidson|{resampled}",
        )
    ]
    assert rank_by_ratio_of_wins(judged(rows, systems="ABC")).signature == (
        "ratio of wins|ties ignored|repeats included|judgements 25|sentences 24|SegRanks 1.0.0"
    )
    without = rank_all(judged(ROWS, systems="ABC"), resamples=0)["ratio_of_wins"]
    assert "|no repeats|" in without.signature


@settings(deadline=None)
@given(tables_with_systems(), st.permutations(range(3)), st.integers(2, 30), st.data())
def test_only_the_order_of_ranks_matters(table, order, factor, data):
    """Not the order of systems, of candidates, the size of ranks, nor who judged."""
    rows, made = table
    slots = {s: data.draw(st.permutations(range(len(ranks)))) for s, _, ranks in rows}
    turned = {
        segment: [
            None if made_by[index] is None else slots[segment].index(made_by[index])
            for index in order
        ]
        for segment, made_by in made.items()
    }
    gapped = [
        (
            segment,
            {"jana": "zoe", "petr": "adam"}.get(who, who),
            [
                ranks[slot] if ranks[slot] == G else ranks[slot] * min(factor, 25)
                for slot in slots[segment]
            ],
        )
        for segment, who, ranks in rows
    ]

    one = rank_all(judged(rows, systems="ABC", made=made), resamples=8)
    other = rank_all(
        judged(gapped, systems=["ABC"[index] for index in order], made=turned),
        resamples=8,
    )

    for method in METHODS:
        assert figures(other[method]) == figures(one[method])


# --- rank ranges and clusters -------------------------------------------------------------------


def test_a_rank_is_one_more_than_the_number_of_better_systems():
    assert ranks(np.array([[0.2, 0.7, 0.7, 0.1]])).tolist() == [[3, 1, 1, 4]]
    assert ranks(np.array([[0.2, NAN, 0.7]]))[0] == pytest.approx([2, NAN, 1], nan_ok=True)
    # Rounding errors of an addition do not separate ranks.
    assert ranks(np.array([[0.1 + 0.2, 0.3]])).tolist() == [[1, 1]]


def test_a_range_leaves_out_the_best_and_the_worst_resamples():
    # B is better in the first 25 of 1000, then in 26.
    scores = np.tile([2.0, 1.0], (1000, 1))
    scores[:25] = [1.0, 2.0]
    assert rank_ranges(scores) == [(1, 1), (2, 2)]

    scores[25] = [1.0, 2.0]
    assert rank_ranges(scores) == [(1, 2), (1, 2)]
    assert rank_ranges(np.array([[1.0, NAN], [1.0, NAN]])) == [(1, 1), None]
    assert rank_ranges(np.zeros((0, 2))) == [None, None]


@pytest.mark.parametrize(
    ("ranges", "numbers"),
    [
        ([(1, 1), (2, 2)], [1, 2]),
        ([(1, 2), (1, 2), (3, 3)], [1, 1, 2]),
        ([(1, 2), (2, 3), (3, 3)], [1, 1, 1]),
        # The first could be third: the second does not end its cluster, good as it is.
        ([(1, 3), (2, 2), (2, 3), (4, 5), (4, 5)], [1, 1, 1, 2, 2]),
        ([(1, 1), (1, 1)], [1, 1]),
        ([], []),
    ],
)
def test_a_cluster_ends_where_all_later_systems_are_worse(ranges, numbers):
    assert clusters(ranges) == numbers


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 3)), max_size=8))
def test_clusters_agree_with_their_definition(pairs):
    ranges = [(best, best + more) for best, more in pairs]

    ends = [
        i
        for i in range(len(ranges))
        if all(worst < best for _, worst in ranges[: i + 1] for best, _ in ranges[i + 1 :])
    ]
    assert clusters(ranges) == [1 + sum(end < i for end in ends) for i in range(len(ranges))]


# --- probabilities ------------------------------------------------------------------------------


def test_the_probability_of_the_first_rank_is_shared_by_equal_systems():
    draws = np.array([[0.5, 0.5, 0.1], [0.6, 0.2, 0.1], [0.1, 0.2, 0.1], [0.7, 0.2, 0.1]])

    assert probabilities_of_first(draws) == [0.625, 0.375, 0.0]
    assert probabilities_of_first(np.full((2, 2), NAN)) == [None, None]


def test_a_late_system_of_few_sentences_has_a_score_and_no_ranks():
    rows = [
        (f"{number:02}", "jana", [1 + number % 3 // 2, 2 - number % 3 // 2, 3])
        for number in range(30)
    ]
    made = {segment: [0, 1, 2 if int(segment) < 2 else None] for segment, _, _ in rows}

    ranking = rank_all(judged(rows, systems="ABC", made=made))["ratio_of_wins"]

    late = by_name(ranking)["C"]
    assert late.sentences == 2
    assert late.score.value == 0
    assert late.score.no_interval == "the figure comes from fewer than 10 sentences"
    assert (late.best_rank, late.cluster, late.first) == (None, None, None)
    others = [system for system in ranking.systems if system.system != "C"]
    assert all(system.cluster and system.score.low is not None for system in others)


def test_boundaries_hold_in_the_share_of_draws_where_all_above_are_better():
    rows = [(str(number), "jana", [1, 2, 3]) for number in range(12)]

    ranking = rank_all(judged(rows, systems="ABC"))["ratio_of_wins"]

    assert [system.cluster for system in ranking.systems] == [1, 2, 3]
    assert ranking.boundaries == (1.0, 1.0)
    assert [system.first for system in ranking.systems] == [1, 0, 0]


def test_a_system_without_bound_has_one_end_by_bradley_terry():
    # A wins 9 of 10: in a third of the resamples it wins all, and its strength has no bound.
    rows = [(str(number), "jana", [1, 2] if number else [2, 1]) for number in range(10)]

    found = by_name(rank_all(judged(rows, systems="AB"))["bradley_terry"])

    assert found["A"].score.high is None
    assert found["B"].score.low is None
    assert found["A"].score.low == pytest.approx(-found["B"].score.high)
    assert found["A"].score.no_interval
