"""A project that judges a random sample of its segments instead of all of them.

Neighbouring segments of a sentence resemble each other, so judgements of a few segments of many
sentences say more than judgements of all segments of a few. Segments are taken in a random order
until enough of them have candidates to compare; so each is as likely to be sampled as any other,
their weights are equal and cancel in every share, and no figure changes its formula.

The project's provenance has the Sample.
"""

from random import Random

from django.db.models import Count, Q

from annotation.common.batches import ROWS_PER_BATCH
from annotation.common.transactions import retried, writing
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.models import Assignment, Control, Project, Segment, Sentence
from annotation.pipeline.reassignment import assign_again
from annotation.projects.provenance import Sample, provenance_of, record
from annotation.projects.undecided_systems import decision_in_force

# Candidates that a segment needs, so that there is something to compare.
FEWEST_CANDIDATES = 2


def count_from(text: str) -> int:
    """Return the number of segments that a person entered; raise InputError for anything else."""
    if not (text.isascii() and text.isdecimal() and len(text) < 8 and int(text)):
        raise InputError(_("Enter how many to sample."))
    return int(text)


@retried
def sample_project(*, project: Project, count: int, seed: int = 0) -> int:
    """Sample `count` segments, or as many more, and return how many were sampled.

    Annotators see no other segments. There may be fewer to sample. The first time no sentence may
    have been assigned, because what was judged without a sample is no random sample; later calls
    add to the sample, with the seed of the first. Raises InputError.
    """
    before = sample_of(Project.objects.get(pk=project.pk))
    taken, seed = (before.taken, before.seed) if before else (0, seed)
    # Reading takes long in a large project, so it comes before the transaction.
    comparable, rest = _segments(project, sampled=False if before else None)
    Random(f"{seed} {taken}").shuffle(rest)  # noqa: S311 - a sample, not a secret
    chosen, sampled = [], 0
    for pk in rest:
        if sampled == count:
            break
        chosen.append(pk)
        sampled += pk in comparable
    with writing():
        # A new assignment refers to the project, and waits for this lock or is seen below.
        locked = Project.objects.select_for_update().get(pk=project.pk)
        _refuse(locked)
        if sample_of(locked) != before:
            raise InputError(_("Another sample was taken meanwhile: try again."))
        of_project = Segment.objects.filter(sentence__project=locked)
        if before is None:
            of_project.filter(sentence__purpose=Sentence.Purpose.JUDGE).update(sampled=False)
        for page in (
            chosen[at : at + ROWS_PER_BATCH] for at in range(0, len(chosen), ROWS_PER_BATCH)
        ):
            Segment.objects.filter(pk__in=page).update(sampled=True)
        _mark_controls(locked)
        sample = Sample(
            segments=(before.segments if before else 0) + sampled,
            of=before.of if before else len(comparable),
            taken=taken + len(chosen),
            seed=seed,
        )
        record(locked, sample=sample)
        locked.save(update_fields=["provenance"])
        if before:
            added = list(Segment.objects.filter(pk__in=chosen).order_by("pk"))
            in_order = Sentence.objects.order_by("pk").select_for_update(no_key=True)
            assign_again(in_order.in_bulk({segment.sentence_id for segment in added}), added)
    return sampled


def _segments(project: Project, sampled: bool | None) -> tuple[set[int], list[int]]:
    """Return the ids of segments to judge with candidates to compare, and of all, in order.

    With `sampled`, only of those that are, or are not, in the sample.
    """
    practised = Sentence.objects.filter(
        project=project, purpose=Sentence.Purpose.PRACTICE, copy_of__isnull=False
    )
    segments = Segment.objects.filter(
        sentence__project=project,
        sentence__purpose=Sentence.Purpose.JUDGE,
        sentence__excluded=False,
        excluded=False,
    ).exclude(sentence__in=practised.values("copy_of"))
    if sampled is not None:
        segments = segments.filter(sampled=sampled)
    rows = list(
        segments.annotate(
            candidate_count=Count("candidates", filter=Q(candidates__excluded=False))
        ).values_list("sentence__number", "token_indices", "pk", "candidate_count")
    )
    # Not by the database, whose collation orders digits and spaces in its own way.
    rows.sort(key=lambda row: (row[0], [int(index) for index in row[1].split()]))
    comparable = {pk for *_place, pk, candidates in rows if candidates >= FEWEST_CANDIDATES}
    return comparable, [pk for *_place, pk, _candidates in rows]


def _refuse(project: Project) -> None:
    """Raise InputError where segments cannot be sampled now."""
    if project.state not in (Project.State.OPEN, Project.State.CLOSED):
        raise InputError(_("Wait until the project is prepared, then take a sample."))
    if not can_be_sampled(project):
        raise InputError(
            _(
                "Sentences of this project are assigned or judged already. A sample can be "
                "taken only before the first sentence is assigned."
            )
        )
    if decision_in_force(project):
        raise InputError(
            _(
                "Annotators see the candidates of undecided systems only. Show those of all "
                "systems again, then take a sample."
            )
        )


def _mark_controls(project: Project) -> None:
    """Let control sentences show the segments that their originals show, and the one they test."""
    controls = project.sentences.filter(purpose=Sentence.Purpose.CONTROL)
    for control in controls.select_related("copy_of"):
        shown = Segment.objects.filter(sentence=control.copy_of_id, sampled=True)
        as_original = Q(token_indices__in=shown.values("token_indices"))
        tested = Q(pk__in=Control.objects.filter(segment__sentence=control).values("segment"))
        control.segments.update(sampled=False)
        control.segments.filter(as_original | tested).update(sampled=True)


def can_be_sampled(project: Project) -> bool:
    """Return True if the project has a sample, or no sentence of it is assigned or judged.

    A returned assignment with a draft counts, because it shows its segments when it is reopened.
    """
    assigned = Assignment.objects.filter(
        Q(state__in=(Assignment.State.OPEN, *Assignment.SUBMITTED_STATES)) | Q(draft_version__gt=0),
        project=project,
        kind=Assignment.Kind.FIRST,
    )
    return sample_of(project) is not None or not assigned.exists()


def sample_of(project: Project) -> Sample | None:
    """Return what the provenance says of the sample; None where all segments are judged."""
    return provenance_of(project).sample
