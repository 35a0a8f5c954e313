"""What an annotator is shown of a sentence. Nothing in it tells the name of a system."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby, takewhile
from operator import itemgetter
from random import Random
from typing import Any, Final, NamedTuple
from uuid import uuid4

from django.core.cache import cache
from django.db.models import QuerySet, Subquery
from rapidfuzz.distance import Indel

from annotation.common.caching import project_key
from annotation.formats.tokens import GAP, TokenizedText
from annotation.judging.aids import has_highlights
from annotation.judging.aligned_words import (
    AlignedText,
    Words,
    source_words,
    stored_text,
    words_of,
)
from annotation.judging.columns import (
    Columns,
    Produced,
    SharedColumn,
    draw_columns,
    produced_by_systems,
    shared_columns,
    shown_columns,
)
from annotation.judging.document_texts import (
    DocumentTexts,
    EarlierParagraph,
    OwnedPieces,
    Paragraph,
    ShownReference,
    document_texts,
)
from annotation.judging.judged_units import JudgedUnit, judged_unit
from annotation.kinds import Kind, kind_of
from annotation.kinds.answers import Answer
from annotation.models import (
    Assignment,
    Candidate,
    Judgement,
    Placement,
    Project,
    Sentence,
    ShownCandidate,
    Translation,
)
from annotation.preparation.projection import AlignedPair, ProjectionRule
from annotation.projects.media import ShownMedium, shown_media
from annotation.projects.provenance import provenance_of

# The order of segments on a sheet, for what has a candidate: the document itself is the last one.
IN_ORDER: Final = (
    "candidate__segment__of_document",
    "candidate__segment__sentence__number",
    "candidate__segment_id",
)
# Texts and layouts never change, so this only limits how much memory is used.
CACHE_SECONDS: Final = 3600


# A text in pieces; True = in the segment or candidate.
Pieces = list[tuple[str, bool]]


@dataclass(frozen=True)
class Card:
    """Candidates that look alike; `key` is "<segment>-<position>", both from 1.

    Candidate ids never leave the server, because they are in the order of the systems. `whole` are
    the translations that the candidate is part of (True = in the candidate), if they are shown:
    `in_context` instead of the text. `words` are those of the text, and `whole_words` those of each
    whole translation, if the page marks aligned words.
    """

    key: str
    text: str
    whole: Sequence[Pieces] = ()
    in_context: bool = False
    words: Words | None = None
    whole_words: Sequence[Words | None] = ()


@dataclass(frozen=True)
class SegmentSheet:
    """One segment as shown: `pieces` of the source text (True = in the segment) and its cards.

    `answer` says how annotators judge them. In a document, the segment has the texts of its
    `paragraph`, and follows the `untranslated` ones, or it is the document itself.
    """

    segment_id: int
    pieces: Pieces
    cards: list[Card]
    answer: Answer
    paragraph: Paragraph | None = None
    untranslated: Sequence[Paragraph] = ()
    of_document: bool = False
    # Of systems side by side.
    shared: Sequence[SharedColumn] = ()
    # Beside the source of the paragraph.
    media: Sequence[ShownMedium] = ()

    @property
    def is_whole(self) -> bool:
        """Whether the segment is the whole sentence."""
        return all(inside for _text, inside in self.pieces)

    @property
    def ranks(self) -> range:
        return range(1, self.answer.ranks(len(self.cards)) + 1)


@dataclass(frozen=True)
class Sheet:
    """Everything on the screen for one assignment.

    `before` and `after` are the neighbouring sentences, "" where they are not shown; `media` are
    beside the source. A document follows the paragraphs `earlier`, which are there to be read, and
    ends with the `untranslated` ones.
    """

    assignment_id: int
    token: str
    source: str
    references: list[ShownReference]
    before: str
    after: str
    segments: list[SegmentSheet]
    source_pieces: OwnedPieces = field(default_factory=list)
    earlier: Sequence[EarlierParagraph] = ()
    untranslated: Sequence[Paragraph] = ()
    # The numbers of the columns, where systems stand side by side.
    columns: Sequence[int] = ()
    words: Words | None = None
    media: Sequence[ShownMedium] = ()


class CandidateText(NamedTuple):
    """A candidate before it has a position; `indices` are those of its segment."""

    segment_id: int
    candidate_id: int
    text: str
    indices: str
    is_duplicate: bool


class ShownText(NamedTuple):
    """A candidate on the screen; candidates that look alike share a position."""

    segment_id: int
    position: int
    candidate_id: int
    text: str
    indices: str


class Arrangement(NamedTuple):
    """The candidates of a sheet in their order; the columns where systems stand side by side."""

    shown: list[ShownText]
    columns: Columns | None = None


class CardCandidates(NamedTuple):
    """The candidates on one card, which look alike, and their segment."""

    segment_id: int
    candidate_ids: list[int]


Cards = Mapping[str, CardCandidates]


@dataclass(frozen=True)
class Layout:
    """What drafts and submissions must know of an assignment; none of it ever changes.

    `shown` is when it was assigned, to be shown at once; `kind` and `answer_options` are the
    project's. Its lease may be an hour out of date.
    """

    cards: Cards
    lease: timedelta
    shown: datetime | None
    kind: str
    answer_options: str
    assignment_kind: str

    @property
    def is_practice(self) -> bool:
        return self.assignment_kind == Assignment.Kind.PRACTICE


@dataclass(frozen=True)
class _Texts:
    """References with their numbers; `translations` are empty unless whole ones are shown.

    `aligned` are all translations, references included, if aligned words are marked. Links are
    missing where they are unknown.
    """

    references: list[tuple[int, AlignedText]]
    before: str
    after: str
    translations: list[AlignedText]
    aligned: list[AlignedText]


def sheet(assignment: Assignment) -> Sheet:
    """Return what to show for the assignment, with a fresh submission token."""
    arranged = assignment.just_shown or Arrangement(shown_texts(assignment))
    shown = arranged.shown
    # Drafts and the submission follow, and need only the layout.
    project = assignment.project
    lease = timedelta(minutes=project.lease_minutes)
    _cache_layout(
        assignment.pk,
        Layout(
            cards_from(shown),
            lease,
            assignment.shown,
            project.kind,
            project.answer_options,
            assignment_kind=assignment.kind,
        ),
    )
    return build_sheet(
        assignment.sentence,
        project,
        arranged,
        assignment_id=assignment.pk,
        highlights=has_highlights(assignment),
    )


def build_sheet(
    sentence: Sentence,
    project: Project,
    arranged: Arrangement,
    *,
    assignment_id: int = 0,
    highlights: bool = False,
) -> Sheet:
    """Return the sheet of the sentence with these candidates, by segment and position.

    With `highlights` its page marks aligned words.
    """
    kind = kind_of(project)
    if judged_unit(kind.unit).has_further_rows:
        return _document_sheet(sentence, project, arranged, assignment_id, highlights=highlights)
    source = sentence.tokenized
    texts = _texts(sentence, project, highlights=highlights)
    rule = provenance_of(project).projection
    parts: list[AlignedText] = []
    projected: list[tuple[TokenizedText, list[int]]] = []
    segments: list[SegmentSheet] = []
    cut: list[list[int]] = []
    for (segment_id, position), same_look in groupby(arranged.shown, key=itemgetter(0, 1)):
        alike = list(same_look)
        if not segments or segments[-1].segment_id != segment_id:
            cut.append([int(index) for index in alike[0].indices.split()])
            pieces = source.highlight(cut[-1])
            segments.append(SegmentSheet(segment_id, pieces, [], kind.answer))
            parts = _parts(cut[-1], source.words, texts.aligned, judged_unit(kind.unit), rule)
            projected = [
                (one.target, rule.positions(cut[-1], AlignedPair(source.words, *one)))
                for one in texts.translations
            ]
        key = f"{len(segments)}-{position}"
        whole = _whole(alike, projected, sentence)
        segments[-1].cards.append(
            Card(
                key,
                alike[0].text,
                whole,
                in_context=kind.shown.context and bool(whole),
                words=words_of(alike[0].text, parts),
                whole_words=[
                    words_of("".join(text for text, _inside in pieces), texts.aligned)
                    for pieces in whole
                ],
            )
        )
    cut = judged_unit(kind.unit).to_mark(cut)
    return Sheet(
        assignment_id=assignment_id,
        token=str(uuid4()),
        source=kind.shown.seen(source.text),
        references=[
            ShownReference(
                number,
                one.target.text,
                _owned(one.target, [rule.positions(indices, pair) for indices in cut]),
                words_of(one.target.text, texts.aligned),
            )
            for number, one in texts.references
            for pair in [AlignedPair(source.words, *one)]
        ],
        before=kind.shown.seen(texts.before),
        after=kind.shown.seen(texts.after),
        segments=segments,
        source_pieces=_owned(source, cut),
        words=source_words(source) if texts.aligned else None,
        media=shown_media(project, [sentence.pk]).get(sentence.pk, ()),
    )


def _document_sheet(
    head: Sentence,
    project: Project,
    arranged: Arrangement,
    assignment_id: int,
    *,
    highlights: bool,
) -> Sheet:
    """Return the sheet of a document: each segment stands beside its paragraph."""
    answer = kind_of(project).answer
    shown, columns = arranged
    # Just read where the columns were just drawn.
    produced = columns.produced if columns else None
    texts = _document_texts(head, project, produced, highlights=highlights)
    if columns is None and judged_unit(kind_of(project).unit).has_columns:
        positions = [one.position for one in shown]
        columns = shown_columns(texts.produced, assignment_id, positions)
    media = shown_media(project, [one.row for one in texts.paragraphs])
    segments: list[SegmentSheet] = []
    left = list(texts.paragraphs)
    for number, (segment_id, of_segment) in enumerate(groupby(shown, key=itemgetter(0)), start=1):
        untranslated = list(takewhile(lambda one: one.segment_id != segment_id, left))  # noqa: B023
        own, left = left[len(untranslated) :][:1], left[len(untranslated) + 1 :]
        aligned = own[0].aligned if own else ()
        texts_at = {one.position: one.text for one in of_segment}
        cards = [
            Card(f"{number}-{position}", text, words=words_of(text, aligned))
            for position, text in texts_at.items()
        ]
        # What has no paragraph comes after all of them.
        segments.append(
            SegmentSheet(
                *(segment_id, [], cards, answer, own[0] if own else None, untranslated),
                of_document=not own,
                shared=shared_columns(columns, segment_id, texts_at) if columns else (),
                media=media.get(own[0].row, ()) if own else (),
            )
        )
    return Sheet(
        assignment_id=assignment_id,
        token=str(uuid4()),
        source="",
        references=[],
        before="",
        after="",
        segments=segments,
        columns=range(1, columns.count + 1) if columns else (),
        earlier=texts.earlier_in(columns.of_system if columns else {}),
        untranslated=left,
    )


def _document_texts(
    head: Sentence, project: Project, produced: Produced | None, *, highlights: bool
) -> DocumentTexts:
    """Return the texts beside the cards, the same for all annotators. Cached."""
    shown, files = _shown_references(project), len(provenance_of(project).files)
    # Excluded texts are not shown any more.
    changed = project.counts_changed.timestamp() if project.counts_changed else 0
    version = f"{files}-{changed}-{shown}{highlights:d}"
    key = project_key(f"document-texts-{head.pk}-{version}", project)
    texts: DocumentTexts | None = cache.get(key)
    if texts is None:
        produced = produced or produced_by_systems(head)
        texts = document_texts(head, project, produced, references=shown, highlights=highlights)
        cache.set(key, texts, CACHE_SECONDS)
    return texts


def _parts(
    indices: list[int],
    source: Sequence[str],
    translations: Iterable[AlignedText],
    unit: JudgedUnit,
    rule: ProjectionRule,
) -> list[AlignedText]:
    """Return what a candidate of this segment has of each translation."""
    pairs = ((one, AlignedPair(source, *one)) for one in translations)
    return [
        one.part(unit.words_of_candidate(len(one.target), rule.positions(indices, pair)))
        for one, pair in pairs
    ]


def _owned(text: TokenizedText, cut: Iterable[Iterable[int]]) -> OwnedPieces:
    """Return the text with the numbers of the segments that have these positions."""
    owners: dict[int, str] = {}
    for number, positions in enumerate(cut, start=1):
        for position in positions:
            owners[position] = f"{owners.get(position, '')} {number}".lstrip()
    return [(piece, owner or "") for piece, owner in text.divide(owners)]


def _whole(
    alike: Iterable[ShownText],
    projected: list[tuple[TokenizedText, list[int]]],
    sentence: Sentence,
) -> list[Pieces]:
    """Return the different translations that the candidates are part of.

    `projected` are all translations, each with the positions of what it has for the segment.

    The degraded candidate of a control sentence is shown in one that differs only in it, since it
    must not look special.
    """
    found: list[Pieces] = []
    for candidate in alike:
        own = [
            target.highlight(positions)
            for target, positions in projected
            if target.slice(positions) == candidate.text
        ]
        if not own and sentence.purpose == Sentence.Purpose.CONTROL:
            own = _degraded(candidate.text, projected)
        found += [pieces for pieces in own if pieces not in found]
    return found


def _degraded(text: str, parts: list[tuple[TokenizedText, list[int]]]) -> list[Pieces]:
    """Return the translation whose candidate is most like the text, with the text in its place."""

    def likeness(part: tuple[TokenizedText, list[int]]) -> float:
        target, positions = part
        return Indel.normalized_similarity(target.slice(positions), text)

    parts = [part for part in parts if part[1]]
    if not parts:
        return []
    target, positions = max(parts, key=likeness)
    stretches = target.stretches(positions)
    changed = text.split(GAP)
    if len(changed) != len(stretches):
        # A gap was among the words that were replaced.
        changed = [text, *[""] * (len(stretches) - 1)]
    pieces: Pieces = []
    end = 0
    for (start, stop), part in zip(stretches, changed, strict=True):
        pieces += [(target.text[end:start], False), (part, True)]
        end = stop
    pieces.append((target.text[end:], False))
    return [[(piece, inside) for piece, inside in pieces if piece]]


def candidate_texts(candidates: QuerySet[Candidate]) -> list[CandidateText]:
    """Return what a page shows of the candidates, by segment and id. One query."""
    in_order = [name.removeprefix("candidate__") for name in IN_ORDER]
    rows = candidates.order_by(*in_order, "pk").values_list(
        "segment_id", "pk", "text", "segment__token_indices", "is_duplicate"
    )
    return [CandidateText(*row) for row in rows]


def comparable(candidates: list[CandidateText], answer: Answer) -> list[CandidateText]:
    """Leave out the candidates of segments that have too few for this answer."""
    sizes = Counter(one.segment_id for one in candidates)
    return [one for one in candidates if sizes[one.segment_id] >= answer.fewest_cards]


def shown_texts(assignment: Assignment) -> list[ShownText]:
    """Return what the assignment shows, by segment and position. One query."""
    rows = _in_order(assignment.pk).values_list(
        "candidate__segment_id",
        "position",
        "candidate_id",
        "candidate__text",
        "candidate__segment__token_indices",
    )
    return [ShownText(*row) for row in rows]


def layout_of(assignment_id: int) -> Layout | None:
    """Return the layout of the assignment, None if it shows nothing. Cached, else one query."""
    layout: Layout | None = cache.get(f"layout:{assignment_id}")
    if layout is None:
        rows = list(
            _in_order(assignment_id).values_list(
                "candidate__segment_id",
                "position",
                "candidate_id",
                "assignment__project__lease_minutes",
                "assignment__shown",
                "assignment__project__kind",
                "assignment__project__answer_options",
                "assignment__kind",
            )
        )
        if not rows:
            return None
        *_place, lease_minutes, opened, kind, labels, of_assignment = rows[0]
        lease = timedelta(minutes=lease_minutes)
        layout = Layout(cards_from(rows), lease, opened, kind, labels, of_assignment)
        _cache_layout(assignment_id, layout)
    return layout


def _in_order(assignment_id: int) -> QuerySet[ShownCandidate]:
    shown = ShownCandidate.objects.filter(assignment=assignment_id)
    return shown.order_by(*IN_ORDER, "position", "candidate_id")


def _cache_layout(assignment_id: int, layout: Layout) -> None:
    cache.set(f"layout:{assignment_id}", layout, CACHE_SECONDS)


def cards_of(assignment_id: int) -> Cards:
    """Return the cards of the assignment by their keys."""
    layout = layout_of(assignment_id)
    return layout.cards if layout else {}


def current_ranks(assignment: Assignment) -> dict[str, int | None]:
    """Return the rank of each card in the current submission; empty where there is none."""
    ranks = dict(
        Placement.objects.filter(
            judgement__submission__assignment=assignment, judgement__submission__current=True
        ).values_list("candidate_id", "rank")
    )
    return {
        key: ranks[card.candidate_ids[0]]
        for key, card in cards_of(assignment.pk).items()
        if card.candidate_ids[0] in ranks
    }


def current_details(assignment: Assignment) -> dict[str, str]:
    """Return the details of the current submission by card key. No query without details."""
    placements = Placement.objects.filter(
        judgement__submission__assignment=assignment, judgement__submission__current=True
    )
    of_placement = kind_of(assignment.project).answer.read_details(placements)
    if not of_placement:
        return {}
    by_candidate = {
        candidate: of_placement[pk]
        for pk, candidate in placements.values_list("pk", "candidate_id")
        if pk in of_placement
    }
    return {
        key: by_candidate[card.candidate_ids[0]]
        for key, card in cards_of(assignment.pk).items()
        if card.candidate_ids[0] in by_candidate
    }


def current_comments(assignment: Assignment) -> dict[str, str]:
    """Return the comments of the current submission by the number of the segment, from 1."""
    rows = Judgement.objects.filter(
        submission__assignment=assignment, submission__current=True
    ).values_list("segment", "comment")
    comments = dict(rows)
    segments = segment_sizes(cards_of(assignment.pk))
    return {str(number): comments.get(pk, "") for number, pk in enumerate(segments, start=1)}


def arrange(
    candidates: list[CandidateText], kind: Kind, head: Sentence, order: Random
) -> Arrangement:
    """Return the candidates of a sheet, which come by segment and id, at random positions."""
    if not judged_unit(kind.unit).has_columns:
        return Arrangement(_shuffle(candidates, kind.answer, order))
    texts = [(one.segment_id, one.text) for one in candidates]
    columns = draw_columns(head, texts, order)
    shown = [
        ShownText(
            one.segment_id,
            columns.position(one.segment_id, one.text),
            *(one.candidate_id, one.text, one.indices),
        )
        for one in candidates
    ]
    places = {segment: place for place, (segment, _text) in enumerate(texts)}
    shown.sort(key=lambda one: (places[one.segment_id], one.position))
    return Arrangement(shown, columns)


def _shuffle(candidates: Iterable[CandidateText], answer: Answer, order: Random) -> list[ShownText]:
    """Return the candidates of each segment at random positions of their own.

    Candidates that are `seen_as` the same in this answer share one. A duplicate for control has its
    own, because it is there to be compared with its original.
    """
    segments: dict[int, dict[tuple[str, bool], list[CandidateText]]] = {}
    for candidate in candidates:
        seen = answer.seen_as(candidate.text)
        of_segment = segments.setdefault(candidate.segment_id, {})
        of_segment.setdefault((seen, candidate.is_duplicate), []).append(candidate)
    shown = []
    for segment_id, by_look in segments.items():
        cards = list(by_look.values())
        order.shuffle(cards)
        shown += [
            ShownText(segment_id, position, one.candidate_id, one.text, one.indices)
            for position, card in enumerate(cards, start=1)
            for one in card
        ]
    return shown


def cards_from(shown: Iterable[tuple[int, int, int, *tuple[Any, ...]]]) -> Cards:
    """Return the cards by their keys.

    `shown` are segment id, position and candidate id, by segment and position. More columns are
    ignored.
    """
    cards: dict[str, CardCandidates] = {}
    numbers: dict[int, int] = {}
    for segment_id, position, candidate_id, *_more in shown:
        number = numbers.setdefault(segment_id, len(numbers) + 1)
        card = cards.setdefault(f"{number}-{position}", CardCandidates(segment_id, []))
        card.candidate_ids.append(candidate_id)
    return cards


def segment_sizes(cards: Cards) -> Counter[int]:
    """Return N, the number of candidates shown, by segment id."""
    sizes: Counter[int] = Counter()
    for card in cards.values():
        sizes[card.segment_id] += len(card.candidate_ids)
    return sizes


def _texts(sentence: Sentence, project: Project, *, highlights: bool) -> _Texts:
    """Return the texts around the cards, the same for all annotators. Cached."""
    show_whole, shown_references = shows_whole_translations(project), _shown_references(project)
    shown = f"{shown_references}{project.show_neighbours:d}{show_whole:d}{highlights:d}"
    # A new version has a candidate of a system whose translation was added; a reference that was
    # added is one more file.
    version = f"{sentence.candidate_version}-{len(provenance_of(project).files)}"
    key = project_key(f"shown-texts-{sentence.pk}-{version}-{shown}", project)
    texts: _Texts | None = cache.get(key)
    if texts is None:
        before, after = "", ""
        references: list[tuple[int, AlignedText]] = []
        translations: list[AlignedText] = []
        if highlights:
            rows = Translation.objects.filter(sentence__in=_line_of(sentence))
        else:
            rows = Translation.objects.filter(sentence=sentence.copy_of_id or sentence.pk)
        if not (show_whole or highlights):
            rows = rows.filter(reference__isnull=False)
        if show_whole or highlights or shown_references != Project.ShownReferences.NONE:
            for number, text, tokens, links in rows.order_by("reference", "pk").values_list(
                "reference", "text", "tokens", "alignment"
            ):
                one = stored_text(text, tokens, links)
                if number is None:
                    translations.append(one)
                else:
                    references.append((number, one))
        aligned = [*translations, *(one for _number, one in references)] if highlights else []
        if not show_whole:
            translations = []
        if shown_references == Project.ShownReferences.NONE:
            references = []
        elif shown_references == Project.ShownReferences.FIRST:
            references = references[:1]
        if project.show_neighbours and not sentence.is_of_tutorial:
            number = sentence.source_number
            neighbours = project.sentences.filter(
                purpose=Sentence.Purpose.JUDGE,
                source_line=None,
                number__in=(number - 1, number + 1),
            )
            found = dict(neighbours.values_list("number", "text"))
            before, after = found.get(number - 1, ""), found.get(number + 1, "")
        texts = _Texts(references, before, after, translations, aligned)
        cache.set(key, texts, CACHE_SECONDS)
    return texts


def _line_of(sentence: Sentence) -> QuerySet[Sentence]:
    """Return the row that has the translations of the sentence's line."""
    rows = Sentence.objects.filter(project=sentence.project_id, purpose=Sentence.Purpose.JUDGE)
    own = Sentence.objects.filter(pk=sentence.copy_of_id or sentence.pk).exclude(
        Sentence.OF_NO_LINE
    )
    return rows.filter(number=Subquery(own.values(line=Sentence.LINE)))


def _shown_references(project: Project) -> str:
    """Return which references the sheet has: a kind may need one, or must not show any."""
    shown = kind_of(project).shown
    if not shown.reference:
        return Project.ShownReferences.NONE
    if shown.needs_reference and project.shown_references == Project.ShownReferences.NONE:
        return Project.ShownReferences.FIRST
    return project.shown_references


def shows_whole_translations(project: Project) -> bool:
    """Return whether the sheet has the whole translations of its candidates."""
    return kind_of(project).shown.context or opens_whole_translations(project)


def opens_whole_translations(project: Project) -> bool:
    """Return whether annotators can open the whole translation of each candidate."""
    return project.show_whole_translations and offers_whole_translations(kind_of(project))


def offers_whole_translations(kind: Kind) -> bool:
    """Return whether candidates can be parts of translations that annotators do not see."""
    return judged_unit(kind.unit).opens_whole_translations(kind.shown)
