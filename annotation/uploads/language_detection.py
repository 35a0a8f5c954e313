"""Which language a text is in: a suggestion, made without asking anybody outside."""

from collections.abc import Iterable
from functools import cache
from itertools import islice
from typing import Any

# More do not make it surer.
_LINES, _CHARACTERS = 100, 6000
# Below, nothing is suggested.
_SURE = 0.7
_NO_LANGUAGE = "zxx"


def detect(lines: Iterable[str | None]) -> str:
    """Return the code of the language of a text, as "en", or "" where that is not clear.

    The first call loads a model of five megabytes, which takes most of a second.
    """
    text = " ".join(line for line in islice(lines, _LINES) if line)[:_CHARACTERS]
    if not any(character.isalpha() for character in text):
        return ""
    code, probability = _identifier().classify(text)
    return str(code) if probability >= _SURE and code != _NO_LANGUAGE else ""


@cache
def _identifier() -> Any:
    # Imported here: it costs time and memory, and most processes never need it.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
