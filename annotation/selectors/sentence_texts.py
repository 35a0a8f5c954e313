"""Sentences as text, with their judged segments marked."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotation.formats.tokens import GAP, TokenizedText
from annotation.models import Judgement, Project, Projection, Segment, Sentence, Translation
from annotation.models.results import candidate_counts, judgement_counts
from annotation.preparation.projection import AlignedPair, ProjectionRule
from annotation.projects.provenance import provenance_of
from annotation.projects.references import ReferenceText

# Pieces of a text; True for pieces inside a segment. Adjacent segments are separate pieces.
Pieces = list[tuple[str, bool]]


@dataclass(frozen=True)
class SystemSentence:
    """A sentence with its references, and the translation by one system.

    Judged segments are marked in `source`, and aligned words in `translation`. A project with
    imported segments has no translations: then `translation` lists the system's candidates, and
    `whole` is False.
    """

    number: int
    system: str
    source: Pieces
    references: Sequence[ReferenceText]
    translation: Pieces
    whole: bool


def system_sentences(
    project: Project, wanted: Iterable[tuple[int, str]]
) -> dict[tuple[int, str], SystemSentence]:
    """Return these sentences (by number) of these systems (by name); four queries.

    Deleted sentences are left out.
    """
    wanted = list(wanted)
    texts = _read(project, {number for number, _ in wanted})
    return {
        (number, system): texts.system_sentence(number, system)
        for number, system in wanted
        if number in texts.sentences
    }


@dataclass(frozen=True)
class _Texts:
    """Sentences by number, and the rest by sentence id: token indices of segments and texts."""

    sentences: Mapping[int, Sentence]
    segments: Mapping[int, Sequence[Sequence[int]]]
    references: Mapping[int, Sequence[ReferenceText]]
    translations: Mapping[tuple[int, str], Translation]
    candidates: Mapping[tuple[int, str], Sequence[str]]
    rule: ProjectionRule

    def system_sentence(self, number: int, system: str) -> SystemSentence:
        sentence = self.sentences[number]
        segments = self.segments.get(sentence.pk, ())
        translation = self.translations.get((sentence.pk, system))
        if translation:
            pair = AlignedPair(sentence.tokenized.words, translation.tokenized, translation.links)
            aligned = [self.rule.positions(indices, pair) for indices in segments]
            pieces = _marked(pair.target, aligned)
        else:
            candidates = self.candidates.get((sentence.pk, system), ())
            pieces = _in_a_row(candidates)
        return SystemSentence(
            number=number,
            system=system,
            source=_marked(sentence.tokenized, segments),
            references=self.references.get(sentence.pk, ()),
            translation=pieces,
            whole=translation is not None,
        )


def _read(project: Project, numbers: Collection[int]) -> _Texts:
    rows = Sentence.objects.filter(
        project=project, purpose=Sentence.Purpose.JUDGE, number__in=numbers
    )
    sentences = {sentence.number: sentence for sentence in rows}
    ids = [sentence.pk for sentence in sentences.values()]
    judged = Segment.objects.filter(
        sentence__in=ids,
        pk__in=Judgement.objects.filter(judgement_counts(), segment__sentence__in=ids)
        .order_by()
        .values("segment"),
    ).order_by("pk")
    segments: dict[int, list[list[int]]] = {}
    for segment in judged:
        segments.setdefault(segment.sentence_id, []).append(segment.indices)
    references: dict[int, list[ReferenceText]] = {}
    translations: dict[tuple[int, str], Translation] = {}
    texts = Translation.objects.filter(sentence__in=ids).select_related("system")
    for each in texts.order_by("reference"):
        if each.system:
            translations[each.sentence_id, each.system.name] = each
        else:
            of_sentence = references.setdefault(each.sentence_id, [])
            of_sentence.append(ReferenceText(each.reference or 1, each.text))
    candidates: dict[tuple[int, str], list[str]] = {}
    for sentence, system, text in (
        Projection.objects.filter(
            candidate_counts(), segment__in=judged.order_by(), candidate__isnull=False
        )
        .order_by("segment")
        .values_list("segment__sentence", "system__name", "candidate__text")
    ):
        candidates.setdefault((sentence, system), []).append(text)
    rule = provenance_of(project).projection
    return _Texts(sentences, segments, references, translations, candidates, rule)


def _marked(text: TokenizedText, segments: Sequence[Collection[int]]) -> Pieces:
    owners: dict[int, int] = {}
    for owner, indices in enumerate(segments):
        for index in indices:
            owners.setdefault(index, owner)
    return [(piece, owner is not None) for piece, owner in text.divide(owners)]


def _in_a_row(texts: Sequence[str]) -> Pieces:
    pieces: Pieces = []
    for text in texts:
        pieces += [(GAP, False), (text, True)]
    return pieces[1:]
