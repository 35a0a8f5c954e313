from collections import defaultdict
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from evaluation.stats.agreement.kappa import Chance
from evaluation.stats.agreement.wmt_kappa import measure_as_published
from tests.evaluation.tables import judged, order


def counts(agreement):
    return agreement.agree, agreement.compared


def test_inter_counts_pairs_of_one_annotator_too():
    published = measure_as_published(
        judged([("s", "jana", [1, 2]), ("s", "jana", [1, 2]), ("s", "petr", [2, 1])])
    )

    assert counts(published.inter) == (1, 3)
    assert counts(published.intra) == (1, 1)


def test_texts_shown_in_another_order_are_not_compared():
    rows = [("s", "jana", [1, 2]), ("s", "petr", [1, 2]), ("s", "zuzana", [1, 2])]

    published = measure_as_published(judged(rows, shown=[[1, 2], [2, 1], [4, 5]]))

    assert counts(published.inter) == (1, 1)


def test_without_an_order_it_is_that_of_the_segment():
    published = measure_as_published(judged([("s", "jana", [1, 2, 0]), ("s", "petr", [1, 3, 2])]))

    assert counts(published.inter) == (1, 1)


def test_chance_of_intra_is_of_segments_that_the_annotator_judged_again():
    rows = [
        ("s", "jana", [1, 1, 2]),
        ("s", "jana", [1, 2, 2]),
        ("s", "petr", [1, 1, 1]),  # once only
        ("t", "jana", [1, 1]),  # once only
        ("u", "petr", [1, 2]),
        ("u", "petr", [2, 1]),  # again, but in another order
    ]
    shown = [[1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2], [1, 2], [2, 1]]

    published = measure_as_published(judged(rows, shown=shown))

    assert published.intra.chance == Chance(tied=2, untied=4)
    assert published.inter.chance == Chance(tied=6, untied=6)
    assert counts(published.intra) == (1, 3)


def test_unidentified_annotators_count_as_anyone_and_not_as_themselves():
    published = measure_as_published(judged([("s", None, [1, 2]), ("s", None, [1, 2])]))

    assert counts(published.inter) == (1, 1)
    assert counts(published.intra) == (0, 0)
    assert published.intra.chance.expected is None


SIZES = {"s": 3, "t": 2, "u": 4}


@st.composite
def shown_tables(draw):
    rows, shown = [], []
    for _ in range(draw(st.integers(0, 10))):
        segment = draw(st.sampled_from(sorted(SIZES)))
        size = SIZES[segment]
        ranks = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
        who = draw(st.sampled_from(["jana", "petr", None]))
        # The first row has all candidates, so that the segment is known to have them.
        rows.append((segment, who, ranks))
        shown.append(draw(st.permutations(range(1, size + 1))))
    return rows, shown


@given(shown_tables())
def test_it_agrees_with_plain_loops(table):
    rows, shown = table
    published = measure_as_published(judged(rows, shown=shown))

    outcomes = defaultdict(list)
    by_judge = defaultdict(list)
    for (segment, who, ranks), positions in zip(rows, shown, strict=True):
        order_shown = sorted(range(len(ranks)), key=lambda slot: positions[slot])
        for x, y in combinations([slot for slot in order_shown if ranks[slot]], 2):
            outcome = order(ranks[x], ranks[y])
            outcomes[segment, x, y].append((who, outcome))
            by_judge[who, segment].append(((x, y), outcome))
    pairs = [pair for of_key in outcomes.values() for pair in combinations(of_key, 2)]
    own = [pair for pair in pairs if pair[0][0] == pair[1][0] is not None]
    own = [pair for pair in own if pair[0][0] is not None]
    assert counts(published.inter) == (sum(x[1] == y[1] for x, y in pairs), len(pairs))
    assert counts(published.intra) == (sum(x[1] == y[1] for x, y in own), len(own))
    again = [
        outcome
        for (who, _), judged_pairs in by_judge.items()
        if who is not None and len({pair for pair, _ in judged_pairs}) < len(judged_pairs)
        for _, outcome in judged_pairs
    ]
    ties = again.count(0)
    assert published.intra.chance == Chance(ties, len(again) - ties)
