"""Candidates: what each system translated each segment to, with identical ones merged."""

from msgspec import to_builtins

from annotation.models import Candidate, Projection, Segment
from annotation.pipeline.stages import Part, StageResult
from annotation.pipeline.unit_preparation import preparation_of
from annotation.preparation.projection import AlignedPair, Projected
from annotation.preparation.statistics import Tally
from annotation.projects.provenance import provenance_of


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
    rule = provenance_of(part.project).projection
    texts: dict[int, dict[str, str]] = {}
    for done, segment in enumerate(segments, start=1):
        pairs = translations.get(segment.sentence_id, {})
        indices = segment.indices
        projected = {
            name: preparation.candidate(indices, pairs[name], rule)
            if name in pairs
            else Projected("")
            for name in systems
        }
        texts[segment.pk] = {name: one.text for name, one in projected.items()}
        tally.add(texts[segment.pk], sum(one.has_gap for one in projected.values()))
        part.progress(done, len(segments))
    with part.writing():
        Projection.objects.filter(segment__sentence__in=part.sentences).delete()
        Candidate.objects.filter(segment__sentence__in=part.sentences).delete()
        preparation.store(part, segments, texts, systems)
    quality = to_builtins(tally.quality(sentences=0, uncut=0))
    return {"quality": quality, **preparation.without_aligner(part.options)}


def _translations_by_sentence(part: Part) -> dict[int, dict[str, AlignedPair]]:
    """Return every system's translation of the sentences, with its links."""
    sources = {sentence.pk: sentence.tokenized.words for sentence in part.sentences}
    found: dict[int, dict[str, AlignedPair]] = {}
    for row in part.translations.select_related("system"):
        if row.system:
            pair = AlignedPair(sources[row.sentence_id], row.tokenized, row.links)
            found.setdefault(row.sentence_id, {})[row.system.name] = pair
    return found
