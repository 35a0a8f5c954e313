"""Candidates of a system that is added to a project while people judge it.

Judgements stay. Where the system has a candidate that another system has too, existing judgements
count for it. Where it has a new candidate for a segment that was assigned before, the segment is
assigned again with all its candidates, or a random sample of these segments is; others are not.
"""

from msgspec.structs import replace

from annotation.common.transactions import retried, writing
from annotation.models import Project, Segment, Sentence, System, Translation
from annotation.pipeline.reassignment import add_to_sample
from annotation.pipeline.unit_preparation import (
    AddedTexts,
    Preparation,
    preparation_of,
    segments_without,
)
from annotation.pipeline.word_alignment import Progress
from annotation.preparation.projection import AlignedPair
from annotation.projects.added_systems import entry_of
from annotation.projects.provenance import MergeCounts, Program, provenance_of, record_added

# Sentences of a transaction; annotators wait for one transaction at most.
SENTENCES_PER_TRANSACTION = 100


def project_new_system(
    *,
    system: System,
    effort: str = "",
    progress: Progress = lambda stage, done, total: None,
) -> MergeCounts:
    """Align the system's translations, unless they have links from a file, and store candidates.

    Continues what was interrupted. Annotators submit what they were shown. Raises InputError.
    """
    project = Project.objects.get(pk=system.project_id)
    preparation = preparation_of(project)
    if aligner := preparation.align(project, system, effort=effort, progress=progress):
        _add_provenance(system, aligner=aligner)
    unfinished = preparation.unfinished(project, system)
    total = unfinished.count()
    done, counts = 0, MergeCounts()
    last = 0
    entry = entry_of(project, system.name)
    judge = entry.judge
    while page := preparation.next_page(
        unfinished.filter(pk__gt=last).order_by("pk"), SENTENCES_PER_TRANSACTION
    ):
        last = page[-1]
        counts = counts.plus(_add_page(project, system, page, every=judge is None))
        done += len(page)
        progress("candidates", done, total)
    if judge is not None:
        left = judge - len(entry.sampled)
        sampled = add_to_sample(system=system, count=left)
        counts = counts.plus(MergeCounts(reassigned=sampled))
    _add_provenance(system, counts=counts)
    return counts


@retried
def _add_page(
    project: Project, system: System, sentence_ids: list[int], *, every: bool
) -> MergeCounts:
    """Store the candidates; with `every`, all segments with a new one are assigned again."""
    preparation = preparation_of(project)
    with writing():
        # Locked, so that none is assigned with half of its candidates.
        in_order = Sentence.objects.order_by("pk").select_for_update(no_key=True)
        sentences = in_order.in_bulk(sentence_ids)
        segments = list(
            segments_without(system)
            .filter(sentence__in=sentence_ids)
            .select_related("sentence")
            .order_by("pk")
        )
        texts = _candidates_by_segment(system, preparation, segments)
        return preparation.add(AddedTexts(project, system, sentences, segments, texts, every))


def _candidates_by_segment(
    system: System, preparation: Preparation, segments: list[Segment]
) -> dict[int, str]:
    """Return the system's candidate for each segment, by segment id; "" where it has none."""
    rows = Translation.objects.filter(
        system=system, sentence__in={segment.sentence_id for segment in segments}
    )
    translations = {row.sentence_id: row for row in rows}
    rule = provenance_of(system.project).projection
    found = dict.fromkeys((segment.pk for segment in segments), "")
    for segment in segments:
        if row := translations.get(segment.sentence_id):
            pair = AlignedPair(segment.sentence.tokenized.words, row.tokenized, row.links)
            found[segment.pk] = preparation.candidate(segment.indices, pair, rule).text
    return found


def _add_provenance(
    system: System, *, aligner: Program | None = None, counts: MergeCounts | None = None
) -> None:
    """Store aligner and counts in the system's entry of the project's provenance."""
    with writing():
        project = Project.objects.select_for_update(no_key=True).get(pk=system.project_id)
        entry = entry_of(project, system.name)
        if aligner:
            entry = replace(entry, aligner=aligner)
        if counts:
            entry = replace(entry, counts=(entry.counts or MergeCounts()).plus(counts))
        record_added(project, entry)
        project.save(update_fields=["provenance"])
