"""Scores and marked errors as other programs write them: CSV of Appraise and JSON of Pearmut.

Both number characters as JavaScript does, with the last character of a span as its end. An omission
is "missing" in Appraise, and the character behind the text in Pearmut.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from annotation.formats.answer_times import Timed
from annotation.formats.marked_errors import MISSING as MISSING_TOKEN
from annotation.formats.pearmut_categories import category_of
from annotation.formats.shared_task_files import TRANSLATION
from annotation.formats.span_notation import MISSING, SOURCE, WHOLE, Span, code_units


@dataclass(frozen=True, slots=True)
class ScoredText:
    """A translation of some systems, its score from 0 to 100 and the errors marked in it.

    `type` is what Appraise calls what is judged. The score is None where annotators give none.
    `sliders` are the scores on several scales, by their names: Pearmut has them instead of it.
    """

    systems: Sequence[str]
    text: str
    score: int | None
    spans: Sequence[Span]
    type: str = TRANSLATION
    sliders: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScoredSentence(Timed):
    """What an annotator answered about the translations of a sentence; `number` from 1."""

    annotator: str
    number: int
    document: str
    source: str
    submitted: datetime
    seconds: float | None
    translations: Sequence[ScoredText]
    # The score is one of the document as a whole.
    is_document: bool = False
    # Judgements of one assignment are answers about one document.
    assignment: int = 0
    # What the file of another program calls the sentence.
    item_id: str = ""


def appraise_rows(
    sentence: ScoredSentence, source_language: str, target_language: str
) -> Iterable[tuple[object, ...]]:
    """Yield a row for each system, in the columns of ESA: no heading, as Appraise writes it."""
    for one in sentence.translations:
        units = code_units(one.text)
        spans = [_appraise_span(span, units) for span in one.spans]
        for system in one.systems:
            yield (
                sentence.annotator,
                system,
                sentence.number,
                one.type,
                source_language,
                target_language,
                one.score,
                sentence.document,
                sentence.is_document,
                json.dumps(spans),
                f"{sentence.started:.3f}",
                f"{sentence.ended:.3f}",
            )


def pearmut_line(
    items: Sequence[ScoredSentence], document: int, tokens: Sequence[str] = (MISSING_TOKEN,)
) -> str:
    """Return the line of a file of annotations, of what was submitted together.

    `document` is its number for this annotator, `tokens` are the special ones of the campaign.
    """
    first, last = items[0], items[-1]
    spent = sum(one.seconds or 0.0 for one in items)
    entry = {
        "user_id": first.annotator,
        "item_i": document,
        "item": [
            {
                "item_id": one.item_id or str(one.number),
                "src": one.source,
                "tgt": {system: text.text for text in one.translations for system in text.systems},
            }
            for one in items
        ],
        "annotation": [
            {
                system: {
                    **(
                        {"score": None, "sliders": text.sliders}
                        if text.sliders
                        else {"score": text.score}
                    ),
                    "error_spans": [
                        _pearmut_span(span, code_units(text.text), tokens) for span in text.spans
                    ],
                }
                for text in one.translations
                for system in text.systems
            }
            for one in items
        ],
        "actions": [
            {"time": round(last.ended - spent, 3), "action": "load"},
            {"time": round(last.ended, 3), "action": "submit"},
        ],
    }
    return json.dumps(entry, ensure_ascii=False) + "\n"


def _appraise_span(span: Span, units: Sequence[int]) -> dict[str, object]:
    start, end = _places(span, units) or (MISSING, MISSING)
    return {"start_i": start, "end_i": end, "severity": span.severity, "error_type": None}


def _pearmut_span(span: Span, units: Sequence[int], tokens: Sequence[str]) -> dict[str, object]:
    # Tokens such as "[missing]" have the numbers after the text; what is marked in the source is
    # nowhere in the translation.
    is_whole = span.side == WHOLE and span.category in tokens
    token = units[-1] + (tokens.index(span.category) if is_whole else 0)
    start, end = (None if span.side == SOURCE else _places(span, units)) or (token, token)
    category = None if is_whole or not span.category else category_of(span.category)
    return {"start_i": start, "end_i": end, "severity": span.severity, "category": category}


def _places(span: Span, units: Sequence[int]) -> tuple[int, int] | None:
    if span.start is None or span.end is None:
        return None
    return units[span.start], units[span.end] - 1
