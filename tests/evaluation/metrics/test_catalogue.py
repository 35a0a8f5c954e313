"""The catalogue, and its metrics on the WMT14 English-Czech outputs."""

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.ter import TER

from annotation.formats.errors import InputError
from annotation.formats.plain_text import read_lines
from evaluation.metrics import tokens
from evaluation.metrics.catalogue import NAMES, find_metrics
from evaluation.metrics.edits import Per, Wer
from evaluation.metrics.names import written_tokenizer
from evaluation.metrics.references import References
from evaluation.metrics.ter import Ter
from evaluation.metrics.tokens import Tokenizer
from tests.evaluation.metrics.texts import OUTPUTS, REFERENCES, SECOND

# WMT14's official scores, human-2014-05-16.
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
# Pearson's r with them as Macháček & Bojar (2014) publish it, the tolerance, and to 4 decimals.
CORRELATIONS = {
    "bleu-intl-lower": (0.976, 0.0015, 0.9756),
    "nist": (0.985, 0.0015, 0.9845),
    "cder": (0.982, 0.0025, 0.9826),
    "wer": (0.976, 0.0025, 0.9766),
    "per": (0.988, 0.0025, 0.9878),
    "ter": (0.978, 0.0025, 0.9785),
}


def test_it_refuses_an_unknown_name_and_names_the_known_ones():
    with pytest.raises(InputError, match=r"no metric “blue”: choose from bleu, .*soft-f\."):
        find_metrics(["bleu", "blue"], "cs")


@pytest.mark.parametrize("language", ["cs", "en-GB", "zh", "ja", "mi"])
def test_every_metric_scores_every_language(language):
    for metric in find_metrics(NAMES, language):
        statistics = metric.statistics(OUTPUTS, References.of_texts([REFERENCES, SECOND]))

        assert statistics.shape[0] == len(OUTPUTS)
        assert np.isfinite(metric.score(np.stack([statistics.sum(axis=0)] * 2))).all()
        sentences = metric.sentence_scores(statistics)
        assert np.isfinite(sentences).all()
        # The fourth output is blank. TER divides its edits by the mean length of the references.
        assert sentences[3] == pytest.approx(0, abs=0.05 if metric.name == "ter" else 0)


def test_equal_texts_score_best():
    for metric in find_metrics(NAMES, "en"):
        best = metric.statistics(REFERENCES, References.of_texts([REFERENCES])).sum(axis=0)
        other = metric.statistics(OUTPUTS, References.of_texts([REFERENCES])).sum(axis=0)

        assert metric.score(best) > metric.score(other)
        # NIST has no upper bound, METEOR's fragmentation is that of the corpus, and the smoothing
        # of BLEU-NRC takes a part of the score of texts of fewer than four words.
        if metric.name not in ("nist", "meteor", "bleu-nrc"):
            assert metric.score(best) == pytest.approx(1)


def test_metrics_found_together_share_their_tokens():
    wer, per = find_metrics(["wer", "per"], "cs")

    assert isinstance(wer, Wer)
    assert isinstance(per, Per)
    assert wer.tokenizer is per.tokenizer


def test_languages_without_spaces_are_compared_by_characters():
    (wer,) = find_metrics(["wer"], "zh-TW")

    assert wer.statistics(["你好"], References.of_texts([["你们好"]])).tolist() == [[1, 3]]


@pytest.mark.parametrize(
    ("languages", "of_bleu", "of_ter"),
    [
        (("zh", "cmn", "chi", "zho", "zh-TW", "zh_Hans", "yue"), "tok:zh", "tok:tercom"),
        (("ja", "jpn"), "tok:char", "tok:tercom"),
        (("th", "tha", "lo", "km", "my", "mya", "bur"), "tok:char", "tok:char"),
        (("ko", "kor"), "tok:13a", "tok:moses-ko"),
        (("cs", "ces", "cs-CZ"), "tok:13a", "tok:moses-cs"),
    ],
)
def test_a_signature_names_the_tokeniser_of_the_language(languages, of_bleu, of_ter, monkeypatch):
    monkeypatch.setattr(tokens, "find_spec", lambda package: None)
    for language in languages:
        bleu, ter, chrf = find_metrics(["bleu", "ter", "chrf"], language)

        assert written_tokenizer(bleu.signature) == of_bleu
        assert written_tokenizer(ter.signature) == of_ter
        assert written_tokenizer(chrf.signature) == ""


@pytest.mark.shared
@pytest.mark.parametrize(
    ("pair", "of_bleu", "bleu", "ter"),
    [
        ("en-zh", "zh", (35.9, 35.1, 33.4, 32.0), (54.8, 54.9, 57.3, 57.7)),
        ("en-ja", "char", (46.8, 45.4, 40.8, 42.1), (55.5, 57.7, 60.9, 59.9)),
    ],
)
def test_bleu_and_ter_without_spaces_equal_those_of_sacrebleu(
    pair, of_bleu, bleu, ter, shared, monkeypatch
):
    monkeypatch.setattr(tokens, "find_spec", lambda package: None)
    folder = shared / "data" / "wmt21" / pair
    reference = list(read_lines(folder / "reference.txt"))
    outputs = [list(read_lines(path)) for path in sorted((folder / "systems").iterdir())]
    by_bleu, by_ter = find_metrics(["bleu", "ter"], pair[3:])

    def percent(metric, lines):
        texts = References.of_texts([reference[: len(lines)]])
        return 100 * float(metric.score(metric.statistics(lines, texts).sum(axis=0)))

    assert [round(percent(by_bleu, lines), 1) for lines in outputs] == list(bleu)
    assert [round(100 - percent(by_ter, lines[:200]), 1) for lines in outputs] == list(ter)
    lines = outputs[0]
    expected = BLEU(tokenize=of_bleu).corpus_score(lines, [reference]).score
    assert percent(by_bleu, lines) == pytest.approx(expected)
    of_sacrebleu = TER(normalized=True, asian_support=True)
    expected = of_sacrebleu.corpus_score(lines[:40], [reference[:40]]).score
    # sacrebleu's narrow beam finds more edits in a few long sentences.
    assert 100 - percent(by_ter, lines[:40]) == pytest.approx(expected, abs=0.3)


def read_wmt14(shared):
    """Return the outputs by system, and the reference."""
    folder = shared / "data" / "wmt14-en-cs"
    outputs = {name: list(read_lines(folder / "systems" / f"{name}.txt")) for name in TRUE_SKILL}
    return outputs, list(read_lines(folder / "reference.txt"))


@pytest.mark.shared
def test_correlations_of_wmt14_english_czech(shared):
    outputs, reference = read_wmt14(shared)

    for metric in find_metrics(CORRELATIONS, "cs"):
        scores = [
            metric.score(metric.statistics(lines, References.of_texts([reference])).sum(axis=0))
            for lines in outputs.values()
        ]
        r = np.corrcoef(scores, list(TRUE_SKILL.values()))[0, 1]
        published, tolerance, exact = CORRELATIONS[metric.name]
        assert r == pytest.approx(published, abs=tolerance), metric.name
        assert r == pytest.approx(exact, abs=5.1e-5), metric.name


@pytest.mark.shared
def test_ter_equals_sacrebleu_on_real_sentences(shared):
    outputs, reference = read_wmt14(shared)
    lines, reference = outputs["cu-bojar"][:500], reference[:500]

    statistics = Ter("ter", Tokenizer("none", lower=True)).statistics(
        lines, References.of_texts([reference])
    )

    ter = TER()
    assert statistics[:, 0].tolist() == [
        ter.sentence_score(*pair).num_edits
        for pair in zip(lines, ([line] for line in reference), strict=True)
    ]
