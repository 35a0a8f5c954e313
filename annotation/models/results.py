"""Which assignments and judgements count in results, as conditions on rows.

An assignment is of the sentence that heads its sheet; a judgement is of its segment, and so of the
sentence of the segment, which may be a further row of the sheet.

What an administrator has excluded or discarded is stored, and counts nowhere. The few excluded rows
are read from small indexes: joins would cost every query more than they.
"""

from typing import Any

from django.db.models import Q, QuerySet

from annotation.models.judgements import Assignment
from annotation.models.texts import Candidate, Segment, Sentence


def assignment_counts(path: str = "") -> Q:
    """Return the condition that an assignment is in results; `path` leads to it from the row."""
    at = f"{path}__" if path else ""
    submitted = Q(**{f"{at}state": Assignment.State.SUBMITTED, f"{at}kind__in": Assignment.COUNTED})
    return submitted & ~Q(**{f"{at}sentence__in": _excluded(Sentence.objects.all())})


def judgement_counts(path: str = "") -> Q:
    """Return the condition that a judgement is in results.

    A revision replaces its predecessor; practice and control sentences are in no result.
    """
    at = f"{path}__" if path else ""
    # The sentence of the assignment is excluded with its whole sheet. No join to that of the
    # segment: SQLite would read all segments.
    further = Segment.objects.filter(sentence__in=_excluded(Sentence.objects.all()))
    return (
        assignment_counts(f"{at}submission__assignment")
        & Q(**{f"{at}submission__current": True})
        & ~Q(**{f"{at}segment__in": further.order_by().values("pk")})
        & segment_counts(f"{at}segment")
    )


def segment_counts(path: str = "segment") -> Q:
    """Return the condition that the segment is not excluded; that its sentence is not, is apart."""
    return ~Q(**{f"{path}__in": _excluded(Segment.objects.all())})


def candidate_counts(path: str = "candidate") -> Q:
    """Return the condition that the candidate is not excluded; what it belongs to is apart."""
    return ~Q(**{f"{path}__in": _excluded(Candidate.objects.all())})


def _excluded(rows: QuerySet[Any]) -> QuerySet[Any, Any]:
    return rows.filter(excluded=True).order_by().values("pk")
