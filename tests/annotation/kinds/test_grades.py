"""Grades on a scale of the project's own."""

from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from annotation.common.exceptions import NotPossible
from annotation.formats.errors import InputError
from annotation.import_export.archive_export import archive
from annotation.import_export.archive_import import import_project
from annotation.judging.sheet import layout_of, sheet
from annotation.kinds import KINDS, kind_of
from annotation.kinds.scales import SUGGESTED, joined_labels, step_numbers
from annotation.models import Project
from annotation.pipeline.project_copy import new_copy
from annotation.projects.administration import change_answer_options
from annotation.templatetags.judging import answer
from tests.annotation.judging.judged_next import submit_all
from tests.annotation.judging.practice_setting import practise_with
from tests.factories import assign_next, make_annotator, make_project

WHOLE = {"0 1 2 3 4 5 6": ["a b", "c d"]}


def test_labels_are_kept_one_a_line() -> None:
    assert joined_labels([" good", "bad "]) == "good\nbad"
    assert joined_labels(SUGGESTED).split("\n") == [str(grade) for grade in range(10, -1, -1)]


@pytest.mark.parametrize(
    ("labels", "numbers"),
    [
        (["10", "9", "0"], ("10", "9", "0")),
        (["5 – excellent", "4 – good"], ("5", "4")),
        (["1.5", "1"], ()),
        (["good", "2"], ()),
        (["2 errors", "2 or more"], ()),
    ],
)
def test_labels_that_begin_with_different_numbers_have_these_as_keys(
    labels: list[str], numbers: tuple[str, ...]
) -> None:
    assert step_numbers(labels) == numbers


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([], "2 to 11 steps"),
        (["good"], "2 to 11 steps"),
        (list("abcdefghijkl"), "2 to 11 steps"),
        (["good", " "], "Step 2 of the scale has no label"),
        (["good", "x" * 81], "Step 2 of the scale: use up to 80"),
        (["a\nb", "c"], "Step 1 of the scale: use up to 80 printable"),
        (["good", "bad", "good "], "the label good"),
    ],
)
def test_labels_that_cannot_be_told_apart_or_shown_are_refused(labels, message) -> None:
    with pytest.raises(InputError, match=message):
        joined_labels(labels)


@pytest.mark.django_db
@pytest.mark.databases
def test_the_database_refuses_more_than_a_hundred_options() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        make_project(kind="grades", answer_options="\n" * 100)
    assert make_project(kind="grades", answer_options="\n".join(SUGGESTED)).pk


@pytest.mark.django_db
@pytest.mark.databases
def test_steps_are_corrected_until_the_first_judgement() -> None:
    project = make_project(kind="grades", segments=WHOLE)
    change_answer_options(project=project, options=["good", "fine", "fair", "bad"])
    assignment = assign_next(make_annotator(project), project)
    with pytest.raises(NotPossible):
        change_answer_options(project=project, options=["good", "bad"])

    change_answer_options(project=project, options=["very good", "good", "fair", "bad"])

    project.refresh_from_db()
    assert kind_of(project).answer.labels == ("very good", "good", "fair", "bad")
    submit_all(assignment)
    change_answer_options(project=project, options=project.answer_options.split("\n"))
    with pytest.raises(NotPossible, match="after the first judgement"):
        change_answer_options(project=project, options=["a", "b", "c", "d"])
    with pytest.raises(NotPossible, match="no options"):
        change_answer_options(project=make_project("ranked"), options=["good", "bad"])


@pytest.mark.django_db
def test_the_number_of_steps_stays_once_there_are_gold_answers() -> None:
    project = make_project(kind="grades", segments=WHOLE)
    practise_with(project, 1)
    with pytest.raises(NotPossible):
        change_answer_options(project=project, options=["good", "bad"])


@pytest.mark.django_db
def test_a_sheet_has_the_steps_of_its_project() -> None:
    projects = [
        make_project("one", kind="grades", segments=WHOLE, answer_options="good\nbad"),
        make_project("other", kind="grades", segments=WHOLE, answer_options="a\nb\nc"),
    ]
    assert [kind_of(project).answer.labels for project in projects] == [
        ("good", "bad"),
        ("a", "b", "c"),
    ]
    assignments = [assign_next(make_annotator(project), project) for project in projects]
    assert [list(sheet(each).segments[0].ranks) for each in assignments] == [[1, 2], [1, 2, 3]]
    layout = layout_of(assignments[1].pk)
    assert layout is not None
    assert kind_of(layout).answer.ranks(1) == 3
    assert KINDS["grades"].answer.labels == ()


@pytest.mark.parametrize(
    ("kind", "rank", "shown"),
    [("segment_ranking", 3, 3), ("adequacy", 2, "Most meaning"), ("direct_assessment", 1, 100)],
)
def test_a_stored_rank_is_shown_as_the_answer_that_it_means(kind, rank, shown) -> None:
    assert answer(rank, KINDS[kind]) == shown


@pytest.mark.django_db
def test_copies_and_archives_keep_the_steps(tmp_path: Path) -> None:
    project = make_project(kind="grades", segments=WHOLE)
    copied = new_copy(project=project, name="Copy", by=make_annotator(project)).project
    assert copied.answer_options == project.answer_options
    path = tmp_path / "archive"
    path.write_bytes(b"".join(archive(project)))
    assert import_project(path=path, name="restored").answer_options == "good\nfair\nbad"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "labels", "message"),
    [
        ("grades", "", "line 2: Give 2 to 11 steps"),
        ("grades", "good\n bad", "not written as"),
        ("adequacy", "good\nbad", "no options of its own"),
    ],
)
def test_an_archive_with_other_steps_is_refused(tmp_path, kind, labels, message) -> None:
    project = make_project(kind="grades", segments=WHOLE)
    project.kind, project.answer_options = kind, labels
    path = tmp_path / "archive"
    path.write_bytes(b"".join(_archive_of(project)))
    with pytest.raises(InputError, match=message):
        import_project(path=path, name="restored")
    assert Project.with_hidden.count() == 1


def _archive_of(project: Project) -> list[bytes]:
    """Return the lines of an archive whose project was not stored like this."""
    from annotation.formats.archive import archive_lines
    from annotation.formats.archive_records import ProjectRecord

    fields = {name: getattr(project, name) for name in ProjectRecord.__struct_fields__}
    return list(archive_lines([ProjectRecord(**fields)]))


@pytest.mark.django_db
def test_the_command_takes_the_steps(tmp_path: Path) -> None:
    (tmp_path / "source").write_text("we saw it .\n")
    (tmp_path / "a").write_text("viděli jsme to .\n")
    arguments = ["create_project", "News", "--languages", "en-cs", "--kind", "grades"]
    arguments += ["--source", str(tmp_path / "source"), "--system", f"A={tmp_path / 'a'}"]
    with pytest.raises(Exception, match="2 to 11 steps"):
        call_command(*arguments)
    call_command(*arguments, "--step", "good", "--step", "bad", "--queue")
    assert kind_of(Project.objects.get()).answer.labels == ("good", "bad")
