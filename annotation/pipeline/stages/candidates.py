"""Candidates: what each system translated each segment to, with identical ones merged."""

from msgspec import to_builtins

from annotation.formats.tokens import TokenizedText
from annotation.models import Candidate, Projection, Segment
from annotation.pipeline.stages import Part, StageResult
from annotation.pipeline.unit_preparation import preparation_of
from annotation.preparation.alignment import links_from_text
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
    preparation = preparation_of(part.project)
    tally = Tally()
    texts: dict[int, dict[str, str]] = {}
    for done, segment in enumerate(segments, start=1):
        linked = translations.get(segment.sentence_id, {})
        indices = segment.indices
        texts[segment.pk] = {
            name: preparation.candidate(indices, *linked[name]) if name in linked else ""
            for name in systems
        }
        gapped = (
            preparation.has_gap(indices, linked[name][0])
            for name, text in texts[segment.pk].items()
            if text
        )
        tally.add(texts[segment.pk], sum(gapped))
        part.progress(done, len(segments))
    with part.writing():
        Projection.objects.filter(segment__sentence__in=part.sentences).delete()
        Candidate.objects.filter(segment__sentence__in=part.sentences).delete()
        preparation.store(part, segments, texts, systems)
    quality = to_builtins(tally.quality(sentences=0, uncut=0))
    return {"quality": quality, **preparation.without_aligner(part.options)}


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
