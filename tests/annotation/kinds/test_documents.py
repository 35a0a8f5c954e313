"""Whole documents: how they become sheets, and what annotators see and answer."""

from collections import Counter
from uuid import uuid4

import pytest
from django.urls import reverse

from annotation.formats.errors import InputError
from annotation.import_export.archive_export import archive
from annotation.import_export.archive_import import import_project
from annotation.judging import practice
from annotation.judging.annotator import load_annotator
from annotation.judging.assignment import assign_next as assign
from annotation.judging.control_items import control_outcomes, make_controls
from annotation.judging.errors import LookAgain
from annotation.judging.given_errors import given_details
from annotation.judging.sheet import cards_of, sheet
from annotation.judging.submission import submit
from annotation.models import (
    Assignment,
    Candidate,
    Judgement,
    Projection,
    Segment,
    Sentence,
    ShownSystem,
)
from annotation.models.results import judgement_counts
from annotation.pipeline.unit_preparation import preparation_of
from annotation.projects.deletion import delete_project
from annotation.projects.given_errors import store_given_errors
from annotation.projects.instructions import write_instructions
from tests.annotation.kinds.document_project import judge, prepared
from tests.factories import assign_next, make_annotator

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


def paragraphs_of(shown):
    """Return the segments that have a paragraph, with it."""
    return [(one, one.paragraph) for one in shown.segments if one.paragraph]


def heads(project):
    return project.sentences.filter(sheet=None, purpose="judge").order_by("number")


def rows_of(head):
    return [head, *head.further_rows.order_by("number")]


def test_each_system_has_a_sheet_of_each_document(tmp_path):
    project = prepared(tmp_path)
    sheets = Counter(
        (head.document, len(rows_of(head)), systems_of(head)) for head in heads(project)
    )
    assert sheets == Counter(
        {
            (document, size, (system,)): 1
            for document, size in (("news 1", 3), ("talk 2", 2), ("note 3", 1))
            for system in "ABC"
        }
    )


def sheets_of(annotator, project):
    """Yield the annotator's assignments; each is submitted before the next is asked for."""
    while assignment := assign(of_project(annotator, project)):
        yield assignment


def of_project(annotator, project):
    found = load_annotator(annotator, project.pk)
    assert found
    return found


def systems_of(head):
    rows = Projection.objects.filter(segment__sentence__in=rows_of(head), candidate__isnull=False)
    return tuple(sorted(set(rows.values_list("system__name", flat=True))))


def test_long_documents_are_cut_into_equal_parts(tmp_path):
    project = prepared(tmp_path, documents=("long",) * 7, sheet_paragraphs=3)
    sizes = Counter(len(rows_of(head)) for head in heads(project))
    assert sizes == {2: 6, 3: 3}


def test_a_document_can_be_judged_as_a_whole_too(tmp_path):
    project = prepared(tmp_path, rate_documents=True)
    whole = Segment.objects.filter(of_document=True, sentence__document="news 1")
    assert {one.candidates.get().text for one in whole} == {
        f"{system} has 1 .\n{system} has 2 .\n{system} has 3 ." for system in "ABC"
    }
    annotator = make_annotator(project)
    shown = sheet(assign_next(annotator, project))
    assert [segment.of_document for segment in shown.segments][-1:] == [True]
    assert all(segment.paragraph for segment in shown.segments[:-1])


def test_a_sheet_has_its_texts_beside_each_paragraph(tmp_path):
    project = prepared(tmp_path, missing=("A", 2))
    annotator = make_annotator(project)
    seen = {}
    for assignment in sheets_of(annotator, project):
        shown = sheet(assignment)
        texts = [
            (paragraph.source, [card.text for card in segment.cards])
            for segment, paragraph in paragraphs_of(shown)
        ]
        left_out = [one.source for segment in shown.segments for one in segment.untranslated]
        seen[assignment.sentence.document, texts[0][1][0][:1]] = texts, left_out
        judge(annotator, assignment)
    assert len(seen) == 9
    texts, left_out = seen["news 1", "A"]
    assert texts == [
        ("Source of line 1 .", ["A has 1 ."]),
        ("Source of line 3 .", ["A has 3 ."]),
    ]
    assert left_out == ["Source of line 2 ."]
    assert Judgement.objects.filter(judgement_counts()).count() == 17


def test_a_part_shows_what_comes_before_it(tmp_path):
    project = prepared(tmp_path, documents=("long",) * 4, sheet_paragraphs=2)
    annotator = make_annotator(project)
    earlier = {}
    for assignment in sheets_of(annotator, project):
        shown = sheet(assignment)
        earlier[shown.segments[0].cards[0].text] = [
            (one.source, list(one.translations.values())) for one in shown.earlier
        ]
        judge(annotator, assignment)
    assert earlier["A has 1 ."] == []
    assert earlier["B has 3 ."] == [
        ("Source of line 1 .", ["B has 1 ."]),
        ("Source of line 2 .", ["B has 2 ."]),
    ]


def test_systems_stand_side_by_side_in_columns_of_their_own(tmp_path):
    project = prepared(tmp_path, kind="contrastive_error_spans", alike=(2,), missing=("A", 3))
    assert heads(project).count() == 3
    annotator = make_annotator(project)
    for assignment in sheets_of(annotator, project):
        shown = sheet(assignment)
        columns = dict(assignment.shown_systems.values_list("system__name", "column"))
        assert sorted(columns.values()) == [1, 2, 3]
        for segment, paragraph in paragraphs_of(shown):
            line = paragraph.line
            keys = {card.text: int(card.key.split("-")[1]) for card in segment.cards}
            if line == 2:
                assert keys == {"All has 2 .": 1}
                assert [(one.column, one.same_as) for one in segment.shared] == [(2, 1), (3, 1)]
            else:
                systems = "BC" if line == 3 else "ABC"
                assert keys == {f"{name} has {line} .": columns[name] for name in systems}
                missing = [(columns["A"], 0)] if line == 3 else []
                assert [(one.column, one.same_as) for one in segment.shared] == missing
        # What the page shows again is the same.
        again = sheet(Assignment.objects.get(pk=assignment.pk))
        assert [one.cards for one in again.segments] == [one.cards for one in shown.segments]
        assert [one.shared for one in again.segments] == [one.shared for one in shown.segments]
        judge(annotator, assignment)


@pytest.mark.parametrize("kind", ["document_error_spans", "contrastive_error_spans"])
def test_an_archive_has_documents_and_their_judgements(tmp_path, kind):
    project = prepared(tmp_path, kind=kind, rate_documents=True, alike=(2,))
    annotator = make_annotator(project)
    number = heads(project)[0].number
    cards: dict[str, int | None] = {}
    for segment in practice.answer_sheet(heads(project)[0], project).segments:
        cards |= {card.key: 31 for card in segment.cards}
    practice.make_practice(project=project, number=number, choices=cards, explanations={})
    make_controls(project=project, count=1, seed=1)
    judge(annotator, assign_next(annotator, project))
    assign_next(annotator, project)
    path = tmp_path / "archive"
    path.write_bytes(b"".join(archive(project)))
    restored = import_project(path=path, name="Again")
    again = b"".join(archive(restored)).splitlines()
    assert again[2:-1] == path.read_bytes().splitlines()[2:-1]
    delete_project(restored)
    assert not Sentence.objects.filter(project=restored.pk).exists()


def test_practice_copies_the_whole_document(tmp_path):
    project = prepared(tmp_path, rate_documents=True)
    head = heads(project).filter(document="news 1")[0]
    shown = practice.answer_sheet(head, project)
    choices = {card.key: 21 for segment in shown.segments for card in segment.cards}
    assert len(choices) == 4
    made = practice.make_practice(
        project=project, number=head.number, choices=choices, explanations={0: "Read."}
    )
    assert [row.copy_of_id for row in rows_of(made)] == [row.pk for row in rows_of(head)]
    assert practice.answers(made, project) == (choices, ["Read.", "", "", ""])
    assert list(practice.practice_sentences(project)) == [made]
    annotator = make_annotator(project)
    practised = assign_next(annotator, project, practise=True)
    assert practised.sentence == made
    assert len(cards_of(practised.pk)) == 4
    judge(annotator, practised, score=80)
    assert practice.retire(
        project=project, purpose=Sentence.Purpose.PRACTICE, number=made.number, retired=True
    )
    assert all(row.retired for row in project.sentences.filter(purpose="practice"))


def test_a_control_document_has_degraded_paragraphs(tmp_path):
    project = prepared(tmp_path)
    annotator = make_annotator(project)
    control = make_controls(project=project, count=9, seed=1)[0]
    changed = [row for row in rows_of(control) if row.segments.get().candidates.count() == 2]
    assert len(changed) == 1
    project.control_rate = 0.5
    project.save()
    for assignment in sheets_of(annotator, project):
        degraded = assignment.kind == Assignment.Kind.CONTROL
        judge(annotator, assignment, score=60 if degraded else 80)
    outcomes = list(control_outcomes(project))
    assert outcomes
    assert all(outcome.passed for outcome in outcomes)


def test_a_control_sheet_has_one_more_column(tmp_path):
    project = prepared(tmp_path, kind="contrastive_error_spans")
    make_controls(project=project, count=3, seed=1)
    project.control_rate = 1
    project.save()
    annotator = make_annotator(project)
    for assignment in sheets_of(annotator, project):
        if assignment.kind == Assignment.Kind.CONTROL:
            break
        judge(annotator, assignment)
    shown = sheet(assignment)
    assert list(shown.columns) == [1, 2, 3, 4]
    assert ShownSystem.objects.filter(assignment=assignment).count() == 3
    assert all(len(segment.cards) == 4 for segment in shown.segments)
    with pytest.raises(LookAgain):
        judge(annotator, assignment)
    judge(annotator, assignment)
    assignment.refresh_from_db()
    assert assignment.aids == {"second_try": True}
    # Equal scores do not pass.
    assert [outcome.passed for outcome in control_outcomes(project)] == [False] * len(
        shown.segments
    )


@pytest.mark.parametrize("kind", ["document_sqm", "contrastive_error_spans", "document_ranking"])
def test_the_page_of_a_document_is_judged_without_a_script(client, tmp_path, kind):
    project = prepared(tmp_path, kind=kind, rate_documents=True)
    annotator = make_annotator(project)
    client.force_login(annotator)
    page = client.get(reverse("judge", args=[project.pk])).content.decode()
    assert page.count('class="paragraph"') >= 1
    assignment = Assignment.objects.get(annotator=annotator)
    fields = {"assignment": assignment.pk, "token": "c6a3d9b2-1c1a-4a7c-8f0e-111111111111"}
    for key in cards_of(assignment.pk):
        fields |= {f"card-{key}": "1", f"score-{key}": "90"}
    response = client.post(reverse("judge", args=[project.pk]), fields)
    assert response.status_code == 302
    assignment.refresh_from_db()
    assert assignment.state == Assignment.State.SUBMITTED


def test_instructions_for_documents_stand_above_them(client, tmp_path):
    project = prepared(tmp_path)
    owner = make_annotator(project, "owner", "owner")
    text = "Read all.\n\n# Documents: talk\nSpeech is informal."
    write_instructions(project=project, author=owner, text=text)
    annotator = make_annotator(project)
    client.force_login(annotator)
    above = {}
    for assignment in sheets_of(annotator, project):
        page = client.get(reverse("judge", args=[project.pk])).content.decode()
        above[assignment.sentence.document] = "Speech is informal." in page
        assert "Read all." in page
        judge(annotator, assignment)
    assert above == {"news 1": False, "talk 2": True, "note 3": False}


def test_each_paragraph_marks_the_words_aligned_in_it(tmp_path):
    project = prepared(tmp_path, highlights=True)
    annotator = make_annotator(project)
    shown = sheet(assign_next(annotator, project))
    for segment, paragraph in paragraphs_of(shown):
        assert paragraph.words
        assert paragraph.words.places == "6 2 4 1 1"
        links = segment.cards[0].words
        assert links
        assert links.links
        assert links.links.count(" ") == 3


def test_an_archive_keeps_the_columns_of_a_control_sheet(tmp_path):
    project = prepared(tmp_path, kind="contrastive_error_spans")
    make_controls(project=project, count=3, seed=1)
    project.control_rate = 1
    project.save()
    for number in range(4):
        # The order of columns differs.
        annotator = make_annotator(project, f"annotator{number}")
        for assignment in sheets_of(annotator, project):
            if assignment.kind == Assignment.Kind.CONTROL:
                break
            judge(annotator, assignment)
    path = tmp_path / "archive"
    path.write_bytes(b"".join(archive(project)))
    restored = import_project(path=path, name="Again")
    assert columns_of_controls(restored) == columns_of_controls(project) != []


def columns_of_controls(project):
    found = []
    for assignment in project.assignments.filter(kind="control").order_by("pk"):
        columns = assignment.shown_systems.order_by("column")
        found.append(list(columns.values_list("system__name", "column")))
    return found


def test_an_archive_has_marks_in_the_source_of_each_paragraph(tmp_path):
    project = prepared(tmp_path, kind="document_mqm")
    shorter = project.sentences.filter(text="Source of line 1 .")
    Segment.objects.filter(sentence__in=shorter).update(token_indices="0 1")
    shorter.update(text="Hi .", tokens="0-2 3-4")
    annotator = make_annotator(project)
    for assignment in sheets_of(annotator, project):
        first, *others = cards_of(assignment.pk)
        mark = {others[0]: "source 0-6 minor Accuracy/Omission"} if others else {}
        submit(
            annotator=annotator,
            project=project,
            assignment_id=assignment.pk,
            token=str(uuid4()),
            choices={key: 1 for key in (first, *others) if key not in mark},
            details=mark,
        )
    path = tmp_path / "archive"
    path.write_bytes(b"".join(archive(project)))
    assert import_project(path=path, name="Again").assignments.count() == 9


def test_documents_are_ranked_in_groups_of_two_or_more(tmp_path):
    project = prepared(tmp_path, kind="document_ranking", sheet_systems=2, alike=(2,))
    assert all(len(systems_of(head)) == 3 for head in heads(project))
    annotator = make_annotator(project)
    shown = {
        assignment.sentence.document: sheet(assignment)
        for assignment in first_three(annotator, project)
    }
    # Nothing is asked about a paragraph that all translated alike, but it can be read.
    (paragraph,) = [one for segment in shown["news 1"].segments for one in segment.untranslated]
    assert list(paragraph.texts) == ["All has 2 ."]
    with pytest.raises(InputError, match="nothing to rank"):
        preparation_of(project).check_added(project)


def first_three(annotator, project):
    for _number, assignment in zip(range(3), sheets_of(annotator, project), strict=False):
        yield assignment
        judge(annotator, assignment)


def test_a_degraded_copy_of_a_document_shows_what_its_original_was_given(tmp_path):
    project = prepared(tmp_path, rate_documents=True)
    paragraphs = Candidate.objects.filter(
        segment__sentence__project=project, segment__of_document=False
    )
    given = dict.fromkeys(paragraphs.values_list("pk", flat=True), "0-1 major")
    store_given_errors(project=project, name="program", by="program", details=given)
    make_controls(project=project, count=9, seed=1)
    project.control_rate = 0.5
    project.save()
    annotator = make_annotator(project)
    whole: dict[str, set[str | None]] = {"first": set(), "control": set()}
    for assignment in sheets_of(annotator, project):
        details = given_details(assignment, cards_of(assignment.pk))
        last = [
            segment.cards[0].key for segment in sheet(assignment).segments if segment.of_document
        ]
        whole[assignment.kind] |= {details.get(key) for key in last}
        judge(annotator, assignment)
    assert whole == {"first": {None}, "control": {None}}
