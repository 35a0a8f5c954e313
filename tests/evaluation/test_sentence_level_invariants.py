"""τ and the disagreement quotient by plain loops, and by what must never change them."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.formats.reading import Choice, read_judgements
from evaluation.stats.judgements import natural_key
from evaluation.stats.sentence_level import compare_levels
from tests.evaluation.files import first_half
from tests.evaluation.files import read_judgements as read_first_half
from tests.evaluation.formats.wmt_files import write_five_way
from tests.evaluation.tables import G, Row, judged, order
from tests.evaluation.two_levels import SENTENCES, SYSTEMS, counts, levels

Counts = dict[str, list[tuple[int, int]]]


def slow(whole: Sequence[Row], parts: Sequence[Row]) -> Counts:
    """Concordant and discordant of each system, by plain loops over pairs of judgements."""
    found: dict[str, list[list[int]]] = {name: [[0, 0], [0, 0], [0, 0]] for name in SYSTEMS}
    meetings = [
        (ranks, of_segment)
        for name, _, ranks in whole
        for part, _, of_segment in parts
        if SENTENCES[name] == SENTENCES[part]
    ]
    for ranks, of_segment in meetings:
        for x, system in enumerate(SYSTEMS):
            for y in range(len(SYSTEMS)):
                if x == y or not (ranks[x] and ranks[y] and of_segment[x] and of_segment[y]):
                    continue
                whole_says, parts_say = (
                    order(ranks[x], ranks[y]),
                    order(of_segment[x], of_segment[y]),
                )
                if whole_says and parts_say:
                    for table in (0 if whole_says < 0 else 1, 2):
                        found[system][table][whole_says != parts_say] += 1
    return {name: [(pair[0], pair[1]) for pair in tables] for name, tables in found.items()}


def share_won(rows: Sequence[Row], number: int, system: int) -> tuple[int, int]:
    """Wins and losses of a system in one sentence, by plain loops."""
    results = [
        order(ranks[system], ranks[other])
        for name, _, ranks in rows
        if SENTENCES[name] == number
        for other in range(len(SYSTEMS))
        if other != system and ranks[system] and ranks[other]
    ]
    return results.count(-1), results.count(1)


def rows_of(names: Sequence[str]) -> st.SearchStrategy[list[Row]]:
    ranks = st.lists(st.sampled_from([0, 1, 2, 3, G]), min_size=3, max_size=3)
    return st.lists(st.tuples(st.sampled_from(names), st.sampled_from(["jana", "petr"]), ranks))


WHOLES, SEGMENTS = rows_of(["1", "2", "8"]), rows_of(["1a", "1b", "2a", "9a"])


@given(WHOLES, SEGMENTS)
def test_it_counts_as_plain_loops_do(whole, parts):
    compared = compare_levels(*levels(whole, parts), resamples=0)

    assert counts(compared) == slow(whole, parts)
    quotients = {(row.sentence, row.system): row for row in compared.disagreements.listed}
    assert len(quotients) == len(compared.disagreements.listed)
    for number in (1, 2, 8, 9):
        for system, name in enumerate(SYSTEMS):
            segments, sentences = (share_won(rows, number, system) for rows in (parts, whole))
            row = quotients.get((number, name))
            if not sum(segments) or not sum(sentences) or not segments[0] + sentences[0]:
                assert row is None
                continue
            assert row is not None
            assert (row.segment_wins, row.segment_losses) == segments
            assert (row.sentence_wins, row.sentence_losses) == sentences
            above, below = segments[0] / sum(segments), sentences[0] / sum(sentences)
            assert row.quotient == (pytest.approx(above / below) if below else inf)


@given(WHOLES, SEGMENTS, st.permutations(range(3)))
def test_the_order_of_systems_changes_nothing(whole, parts, permutation):
    def permuted(rows: Sequence[Row]) -> list[Row]:
        return [(name, who, [ranks[system] for system in permutation]) for name, who, ranks in rows]

    names = [SYSTEMS[system] for system in permutation]
    again = compare_levels(
        *(judged(permuted(rows), systems=names, sentences=SENTENCES) for rows in (whole, parts)),
        resamples=20,
    )
    compared = compare_levels(*levels(whole, parts), resamples=20)

    assert {row.system: row for row in again.systems} == {
        row.system: row for row in compared.systems
    }
    assert again.together == compared.together
    assert set(again.disagreements.listed) == set(compared.disagreements.listed)


@given(WHOLES, SEGMENTS)
def test_turning_both_levels_round_swaps_better_and_worse(whole, parts):
    def turned(rows: Sequence[Row]) -> list[Row]:
        return [(name, who, [rank and G + 1 - rank for rank in ranks]) for name, who, ranks in rows]

    found = compare_levels(*levels(whole, parts), resamples=20)
    mirrored = compare_levels(*levels(turned(whole), turned(parts)), resamples=20)
    one_only = compare_levels(*levels(turned(whole), parts), resamples=20)

    for row, other, reverse in zip(found.systems, mirrored.systems, one_only.systems, strict=True):
        assert (other.better, other.worse, other.all) == (row.worse, row.better, row.all)
        assert (reverse.better.concordant, reverse.better.discordant) == (
            row.worse.discordant,
            row.worse.concordant,
        )


@given(WHOLES, SEGMENTS)
def test_only_the_order_of_ranks_counts(whole, parts):
    def gapped(rows: Sequence[Row]) -> list[Row]:
        return [
            (name, who, [rank and min(G, 7 * rank) for rank in ranks]) for name, who, ranks in rows
        ]

    found = compare_levels(*levels(whole, parts), resamples=20)

    assert compare_levels(*levels(gapped(whole), gapped(parts)), resamples=20) == found


@pytest.mark.shared
def test_the_first_half_against_rankings_made_of_its_own_segments(shared, tmp_path):
    """What is said of the first segment of each sentence stands for what is said of the whole."""
    parts = read_first_half(first_half(shared))
    names = parts.system_names
    rows, seen = [], set()
    for row in range(len(parts)):
        number = int(parts.sentence_numbers[parts.sentences[row]])
        ranks = parts.system_ranks[row][:5]
        if number not in seen and np.count_nonzero(ranks) > 1:
            seen.add(number)
            dense = np.searchsorted(np.unique(ranks[ranks > 0]), ranks) + 1
            words = [f"{names[x]} {dense[x]}" for x in range(5) if ranks[x]]
            rows.append((number, "judge", " ".join(words)))
    file = write_five_way(tmp_path / "five.csv", rows)
    whole = read_judgements(Choice("wmt-five", [file]))
    order_of_five = sorted(names[:5], key=natural_key)
    chosen = [names.index(name) for name in order_of_five]
    assert whole.system_names == tuple(order_of_five)
    five = replace(
        parts, system_ranks=parts.system_ranks[:, chosen], system_names=whole.system_names
    )

    compared = compare_levels(whole, five)

    assert compared.sentences == len(seen) > 1300
    numbers = parts.sentence_numbers[parts.sentences]
    for x, found in enumerate(compared.systems):
        expected = [[0, 0], [0, 0]]
        for one in range(len(whole)):
            left = whole.system_ranks[one].tolist()
            number = whole.sentence_numbers[whole.sentences[one]]
            for other in np.flatnonzero(numbers == number):
                right = five.system_ranks[other].tolist()
                for y in range(5):
                    if x == y or not (left[x] and left[y] and right[x] and right[y]):
                        continue
                    says = order(left[x], left[y]), order(right[x], right[y])
                    if all(says):
                        expected[says[0] > 0][says[0] != says[1]] += 1
        assert [[tau.concordant, tau.discordant] for tau in (found.better, found.worse)] == expected
        # Most sentences have three segments, one of which is their ranking.
        assert found.all.estimate.value is not None
        assert 0.4 < found.all.estimate.value < 0.9
