from hypothesis import strategies as st

from evaluation.stats.annotators.controls import Controls, ControlTable, count_controls

OUTCOMES = st.lists(st.tuples(st.sampled_from(["jana", "petr", "zuzana"]), st.booleans()))


def test_it_counts_what_each_annotator_passed():
    table = count_controls([("petr", True), ("jana", False), ("petr", False), ("petr", True)])

    assert table.annotators == {"petr": Controls(3, 2), "jana": Controls(1, 0)}
    assert table.together == Controls(4, 2)
    assert table.of("petr").share == 2 / 3
    assert table.of("jana").share == 0


def test_the_share_is_undefined_where_none_was_judged():
    table = count_controls([])

    assert table == ControlTable()
    assert table.together.share is None
    assert table.of("eva") == Controls(0, 0)
    assert table.of("eva").share is None
