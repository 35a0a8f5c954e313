"""The preview: ten sentences of an upload as annotators will see them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import msgspec

from annotation.formats.sentence_limits import check_segments
from annotation.formats.tokens import TokenizedText
from annotation.judging.document_texts import ShownReference
from annotation.judging.judged_units import judged_unit
from annotation.judging.rank_fields import SegmentFields, judgement_fields
from annotation.judging.sheet import Card, Pieces, SegmentSheet, Sheet
from annotation.kinds import kind_of
from annotation.models import StoredPreview
from annotation.pipeline.unit_preparation import preparation_by
from annotation.preparation.parsers import PhrasesParser
from annotation.preparation.phrase_chunker import Kind, phrase_tree
from annotation.preparation.projection import linked, merge
from annotation.preparation.segmenters import ParsedSegments, WholeSentences
from annotation.preparation.trees import Node, from_bracketed
from annotation.uploads import storage
from annotation.uploads.create_project import options
from annotation.uploads.preview_sample import (
    Answer,
    MediaOfLine,
    ReadySentence,
    ReferenceText,
    Sample,
    SampledSentence,
)
from annotation.uploads.uploaded_texts import UploadedTexts

# The order of the cards stays the same when the lengths change.
SEED = 1

# The systems of each candidate by its text.
Candidates = Mapping[str, list[str]]
# A translation, and its links to the source.
Linked = tuple[TokenizedText, list[tuple[int, int]]]


@dataclass(frozen=True)
class ShownSentence:
    """A sentence of the preview, for the templates of the judging page."""

    number: int
    sheet: Sheet
    segments: list[SegmentFields]

    @property
    def prefix(self) -> str:
        """The prefix of the sentence's ids on the page."""
        return f"sentence-{self.number}-"


@dataclass(frozen=True)
class Preview:
    """`parser` made the trees ("" = none were needed).

    The `aligner` learned the links from `aligned` sentences (0 = they were uploaded).
    """

    sentences: list[ShownSentence]
    parser: str = ""
    aligner: str = ""
    aligned: int = 0
    media: Sequence[MediaOfLine] = ()

    @property
    def segments(self) -> int:
        return sum(len(sentence.segments) for sentence in self.sentences)

    @property
    def candidates(self) -> int:
        return sum(len(segment.cards) for one in self.sentences for segment in one.segments)


def preview(stored: StoredPreview, shortest: int, longest: int) -> Preview:
    """Return the preview with segments of these lengths, in a tenth of a second.

    `stored` is made and has no problems. Raises InputError if the options contradict each other, or
    a sentence has too many segments of these lengths.
    """
    answer = msgspec.convert(stored.data, Answer)
    given = storage.uploaded_texts(stored.upload).readable()
    if answer.sample is None:
        return _ready_made(given, answer.ready_made or [])
    sample = answer.sample
    if given.whole_sentences:
        sources = (sentence.source for sentence in sample.sentences)
        cut = [segments for _tree, segments in WholeSentences().cut(sources)]
    elif given.has_segments:
        cut = [[tuple(indices) for indices in sentence.segments] for sentence in sample.sentences]
    else:
        trees = _Trees(sample, shortest, longest)
        chosen = options(stored.upload, given)
        cutter = ParsedSegments(trees, shortest, longest, chosen.coverage)
        sources = (sentence.source for sentence in sample.sentences)
        cut = [segments for _tree, segments in cutter.cut(sources)]
    for sentence, segments in zip(sample.sentences, cut, strict=True):
        check_segments(len(segments), sentence.number)
    shown = [
        _shown_sentence(given, sentence, segments)
        for sentence, segments in zip(sample.sentences, cut, strict=True)
    ]
    return Preview(shown, sample.parser, sample.aligner, sample.aligned, answer.media)


class _Trees:
    """The trees of a sample as a parser; it parses only if trees depend on the lengths."""

    version = ""

    def __init__(self, sample: Sample, shortest: int, longest: int) -> None:
        self.name = sample.parser
        self._sample = sample
        self._lengths = shortest, longest

    def parse(self, sentences: Iterable[list[str]]) -> Iterator[Node]:
        if self.name != PhrasesParser.name:
            yield from (from_bracketed(one.tree)[0] for one in self._sample.sentences)
            return
        functions = {word: Kind(kind) for word, kind in self._sample.functions.items()}
        for tokens in sentences:
            yield phrase_tree(tokens, functions, *self._lengths)


def _shown_sentence(
    given: UploadedTexts, sentence: SampledSentence, segments: list[tuple[int, ...]]
) -> ShownSentence:
    prepared = preparation_by(kind_of(given).unit)
    cut = []
    for indices in segments:
        projected = {
            name: prepared.candidate(indices, links, target)
            for name, (target, links) in sentence.systems.items()
        }
        cut.append((indices, merge(projected)))
    return _sheet(
        given,
        number=sentence.number,
        source=sentence.source,
        references=sentence.references,
        segments=[(indices, candidates) for indices, candidates in cut if candidates],
        systems=sentence.systems,
    )


def _sheet(
    given: UploadedTexts,
    *,
    number: int,
    source: TokenizedText,
    references: list[ReferenceText],
    segments: list[tuple[tuple[int, ...], Candidates]],
    systems: Mapping[str, Linked],
) -> ShownSentence:
    """Return the sentence; `systems` are those with known translations."""
    kind = kind_of(given)
    draw = Random(f"{SEED} {number}")  # noqa: S311  # not a secret
    sheet = Sheet(
        assignment_id=0,
        token="",
        source=kind.shown.seen(source.text),
        references=[ShownReference(*one) for one in references] if kind.shown.reference else [],
        before="",
        after="",
        segments=[
            SegmentSheet(
                segment_id=place,
                pieces=source.highlight(indices),
                cards=_cards(given, f"{number}-{place}", indices, candidates, systems, draw),
                answer=kind.answer,
            )
            for place, (indices, candidates) in enumerate(segments, start=1)
        ],
    )
    return ShownSentence(number, sheet, judgement_fields(sheet, {}, complain=False))


def _cards(
    given: UploadedTexts,
    segment: str,
    indices: tuple[int, ...],
    candidates: Candidates,
    systems: Mapping[str, Linked],
    draw: Random,
) -> list[Card]:
    """Return the cards in a random order, as many as one sheet shows.

    Candidates that look alike share one.
    """
    kind = kind_of(given)
    cards: dict[str, tuple[str, list[Pieces]]] = {}
    for text, names in candidates.items():
        _text, wholes = cards.setdefault(kind.answer.seen_as(text), (text, []))
        for name in names if kind.shown.context else ():
            if name in systems:
                target, links = systems[name]
                pieces = target.highlight(linked(indices, links))
                if pieces not in wholes:
                    wholes.append(pieces)
    shown = list(cards.values())
    draw.shuffle(shown)
    most = judged_unit(kind.unit).most_in_preview
    return [
        Card(f"{segment}-{place}", text, wholes, in_context=bool(wholes))
        for place, (text, wholes) in enumerate(shown[:most], start=1)
    ]


def _ready_made(given: UploadedTexts, sentences: list[ReadySentence]) -> Preview:
    return Preview(
        [
            _sheet(
                given,
                number=sentence.number,
                source=sentence.source,
                references=sentence.references,
                segments=[
                    (tuple(indices), {text: [] for text in texts})
                    for indices, texts in sentence.segments
                ],
                systems={},
            )
            for sentence in sentences
        ]
    )
