"""τ and the disagreement quotient by hand, and the intervals about them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.formats.judgement_files import Choice, read_judgements
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import natural_key
from evaluation.stats.resampling import interval, resampled_sums, too_few, wilson
from evaluation.stats.sentence_level import NoTau, compare_levels
from evaluation.stats.units import Unit
from tests.evaluation.formats.wmt_files import write_five_way
from tests.evaluation.tables import G, Row, judged, order
from tests.evaluation.thesis_texts import first_half, read_thesis
from tests.evaluation.two_levels import SENTENCES, SYSTEMS, counts, levels

NOTHING, NOWHERE = NoTau.ALL_TIED.value, NoTau.NO_COMMON_SENTENCE.value

# By hand. Sentence 1 has two segments, the first of them judged twice; sentence 2 has one.
WHOLE: Sequence[Row] = [
    ("1", "jana", [1, 2, 2]),
    ("1", "petr", [1, 0, 3]),
    ("2", "jana", [2, 1, 3]),
    ("8", "jana", [1, 2, 3]),
]
PARTS: Sequence[Row] = [
    ("1a", "zuzana", [1, 2, 3]),
    ("1a", "karel", [2, 1, G]),
    ("1b", "zuzana", [1, 1, 1]),
    ("2a", "zuzana", [1, 2, 1]),
    ("9a", "zuzana", [1, 2, 3]),
]


def test_every_untied_comparison_meets_every_judgement_of_a_segment():
    compared = compare_levels(*levels(WHOLE, PARTS))

    # Sentence 1: A > B meets A > B and B > A; A > C, said twice, meets A > C twice.
    # Sentence 2: B > A meets A > B; B > C meets C > B; A > C meets a tie.
    assert counts(compared) == {
        "A": [(5, 1), (0, 1), (5, 2)],
        "B": [(0, 2), (1, 1), (1, 3)],
        "C": [(0, 0), (4, 1), (4, 1)],
    }
    assert (compared.together.concordant, compared.together.discordant) == (5, 3)
    assert compared.together.estimate.value == 2 / 8
    assert compared.systems[0].better.estimate.value == 4 / 6
    assert compared.systems[2].better.estimate == Estimate(None, undefined=NOTHING)
    assert (compared.sentences, compared.sentence_judgements) == (2, 3)
    assert compared.segment_judgements == 4
    assert compared.signature == (
        "Kendall's τ of sentences and segments|ties skipped|repeats included"
        "|1000 resamples of sentences|seed 0|judgements of whole sentences 3"
        "|judgements 4|sentences 2|SegRanks 1.0.0"
    )


def test_sentences_by_disagreement_quotient():
    found = compare_levels(*levels(WHOLE, PARTS)).disagreements

    # Won and lost in segments, then as a whole; C never won in sentence 1, which is no quotient.
    assert [tuple(vars(row).values()) for row in found.listed] == [
        (2, "C", 1, 0, 0, 2, None),
        (1, "B", 3, 1, 0, 1, None),
        (2, "A", 1, 0, 1, 1, 2.0),
        (1, "A", 3, 1, 3, 0, 0.75),
        (2, "B", 0, 2, 2, 0, 0.0),
    ]
    assert [row.infinite for row in found.listed] == [True, True, False, False, False]
    assert (found.defined, found.infinite, found.never_won, found.not_compared) == (5, 2, 1, 0)


def test_only_the_first_disagreements_are_listed_and_all_counted():
    found = compare_levels(*levels(WHOLE, PARTS), limit=2).disagreements

    assert [row.sentence for row in found.listed] == [2, 1]
    assert found.defined == 5


def test_nothing_but_ties_at_one_level_is_no_quotient():
    tied = compare_levels(*levels([("1", "jana", [1, 1, 1])], [("1a", "karel", [1, 2, G])]))

    assert tied.together.estimate == Estimate(None, undefined=NOTHING)
    assert tied.disagreements.listed == ()
    assert tied.disagreements.not_compared == 3


@pytest.mark.parametrize(
    ("whole", "parts"), [([], PARTS), (WHOLE, []), ([], []), (WHOLE[3:], PARTS)]
)
def test_sentences_that_lack_a_level_say_so(whole, parts):
    compared = compare_levels(*levels(whole, parts))

    figures = [compared.together, *(row.better for row in compared.systems)]
    assert [figure.estimate for figure in figures] == [Estimate(None, undefined=NOWHERE)] * 4
    assert (compared.sentences, compared.disagreements.defined) == (0, 0)


def test_a_project_without_systems_has_no_figures():
    compared = compare_levels(
        judged(WHOLE, systems=(), sentences=SENTENCES),
        judged(PARTS, systems=(), sentences=SENTENCES),
    )

    assert compared.systems == ()
    assert compared.together.estimate.value is None


def test_both_levels_need_the_same_systems():
    with pytest.raises(ValueError, match="different systems"):
        compare_levels(judged(WHOLE, systems=SYSTEMS), judged(PARTS, systems=("B", "A", "C")))


def test_a_figure_of_one_sentence_has_no_interval():
    one = compare_levels(*levels(WHOLE[:1], PARTS)).together.estimate
    unsampled = compare_levels(*levels(WHOLE, PARTS), resamples=0).together.estimate

    assert one == Estimate(2 / 4, no_interval=too_few(Unit()))
    assert unsampled.value == 2 / 8
    assert unsampled.low is None


@pytest.mark.parametrize(("counting", "why"), [(9, too_few(Unit())), (10, "")])
def test_only_sentences_that_count_make_an_interval(counting, why):
    numbers = {f"{number}": number for number in range(1, 31)}
    rows = [(name, "jana", [1, 2 if int(name) <= counting else 1, 1]) for name in numbers]
    both = judged(rows, systems=SYSTEMS, sentences=numbers)

    estimate = compare_levels(both, both, resamples=20).together.estimate

    if why:
        assert estimate == Estimate(1.0, no_interval=why)
    else:
        # All resamples agree: Wilson's interval, scaled to -1 to 1.
        assert estimate.low == pytest.approx(2 * wilson(1, counting)[0] - 1)
        assert estimate.high == 1


def test_selected_judgements_can_be_compared():
    whole, parts = levels(WHOLE, PARTS)

    compared = compare_levels(
        whole.select(np.array([False, False, True, True])),
        parts.select(np.array([False, False, False, True, True])),
    )

    assert compared.sentences == 1
    assert counts(compared)["B"] == [(0, 2), (0, 0), (0, 2)]


def test_intervals_come_from_resamples_of_sentences():
    random = np.random.default_rng(5)
    numbers = {f"{number}": number for number in range(1, 41)}
    rows = [(name, "jana", list(random.integers(1, 4, 3))) for name in numbers]
    others = [(name, "petr", list(random.integers(1, 4, 3))) for name in numbers]

    whole, parts = (judged(each, systems=SYSTEMS, sentences=numbers) for each in (rows, others))
    compared = compare_levels(whole, parts, resamples=200, seed=3)

    # Of A when better, a sentence at a time, through the very same draws.
    sums = np.zeros((40, 2))
    for row, (name, _, ranks) in enumerate(rows):
        of_segment = others[row][2]
        assert others[row][0] == name
        for other in (1, 2):
            if ranks[0] < ranks[other] and of_segment[0] != of_segment[other]:
                sums[row, int(of_segment[0] > of_segment[other])] += 1
    again = resampled_sums(sums, resamples=200, seed=3)
    taus = (again[:, 0] - again[:, 1]) / again.sum(axis=1)
    low, high = interval(taus, int(np.count_nonzero(sums.any(axis=1))))
    estimate = compared.systems[0].better.estimate
    assert (estimate.low, estimate.high) == (low, high)
    assert estimate.low is not None
    assert estimate.value is not None
    assert estimate.low < estimate.value < high
    assert compare_levels(whole, parts, resamples=200, seed=3) == compared
    assert compare_levels(whole, parts, resamples=200, seed=4) != compared


# --- against plain loops ------------------------------------------------------------------------

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
            assert row.quotient == (pytest.approx(above / below) if below else None)


@pytest.mark.shared
def test_the_first_half_against_rankings_made_of_its_own_segments(shared, tmp_path):
    """What is said of the first segment of each sentence stands for what is said of the whole."""
    parts = read_thesis(first_half(shared))[0]
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
    whole = read_judgements(Choice("wmt-five", [file])).judgements
    order_of_five = sorted(names[:5], key=natural_key)
    chosen = [names.index(name) for name in order_of_five]
    assert whole.system_names == tuple(order_of_five)
    five = replace(
        parts,
        system_ranks=parts.system_ranks[:, chosen],
        system_candidates=parts.system_candidates[:, chosen],
        system_names=whole.system_names,
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
        # Most sentences have three segments, and one segment has the same ranking.
        assert found.all.estimate.value is not None
        assert 0.4 < found.all.estimate.value < 0.9
