import pytest

from evaluation.metrics.names import written_tokenizer


@pytest.mark.parametrize(
    ("signature", "tokenizer"),
    [
        ("BLEU|nrefs:1|case:mixed|tok:zh|order:4", "tok:zh"),
        ("WER|nrefs:1|case:lc|tok:moses-cs+quotes+virama-sacremoses-0.2.0|1-rate", "tok:moses-cs"),
        # Of sacrebleu, in a file of scores.
        ("nrefs:1|case:mixed|tok:ja-mecab-0.996-IPA|smooth:exp", "tok:ja-mecab-0.996-IPA"),
        ("chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no", ""),
        ("a file", ""),
    ],
)
def test_the_tokeniser_of_a_signature(signature: str, tokenizer: str) -> None:
    assert written_tokenizer(signature) == tokenizer
