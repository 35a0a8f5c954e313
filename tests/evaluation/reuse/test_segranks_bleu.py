from dataclasses import replace
from math import exp

import numpy as np
import pytest

from evaluation.reuse.project_texts import ProjectTexts
from evaluation.reuse.segranks_bleu import best_candidates, score_outputs
from evaluation.stats.judgements import GARBAGE, Judgements, assemble
from tests.evaluation.thesis_texts import first_half, read_thesis

# WMT14's TrueSkill scores, with which the thesis correlates its metrics.
TRUE_SKILL = {
    "cu-depfix": 0.371,
    "uedin-unconstrained": 0.356,
    "cu-bojar": 0.333,
    "cu-funky": 0.287,
    "onlineB": 0.169,
    "uedin-wmt14": 0.113,
    "onlineA": 0.030,
    "CU-TectoMT": -0.175,
    "commercial1": -0.534,
    "commercial2": -0.950,
}
# On the first half of the sentences: SegRanksBLEU and BLEU, cased.
TABLE_3_7 = {
    "cu-depfix": (0.2979, 0.2106),
    "cu-funky": (0.2948, 0.2093),
    "uedin-unconstrained": (0.2921, 0.2060),
    "cu-bojar": (0.2941, 0.2083),
    "uedin-wmt14": (0.2912, 0.2051),
    "onlineB": (0.2885, 0.2023),
    "onlineA": (0.2572, 0.1799),
    "CU-TectoMT": (0.2194, 0.1517),
    "commercial1": (0.1701, 0.1088),
    "commercial2": (0.1588, 0.1009),
}
CANDIDATES = ("a b c d", "x y", "c d")


def project(*judged: list[int], reference: str = "A b c") -> tuple[Judgements, ProjectTexts]:
    """Return judgements of the one segment of one sentence; systems A, B and C, one a candidate."""
    placed = [
        (row, slot, rank) for row, ranks in enumerate(judged) for slot, rank in enumerate(ranks)
    ]
    judgements = assemble(
        segments=[0] * len(judged),
        sentences=[0] * len(judged),
        annotators=[0] * len(judged),
        seconds=[1] * len(judged),
        placed_by=[row for row, _, _ in placed],
        placed_candidates=[slot for _, slot, _ in placed],
        placed_ranks=[rank for _, _, rank in placed],
        candidate_segments=[0, 0, 0],
        producing_systems=[0, 1, 2],
        produced_candidates=[0, 1, 2],
        segment_ids=[5],
        sentence_numbers=[1],
        annotator_names=["jana"],
        system_names=list("ABC"),
    )
    return judgements, ProjectTexts(
        sentence_numbers=np.array([1]),
        sources=(("s",),),
        references=(tuple(tuple(line.split()) for line in reference.split("|")),),
        outputs=(((),),) * 3,
        segment_ids=np.array([5]),
        segment_sentences=np.array([0], dtype=np.int32),
        segment_positions=((0,),),
        candidate_texts=CANDIDATES,
        first_candidates=np.array([0, 3], dtype=np.int32),
        system_candidates=np.array([[0, 1, 2]], dtype=np.int32),
        system_names=tuple("ABC"),
    )


def phrases(found: set[tuple[int, tuple[str, ...]]]) -> set[str]:
    return {" ".join(words) for _, words in found}


def test_best_candidates_are_those_of_the_lowest_rank_of_each_judgement_even_garbage():
    judgements, texts = project([2, 1, 1], [GARBAGE, GARBAGE, GARBAGE])

    assert phrases(best_candidates(*project([2, 3, 2]))) == {"a b c d", "c d"}
    assert phrases(best_candidates(judgements, texts)) == set(CANDIDATES)
    # Without what only A produced, the best of the others count.
    assert phrases(best_candidates(*project([1, 3, 2]), without="A")) == {"c d"}
    assert phrases(best_candidates(*project([1, 3, 2]), without="new")) == {"a b c d"}


def test_scores_computed_by_hand():
    judgements, texts = project([1, 2, 3], reference="A b c c c c")

    (scores,) = score_outputs(judgements, texts, {"A": [("a", "b", "c", "d", "b")]}).systems

    # n-grams of the output: 5, 4, 3, 2. The reference has b (once), c, and "b c"; the best
    # candidate has a, b, c, d, "a b", "b c", "c d", two of three words, and one of four.
    brevity = exp(1 - 6 / 5)
    assert scores.bleu == 0
    assert scores.segranks_bleu == pytest.approx(
        brevity * (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** (1 / 4)
    )
    # Without its own phrase, "x y" is the best.
    assert scores.without_own == 0
    assert scores.segranks_bleu_lower == scores.segranks_bleu


def test_case_matters_unless_lower_cased():
    judgements, texts = project([2, 1, 2], reference="A b c d")

    (scores,) = score_outputs(judgements, texts, {"new": [("a", "b", "c", "d")]}).systems

    assert scores.bleu == 0
    assert scores.bleu_lower == scores.segranks_bleu_lower == 1


def test_all_human_references_count_and_the_closest_one_for_brevity():
    judgements, texts = project([1, 2, 3], reference="a b c x y z z z|b c d q q")

    found = score_outputs(judgements, texts, {"new": [("a", "b", "c", "d", "q", "q")]})

    (scores,) = found.systems
    # The first reference has "a b c", the second one "b c d q q", and the best candidate "a b c d";
    # the output has 6, 5, 4 and 3 n-grams. The second reference is the closest one: 5 of 6 words.
    assert scores.bleu == pytest.approx((6 / 6 * 5 / 5 * 4 / 4 * 2 / 3) ** (1 / 4))
    assert scores.segranks_bleu == 1
    assert "|nrefs:2|" in str(found.signature)


def test_of_two_human_references_as_close_the_shorter_one_counts():
    judgements, texts = project([1, 2, 3], reference="a b c d e f|a b c d")

    (scores,) = score_outputs(judgements, texts, {"new": [("a", "b", "c", "d", "e")]}).systems

    assert scores.bleu == 1


def test_a_score_is_undefined_without_four_words_or_a_reference():
    judgements, texts = project([2, 1, 2])

    (short,) = score_outputs(judgements, texts, {"new": [("b", "c")]}).systems
    (alone,) = score_outputs(
        judgements, replace(texts, references=((),)), {"new": [("a", "b", "c", "d")]}
    ).systems

    assert short.bleu is short.segranks_bleu is alone.bleu is alone.segranks_bleu_lower is None


def test_it_refuses_another_number_of_sentences():
    with pytest.raises(ValueError, match="each sentence"):
        score_outputs(*project([2, 1, 2]), {"new": []})


@pytest.mark.shared
def test_table_3_7_of_the_thesis(shared):
    folder = first_half(shared)
    judgements, texts = read_thesis(folder)
    # BLEU counts sentences without segments too.
    lines = {
        name: [
            tuple(line.split(" "))
            for line in (folder / "tokenised" / name).read_text().splitlines()
        ]
        for name in (
            "source.txt",
            "reference.txt",
            *(f"systems/{s}.txt" for s in texts.system_names),
        )
    }
    everything = replace(
        texts,
        sentence_numbers=np.arange(1, 1501),
        sources=tuple(lines["source.txt"][:1500]),
        references=tuple((line,) for line in lines["reference.txt"][:1500]),
        segment_sentences=(texts.sentence_numbers[texts.segment_sentences] - 1).astype(np.int32),
    )

    found = score_outputs(
        judgements,
        everything,
        {name: lines[f"systems/{name}.txt"][:1500] for name in texts.system_names},
    ).systems

    assert {one.system: (one.segranks_bleu, one.bleu) for one in found} == {
        system: pytest.approx(scores, abs=5.1e-5) for system, scores in TABLE_3_7.items()
    }
    true = [TRUE_SKILL[one.system] for one in found]
    for score, r in (
        ("segranks_bleu", 0.9674),
        ("bleu", 0.9691),
        ("segranks_bleu_lower", 0.9693),
        ("bleu_lower", 0.9712),
    ):
        assert np.corrcoef([getattr(one, score) for one in found], true)[0, 1] == pytest.approx(
            r, abs=5.1e-5
        )
    # A system's own phrases serve as its references: up to .027 on all sentences.
    gains = {one.system: (one.segranks_bleu or 0) - (one.without_own or 0) for one in found}
    assert gains["commercial1"] == max(gains.values()) == pytest.approx(0.025, abs=5e-4)
    assert gains["cu-depfix"] == min(gains.values()) == pytest.approx(0.0032, abs=1e-4)
