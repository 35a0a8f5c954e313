"""What an annotator has submitted."""

from django.db.models import Count, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.models import Assignment, Judgement, Project, ShownCandidate, Submission, User
from annotation.selectors.sentence_list import has_in_source


def past_judgements(annotator: User, project: Project, *, words: str = "") -> QuerySet[Assignment]:
    """Return the submitted assignments of the annotator, the newest first; also discarded ones.

    With `words`, only those whose source has them.
    Each has `segments`, how many of its segments are judged, `revisions`, how often it was
    revised, `latest`, when it was submitted last, and `translation`, the first candidate shown.
    """
    latest = Submission.objects.filter(assignment=OuterRef("pk"), current=True)
    judged = Judgement.objects.filter(
        submission__assignment=OuterRef("pk"), submission__current=True
    ).order_by()
    shown = ShownCandidate.objects.filter(assignment=OuterRef("pk")).order_by("position", "pk")
    counted = judged.values("submission").annotate(rows=Count("pk")).values("rows")
    return (
        _past(annotator, project)
        .filter(_found(words))
        .select_related("sentence__copy_of")
        .annotate(
            segments=Coalesce(Subquery(counted, output_field=IntegerField()), 0),
            latest=Subquery(latest.values("created")),
            revisions=Subquery(latest.values("number"), output_field=IntegerField()) - 1,
            translation=Subquery(shown.values("candidate__text")[:1]),
        )
        .order_by(F("submitted").desc(), "-pk")
    )


def count_past(annotator: User, project: Project, *, words: str = "") -> tuple[int, int]:
    """Return how many assignments `past_judgements` has, and how many are not discarded.

    The second number is that of all assignments, with or without `words`.
    """
    submitted = Q(state=Assignment.State.SUBMITTED)
    counted = _past(annotator, project).aggregate(
        listed=Count("pk", filter=_found(words) or None),
        submitted=Count("pk", filter=submitted),
    )
    return counted["listed"], counted["submitted"]


def neighbours(assignment: Assignment) -> tuple[int | None, int | None]:
    """Return what its annotator submitted just before and after this assignment, as ids.

    Neither is discarded. Two queries.
    """
    others = _past(assignment.annotator_id, assignment.project).filter(
        state=Assignment.State.SUBMITTED
    )
    ids = others.values_list("pk", flat=True)
    at_once = Q(submitted=assignment.submitted)
    before = Q(submitted__lt=assignment.submitted) | at_once & Q(pk__lt=assignment.pk)
    after = Q(submitted__gt=assignment.submitted) | at_once & Q(pk__gt=assignment.pk)
    return (
        ids.filter(before).order_by("-submitted", "-pk").first(),
        ids.filter(after).order_by("submitted", "pk").first(),
    )


def _past(annotator: User | int, project: Project) -> QuerySet[Assignment]:
    submitted = Assignment.objects.filter(
        annotator=annotator, project=project, state__in=Assignment.SUBMITTED_STATES
    )
    # What was practised is done with; what was for control must look like all others.
    return submitted.exclude(kind=Assignment.Kind.PRACTICE)


def _found(words: str) -> Q:
    return has_in_source(words, sentence="sentence__") if words else Q()
