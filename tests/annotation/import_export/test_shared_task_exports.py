"""Exports in the formats of WMT's campaigns: our own readers find the same judgements in them."""

import csv
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from annotation.formats.errors import InputError
from annotation.formats.shared_task_files import (
    JudgedText,
    Screen,
    WmtForm,
    check_ranking_names,
    form_line,
    ranking_row,
)
from annotation.formats.wmt import Ranked, read_five_way
from annotation.formats.wmt_forms import Answer, Chosen, Graded, RankingScreen, read_screens
from annotation.import_export.export_formats import pieces_of
from annotation.kinds import KINDS
from annotation.models import Assignment, Project, User
from evaluation.formats.assessments import read_assessments
from evaluation.formats.error_span_scores import CONTROL, counted, read_span_scores
from evaluation.formats.file_kinds import kind_of
from evaluation.stats.assessment.items import ItemType
from tests.annotation.kinds.assessed_project import assess_all, prepared
from tests.evaluation.projects import show, submit
from tests.factories import make_annotator, make_project

# A and B produced a candidate each.
SEGMENTS = {"0 1 2": ("starý dům", "stará dům")}


def judged(kind: str, answers: list[list[int | None]], name: str = "houses") -> Project:
    """Return a project with answers about A and B, a sentence each; B is shown first."""
    project = make_project(name, kind=kind, segments=SEGMENTS, sentences=len(answers))
    project.sentences.filter(number=1).update(document="talk #1")
    annotator = make_annotator(project, "jana, ml.")
    for number, ranks in enumerate(answers, start=1):
        steps = KINDS[kind].answer.worst
        assignment = submit(project, annotator, number, {"0 1 2": ranks}, steps=steps)
        show(assignment, {"0 1 2": [2, 1]})
    return project


def exported(project: Project, name: str, folder: Path) -> Path:
    file = folder / name
    file.write_text("".join(map(str, pieces_of(project, name))))
    return file


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "type_name"),
    [("sentence_ranking", "RANK"), ("constituents_in_context", "CONSTITUENT")],
)
def test_rankings_are_read_from_forms(kind: str, type_name: str, tmp_path: Path) -> None:
    file = exported(judged(kind, [[1, 2], [2, 2], [1, None]]), "wmt-forms", tmp_path)
    assert kind_of(file).kind == "wmt-forms"
    screens = list(read_screens(file))
    assert {(screen.kind, screen.pair, screen.annotator, screen.seconds) for screen in screens} == {
        (type_name, "en-cs", "jana, ml.", 60)
    }
    assert [(screen.item, screen.domain) for screen in screens] == [
        (1, "talk #1"),
        (2, ""),
        (3, ""),
    ]
    # Ranks have no gaps, and Garbage is the last.
    assert [isinstance(screen, RankingScreen) and screen.ranked for screen in screens] == [
        (Ranked(("B",), b), Ranked(("A",), a)) for a, b in ((1, 2), (1, 1), (1, 2))
    ]


@pytest.mark.django_db
def test_grades_and_answers_are_read_from_forms(tmp_path: Path) -> None:
    def screen(kind: str, steps: list[int | None]):
        project = judged(kind, [steps], kind)
        (found,) = read_screens(exported(project, "wmt-forms", tmp_path))
        return found

    assert screen("adequacy", [1, 5]).graded == (Graded("B", 1, None), Graded("A", 5, None))
    assert screen("fluency", [2, 3]).graded == (Graded("B", None, 3), Graded("A", None, 4))
    assert screen("acceptability", [1, 2]).chosen == (
        Chosen("B", "", Answer.NOT_SURE),
        Chosen("A", "", Answer.YES),
    )


@pytest.mark.django_db
def test_five_way_rankings_are_read(tmp_path: Path) -> None:
    project = judged("sentence_ranking", [[1, 2], [None, 2]])
    (first, second) = read_five_way(exported(project, "wmt-five", tmp_path))
    assert (first.pair, first.document, first.sentence) == ("en-cs", "talk #1", 1)
    assert first.ranked == (Ranked(("B",), 2), Ranked(("A",), 1))
    assert second.ranked == (Ranked(("B",), 1), Ranked(("A",), 2))


@pytest.mark.django_db
def test_assessments_are_read(tmp_path: Path) -> None:
    project = judged("direct_assessment", [[1, 101], [28, 41]])
    repeat = submit(
        project, Assignment.objects.earliest("pk").annotator, 2, {"0 1 2": [30, 40]}, steps=101
    )
    Assignment.objects.filter(pk=repeat.pk).update(kind=Assignment.Kind.INTRA)
    file = exported(project, "da", tmp_path)
    assert kind_of(file).kind == "appraise"
    found = read_assessments([file]).assessments
    rows = zip(
        (found.segment_names[code] for code in found.segments),
        (found.system_names[code] for code in found.systems),
        found.types.tolist(),
        found.scores.tolist(),
        strict=True,
    )
    assert sorted(rows) == [
        ("houses::2", "A", ItemType.OUTPUT, 73),
        ("houses::2", "A", ItemType.REPEAT, 71),
        ("houses::2", "B", ItemType.OUTPUT, 60),
        ("houses::2", "B", ItemType.REPEAT, 61),
        ("talk -1::1", "A", ItemType.OUTPUT, 100),
        ("talk -1::1", "B", ItemType.OUTPUT, 0),
    ]
    assert set(found.seconds.tolist()) == {60}


@pytest.mark.django_db
@pytest.mark.parametrize(("kind", "name"), [("direct_assessment", "da"), ("error_spans", "esa")])
def test_repeats_and_control_items_have_their_types(kind: str, name: str, tmp_path: Path) -> None:
    project = prepared(tmp_path, kind=kind, batches=True)
    assess_all(make_annotator(project), project)
    of_kind = Assignment.objects.filter(project=project).values_list("kind", flat=True)
    file = exported(project, name, tmp_path)
    types: Counter[str] = Counter()
    for columns in csv.reader(file.read_text().splitlines()):
        types[columns[3]] += 1
        assert 1 <= int(columns[2]) <= 6
        assert columns[1] in "ABCD"
    # The first two systems have the same texts, so that judgements of them are two lines.
    assert set(types) == {"TGT", "CHK", "REF", "BAD"}
    assert types["TGT"] == 6 * 4
    assert len(of_kind) < sum(types.values()) <= 2 * len(of_kind)
    if name == "da":
        assert len(read_assessments([file]).assessments) > 0
    else:
        judgements = list(read_span_scores(file))
        assert Counter(one.type for one in judgements) == types
        kept = counted(judgements)
        assert len(kept.judgements) == types["TGT"]
        assert kept.left_out == {CONTROL: sum(types.values()) - types["TGT"]}


@pytest.mark.django_db
def test_cells_of_forms_are_no_formulas(tmp_path: Path) -> None:
    project = judged("sentence_ranking", [[1, 2]])
    project.systems.filter(name="A").update(name="=A()")
    text = exported(project, "wmt-forms", tmp_path).read_text()
    assert "\t'=A()\t" in text
    assert "\t-\t" in text


NAMES = [("A  B", "A B"), ('x"', "x"), ("=1+1", "'=1+1"), ("../x", "x.y[0]"), ("č", "c")]


def renamed(kind: str, systems: tuple[str, str], annotator: str = "=1, ml.") -> Project:
    """Return a project in which an annotator judged two systems of these names."""
    project = judged(kind, [[1, 2]])
    for name, other in zip("AB", systems, strict=True):
        project.systems.filter(name=name).update(name=other)
    User.objects.filter(username="jana, ml.").update(display_name=annotator)
    return project


@pytest.mark.django_db
@pytest.mark.parametrize("systems", NAMES)
def test_names_in_forms_are_read_as_they_are(systems: tuple[str, str], tmp_path: Path) -> None:
    (screen,) = read_screens(exported(renamed("sentence_ranking", systems), "wmt-forms", tmp_path))
    assert isinstance(screen, RankingScreen)
    assert {name for text in screen.ranked for name in text.systems} == set(systems)
    assert screen.annotator == "=1, ml."


@pytest.mark.django_db
@pytest.mark.parametrize("systems", [*NAMES[:2], NAMES[3]])
def test_names_in_csv_are_read_as_they_are(systems: tuple[str, str], tmp_path: Path) -> None:
    project = renamed("sentence_ranking", systems)
    (ranking,) = read_five_way(exported(project, "wmt-five", tmp_path))
    assert ({name for one in ranking.ranked for name in one.systems}, ranking.judge) == (
        set(systems),
        "=1, ml.",
    )
    project.delete_after = project.created
    project.save()

    scored = renamed("direct_assessment", systems)
    found = read_assessments([exported(scored, "da", tmp_path)]).assessments
    assert (set(found.system_names), found.annotator_names) == (set(systems), ("=1, ml.",))


@pytest.mark.django_db
def test_a_name_that_a_ranking_cannot_have_is_refused_before_anything_is_written() -> None:
    pieces = pieces_of(renamed("sentence_ranking", ("A+B", "D")), "wmt-five")
    with pytest.raises(InputError, match="another meaning"):
        next(pieces)


@pytest.mark.django_db
def test_an_annotator_with_a_tab_is_refused_before_anything_is_written() -> None:
    pieces = pieces_of(renamed("sentence_ranking", ("A", "B"), "ja\tna"), "wmt-forms")
    with pytest.raises(InputError, match="tab"):
        next(pieces)


@pytest.mark.django_db
def test_two_documents_do_not_become_one(tmp_path: Path) -> None:
    project = judged("direct_assessment", [[1, 2], [2, 2], [1, 1]])
    for number, document in enumerate(("talk #1", "talk -1", "Talk -1"), start=1):
        project.sentences.filter(number=number).update(document=document)
    segments = read_assessments([exported(project, "da", tmp_path)]).assessments.segment_names
    assert [name.partition("::")[0] for name in segments] == ["talk -1--2", "talk -1", "Talk -1"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "name"),
    [("segment_ranking", "da"), ("adequacy", "wmt-five"), ("direct_assessment", "wmt-forms")],
)
def test_other_kinds_do_not_have_these_formats(kind: str, name: str) -> None:
    with pytest.raises(InputError, match=name):
        pieces_of(make_project(kind=kind), name)


def screen_of(*texts: JudgedText) -> Screen:
    submitted = datetime(2024, 5, 1, tzinfo=UTC)
    return Screen("en-GB", "", "", 7, "jana", submitted, None, texts)


def test_systems_with_one_text_have_columns_of_their_own_in_forms() -> None:
    line = form_line(
        screen_of(JudgedText(("A", "B"), 4), JudgedText(("C",), None)), WmtForm("RANK")
    )
    assert line == "WMT09 en-und\tRANK\t7\tjana\t\tA\t1\t-\tB\t1\t-\tC\t2\t-\n"


def test_systems_with_one_text_are_joined_in_rankings() -> None:
    row = ranking_row(screen_of(JudgedText(("A", "B"), 4), JudgedText(("C",), None)))
    assert row[6:10] == (1, "A+B", 2, "C")
    assert row[16:] == (1, 2, -1, -1, -1)


def test_ranks_in_forms_have_no_gaps_and_keep_their_order() -> None:
    texts = [JudgedText((name,), rank) for name, rank in (("A", 9), ("B", 101), ("C", 2))]
    line = form_line(screen_of(*texts), WmtForm("RANK"))
    assert line.split("\t")[5:] == [*("A", "2", "-"), *("B", "3", "-"), *("C", "1", "-\n")]


def test_names_that_mean_something_else_in_rankings_are_refused() -> None:
    for name in ("A+B", "blank"):
        with pytest.raises(InputError, match="another meaning"):
            check_ranking_names(["A", name])
    with pytest.raises(InputError, match="6 texts"):
        ranking_row(screen_of(*(JudgedText((name,), 1) for name in "ABCDEF")))
