"""Sentences as text, with their judged segments marked."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from annotation.formats.tokens import split_tokens
from annotation.models import Judgement, Project, Projection, Segment, Sentence, Translation
from annotation.models.results import candidate_counts, judgement_counts
from annotation.preparation.alignment import links_from_text
from annotation.preparation.tokens import detokenize, divide

# Pieces of a text; True for pieces inside a segment. Adjacent segments are separate pieces.
Pieces = list[tuple[str, bool]]
# Between candidates whose translation is not known.
BETWEEN: Final = " … "


@dataclass(frozen=True)
class SystemSentence:
    """A sentence with its reference, if any, and the translation by one system.

    Judged segments are marked in `source`, and aligned words in `translation`. A project with
    imported segments has no translations: then `translation` lists the system's candidates, and
    `whole` is False.
    """

    number: int
    system: str
    source: Pieces
    reference: str
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

    project: Project
    sentences: Mapping[int, Sentence]
    segments: Mapping[int, Sequence[Sequence[int]]]
    translations: Mapping[tuple[int, str | None], Translation]
    candidates: Mapping[tuple[int, str], Sequence[str]]

    def system_sentence(self, number: int, system: str) -> SystemSentence:
        sentence = self.sentences[number]
        segments = self.segments.get(sentence.pk, ())
        reference = self.translations.get((sentence.pk, None))
        translation = self.translations.get((sentence.pk, system))
        target = self.project.target_language
        if translation:
            pieces = _marked(
                translation.token_list, _aligned_positions(segments, translation), target
            )
        else:
            candidates = self.candidates.get((sentence.pk, system), ())
            pieces = _in_a_row([detokenize(split_tokens(each), target) for each in candidates])
        return SystemSentence(
            number=number,
            system=system,
            source=_marked(sentence.token_list, segments, self.project.source_language),
            reference=detokenize(reference.token_list, target) if reference else "",
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
    translations = {
        (each.sentence_id, each.system.name if each.system else None): each
        for each in Translation.objects.filter(sentence__in=ids).select_related("system")
    }
    candidates: dict[tuple[int, str], list[str]] = {}
    for sentence, system, text in (
        Projection.objects.filter(
            candidate_counts(), segment__in=judged.order_by(), candidate__isnull=False
        )
        .order_by("segment")
        .values_list("segment__sentence", "system__name", "candidate__text")
    ):
        candidates.setdefault((sentence, system), []).append(text)
    return _Texts(project, sentences, segments, translations, candidates)


def _marked(tokens: Sequence[str], segments: Sequence[Collection[int]], language: str) -> Pieces:
    owners: dict[int, int] = {}
    for owner, indices in enumerate(segments):
        for index in indices:
            owners.setdefault(index, owner)
    return [(text, owner is not None) for text, owner in divide(tokens, owners, language)]


def _aligned_positions(
    segments: Sequence[Collection[int]], translation: Translation
) -> list[Collection[int]]:
    """Return, for each segment, the positions in the translation that are aligned to it."""
    links = links_from_text(translation.alignment)
    return [{target for source, target in links if source in indices} for indices in segments]


def _in_a_row(texts: Sequence[str]) -> Pieces:
    pieces: Pieces = []
    for text in texts:
        pieces += [(BETWEEN, False), (text, True)]
    return pieces[1:]
