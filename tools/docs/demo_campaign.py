"""What the screenshots show: the demo project, judged by invented annotators, and one of documents.

The annotators know which of the invented systems are good, and place candidates by that, with
errors. The same seed gives the same ranks.
"""

from datetime import timedelta
from pathlib import Path
from random import Random

from django.core.cache import cache
from django.core.management import call_command
from django.db.models import F

from annotation.judging.annotator import load_annotator
from annotation.judging.assignment import assign_next
from annotation.judging.drafts import save_draft
from annotation.judging.sheet import sheet
from annotation.judging.submission import submit
from annotation.models import Assignment, Membership, Project, Projection, User
from annotation.pipeline import jobs
from annotation.process import clock
from annotation.projects.creation import create_project
from annotation.projects.options import Texts
from annotation.uploads.sample import SAMPLE_TEXTS
from evaluation.services.quality import check
from operations import first_start

DEMO = "Demo"
DOCUMENTS = "News, side by side"
# The first line of each text, and its name.
TEXTS = {
    1: "bridge",
    7: "hospital",
    11: "train",
    17: "museum",
    21: "prices",
    26: "storm",
    31: "police",
}
# Each annotator's standard deviation, in ranks, and their seconds for a sentence.
ANNOTATORS = {
    "annotator1": (0.5, 38),
    "annotator2": (0.7, 45),
    "jana": (0.4, 52),
    "karel": (1.2, 3),
}
# How many sentences each judges, of 40 that two people judge.
JUDGED = {"annotator1": 17, "annotator2": 13, "jana": 12, "karel": 12}


def create(folder: Path) -> None:
    """Create the accounts and both projects; the worker of `manage.py up` prepares these."""
    call_command("migrate", verbosity=0)
    first_start.create_initial_data(demo=True)
    demo = Project.objects.get(name=DEMO)
    Project.objects.filter(pk=demo.pk).update(judges_per_sentence=2)
    for name in ANNOTATORS:
        annotator, _created = User.objects.get_or_create(username=name)
        Membership.objects.get_or_create(
            user=annotator, project=demo, defaults={"role": Membership.Role.ANNOTATOR}
        )
    source = SAMPLE_TEXTS / "source.en.txt"
    name = ""
    with (folder / "documents.txt").open("w", encoding="utf-8") as documents:
        for number, _line in enumerate(source.read_text(encoding="utf-8").splitlines(), start=1):
            name = TEXTS.get(number, name)
            documents.write(f"{name}\n")
    systems = sorted((SAMPLE_TEXTS / "systems").glob("*.txt"))
    job = create_project(
        name=DOCUMENTS,
        languages="en-cs",
        kind="contrastive_error_spans",
        texts=Texts(
            source=source,
            systems={path.stem: path for path in systems[:3]},
            documents=folder / "documents.txt",
        ),
    )
    annotator = User.objects.get(username="annotator1")
    Membership.objects.create(user=annotator, project=job.project, role=Membership.Role.ANNOTATOR)
    jobs.enqueue(job.pk)


def judge() -> None:
    """Let the annotators judge the demo project, which is prepared, and check their quality.

    The first annotator has begun another sentence.
    """
    project = Project.objects.get(name=DEMO)
    random = Random(1)  # noqa: S311
    # Systems are named in the order of their quality.
    quality: dict[tuple[int, str], int] = {}
    produced = Projection.objects.filter(segment__sentence__project=project).order_by(
        "-system__name"
    )
    for segment, text, system in produced.values_list("segment", "candidate__text", "system__name"):
        quality[segment, text] = ord(system[0])
    for number in range(max(JUDGED.values())):
        for name in ANNOTATORS:
            if number < JUDGED[name]:
                judge_next(name, project, quality, random)
    # Pages say for a minute that a sentence was submitted.
    submitted = Assignment.objects.filter(project=project, annotator__username="annotator1")
    submitted.update(submitted=F("submitted") - timedelta(minutes=2))
    assignment = next_assignment("annotator1", project)
    [first, *_others] = sheet(assignment).segments
    best = sorted(first.cards, key=lambda card: quality[first.segment_id, card.text])[:2]
    save_draft(
        annotator=assignment.annotator,
        project=project,
        assignment_id=assignment.pk,
        base=0,
        choices={card.key: rank for rank, card in enumerate(best, start=1)},
    )
    check(project)


def judge_next(
    name: str, project: Project, quality: dict[tuple[int, str], int], random: Random
) -> None:
    assignment = next_assignment(name, project)
    deviation, usual = ANNOTATORS[name]
    seconds = usual * random.uniform(0.7, 1.4)
    page = sheet(assignment)
    # They have seen it since then, which a submission reads from the cache.
    shown = clock.now() - timedelta(seconds=seconds)
    Assignment.objects.filter(pk=assignment.pk).update(shown=shown)
    cache.clear()
    choices: dict[str, int | None] = {}
    for segment in page.segments:
        seen = {
            card.key: quality[segment.segment_id, card.text] + random.gauss(0, deviation)
            for card in segment.cards
        }
        best_first = sorted(seen, key=seen.__getitem__)
        choices |= {key: rank for rank, key in enumerate(best_first, start=1)}
    submit(
        annotator=assignment.annotator,
        project=project,
        assignment_id=assignment.pk,
        token=page.token,
        choices=choices,
        active_seconds=seconds,
    )


def next_assignment(name: str, project: Project) -> Assignment:
    member = load_annotator(User.objects.get(username=name), project.pk)
    assert member
    assignment = assign_next(member)
    assert assignment
    return assignment
