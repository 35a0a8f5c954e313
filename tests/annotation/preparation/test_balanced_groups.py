"""Balanced designs of the systems on sheets of documents."""

from collections import Counter
from itertools import combinations

import pytest

from annotation.preparation.sheet_design import balanced_groups


@pytest.mark.parametrize(
    ("systems", "size", "documents", "sheets"),
    [(12, 3, 190, 2), (12, 3, 20, 1), (20, 5, 100, 2), (9, 4, 61, 2), (7, 3, 50, 4), (5, 2, 13, 2)],
)
def test_each_pair_of_systems_meets_equally_often(systems, size, documents, sheets):
    design = balanced_groups(systems, size, documents, sheets, seed=1)
    groups = [group for of_document in design for group in of_document]
    assert (len(design), {len(of_document) for of_document in design}) == (documents, {sheets})
    assert {len(set(group)) for group in groups} == {size}
    used = Counter(system for group in groups for system in group)
    met = Counter(pair for group in groups for pair in combinations(sorted(group), 2))
    counts = [met[pair] for pair in combinations(range(systems), 2)]
    mean = sum(counts) / len(counts)
    assert max(used.values()) - min(used.values()) <= 1
    assert all(abs(count - mean) < 2 for count in counts)
    assert max(counts) - min(counts) <= 1


def test_a_system_is_on_one_sheet_of_a_document_while_there_are_others():
    design = balanced_groups(12, 3, 50, 4, seed=0)
    assert all(
        sorted(system for group in of_document for system in group) == list(range(12))
        for of_document in design
    )


def test_the_design_depends_on_the_seed_alone():
    first, same, other = (balanced_groups(6, 2, 30, 1, seed=seed) for seed in (1, 1, 2))
    assert first == same != other


def test_all_systems_stand_on_a_sheet_that_has_room_for_them():
    assert {tuple(sorted(group)) for of in balanced_groups(3, 5, 4, 1, seed=0) for group in of} == {
        (0, 1, 2)
    }
