"""The metrics by name, for a target language."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.languages import primary_language
from evaluation.metrics.bleu import Bleu, BleuNrc, SentBleu
from evaluation.metrics.chrf import ChrF
from evaluation.metrics.edits import Cder, Per, Wer
from evaluation.metrics.meteor import OTHER_LANGUAGES, PARAMETERS, STEMMERS, Meteor
from evaluation.metrics.meteor_files import FunctionWords, Paraphrases, Synonyms
from evaluation.metrics.metric import Metric
from evaluation.metrics.nist import Nist
from evaluation.metrics.soft_matching import HashedNgrams, SoftMatcher, SoftMatching, Vectorizer
from evaluation.metrics.ter import Ter
from evaluation.metrics.tokens import CHINESE, MOSES, TERCOM, Tokenizer, special_tokenizer

# TER counts characters of these languages, as `sacrebleu --ter-normalized --ter-asian-support`.
_BY_TERCOM: Final = CHINESE | {"ja"}


@dataclass(frozen=True, eq=False)
class Resources:
    """What users can add to the metrics: METEOR's files, and a model instead of hashed n-grams."""

    function_words: FunctionWords | None = None
    synonyms: Synonyms | None = None
    paraphrases: Paraphrases | None = None
    model: Vectorizer | None = None


@dataclass(frozen=True, eq=False)
class _Shelf:
    """What metrics of one language share: each text is split once by each tokeniser."""

    language: str
    resources: Resources
    tokenizers: dict[tuple[str, bool], Tokenizer] = field(default_factory=dict)

    def tokenizer(self, name: str, *, lower: bool) -> Tokenizer:
        new = Tokenizer(name, self.language if name == MOSES else "", lower)
        return self.tokenizers.setdefault((name, lower), new)

    @property
    def default(self) -> Tokenizer:
        """sacrebleu's default for the language, with case."""
        return self.tokenizer(special_tokenizer(self.language) or "13a", lower=False)

    @property
    def words(self) -> Tokenizer:
        """The words of WMT14's metrics, without case."""
        return self.tokenizer(special_tokenizer(self.language) or MOSES, lower=True)

    @property
    def international(self) -> Tokenizer:
        """The words of WMT14's BLEU and NIST, without case."""
        return self.tokenizer(special_tokenizer(self.language) or "intl", lower=True)

    @property
    def words_of_ter(self) -> Tokenizer:
        if self.language in _BY_TERCOM:
            return self.tokenizer(TERCOM, lower=True)
        return self.words

    def meteor(self, name: str) -> Meteor:
        return Meteor(
            name,
            self.words,
            PARAMETERS.get(self.language, OTHER_LANGUAGES),
            STEMMERS.get(self.language, ""),
            self.resources.function_words,
            self.resources.synonyms,
            self.resources.paraphrases,
        )

    @cached_property
    def matcher(self) -> SoftMatcher:
        return SoftMatcher(self.resources.model or HashedNgrams(self.words))


_BUILDERS: Final[dict[str, Callable[[str, _Shelf], Metric]]] = {
    "bleu": lambda name, shelf: Bleu(name, shelf.default),
    "bleu-13a-lower": lambda name, shelf: Bleu(name, shelf.tokenizer("13a", lower=True)),
    "bleu-intl-lower": lambda name, shelf: Bleu(name, shelf.tokenizer("intl", lower=True)),
    "bleu-moses-lower": lambda name, shelf: Bleu(name, shelf.tokenizer(MOSES, lower=True)),
    "sentbleu": lambda name, shelf: SentBleu(name, shelf.words),
    "bleu-nrc": lambda name, shelf: BleuNrc(name, shelf.words),
    "nist": lambda name, shelf: Nist(name, shelf.international),
    "chrf": lambda name, shelf: ChrF(name),
    "chrf++": lambda name, shelf: ChrF(name, word_order=2),
    "wer": lambda name, shelf: Wer(name, shelf.words),
    "per": lambda name, shelf: Per(name, shelf.words),
    "cder": lambda name, shelf: Cder(name, shelf.words),
    "ter": lambda name, shelf: Ter(name, shelf.words_of_ter),
    "meteor": lambda name, shelf: shelf.meteor(name),
    "soft-precision": lambda name, shelf: SoftMatching(name, shelf.matcher, "precision"),
    "soft-recall": lambda name, shelf: SoftMatching(name, shelf.matcher, "recall"),
    "soft-f": lambda name, shelf: SoftMatching(name, shelf.matcher, "f"),
}
NAMES: Final = tuple(_BUILDERS)


def find_metrics(
    names: Collection[str], language: str, resources: Resources | None = None
) -> list[Metric]:
    """Return the metrics of these names for texts in a language, such as "cs" or "cs-CZ".

    Metrics returned together share their tokens, which are kept as long as one of them is. Raises
    InputError for an unknown name or language.
    """
    shelf = _Shelf(primary_language(language), resources or Resources())
    unknown = [name for name in names if name not in _BUILDERS]
    if unknown:
        raise InputError(
            _("There is no metric “%(name)s”: choose from %(known)s."),
            name=unknown[0],
            known=", ".join(NAMES),
        )
    return [_BUILDERS[name](name, shelf) for name in names]
