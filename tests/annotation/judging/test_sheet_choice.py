"""Sheets of documents where only some systems are judged on each document."""

from collections import Counter
from datetime import timedelta
from itertools import combinations

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.common.exceptions import NotPossible
from annotation.formats.errors import InputError
from annotation.import_export.archive_export import archive
from annotation.import_export.archive_import import import_project
from annotation.judging.assignment import return_expired
from annotation.judging.control_items import NoControls, make_controls
from annotation.judging.practice import may_serve
from annotation.judging.reservations import assign_sentences
from annotation.judging.sheet import sheet
from annotation.judging.sheet_choice import draw_systems
from annotation.models import (
    Assignment,
    ChosenSystem,
    Project,
    Projection,
    Sentence,
    ShownSystem,
    User,
)
from annotation.pipeline.project_copy import new_copy
from annotation.pipeline.sheet_systems import choose_systems_again
from annotation.projects.administration import set_state
from annotation.projects.deletion import delete_project
from annotation.projects.document_sheets import store_choice
from annotation.projects.provenance import provenance_of
from annotation.selectors.project_progress import submitted_of
from annotation.web.forms.settings import SettingsForm
from tests.annotation.kinds.document_project import judge, prepared
from tests.factories import assign_next, make_annotator, next_assignment
from tests.jobs import run_job

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

DOCUMENTS = tuple(f"news {number}" for number in range(1, 9))


def dynamic(folder, **options):
    chosen = {"sheet_systems": 2, "sheets_of_document": 1, "first_documents": 2} | options
    return prepared(
        folder,
        kind=chosen.pop("kind", "contrastive_error_spans"),
        documents=chosen.pop("documents", DOCUMENTS),
        sheet_choice="dynamic",
        **chosen,
    )


def balanced(folder, **options):
    chosen = {"sheet_systems": 2, "sheets_of_document": 1} | options
    return prepared(
        folder,
        kind=chosen.pop("kind", "contrastive_error_spans"),
        documents=chosen.pop("documents", DOCUMENTS),
        sheet_choice="balanced",
        **chosen,
    )


def another(project):
    """Return one more annotator of the project."""
    return make_annotator(project, f"annotator {User.objects.count()}")


def judged_by(annotator, project):
    """Judge all that the annotator gets; return the documents in their order."""
    documents = []
    while assignment := next_assignment(annotator=annotator, project=project):
        documents.append(assignment.sentence.document)
        judge(annotator, assignment)
    return documents


def systems_of(head):
    return sorted(head.chosen_systems.values_list("system__name", flat=True))


def test_a_balanced_design_shows_each_pair_of_systems_equally_often(tmp_path):
    project = balanced(tmp_path, documents=DOCUMENTS[:6])
    heads = list(project.sentences.filter(sheet=None, purpose="judge"))
    pairs = Counter(tuple(systems_of(head)) for head in heads)
    assert pairs == dict.fromkeys(combinations("ABC", 2), 2)
    for head in heads:
        shown = Projection.objects.filter(segment__sentence=head, candidate__isnull=False)
        assert sorted(shown.values_list("system__name", flat=True)) == systems_of(head)
        assert head.sheet_probability == pytest.approx(1 / 3)
    assert {one.probability for one in ChosenSystem.objects.all()} == {2 / 3}


def test_an_annotator_gets_systems_equally_often_and_no_document_twice(tmp_path):
    project = balanced(tmp_path, sheets_of_document=2)
    documents = judged_by(annotator := another(project), project)
    assert sorted(documents) == sorted(DOCUMENTS)
    shown = ShownSystem.objects.filter(assignment__annotator=annotator)
    times = Counter(shown.values_list("system__name", flat=True))
    assert max(times.values()) - min(times.values()) <= 1
    judged_by(another(project), project)
    assert submitted_of(project) == (16, 16)


def test_systems_of_a_dynamic_sheet_are_chosen_as_it_is_assigned(tmp_path):
    project = dynamic(tmp_path, rate_documents=True, documents=("news 1", "news 1", "talk 2"))
    assert not ChosenSystem.objects.exists()
    assignment = assign_next(annotator=another(project), project=project)
    assert assignment
    chosen = systems_of(assignment.sentence)
    assert len(chosen) == 2
    shown = sheet(assignment)
    assert list(shown.columns) == [1, 2]
    texts = {card.text for segment in shown.segments for card in segment.cards}
    lines = [1, 2] if assignment.sentence.document == "news 1" else [3]
    of_lines = {f"{system} has {line} ." for system in chosen for line in lines}
    whole = {"\n".join(f"{system} has {line} ." for line in lines) for system in chosen}
    assert texts == of_lines | whole
    # Before any system has been judged, two of three are drawn, and one of two documents.
    assert assignment.sentence.sheet_probability == pytest.approx(1 / 3 / 2)
    assert {one.probability for one in ChosenSystem.objects.all()} == {2 / 3}


def test_every_dynamic_sheet_is_judged_once(tmp_path):
    project = dynamic(tmp_path)
    assert submitted_of(project) == (0, 8)
    people = [another(project) for _person in range(3)]
    documents = [document for one in people for document in judged_by(one, project)]
    assert sorted(documents) == sorted(DOCUMENTS)
    assert submitted_of(project) == (8, 8)


def test_the_best_system_so_far_is_the_most_probable(tmp_path):
    project = dynamic(tmp_path, kind="document_error_spans", first_documents=1)
    annotator = another(project)
    scores = {"A": 90, "B": 60, "C": 30}
    for _sheet in scores:
        assignment = assign_next(annotator=annotator, project=project)
        assert assignment
        judge(annotator, assignment, score=scores[systems_of(assignment.sentence)[0]])
    names = dict(project.systems.values_list("pk", "name"))
    weights = {"A": 1 / 2, "B": 1 / 2, "C": 1 / 3}
    for _time in range(5):
        drawn = draw_systems(project)
        (system,) = drawn.systems
        expected = weights[names[system]] / sum(weights.values())
        assert drawn.each == pytest.approx((expected,))
        assert drawn.together == pytest.approx(expected)


def test_the_document_has_fewest_of_the_chosen_systems(tmp_path):
    project = dynamic(tmp_path, documents=DOCUMENTS[:2], sheets_of_document=2, sheet_systems=3)
    first = assign_next(annotator=another(project), project=project)
    second = assign_next(annotator=another(project), project=project)
    assert first
    assert second
    assert first.sentence.document != second.sentence.document
    # All systems are on the other document's only sheet: there is no choice.
    assert second.sentence.sheet_probability == pytest.approx(1.0)


def test_an_expired_sheet_is_offered_again_with_its_systems_and_probability(tmp_path):
    project = dynamic(tmp_path, documents=DOCUMENTS[:2])
    absent = assign_next(annotator=another(project), project=project)
    assert absent
    before = systems_of(absent.sentence), absent.sentence.sheet_probability
    Assignment.objects.update(lease_until=timezone.now() - timedelta(minutes=1))
    with transaction.atomic():
        assert return_expired(project) == 1
    again = assign_next(annotator=another(project), project=project)
    assert again
    again.sentence.refresh_from_db()
    assert again.sentence_id == absent.sentence_id
    assert (systems_of(again.sentence), again.sentence.sheet_probability) == before


def test_a_reserved_sheet_gets_its_systems(tmp_path):
    project = dynamic(tmp_path)
    annotator = another(project)
    assign_sentences(project=project, by=annotator, annotator=annotator, numbers=[3])
    assignment = assign_next(annotator=annotator, project=project)
    assert assignment
    assert assignment.sentence.number == 3
    assert len(systems_of(assignment.sentence)) == 2


def test_controls_are_made_of_sheets_that_have_systems(tmp_path):
    project = dynamic(tmp_path, documents=("news 1", "news 1", "news 1", "talk 2"))
    assert not may_serve(project).exists()
    with pytest.raises(NoControls):
        make_controls(project=project, count=1)
    assert judged_by(another(project), project)
    assert len(make_controls(project=project, count=1)) == 1


def test_the_systems_of_a_sheet_are_chosen_once(tmp_path):
    project = dynamic(tmp_path)
    head = Sentence.objects.get(project=project, number=1)
    store_choice(head, draw_systems(project))
    with pytest.raises(IntegrityError), transaction.atomic():
        store_choice(head, draw_systems(project))


def test_archives_have_the_choices(tmp_path):
    project = dynamic(tmp_path)
    for _sheet in range(2):
        annotator = another(project)
        assignment = assign_next(annotator=annotator, project=project)
        assert assignment
        judge(annotator, assignment)
    lines = b"".join(archive(project))
    (tmp_path / "archive").write_bytes(lines)
    restored = import_project(path=tmp_path / "archive", name="Restored")

    def choices(of):
        rows = ChosenSystem.objects.filter(sheet__project=of).order_by("sheet__number", "place")
        return list(
            rows.values_list(
                "sheet__number", "sheet__sheet_probability", "system__name", "probability"
            )
        )

    assert choices(restored) == choices(project)
    # What is left is assigned in the restored project.
    assert len(judged_by(another(restored), restored)) == 6
    for one in (project, restored):
        delete_project(one)
    assert not ChosenSystem.objects.exists()


def test_a_copy_has_sheets_without_systems(tmp_path):
    project = dynamic(tmp_path)
    annotator = another(project)
    assert len(judged_by(annotator, project)) == len(DOCUMENTS)
    job = new_copy(project=project, name="Copy", by=annotator)
    assert run_job(job.pk)
    copy = Project.objects.get(name="Copy")
    assert submitted_of(copy) == (0, len(DOCUMENTS))
    assert not ChosenSystem.objects.filter(sheet__project=copy).exists()
    set_state(project=copy, state="open")
    assert len(judged_by(another(copy), copy)) == len(DOCUMENTS)


def test_the_choice_can_be_changed_until_a_sheet_is_assigned(tmp_path):
    project = prepared(tmp_path, documents=DOCUMENTS)
    choose_systems_again(project=project, choice="balanced", sheets=1, first=20)
    assert run_job(project.job.pk)
    project.refresh_from_db()
    assert provenance_of(project).sheets.choice == "balanced"
    assert project.state == "open"
    assert project.sentences.filter(purpose="judge").count() == len(DOCUMENTS)
    assert assign_next(annotator=another(project), project=project)
    with pytest.raises(NotPossible):
        choose_systems_again(project=project, choice="complete", sheets=1, first=20)


def test_unknown_choices_are_refused(tmp_path):
    with pytest.raises(InputError, match="complete, balanced, dynamic"):
        prepared(tmp_path, sheet_choice="best")


def test_settings_of_documents_are_offered_to_documents_only(tmp_path):
    project = prepared(tmp_path)
    assert "overlap_share" in SettingsForm(instance=project).fields
    project.kind = "sentence_ranking"
    assert "overlap_share" not in SettingsForm(instance=project).fields
