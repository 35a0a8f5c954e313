"""What was played beside the source is stored with the submission."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from annotation.judging.sheet import sheet
from annotation.judging.submission import revise
from annotation.models import Assignment, MediaPlay, Project, User
from annotation.projects.media import remove_medium
from tests.annotation.judging.open_sentence import (
    all_placed,
    assignment,
    jana,
    project,
    submit_sentence,
)
from tests.factories import make_project
from tests.media_files import png, wav, with_media

# Fixtures, which are used by their names.
__all__ = ["assignment", "jana", "project"]

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


def add(assignment: Assignment, ending: str, content: bytes) -> int:
    """Put a file beside the line of the sentence; return its id."""
    (row,) = with_media(
        assignment.project, **{f"_{assignment.sentence.source_number}_{ending}": content}
    )
    return row.pk


def stored() -> list[tuple[str, float, int]]:
    return list(MediaPlay.objects.order_by("pk").values_list("name", "seconds", "plays"))


def test_a_sheet_has_the_media_of_its_line(assignment: Assignment) -> None:
    medium = add(assignment, "png", png())
    assert [one.pk for one in sheet(assignment).media] == [medium]
    assert not sheet(assignment).media[0].name.startswith("/")


def test_seconds_and_starts_are_stored_with_the_submission(assignment: Assignment) -> None:
    medium = add(assignment, "wav", wav())
    submit_sentence(assignment, media={medium: (12.5, 2)})
    name = f"{assignment.sentence.number}.wav"
    assert stored() == [(name, 12.5, 2)]


def test_a_judgement_counts_although_its_medium_was_removed(assignment: Assignment) -> None:
    medium = add(assignment, "wav", wav())
    remove_medium(project=assignment.project, pk=medium)
    assert submit_sentence(assignment, media={medium: (1.0, 1)}).created
    assert stored() == []


def test_media_of_other_sheets_and_what_was_not_started_are_left_out(
    assignment: Assignment,
) -> None:
    medium = add(assignment, "wav", wav())
    (foreign,) = with_media(make_project("others"), _1_wav=wav())
    line = next(n for n in (1, 2, 3) if n != assignment.sentence.number)
    (of_other_line,) = with_media(assignment.project, **{f"_{line}_wav": wav(0.2)})
    played = {foreign.pk: (3.0, 1), of_other_line.pk: (3.0, 1), medium: (0.0, 0)}
    submit_sentence(assignment, media=played)
    assert stored() == []


def test_a_revision_has_what_was_played_before_and_meanwhile(
    assignment: Assignment, jana: User, project: Project
) -> None:
    medium = add(assignment, "wav", wav())
    submit_sentence(assignment, media={medium: (10.0, 1)})
    project.refresh_from_db()
    for media in ({}, {medium: (5.0, 1)}):
        page = sheet(assignment)
        revise(
            annotator=jana,
            project=project,
            assignment_id=assignment.pk,
            token=str(uuid4()),
            choices=all_placed(page),
            media=media,
        )
    name = f"{assignment.sentence.number}.wav"
    assert stored() == [(name, 10.0, 1), (name, 10.0, 1), (name, 15.0, 2)]


def test_the_table_refuses_what_was_not_played(assignment: Assignment) -> None:
    medium = add(assignment, "wav", wav())
    submit_sentence(assignment, media={medium: (1.0, 1)})
    for wrong in ({"seconds": -1.0}, {"plays": 0}):
        with pytest.raises(IntegrityError), transaction.atomic():
            MediaPlay.objects.update(**wrong)
