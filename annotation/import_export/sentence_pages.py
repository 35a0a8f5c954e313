"""Sentences with their segments and candidates, a page at a time, for imports and exports."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

from django.db.models.functions import Coalesce

from annotation.formats.tokens import GAP, TokenizedText
from annotation.models import Candidate, Project, Segment, Sentence

# Sentences or records held at once: memory stays the same for a project of any size.
SENTENCES_PER_PAGE = 200
FIELDS = ("pk", "number", "text", "tokens", "document", "source_line", "item_id")


@dataclass(frozen=True, slots=True)
class LoadedSegment:
    """`candidates` are texts by id; `words` are the slice of the source, `indices` as stored.

    `source` is the text of its row; of a document it is that of the head of the sheet.
    """

    id: int
    indices: str
    words: str
    source: str
    candidates: dict[int, str] = field(default_factory=dict)

    @property
    def is_document(self) -> bool:
        """Whether it is the document of a sheet, which has no tokens."""
        return not self.indices

    @property
    def of_document(self) -> bool:
        """Whether it is the whole document of a sheet."""
        return not self.indices

    @property
    def spellings(self) -> set[str]:
        """The words as they may stand in a file: the thesis' have no mark of a gap."""
        return {self.words, self.words.replace(GAP, " ")}


@dataclass(frozen=True, slots=True)
class LoadedSentence:
    """`source_line` is the line's number if this is a further translation of a line.

    `item_id` is what the file of another program calls the line, else "".
    """

    id: int
    number: int
    text: str
    tokens: str
    document: str
    source_line: int | None
    item_id: str = ""
    segments: list[LoadedSegment] = field(default_factory=list)

    @property
    def source_number(self) -> int:
        """The line of the source."""
        return self.source_line or self.number


def sentence_pages(
    project: Project, purpose: Sentence.Purpose = Sentence.Purpose.JUDGE
) -> Iterator[list[LoadedSentence]]:
    """Yield the sentences of this purpose by number, with their segments and candidates by id.

    What is excluded is left out. Three queries a page.
    """
    last = 0
    while rows := list(
        Sentence.objects.filter(project=project, purpose=purpose, excluded=False, number__gt=last)
        .order_by("number")
        .values_list(*FIELDS)[:SENTENCES_PER_PAGE]
    ):
        last = rows[-1][1]
        yield _with_segments(rows, with_excluded=False)


def pages_of_lines(project: Project) -> Iterator[list[LoadedSentence]]:
    """Yield the sentences to judge by the line of the source, all of a line on one page.

    What is excluded is left out. Three queries a page, and one.
    """
    of_line = Coalesce("source_line", "number")
    rows = Sentence.objects.filter(
        project=project, purpose=Sentence.Purpose.JUDGE, excluded=False
    ).order_by(of_line, "number")
    numbers: list[int] = []
    for _line, of_one in groupby(rows.values_list(of_line, "number"), key=itemgetter(0)):
        numbers += [number for _same, number in of_one]
        if len(numbers) >= SENTENCES_PER_PAGE:
            yield list(load_sentences(project, numbers).values())
            numbers = []
    yield list(load_sentences(project, numbers).values())


def load_sentences(
    project: Project,
    numbers: Collection[int],
    purpose: Sentence.Purpose = Sentence.Purpose.JUDGE,
) -> dict[int, LoadedSentence]:
    """Return by number those of the sentences that exist. Three queries; ask for a page at most."""
    rows = Sentence.objects.filter(project=project, purpose=purpose, number__in=numbers)
    loaded = _with_segments(list(rows.order_by("number").values_list(*FIELDS)))
    return {sentence.number: sentence for sentence in loaded}


def load_sheets(
    project: Project, numbers: Collection[int], purpose: Sentence.Purpose
) -> dict[int, LoadedSentence]:
    """Return the heads of sheets with these numbers, each with the segments of all its rows."""
    heads = Sentence.objects.filter(project=project, purpose=purpose, number__in=numbers)
    found = {row[0]: LoadedSentence(*row) for row in heads.order_by("number").values_list(*FIELDS)}
    further = Sentence.objects.filter(sheet__in=list(found)).order_by("number")
    head_of = dict(further.values_list("pk", "sheet"))
    rows = Sentence.objects.filter(pk__in=[*found, *head_of]).order_by("number")
    for row in _with_segments(list(rows.values_list(*FIELDS))):
        found[head_of.get(row.id, row.id)].segments.extend(row.segments)
    return {sentence.number: sentence for sentence in found.values()}


def _with_segments(
    rows: list[tuple[int, int, str, str, str, int | None, str]], *, with_excluded: bool = True
) -> list[LoadedSentence]:
    sentences = {row[0]: LoadedSentence(*row) for row in rows}
    sources = {
        pk: TokenizedText.stored(sentence.text, sentence.tokens)
        for pk, sentence in sentences.items()
    }
    of_sentences = Segment.objects.filter(sentence__in=sentences)
    candidates = Candidate.objects.filter(segment__sentence__in=sentences)
    if not with_excluded:
        of_sentences = of_sentences.filter(excluded=False)
        candidates = candidates.filter(excluded=False, segment__excluded=False)
    segments: dict[int, LoadedSegment] = {}
    for pk, sentence_id, indices in of_sentences.order_by("pk").values_list(
        "pk", "sentence_id", "token_indices"
    ):
        words = sources[sentence_id].slice(map(int, indices.split()))
        segments[pk] = LoadedSegment(pk, indices, words, sentences[sentence_id].text)
        sentences[sentence_id].segments.append(segments[pk])
    for pk, segment_id, text in candidates.order_by("pk").values_list("pk", "segment_id", "text"):
        segments[segment_id].candidates[pk] = text
    return list(sentences.values())
