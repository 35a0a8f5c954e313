"""Every export has the placements of the annotator, after a restore too."""

import csv
import io
import json
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from annotation.import_export.archive_import import import_project
from annotation.import_export.export_formats import export_project
from annotation.judging.sheet import sheet
from annotation.models import Project, User
from tests.factories import assign_next, make_annotator, make_project

pytestmark = pytest.mark.django_db
names = (f"survivor {number}" for number in count())

# For each segment the places of its candidates: a rank, or None for the garbage bin.
Places = list[list[int | None]]


def places_of_segment(size: int) -> st.SearchStrategy[list[int | None]]:
    return st.lists(st.none() | st.integers(1, size), min_size=size, max_size=size)


all_places: st.SearchStrategy[Places] = st.lists(
    st.integers(2, 3).flatmap(places_of_segment), min_size=1, max_size=4
)
INDICES = ("0 1 2", "1 2 3", "2 3 4", "4 5 6")
WORDS = ("starý", "nový", "malý")


def thesis_json(project: Project, folder: Path) -> dict[str, list[dict[str, int]]]:
    export_project(project=project, format_name="json", to=folder / "j")
    found: dict[str, list[dict[str, int]]] = json.loads((folder / "j").read_text())
    return found


def csv_places(project: Project, folder: Path) -> dict[tuple[str, str], int | None]:
    export_project(project=project, format_name="csv", to=folder / "c")
    rows = csv.DictReader(io.StringIO((folder / "c").read_text()))
    return {
        (row["indices"], row["candidate"]): int(row["rank"]) if row["rank"] else None
        for row in rows
    }


# An example has up to twelve placements, and takes a quarter of a second.
@examples(max_examples=10)
@given(places=all_places)
def test_placements_are_exported_and_restored_unchanged(places: Places) -> None:
    texts = {
        indices: [f"{word} {indices}" for word in WORDS[: len(of_segment)]]
        for indices, of_segment in zip(INDICES, places, strict=False)
    }
    project = make_project(next(names), sentences=1, segments=texts)
    annotator = make_annotator(project, f"{project.name}'s")
    wanted = {
        (indices, text): place
        for (indices, candidates), of_segment in zip(texts.items(), places, strict=True)
        for text, place in zip(candidates, of_segment, strict=True)
    }
    post_placements(annotator, project, wanted)
    with TemporaryDirectory() as name:
        folder = Path(name)
        assert csv_places(project, folder) == wanted
        judged = thesis_json(project, folder)
        ranks = {text: rank for [of_key] in judged.values() for text, rank in of_key.items()}
        assert ranks == {text: place or 100 for (_indices, text), place in wanted.items()}
        export_project(project=project, format_name="archive", to=folder / "a")
        restored = import_project(path=folder / "a", name=next(names))
        assert csv_places(restored, folder) == wanted
        assert thesis_json(restored, folder) == judged


def post_placements(
    annotator: User, project: Project, wanted: dict[tuple[str, str], int | None]
) -> None:
    """Send the placements as the page does, by the keys of the cards that it shows."""
    assignment = assign_next(annotator, project)
    places = {text: place for (_indices, text), place in wanted.items()}
    choices = {
        card.key: places[card.text] or "garbage"
        for segment in sheet(assignment).segments
        for card in segment.cards
    }
    client = Client()
    client.force_login(annotator)
    answer = client.post(
        f"/api/projects/{project.pk}/assignments/{assignment.pk}/submission/",
        {"token": str(uuid4()), "choices": choices},
        content_type="application/json",
    )
    assert answer.status_code == 201, answer.content
