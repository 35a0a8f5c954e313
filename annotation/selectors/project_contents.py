"""How much a project contains, for those who are about to delete it."""

from dataclasses import dataclass

from django.db.models import Count

from annotation.models import Assignment, Judgement, Project, Sentence


@dataclass(frozen=True)
class ProjectContents:
    """`sentences` are lines; `annotators` have submitted at least one."""

    sentences: int
    systems: int
    judgements: int
    annotators: int
    members: int


def project_contents(project: Project) -> ProjectContents:
    """Return the counts. Five queries."""
    submitted = Assignment.objects.filter(project=project, state__in=Assignment.SUBMITTED_STATES)
    judged = project.sentences.filter(purpose=Sentence.Purpose.JUDGE)
    judgements = Judgement.objects.filter(submission__assignment__project=project)
    return ProjectContents(
        sentences=judged.aggregate(lines=Count(Sentence.LINE, distinct=True))["lines"],
        systems=project.systems.count(),
        judgements=judgements.filter(submission__current=True).count(),
        annotators=submitted.values("annotator").distinct().count(),
        members=project.memberships.count(),
    )
