"""Columns of systems beside each other that have no card in a paragraph."""

from annotation.judging.columns import Columns, Produced, SharedColumn, shared_columns

SEGMENT = 7


def columns(*texts: tuple[str, int], excluded: str = "") -> Columns:
    produced = Produced()
    for text, system in texts:
        produced.of_text.setdefault((SEGMENT, text), []).append(system)
    if excluded:
        produced.excluded.add((SEGMENT, excluded))
    return Columns({10: 1, 11: 2, 12: 3}, produced, {}, 3)


def test_an_equal_text_is_judged_in_the_first_column_that_has_it() -> None:
    found = shared_columns(columns(("a", 10), ("b", 11), ("a", 12)), SEGMENT, {1, 2})
    assert found == [SharedColumn(3, 1, "a")]


def test_an_excluded_text_is_left_out_in_each_column_that_has_it() -> None:
    found = shared_columns(columns(("a", 10), ("b", 11), ("a", 12), excluded="a"), SEGMENT, {2})
    assert [(one.column, one.same_as, one.is_excluded) for one in found] == [
        (1, 0, True),
        (3, 0, True),
    ]


def test_a_system_without_a_text_and_a_text_without_a_card_are_told_apart() -> None:
    found = shared_columns(columns(("a", 10), ("b", 11)), SEGMENT, {1})
    assert [(one.column, one.text, one.is_excluded) for one in found] == [
        (2, "b", False),
        (3, "", False),
    ]
