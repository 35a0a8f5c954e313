"""Post-editing: the answer and the corrected text of each output agree, and both are stored."""

import csv
import uuid
from pathlib import Path

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from annotation.formats.tokens import TokenizedText
from annotation.import_export.archive_export import archive
from annotation.import_export.archive_import import import_project
from annotation.import_export.exports import placements
from annotation.import_export.judgement_records import judgement_records
from annotation.judging.control_items import control_outcomes, make_controls
from annotation.judging.errors import InvalidJudgement
from annotation.judging.practice import answer_sheet, make_practice
from annotation.judging.practice_comparisons import Agreed
from annotation.judging.practice_results import feedback, practice_results
from annotation.judging.sheet import current_details, sheet
from annotation.judging.submission import revise, submit
from annotation.kinds import KINDS, kind_of
from annotation.kinds.edited_text import is_as_expected, words_changed
from annotation.models import Assignment, Edit, ExpectedPlacement, Judgement, Placement, Project
from annotation.preparation.tokens import tokenizer
from annotation.projects.deletion import delete_project
from annotation.selectors.judged_sentences import judged_sentence
from tests.annotation.import_export.exchange_files import archive_file
from tests.annotation.kinds.edited_project import edited_project
from tests.factories import assign_next, make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
KIND = KINDS["post_editing"]
WHOLE = "0 1 2 3 4 5 6"
RIGHT, EDITED, UNABLE = 1, 2, 3


@pytest.fixture
def project() -> Project:
    return make_project(kind=KIND.name, sentences=1, segments={WHOLE: ["Starý dům."]})


@pytest.fixture
def assignment(project: Project) -> Assignment:
    return assign_next(make_annotator(project), project)


def answer(assignment: Assignment, rank: int, text: str | None, *, do=submit) -> None:
    do(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        token=str(uuid.uuid4()),
        choices={"1-1": rank},
        details={} if text is None else {"1-1": text},
    )


def test_the_text_is_shown_alone(assignment: Assignment) -> None:
    shown = sheet(assignment)
    assert (shown.source, shown.references, shown.before, shown.after) == ("", [], "", "")
    assert shown.segments[0].cards[0].text == "Starý dům."


@pytest.mark.parametrize(
    ("rank", "text", "stored"),
    [
        (EDITED, " Starý\u00a0 malý\ndomek.\n", ["Starý\u00a0 malý domek."]),
        # Forms without a script have the text of the output.
        (RIGHT, "Starý dům.", []),
        (RIGHT, None, []),
        (UNABLE, "Starý domek.", []),
    ],
)
def test_only_an_edited_text_is_stored(assignment, rank, text, stored) -> None:
    answer(assignment, rank, text)
    assert list(Edit.objects.values_list("text", flat=True)) == stored
    assert list(current_details(assignment).values()) == stored


@pytest.mark.parametrize(
    ("rank", "text"),
    [
        (EDITED, None),
        (EDITED, "Starý dům."),
        (EDITED, " Starý dům. "),
        (EDITED, "a" * 20_001),
        (RIGHT, "Starý domek."),
    ],
)
def test_an_answer_that_contradicts_the_text_is_refused(assignment, rank, text) -> None:
    with pytest.raises(InvalidJudgement):
        answer(assignment, rank, text)
    assert not Placement.objects.exists()


def test_a_revision_has_a_text_of_its_own(assignment: Assignment) -> None:
    answer(assignment, EDITED, "Domek.")
    answer(assignment, EDITED, "Starý domek.", do=revise)
    assert current_details(assignment) == {"1-1": "Starý domek."}
    assert Edit.objects.count() == 2


@pytest.mark.parametrize("text", ["", "a" * 20_001])
def test_the_database_refuses_texts_without_words_or_end(assignment, text) -> None:
    answer(assignment, RIGHT, None)
    with pytest.raises(IntegrityError), transaction.atomic():
        Edit.objects.create(placement=Placement.objects.get(), text=text)


def test_edits_are_exported_restored_and_deleted(
    project: Project, assignment: Assignment, tmp_path
) -> None:
    answer(assignment, EDITED, "Starý domek.")
    [row] = csv.DictReader("".join(placements(project)).splitlines())
    assert (row["rank"], row["detail"]) == ("2", "Starý domek.")
    [record] = judgement_records([Judgement.objects.get().pk], kind_of(project))
    assert [one["detail"] for one in record["placements"]] == ["Starý domek."]
    path = tmp_path / "archive"
    path.write_bytes(b"".join(archive(project)))
    delete_project(project)
    assert not Edit.objects.exists()
    restored = import_project(path=path, name="restored")
    edit = Edit.objects.get(placement__candidate__segment__sentence__project=restored)
    assert edit.text == "Starý domek."


@pytest.mark.parametrize(("step", "passed"), [(RIGHT, False), (EDITED, True), (UNABLE, True)])
def test_a_degraded_text_passes_unless_it_needs_no_corrections(step, passed) -> None:
    texts = ["one two three four", "five six seven eight", "nine ten eleven twelve"]
    project = make_project(
        kind=KIND.name, sentences=4, segments={WHOLE: texts}, numbered=True, control_rate=1
    )
    make_controls(project=project, count=2, seed=1)
    jana = make_annotator(project)
    for _sentence in range(6):
        assignment = assign_next(jana, project)
        keys = [card.key for card in sheet(assignment).segments[0].cards]
        submit(
            annotator=jana,
            project=project,
            assignment_id=assignment.pk,
            token=str(uuid.uuid4()),
            choices=dict.fromkeys(keys, step),
            details=dict.fromkeys(keys, "other words") if step == EDITED else {},
        )
    outcomes = {(outcome.kind, outcome.passed) for outcome in control_outcomes(project)}
    assert outcomes == {("degraded", passed), ("duplicate", True)}


def test_administrators_see_who_made_which_text() -> None:
    found = judged_sentence(edited_project(), 1)
    assert found
    [segment] = found.segments
    assert {candidate.text: candidate.edits for candidate in segment.candidates} == {
        "Starý dům.": [("petr", "Starý domek.")],
        "Stará dům.": [("jana", "Starý dům."), ("petr", "Starý dům stojí.")],
        "Dům dům dům.": [("petr", "Tři domy.")],
    }


@pytest.mark.parametrize(
    ("rank", "text", "right"),
    [
        (EDITED, "Velký a starý dům tu stojí.", 1),
        # One word of six, and two.
        (EDITED, "Velký a starý dům zde stojí.", 1),
        (EDITED, "Velký a starý domek zde stojí.", 0),
        (RIGHT, None, 0),
        (UNABLE, None, 0),
    ],
)
def test_in_practice_a_text_is_right_that_is_near_the_gold_text(
    client, project: Project, rank: int, text: str | None, right: int
) -> None:
    client.force_login(make_annotator(project, "boss", "administrator"))
    page = reverse("new-practice", args=[project.pk])
    assert 'name="detail-1-1"' in client.get(page, {"sentence": 1}).content.decode()
    gold = "Velký a starý dům tu stojí."
    without_text = {"sentence": "1", "card-1-1": str(EDITED)}
    client.post(page, without_text)
    assert not ExpectedPlacement.objects.exists()
    client.post(page, without_text | {"detail-1-1": f" {gold} "})
    assert ExpectedPlacement.objects.get().detail == gold
    annotator = make_annotator(project)
    practised = assign_next(annotator, project, practise=True)
    answer(practised, rank, text)
    result = feedback(practised)
    assert result.score == Agreed(right, 1)
    [one] = practice_results(project).annotators
    assert (one.agreed, one.pairs) == (right, 1)
    client.force_login(annotator)
    shown = client.get(reverse("practice-feedback", args=[project.pk, practised.pk]))
    assert gold in shown.content.decode()


def test_in_practice_an_unchanged_text_is_wrong_where_one_word_is_to_be_corrected() -> None:
    output, gold = "Velký a starý dům tu stojit.", "Velký a starý dům tu stojí."
    tokenize = tokenizer("cs")
    assert not is_as_expected(output, output, gold, tokenize)
    assert is_as_expected(output, "Velký a starý dům tu stál.", gold, tokenize)
    assert is_as_expected(output, output, output, tokenize)


@pytest.mark.parametrize(
    ("text", "expected", "changed"),
    [
        ("a b c d", "a b c d", 0),
        ("a x c d", "a b c d", 0.25),
        # A mark is a word, too.
        ("a b c", "a b, c", 0.25),
        ("", "a b", 1),
        ("a b", "", 2),
    ],
)
def test_changes_are_counted_in_tokens(text: str, expected: str, changed: float) -> None:
    assert words_changed(text, expected, tokenizer("cs")) == changed


def test_without_spaces_changes_are_counted_in_the_words_of_the_tokenizer() -> None:
    def by_characters(text: str) -> TokenizedText:
        return TokenizedText(text, tuple((at, at + 1) for at in range(len(text))))

    assert words_changed("座位的宽度", "座位宽度", by_characters) == 1 / 4


def test_gold_answers_have_been_steps_without_a_text(project: Project, tmp_path: Path) -> None:
    [card] = answer_sheet(project.sentences.get(), project).segments[0].cards
    make_practice(
        project=project,
        number=1,
        choices={card.key: EDITED},
        explanations={},
        details={card.key: "Dům."},
    )
    ExpectedPlacement.objects.update(detail="")
    restored = import_project(path=archive_file(project, tmp_path), name="again")
    practised = assign_next(make_annotator(restored), restored, practise=True)
    answer(practised, EDITED, "Starý dům stojí.")
    assert feedback(practised).score == Agreed(1, 1)
    unchanged = assign_next(make_annotator(restored, "petr"), restored, practise=True)
    answer(unchanged, RIGHT, None)
    assert feedback(unchanged).score == Agreed(0, 1)
