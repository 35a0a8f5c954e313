"""The language of a text, as a model of py3langid finds it."""

from functools import cache
from typing import Any


def language_probabilities(text: str) -> dict[str, float]:
    """Return the probability of each language by its code; "zxx" is no language.

    The first call loads a model of five megabytes, which takes most of a second.
    """
    return {code: float(probability) for code, probability in _identifier().rank(text)}


@cache
def _identifier() -> Any:
    # Imported here: it costs time and memory, and most processes never need it.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
