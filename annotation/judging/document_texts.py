"""The texts of a document that stand beside what is judged of it, the same for all annotators."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F, FilteredRelation, Q

from annotation.judging.aligned_words import (
    AlignedText,
    Words,
    source_words,
    stored_text,
    words_of,
)
from annotation.judging.columns import Produced
from annotation.kinds import kind_of
from annotation.models import Project, Sentence, Translation
from annotation.models.texts import rows_of_sheet
from annotation.projects.references import references_of

SHOWN = Project.ShownReferences

# A text in pieces, each with the numbers of the segments that it belongs to: "", "1" or "1 3".
OwnedPieces = list[tuple[str, str]]


@dataclass(frozen=True)
class ShownReference:
    """A reference of the sentence, with its number in the project.

    Its pieces are linked to the segments that they name.
    """

    number: int
    text: str
    pieces: OwnedPieces = field(default_factory=list)
    words: Words | None = None


@dataclass(frozen=True)
class Paragraph:
    """The texts of a row of a document, given by its id, which stand beside its segment.

    `line` is its number in the source. `segment_id` is None for a row without a segment. With
    marked aligned words it has the `words` of the source, and the `aligned` translations of it.
    """

    row: int
    line: int
    segment_id: int | None
    source: str
    references: Sequence[ShownReference] = ()
    words: Words | None = None
    aligned: Sequence[AlignedText] = ()
    # What systems of the sheet have for it, in no order; it is shown where nothing is asked.
    texts: Sequence[str] = ()
    is_excluded: bool = False


@dataclass(frozen=True)
class EarlierParagraph:
    """A paragraph before those of a sheet, to be read: `translations` are by the id of a system."""

    source: str
    translations: Mapping[int, str]


@dataclass(frozen=True)
class DocumentTexts:
    """What stands beside the answers, and what the systems of the sheet produced."""

    produced: Produced
    paragraphs: list[Paragraph]
    earlier: list[EarlierParagraph]

    def earlier_in(self, columns: Mapping[int, int]) -> list[EarlierParagraph]:
        """Return the earlier paragraphs with their translations in the order of the columns."""
        in_order = sorted(self.produced.systems, key=lambda system: columns.get(system, 0))
        return [
            EarlierParagraph(
                one.source,
                {pk: one.translations[pk] for pk in in_order if one.translations.get(pk)},
            )
            for one in self.earlier
        ]


def document_texts(
    head: Sentence, project: Project, produced: Produced, *, references: str, highlights: bool
) -> DocumentTexts:
    """Return the texts of the sheet that the sentence heads. Three queries, or up to six.

    `references` says which are shown: one of `Project.ShownReferences`.

    A copy for practice or control has those of its original.
    """
    own = FilteredRelation("segments", condition=Q(segments__of_document=False))
    found_rows = rows_of_sheet(head.pk).annotate(own=own, segment=F("own__pk"))
    rows: list[Any] = list(found_rows.annotate(left_out=F("own__excluded")).order_by("number"))
    originals = [row.copy_of_id or row.pk for row in rows]
    texts: dict[int, list[str]] = {}
    for segment, text in produced.of_text:
        texts.setdefault(segment, []).append(text)
    none, only_first = references == SHOWN.NONE, references == SHOWN.FIRST
    found = {} if none else references_of(originals)
    shown = kind_of(project).shown
    aligned = _aligned(project, originals) if highlights else {}
    paragraphs = [
        Paragraph(
            row=row.pk,
            line=row.source_number if row.purpose == Sentence.Purpose.JUDGE else 0,
            segment_id=row.segment,
            source=shown.seen(row.text),
            references=[
                ShownReference(
                    *(one.reference or 0, one.text),
                    words=words_of(one.text, aligned.get(original, ())),
                )
                for one in found.get(original, [])[: 1 if only_first else None]
            ],
            words=source_words(row.tokenized) if aligned.get(original) else None,
            aligned=aligned.get(original, ()),
            texts=() if row.left_out else texts.get(row.segment, ()),
            is_excluded=bool(row.left_out),
        )
        for row, original in zip(rows, originals, strict=True)
    ]
    first = head if head.copy_of_id is None else Sentence.objects.get(pk=head.copy_of_id)
    earlier = _earlier(first, project, produced.systems) if first.document else []
    return DocumentTexts(produced, paragraphs, earlier)


def _aligned(project: Project, rows: Collection[int]) -> dict[int, list[AlignedText]]:
    """Return the translations of the lines of these rows, by the ids of the rows. Two queries."""
    of_lines = Sentence.objects.filter(pk__in=rows).exclude(Sentence.OF_NO_LINE)
    lines = dict(of_lines.values_list("pk", Sentence.LINE))
    texts: dict[int, list[AlignedText]] = {}
    for line, *stored in Translation.objects.filter(
        sentence__project=project,
        sentence__purpose=Sentence.Purpose.JUDGE,
        sentence__number__in=set(lines.values()),
    ).values_list("sentence__number", "text", "tokens", "alignment"):
        texts.setdefault(line, []).append(stored_text(*stored))
    return {row: texts.get(line, []) for row, line in lines.items()}


def _earlier(head: Sentence, project: Project, systems: Collection[int]) -> list[EarlierParagraph]:
    """Return the paragraphs of the document before those of the sheet, in the order of the text."""
    shown = kind_of(project).shown
    lines = project.sentences.filter(
        purpose=Sentence.Purpose.JUDGE,
        source_line=None,
        document=head.document,
        number__lt=head.source_number,
    )
    own = FilteredRelation("translations", condition=Q(translations__system__in=systems))
    found: dict[int, tuple[str, dict[int, str]]] = {}
    for number, source, system, text in (
        lines.annotate(own=own)
        .order_by("number")
        .values_list("number", "text", "own__system", "own__text")
    ):
        _source, texts = found.setdefault(number, (source, {}))
        if system is not None:
            texts[system] = text
    return [EarlierParagraph(shown.seen(source), texts) for source, texts in found.values()]
