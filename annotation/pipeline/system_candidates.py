"""Candidates of a system that is added to a project while people judge it.

Judgements stay. Where the system has a candidate that another system has too, existing judgements
count for it. Where it has a new candidate for a segment that was assigned before, the segment is
assigned again with all its candidates, or a random sample of these segments is; others are not.
"""

from django.db.models import Exists, OuterRef, QuerySet
from msgspec.structs import replace

from annotation.common.transactions import retried, writing
from annotation.formats.tokens import TokenizedText
from annotation.kinds import kind_of
from annotation.models import (
    Candidate,
    Project,
    Projection,
    Segment,
    Sentence,
    System,
    Translation,
)
from annotation.pipeline.reassignment import add_to_sample, assign_again
from annotation.pipeline.single_translations import add_system
from annotation.pipeline.word_alignment import (
    Progress,
    align_system,
    aligner_of,
    aligner_provenance,
)
from annotation.preparation.alignment import links_from_text
from annotation.preparation.projection import project_segment, visible
from annotation.projects.added_systems import entry_of
from annotation.projects.provenance import MergeCounts, Program, record_added

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
    whole = kind_of(project).whole_sentences
    if not whole and entry_of(project, system.name).aligner is None:
        aligner = aligner_of(project, effort)
        progress("alignment", 0, system.translations.count())
        align_system(project, system, effort=effort, progress=progress)
        _add_provenance(system, aligner=aligner_provenance(aligner))
    single = kind_of(project).single_translations
    # Where one translation is judged at a time, any sentence of a line may have the system's.
    of_line = Projection.objects.filter(
        system=system,
        segment__sentence__project=project,
        segment__sentence__source_line=OuterRef("number"),
    )
    unfinished = project.sentences.filter(
        Exists(_segments_without(system).filter(sentence=OuterRef("pk"))),
        purpose=Sentence.Purpose.JUDGE,
        **{"source_line": None} if single else {},
    )
    if single:
        unfinished = unfinished.filter(~Exists(of_line))
    total = unfinished.count()
    done, counts = 0, MergeCounts()
    last = 0
    entry = entry_of(project, system.name)
    judge = entry.judge
    while page := list(
        unfinished.filter(pk__gt=last)
        .order_by("pk")
        .values_list("pk", flat=True)[:SENTENCES_PER_TRANSACTION]
    ):
        last = page[-1]
        if single:
            counts = counts.plus(_divide_page(project, system, page))
        else:
            counts = counts.plus(_merge_page(system, page, every=judge is None, whole=whole))
        done += len(page)
        progress("candidates", done, total)
    if judge is not None:
        left = judge - len(entry.sampled)
        sampled = add_to_sample(system=system, count=left)
        counts = counts.plus(MergeCounts(reassigned=sampled))
    _add_provenance(system, counts=counts)
    return counts


def _segments_without(system: System) -> QuerySet[Segment]:
    has = Projection.objects.filter(segment=OuterRef("pk"), system=system)
    return Segment.objects.filter(~Exists(has))


@retried
def _merge_page(
    system: System, sentence_ids: list[int], *, every: bool, whole: bool
) -> MergeCounts:
    """Store the candidates; with `every`, all segments with a new one are assigned again."""
    with writing():
        # Locked, so that none is assigned with half of its candidates.
        in_order = Sentence.objects.order_by("pk").select_for_update(no_key=True)
        sentences = in_order.in_bulk(sentence_ids)
        segments = list(
            _segments_without(system)
            .filter(sentence__in=sentence_ids)
            .select_related("sentence")
            .order_by("pk")
        )
        projected = _candidates_by_segment(system, segments, whole=whole)
        known = {
            (segment, text): pk
            for segment, text, pk in Candidate.objects.filter(segment__in=segments).values_list(
                "segment", "text", "pk"
            )
        }
        new = [
            Candidate(segment=segment, text=projected[segment.pk])
            for segment in segments
            if projected[segment.pk] and (segment.pk, projected[segment.pk]) not in known
        ]
        Candidate.objects.bulk_create(new)
        known |= {(candidate.segment_id, candidate.text): candidate.pk for candidate in new}
        Projection.objects.bulk_create(
            Projection(
                segment=segment,
                system=system,
                candidate_id=known.get((segment.pk, projected[segment.pk])),
            )
            for segment in segments
        )
        again = assign_again(sentences, [candidate.segment for candidate in new]) if every else 0
    missing = sum(not text for text in projected.values())
    return MergeCounts(len(segments) - missing - len(new), len(new), missing, again)


@retried
def _divide_page(project: Project, system: System, sentence_ids: list[int]) -> MergeCounts:
    """Store the system's translations of lines that are judged one translation at a time.

    Nothing is assigned again: a new translation is a sentence of its own.
    """
    with writing():
        in_order = Sentence.objects.order_by("pk").select_for_update(no_key=True)
        list(in_order.filter(pk__in=sentence_ids))
        segments = list(
            Segment.objects.filter(sentence__in=sentence_ids)
            .select_related("sentence")
            .order_by("pk")
        )
        of_segment = _candidates_by_segment(system, segments, whole=True)
        texts = {segment.sentence_id: of_segment[segment.pk] for segment in segments}
        known, new = add_system(project, system, texts)
    return MergeCounts(known, new, len(texts) - known - new)


def _candidates_by_segment(
    system: System, segments: list[Segment], *, whole: bool
) -> dict[int, str]:
    """Return the system's candidate for each segment, by segment id; "" where it has none."""
    translations = {
        sentence: (links_from_text(alignment), TokenizedText.stored(text, tokens))
        for sentence, alignment, text, tokens in Translation.objects.filter(
            system=system, sentence__in={segment.sentence_id for segment in segments}
        ).values_list("sentence", "alignment", "text", "tokens")
    }
    found = dict.fromkeys((segment.pk for segment in segments), "")
    for segment in segments:
        if segment.sentence_id in translations:
            links, target = translations[segment.sentence_id]
            found[segment.pk] = (
                visible(target.text) if whole else project_segment(segment.indices, links, target)
            )
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
