"""Error spans with a score: marks are stored as rows, and leave as the text that they came as."""

import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from annotation.formats.errors import InputError
from annotation.formats.marked_errors import MISSING, MarkedError
from annotation.formats.pearmut import read_annotations
from annotation.formats.span_notation import Span
from annotation.import_export.archive_import import import_project
from annotation.import_export.export_formats import pieces_of
from annotation.import_export.judgement_records import judgement_records
from annotation.judging.assignment import create_assignment
from annotation.judging.control_items import control_outcomes, make_controls
from annotation.judging.drafts import draft_of, save_draft
from annotation.judging.errors import InvalidJudgement
from annotation.judging.practice import answer_sheet, gold_details, make_practice
from annotation.judging.practice_comparisons import Agreed, ComparedMarks
from annotation.judging.practice_results import feedback
from annotation.judging.sheet import cards_of, current_details, sheet
from annotation.judging.submission import revise, submit
from annotation.kinds import KINDS, kind_of
from annotation.models import (
    Assignment,
    Candidate,
    Control,
    ErrorSpan,
    Judgement,
    Placement,
    Project,
    Sentence,
)
from annotation.projects.deletion import delete_project
from annotation.projects.sentence_copies import copy_sentence
from evaluation.findings.options import ReportOptions
from evaluation.formats.error_span_scores import read_span_scores
from evaluation.services.report_kinds import make_report
from tests.annotation.import_export.exchange_files import archive_file, edit_archive, first_record
from tests.annotation.kinds.assessed_project import assess_all, prepared
from tests.factories import assign_next, make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
ESA = KINDS["error_spans"]
TEXTS = ["Starý dům stojí.", "U řeky"]
MARKED = "0-5 minor, 6-9 major, missing major"


@pytest.fixture
def project() -> Project:
    return make_project(kind=ESA.name, sentences=1, segments={"0 1 2 3 4 5 6": TEXTS})


@pytest.fixture
def assignment(project: Project) -> Assignment:
    return assign_next(make_annotator(project), project)


def keys(assignment: Assignment) -> tuple[str, str]:
    """Return the keys of the cards with the old house and the river."""
    by_text = {card.text: card.key for card in sheet(assignment).segments[0].cards}
    return by_text[TEXTS[0]], by_text[TEXTS[1]]


def answer(assignment: Assignment, details: dict[str, str], store=submit) -> None:
    store(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        token=str(uuid.uuid4()),
        choices=dict.fromkeys(cards_of(assignment.pk), ESA.answer.rank_of(70)),
        details=details,
    )


@pytest.mark.parametrize(
    ("spans", "detail"),
    [
        ([Span(0, 5, "critical"), Span(6, 9, "neutral")], "0-5 major"),
        ([Span(0, 5, "minor"), Span(3, 9, "major"), Span(9, 10, "minor")], "0-9 major, 9-10 minor"),
        (
            [Span(None, None, "minor", "missing"), Span(1, 2, "major", "source", "Omission")],
            "missing major",
        ),
        ([Span(None, None, "major", "whole", "Non-translation")], "0-16 major"),
        ([], ""),
    ],
)
def test_errors_of_other_protocols_are_given_as_annotators_could_mark_them(
    spans: list[Span], detail: str
) -> None:
    assert ESA.answer.given_detail(spans, candidate=TEXTS[0]) == detail


@pytest.mark.parametrize("span", [Span(0, 99, "minor"), Span(0, 5, "undecided")])
def test_errors_that_cannot_be_marked_are_not_given(span: Span) -> None:
    with pytest.raises(InputError):
        ESA.answer.given_detail([span], candidate=TEXTS[0])


def test_marks_are_stored_in_order(assignment: Assignment) -> None:
    house, river = keys(assignment)
    answer(assignment, {house: "missing major, 6-9 major, 0-5 minor", river: ""})
    marked = Placement.objects.get(candidate__text=TEXTS[0])
    assert [str(span) for span in marked.error_spans.order_by("pk")] == MARKED.split(", ")
    assert ErrorSpan.objects.count() == 3
    assert current_details(assignment) == {house: MARKED}


def test_source_and_reference_are_shown(assignment: Assignment) -> None:
    shown = sheet(assignment)
    assert shown.source
    assert shown.references
    assignment.project.shown_references = "none"
    assert sheet(assignment).references == []


@pytest.mark.parametrize(
    "wrong",
    [
        "0-17 minor",
        "0-5 minor, 4-6 major",
        "0-5",
        "5-5 minor",
        "0-5 critical",
        "0-5 minor Accuracy/Omission",
        "source 0-5 minor",
        "whole major",
    ],
)
def test_marks_that_do_not_fit_are_refused(assignment: Assignment, wrong: str) -> None:
    """The translation has 16 characters."""
    with pytest.raises(InvalidJudgement):
        answer(assignment, {keys(assignment)[0]: wrong})
    assert not ErrorSpan.objects.exists()


def test_a_draft_and_a_revision_have_marks(assignment: Assignment) -> None:
    house, river = keys(assignment)
    save_draft(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        base=0,
        choices={},
        details={river: "0-1 minor"},
    )
    assignment.refresh_from_db()
    assert draft_of(assignment).details == {river: "0-1 minor"}
    answer(assignment, {house: MARKED})
    answer(assignment, {river: "2-6 major"}, revise)
    assert current_details(assignment) == {river: "2-6 major"}
    assert ErrorSpan.objects.count() == 4


@pytest.mark.parametrize(
    "values",
    [
        {"start": 3, "end": 3, "severity": "minor"},
        {"start": 3, "end": None, "severity": "minor"},
        {"side": "missing", "start": None, "end": 3, "severity": "minor"},
        {"side": "missing", "start": 3, "end": 4, "severity": "minor"},
        {"start": None, "end": None, "severity": "minor"},
        {"start": 3, "end": 4, "severity": ""},
        {"start": 0, "end": 5, "severity": "major"},
        {"side": "missing", "start": None, "end": None, "severity": "minor"},
    ],
)
def test_the_database_refuses(assignment: Assignment, values: dict[str, object]) -> None:
    answer(assignment, {keys(assignment)[0]: MARKED})
    placement = Placement.objects.filter(error_spans__isnull=False).earliest("pk")
    with pytest.raises(IntegrityError), transaction.atomic():
        ErrorSpan.objects.create(placement=placement, **values)


@pytest.mark.parametrize(
    "values",
    [
        {"start": 0, "end": 9, "severity": "critical"},
        {"start": 0, "end": 5, "severity": "major", "category": "accuracy/mistranslation"},
        {"side": "source", "start": 0, "end": 5, "severity": "minor"},
        {"side": "missing", "severity": "minor", "category": "accuracy/omission"},
    ],
)
def test_the_database_has_room_for_typologies(
    assignment: Assignment, values: dict[str, object]
) -> None:
    answer(assignment, {keys(assignment)[0]: MARKED})
    placement = Placement.objects.filter(error_spans__isnull=False).earliest("pk")
    ErrorSpan.objects.create(placement=placement, **values)


def test_an_archive_restores_marks(assignment: Assignment, tmp_path: Path) -> None:
    answer(assignment, {keys(assignment)[0]: MARKED})
    file = archive_file(assignment.project, tmp_path)
    restored = import_project(path=file, name="again")
    [judgement] = Judgement.objects.filter(submission__assignment__project=restored)
    records = judgement_records([judgement.pk], kind_of(restored))
    assert [(one["systems"], one["score"], one["detail"]) for one in records[0]["placements"]] == [
        (["A"], 70, MARKED),
        (["B"], 70, ""),
    ]

    def beyond_the_text(lines: list[Any]) -> None:
        first_record(lines, "assignment")["submissions"][0]["judgements"][0]["details"] = {
            "0": "6-99 major"
        }

    edit_archive(file, beyond_the_text)
    with pytest.raises(InputError, match="6-99 major"):
        import_project(path=file, name="broken")


def test_deletion_takes_the_marks(assignment: Assignment) -> None:
    answer(assignment, {keys(assignment)[0]: MARKED})
    delete_project(assignment.project)
    assert not ErrorSpan.objects.exists()


def test_other_programs_read_the_exports(assignment: Assignment, tmp_path: Path) -> None:
    answer(assignment, {keys(assignment)[0]: MARKED})
    errors = (
        MarkedError("minor", places=((0, 5),)),
        MarkedError("major", places=((6, 9),)),
        MarkedError("major", token=MISSING),
    )
    files = {}
    for name in ESA.exports:
        files[name] = tmp_path / name
        files[name].write_text("".join(map(str, pieces_of(assignment.project, name))))
    rows = {row.system: row for row in read_span_scores(files["esa"])}
    assert {name: (row.score, row.errors) for name, row in rows.items()} == {
        "A": (70, errors),
        "B": (70, ()),
    }
    assert (rows["A"].user, rows["A"].pair, rows["A"].document) == ("jana", "en-cs", "houses")
    annotations = {row.system: row for row in read_annotations(files["pearmut"])}
    assert {name: row.errors for name, row in annotations.items()} == {
        name: row.errors for name, row in rows.items()
    }
    assert annotations["A"].output == "Starý dům stojí."


def test_other_kinds_do_not_have_these_exports() -> None:
    with pytest.raises(InputError, match="esa"):
        pieces_of(make_project(), "esa")


def test_practice_says_which_expected_errors_were_found(project: Project, tmp_path: Path) -> None:
    gold = {"Starý dům stojí.": MARKED, "U řeky": "0-1 minor"}
    shown = answer_sheet(project.sentences.get(), project).segments[0].cards
    made = make_practice(
        project=project,
        number=1,
        choices={card.key: ESA.answer.rank_of(80) for card in shown},
        explanations={},
        details={card.key: gold[card.text] for card in shown},
    )
    assert sorted(gold_details(made, project).values()) == sorted(gold.values())
    practised = assign_next(make_annotator(project), project, practise=True)
    house, river = keys(practised)
    answer(practised, {house: "4-7 minor, missing minor", river: "2-6 major"})
    result = feedback(practised)
    # The first mark touches two errors, and finds one of them.
    assert (result.errors.agreed, result.errors.pairs) == (2, 4)
    # Both scores are at most ten away.
    assert result.score == Agreed(2, 2)
    [segment] = result.segments
    assert isinstance(segment, ComparedMarks)
    by_text = {"".join(text for text, _in in card.gold): card for card in segment.marked}
    card = by_text["U řeky"]
    assert (card.found, card.expected, card.besides) == (0, 1, 1)
    assert (card.yours, card.gold) == (
        [("U ", ""), ("řeky", "major")],
        [("U", "minor"), (" řeky", "")],
    )
    assert (card.your_score, card.gold_score) == (70, 80)

    restored = import_project(path=archive_file(project, tmp_path), name="again")
    copied = restored.sentences.get(purpose="practice")
    assert sorted(gold_details(copied, restored).values()) == sorted(gold.values())


def test_wrong_gold_marks_are_refused(project: Project) -> None:
    cards = answer_sheet(project.sentences.get(), project).segments[0].cards
    with pytest.raises(InvalidJudgement):
        make_practice(
            project=project,
            number=1,
            choices={card.key: 1 for card in cards},
            explanations={},
            details={cards[0].key: "0-99 minor"},
        )


SENTENCES_OF_TWO = ["starý dům stojí u velké řeky", "dům u řeky je velmi starý"]


def answer_scores(assignment: Assignment, scores: Mapping[int, int], other: int) -> None:
    """Give each candidate (an id) its score, and the others another one."""
    submit(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        token=str(uuid.uuid4()),
        choices={
            key: ESA.answer.rank_of(
                next((scores[pk] for pk in card.candidate_ids if pk in scores), other)
            )
            for key, card in cards_of(assignment.pk).items()
        },
    )


def test_projects_of_several_translations_a_sheet_keep_their_control_sentences() -> None:
    """As all projects of this kind were before each translation had a sheet of its own."""
    project = make_project(kind=ESA.name, sentences=1, segments={"0 1 2 3 4 5 6": SENTENCES_OF_TWO})
    original = project.sentences.get()
    copied = copy_sentence(original, Sentence.Purpose.CONTROL)
    segment = copied.sentence.segments.get()
    first = segment.candidates.earliest("pk")
    changed = Candidate.objects.create(segment=segment, text="dům nese u velké řeky stojí")
    Control.objects.create(segment=segment, kind="degraded", original=first, changed=changed)
    annotator = make_annotator(project)
    shown = create_assignment(annotator, project, Assignment.Kind.CONTROL, copied.sentence, None)
    assert len(cards_of(shown.pk)) == 3
    answer_scores(shown, {changed.pk: 30, first.pk: 31}, other=10)
    assert [outcome.passed for outcome in control_outcomes(project)] == [True]


def test_a_degraded_copy_is_compared_with_the_translation_that_it_is_a_copy_of() -> None:
    """Also in a project of several translations a sheet, for which one is created now."""
    project = make_project(
        kind=ESA.name,
        sentences=6,
        segments={"0 1 2 3 4 5 6": SENTENCES_OF_TWO},
        numbered=True,
    )
    make_controls(project=project, count=4, seed=1)
    annotator = make_annotator(project)
    control = Control.objects.filter(kind="degraded").earliest("pk")
    copied = control.segment.sentence
    of_control = create_assignment(annotator, project, Assignment.Kind.CONTROL, copied, None)
    answer_scores(of_control, {}, other=30)
    assert list(control_outcomes(project)) == []
    assert copied.copy_of
    first = create_assignment(annotator, project, Assignment.Kind.FIRST, copied.copy_of, 1)
    same = Candidate.objects.get(segment__sentence=copied.copy_of, text=control.original.text)
    answer_scores(first, {same.pk: 31}, other=10)
    assert [outcome.passed for outcome in control_outcomes(project)] == [True]


def test_each_translation_is_a_sheet_and_exports_have_its_line(tmp_path: Path) -> None:
    project = prepared(tmp_path, kind=ESA.name)
    assess_all(make_annotator(project), project)
    files = {}
    for name in ESA.exports:
        files[name] = tmp_path / name
        files[name].write_text("".join(map(str, pieces_of(project, name))))
    lines = [(str(line), system) for line in range(1, 7) for system in "ABCD"]
    rows = list(read_span_scores(files["esa"]))
    assert sorted((str(row.segment), row.system) for row in rows) == lines
    annotations = list(read_annotations(files["pearmut"]))
    assert sorted((row.item_id, row.system) for row in annotations) == lines

    report = make_report(project, ReportOptions(resamples=100)).data
    assert report.judged.sentences == 6
    assert report.marked_errors is not None
    systems = report.marked_errors.by_system.systems
    # Systems are compared on the lines that they share.
    assert [row.system for row in systems][2:] == ["C", "D"]
    assert [row.cluster for row in systems] == [1, 1, 2, 3]
    assert not report.has_order
