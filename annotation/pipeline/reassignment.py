"""Segments that are assigned again after a system was added: all with a new candidate, or a sample.

Judgements of a random sample of them correct a prediction of the system's score
(`evaluation.reuse.correction`), so that the others need not be judged again. Then the project's
provenance has, in the entry of the system, how many segments were wanted (`judge`), the seed, and
the segments that were sampled (`sampled`): number of the sentence and positions of the tokens.
"""

from collections.abc import Mapping, Sequence
from random import Random

from django.db.models import Count, Exists, Max, OuterRef
from msgspec.structs import replace

from annotation.common.batches import update_rows
from annotation.common.transactions import retried, writing
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.models import Assignment, Candidate, Project, Projection, Segment, Sentence, System
from annotation.projects.added_systems import entry_of, sampled_systems
from annotation.projects.provenance import record_added


def assign_again(sentences: Mapping[int, Sentence], changed: Sequence[Segment]) -> int:
    """Start another version for those of the changed segments that were assigned before.

    Segments without candidates to compare, excluded or not sampled, are left out.
    A sentence gets a new version where its present one has assignments. Returns how many segments
    are assigned again.
    """
    assigned = Assignment.objects.filter(
        sentence__in={segment.sentence_id for segment in changed},
        kind=Assignment.Kind.FIRST,
        state__in=Assignment.ACTIVE_STATES,
    )
    latest = dict(
        assigned.order_by()
        .values("sentence")
        .annotate(latest=Max("candidate_version"))
        .values_list("sentence", "latest")
    )
    # A segment with one candidate is not shown, sampled or not.
    shown_candidates = Candidate.objects.filter(
        segment__in=[segment.pk for segment in changed], excluded=False
    )
    counted = shown_candidates.values("segment")
    several = counted.annotate(candidates=Count("pk")).filter(candidates__gte=2)
    shown = set(several.values_list("segment", flat=True))
    again = [
        each
        for each in changed
        if each.sampled and not each.excluded and each.pk in shown and each.sentence_id in latest
    ]
    for sentence_id in {segment.sentence_id for segment in again}:
        sentence = sentences[sentence_id]
        sentence.candidate_version = max(sentence.candidate_version, latest[sentence_id] + 1)
        sentence.passed_over = False
    for segment in again:
        segment.candidate_version = sentences[segment.sentence_id].candidate_version
    update_rows(list(sentences.values()), "candidate_version", "passed_over")
    update_rows(again, "candidate_version")
    return len(again)


def sample_segments(*, system: System, count: int) -> int:
    """Sample `count` more segments, assign them again, and return how many were sampled.

    They are a random sample of all segments in which no system that is judged in full has the
    system's candidate, which have other candidates, and whose sentence was assigned before; there
    may be fewer. Together with those before they are a random sample. The seed is that with which
    the system was added. Raises InputError for a system that is not completely added, or was added
    without a sample.
    """
    entry = entry_of(Project.objects.get(pk=system.project_id), system.name)
    if entry.judge is None:
        raise InputError(
            _("All new texts of %(name)r are judged again already."),
            name=system.name,
        )
    if entry.counts is None:
        raise InputError(
            _("The system %(name)r is not completely added: wait until it is."), name=system.name
        )
    return add_to_sample(system=system, count=count)


@retried
def add_to_sample(*, system: System, count: int) -> int:
    """Sample segments of a system whose candidates are stored, as `sample_segments`."""
    with writing():
        project = Project.objects.select_for_update(no_key=True).get(pk=system.project_id)
        entry = entry_of(project, system.name)
        before = entry.sampled
        taken = set(before)
        candidates = [row for row in _with_new_candidate(project, system) if row[:2] not in taken]
        random = Random(f"{entry.seed or 0} {len(before)}")  # noqa: S311 - a sample, not a secret
        chosen = random.sample(candidates, max(0, min(count, len(candidates))))
        sampled = (*before, *((number, positions) for number, positions, _pk in chosen))
        record_added(project, replace(entry, judge=len(sampled), sampled=sampled))
        project.save(update_fields=["provenance"])
        segments = list(Segment.objects.filter(pk__in=[pk for *_rest, pk in chosen]).order_by("pk"))
        in_order = Sentence.objects.order_by("pk").select_for_update(no_key=True)
        assign_again(in_order.in_bulk({each.sentence_id for each in segments}), segments)
    return len(chosen)


def _with_new_candidate(project: Project, system: System) -> list[tuple[int, str, int]]:
    """Return number, positions and id of the segments that can be sampled, in their order."""
    judged_in_full = Projection.objects.filter(candidate=OuterRef("candidate")).exclude(
        system__name__in=[*sampled_systems(project), system.name]
    )
    shown = Candidate.objects.filter(segment=OuterRef("segment"), excluded=False)
    others = shown.exclude(pk=OuterRef("candidate"))
    assigned = Assignment.objects.filter(
        sentence=OuterRef("segment__sentence"),
        kind=Assignment.Kind.FIRST,
        state__in=Assignment.ACTIVE_STATES,
    )
    own = Projection.objects.filter(
        ~Exists(judged_in_full),
        Exists(others),
        Exists(assigned),
        system=system,
        candidate__excluded=False,
        segment__sampled=True,
        segment__excluded=False,
        segment__sentence__purpose=Sentence.Purpose.JUDGE,
        segment__sentence__excluded=False,
    )
    rows = own.values_list("segment__sentence__number", "segment__token_indices", "segment")
    # Not by the database, whose collation orders digits and spaces in its own way.
    return sorted(rows, key=lambda row: (row[0], [int(part) for part in row[1].split()]))
