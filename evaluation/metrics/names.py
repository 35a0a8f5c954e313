"""How the literature writes the names of metrics."""

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


def written_name(metric: str) -> str:
    """Return how people write the name of a metric, or the name itself."""
    return WRITTEN.get(metric, metric)
