"""Languages of texts on pages."""

from django import template

from annotation.common import languages
from annotation.formats.tokens import split_tokens
from annotation.models import Sentence
from annotation.preparation.tokens import detokenize

register = template.Library()
register.filter("language_tag", languages.language_tag)
register.filter("language_name", languages.language_name)


@register.filter
def as_text(sentence: Sentence, language: str) -> str:
    """Return the sentence as people write it."""
    return detokenize(sentence.token_list, language)


@register.filter
def tokens_as_text(tokens: str, language: str) -> str:
    """Return stored tokens as people write them."""
    return detokenize(split_tokens(tokens), language)
