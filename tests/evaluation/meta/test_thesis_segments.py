"""τ of metrics on the first half of the thesis' judgements."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from evaluation.meta.gold_pairs import GoldPairs
from evaluation.meta.project_gold import (
    annotators_as_metric,
    candidate_pairs,
    net_wins,
    segment_comparisons,
    sentence_pairs,
)
from evaluation.meta.segment_tau import RULES, WMT14, segment_taus
from evaluation.meta.segment_ties import calibrate
from evaluation.metrics.candidate_scores import score_candidates
from evaluation.metrics.catalogue import find_metrics
from evaluation.metrics.references import References
from evaluation.stats.judgements import NO_CANDIDATE
from evaluation.stats.resampling import Floats
from tests.evaluation.thesis_texts import first_half, read_thesis

pytestmark = [pytest.mark.shared, pytest.mark.slow]


def sentence_scores(name: str) -> Callable[[Sequence[str], Sequence[str]], Floats]:
    (metric,) = find_metrics([name], "cs")
    return lambda outputs, references: metric.sentence_scores(
        metric.statistics(outputs, References.of_texts([references]))
    )


# τ of comparisons by WMT14, WMT12, WMT13 and HTIES, τ of pairs of systems in a sentence by WMT14,
# and acc_eq with net wins (on both halves together: chrF .6087).
SENTENCE_METRICS = {
    "chrf": ((0.2385, 0.2378, 0.2387, 0.1842), 0.3485, 0.6064),
    "sentbleu": ((0.1978, 0.1763, 0.2021, 0.1720), 0.2807, 0.5749),
    "bleu-nrc": ((0.2030, 0.1818, 0.2074, 0.1754), 0.2887, 0.5778),
    "cder": ((0.2023, 0.0418, 0.2410, 0.2260), 0.2872, 0.5287),
    "wer": ((0.1823, 0.0276, 0.2157, 0.2064), 0.2554, 0.5172),
}
# τ by WMT14 of pairs of candidates. On both halves together: words .2462, bleu .2295, characters
# .2914, consensus .2905, combined .3512, systems .1362, length -.039.
CANDIDATE_METRICS = {
    "words": 0.2401,
    "bleu": 0.2218,
    "characters": 0.2858,
    "consensus": 0.2837,
    "combined": 0.3478,
    "systems": 0.1305,
    "length": -0.0352,
}


def taus(gold: GoldPairs, scores) -> dict[str, dict[str, float | None]]:
    return {
        metric.metric: {tau.rule: tau.estimate.value for tau in metric.taus}
        for metric in segment_taus(gold, scores, resamples=1)
    }


def test_sentence_scores_of_metrics(shared):
    judgements, _ = read_thesis(first_half(shared), "systems.tsv")
    folder = shared / "data" / "wmt14-en-cs"
    lines = {
        path.stem: path.read_text().splitlines()
        for path in (folder / "reference.txt", *(folder / "systems").glob("*.txt"))
    }
    numbers = [number - 1 for number in judgements.sentence_numbers.tolist()]
    judged = {name: [of_name[n] for n in numbers] for name, of_name in lines.items()}
    scores = {
        name: [score(judged[system], judged["reference"]) for system in judgements.system_names]
        for name, score in ((name, sentence_scores(name)) for name in SENTENCE_METRICS)
    }
    comparisons, pairs = segment_comparisons(judgements), sentence_pairs(judgements)

    by_segment, by_sentence = taus(comparisons, scores), taus(pairs, scores)

    assert (comparisons.comparisons, comparisons.untied) == (190_131, 128_231)
    assert (pairs.comparisons, pairs.untied) == (62_910, 45_892)
    assert len(np.unique(pairs.groups)) == 1398
    wmt12, wmt13, wmt14, hties = (rule.name for rule in RULES)
    for name, (of_comparisons, of_pairs, accuracy) in SENTENCE_METRICS.items():
        found = [by_segment[name][rule] for rule in (wmt14, wmt12, wmt13, hties)]
        assert found == pytest.approx(of_comparisons, abs=5.1e-5)
        assert by_sentence[name][wmt14] == pytest.approx(of_pairs, abs=5.1e-5)
        calibrated = calibrate(net_wins(judgements), scores[name], resamples=1).calibrated
        assert calibrated.estimate.value == pytest.approx(accuracy, abs=5.1e-5)


def test_scores_of_candidates(shared):
    judgements, texts = read_thesis(first_half(shared), "systems.tsv")
    produced = texts.system_candidates
    systems = np.bincount(produced[produced != NO_CANDIDATE], minlength=len(texts.candidate_texts))
    gold = candidate_pairs(
        judgements,
        texts.first_candidates[texts.segments_of(judgements)],
        len(texts.candidate_texts),
    )

    scores = score_candidates(
        texts.candidate_texts,
        texts.first_candidates,
        systems,
        texts.references,
        texts.segment_sentences,
    )
    found = taus(
        gold,
        {name: getattr(scores, name) for name in scores.signatures}
        | {
            "systems": systems,
            "length": [len(text.split(" ")) for text in texts.candidate_texts],
        },
    )

    assert (gold.comparisons, gold.untied) == (72_386, 62_904)
    assert {name: values[WMT14.name] for name, values in found.items()} == pytest.approx(
        CANDIDATE_METRICS, abs=5.1e-5
    )


@pytest.mark.parametrize(("same", "value"), [(False, 0.4917), (True, 0.6725)])
def test_annotators_are_a_ceiling(shared, same, value):
    """On both halves together: another annotator .4933, the same one again .6616."""
    judgements, _ = read_thesis(first_half(shared), "systems.tsv")

    found = annotators_as_metric(judgements, same=same, resamples=1)

    assert found.tau(WMT14).estimate.value == pytest.approx(value, abs=5.1e-5)
