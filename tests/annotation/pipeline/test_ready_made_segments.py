from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from annotation.common.claims import LeaseLost
from annotation.common.commands import Error
from annotation.formats.errors import InputError
from annotation.kinds import KINDS, kind_of
from annotation.models import Candidate, Job, Project, Projection, Segment, Sentence, Translation
from annotation.pipeline import ready_made_segments
from annotation.pipeline.chunks import claim
from annotation.pipeline.jobs import Outcome
from annotation.pipeline.ready_made_segments import (
    KINDS_OF_SEGMENTS,
    import_segments,
    import_uploaded,
    new_import,
)
from annotation.projects.deletion import delete_project
from tests.annotation.import_export.exchange_files import (
    REFERENCE,
    SEGMENT_ROWS,
    SOURCE,
    SYSTEM_ROWS,
    imported_project,
    row_counts,
    write_rows,
)
from tests.jobs import run_job

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


def test_it_creates_an_open_project(tmp_path: Path) -> None:
    project = imported_project(tmp_path)

    assert project.state == Project.State.OPEN
    assert (project.source_language, project.target_language) == ("en", "cs")
    assert list(project.sentences.order_by("pk").values_list("number", "text")) == [
        (1, SOURCE),
        (7, "a small cat"),
    ]
    assert list(Segment.objects.order_by("pk").values_list("token_indices", flat=True)) == [
        "0 1 2",
        "4",
        "1 2",
    ]


def test_sentences_have_the_documents_in_the_lines_of_their_ids(tmp_path: Path) -> None:
    segments, documents = write_rows(tmp_path / "s", SEGMENT_ROWS), tmp_path / "documents"
    documents.write_text("news\n\n\n\n\n\ntalk\nmore lines\n")
    arguments = ("house", str(segments), "--languages=en-cs", f"--documents={documents}")

    call_command("import_segments", *arguments)

    rows = Sentence.objects.order_by("number").values_list("number", "document")
    assert list(rows) == [(1, "news"), (7, "talk")]
    documents.write_text("news\n" * 6)
    with pytest.raises(CommandError, match="has 6 lines, but there is a sentence 7"):
        call_command("import_segments", "other", *arguments[1:])
    assert Project.objects.count() == 1


def test_a_reference_is_stored_where_there_is_one(tmp_path: Path) -> None:
    imported_project(tmp_path)

    translation = Translation.objects.get()
    assert translation.system is None
    assert (translation.sentence.number, translation.text) == (1, REFERENCE)


def test_it_stores_the_projections_of_the_file_and_no_others(tmp_path: Path) -> None:
    imported_project(tmp_path)

    assert set(
        Projection.objects.values_list("segment__token_indices", "system__name", "candidate__text")
    ) == {(row[4], row[2], row[3]) for row in SYSTEM_ROWS}


def test_segments_are_stored_in_order_wherever_their_rows_stand(tmp_path: Path) -> None:
    imported_project(tmp_path, rows=[*reversed(SEGMENT_ROWS), SEGMENT_ROWS[0]])

    assert list(Sentence.objects.order_by("pk").values_list("number", flat=True)) == [1, 7]
    assert list(Segment.objects.order_by("pk").values_list("token_indices", flat=True)) == [
        "0 1 2",
        "4",
        "1 2",
    ]
    assert Candidate.objects.count() == 6


def test_the_provenance_names_the_files(tmp_path: Path) -> None:
    made = imported_project(tmp_path).provenance

    assert made["segranks"] == settings.VERSION
    assert made["segments"] == "ready-made"
    assert made["files"]["segments"]["name"] == "segments.tsv"
    assert made["files"]["segments"]["rows"] == 6
    assert made["files"]["systems"]["rows"] == 5
    assert len(made["files"]["systems"]["sha256"]) == 64
    assert made["counts"] == {
        "sentences": 2,
        "systems": 3,
        "segments": 3,
        "projected": 5,
        "candidates": 6,
    }


def test_it_refuses_a_name_that_is_taken(tmp_path: Path) -> None:
    imported_project(tmp_path)
    before = row_counts()

    with pytest.raises(CommandError, match="There is a project 'house' already"):
        imported_project(tmp_path)

    assert row_counts() == before


@pytest.mark.parametrize("languages", ["en", "en-", "-cs", "en-cs-de", "e n-cs"])
def test_languages_need_to_be_a_pair(tmp_path: Path, languages: str) -> None:
    path = write_rows(tmp_path / "s", SEGMENT_ROWS)

    with pytest.raises(CommandError, match="en-cs"):
        call_command("import_segments", "house", str(path), f"--languages={languages}")


def test_it_refuses_a_bad_file_of_systems_and_stores_nothing(tmp_path: Path) -> None:
    rows = [*SYSTEM_ROWS, ("7", "small cat", "D", "pes", "1 2")]

    with pytest.raises(CommandError, match=r"systems\.tsv, line 6: .* has no candidate 'pes'"):
        imported_project(tmp_path, systems=rows)

    assert not any(row_counts().values())


def test_it_refuses_a_bad_file_of_segments_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_rows(tmp_path / "bad.tsv", [*SEGMENT_ROWS, ("7", "a small cat")])

    with pytest.raises(Error) as refusal:
        call_command("import_segments", "house", str(path), "--languages", "en-cs")

    assert str(refusal.value) == (
        f"{path}, line 7: 2 columns where 6 are needed, separated by tabs: sentence id, "
        "source, reference, segment, candidate, token indices."
    )
    assert capsys.readouterr().out == ""
    assert not any(row_counts().values())


@pytest.mark.parametrize("kind", KINDS_OF_SEGMENTS)
def test_segments_can_be_judged_as_each_kind_of_segments(tmp_path: Path, kind: str) -> None:
    steps = ["good", "bad"] if KINDS[kind].answer.options_asked else []
    project = import_segments(
        name="house",
        languages="en-cs",
        segments=write_rows(tmp_path / "segments.tsv", SEGMENT_ROWS),
        kind=kind,
        scale=steps,
    )
    assert kind_of(project).answer.own_options == tuple(steps)


def test_steps_of_a_kind_with_its_own_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        import_segments(
            name="house",
            languages="en-cs",
            segments=write_rows(tmp_path / "segments.tsv", SEGMENT_ROWS),
            kind="acceptability",
            scale=["good", "bad"],
        )
    assert not Project.objects.exists()


# --- in a worker ------------------------------------------------------------------------------


def queued(folder: Path, settings: Any) -> Job:
    settings.MEDIA_ROOT = folder
    with new_import(
        name="house",
        languages="en-cs",
        segments=write_rows(folder / "segments.tsv", SEGMENT_ROWS),
        systems=write_rows(folder / "systems.tsv", SYSTEM_ROWS),
    ) as job:
        return job


def test_a_worker_imports_the_same_as_the_command(tmp_path: Path, settings: Any) -> None:
    job = queued(tmp_path, settings)
    assert job.project.state == Project.State.PREPARING
    assert run_job(job.pk) == Outcome.DONE
    by_worker = row_counts()
    made = Project.objects.get()
    assert made.state == Project.State.OPEN
    delete_project(made)
    by_command = imported_project(tmp_path)
    assert by_command.provenance == made.provenance
    assert row_counts() == by_worker | {"Job": 0}


def test_a_second_try_replaces_what_the_first_has_stored(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = queued(tmp_path, settings)
    monkeypatch.setattr(ready_made_segments, "SENTENCES_PER_PAGE", 1)
    pages = 0

    @contextmanager
    def one_page() -> Iterator[None]:
        nonlocal pages
        pages += 1
        # The first deletes, the second stores a page.
        if pages > 2:
            raise LeaseLost
        yield

    with pytest.raises(LeaseLost):
        import_uploaded(job, progress=lambda *_: None, writing=one_page)
    assert (Sentence.objects.count(), job.project.state) == (1, Project.State.PREPARING)
    run_job(job.pk)
    assert Sentence.objects.count() == 2
    assert Candidate.objects.count() == 6
    assert Project.objects.get().state == Project.State.OPEN


def test_the_progress_is_of_all_sentences(tmp_path: Path, settings: Any) -> None:
    job = queued(tmp_path, settings)
    reached: list[tuple[str, int, int]] = []
    import_uploaded(job, progress=lambda *now: reached.append(now), writing=nullcontext)
    assert reached == [("import", 1, 2), ("import", 2, 2)]


def test_an_import_of_files_that_were_deleted_says_so(tmp_path: Path, settings: Any) -> None:
    job = queued(tmp_path, settings)
    (tmp_path / "segments.tsv").unlink()
    assert run_job(job.pk) == Outcome.FAILED
    job.refresh_from_db()
    assert "upload them again" in job.error
    assert Project.objects.get().state == Project.State.FAILED


def test_a_page_has_few_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ready_made_segments, "MOST_ROWS", 2)
    project = imported_project(tmp_path)
    assert project.provenance["counts"]["candidates"] == Candidate.objects.count() == 6


def test_a_worker_that_stops_after_opening_the_project_changes_nothing_more(
    tmp_path: Path, settings: Any
) -> None:
    job = queued(tmp_path, settings)
    lease = claim(job.pk)
    assert lease is not None
    import_uploaded(job, progress=lambda *_: None, writing=lease.writing)
    # Killed before it completes the chunk; meanwhile someone has begun to judge.
    lease.release()
    candidates = set(Candidate.objects.values_list("pk", flat=True))
    assert run_job(job.pk) == Outcome.DONE
    assert set(Candidate.objects.values_list("pk", flat=True)) == candidates
    assert Project.objects.get().state == Project.State.OPEN
