"""The parts of the judging form that appear most often on a page."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape
from itertools import zip_longest
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.formats import localize
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from annotation.common.languages import language_name
from annotation.common.markdown import as_html
from annotation.judging.aligned_words import Words
from annotation.judging.document_texts import OwnedPieces
from annotation.judging.rank_fields import CardFields, SegmentFields
from annotation.judging.sheet import Pieces, opens_whole_translations
from annotation.kinds import DEFAULT, Kind, kind_of
from annotation.kinds.scales import step_numbers
from annotation.kinds.unit_words import Number
from annotation.kinds.units import Unit
from annotation.models import Project
from annotation.templatetags.languages import CHARACTER, text_attributes

register = template.Library()
register.filter("markdown", as_html)
register.filter("opens_whole_translations", opens_whole_translations)
# Words of the source that are shown on each side of a segment.
SURROUNDINGS = 5
# Characters of a text without spaces, instead of words.
SURROUNDING_CHARACTERS = 40
# Labels of steps with so few characters stand side by side on a phone.
LONGEST_SHORT_LABEL = 3


@register.filter
def kind(project: object) -> Kind:
    """Return the kind of the project's judgements; the default one before there is a project."""
    return kind_of(project) if isinstance(project, Project) else DEFAULT


@register.filter
def sheets(kind: Kind, number: int) -> str:
    """Return how many sheets there are: "79 translations"."""
    counted: str = kind.unit.words.counted_sheets % {"number": Number(number)}
    return counted


@register.filter
def answer(rank: int, kind: Kind) -> object:
    """Return what a stored rank means: the label of a step, a score, or the rank itself."""
    return kind.answer.meaning(rank)


@register.filter
def marked(pieces: Iterable[tuple[str, bool]]) -> SafeString:
    """Return the source text with the pieces of the segment marked."""
    parts = [(escape(text), inside) for text, inside in pieces]
    return SafeString("".join(f"<mark>{text}</mark>" if inside else text for text, inside in parts))


@register.filter
def excerpt(pieces: Pieces) -> Pieces:
    """Return the pieces with a few words before and after those that are marked, and dots."""
    marks = [place for place, (_text, inside) in enumerate(pieces) if inside]
    if not marks:
        return pieces
    before = "".join(text for text, _inside in pieces[: marks[0]])
    after = "".join(text for text, _inside in pieces[marks[-1] + 1 :])
    # Reversed by the characters that people see, so that no accent loses its letter.
    before_mark = _first_words(CHARACTER.findall(before)[::-1])
    after_mark = _first_words(CHARACTER.findall(after))
    return [
        ("".join(before_mark[::-1]), False),
        *pieces[marks[0] : marks[-1] + 1],
        ("".join(after_mark), False),
    ]


def _first_words(characters: list[str]) -> list[str]:
    """Return the first words of a text, and dots after them, or all of a short text."""
    words = end = 0
    for place, character in enumerate(characters):
        if character.isspace():
            continue
        words += end < place or not place
        limit = SURROUNDING_CHARACTERS * (1 if words < 2 else 3)
        if place >= limit or words > SURROUNDINGS:
            return [*characters[:end], "\u00a0", "…"]
        end = place + 1
    return characters


@register.filter
def linked(pieces: OwnedPieces) -> SafeString:
    """Return the text with marks that name the segments they belong to."""
    parts = (
        f'<mark data-segments="{owners}">{escape(text)}</mark>' if owners else escape(text)
        for text, owners in pieces
    )
    return SafeString("".join(parts))


@register.filter
def words(text: Words | None) -> SafeString:
    """Return the attributes of an element with this text, by which aligned words are marked.

    Of an element without them, no words are.
    """
    if text is None:
        return SafeString("")
    links = "" if text.links is None else f' data-links="{text.links}"'
    return SafeString(f' data-words="{text.places}"{links}')


@register.filter
def with_language(statement: object, language: str) -> str:
    """Return the statement of an assessment, which names the language of its translations."""
    return str(statement) % {"language": language_name(language)}


@register.simple_tag
def heading(unit: Unit, number: int, segments: Sequence[SegmentFields]) -> str:
    """Return the heading of the segment with this number, from 1, of a sheet."""
    return unit.heading_among(number, segments)


class _Fields(dict[str, str]):
    """What is put into a rendered template; fields that are not named are empty."""

    def __missing__(self, _name: str) -> str:
        return ""


@register.simple_tag
def candidates(cards: Iterable[CardFields], language: str, template_name: str) -> SafeString:
    """Return the candidates and their radio buttons; `language` is that of the candidates.

    The template is rendered once for each number of ranks. Filling in the result takes a tenth
    of the time.
    """
    attributes = text_attributes(language)
    filled = []
    for card in cards:
        has_whole = bool(card.whole) and not card.in_context
        template = _candidate(
            template_name, card.ranks, card.missing, has_whole, card.scale, get_language()
        )
        fields = _Fields(key=card.key, text=escape(card.text), attributes=attributes)
        # A preview has no words to mark.
        wholes = [(one, words(its)) for one, its in zip_longest(card.whole, card.whole_words)]
        if card.in_context:
            # Of several systems' translations, each may have other words around the candidate.
            shown = (f'<span class="in-context"{own}>{marked(one)}</span>' for one, own in wholes)
            fields["text"] = " ".join(shown)
        else:
            fields["words"] = words(card.words)
            fields["whole"] = "".join(f"<p{own}>{marked(one)}</p>" for one, own in wholes)
        fields[f"at_{card.placed}"] = " checked"
        filled.append(template.format_map(fields))
    return SafeString("".join(filled))


@lru_cache(maxsize=512)
def _candidate(
    template_name: str,
    ranks: int,
    missing: bool,
    has_whole: bool,
    scale: tuple[str, ...],
    _language: str | None,
) -> str:
    """Return the template in the reader's language, with {fields} to fill in."""
    context = {
        "ranks": range(1, ranks + 1),
        "missing": missing,
        "has_whole": has_whole,
        # A project's own labels may have braces.
        "scale": list(
            zip_longest(
                [label.replace("{", "{{").replace("}", "}}") for label in scale],
                step_numbers(scale),
            )
        ),
        "is_short": all(len(label) <= LONGEST_SHORT_LABEL for label in scale),
    }
    return render_to_string(template_name, context)


@register.simple_tag
def say(text: str, **values: Any) -> SafeString:
    """Return a text of a kind's unit or answer, with its values as `blocktranslate` writes them."""
    shown = {
        name: Number(value) if isinstance(value, int) else conditional_escape(localize(value))
        for name, value in values.items()
    }
    return SafeString(text % shown)
