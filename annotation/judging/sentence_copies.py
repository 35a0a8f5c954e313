"""Copies of sentences for practice and control, which never count as results."""

from dataclasses import dataclass

from django.db.models import Max

from annotation.models import Candidate, Segment, Sentence
from annotation.projects.references import copy_references


@dataclass(frozen=True)
class Copy:
    """A copied sentence; its segments and candidates by the ids of their originals."""

    sentence: Sentence
    segments: dict[int, Segment]
    candidates: dict[int, Candidate]


def copy_sentence(original: Sentence, purpose: Sentence.Purpose) -> Copy:
    """Store a copy of the sentence with its references, segments and candidates, without systems.

    Excluded segments and candidates are not copied. The caller holds a lock on the project, so that
    numbers stay unique.
    """
    of_purpose = Sentence.objects.filter(project=original.project_id, purpose=purpose)
    sentence = Sentence.objects.create(
        project_id=original.project_id,
        purpose=purpose,
        number=(of_purpose.aggregate(last=Max("number"))["last"] or 0) + 1,
        copy_of=original,
        text=original.text,
        tokens=original.tokens,
    )
    copy_references([(sentence, original.pk)])
    segments = {
        segment.pk: Segment(
            sentence=sentence, token_indices=segment.token_indices, sampled=segment.sampled
        )
        for segment in original.segments.filter(excluded=False).order_by("pk")
    }
    Segment.objects.bulk_create(segments.values())
    candidates = {
        candidate.pk: Candidate(segment=segments[candidate.segment_id], text=candidate.text)
        for candidate in Candidate.objects.filter(
            segment__in=list(segments), excluded=False
        ).order_by("pk")
    }
    Candidate.objects.bulk_create(candidates.values())
    return Copy(sentence, segments, candidates)
