"""What an annotator has submitted."""

from django.db.models import Count, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.models import Assignment, Judgement, Project, Submission, User


def past_judgements(annotator: User, project: Project) -> QuerySet[Assignment]:
    """Return the submitted assignments of the annotator, the newest first; also discarded ones.

    Each has `segments`, how many of its segments are judged, `revisions`, how often it was
    revised, and `latest`, when it was submitted last.
    """
    latest = Submission.objects.filter(assignment=OuterRef("pk"), current=True)
    judged = Judgement.objects.filter(
        submission__assignment=OuterRef("pk"), submission__current=True
    ).order_by()
    counted = judged.values("submission").annotate(rows=Count("pk")).values("rows")
    return (
        _past(annotator, project)
        .select_related("sentence__copy_of")
        .annotate(
            segments=Coalesce(Subquery(counted, output_field=IntegerField()), 0),
            latest=Subquery(latest.values("created")),
            revisions=Subquery(latest.values("number"), output_field=IntegerField()) - 1,
        )
        .order_by(F("submitted").desc(), "-pk")
    )


def count_past(annotator: User, project: Project) -> tuple[int, int]:
    """Return how many assignments `past_judgements` has, and how many of them are not discarded."""
    submitted = Q(state=Assignment.State.SUBMITTED)
    counted = _past(annotator, project).aggregate(
        listed=Count("pk"), submitted=Count("pk", filter=submitted)
    )
    return counted["listed"], counted["submitted"]


def _past(annotator: User, project: Project) -> QuerySet[Assignment]:
    submitted = Assignment.objects.filter(
        annotator=annotator, project=project, state__in=Assignment.SUBMITTED_STATES
    )
    # What was practised is done with; what was for control must look like all others.
    return submitted.exclude(kind=Assignment.Kind.PRACTICE)
