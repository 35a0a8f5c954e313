"""Candidates: what each system translated each segment to, with identical ones merged."""

from collections.abc import Iterable, Mapping

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
    kind = kind_of(part.project)
    texts_of = whole_translations if kind.whole_sentences else projected_texts
    tally = Tally()
    texts: dict[int, dict[str, str]] = {}
    for done, segment in enumerate(segments, start=1):
        linked = translations.get(segment.sentence_id, {})
        texts[segment.pk], gapped = texts_of(segment, systems, linked)
        tally.add(texts[segment.pk], gapped)
        part.progress(done, len(segments))
    with part.writing():
        if kind.single_translations:
            delete_further(part.project, part.first, part.last)
        Projection.objects.filter(segment__sentence__in=part.sentences).delete()
        Candidate.objects.filter(segment__sentence__in=part.sentences).delete()
        if kind.single_translations:
            divide(segments, texts, systems, line_count(part.project))
        else:
            _store_merged(segments, texts, systems)
    result: StageResult = {"quality": to_builtins(tally.quality(sentences=0, uncut=0))}
    if kind.whole_sentences:
        result["aligner"] = {"name": "none", "version": "whole sentences"}
    return result


def whole_translations(
    segment: Segment, systems: Iterable[str], linked: Mapping[str, Linked]
) -> tuple[dict[str, str], int]:
    """Return each system's translation of the whole sentence, "" for none, and no gaps."""
    return {name: visible(linked[name][1].text) if name in linked else "" for name in systems}, 0


def projected_texts(
    segment: Segment, systems: Iterable[str], linked: Mapping[str, Linked]
) -> tuple[dict[str, str], int]:
    """Return each system's candidate for the segment, "" for none, and how many have a gap."""
    projected = {
        name: project_segment(segment.indices, *linked[name]) if name in linked else ""
        for name in systems
    }
    gapped = (
        has_gap(segment.indices, linked[name][0])
        for name, candidate in projected.items()
        if candidate
    )
    return projected, sum(gapped)


def _store_merged(
    segments: Iterable[Segment],
    texts: Mapping[int, Mapping[str, str]],
    systems: Mapping[str, System],
) -> None:
    """Store a candidate for each different text of a segment; `texts` are by segment id."""
    candidates: list[Candidate] = []
    projections: list[Projection] = []
    for segment in segments:
        of_system: dict[str, Candidate] = {}
        for text, names in merge(texts[segment.pk]).items():
            candidates.append(Candidate(segment=segment, text=text))
            of_system |= dict.fromkeys(names, candidates[-1])
        projections += [
            Projection(segment=segment, system=system, candidate=of_system.get(name))
            for name, system in systems.items()
        ]
    Candidate.objects.bulk_create(candidates, batch_size=ROWS_PER_BATCH)
    Projection.objects.bulk_create(projections, batch_size=ROWS_PER_BATCH)


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
