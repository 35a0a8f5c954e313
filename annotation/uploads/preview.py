"""The preview: ten sentences of an upload as annotators will see them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import msgspec

from annotation.formats.file_roles import REFERENCE
from annotation.formats.sentence_limits import check_segments
from annotation.formats.tokens import TokenizedText
from annotation.judging.document_texts import ShownReference
from annotation.judging.judged_units import judged_unit
from annotation.judging.rank_fields import SegmentFields, judgement_fields
from annotation.judging.sheet import Card, Pieces, SegmentSheet, Sheet
from annotation.kinds import kind_of
from annotation.models import StoredPreview
from annotation.pipeline.unit_preparation import preparation_by
from annotation.preparation.linked_segments import LinkedSegments, Reference
from annotation.preparation.parsers import PhrasesParser
from annotation.preparation.phrase_chunker import Kind, phrase_tree
from annotation.preparation.projection import AlignedPair, ProjectionRule, merge
from annotation.preparation.segmenters import (
    LINKED,
    Cutter,
    ParsedSegments,
    WholeSentences,
    check_coverage,
)
from annotation.preparation.trees import Node, from_bracketed
from annotation.projects.expected_quality import Aligned, Expected, expected_quality
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

# The translations that each candidate, by its text, is part of, with its words marked.
Candidates = Mapping[str, list[Pieces]]


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
    expected: Expected | None = None

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
        cutter = _cutter(stored, given, sample, shortest, longest)
        sources = (sentence.source for sentence in sample.sentences)
        cut = [segments for _tree, segments in cutter.cut(sources)]
    for sentence, segments in zip(sample.sentences, cut, strict=True):
        check_segments(len(segments), sentence.number)
    shown = [
        _shown_sentence(given, sentence, segments, sample.projection)
        for sentence, segments in zip(sample.sentences, cut, strict=True)
    ]
    expected = _expected(given, sample) if given.cuts_segments else None
    return Preview(shown, sample.parser, sample.aligner, sample.aligned, answer.media, expected)


def _expected(given: UploadedTexts, sample: Sample) -> Expected | None:
    return expected_quality(
        Aligned(
            sample.projection,
            sample.aligner,
            sample.parser,
            given.target_language,
            pairs=sample.pairs,
            has_reference=bool(given.of(REFERENCE)),
            has_parallel=False,
        )
    )


def _cutter(
    stored: StoredPreview, given: UploadedTexts, sample: Sample, shortest: int, longest: int
) -> Cutter:
    coverage = options(stored.upload, given).coverage
    if sample.parser != LINKED:
        return ParsedSegments(_Trees(sample, shortest, longest), shortest, longest, coverage)
    check_coverage(coverage, LINKED)
    references = [
        [
            Reference(one.links, from_bracketed(one.tree)[0] if one.tree else None)
            for one in sentence.linked.values()
        ]
        for sentence in sample.sentences
    ]
    known = references if any(references) else None
    return LinkedSegments(given.source_language, shortest, longest, known)


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
    given: UploadedTexts,
    sentence: SampledSentence,
    segments: list[tuple[int, ...]],
    rule: ProjectionRule,
) -> ShownSentence:
    prepared = preparation_by(kind_of(given).unit)
    pairs = {
        name: AlignedPair(sentence.source.words, one.text, one.links)
        for name, one in sentence.systems.items()
    }
    cut: list[tuple[tuple[int, ...], Candidates]] = []
    for indices in segments:
        texts = {name: prepared.candidate(indices, pair, rule).text for name, pair in pairs.items()}
        wholes = {
            name: pair.target.highlight(rule.positions(indices, pair))
            for name, pair in pairs.items()
        }
        merged = merge(texts)
        cut.append((indices, {text: [wholes[name] for name in merged[text]] for text in merged}))
    return _sheet(
        given,
        number=sentence.number,
        source=sentence.source,
        references=sentence.references,
        segments=[(indices, candidates) for indices, candidates in cut if candidates],
    )


def _sheet(
    given: UploadedTexts,
    *,
    number: int,
    source: TokenizedText,
    references: list[ReferenceText],
    segments: list[tuple[tuple[int, ...], Candidates]],
) -> ShownSentence:
    """Return the sentence with these segments, which are (token indices, candidates)."""
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
                cards=_cards(given, f"{number}-{place}", candidates, draw),
                answer=kind.answer,
            )
            for place, (indices, candidates) in enumerate(segments, start=1)
        ],
    )
    return ShownSentence(number, sheet, judgement_fields(sheet, {}, complain=False))


def _cards(given: UploadedTexts, segment: str, candidates: Candidates, draw: Random) -> list[Card]:
    """Return the cards in a random order, as many as one sheet shows.

    Candidates that look alike share one.
    """
    kind = kind_of(given)
    cards: dict[str, tuple[str, list[Pieces]]] = {}
    for text, in_translations in candidates.items():
        _text, wholes = cards.setdefault(kind.answer.seen_as(text), (text, []))
        for pieces in in_translations if kind.shown.context else ():
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
            )
            for sentence in sentences
        ]
    )
