"""Which assignments and judgements count in results, as conditions on rows.

An assignment is of the sentence that heads its sheet; a judgement is of its segment, and so of the
sentence of the segment, which may be a further row of the sheet.

What an administrator has excluded or discarded is stored, and counts nowhere. Judgements of
documents as a whole count apart from those of their paragraphs. The few such rows are read from
small indexes: joins would cost every query more than they.
"""

from typing import Any

from django.db.models import Q, QuerySet

from annotation.models.judgements import Assignment
from annotation.models.texts import Candidate, Segment, Sentence


def assignment_counts(path: str = "") -> Q:
    """Return the condition that an assignment is in results; `path` leads to it from the row."""
    at = f"{path}__" if path else ""
    submitted = Q(**{f"{at}state": Assignment.State.SUBMITTED, f"{at}kind__in": Assignment.COUNTED})
    return submitted & ~_among(f"{at}sentence", _excluded(Sentence.objects.all()))


def judgement_counts(path: str = "") -> Q:
    """Return the condition that a judgement is in results: not one of a document as a whole.

    A revision replaces its predecessor; practice and control sentences are in no result.
    """
    at = f"{path}__" if path else ""
    return _in_results(at) & segment_counts(f"{at}segment")


def document_judgement_counts(path: str = "") -> Q:
    """Return the condition that a judgement of a document as a whole is in results."""
    at = f"{path}__" if path else ""
    segment = f"{at}segment"
    return (
        _in_results(at)
        & ~_among(segment, _excluded(Segment.objects.all()))
        & _among(segment, _documents())
    )


def segment_counts(path: str = "segment") -> Q:
    """Return the condition that the segment is not excluded, and is no document as a whole.

    That its sentence is not excluded, is apart.
    """
    return ~_among(path, _excluded(Segment.objects.all())) & ~_among(path, _documents())


def candidate_counts(path: str = "candidate") -> Q:
    """Return the condition that the candidate is not excluded; what it belongs to is apart."""
    return ~_among(path, _excluded(Candidate.objects.all()))


def _in_results(at: str) -> Q:
    # The sentence of the assignment is excluded with its whole sheet. No join to that of the
    # segment: SQLite would read all segments.
    further = Segment.objects.filter(sentence__in=_excluded(Sentence.objects.all()))
    return (
        assignment_counts(f"{at}submission__assignment")
        & Q(**{f"{at}submission__current": True})
        & ~_among(f"{at}segment", further)
    )


def _among(path: str, rows: QuerySet[Any]) -> Q:
    return Q(**{f"{path}__in": rows.order_by().values("pk")})


def _excluded(rows: QuerySet[Any]) -> QuerySet[Any]:
    return rows.filter(excluded=True)


def _documents() -> QuerySet[Segment]:
    return Segment.objects.filter(of_document=True)
