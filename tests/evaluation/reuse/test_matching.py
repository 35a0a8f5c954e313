import json
from math import nan

import numpy as np
import pytest

from evaluation.reuse.matching import (
    METHODS,
    Errors,
    draw_examples,
    leave_one_out,
    match_system,
    measure_errors,
    score_and_place,
    total_outcomes,
)
from evaluation.reuse.project_texts import ProjectTexts
from evaluation.stats.judgements import GARBAGE, NO_CANDIDATE, Judgements, assemble
from tests.conftest import SHARED
from tests.evaluation.thesis_texts import first_half, read_thesis

# Of each segment the candidates, and the candidate of systems A, B, C and D.
SEGMENTS: list[tuple[list[str], list[int | None]]] = [
    (["dům", "domy", "chata"], [0, 0, 1, 2]),
    (["řeka", "řeky"], [0, 1, 1, None]),
]


def project(*judged: tuple[int, list[int]]) -> tuple[Judgements, ProjectTexts]:
    """Return judgements (segment, rank of each candidate), of one sentence a segment."""
    first = np.cumsum([0, *(len(texts) for texts, _ in SEGMENTS)]).astype(np.int32)
    produced = np.array(
        [
            [NO_CANDIDATE if slot is None else start + slot for slot in slots]
            for start, (_, slots) in zip(first, SEGMENTS, strict=False)
        ],
        dtype=np.int32,
    )
    placed = [
        (row, first[segment] + slot, rank)
        for row, (segment, ranks) in enumerate(judged)
        for slot, rank in enumerate(ranks)
        if rank
    ]
    segments, systems = np.nonzero(produced != NO_CANDIDATE)
    judgements = assemble(
        segments=[segment for segment, _ in judged],
        sentences=[segment for segment, _ in judged],
        annotators=[0] * len(judged),
        seconds=[1] * len(judged),
        placed_by=[row for row, _, _ in placed],
        placed_candidates=[candidate for _, candidate, _ in placed],
        placed_ranks=[rank for _, _, rank in placed],
        candidate_segments=np.repeat([0, 1], np.diff(first)),
        producing_systems=systems,
        produced_candidates=produced[segments, systems],
        segment_ids=[7, 9],
        sentence_numbers=[1, 2],
        annotator_names=["jana"],
        system_names=list("ABCD"),
    )
    return judgements, ProjectTexts(
        sentence_numbers=np.array([1, 2]),
        sources=(("the", "house"), ("the", "river")),
        references=((), ()),
        outputs=(((), ()),) * 4,
        segment_ids=np.array([7, 9]),
        segment_sentences=np.array([0, 1], dtype=np.int32),
        segment_positions=((0, 1), (0, 1)),
        candidate_texts=tuple(text for texts, _ in SEGMENTS for text in texts),
        first_candidates=first,
        system_candidates=produced,
        system_names=tuple("ABCD"),
    )


def test_a_new_system_has_the_mean_rank_of_the_systems_with_the_closest_candidates():
    judgements, texts = project((0, [1, 4, GARBAGE]), (1, [1, 2]))

    # "dom" is 1 from "dům", which A and B have, and from "domy" of C; "řek" is 1 from both.
    matches = match_system(judgements, texts, "new", ["dom", "řek"])

    assert matches.distances.tolist() == [1, 1]
    assert matches.closest.tolist() == [[True, True, True, False], [True, True, True, False]]
    assert matches.predicted_ranks.tolist() == [pytest.approx(2), pytest.approx(5 / 3)]
    assert (matches.hits, matches.missing, matches.equidistant) == (0, 0, 2)
    assert matches.own_ranks is None
    assert matches.true_ranking() is None
    assert matches.examples() == []


def test_garbage_counts_as_rank_100_in_the_mean():
    judgements, texts = project((0, [1, 2, GARBAGE]))

    # 3 from "domy", 2 from "chata".
    assert match_system(judgements, texts, "new", ["chatky", ""]).predicted_ranks.tolist() == [100]


def test_the_same_candidate_is_a_hit_and_has_its_rank():
    judgements, texts = project((0, [3, 2, 1]), (0, [1, 2, 2]))

    matches = match_system(judgements, texts, "new", ["dům", ""])

    assert (matches.hits, matches.hit_rate, matches.average_distance) == (2, 1.0, 0.0)
    assert matches.predicted_ranks.tolist() == [3, 1]
    ranking = matches.rank("exact")
    # Against C and D it lost, then won; against A and B it tied twice.
    assert [vars(row) for row in ranking.systems if row.system == "new"] == [
        {"system": "new", "wins": 2, "losses": 2, "ties": 4, "same_text": None}
    ]
    assert score_and_place(ranking, "D") == (4 / 7, 1)


def test_only_hits_count_in_exact_matching_and_a_missing_candidate_counts_in_neither():
    judgements, texts = project((0, [1, 2, 3]), (1, [1, 2]), (1, [2, 1]))

    matches = match_system(judgements, texts, "new", ["", "řeku"])

    assert matches.distances.tolist() == [pytest.approx(nan, nan_ok=True), 1, 1]
    assert (matches.hits, matches.missing, matches.hit_rate) == (0, 1, 0.0)
    assert matches.average_distance == pytest.approx(2 / 3)
    assert matches.average_distance_of_misses == 1
    assert {row.ratio_of_wins for row in matches.rank("exact").systems} == {None}
    closest = {
        row.system: row.wins + row.losses + row.ties for row in matches.rank("closest").systems
    }
    # D has no candidate in the only segment that counts.
    assert closest == {"A": 6, "B": 6, "C": 6, "new": 6, "D": 0}


def test_a_candidate_without_a_rank_matches_nothing():
    """An older judgement did not see the candidates of a system that was added later."""
    judgements, texts = project((0, [1, 2, 0]))

    matches = match_system(judgements, texts, "new", ["chata", ""])

    assert matches.distances.tolist() == [5]
    assert matches.closest.tolist() == [[True, True, True, False]]


def test_a_system_of_the_same_name_is_left_out():
    judgements, texts = project((0, [1, 2, 3]))

    matches = match_system(judgements, texts, "D", ["chata", ""])

    assert matches.others == ("A", "B", "C")
    assert matches.hits == 0


def test_leaving_out_each_system_equals_giving_its_candidates_as_new():
    judgements, texts = project((0, [2, 1, GARBAGE]), (1, [1, 2]), (0, [1, 1, 2]))

    for left_out in leave_one_out(judgements, texts):
        new = match_system(judgements, texts, left_out.system, left_out.candidates)
        np.testing.assert_array_equal(new.distances, left_out.distances)
        np.testing.assert_array_equal(new.closest, left_out.closest)
        for method in METHODS:
            assert new.rank(method).systems == left_out.rank(method).systems


def test_misses_are_compared_with_the_true_rank():
    judgements, texts = project((0, [2, 1, GARBAGE]), (1, [1, 2]))

    a, _b, c, d = leave_one_out(judgements, texts)

    # C's "domy" has rank 1 and is closest to "dům", of rank 2; D's "chata" has rank 100, "dům" 2.
    assert c.outcomes.tolist() == [[0, 0, 0], [0, 0, 0], [1, 0, 0]]
    assert d.outcomes.sum(axis=0).tolist() == [0, 0, 1]
    # A's "dům" is a hit; its "řeka" has rank 1, and "řeky" of B and C rank 2.
    assert a.outcomes.tolist() == [[0, 0, 0], [1, 0, 0]]
    assert total_outcomes([a, c, d]).sum(axis=0).tolist() == [2, 0, 1]
    (example,) = a.examples()
    assert vars(example) == {
        "system": "A",
        "sentence": 2,
        "candidate": "řeka",
        "closest": ("řeky",),
        "distance": 1,
        "outcome": "worse",
    }
    assert (
        draw_examples([a, c, d], number=2, seed=1) == draw_examples([a, c, d], number=9, seed=1)[:2]
    )


def test_errors_are_undefined_without_systems():
    assert measure_errors([], "exact") == Errors(0, None, None, None, None)


def test_wrong_arguments():
    judgements, texts = project((0, [1, 2, 3]))

    with pytest.raises(ValueError, match="one candidate"):
        match_system(judgements, texts, "new", ["dům"])
    with pytest.raises(ValueError, match="no method"):
        match_system(judgements, texts, "new", ["dům", ""]).rank("best")


# --- the first half of the thesis ---------------------------------------------------------------


@pytest.fixture(scope="module", params=["systems-improved.tsv half/new", "systems.tsv half/old"])
def half(request):
    """All systems left out, by name, and the figures that an independent script computed."""
    links, key = request.param.split()
    folder = first_half(SHARED)
    matches = leave_one_out(*read_thesis(folder, links))
    expected = json.loads((folder / "expected-unseen.json").read_text())[key]
    return {one.system: one for one in matches}, expected


@pytest.mark.shared
def test_all_counts_of_the_thesis(half):
    matches, expected = half

    assert matches.keys() == expected["left_out"].keys()
    for system, figures in expected["left_out"].items():
        found = matches[system]
        counts = [len(found), found.hits, found.equidistant, *found.outcomes.sum(axis=0)]
        names = ["judgements", "hits", "equidistant", "worse", "equal", "better"]
        assert counts == [figures[name] for name in names], system
        assert list(found.distance_counts) == figures["distances"], system
        # The distances of misses whose rank is known, which all are.
        assert found.outcomes.sum(axis=1).tolist()[1:] == figures["distances"][1:]
        assert found.hits + found.missing == figures["distances"][0]
        assert found.hit_rate == pytest.approx(figures["hit_rate"], abs=5.1e-5)
        assert found.average_distance == pytest.approx(figures["aed"], abs=5.1e-5)
        assert found.average_distance_of_misses == pytest.approx(figures["aed_missed"], abs=5.1e-5)


@pytest.mark.shared
def test_all_scores_of_the_thesis(half):
    matches, expected = half

    for system, figures in expected["left_out"].items():
        truth = matches[system].true_ranking()
        assert truth is not None
        assert score_and_place(truth, system)[1] == figures["place_full"]
        assert {row.system: row.ratio_of_wins for row in truth.systems} == pytest.approx(
            expected["full"], abs=5.1e-5
        )
        for method in METHODS:
            ranking = matches[system].rank(method)
            ratios = {row.system: row.ratio_of_wins for row in ranking.systems}
            assert ratios == pytest.approx(figures[method], abs=5.1e-5), (system, method)
            assert score_and_place(ranking, system)[1] == figures[f"place_{method}"]


@pytest.mark.shared
def test_how_far_the_methods_of_the_thesis_miss(half):
    matches, expected = half

    exact, closest = (measure_errors(list(matches.values()), method) for method in METHODS)

    assert exact.score == pytest.approx(expected["exact_mae"], abs=5.1e-5)
    assert exact.r == pytest.approx(expected["exact_r"], abs=5.1e-5)
    assert closest.score == pytest.approx(expected["closest_mae"], abs=5.1e-5)
    assert closest.r == pytest.approx(expected["closest_r"], abs=5.1e-5)
    # Published for all sentences: "overestimated"; 4.5 and 3.2 places.
    assert exact.bias == exact.score
    assert closest.bias == closest.score
    assert exact.places == 4.5
    assert closest.places == pytest.approx(3.15, abs=0.06)


@pytest.mark.shared
def test_the_examples_of_table_3_6_that_the_first_half_has(half):
    matches, _ = half

    found = {
        (one.sentence, one.candidate, one.closest[0], one.distance, one.outcome)
        for left_out in matches.values()
        for one in left_out.examples()
        if len(one.closest) == 1
    }

    assert found >= {
        (1159, "vaše ústa ohřívá protein", "vaše ústa zahřívání bílkovin", 10, "better"),
        (647, "popřel užívání kokainu a", "popřela užívání kokainu a", 1, "worse"),
        (630, "v Liverpoolském porotním soudu", "Liverpool Korunního soudu", 11, "better"),
        (1147, "Pak 64,23 % oprávněných voličů", "pak 64,23 % oprávněných voličů", 1, "better"),
    }
