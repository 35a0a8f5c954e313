"""Copies of sentences for practice and control, which never count as results."""

from dataclasses import dataclass

from django.db.models import Max

from annotation.models import Candidate, Segment, Sentence
from annotation.models.texts import rows_of_sheet
from annotation.projects.references import copy_references


@dataclass(frozen=True)
class Copy:
    """A copied sentence, which heads its sheet.

    The segments and candidates of all rows of the sheet are by the ids of their originals.
    """

    sentence: Sentence
    segments: dict[int, Segment]
    candidates: dict[int, Candidate]


def copy_sentence(original: Sentence, purpose: Sentence.Purpose) -> Copy:
    """Store a copy of the sentence with its references, segments and candidates, without systems.

    All rows of the sheet that it heads are copied. Excluded segments and candidates are not. The
    caller holds a lock on the project, so that numbers stay unique.
    """
    of_purpose = Sentence.objects.filter(project=original.project_id, purpose=purpose)
    last = of_purpose.aggregate(last=Max("number"))["last"] or 0
    rows = rows_of_sheet(original.pk).order_by("number")
    copies: dict[int, Sentence] = {}
    for number, row in enumerate(rows, start=last + 1):
        copies[row.pk] = Sentence.objects.create(
            project_id=original.project_id,
            purpose=purpose,
            number=number,
            copy_of=row,
            sheet=copies.get(original.pk),
            text=row.text,
            tokens=row.tokens,
        )
    copy_references((copied, pk) for pk, copied in copies.items())
    segments = {
        segment.pk: Segment(
            sentence=copies[segment.sentence_id],
            token_indices=segment.token_indices,
            of_document=segment.of_document,
            sampled=segment.sampled,
        )
        for segment in Segment.objects.filter(sentence__in=copies, excluded=False).order_by("pk")
    }
    Segment.objects.bulk_create(segments.values())
    candidates = {
        candidate.pk: Candidate(segment=segments[candidate.segment_id], text=candidate.text)
        for candidate in Candidate.objects.filter(
            segment__in=list(segments), excluded=False
        ).order_by("pk")
    }
    Candidate.objects.bulk_create(candidates.values())
    return Copy(copies[original.pk], segments, candidates)
