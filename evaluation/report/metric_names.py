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


# Scores of systems by people, in captions.
METHOD_NAMES: Final = {
    "ratio_of_wins": "ratio of wins, ties ignored",
    "ratio_with_ties": "ratio of wins, ties counted as wins",
    "expected_wins": "expected wins",
    "bradley_terry": "Bradley–Terry with ties of different texts",
    "mean_grade": "mean grade",
    "mean_score": "mean score",
    "mean_z": "mean score, standardised by annotator",
    "minus_hter": "-HTER",
}
