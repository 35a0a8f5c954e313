"""How much is judged, in the three counts that all pages show; docs/glossary.md explains them.

- *Sentences* are different ones: a sentence that was judged several times counts once.
- *Assignments* are sentences as annotators submitted them. A repeat is another assignment of its
  sentence, and so is a control item. Limits and pay count these.
- *Judgements* are ranked segments: the last version of each segment in each assignment. Results are
  computed from these.

Practice and skipped, returned, open or discarded sentences are in none of them. Control items and
excluded sentences are assignments only, and judgements of excluded segments are in no count. What a
former member submitted counts.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q

from annotation.common.caching import cached_if_large
from annotation.judging.project_counts import (
    IN_RESULTS,
    JudgedSentences,
    count_judged,
    counts_of_large,
)
from annotation.models import Assignment, Judgement, Project
from annotation.models.results import judgement_counts

# What of a project's assignments counts as assignments, and which of these are in results.
COUNTED: Final = Q(state=Assignment.State.SUBMITTED) & ~Q(kind=Assignment.Kind.PRACTICE)
REPEATED: Final = COUNTED & Q(kind__in=(Assignment.Kind.INTRA, Assignment.Kind.INTER))
CONTROL: Final = COUNTED & Q(kind=Assignment.Kind.CONTROL)


@dataclass(frozen=True)
class SubmittedWork:
    """The work of an annotator, or of all.

    Among the assignments are `repeats`, and those that have no sentences and judgements in the
    other counts: `controls`, and those of `excluded` sentences.
    """

    sentences: int = 0
    assignments: int = 0
    judgements: int = 0
    repeats: int = 0
    controls: int = 0
    excluded: int = 0


@dataclass(frozen=True)
class ProjectWork:
    """The work of each annotator by id, and of all; their `sentences` are not the sum."""

    annotators: dict[int, SubmittedWork]
    together: SubmittedWork

    def of(self, annotator: int) -> SubmittedWork:
        return self.annotators.get(annotator, SubmittedWork())


def submitted_work(project: Project) -> ProjectWork:
    """Return the work in three queries."""
    assignments = Assignment.objects.filter(project=project).order_by()
    figures = {
        "sentences": Count("sentence", filter=IN_RESULTS, distinct=True),
        "assignments": Count("pk", filter=COUNTED),
        "repeats": Count("pk", filter=REPEATED),
        "controls": Count("pk", filter=CONTROL),
        "excluded": Count("pk", filter=COUNTED & ~IN_RESULTS & ~CONTROL),
    }
    judged = (
        Judgement.objects.filter(judgement_counts(), submission__assignment__project=project)
        .order_by()
        .values_list("submission__assignment__annotator")
    )
    judgements = dict(judged.annotate(Count("pk")))
    annotators = {
        row.pop("annotator"): row for row in assignments.values("annotator").annotate(**figures)
    }
    return ProjectWork(
        {
            pk: SubmittedWork(**row, judgements=judgements.get(pk, 0))
            for pk, row in annotators.items()
        },
        SubmittedWork(**assignments.aggregate(**figures), judgements=sum(judgements.values())),
    )


def recent_work(project: Project, sentences: int) -> ProjectWork:
    """Return the same; with many sentences to judge, it may be a minute old."""
    return cached_if_large(
        "submitted-work", project, lambda: submitted_work(project), sentences=sentences
    )


def recent_judged_sentences(projects: Collection[Project]) -> dict[int, JudgedSentences]:
    """Return by project id how many sentences are judged; of large ones, as a worker counted them.

    Two queries at most for small projects.
    """
    found = {
        pk: JudgedSentences(judged=counts.judged, left=counts.left, current=counts.current)
        for pk, counts in counts_of_large(projects).items()
    }
    small = [project for project in projects if project.pk not in found]
    return found | count_judged(small) if small else found


def judged_sentences(project: Project) -> JudgedSentences:
    """Return the sentences of one project, counted now, in two queries."""
    return count_judged([project])[project.pk]
