"""Words of texts as metrics count them: by sacrebleu's tokenisers, or by Moses's of 2014.

Each text is tokenised once for all metrics that share a tokeniser.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from typing import Any, Final

from annotation.formats.languages import primary_language
from evaluation.metrics.references import Lines

Words = tuple[str, ...]

MOSES: Final = "moses"
# The Moses tokeniser of 2014 separated the Devanagari virama and nukta from their letters.
_VIRAMA: Final = re.compile("([\u094d\u093c])")


@dataclass(frozen=True)
class Tokenizer:
    """A tokeniser and the texts that it has split.

    `name` is MOSES or one of sacrebleu's ("13a", "intl", "zh", "char", "none"), `language` the
    code of the texts' language, which only Moses needs; `lower` ignores case. The texts are kept as
    long as the tokeniser is.
    """

    name: str
    language: str = ""
    lower: bool = False
    known: dict[str, Words] = field(default_factory=dict, repr=False, compare=False)

    @property
    def signature(self) -> str:
        """Case and tokeniser in the manner of sacrebleu: "case:lc|tok:13a"."""
        name = self.name
        if name == MOSES:
            name += (
                f"-{primary_language(self.language)}+quotes+virama-"
                f"sacremoses-{version('sacremoses')}"
            )
        return f"case:{'lc' if self.lower else 'mixed'}|tok:{name}"

    def words(self, lines: Lines) -> list[Words]:
        """Return the words of each line; none of a blank one."""
        missing = [line for line in lines if line not in self.known]
        if missing:
            split = self._splitter()
            # Words occur many times: one copy of each is enough.
            interned: dict[str, str] = {}
            for line in missing:
                self.known[line] = tuple([interned.setdefault(w, w) for w in split(line).split()])
        return [self.known[line] for line in lines]

    def _splitter(self) -> Callable[[str], str]:
        if self.name == MOSES:
            moses = _moses(primary_language(self.language))
            return lambda line: _moses_words(moses, line, lower=self.lower)
        split = _sacrebleu(self.name)
        return lambda line: split((line.lower() if self.lower else line).rstrip())


def _moses_words(moses: Any, line: str, *, lower: bool) -> str:
    """Return the words, separated by spaces, with plain quotation marks and apostrophes.

    The metrics of WMT14 are reproduced by this recipe only. Source: the Moses tokeniser of 2014
    turned `` and '' into ", and split Hindi words at U+094D and U+093C.
    """
    text = " ".join(moses.tokenize(line, escape=False))
    text = (text.lower() if lower else text).replace("`", "'")
    text = text.replace("''", '"').replace("' '", '"')
    return _VIRAMA.sub(r" \1 ", text)


@cache
def _moses(language: str) -> Any:
    # Languages without a list of abbreviations are split with the English one. Imported here
    # because it takes a quarter of a second.
    from sacremoses import MosesTokenizer

    return MosesTokenizer(lang=language)


@cache
def _sacrebleu(name: str) -> Callable[[str], str]:
    from sacrebleu.metrics.bleu import BLEU

    split: Callable[[str], str] = BLEU(tokenize=name).tokenizer
    return split
