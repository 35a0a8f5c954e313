"""Small files to import, and projects to export, for tests of import and export."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.apps import apps
from django.core.management import call_command
from django.utils import timezone

from annotation.judging.assignment import create_assignment, release, skip
from annotation.judging.control_items import make_controls
from annotation.judging.drafts import save_draft
from annotation.judging.practice import answer_sheet, make_practice, retire, sentence_to_serve
from annotation.judging.sheet import cards_of
from annotation.judging.submission import revise, submit
from annotation.models import (
    AssessmentBatch,
    Assignment,
    BatchItem,
    BatchTurn,
    Candidate,
    Placement,
    Project,
    Reservation,
    Segment,
    Sentence,
    SignInLink,
    User,
)
from annotation.projects.instructions import write_instructions
from tests.factories import assign_next, make_annotator, make_project

SOURCE = "the old house stands near the old house"
REFERENCE = "starý dům stojí u starého domu"
SEGMENT_ROWS: list[tuple[str, ...]] = [
    ("1", SOURCE, REFERENCE, "the old house", "starý dům", "0 1 2"),
    ("1", SOURCE, REFERENCE, "the old house", "stará  dům", "0 1 2"),
    ("1", SOURCE, REFERENCE, "near", "u", "4"),
    ("7", "a small cat", "", "small cat", "malá kočka", "1 2"),
    ("7", "a small cat", "", "small cat", "malý kočka", "1 2"),
    ("7", "a small cat", "", "small cat", "kočka", "1 2"),
]
SYSTEM_ROWS: list[tuple[str, ...]] = [
    ("1", "the old house", "A", "starý dům", "0 1 2"),
    ("1", "the old house", "B", "stará  dům", "0 1 2"),
    ("1", "near", "B", "u", "4"),
    ("7", "small cat", "A", "malá kočka", "1 2"),
    ("7", "small cat", "B+C", "malá kočka", "1 2"),
]
JUDGEMENT: dict[str, Any] = {
    "sentence": 7,
    "segment": "small cat",
    "indices": [1, 2],
    "annotator": "jana",
    "created": "2014-05-20 07:15:58.43353+00",
    "seconds": 98,
    "ranks": {"malá kočka": 1, "malý kočka": 3, "kočka": "garbage"},
}


def write_rows(path: Path, rows: Iterable[Sequence[str]]) -> Path:
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    return path


def write_lines(path: Path, judgements: Iterable[dict[str, Any]]) -> Path:
    lines = (json.dumps(judgement, ensure_ascii=False) + "\n" for judgement in judgements)
    path.write_text("".join(lines), encoding="utf-8")
    return path


def write_json(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2), encoding="utf-8")
    return path


def imported_project(
    folder: Path,
    name: str = "house",
    rows: Iterable[Sequence[str]] = SEGMENT_ROWS,
    systems: Iterable[Sequence[str]] | None = SYSTEM_ROWS,
) -> Project:
    """Return the project that `import_segments` makes of the rows."""
    arguments = [name, str(write_rows(folder / "segments.tsv", rows)), "--languages", "en-cs"]
    if systems is not None:
        arguments += ["--systems", str(write_rows(folder / "systems.tsv", systems))]
    call_command("import_segments", *arguments, verbosity=0)
    return Project.objects.get(name=name)


def row_counts() -> dict[str, int]:
    """Return how many rows each table of SegRanks has, but for uploads and files."""
    return {
        model.__name__: model._base_manager.count()
        for model in apps.get_app_config("annotation").get_models()
        if not model.__name__.startswith(("Upload", "StoredFile", "FilePiece"))
    }


def assignment_kinds() -> list[tuple[str, int, str]]:
    """Return annotator, sentence and kind of all assignments, in the order of their ids."""
    return list(
        Assignment.objects.order_by("pk").values_list(
            "annotator__display_name", "sentence__number", "kind"
        )
    )


def export(project: Project, folder: Path, format_name: str) -> bytes:
    """Return what `export_project` writes."""
    path = folder / f"export-{project.pk}.{format_name}"
    call_command("export_project", str(project.pk), str(path), "--format", format_name)
    return path.read_bytes()


def archive_file(project: Project, folder: Path) -> Path:
    """Return the file of the project's archive."""
    export(project, folder, "archive")
    return folder / f"export-{project.pk}.archive"


def edit_archive(path: Path, change: Callable[[list[Any]], None]) -> Path:
    """Change the records of an archive, header included, and correct its checksum."""
    lines = [json.loads(line) for line in path.read_bytes().splitlines()[:-1]]
    change(lines)
    return seal_archive(path, lines)


def seal_archive(path: Path, lines: Iterable[Any]) -> Path:
    """Write these lines, header included, as an archive with a correct checksum."""
    body = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    end = {"record": "end", "sha256": hashlib.sha256(body).hexdigest()}
    path.write_bytes(body + json.dumps(end).encode() + b"\n")
    return path


def first_record(lines: list[Any], record: str, **values: Any) -> dict[str, Any]:
    """Return the first record of this kind with these values."""
    found: dict[str, Any] = next(
        line
        for line in lines
        if line["record"] == record and all(line[key] == value for key, value in values.items())
    )
    return found


def judge(project: Project, segment: Segment, annotator: User) -> None:
    """Store a judgement of the segment, with all candidates on the first rank."""
    now = timezone.now()
    assignment = Assignment.objects.create(
        project=project,
        sentence=segment.sentence,
        annotator=annotator,
        kind="first",
        slot=1,
        state="submitted",
        created=now,
        submitted=now,
    )
    submission = assignment.submissions.create(created=now)
    judgement = submission.judgements.create(segment=segment, created=now, seconds=1.5)
    candidates = list(segment.candidates.all())
    Placement.objects.bulk_create(
        Placement(judgement=judgement, candidate=candidate, rank=1, ranks_offered=len(candidates))
        for candidate in candidates
    )


def submit_ranks(
    assignment: Assignment, ranks: Mapping[str, int | None], *, again: bool = False
) -> None:
    """Submit, or revise, ranks by the texts of candidates; all others get the first rank."""
    store = revise if again else submit
    shown = Candidate.objects.filter(segment__sentence=assignment.sentence_id)
    texts = dict(shown.values_list("pk", "text"))
    store(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        token=str(uuid4()),
        choices={
            key: ranks.get(texts[card.candidate_ids[0]], 1)
            for key, card in cards_of(assignment.pk).items()
        },
        comments={"1": "A *typo*."} if again else {},
        active_seconds=12.25,
    )


def draft(assignment: Assignment) -> None:
    """Save that the first card of the first segment is garbage."""
    save_draft(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        base=0,
        choices={"1-2": 2, "1-1": "garbage"},
        comments={"1": "Not a phrase."},
        active_seconds=3.5,
    )


def worked_on(name: str = "houses") -> Project:
    """Return a project with revised, skipped, released and open assignments, and instructions."""
    project = make_project(
        name,
        sentences=5,
        judges_per_sentence=2,
        queue_order="blocks",
        block_size=3,
        lease_minutes=30,
        shown_references="all",
        show_neighbours=True,
        show_whole_translations=True,
        highlights=True,
        kind="constituents_in_context",
        intra_rate=0,
        inter_rate=0,
    )
    jana, petr, eva = (make_annotator(project, person) for person in ("jana", "petr", "eva"))
    chief, _created = User.objects.get_or_create(username="chief")
    write_instructions(project=project, author=chief, text="Be *kind*.")
    revised = assign_next(jana, project)
    submit_ranks(revised, {})
    write_instructions(project=project, author=jana, text="Be strict.")
    submit_ranks(revised, {"dům": None}, again=True)
    submit_ranks(revised, {"dům": None, "u řeky": 2}, again=True)
    skipped = assign_next(petr, project)
    skip(
        annotator=petr,
        project=project,
        assignment_id=skipped.pk,
        reason="wrong-segment",
        comment="Not a phrase.",
    )
    draft(assign_next(petr, project))
    returned = assign_next(eva, project)
    draft(returned)
    release(project=project, assignment_id=returned.pk)
    assign_next(jana, project)
    Reservation.objects.create(
        sentence=project.sentences.get(number=5), annotator=eva, created=timezone.now(), by=jana
    )
    add_batch(project, jana)
    project.instructions.filter(version=1).update(author=None)
    write_instructions(project=project, author=chief, text="")
    return project


def add_batch(project: Project, annotator: User) -> None:
    """Store a batch of an output and its repeat, which the annotator judges."""
    sentence = project.sentences.filter(purpose="judge").order_by("-number")[0]
    batch = AssessmentBatch.objects.create(project=project, number=1)
    output = BatchItem.objects.create(batch=batch, position=1, role="output", sentence=sentence)
    BatchItem.objects.create(
        batch=batch, position=2, role="repeat", sentence=sentence, original=output
    )
    BatchTurn.objects.create(batch=batch, annotator=annotator, slot=1, created=timezone.now())


def add_practice(
    project: Project, number: int, ranks: Mapping[str, int | None], *explanations: str
) -> Sentence:
    """Make a practice sentence; candidates that are not in `ranks` have rank 1."""
    shown = answer_sheet(sentence_to_serve(project, number), project)
    cards = [card for segment in shown.segments for card in segment.cards]
    return make_practice(
        project=project,
        number=number,
        choices={card.key: ranks.get(card.text, 1) for card in cards},
        explanations=dict(enumerate(explanations)),
    )


def add_practice_and_controls(project: Project) -> None:
    """Make a practice sentence of sentence 3, and two control sentences, which ota judges."""
    add_practice(project, 3, {"dům": None, "u řeky": 2}, "Houses are *masculine*.")
    degraded, duplicate = make_controls(project=project, count=2, seed=1)
    project.control_rate = 1.0
    project.practice_required = True
    project.save()
    ota = make_annotator(project, "ota")
    practised = assign_next(ota, project, practise=True)
    assert practised.kind == "practice"
    submit_ranks(practised, {"dům": None, "starý dům": 2})
    for control in (degraded, duplicate):
        judged = create_assignment(ota, project, Assignment.Kind.CONTROL, control)
        submit_ranks(judged, {"stará dům": 2, "u řeky": None})
    submit_ranks(judged, {"stará dům": 3}, again=True)
    draft(assign_next(make_annotator(project, "iva"), project))
    purpose = Sentence.Purpose.CONTROL
    assert retire(project=project, purpose=purpose, number=duplicate.number, retired=True)


def judged_here() -> Project:
    """Return a project with a submitted and an open assignment of an account with a password."""
    project = make_project(description="Old houses", intra_rate=0.25, min_length=1)
    jana = make_annotator(project, role="administrator")
    jana.email, jana.is_superuser, jana.is_staff = "jana@example.org", True, True
    jana.set_password("secret words")
    jana.save()
    SignInLink.objects.create(user=jana, token_hash="hash-of-a-token", expires=timezone.now())
    write_instructions(project=project, author=jana, text="Judge *well*.")
    submit_ranks(assign_next(jana, project), {"dům": None})
    assign_next(jana, project)
    make_annotator(project, "petr")
    return project
