"""Candidates of a segment that are judged together: identical ones of several systems are one."""

from collections.abc import Iterable, Mapping, Sequence

from annotation.common.batches import ROWS_PER_BATCH
from annotation.models import Candidate, Projection, Segment, System
from annotation.preparation.projection import merge


def store_merged(
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


def merge_system(
    system: System, segments: Sequence[Segment], texts: Mapping[int, str]
) -> list[Candidate]:
    """Store what the system has for the segments, by their id; "" is nothing.

    Returns the candidates that no other system has. The caller is in a transaction, and has locked
    the sentences.
    """
    known = {
        (segment, text): pk
        for segment, text, pk in Candidate.objects.filter(segment__in=segments).values_list(
            "segment", "text", "pk"
        )
    }
    new = [
        Candidate(segment=segment, text=texts[segment.pk])
        for segment in segments
        if texts[segment.pk] and (segment.pk, texts[segment.pk]) not in known
    ]
    Candidate.objects.bulk_create(new)
    known |= {(candidate.segment_id, candidate.text): candidate.pk for candidate in new}
    Projection.objects.bulk_create(
        Projection(
            segment=segment, system=system, candidate_id=known.get((segment.pk, texts[segment.pk]))
        )
        for segment in segments
    )
    return new
