from hypothesis import given
from hypothesis import strategies as st

from annotation.formats.tokens import split_at_spaces
from annotation.preparation.projection import merge, project_segment

TARGET = split_at_spaces("Výrobci letadel se přou o šířku sedadel")


def test_a_candidate_has_the_linked_tokens_in_the_order_of_the_target() -> None:
    links = [(0, 0), (1, 5), (2, 3), (2, 2)]
    assert project_segment([1, 2], links, TARGET) == "se přou … šířku"


def test_a_token_linked_twice_appears_once() -> None:
    assert project_segment([0, 1], [(0, 2), (1, 2)], TARGET) == "se"


def test_nothing_visible_linked_is_an_empty_candidate() -> None:
    assert project_segment([3], [(0, 0)], TARGET) == ""
    assert project_segment([3], [], split_at_spaces("")) == ""
    assert project_segment([0], [(0, 0)], split_at_spaces("\u200b")) == ""


@given(st.permutations([(0, 0), (1, 5), (2, 3), (2, 1), (4, 6)]))
def test_the_order_of_links_does_not_matter(links: list[tuple[int, int]]) -> None:
    found = project_segment((0, 2, 4), links, TARGET)
    assert found == "Výrobci letadel … přou … sedadel"


def test_only_identical_candidates_are_merged_with_their_systems() -> None:
    projected = {"A": "o šířku", "B": "šířku", "C": "o šířku", "D": "o  šířku", "E": "O šířku"}
    assert merge(projected) == {
        "o šířku": ["A", "C"],
        "šířku": ["B"],
        "o  šířku": ["D"],
        "O šířku": ["E"],
    }


def test_empty_candidates_are_left_out() -> None:
    assert merge({"A": "", "B": "šířku"}) == {"šířku": ["B"]}
    assert merge({"A": ""}) == {}


@given(st.dictionaries(st.text("ABCDE", min_size=1, max_size=2), st.sampled_from(["", "x", "y"])))
def test_every_system_that_produced_something_is_kept_once(projected: dict[str, str]) -> None:
    merged = merge(projected)
    systems = [system for names in merged.values() for system in names]
    assert sorted(systems) == sorted(name for name, text in projected.items() if text)
    assert all(projected[name] == text for text, names in merged.items() for name in names)
