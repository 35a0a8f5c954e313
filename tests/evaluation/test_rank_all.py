import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.stats.ranking.ranking import (
    METHODS,
    SKILL,
    count_pairs,
    rank_all,
    rank_by_ratio_of_wins,
)
from tests.evaluation.tables import G, judged, tables_with_systems

ALL = (*METHODS, SKILL)
# A is best and C worst, though not always.
ORDERS = ([1, 2, 3], [1, 2, 3], [2, 1, 3], [1, 3, 2], [1, 2, 2], [1, 2, 3], [3, 1, 2], [1, 1, 2])
ROWS = [(f"{number:02}", "jana", ranks) for number, ranks in enumerate(ORDERS * 3)]


def by_name(ranking):
    return {system.system: system for system in ranking.systems}


def figures(ranking):
    """All about each system, rounded as far as the order of additions may matter."""
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


@pytest.mark.parametrize("method", ALL)
def test_the_best_come_first(method):
    ranking = rank_all(judged(ROWS, systems="CAB", made={r[0]: [2, 0, 1] for r in ROWS}),
                       methods=[method])[method]  # fmt: skip

    assert [system.system for system in ranking.systems] == ["A", "B", "C"]
    assert [system.rank for system in ranking.systems] == [1, 2, 3]
    for value, low, high, *_ in figures(ranking).values():
        assert low < value < high


@pytest.mark.parametrize("method", METHODS)
def test_the_interval_holds_95_of_100_resamples_by_plain_loops(method):
    judgements = judged(ROWS, systems="ABC")
    random = np.random.default_rng(11)
    again = []
    for _ in range(200):
        drawn = random.integers(0, len(ROWS), len(ROWS))
        rows = [(str(index), "jana", ROWS[number][2]) for index, number in enumerate(drawn)]
        once = rank_all(judged(rows, systems="ABC"), methods=[method], resamples=0)[method]
        again.append(by_name(once)["A"])

    found = by_name(rank_all(judgements, resamples=200, seed=11, methods=[method])[method])["A"]

    scores = [system.score.value for system in again if system.score.value is not None]
    places = sorted(system.rank for system in again if system.rank is not None)
    assert (found.score.low, found.score.high) == pytest.approx(np.percentile(scores, [2.5, 97.5]))
    ends = int(0.025 * len(places))
    assert (found.best_rank, found.worst_rank) == (places[ends], places[-1 - ends])


def test_the_ratio_of_wins_is_that_of_the_results_page():
    judgements = judged(ROWS, systems="ABC")

    ranked = rank_all(judgements, resamples=10)["ratio_of_wins"].systems
    plain = rank_by_ratio_of_wins(judgements).systems

    assert [(s.system, s.score.value, s.wins, s.losses, s.ties) for s in ranked] == [
        (s.system, s.ratio_of_wins, s.wins, s.losses, s.ties) for s in plain
    ]


def test_systems_always_in_one_order_are_clusters_of_their_own():
    rows = [(str(number), "jana", [1, 2, 3]) for number in range(10)]

    ranking = rank_all(judged(rows, systems="ABC"))["ratio_of_wins"]
    of_few = rank_all(judged(rows[:9], systems="ABC"))["ratio_of_wins"]

    assert [system.cluster for system in ranking.systems] == [1, 2, 3]
    assert [system.best_rank for system in ranking.systems] == [1, 2, 3]
    for system in of_few.systems:
        assert system.cluster is system.best_rank is system.worst_rank is system.score.low is None
        assert system.score.no_interval == "fewer than 10 sentences"


@pytest.mark.parametrize("method", ALL)
def test_two_runs_with_one_seed_are_equal_to_the_last_bit(method):
    judgements = judged(ROWS, systems="ABC")

    one = rank_all(judgements, resamples=50, seed=4, methods=[method])

    assert rank_all(judgements, resamples=50, seed=4, methods=[method]) == one


def test_another_seed_draws_other_sentences():
    judgements = judged(ROWS, systems="ABC")

    one, other = (rank_all(judgements, seed=seed)["ratio_of_wins"] for seed in (1, 2))

    assert [s.score.value for s in one.systems] == [s.score.value for s in other.systems]
    assert [s.score.low for s in one.systems] != [s.score.low for s in other.systems]


@pytest.mark.parametrize("method", ALL)
@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([], "never judged together"),
        ([("s", "jana", [1])], "never judged together"),
        # Nothing is left of a sentence that only one system translated.
        ([("s", "jana", [1]), ("t", "jana", [G])], "never judged together"),
    ],
)
def test_nothing_to_compare_is_undefined(method, rows, why):
    ranking = rank_all(judged(rows, systems="AB"), resamples=20, methods=[method])[method]

    for system in ranking.systems:
        assert system.score.value is None
        assert why in system.score.undefined
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


def test_one_system_is_undefined():
    (system,) = rank_all(judged([("s", "jana", [1])], systems="A"))["bradley_terry"].systems

    assert system.score.value is None


def test_systems_never_compared_leave_no_order_by_bradley_terry():
    rows = [
        ("s", "jana", [1, 2]),
        ("s", "petr", [2, 1]),
        ("t", "jana", [1, 2]),
        ("t", "jana", [2, 1]),
    ]
    judgements = judged(
        rows, systems="ABCD", made={"s": [0, 1, None, None], "t": [None, None, 0, 1]}
    )

    ranking = rank_all(judgements, resamples=20)["bradley_terry"]

    for system in ranking.systems:
        assert "never compared" in system.score.undefined


def test_one_sentence_has_no_interval():
    ranking = rank_all(judged([("s", "jana", [1, 2])], systems="AB"))["ratio_of_wins"]

    first, second = ranking.systems
    assert (first.score.value, first.score.low, first.score.high) == (1, None, None)
    assert (first.rank, second.rank) == (1, 2)
    assert (first.best_rank, first.worst_rank, first.cluster) == (None, None, None)


def test_skill_takes_judgements_in_order_of_time():
    rows = [("s", "jana", [1, 2]), ("t", "jana", [2, 1])]

    def skill(created):
        ranking = rank_all(judged(rows, systems="AB", created=created), methods=[SKILL])[SKILL]
        return [system.system for system in ranking.systems], ranking.systems[0].score.value

    # Who won the later game was surprising, and weighs more.
    assert skill([1.0, 2.0])[0] == ["B", "A"]
    assert skill([2.0, 1.0])[0] == ["A", "B"]
    assert skill([np.nan, 1.0]) == skill([2.0, 1.0])


def test_their_signatures_say_how_they_were_computed():
    rows = [*ROWS, ROWS[0]]
    rankings = rank_all(judged(rows, systems="ABC"), resamples=20, seed=3, methods=ALL)

    assert [str(ranking.signature) for ranking in rankings.values()] == [
        f"{method}|judgements 25|sentences 24|SegRanks 0.1.0"
        for method in (
            "ratio of wins|ties ignored|repeats included|20 resamples of sentences|seed 3",
            "ratio of wins|ties counted as wins|repeats included|20 resamples of sentences|seed 3",
            "expected wins|ties ignored|repeats included|20 resamples of sentences|seed 3",
            "Bradley-Terry|ties by Davidson|repeats included|20 resamples of sentences|seed 3",
            "skill|Bradley-Terry of all pairs by openskill|tau 0|repeats included"
            "|in order of time|not resampled",
        )
    ]


def test_the_signature_knows_that_repeats_were_left_out():
    ranking = rank_all(judged(ROWS, systems="ABC"), resamples=0)["ratio_of_wins"]

    assert "no repeats" in ranking.signature.options


@settings(deadline=None)
@given(tables_with_systems(), st.permutations(range(3)), st.integers(2, 30))
def test_neither_the_order_of_systems_nor_the_size_of_ranks_matters(table, order, factor):
    rows, made = table
    turned = {segment: [slots[index] for index in order] for segment, slots in made.items()}
    gapped = [
        (segment, {"jana": "zoe", "petr": "adam"}.get(who, who),
         [rank if rank == G else rank * min(factor, 25) for rank in ranks])
        for segment, who, ranks in rows
    ]  # fmt: skip

    one = rank_all(judged(rows, systems="ABC", made=made), resamples=8, methods=ALL)
    other = rank_all(
        judged(gapped, systems=["ABC"[index] for index in order], made=turned),
        resamples=8,
        methods=ALL,
    )

    for method in ALL:
        assert figures(other[method]) == figures(one[method])


@settings(deadline=None)
@given(tables_with_systems(), st.data())
def test_the_order_of_candidates_does_not_matter(table, data):
    rows, made = table
    order = {s: data.draw(st.permutations(range(len(r)))) for s, _, r in rows}
    turned_rows = [(s, who, [ranks[slot] for slot in order[s]]) for s, who, ranks in rows]
    turned = {
        s: [slot if slot is None else order[s].index(slot) for slot in slots]
        for s, slots in made.items()
    }

    one = rank_all(judged(rows, systems="ABC", made=made), resamples=8)

    assert rank_all(judged(turned_rows, systems="ABC", made=turned), resamples=8) == one


@given(tables_with_systems())
def test_wins_losses_and_ties_are_those_of_all_pairs(table):
    rows, made = table
    judgements = judged(rows, systems="ABC", made=made)
    pairs = count_pairs(judgements.system_ranks)

    for ranking in rank_all(judgements, resamples=0).values():
        found = by_name(ranking)
        assert [found[name].wins for name in "ABC"] == pairs.wins.sum(axis=1).tolist()
        assert [found[name].losses for name in "ABC"] == pairs.wins.sum(axis=0).tolist()
        assert [found[name].ties for name in "ABC"] == pairs.ties.sum(axis=1).tolist()
