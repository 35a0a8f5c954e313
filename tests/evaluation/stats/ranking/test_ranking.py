from hypothesis import given
from hypothesis import strategies as st

from evaluation.stats.ranking.ranking import SystemResult, count_pairs, rank_by_ratio_of_wins
from tests.evaluation.tables import G, judged, slow_wins, tables_with_systems


def results(judgements):
    return {result.system: result for result in rank_by_ratio_of_wins(judgements).systems}


def test_every_pair_of_systems_of_a_judgement_is_a_win_a_loss_or_a_tie():
    # A < B = C in ranks: A wins twice, B and C lose once and tie once.
    ranking = rank_by_ratio_of_wins(judged([("s", "jana", [1, 2, 2])], systems="ABC"))

    assert ranking.systems == (
        SystemResult("A", wins=2, losses=0, ties=0),
        SystemResult("B", wins=0, losses=1, ties=1),
        SystemResult("C", wins=0, losses=1, ties=1),
    )


def test_the_ratio_ignores_ties():
    assert SystemResult("A", wins=3, losses=1, ties=100).ratio_of_wins == 0.75


def test_systems_with_the_same_candidate_tie():
    judgements = judged([("s", "jana", [2, 1])], systems="ABC", made={"s": [0, 0, 1]})

    assert results(judgements)["A"] == SystemResult("A", wins=0, losses=1, ties=1)
    assert results(judgements)["C"] == SystemResult("C", wins=2, losses=0, ties=0)


def test_a_system_without_a_candidate_is_absent():
    judgements = judged([("s", "jana", [2, 1])], systems="ABC", made={"s": [0, None, 1]})

    assert results(judgements)["B"] == SystemResult("B", wins=0, losses=0, ties=0)
    assert results(judgements)["C"] == SystemResult("C", wins=1, losses=0, ties=0)


def test_garbage_loses_to_the_last_rank_and_ties_with_garbage():
    judgements = judged([("s", "jana", [G, 3, G])], systems="ABC")

    assert results(judgements)["A"] == SystemResult("A", wins=0, losses=1, ties=1)


def test_repeats_count():
    judgements = judged([("s", "jana", [1, 2]), ("s", "jana", [1, 2])], systems="AB")

    assert results(judgements)["A"].wins == 2


def test_systems_that_never_won_nor_lost_are_undefined_and_come_last():
    judgements = judged(
        [("s", "jana", [1, 2]), ("t", "jana", [1])],
        systems=["A10", "A9", "C", "D"],
        made={"s": [None, None, 1, 0], "t": [0, None, None, None]},
    )

    ranking = rank_by_ratio_of_wins(judgements)

    assert [result.system for result in ranking.systems] == ["D", "C", "A9", "A10"]
    assert [result.ratio_of_wins for result in ranking.systems] == [1.0, 0.0, None, None]


def test_nothing_judged_leaves_every_ratio_undefined():
    ranking = rank_by_ratio_of_wins(judged([], systems="AB"))

    assert [result.ratio_of_wins for result in ranking.systems] == [None, None]


def test_its_signature_says_how_it_was_computed():
    rows = [("s", "jana", [1, 2]), ("s", "petr", [1, 2]), ("t", "petr", [1, 2])]
    ranking = rank_by_ratio_of_wins(judged(rows, sentences={"s": 1, "t": 1}))

    assert str(ranking.signature) == (
        "ratio of wins|ties ignored|repeats included|judgements 3|sentences 1|SegRanks 0.1.0"
    )


@given(tables_with_systems())
def test_it_agrees_with_plain_loops(table):
    rows, made = table
    computed = results(judged(rows, systems="ABC", made=made))

    for index, name in enumerate("ABC"):
        result = computed[name]
        assert [result.wins, result.losses, result.ties] == slow_wins(rows, made, index)


@given(tables_with_systems())
def test_what_one_wins_another_loses_and_both_tie(table):
    rows, made = table
    pairs = count_pairs(judged(rows, systems="ABC", made=made).system_ranks)
    computed = results(judged(rows, systems="ABC", made=made)).values()

    assert sum(result.wins for result in computed) == sum(result.losses for result in computed)
    assert (pairs.ties == pairs.ties.T).all()
    assert not pairs.wins.diagonal().any()


@given(tables_with_systems(), st.permutations(range(3)))
def test_the_order_of_systems_changes_nothing(table, order):
    rows, made = table
    turned = {segment: [slots[index] for index in order] for segment, slots in made.items()}
    names = ["ABC"[index] for index in order]

    one = rank_by_ratio_of_wins(judged(rows, systems="ABC", made=made))
    other = rank_by_ratio_of_wins(judged(rows, systems=names, made=turned))

    assert other == one


@given(tables_with_systems(), st.integers(2, 25))
def test_only_the_order_of_ranks_matters(table, factor):
    rows, made = table
    gapped = [
        (segment, who, [rank if rank == G else rank * factor for rank in ranks])
        for segment, who, ranks in rows
    ]

    one = rank_by_ratio_of_wins(judged(rows, systems="ABC", made=made))
    other = rank_by_ratio_of_wins(judged(gapped, systems="ABC", made=made))

    assert other == one
