"""What there is to count for the summaries of sentences, and which of them are out of date."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, F, Max, Q, QuerySet
from django.db.models.functions import Coalesce

from annotation.common.batches import CHUNK
from annotation.models import (
    Assignment,
    Placement,
    Project,
    Sentence,
    Skip,
    Submission,
    SummarisedProject,
)
from annotation.models.results import candidate_counts, judgement_counts

# Submissions, and skips, before the latest that was counted: one may have been stored later.
OVERLAP = 100


@dataclass(frozen=True)
class SentenceCounts:
    """Counts of a sentence, as SentenceSummary explains them."""

    submission: int
    judges: int
    done: int
    skips: int
    last_judged: datetime | None
    candidate_version: int


class LatestIds(NamedTuple):
    """The ids of the latest submission and the latest skip of all projects, 0 for none."""

    submission: int
    skip: int


def latest_ids() -> LatestIds:
    submission = Submission.objects.order_by("-pk").values_list("pk", flat=True).first()
    skip = Skip.objects.order_by("-pk").values_list("pk", flat=True).first()
    return LatestIds(submission or 0, skip or 0)


def outdated_sentences(project: Project, counted: SummarisedProject, latest: LatestIds) -> set[int]:
    """Return the ids of the sentences whose summaries lack a submission or a skip."""
    submitted = Submission.objects.filter(pk__gt=counted.submission - OVERLAP).exclude(
        assignment__sentence__summary__submission__gte=F("pk")
    )
    newer: list[QuerySet[Any]] = [submitted]
    if latest.skip > counted.skip:
        newer.append(Skip.objects.filter(pk__gt=counted.skip - OVERLAP))
    found: set[int] = set()
    for rows in newer:
        # `+ 0` keeps the planner from the index of the project: the newest rows are few.
        of_project = rows.alias(project=F("assignment__project_id") + 0).filter(
            project=project.pk, assignment__kind__in=Assignment.COUNTED
        )
        found.update(of_project.values_list("assignment__sentence", flat=True).iterator(CHUNK))
    return found


def sentences_with_work(project: Project) -> set[int]:
    """Return the ids of the sentences that were submitted or skipped, or have a summary."""
    with_work = Q(
        assignments__state__in=(*Assignment.SUBMITTED_STATES, Assignment.State.SKIPPED)
    ) | Q(summary__isnull=False)
    rows = Sentence.objects.filter(with_work, project=project, purpose=Sentence.Purpose.JUDGE)
    return set(rows.values_list("pk", flat=True).iterator(CHUNK))


def counts_of(sentences: Collection[int]) -> dict[int, SentenceCounts]:
    """Return the counts of these sentences, and of all rows of sheets they head, by id.

    A row has those of the head of its sheet. Two queries. Judgements of an excluded sentence are
    counted, since its row tells what including it restores.
    """
    rows_of_sheets = Q(pk__in=sentences) | Q(sheet__in=sentences)
    heads = dict(Sentence.objects.filter(rows_of_sheets).values_list("pk", Coalesce("sheet", "pk")))
    submitted = Q(
        assignments__state=Assignment.State.SUBMITTED, assignments__kind__in=Assignment.COUNTED
    )
    is_first = Q(
        assignments__kind=Assignment.Kind.FIRST,
        assignments__candidate_version__gte=F("candidate_version"),
    )
    rows = (
        Sentence.objects.filter(pk__in=set(heads.values()))
        .order_by()
        .annotate(
            judges=Count("assignments__annotator", filter=submitted, distinct=True),
            done=Count("assignments", filter=submitted & is_first, distinct=True),
            skips=Count("assignments__skip", distinct=True),
            last=Max("assignments__submitted", filter=submitted),
            latest=Max("assignments__submissions"),
        )
        .values_list("pk", "latest", "judges", "done", "skips", "last", "candidate_version")
    )
    counts = {pk: SentenceCounts(latest or 0, *rest) for pk, latest, *rest in rows}
    return {pk: counts[head] for pk, head in heads.items()}


def placements_of(
    sentences: Collection[int],
) -> Iterator[tuple[int, int, int, int, int, int | None]]:
    """Stream the ranks that count: sentence, segment, judgement, annotator, candidate, rank."""
    rows = Placement.objects.filter(
        judgement_counts("judgement"),
        candidate_counts(),
        judgement__segment__sentence__in=sentences,
    )
    return rows.values_list(
        "judgement__segment__sentence",
        "judgement__segment",
        "judgement",
        "judgement__submission__assignment__annotator",
        "candidate",
        "rank",
    ).iterator(CHUNK)
