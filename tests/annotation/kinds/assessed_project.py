"""A project of direct assessment, prepared from files of a few sentences, and its annotators."""

from pathlib import Path
from random import Random
from uuid import uuid4

from django.db.models import Q

from annotation.judging.sheet import cards_of
from annotation.judging.submission import submit
from annotation.kinds import kind_of
from annotation.models import Assignment, BatchItem, Control, Job, Project, Sentence, User
from annotation.pipeline.jobs import Outcome
from annotation.preparation.assessment_batches import GROUP, SMALLEST_BATCH
from annotation.projects.creation import create_project
from annotation.projects.options import PrepareOptions, Texts
from tests.factories import assign_next, next_assignment
from tests.jobs import run_job

SYSTEMS = "ABCD"
WORDS = ["the", "dog", "saw", "a", "small", "cat", "under", "that", "old", "tree", "near"]


def new_job(
    folder: Path,
    *,
    kind: str = "direct_assessment",
    sentences: int = 6,
    batches: bool = False,
    seed: int = 0,
    with_reference: bool = True,
    scale: tuple[str, ...] = (),
    **texts: list[str],
) -> Job:
    """Systems A and B always agree, so that a sentence has three different translations."""
    rng = Random(1)
    lines = {
        name: [f"{' '.join(rng.sample(WORDS, 9))} {line}" for line in range(sentences)]
        for name in ("source", "reference", *SYSTEMS)
    }
    lines["B"] = lines["A"]
    lines |= texts
    for name, of_file in lines.items():
        (folder / name).write_text("".join(f"{line}\n" for line in of_file))
    return create_project(
        name="Assessed",
        kind=kind,
        scale=scale,
        languages="en-cs",
        texts=Texts(
            source=folder / "source",
            references=[folder / "reference"] if with_reference else [],
            systems={name: folder / name for name in SYSTEMS},
        ),
        intra_rate=0,
        inter_rate=0,
        options=PrepareOptions(batches=batches, seed=seed, tokenized=True),
    )


def prepared(folder: Path, **described) -> Project:
    job = new_job(folder, **described)
    assert run_job(job.pk) is Outcome.DONE
    return Project.objects.get(pk=job.project_id)


def shorten_batches(project: Project) -> None:
    """Leave twenty items in each batch, so that a test can judge all of them.

    The control items of the first ten are among the last ten, and the other way round.
    """
    second = SMALLEST_BATCH // 2
    groups = Q(position__lte=GROUP) | Q(position__gt=second, position__lte=second + GROUP)
    items = BatchItem.objects.filter(batch__project=project)
    items.exclude(groups).delete()
    exclude_outside_batches(project)


def exclude_outside_batches(project: Project) -> None:
    outside = project.sentences.filter(batch_items=None, purpose=Sentence.Purpose.JUDGE)
    outside.update(excluded=True)


def assess(annotator: User, project: Project) -> Assignment:
    """Judge what comes next: better systems get better scores, degraded outputs bad ones."""
    return answer(assign_next(annotator, project))


def assess_all(annotator: User, project: Project) -> list[Assignment]:
    """Judge until nothing is left for the annotator."""
    judged = []
    while assignment := next_assignment(annotator=annotator, project=project):
        judged.append(answer(assignment))
    return judged


def answer(assignment: Assignment) -> Assignment:
    annotator, project = assignment.annotator, assignment.project
    score = score_of(assignment)
    submit(
        annotator=annotator,
        project=project,
        assignment_id=assignment.pk,
        token=str(uuid4()),
        choices=dict.fromkeys(cards_of(assignment.pk), kind_of(project).answer.rank_of(score)),
    )
    return assignment


def score_of(assignment: Assignment) -> int:
    noise = Random(f"{assignment.annotator_id} {assignment.pk}").randint(-3, 3)
    control = Control.objects.filter(segment__sentence=assignment.sentence_id).first()
    if control:
        return (95 if control.kind == "reference" else 10) + noise
    systems = assignment.sentence.segments.get().projections.filter(candidate__isnull=False)
    names = set(systems.values_list("system__name", flat=True))
    return {"A": 80, "C": 60, "D": 40, "E": 20}[min(names)] + noise
