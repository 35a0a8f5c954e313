"""Tutorials: practice with texts of their own."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.urls import reverse
from django.utils import translation

from annotation.formats.errors import InputError
from annotation.formats.tutorial_files import read_tutorial
from annotation.import_export.archive_import import import_project
from annotation.judging.errors import InvalidJudgement
from annotation.judging.practice import answers, change_answers, gold_details, practice_sentences
from annotation.judging.practice_results import feedback, practice_result, practice_results
from annotation.judging.sheet import sheet
from annotation.judging.submission import submit
from annotation.kinds import kind_of
from annotation.kinds.marked_errors import MarkedErrors
from annotation.models import Assignment, ExpectedPlacement, Project, Sentence
from annotation.projects.tutorials import (
    SHIPPED,
    add_tutorial,
    has_tutorial,
    offers_tutorial,
    shipped_pairs,
)
from tests.annotation.import_export.exchange_files import archive_file
from tests.factories import assign_next, make_annotator, make_project

MARKING = (
    "error_spans",
    "mqm",
    "document_error_spans",
    "document_mqm",
    "contrastive_error_spans",
)
pytestmark = pytest.mark.django_db


def project_of(kind: str, pair: str = "en-cs", **fields) -> Project:
    project = make_project(kind=kind, sentences=2, **fields)
    source, target = pair.split("-")
    Project.objects.filter(pk=project.pk).update(source_language=source, target_language=target)
    project.refresh_from_db()
    return project


def begin(user, project):
    """Return the annotator's next sheet."""
    project.refresh_from_db()
    return assign_next(user, project)


def gold_by_text(assignment):
    """Return the gold rank and detail of each text on the sheet."""
    rows = ExpectedPlacement.objects.filter(
        candidate__in=assignment.shown_candidates.values("candidate")
    ).select_related("candidate")
    return {row.candidate.text: (row.rank, row.detail) for row in rows}


def marked_cards(result):
    return [card for segment in result.segments for card in segment.marked]


def answer_rightly(assignment):
    page, gold = sheet(assignment), gold_by_text(assignment)
    texts = {card.key: card.text for one in page.segments for card in one.cards}
    submit(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        token=page.token,
        choices={key: gold[text][0] for key, text in texts.items()},
        details={key: gold[text][1] for key, text in texts.items()},
    )
    return page


@pytest.mark.parametrize("kind", MARKING)
@pytest.mark.parametrize("pair", shipped_pairs())
def test_every_kind_has_a_whole_tutorial_before_the_first_sheet(kind, pair):
    project = project_of(kind, pair)
    assert offers_tutorial(project)
    count = add_tutorial(project=project)
    jana = make_annotator(project)
    asks_score = isinstance(kind_of(project).answer, MarkedErrors)
    assert count == (5 if kind_of(project).unit.is_document else 9)
    for _number in range(count):
        assignment = begin(jana, project)
        assert assignment.kind == Assignment.Kind.PRACTICE
        page = answer_rightly(assignment)
        result = feedback(assignment)
        assert result.score.all_right
        assert result.errors.all_right
        assert len(result.segments) == len(page.segments)
        # A reason for each of its errors, and for each score or that there is none.
        for card in marked_cards(result):
            assert bool(card.reason) == (asks_score or not card.expected)
            assert all(error.reason for error in card.gold_errors)
    assert begin(jana, project).kind == Assignment.Kind.FIRST
    (found,) = practice_results(project).annotators
    assert (found.done, found.share) == (count, 1)


def test_systems_side_by_side_have_the_same_column_in_all_paragraphs():
    project = project_of("contrastive_error_spans")
    add_tutorial(project=project)
    assignment = begin(make_annotator(project), project)
    columns = [
        [key.partition("-")[2] for key in (card.key for card in segment.cards)]
        for segment in sheet(assignment).segments
    ]
    assert columns == [["1", "2"]] * 2
    shown = assignment.shown_candidates.order_by("candidate").values_list("position", flat=True)
    first, second, *of_next = shown
    assert [first, second] == of_next
    # As it is read again, from what is stored.
    again = Assignment.objects.get(pk=assignment.pk)
    assert list(sheet(again).columns) == [1, 2]


def test_reasons_are_in_the_language_of_the_page():
    project = project_of("error_spans")
    add_tutorial(project=project)
    assignment = begin(make_annotator(project), project)
    answer_rightly(assignment)
    found = {}
    for code in ("en", "cs", "de", "fi"):
        with translation.override(code):
            result = feedback(assignment)
            (card,) = marked_cards(result)
            found[code] = (card.gold_errors[0].reason, result.reasons_language)
    assert found["cs"][0].startswith("V originále je")
    assert found["de"][0].startswith("Im Ausgangstext steht")
    assert found["fi"] == (found["en"][0], "en")
    assert {found[code][1] for code in ("en", "cs", "de")} == {""}


@pytest.mark.parametrize(("score", "is_right"), [(47, 0), (48, 1), (78, 1), (79, 0)])
def test_a_score_is_right_at_both_ends_of_its_range(score, is_right):
    project = project_of("error_spans")
    add_tutorial(project=project)
    jana = make_annotator(project)
    assignment = begin(jana, project)
    submit(
        annotator=jana,
        project=project,
        assignment_id=assignment.pk,
        token=sheet(assignment).token,
        choices={"1-1": kind_of(project).answer.rank_of(score)},
    )
    assert practice_result(jana, project).agreed == is_right
    assert feedback(assignment).score.agreed == is_right


def test_another_tutorial_replaces_the_former_one():
    project = project_of("error_spans")
    add_tutorial(project=project)
    jana = make_annotator(project)
    answer_rightly(begin(jana, project))
    assert add_tutorial(project=project) == 9
    assert practice_sentences(project).filter(retired=False).count() == 9
    assert begin(jana, project).sentence.number == 10
    assert practice_results(project).sentences == 9


def test_a_tutorial_is_changed_in_its_file_only():
    project = project_of("error_spans")
    add_tutorial(project=project)
    first = practice_sentences(project)[0]
    choices, _explanations = answers(first, project)
    with pytest.raises(InvalidJudgement):
        change_answers(project=project, sentence=first, choices=choices, explanations={})
    assert gold_details(first, project) == {"1-1": "17-26 major"}


def test_texts_of_the_project_are_not_beside_those_of_a_tutorial():
    project = project_of("error_spans", show_neighbours=True, highlights=True)
    add_tutorial(project=project)
    page = sheet(begin(make_annotator(project), project))
    assert (page.before, page.after, page.references, page.words) == ("", "", [], None)


def test_it_refuses_other_languages_and_kinds():
    with pytest.raises(InputError, match="kinds of judgement in which errors are marked"):
        add_tutorial(project=make_project(kind="direct_assessment"))
    french = project_of("mqm", "en-fr", name="French")
    assert not offers_tutorial(french)
    with pytest.raises(InputError, match="cs-en, de-en, en-cs, en-de"):
        add_tutorial(project=french)
    path = SHIPPED / "en-cs.json"
    with pytest.raises(InputError, match="for en-cs, and the project for en-fr"):
        add_tutorial(project=french, own=read_tutorial(path.read_bytes(), path.name))
    assert not has_tutorial(french)
    assert not Project.objects.get(pk=french.pk).practice_required


def test_it_refuses_a_category_that_the_project_does_not_have():
    project = make_project(kind="mqm")
    Project.objects.filter(pk=project.pk).update(answer_options="severities: minor, major\nMeaning")
    project.refresh_from_db()
    assert not offers_tutorial(project)
    with pytest.raises(InputError, match=r"document “news”: .*no such category"):
        add_tutorial(project=project)
    assert not Sentence.objects.filter(purpose="practice").exists()


def test_systems_side_by_side_need_two_translations():
    one = {"text": "b", "score": [90, 100], "why": "All is right."}
    paragraph = {"source": "a", "translations": [one]}
    documents = [{"name": "short", "paragraphs": [paragraph]}]
    own = read_tutorial(
        json.dumps({"languages": "en-cs", "documents": documents}).encode(), "own.json"
    )
    with pytest.raises(InputError, match="“short”"):
        add_tutorial(project=project_of("contrastive_error_spans"), own=own)
    assert add_tutorial(project=project_of("document_mqm", name="one"), own=own) == 1


def test_regions_of_languages_do_not_matter():
    project = make_project(kind="mqm")
    Project.objects.filter(pk=project.pk).update(source_language="en-GB", target_language="cs")
    project.refresh_from_db()
    assert add_tutorial(project=project) == 9


def test_control_sentences_copy_one_that_is_judged():
    project = make_project()
    with pytest.raises(IntegrityError):
        Sentence.objects.create(project=project, purpose="control", number=1, text="a")


def test_a_command_adds_it(tmp_path, capsys):
    project = project_of("mqm")
    call_command("add_tutorial", str(project.pk))
    assert "tutorial of 9 sheets" in capsys.readouterr().out
    path = tmp_path / "own.json"
    path.write_text("{}")
    with pytest.raises(CommandError, match=r"own\.json"):
        call_command("add_tutorial", str(project.pk), str(path))


@pytest.mark.parametrize("kind", ["mqm", "contrastive_error_spans"])
def test_archives_and_copies_have_the_tutorial_and_what_was_done_of_it(kind, tmp_path):
    project = project_of(kind)
    add_tutorial(project=project)
    project.refresh_from_db()
    jana = make_annotator(project)
    answer_rightly(begin(jana, project))
    before = practice_results(project)
    restored = import_project(path=archive_file(project, tmp_path), name="elsewhere")
    after = practice_results(restored)
    assert (after.sentences, after.annotators[0].done) == (before.sentences, 1)
    assert after.annotators[0].share == 1
    assert has_tutorial(restored)
    gold = ExpectedPlacement.objects.order_by("pk").values_list("last_rank", "detail", "reasons")
    of_both = [
        list(gold.filter(candidate__segment__sentence__project=one)) for one in (project, restored)
    ]
    assert of_both[0] == of_both[1] != []


def test_it_is_offered_and_added_on_the_page_of_practice(client):
    project = project_of("document_error_spans")
    client.force_login(make_annotator(project, "boss", "administrator"))
    page, add = (reverse(name, args=[project.pk]) for name in ("practice-sentences", "tutorial"))
    assert 'id="shipped-tutorial"' in client.get(page).content.decode()
    sent = client.get(reverse("tutorial-file", args=[project.pk]))
    assert sent.content == (SHIPPED / "en-cs.json").read_bytes()
    wrong = SimpleUploadedFile("own.json", b"{}")
    refused = client.post(add, {"file": wrong})
    assert (refused.status_code, has_tutorial(project)) == (400, False)
    assert "own.json" in refused.content.decode()
    assert client.post(add).status_code == 400
    assert (
        client.post(add, {"file": SimpleUploadedFile("own.json", sent.content)}).status_code == 302
    )
    assert practice_sentences(project).count() == 5
    listed = client.get(page).content.decode()
    assert "data-tutorial" in listed
    assert f'href="{reverse("change-practice", args=[project.pk, 1])}"' not in listed
    assert client.post(add, {"shipped": "yes"}).status_code == 302
    assert practice_sentences(project).filter(retired=False).count() == 5
    # As an annotator sees it.
    jana = make_annotator(project)
    client.force_login(jana)
    answer_rightly(begin(jana, project))
    done = Assignment.objects.get(state="submitted")
    shown = client.get(reverse("practice-feedback", args=[project.pk, done.pk])).content.decode()
    assert shown.count('data-found="yes"') == 2


def test_a_kind_without_marks_is_offered_no_tutorial(client):
    project = make_project()
    client.force_login(make_annotator(project, "boss", "administrator"))
    page = client.get(reverse("practice-sentences", args=[project.pk])).content.decode()
    assert 'id="tutorial"' not in page
