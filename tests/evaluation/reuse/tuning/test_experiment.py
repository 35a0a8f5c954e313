import numpy as np
import pytest

from annotation.formats.errors import InputError
from evaluation.reuse.tuning.choices import (
    CONSENSUS,
    NO_JUDGEMENTS,
    Judge,
    best_system,
    bounds,
    of_system,
)
from evaluation.reuse.tuning.experiment import TuningOptions, tune
from evaluation.reuse.tuning.features import outputs_as_hypotheses
from evaluation.reuse.tuning.objectives import BLEU, Matches, SummedStatistics, bleu, ratio
from tests.evaluation.reuse.tuning.projects import hypotheses_of, tiny_judgements, tiny_texts
from tests.evaluation.thesis_texts import first_half, read_thesis

QUICK = TuningOptions(restarts=1, seeds=1, resamples=20)


def people(*of_sentences: list[list[float]]) -> SummedStatistics:
    """Wins and comparisons of the hypotheses of each sentence."""
    return SummedStatistics(np.array(of_sentences, dtype=float), ratio)


def matches(hits: list[list[float]], segments: list[float]) -> Matches:
    none = np.zeros_like(np.array(hits, dtype=float))
    return Matches(
        wins=none,
        compared=none,
        hits=np.array(hits, dtype=float),
        segments=none + np.array(segments)[:, None],
        unknown=none,
        best=none,
        answers=none,
    )


@pytest.fixture
def judge():
    """Two hypotheses of two judged sentences, and one without judgements."""
    wins = people([[3, 4], [1, 4]], [[1, 2], [2, 2]], [[0, 0], [0, 0]])
    return Judge(wins, None, matches([[1, 0], [2, 1], [0, 0]], [1, 2, 0]), resamples=50)


def test_wins_of_several_seeds_are_counted_together(judge):
    found = judge.judge("two seeds", [np.array([0, 0, 0]), np.array([1, 1, 0])])

    assert found.people.value == pytest.approx((4 / 6 + 3 / 6) / 2)
    assert found.spread == pytest.approx(np.std([4 / 6, 3 / 6], ddof=1))
    assert found.hit_rate == pytest.approx((3 + 1) / (3 + 3))
    assert found.bleu is None


def test_a_choice_is_compared_with_the_baselines_but_not_with_itself(judge):
    judge.set_baseline(BLEU, [np.array([1, 1, 0])])

    better = judge.judge("better", [np.array([0, 1, 0])])

    assert better.minus_bleu.value == pytest.approx(5 / 6 - 3 / 6)
    assert better.minus_consensus is None
    assert judge.judge(BLEU, [np.array([1, 1, 0])]).minus_bleu is None


def test_a_choice_without_judgements_has_no_figure():
    nothing = Judge(people([[0, 0]]), None, matches([[0]], [0]), resamples=5)

    found = nothing.judge("first", [np.array([0])])

    assert (found.people.value, found.people.undefined) == (None, NO_JUDGEMENTS)
    assert found.hit_rate is None


def test_the_oracle_of_people_has_the_highest_share_of_all_choices():
    # 1 of 1 is more than 8 of 10, but together with 1 of 10, 9 of 20 is more than 2 of 11.
    wins = people([[1, 1], [8, 10]], [[1, 10], [1, 10]])

    found = bounds(wins, None, np.array([2, 1]))

    assert found["oracle, people"][0] == 1
    assert found["random"].tolist() == [[0.5, 0.5], [1, 0]]


def test_the_oracle_of_people_is_no_choice_without_judgements():
    # An empty hypothesis, which contains no judged candidate, is the first of the list.
    wins = people([[0, 0], [3, 4]], [[0, 0], [3, 4]])

    assert bounds(wins, None, np.array([2, 2]))["oracle, people"].tolist() == [1, 1]


def test_the_oracle_of_people_is_defined_where_none_won():
    wins = people([[0, 0], [0, 4]], [[0, 0], [0, 0]])

    (first, _) = bounds(wins, None, np.array([2, 2]))["oracle, people"]

    assert first == 1


def test_the_oracle_of_bleu_has_the_best_sentence_bleu():
    statistics = np.array([[[4, 2, 1, 0, 4, 3, 2, 1, 4], [4, 3, 2, 1, 4, 3, 2, 1, 4]]], dtype=float)

    found = bounds(people([[1, 2], [0, 2]]), SummedStatistics(statistics, bleu), np.array([2]))

    assert found["oracle, BLEU"].tolist() == [1]


def test_the_best_system_is_that_of_the_training_sentences_with_all_outputs():
    texts, both = tiny_texts(), np.arange(2, dtype=np.int32)
    outputs = outputs_as_hypotheses(texts, both, np.array([True, False]))
    # c has no output of the second sentence; b is the best of the others in the first.
    wins = people([[0, 1], [1, 2], [2, 2]], [[2, 2], [0, 2], [2, 2]])

    assert best_system(outputs, np.array([True, False]), wins) == 1
    assert of_system(outputs, 1).tolist() == [1, 1]


def test_it_refuses_people_as_the_objective_of_nbest_lists():
    lists = hypotheses_of(("pes", "bílý pes"), ("kočka", "malá kočka"))

    with pytest.raises(InputError, match="people"):
        tune(
            lists,
            tiny_texts(),
            tiny_judgements(),
            np.array([True, False]),
            TuningOptions(objectives=("people",)),
        )


def test_it_refuses_training_sentences_without_a_judged_candidate():
    lists = hypotheses_of(("fena", "vlk"), ("kočka", "malá kočka"))

    with pytest.raises(InputError, match="training"):
        tune(lists, tiny_texts(), tiny_judgements(), np.array([True, False]), QUICK)


def test_the_test_sentences_have_no_influence_on_the_weights():
    training = np.array([True, False])
    lists = hypotheses_of(("pes", "bílý pes", "ten pes"), ("kočka", "malá kočka", "kočka spí"))
    others = hypotheses_of(("pes", "bílý pes", "ten pes"), ("x", "y", "z"))

    one, two = (
        tune(each, tiny_texts(), tiny_judgements(), training, QUICK) for each in (lists, others)
    )

    for left, right in zip(one.tuned, two.tuned, strict=True):
        assert left.values == right.values
        assert left.weights.tolist() == right.weights.tolist()


def test_raw_weights_choose_the_same_as_those_for_scaled_features():
    training = np.array([True, False])
    lists = hypotheses_of(("pes", "bílý pes", "ten pes"), ("kočka", "malá kočka", "kočka spí"))

    report = tune(lists, tiny_texts(), tiny_judgements(), training, QUICK)

    assert "people" in report.missing
    for tuned in report.tuned:
        raw = np.argmax(lists.features @ tuned.raw_weights, axis=1)
        assert raw.tolist() == tuned.chosen.tolist()
        assert np.abs(tuned.raw_weights).sum() == pytest.approx(1)


@pytest.mark.shared
@pytest.mark.slow
def test_figures_of_the_first_half_of_the_thesis_database(shared):
    """The figures are those of another program, with other features of the same kind."""
    judgements, texts = read_thesis(first_half(shared))
    training = texts.sentence_numbers <= 750
    sentences = np.arange(len(training), dtype=np.int32)
    hypotheses = outputs_as_hypotheses(texts, sentences, training)
    names = ("BLEU", "SegRanksBLEU", "ExactMatch", "PenalizeUnknown", "people")

    report = tune(hypotheses, texts, judgements, training, TuningOptions(objectives=names))

    found = {one.objective: one.choice.people.value for one in report.tuned}
    found |= {one.name: one.people.value for one in report.untrained}
    expected = {
        "BLEU": 0.5967,
        "SegRanksBLEU": 0.6027,
        "ExactMatch": 0.6225,
        "PenalizeUnknown": 0.6139,
        "people": 0.6200,
        "most similar, BLEU": 0.6033,
        "best system in training, cu-depfix": 0.5770,
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=0.01)
    assert CONSENSUS in found
    # Tuning to judgements of segments helps, and the interval by sentence says so.
    exact = next(one.choice for one in report.tuned if one.objective == "ExactMatch")
    assert exact.minus_bleu is not None
    assert exact.minus_bleu.low is not None
    assert exact.minus_bleu.low > 0
