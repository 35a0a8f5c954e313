"""Summaries of sentences, updated when the list of sentences is opened.

A few sentences are counted at once, many by a worker. Writing them with each submission would cost
every annotator time for a page that administrators open now and then.
"""

from collections.abc import Callable, Collection
from typing import Any, Final, TypeVar

import numpy as np

from annotation.common.task_queue import EXPIRES, send_task
from annotation.common.transactions import retried, writing
from annotation.models import Project, Sentence, SentenceSummary, SummarisedProject, User
from annotation.selectors.sentence_summaries import (
    OVERLAP,
    LatestIds,
    SentenceCounts,
    counts_of,
    latest_ids,
    outdated_sentences,
    placements_of,
    sentences_with_work,
)
from evaluation.stats.agreement.sentences import agreement_by_sentence
from evaluation.stats.judgements import GARBAGE, MISSING

Result = TypeVar("Result")

# By name, since the module of the task imports this one.
TASK: Final = "evaluation.tasks.summarise_sentences"
# Sentences that are counted while the page is requested: about 0.2 s.
AT_ONCE: Final = 200
# Sentences that are counted by one query.
PER_PAGE: Final = 300
FIELDS: Final = [field.name for field in SentenceSummary._meta.fields if not field.primary_key]


def refresh_summaries(project: Project) -> int:
    """Count what was judged since the last call; return how many sentences a worker counts."""
    # Read first: what is stored meanwhile is counted next time.
    latest = latest_ids()
    counted = _progress(project)
    left = _outdated(project, counted, latest)
    if len(left) > AT_ONCE:
        send_task(TASK, project.pk, expires=EXPIRES)
        return len(left)
    _count(counted, left, latest)
    return 0


def count_all(project_id: int) -> None:
    """Count all sentences of the project that are out of date."""
    project = Project.objects.filter(pk=project_id).first()
    if project is not None:
        latest = latest_ids()
        counted = _progress(project)
        _count(counted, _outdated(project, counted, latest), latest)


@retried
def change_sentence(
    change: Callable[..., Result], *, project: Project, by: User, sentence: int, **part: Any
) -> Result:
    """Call a service that changes what counts of one sentence, and count its sheet again.

    Returns what the service returns. Where the other sentences were up to date, they stay so.
    """
    with writing():
        # `project` may have been read before another change, which must not pass as counted.
        locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        result = change(project=project, by=by, sentence=sentence, **part)
        heads = Sentence.objects.filter(pk=sentence).values_list("sheet", flat=True)
        _store([heads.first() or sentence])
        counted = SummarisedProject.objects.filter(
            pk=project.pk, counts_changed=locked.counts_changed
        )
        counted.update(counts_changed=project.counts_changed)
    return result


def _progress(project: Project) -> SummarisedProject:
    found = SummarisedProject.objects.filter(pk=project.pk).first()
    if found is None:
        return SummarisedProject(project=project)
    found.project = project
    return found


def _outdated(project: Project, counted: SummarisedProject, latest: LatestIds) -> set[int]:
    if counted.counts_changed != project.counts_changed:
        return sentences_with_work(project)
    return outdated_sentences(project, counted, latest)


def _count(counted: SummarisedProject, sentences: Collection[int], latest: LatestIds) -> None:
    """Count the sentences, and store that the project is counted up to the latest ids."""
    ordered = sorted(sentences)
    for start in range(0, len(ordered), PER_PAGE):
        _store(ordered[start : start + PER_PAGE])
    # Where others judge, too, what is new of all projects would become long to read.
    if sentences or latest.submission > counted.submission + OVERLAP:
        SummarisedProject.objects.update_or_create(
            project=counted.project,
            defaults={
                "submission": latest.submission,
                "skip": latest.skip,
                "counts_changed": counted.project.counts_changed,
            },
        )


@retried
def _store(sentences: Collection[int]) -> None:
    with writing():
        counts_by_id = counts_of(sentences)
        agreement = _agreement(counts_by_id.keys())
        SentenceSummary.objects.bulk_create(
            (
                _summary(pk, counts, *agreement.get(pk, (0, 0)))
                for pk, counts in counts_by_id.items()
            ),
            update_conflicts=True,
            unique_fields=["sentence"],
            update_fields=FIELDS,
        )


def _summary(pk: int, counts: SentenceCounts, agree: int, compared: int) -> SentenceSummary:
    return SentenceSummary(
        sentence_id=pk,
        **vars(counts),
        agree=agree,
        compared=compared,
        agreement=agree / compared if compared else None,
    )


def _agreement(sentences: Collection[int]) -> dict[int, tuple[int, int]]:
    """Return by sentence how many comparisons by different annotators agree, and all of them."""
    rows = np.array(
        [(*ids, GARBAGE if rank is None else rank) for *ids, rank in placements_of(sentences)],
        dtype=np.int64,
    ).reshape(-1, 6)
    if not len(rows):
        return {}
    _ids, first, judgement = np.unique(rows[:, 2], return_index=True, return_inverse=True)
    sentence_ids, sentence = np.unique(rows[first, 0], return_inverse=True)
    _ids, segment = np.unique(rows[first, 1], return_inverse=True)
    _ids, annotator = np.unique(rows[first, 3], return_inverse=True)
    # The place of each candidate within its segment; pairs are sorted by segment and candidate.
    pairs, pair = np.unique(rows[:, [1, 4]], axis=0, return_inverse=True)
    places = np.arange(len(pairs)) - np.searchsorted(pairs[:, 0], pairs[:, 0])
    ranks = np.full((len(first), int(places.max()) + 1), MISSING, dtype=np.int16)
    ranks[judgement, places[pair.reshape(-1)]] = rows[:, 5]
    agree, compared = agreement_by_sentence(
        sentence.astype(np.int32),
        segment.astype(np.int32),
        annotator.astype(np.int32),
        ranks,
        count=len(sentence_ids),
    )
    counts = zip(agree.tolist(), compared.tolist(), strict=True)
    return dict(zip(sentence_ids.tolist(), counts, strict=True))
