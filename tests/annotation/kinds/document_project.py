"""A project of documents, prepared from files of a few lines, and its judgements."""

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

from annotation.judging.annotator import ProjectAnnotator, load_annotator
from annotation.judging.assignment import assign_next
from annotation.judging.sheet import cards_of, sheet
from annotation.judging.submission import submit
from annotation.kinds import kind_of
from annotation.models import Assignment, Project, User
from annotation.pipeline.jobs import Outcome
from annotation.projects.creation import create_project
from annotation.projects.options import PrepareOptions, Texts
from tests.jobs import run_job

DOCUMENTS = ("news 1", "news 1", "news 1", "talk 2", "talk 2", "note 3")
SYSTEMS = "ABC"


def prepared(
    folder: Path,
    *,
    kind: str = "document_error_spans",
    name: str = "Documents",
    documents: tuple[str, ...] = DOCUMENTS,
    missing: tuple[str, int] | None = None,
    alike: tuple[int, ...] = (),
    **options: int | str,
) -> Project:
    """System `missing[0]` lacks line `missing[1]`; all have the same text for the lines `alike`.

    Lines are numbered from 1.
    """
    lines = range(1, len(documents) + 1)
    texts = {
        "source": [f"Source of line {line} ." for line in lines],
        "reference": [f"Reference of line {line} ." for line in lines],
    }
    for system in SYSTEMS:
        texts[system] = [
            ""
            if missing == (system, line)
            else f"{'All' if line in alike else system} has {line} ."
            for line in lines
        ]
    for file, of_file in texts.items():
        (folder / file).write_text("".join(f"{line}\n" for line in of_file))
    (folder / "documents").write_text("".join(f"{document}\n" for document in documents))
    job = create_project(
        name=name,
        kind=kind,
        languages="en-cs",
        texts=Texts(
            source=folder / "source",
            references=[folder / "reference"],
            systems={system: folder / system for system in SYSTEMS},
            documents=folder / "documents",
        ),
        intra_rate=0,
        inter_rate=0,
        options=PrepareOptions(tokenized=True, **options),  # type: ignore[arg-type]
    )
    assert run_job(job.pk) is Outcome.DONE
    return Project.objects.get(pk=job.project_id)


def judge(annotator: User, assignment: Assignment, *, score: int = 70) -> dict[str, int]:
    """Submit the same score for all cards of the sheet; return the choices."""
    answer = kind_of(assignment.project).answer
    rank = answer.rank_of(score) or 1
    choices = dict.fromkeys(cards_of(assignment.pk), rank)
    submit(
        annotator=annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        token=str(uuid4()),
        choices=choices,
        details=dict.fromkeys(choices, "0-3 minor") if answer.has_details else {},
    )
    return choices


def _in_project(annotator: User, project: Project) -> ProjectAnnotator:
    found = load_annotator(annotator, project.pk)
    assert found
    return found


def judge_all(annotator: User, project: Project, rank: Callable[[str, bool], int]) -> None:
    """Judge every sheet that the annotator gets.

    `rank` returns the rank of a text; of a document as a whole where it is True.
    """
    while assignment := assign_next(_in_project(annotator, project)):
        submit(
            annotator=annotator,
            project=project,
            assignment_id=assignment.pk,
            token=str(uuid4()),
            choices={
                card.key: rank(card.text, segment.of_document)
                for segment in sheet(assignment).segments
                for card in segment.cards
            },
        )
