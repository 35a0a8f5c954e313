"""A project for the acceptance of edits has the edits of another one as candidates."""

import uuid
from io import StringIO

import pytest
from django.core.management import call_command

from annotation.common.commands import Error
from annotation.common.exceptions import NotPossible
from annotation.formats.wmt_forms import Answer, ChoiceScreen, EditScreen, read_screens
from annotation.import_export.archive_export import archive
from annotation.import_export.archive_import import import_project
from annotation.import_export.export_formats import export_project
from annotation.judging.sheet import sheet
from annotation.judging.submission import submit
from annotation.models import (
    Assignment,
    Candidate,
    Job,
    Membership,
    Project,
    Projection,
    Sentence,
    Translation,
)
from annotation.pipeline.acceptance_project import new_acceptance_project
from annotation.pipeline.jobs import Outcome
from tests.annotation.kinds.edited_project import edited_project
from tests.factories import assign_next, make_annotator, make_project
from tests.jobs import run_job

pytestmark = pytest.mark.django_db
# The edits of jana and petr, with the systems whose outputs they are edits of.
EDITS = {
    ("Starý dům.", "A"),
    ("Starý dům.", "B"),
    ("Starý domek.", "A"),
    ("Starý dům stojí.", "B"),
    ("Tři domy.", "C"),
}


@pytest.fixture
def edited() -> Project:
    return edited_project(sentences=2)


def accepted(project: Project, name: str = "acceptance") -> Project:
    job = new_acceptance_project(project=project, name=name)
    assert run_job(job.pk) is Outcome.DONE
    return Project.objects.get(pk=job.project_id)


def made_by(project: Project, number: int = 1) -> set[tuple[str, str]]:
    rows = Projection.objects.filter(
        segment__sentence__project=project, segment__sentence__number=number
    )
    return set(rows.values_list("candidate__text", "system__name"))


@pytest.mark.databases
def test_its_candidates_are_the_different_edits_of_each_sentence(edited: Project) -> None:
    made = accepted(edited)

    assert (made.kind, made.state) == ("edit_acceptance", Project.State.CLOSED)
    assert made_by(made, 1) == made_by(made, 2) == EDITS
    assert Candidate.objects.filter(segment__sentence__project=made).count() == 2 * 4
    references = Translation.objects.filter(sentence__project=made)
    assert list(references.filter(system=None).values_list("text", flat=True)) == 2 * ["reference"]
    # The outputs, not the edits: metrics score them.
    outputs = Translation.objects.filter(sentence__project=edited).exclude(system=None)
    kept = ("sentence__number", "system__name", "text", "tokens")
    assert set(references.exclude(system=None).values_list(*kept)) == set(
        outputs.values_list(*kept)
    )
    assert made.provenance["edits_of"] == {"id": edited.pk, "name": "houses"}
    counts = {"sentences": 2, "segments": 2, "systems": 3, "candidates": 8, "projected": 10}
    assert made.provenance["counts"] == counts


def test_annotators_see_source_and_reference(edited: Project) -> None:
    made = accepted(edited)
    Project.objects.filter(pk=made.pk).update(state=Project.State.OPEN)
    made.refresh_from_db()
    shown = sheet(assign_next(make_annotator(made, "eva"), made))
    assert shown.source
    assert shown.references
    assert {card.text for card in shown.segments[0].cards} == {
        "Starý dům.",
        "Starý domek.",
        "Starý dům stojí.",
        "Tři domy.",
    }


def test_what_does_not_count_is_left_out(edited: Project) -> None:
    Assignment.objects.filter(annotator__username="petr").update(
        state=Assignment.State.DISCARDED, discarded_with_annotator=True
    )
    Sentence.objects.filter(number=2).update(excluded=True)
    made = accepted(edited)
    assert made_by(made, 1) == {("Starý dům.", "A"), ("Starý dům.", "B")}
    assert not made_by(made, 2)
    # Neighbours are shown as context.
    assert made.sentences.count() == 2


def test_a_retry_replaces_what_was_stored(edited: Project) -> None:
    made = accepted(edited)
    Project.objects.filter(pk=made.pk).update(state=Project.State.PREPARING)
    Job.objects.filter(project=made).update(state=Job.State.QUEUED, stage="")
    Job.objects.get(project=made).chunks.all().delete()
    assert run_job(Job.objects.get(project=made).pk) is Outcome.DONE
    assert made_by(made) == EDITS


def test_an_archive_keeps_several_edits_of_a_system(edited: Project, tmp_path) -> None:
    path = tmp_path / "archive"
    path.write_bytes(b"".join(archive(accepted(edited))))
    assert made_by(import_project(path=path, name="restored")) == EDITS


def test_only_edits_can_be_accepted(edited: Project) -> None:
    with pytest.raises(NotPossible):
        new_acceptance_project(project=make_project("ranks"), name="acceptance")
    with pytest.raises(NotPossible):
        new_acceptance_project(project=make_project("new", kind="post_editing"), name="acceptance")
    with pytest.raises(NotPossible):
        new_acceptance_project(project=edited, name="houses")


def test_who_asks_for_it_owns_it(edited: Project) -> None:
    boss = make_annotator(edited, "boss", "administrator")
    job = new_acceptance_project(project=edited, name="acceptance", by=boss)
    [member] = Membership.objects.filter(project=job.project)
    assert (member.user, member.role) == (boss, Membership.Role.OWNER)


def test_a_command_creates_it(edited: Project) -> None:
    printed = StringIO()
    call_command("create_acceptance_project", "houses", "acceptance", stdout=printed)
    made = Project.objects.get(name="acceptance")
    assert made_by(made) == EDITS
    assert "8 edits" in printed.getvalue()
    with pytest.raises(Error):
        call_command("create_acceptance_project", "houses", "acceptance", stdout=printed)


def test_edits_and_their_acceptance_are_exported_as_forms_of_wmt09(edited, tmp_path) -> None:
    made = accepted(edited)
    Project.objects.filter(pk=made.pk).update(state=Project.State.OPEN)
    made.refresh_from_db()
    eva = make_annotator(made, "eva")
    for _sentence in range(2):
        assignment = assign_next(eva, made)
        cards = sheet(assignment).segments[0].cards
        submit(
            annotator=eva,
            project=made,
            assignment_id=assignment.pk,
            token=str(uuid.uuid4()),
            choices={card.key: 2 - card.text.startswith("Starý d") for card in cards},
        )
    screens = []
    for project in (edited, made):
        path = tmp_path / project.name
        export_project(project=project, format_name="wmt-forms", to=path)
        screens.append(list(read_screens(path)))

    texts = {
        (one.annotator, one.system, one.status.value, one.text)
        for one in screens[0]
        if isinstance(one, EditScreen)
    }
    assert texts == {
        ("jana", "A", "OK", ""),
        ("jana", "B", "EDIT", "Starý dům."),
        ("jana", "C", "BAD", ""),
        ("petr", "A", "EDIT", "Starý domek."),
        ("petr", "B", "EDIT", "Starý dům stojí."),
        ("petr", "C", "EDIT", "Tři domy."),
    }
    assert len(screens[0]) == 2 * 6
    [first, second] = screens[1]
    assert isinstance(first, ChoiceScreen)
    yes = [one.system for one in first.chosen if one.answer == Answer.YES]
    no = [one.system for one in first.chosen if one.answer == Answer.NO]
    assert (sorted(yes), no) == (["A", "A", "B", "B"], ["C"])
    assert (first.pair, first.annotator, {first.item, second.item}) == ("en-cs", "eva", {1, 2})
