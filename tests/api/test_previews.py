"""What a project, or its instructions, would be like: shown, and nothing of it is stored."""

from pathlib import Path
from typing import Any

import pytest

from annotation.models import Instructions, Job, Project, Upload, User
from annotation.uploads import preview as previewing
from annotation.uploads.storage import MOST_UPLOADS
from api.models import StoredAnswer
from tests.annotation.uploads.upload_files import (
    GIVEN,
    LINKS,
    NORTH,
    SEGMENTS,
    TEXTS,
    TREES,
    make_zip,
)
from tests.api.conftest import Program, program_of
from tests.api.sending import DETAILS, create, file, texts
from tests.api.test_core import problem_of
from tests.factories import make_annotator


def preview(program: Program, **more: Any) -> Any:
    return program.post("/api/v1/projects/preview/", DETAILS | texts() | more)


def marked(sentence: dict[str, Any]) -> list[str]:
    """Return the segments of a sentence, in its words."""
    return [
        "".join(piece["text"] for piece in segment["pieces"] if piece["marked"])
        for segment in sentence["segments"]
    ]


def assert_nothing_is_stored() -> None:
    assert Project.objects.count() == 1
    assert not Upload.objects.exists()
    assert not Job.objects.exists()


def test_a_preview_shows_what_annotators_would_see(program: Program, project: Project) -> None:
    answer = preview(program, min_length="2", max_length="4", aligner="systran")
    assert answer.status_code == 200, answer.content
    shown = answer.json()
    assert shown["settings"] == {
        "name": "News",
        "description": "",
        "source_language": "en",
        "target_language": "cs",
        "tokens": "raw",
        "min_length": 2,
        "max_length": 4,
        "parser": "phrases",
        "coverage": "algorithm1",
        "aligner": "systran",
        "effort": "normal",
        "open_at_once": True,
    }
    assert (shown["parser"], shown["aligner"], shown["aligned"]) == ("phrases", "systran", 2)
    assert [row["number"] for row in shown["sentences"]] == [1, 2]
    first = shown["sentences"][0]
    assert first["source"] == "The old house stands near the river."
    assert first["reference"] == "Starý dům stojí u řeky."
    segments = [segment for row in shown["sentences"] for segment in row["segments"]]
    assert shown["total"] == 2
    assert shown["segments"] == len(segments) > 0
    assert shown["candidates"] == sum(len(segment["candidates"]) for segment in segments) > 0
    for segment in first["segments"]:
        assert "".join(piece["text"] for piece in segment["pieces"]) == first["source"]
    # Nothing tells a system's name.
    assert "north" not in answer.content.decode()
    assert_nothing_is_stored()


def test_lengths_say_which_segments_there_are(program: Program, project: Project) -> None:
    for lengths, found in (
        ((3, 6), ["The old house", "stands near the river"]),
        ((2, 3), ["The old house", "near the river"]),
        ((10, 15), []),
    ):
        chosen = dict(zip(("min_length", "max_length"), map(str, lengths), strict=True))
        shown = preview(program, trees=file("t.txt", TREES), aligner="systran", **chosen).json()
        assert marked(shown["sentences"][0]) == found
        assert shown["settings"]["parser"] == shown["parser"] == "brackets"


def test_what_came_as_a_file_is_not_made(program: Program, project: Project) -> None:
    links = [file(f"{name}.links", LINKS) for name in ("north", "south")]
    answer = preview(program, links=links, segments=file("s.segments", GIVEN))
    assert answer.status_code == 200, answer.content
    shown = answer.json()
    assert marked(shown["sentences"][0]) == ["old house", "near the river"]
    assert (shown["parser"], shown["aligner"], shown["aligned"]) == ("", "", 0)
    settings = shown["settings"]
    assert settings["aligner"] == "pharaoh"
    assert {settings[name] for name in ("parser", "coverage", "min_length", "max_length")} == {None}


def test_what_comes_ready_made_is_shown_as_it_is(program: Program, project: Project) -> None:
    ready = DETAILS | {"ready_segments": file("s.tsv", SEGMENTS), "open_at_once": "false"}
    shown = program.post("/api/v1/projects/preview/", ready).json()
    assert [marked(row) for row in shown["sentences"]] == [["the old"], ["green tree"]]
    texts = [card["text"] for card in shown["sentences"][0]["segments"][0]["candidates"]]
    assert sorted(texts) == ["starý", "ten starý"]
    assert shown["settings"]["aligner"] is None
    assert shown["settings"]["open_at_once"] is True
    assert_nothing_is_stored()


def test_a_zip_is_enough_and_what_is_worth_knowing_is_said(
    program: Program, project: Project
) -> None:
    gap = TEXTS | {"systems/north.txt": "\n" + NORTH.splitlines()[1] + "\n"}
    packed = file("all.zip", make_zip(gap))
    answer = program.post("/api/v1/projects/preview/", DETAILS | {"files": packed})
    assert answer.status_code == 200, answer.content
    notes = answer.json()["notes"]
    assert notes == ["systems/north.txt: 1 sentence has no translation here."]


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"name": "houses"}, "#/name"),
        ({"min_length": "7", "max_length": "3"}, "#/max_length"),
        ({"parser": "best"}, "#/parser"),
        ({"extra": "1"}, "#/extra"),
        ({"source": "text"}, "#/source"),
        ({"source": file("en.txt", b"\x89PNG\r\n\x1a\n\0")}, "#"),
        ({"systems": [file("north.txt", NORTH + "more\n")]}, "#"),
        ({"parser": "stanza", "source_language": "xx"}, "#"),
    ],
)
def test_what_could_not_be_made_is_refused(
    program: Program, project: Project, change: dict[str, Any], pointer: str
) -> None:
    problem = problem_of(preview(program, **change), 400)
    assert {error["pointer"] for error in problem["errors"]} == {pointer}
    assert_nothing_is_stored()


def test_it_is_given_up_when_that_of_the_browser_is(
    program: Program, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(previewing, "PATIENCE", 0)
    assert "took too long" in problem_of(preview(program), 400)["detail"]
    assert_nothing_is_stored()


def test_a_preview_that_fails_is_a_mistake_of_ours(
    program: Program, project: Project, settings: Any, tmp_path: Path
) -> None:
    program.raise_request_exception = False
    # Where the program that makes it is not to be found.
    settings.BASE_DIR = tmp_path
    problem_of(preview(program), 500)
    assert_nothing_is_stored()


def test_who_makes_no_project_sees_no_preview(project: Project, owner: User) -> None:
    problem_of(preview(program_of(make_annotator(project, "observer", "observer"))), 403)
    problem_of(preview(program_of(owner, project=project)), 403)
    problem_of(preview(program_of(owner, "read")), 403)


def test_who_is_making_many_projects_finishes_one_first(
    program: Program, project: Project, owner: User
) -> None:
    Upload.objects.bulk_create(
        Upload(owner=owner, token=str(number)) for number in range(MOST_UPLOADS)
    )
    problem_of(preview(program), 409)
    assert Upload.objects.count() == MOST_UPLOADS


def test_it_counts_as_ten_requests(program: Program, project: Project, settings: Any) -> None:
    settings.API_RATE = 9
    problem_of(preview(program), 429)


def test_a_project_is_made_of_what_was_previewed(program: Program, project: Project) -> None:
    """With a key the preview is given again, as every answer to a POST is."""
    path, key = "/api/v1/projects/preview/", {"Idempotency-Key": "one"}
    first, again = (program.post(path, DETAILS | texts(), headers=key) for _time in "ab")
    assert again.json() == first.json()
    assert again.headers["Idempotent-Replayed"] == "true"
    made = create(program)
    assert made.status_code == 201, made.content
    settings = first.json()["settings"]
    assert {name: made.json()[name] for name in ("name", "min_length", "max_length")} == {
        name: settings[name] for name in ("name", "min_length", "max_length")
    }


# --- instructions -------------------------------------------------------------------------------


def test_instructions_are_shown_as_they_would_look(program: Program, project: Project) -> None:
    path = f"projects/{project.pk}/instructions/preview/"
    answer = program.send("POST", path, {"text": "Be **strict**.\n\n<b>Now</b> ![x](y)"})
    assert answer.status_code == 200
    html = answer.json()["html"]
    assert html.startswith("<p>Be <strong>strict</strong>.</p>")
    assert "&lt;b&gt;Now&lt;/b&gt;" in html
    assert "<img" not in html
    assert program.send("POST", path, {"text": ""}).json() == {"html": ""}
    problem_of(program.send("POST", path, {"text": "x" * 20_001}), 400)
    problem_of(program.send("POST", path, {}), 400)
    assert not Instructions.objects.exists()
    assert not StoredAnswer.objects.exists()
