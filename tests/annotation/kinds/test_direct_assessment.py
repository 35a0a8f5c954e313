"""Direct assessment: each different translation of a sentence is a sheet of its own."""

from itertools import pairwise
from pathlib import Path

import pytest

from annotation.formats.errors import InputError
from annotation.import_export.archive_export import archive
from annotation.import_export.archive_import import import_project
from annotation.judging.queue import sentences_to_judge
from annotation.judging.sheet import sheet
from annotation.models import Candidate, Job, Project, Projection
from annotation.pipeline.jobs import Outcome
from annotation.pipeline.system_candidates import project_new_system
from annotation.projects.deletion import delete_project
from annotation.projects.documents import set_documents
from annotation.projects.provenance import MergeCounts
from annotation.selectors import judgements
from annotation.selectors.project_contents import project_contents
from annotation.selectors.sentence_history import system_translations
from annotation.selectors.sentence_list import (
    SentenceFilters,
    listed_sentences,
    neighbours,
    sentence_rows,
)
from tests.annotation.import_export.exchange_files import row_counts
from tests.annotation.kinds.assessed_project import assess, assess_all, new_job, prepared
from tests.annotation.pipeline.system_files import store
from tests.factories import assign_next, make_annotator
from tests.jobs import run_job

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return prepared(tmp_path)


def lines_of(project: Project) -> list[int]:
    rows = sentences_to_judge(project).order_by("number")
    return [row.source_number for row in rows]


def test_each_different_translation_has_a_sentence_of_its_line(project: Project) -> None:
    assert lines_of(project) == [1, 2, 3, 4, 5, 6] * 3
    for sentence in project.sentences.all():
        texts = Candidate.objects.filter(segment__sentence=sentence)
        assert texts.count() == 1
        assert sentence.translations.filter(system=None).count() == 1
    merged = Candidate.objects.filter(projections__system__name="A", projections__segment__gt=0)
    for candidate in merged.distinct():
        producers = candidate.projections.values_list("system__name", flat=True)
        assert sorted(producers) == ["A", "B"]
    # Whole translations stay with the lines.
    assert project.sentences.filter(translations__system__name="C", source_line=None).count() == 6


def test_lines_are_counted_as_sentences_and_their_translations_follow_each_other(
    project: Project,
) -> None:
    summary = judgements.project_summary(project)
    assert (summary.sentences, summary.candidates) == (6, 18)
    assert project.provenance["counts"]["sentences"] == 6
    assert project_contents(project).sentences == 6
    filters = SentenceFilters()
    rows = sentence_rows(project, [one.pk for one in listed_sentences(project, filters)])
    assert [row.sentence.source_number for row in rows] == sorted([1, 2, 3, 4, 5, 6] * 3)
    assert {tuple(row.systems) for row in rows[:3]} == {("A", "B"), ("C",), ("D",)}
    assert len({row.translation for row in rows}) == 18
    assert listed_sentences(project, SentenceFilters(words="6")).count() == 3
    first, second, third = (row.sentence.number for row in rows[:3])
    assert neighbours(project, filters, second) == (first, third)
    assert len(system_translations(rows[2].sentence)) == 4


def test_preparing_again_stores_the_same(tmp_path: Path) -> None:
    job = new_job(tmp_path, batches=True)
    assert run_job(job.pk) is Outcome.DONE
    rows = ("number", "source_line", "purpose", "segments__candidates__text")
    first = sorted(map(str, job.project.sentences.values_list(*rows)))
    Job.objects.filter(pk=job.pk).update(state=Job.State.QUEUED, stage="", stages=[])
    Project.objects.filter(pk=job.project_id).update(state=Project.State.PREPARING)
    assert run_job(job.pk) is Outcome.DONE
    assert sorted(map(str, job.project.sentences.values_list(*rows))) == first


@pytest.mark.parametrize(
    ("kind", "source", "reference"),
    [
        ("direct_assessment", False, True),
        ("direct_assessment_source", True, False),
        ("direct_assessment_fluency", False, False),
        ("direct_assessment_sqm", True, False),
    ],
)
def test_a_variant_shows_what_it_asks_about(
    tmp_path: Path, kind: str, source: bool, reference: bool
) -> None:
    project = prepared(tmp_path, kind=kind)
    # The setting hides no reference that translations are compared with.
    Project.objects.update(shown_references="none")
    project.refresh_from_db()
    shown = sheet(assign_next(make_annotator(project), project))
    assert (bool(shown.source), bool(shown.references)) == (source, reference)
    assert [len(segment.cards) for segment in shown.segments] == [1]


def test_the_reference_that_annotators_need_is_required(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="reference, line 2"):
        new_job(tmp_path, reference=["one", "", "three", "four", "five", "six"])


def test_translations_of_a_line_are_no_neighbours(tmp_path: Path) -> None:
    project = prepared(tmp_path, sentences=10)
    jana = make_annotator(project)
    lines = [assess(jana, project).sentence.source_number for _item in range(20)]
    assert all(one != other for one, other in pairwise(lines))


def test_neighbours_on_the_sheet_are_lines_of_the_source(tmp_path: Path) -> None:
    project = prepared(tmp_path, kind="direct_assessment_source")
    Project.objects.update(show_neighbours=True, queue_order="document")
    project.refresh_from_db()
    jana = make_annotator(project)
    shown = {one.sentence.number: sheet(one) for one in assess_all(jana, project)}
    sources = dict(project.sentences.filter(source_line=None).values_list("number", "text"))
    for line in (6, 12, 18):
        assert (shown[line].before, shown[line].after) == (sources[5], "")


def test_an_added_system_gets_a_sentence_where_its_translation_is_new(
    project: Project, tmp_path: Path
) -> None:
    jana = make_annotator(project)
    assess_all(jana, project)
    known = (tmp_path / "C").read_text().splitlines()
    path = tmp_path / "E"
    path.write_text("\n".join([*known[:2], "", *(f"new {line}" for line in "456")]) + "\n")
    system = store(project, "E", path, tokenized=True)
    assert project_new_system(system=system) == MergeCounts(known=2, new=3, missing=1)
    new = sentences_to_judge(project).filter(number__gt=18)
    assert [(row.number, row.source_number) for row in new] == [(22, 4), (23, 5), (24, 6)]
    assert Projection.objects.filter(system=system, candidate=None).count() == 1
    # Nothing else is judged again.
    numbers = [assess(jana, project).sentence.number for _new in range(3)]
    assert sorted(numbers) == [22, 23, 24]
    assert assess_all(jana, project) == []


def test_documents_and_results_are_those_of_the_lines(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "documents"
    path.write_text("a\na\na\nb\nb\nb\n")
    set_documents(project=project, path=path)
    for sentence in project.sentences.all():
        assert sentence.document == ("a" if sentence.source_number <= 3 else "b")
    jana = make_annotator(project)
    assess_all(jana, project)
    assert sorted(row.sentence for row in judgements.judgements(project)) == sorted(
        [1, 2, 3, 4, 5, 6] * 3
    )


def test_an_archive_has_lines_batches_and_turns(tmp_path: Path) -> None:
    project = prepared(tmp_path, batches=True)
    jana = make_annotator(project)
    for _item in range(30):
        assess(jana, project)
    written = b"".join(archive(project))
    path = tmp_path / "archive"
    path.write_bytes(written)
    delete_project(project)
    left = {name for name, count in row_counts().items() if count}
    assert left <= {"User"}
    restored = import_project(path=path)
    assert b"".join(archive(restored)) == written
    delete_project(restored)
