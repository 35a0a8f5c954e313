"""Errors that were marked before: which sheets begin with them, and what stays stored."""

import uuid
from pathlib import Path

import pytest
from django.db import IntegrityError, transaction

from annotation.common.exceptions import NotPossible
from annotation.formats.errors import InputError
from annotation.import_export.archive_import import import_project
from annotation.judging.assignment import create_assignment
from annotation.judging.control_items import make_controls
from annotation.judging.given_errors import given_details
from annotation.judging.sheet import cards_of, current_details, sheet
from annotation.judging.submission import submit
from annotation.kinds import KINDS
from annotation.models import (
    Assignment,
    Candidate,
    Control,
    ErrorSpan,
    GivenErrors,
    GivenOrigin,
    Project,
    Sentence,
)
from annotation.pipeline.jobs import Outcome
from annotation.pipeline.project_copy import new_copy
from annotation.projects.deletion import delete_project
from annotation.projects.given_errors import (
    origin_summaries,
    remove_origin,
    store_given_errors,
)
from tests.annotation.import_export.exchange_files import archive_file, edit_archive, first_record
from tests.annotation.kinds import document_project as documents
from tests.annotation.kinds.assessed_project import prepared
from tests.factories import assign_next, make_annotator, make_project
from tests.jobs import run_job

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
ESA = KINDS["error_spans"]
TEXTS = ["Starý dům stojí.", "U řeky"]
GIVEN = "0-5 minor, missing major"


@pytest.fixture
def project() -> Project:
    return make_project(kind=ESA.name, sentences=1, segments={"0 1 2 3 4 5 6": TEXTS})


def give(project: Project, *, name: str = "xcomet", by: str = "program") -> GivenOrigin:
    """Give the errors of the house; the river has none."""
    found = Candidate.objects.filter(segment__sentence__project=project)
    details = {one.pk: GIVEN if one.text == TEXTS[0] else "" for one in found}
    return store_given_errors(project=project, name=name, by=by, details=details)


def house(assignment: Assignment) -> str:
    cards = sheet(assignment).segments[0].cards
    return next(card.key for card in cards if card.text == TEXTS[0])


def shown(assignment: Assignment) -> dict[str, str]:
    return given_details(assignment, cards_of(assignment.pk))


def test_a_sheet_begins_with_the_given_errors_and_has_no_draft(project: Project) -> None:
    origin = give(project)
    assignment = assign_next(make_annotator(project), project)
    assert assignment.given == origin
    assert shown(assignment) == {house(assignment): GIVEN}
    assert assignment.draft_version == 0


def test_a_sheet_without_a_share_begins_with_nothing(project: Project) -> None:
    give(project)
    Project.objects.update(given_share=0)
    assignment = assign_next(make_annotator(project), project)
    assert assignment.given is None
    assert shown(assignment) == {}


def test_an_origin_of_other_texts_is_not_shown(project: Project) -> None:
    other = make_project(name="other", kind=ESA.name, sentences=1, segments={"0 1": TEXTS})
    give(other)
    assert assign_next(make_annotator(project), project).given is None


def test_what_was_given_stays_stored_beside_what_was_submitted(project: Project) -> None:
    give(project)
    assignment = assign_next(make_annotator(project), project)
    submit(
        annotator=assignment.annotator,
        project=project,
        assignment_id=assignment.pk,
        token=str(uuid.uuid4()),
        choices=dict.fromkeys(cards_of(assignment.pk), 1),
        details={house(assignment): "0-5 major"},
    )
    assert current_details(assignment) == {house(assignment): "0-5 major"}
    assert ErrorSpan.objects.count() == 1
    assert GivenErrors.objects.exclude(detail="").get().detail == GIVEN


def test_practice_shows_no_given_errors(project: Project) -> None:
    origin = give(project)
    assignment = assign_next(make_annotator(project), project)
    assert assignment.given
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.update(kind="practice", slot=None, given=origin)


def test_a_degraded_control_shows_what_was_marked_outside_the_degraded_part(
    tmp_path: Path,
) -> None:
    project = prepared(tmp_path, kind=ESA.name, sentences=3)
    candidates = Candidate.objects.filter(segment__sentence__project=project)
    details = {one.pk: f"0-{len(one.text)} minor" for one in candidates}
    store_given_errors(project=project, name="xcomet", by="program", details=details)
    make_controls(project=project, count=1, seed=1)
    copy = Sentence.objects.get(project=project, purpose=Sentence.Purpose.CONTROL)
    annotator = make_annotator(project)
    assignment = create_assignment(annotator, project, Assignment.Kind.CONTROL, copy)
    assert assignment.given is not None
    degraded = set(Control.objects.values_list("changed", flat=True))
    cards = cards_of(assignment.pk)
    changed = {key for key, card in cards.items() if degraded & set(card.candidate_ids)}
    assert changed
    assert not changed & shown(assignment).keys()


def numbered(project: Project) -> dict[int, str]:
    """Return a different error for each text: the number of its line is its first character."""
    texts = Candidate.objects.filter(segment__sentence__project=project)
    return {one.pk: f"{one.text.split()[2]}-{len(one.text)} minor" for one in texts}


def test_each_paragraph_of_a_document_begins_with_its_own_errors(tmp_path: Path) -> None:
    project = documents.prepared(tmp_path)
    details = numbered(project)
    store_given_errors(project=project, name="xcomet", by="program", details=details)
    assignment = assign_next(make_annotator(project), project)
    cards = cards_of(assignment.pk)
    assert shown(assignment) == {
        key: details[candidate] for key, card in cards.items() for candidate in card.candidate_ids
    }


def test_a_control_document_differs_by_its_degraded_paragraphs_alone(tmp_path: Path) -> None:
    project = documents.prepared(tmp_path)
    texts = Candidate.objects.filter(segment__sentence__project=project)
    details = {one.pk: f"0-{len(one.text)} minor" for one in texts}
    store_given_errors(project=project, name="xcomet", by="program", details=details)
    copy = make_controls(project=project, count=9, seed=1)[0]
    annotator = make_annotator(project)
    assignment = create_assignment(annotator, project, Assignment.Kind.CONTROL, copy)
    degraded = set(Control.objects.values_list("changed", flat=True))
    cards = cards_of(assignment.pk)
    changed = {key for key, card in cards.items() if degraded & set(card.candidate_ids)}
    assert changed
    assert shown(assignment).keys() == cards.keys() - changed


def test_origins_are_counted_and_removed_until_a_sheet_shows_them(project: Project) -> None:
    origin = give(project)
    (summary,) = origin_summaries(project)
    assert (summary.candidates, summary.without, summary.is_shown) == (2, 1, False)
    with pytest.raises(NotPossible, match="already"):
        give(project)
    remove_origin(project=project, origin_id=origin.pk)
    assert not GivenErrors.objects.exists()
    origin = give(project, by="annotator")
    assign_next(make_annotator(project), project)
    assert origin_summaries(project)[0].is_shown
    with pytest.raises(NotPossible, match="stay stored"):
        remove_origin(project=project, origin_id=origin.pk)
    assert GivenErrors.objects.count() == 2


def test_projects_in_which_no_errors_are_marked_take_none() -> None:
    project = make_project()
    candidate = Candidate.objects.filter(segment__sentence__project=project).first()
    assert candidate
    with pytest.raises(NotPossible, match="not marked"):
        store_given_errors(project=project, name="x", by="program", details={candidate.pk: ""})


def test_the_archive_has_what_was_given_and_which_sheets_showed_it(
    project: Project, tmp_path: Path
) -> None:
    give(project)
    assign_next(make_annotator(project), project)
    path = archive_file(project, tmp_path)
    restored = import_project(path=path, name="Restored")
    assert restored.given_origins.get().by == "program"
    given = GivenErrors.objects.filter(origin__project=restored)
    assert dict(given.values_list("candidate__text", "detail")) == dict(
        zip(TEXTS, [GIVEN, ""], strict=True)
    )
    assert Assignment.objects.get(project=restored).given == restored.given_origins.get()
    delete_project(restored)
    assert GivenOrigin.objects.get().project == project


def test_a_copy_of_the_project_has_what_was_given(project: Project) -> None:
    give(project)
    Project.objects.update(given_share=0.5)
    project.refresh_from_db()
    job = new_copy(project=project, name="Copy", by=make_annotator(project, "boss", "owner"))
    assert run_job(job.pk) == Outcome.DONE
    copied = Project.objects.get(name="Copy")
    given = GivenErrors.objects.filter(origin__project=copied).values_list("detail", flat=True)
    assert sorted(given) == ["", GIVEN]
    assert copied.given_share == 0.5


def test_an_archive_of_given_errors_beyond_the_text_is_refused(
    project: Project, tmp_path: Path
) -> None:
    give(project)
    path = archive_file(project, tmp_path)

    def longer(records: list[dict[str, object]]) -> None:
        segment = first_record(records, "sentence")["segments"][0]
        segment["given_errors"]["xcomet"] = {"1": "0-99 minor"}

    edit_archive(path, longer)
    with pytest.raises(InputError, match="0-99 minor"):
        import_project(path=path, name="Restored")
