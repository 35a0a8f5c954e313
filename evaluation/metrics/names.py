"""How the literature writes the names of metrics, and of the tokenisers in their signatures."""

import re
from typing import Final

WRITTEN: Final = {
    "bleu": "BLEU",
    "bleu-13a-lower": "BLEU (13a, lower case)",
    "bleu-intl-lower": "BLEU (intl, lower case)",
    "bleu-moses-lower": "BLEU (Moses, lower case)",
    "sentbleu": "sentBLEU",
    "bleu-nrc": "BLEU-NRC",
    "nist": "NIST",
    "chrf": "chrF",
    "chrf++": "chrF++",
    "wer": "WER",
    "per": "PER",
    "cder": "CDER",
    "ter": "TER",
    "meteor": "METEOR",
    "soft-precision": "soft precision",
    "soft-recall": "soft recall",
    "soft-f": "soft F",
}
# Without the details that Moses' has after it.
_TOKENIZER: Final = re.compile(r"(?:^|\|)(tok:[^|+]+)")


def written_name(metric: str) -> str:
    """Return how people write the name of a metric, or the name itself."""
    return WRITTEN.get(metric, metric)


def written_tokenizer(signature: str) -> str:
    """Return the tokeniser of a signature, such as "tok:zh", "" if it has none: chrF, a model."""
    found = _TOKENIZER.search(signature)
    return found[1] if found else ""
