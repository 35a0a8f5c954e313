"""Tutorials: short documents with marked errors and ranges of scores, each with its reason.

A file is one JSON object:

    {"languages": "en-cs", "documents": [{"name": "news", "paragraphs": [
      {"source": "…", "translations": [
        {"text": "…", "score": [60, 75], "why": {"en": "…", "cs": "…"}, "marks": [
          {"words": "…", "severity": "major", "category": "Accuracy/Mistranslation", "why": "…"}
    ]}]}]}]}

Each paragraph of a document has a translation by the same number of translators, in the same order.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct
from msgspec.json import Decoder

from annotation.formats import strict_json
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.languages import parse_language, parse_language_pair
from annotation.formats.sentence_limits import MOST_CHARACTERS
from annotation.formats.span_notation import (
    LONGEST_CATEGORY,
    LONGEST_SEVERITY,
    MISSING,
    SOURCE,
    TARGET,
    WHOLE,
    Span,
    in_order_of,
)

# Bytes of a file: more is no tutorial.
LARGEST_FILE: Final = 1_000_000
MOST_TRANSLATIONS: Final = 5
LONGEST_REASON: Final = 1000
# The language of a reason that names none.
ANY_LANGUAGE: Final = ""

Text = Annotated[str, Meta(min_length=1, max_length=MOST_CHARACTERS, pattern=r"^\S([^\r\n]*\S)?\Z")]
# One text for all readers, or one for each of several languages. It is checked below: a limit on
# one side of a union makes msgspec 0.22 crash when Python exits.
Why = str | dict[str, str]
Score = Annotated[int, Meta(ge=0, le=100)]


class _Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a tutorial."""


class Mark(_Part, frozen=True):
    """An error that should be found: `words` are marked, unless it is missing or all is wrong.

    `nth` says which of several equal places is meant, from 1; 0 is the only one. Without a
    typology, the category is ignored, and what is marked in the source is missing.
    """

    severity: Annotated[str, Meta(min_length=1, max_length=LONGEST_SEVERITY)]
    why: Why
    words: str = ""
    side: Literal["target", "source", "missing", "whole"] = "target"
    nth: Annotated[int, Meta(ge=0)] = 0
    category: Annotated[str, Meta(max_length=LONGEST_CATEGORY)] = ""


class TutorialTranslation(_Part, frozen=True):
    """A translation with the lowest and the highest score that are right."""

    text: Text
    score: tuple[Score, Score]
    why: Why
    marks: list[Mark] = []


class TutorialParagraph(_Part, frozen=True):
    source: Text
    translations: Annotated[
        list[TutorialTranslation], Meta(min_length=1, max_length=MOST_TRANSLATIONS)
    ]


class TutorialDocument(_Part, frozen=True):
    """A document, whose name only those who write the file see."""

    name: str
    paragraphs: Annotated[list[TutorialParagraph], Meta(min_length=1, max_length=20)]


class Tutorial(_Part, frozen=True):
    languages: str
    documents: Annotated[list[TutorialDocument], Meta(min_length=1, max_length=20)]


_tutorial: Final = Decoder(Tutorial)


def read_tutorial(content: bytes, where: str) -> Tutorial:
    """Return a tutorial that has been checked. Raise InputError, with the place after `where`."""
    if len(content) > LARGEST_FILE:
        raise InputError(
            _("this file has more than %(most)d bytes: a tutorial is a few short documents."),
            where,
            most=LARGEST_FILE,
        )
    tutorial = strict_json.decode(content, _tutorial, where)
    try:
        parse_language_pair(tutorial.languages)
    except InputError as problem:
        raise problem.at(where) from None
    for document in tutorial.documents:
        place = f"{where}, document “{document.name}”"
        if len({len(one.translations) for one in document.paragraphs}) > 1:
            raise InputError(
                _("give each paragraph the same number of translations, in the same order."), place
            )
        for number, paragraph in enumerate(document.paragraphs, start=1):
            _check_paragraph(paragraph, f"{place}, paragraph {number}")
    return tutorial


def spans_of(translation: TutorialTranslation, source: str) -> list[tuple[Span, Mark]]:
    """Return the expected errors in their order, each with the mark that gives its reason.

    Raises InputError for words that are not in the text.
    """
    found = [(_span(mark, translation.text, source), mark) for mark in translation.marks]
    return sorted(found, key=lambda each: in_order_of(each[0]))


def by_language(why: Why) -> dict[str, str]:
    """Return the texts of a reason by language; ANY_LANGUAGE for one that names none."""
    return {ANY_LANGUAGE: why} if isinstance(why, str) else dict(why)


def _check_paragraph(paragraph: TutorialParagraph, place: str) -> None:
    texts = [one.text for one in paragraph.translations]
    if len(set(texts)) < len(texts):
        raise InputError(_("two translations are equal: change one of them."), place)
    for number, one in enumerate(paragraph.translations, start=1):
        where = f"{place}, translation {number}"
        lowest, highest = one.score
        if lowest > highest:
            raise InputError(_("write the lowest score first: [60, 75]."), where)
        for why in (one.why, *(mark.why for mark in one.marks)):
            _check_reason(by_language(why), where)
        try:
            spans = [span for span, _mark in spans_of(one, paragraph.source)]
        except InputError as problem:
            raise problem.at(where) from None
        _check_apart(spans, where)


def _check_reason(texts: Mapping[str, str], where: str) -> None:
    if not texts:
        raise InputError(_("a reason has no text."), where)
    for code, text in texts.items():
        if not text.strip() or len(text) > LONGEST_REASON:
            raise InputError(
                _("a reason has 1 to %(most)d characters: “%(text)s”."),
                where,
                most=LONGEST_REASON,
                text=text[:40],
            )
        if code == ANY_LANGUAGE:
            continue
        try:
            parse_language(code)
        except InputError as problem:
            raise problem.at(where) from None


def _check_apart(spans: list[Span], where: str) -> None:
    """Raise InputError for errors that annotators of some kinds could not mark so."""
    placed: Iterator[Span] = (span for span in spans if span.side in (TARGET, WHOLE))
    end = 0
    for span in placed:
        if span.side == WHOLE and len(spans) > 1:
            raise InputError(_("where all is wrong, give no other mark."), where)
        if (span.start or 0) < end:
            raise InputError(_("two marks overlap: mark the words of one only."), where)
        end = span.end or 0
    if sum(span.side in (SOURCE, MISSING) for span in spans) > 1:
        raise InputError(
            _("give one mark for what is missing: annotators of some kinds can say it only once."),
            where,
        )


def _span(mark: Mark, text: str, source: str) -> Span:
    if mark.side in (MISSING, WHOLE):
        if mark.words:
            raise InputError(_("a mark with the side %(side)s has no words."), side=mark.side)
        return Span(None, None, mark.severity, mark.side, mark.category)
    within = source if mark.side == SOURCE else text
    places = _places(within, mark.words)
    if len(places) < max(mark.nth, 1):
        raise InputError(
            _("“%(words)s” is not in the text so often: copy the words from it."),
            words=mark.words[:40],
        )
    if len(places) > 1 and not mark.nth:
        raise InputError(
            _("“%(words)s” is in the text several times: say by `nth` which one is meant, from 1."),
            words=mark.words[:40],
        )
    start = places[max(mark.nth, 1) - 1]
    return Span(start, start + len(mark.words), mark.severity, mark.side, mark.category)


def _places(text: str, words: str) -> list[int]:
    """Return where the words begin in the text."""
    found = []
    start = text.find(words) if words else -1
    while start >= 0:
        found.append(start)
        start = text.find(words, start + 1)
    return found
