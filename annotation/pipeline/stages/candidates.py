"""Candidates: what each system translated each segment to, with identical ones merged."""

from collections.abc import Iterable

from msgspec import to_builtins

from annotation.common.batches import ROWS_PER_BATCH
from annotation.formats.tokens import TokenizedText
from annotation.kinds import kind_of
from annotation.models import Candidate, Projection, Segment, System
from annotation.pipeline.single_translations import delete_further, divide, line_count
from annotation.pipeline.stages import Part, StageResult
from annotation.preparation.alignment import links_from_text
from annotation.preparation.projection import has_gap, merge, project_segment, visible
from annotation.preparation.statistics import Tally

# The links of a translation, and the translation.
Linked = tuple[list[tuple[int, int]], TokenizedText]


def project_candidates(part: Part) -> StageResult:
    """Store each segment's candidates and which systems produced them."""
    systems = {system.name: system for system in part.project.systems.order_by("pk")}
    segments = list(
        Segment.objects.filter(sentence__in=part.sentences)
        .select_related("sentence")
        .order_by("pk")
    )
    translations = _translations_by_sentence(part)
    whole = kind_of(part.project).whole_sentences
    tally = Tally()
    if kind_of(part.project).single_translations:
        return _divide(part, segments, translations, systems, tally)
    candidates: list[Candidate] = []
    projections: list[Projection] = []
    for done, segment in enumerate(segments, start=1):
        linked = translations.get(segment.sentence_id, {})
        projected = _candidate_texts(segment, systems, linked, tally, whole=whole)
        of_system: dict[str, Candidate] = {}
        for text, names in merge(projected).items():
            candidates.append(Candidate(segment=segment, text=text))
            of_system |= dict.fromkeys(names, candidates[-1])
        projections += [
            Projection(segment=segment, system=system, candidate=of_system.get(name))
            for name, system in systems.items()
        ]
        part.progress(done, len(segments))
    with part.writing():
        Projection.objects.filter(segment__sentence__in=part.sentences).delete()
        Candidate.objects.filter(segment__sentence__in=part.sentences).delete()
        Candidate.objects.bulk_create(candidates, batch_size=ROWS_PER_BATCH)
        Projection.objects.bulk_create(projections, batch_size=ROWS_PER_BATCH)
    return _result(tally, whole=whole)


def _divide(
    part: Part,
    segments: list[Segment],
    translations: dict[int, dict[str, Linked]],
    systems: dict[str, System],
    tally: Tally,
) -> StageResult:
    """Store each different translation as a sentence of its own."""
    texts = {
        segment.pk: _candidate_texts(
            segment, systems, translations.get(segment.sentence_id, {}), tally, whole=True
        )
        for segment in segments
    }
    part.progress(len(segments), len(segments))
    with part.writing():
        delete_further(part.project, part.first, part.last)
        Projection.objects.filter(segment__sentence__in=part.sentences).delete()
        Candidate.objects.filter(segment__sentence__in=part.sentences).delete()
        divide(segments, texts, systems, line_count(part.project))
    return _result(tally, whole=True)


def _result(tally: Tally, *, whole: bool) -> StageResult:
    result: StageResult = {"quality": to_builtins(tally.quality(sentences=0, uncut=0))}
    if whole:
        result["aligner"] = {"name": "none", "version": "whole sentences"}
    return result


def _candidate_texts(
    segment: Segment,
    systems: Iterable[str],
    linked: dict[str, Linked],
    tally: Tally,
    *,
    whole: bool,
) -> dict[str, str]:
    """Return each system's candidate for the segment, "" for none, and add it to the tally.

    The candidates of a whole sentence are whole translations.
    """
    if whole:
        texts = {name: visible(linked[name][1].text) if name in linked else "" for name in systems}
        tally.add(texts, 0)
        return texts
    projected = {
        name: project_segment(segment.indices, *linked[name]) if name in linked else ""
        for name in systems
    }
    gapped = (
        has_gap(segment.indices, linked[name][0])
        for name, candidate in projected.items()
        if candidate
    )
    tally.add(projected, sum(gapped))
    return projected


def _translations_by_sentence(part: Part) -> dict[int, dict[str, Linked]]:
    """Return every system's translation of the sentences, with its links."""
    rows = part.translations.filter(system__isnull=False).values_list(
        "sentence_id", "system__name", "alignment", "text", "tokens"
    )
    found: dict[int, dict[str, Linked]] = {}
    for sentence_id, name, alignment, text, tokens in rows:
        linked = links_from_text(alignment), TokenizedText.stored(text, tokens)
        found.setdefault(sentence_id, {})[name] = linked
    return found
