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

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from django.core.cache import cache
from django.db.models import Count, F, Q

from annotation.common.caching import CACHE_SECONDS, LARGE_PROJECT, cached_if_large, project_key
from annotation.judging import queue
from annotation.models import Assignment, Judgement, Project, Sentence
from annotation.models.results import assignment_counts, judgement_counts

# What of a project's assignments counts as assignments, and which of these are in results.
COUNTED: Final = Q(state=Assignment.State.SUBMITTED) & ~Q(kind=Assignment.Kind.PRACTICE)
REPEATED: Final = COUNTED & Q(kind__in=(Assignment.Kind.INTRA, Assignment.Kind.INTER))
CONTROL: Final = COUNTED & Q(kind=Assignment.Kind.CONTROL)
IN_RESULTS: Final = assignment_counts()


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


@dataclass(frozen=True)
class JudgedSentences:
    """How many sentences are judged, and how many others have something to judge.

    `current` of them are judged with all candidates that they have now.
    """

    judged: int = 0
    left: int = 0
    current: int = 0

    @property
    def all(self) -> int:
        """The sentences that a page says are to be judged: those judged and those left."""
        return self.judged + self.left


def judged_sentences(project: Project) -> JudgedSentences:
    """Return the sentences in two queries."""
    return _judged_sentences([project])[project.pk]


def recent_judged_sentences(
    projects: Collection[Project], sizes: Mapping[int, int]
) -> dict[int, JudgedSentences]:
    """Return the same by project id; `sizes` are the sentences that have something to judge.

    In a large project they may be a minute old.
    """
    keys = {project.pk: project_key("judged", project) for project in projects}
    cached = cache.get_many(keys.values())
    found = {pk: cached[key] for pk, key in keys.items() if key in cached}
    if missing := [project for project in projects if project.pk not in found]:
        found |= _judged_sentences(missing)
        large = {
            keys[project.pk]: found[project.pk]
            for project in missing
            if sizes[project.pk] >= LARGE_PROJECT
        }
        cache.set_many(large, CACHE_SECONDS)
    return found


def _judged_sentences(projects: Collection[Project]) -> dict[int, JudgedSentences]:
    in_results = Assignment.objects.filter(IN_RESULTS, project__in=projects).order_by()
    is_current = Q(candidate_version__gte=F("sentence__candidate_version"))
    judged = in_results.values("project").annotate(
        judged=Count("sentence", distinct=True),
        current=Count("sentence", distinct=True, filter=is_current),
    )
    # A subquery that does not depend on the row: SQLite would read all judgements for each one.
    left = queue.with_something_to_judge(
        Sentence.objects.filter(project__in=projects).exclude(pk__in=in_results.values("sentence")),
        projects,
    )
    left_by_project = dict(
        left.order_by().values("project").annotate(Count("pk")).values_list("project", "pk__count")
    )
    by_project = {row.pop("project"): row for row in judged}
    return {
        project.pk: JudgedSentences(
            **by_project.get(project.pk, {}), left=left_by_project.get(project.pk, 0)
        )
        for project in projects
    }
