"""What administrators change while a project runs."""

from uuid import uuid4

import pytest

from annotation.common.exceptions import NotPossible
from annotation.judging.assignment import release, skip
from annotation.judging.drafts import save_draft
from annotation.judging.errors import NotAvailable
from annotation.judging.sheet import sheet
from annotation.judging.submission import SubmissionResult, revise, submit
from annotation.models import Assignment, Instructions, Membership, Project, User
from annotation.projects import administration
from annotation.projects.annotator_names import account_names
from annotation.selectors.members import members, work_of_members
from tests.factories import assign_next, make_annotator, make_project, next_assignment

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project(intra_rate=0, inter_rate=0)


@pytest.fixture
def boss(project: Project) -> User:
    return make_annotator(project, "boss", "administrator")


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("open", "closed"),
        ("closed", "open"),
        ("open", "open"),
        ("closed", "closed"),
        ("open", "archived"),
        ("closed", "archived"),
        ("archived", "archived"),
        ("archived", "closed"),
    ],
)
def test_a_project_is_paused_reopened_and_archived(
    project: Project, before: str, wanted: str
) -> None:
    Project.objects.update(state=before)
    administration.set_state(project=project, state=wanted)
    assert Project.objects.get().state == wanted


def test_an_archived_project_is_not_opened_directly(project: Project) -> None:
    Project.objects.update(state="archived")
    with pytest.raises(NotPossible):
        administration.set_state(project=project, state="open")
    assert Project.objects.get().state == "archived"


def test_archiving_returns_open_sentences_and_ends_submissions(project: Project) -> None:
    jana = make_annotator(project)
    done = assign_next(jana, project)
    submit_all(jana, done)
    given = assign_next(jana, project)
    administration.set_state(project=project, state="archived")
    given.refresh_from_db()
    assert given.state == "returned"
    with pytest.raises(NotAvailable):
        submit_all(jana, given)
    with pytest.raises(NotAvailable):
        revise(
            annotator=jana,
            project=project,
            assignment_id=done.pk,
            token=str(uuid4()),
            choices=first_ranks(done),
        )
    administration.set_state(project=project, state="closed")
    assert submit_all(jana, given).created


def submit_all(annotator: User, assignment: Assignment) -> SubmissionResult:
    return submit(
        annotator=annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        token=str(uuid4()),
        choices=first_ranks(assignment),
    )


def first_ranks(assignment: Assignment) -> dict[str, int | None]:
    """Put every card on the first rank."""
    return {card.key: 1 for segment in sheet(assignment).segments for card in segment.cards}


def test_a_project_is_renamed_unless_the_name_is_taken(project: Project) -> None:
    make_project("castles")
    with pytest.raises(NotPossible):
        administration.rename_project(project=project, name="castles")
    administration.rename_project(project=project, name="palaces")
    assert set(Project.objects.values_list("name", flat=True)) == {"castles", "palaces"}


@pytest.mark.parametrize("before", ["preparing", "failed"])
@pytest.mark.parametrize("wanted", ["open", "closed", "archived"])
def test_an_unprepared_project_is_neither_paused_nor_opened(
    project: Project, before: str, wanted: str
) -> None:
    Project.objects.update(state=before)
    with pytest.raises(NotPossible):
        administration.set_state(project=project, state=wanted)
    assert Project.objects.get().state == before


@pytest.mark.parametrize("wanted", ["preparing", "failed", "", "no such state"])
def test_there_are_no_other_transitions(project: Project, wanted: str) -> None:
    with pytest.raises(NotPossible):
        administration.set_state(project=project, state=wanted)
    assert Project.objects.get().state == "open"


def test_settings_do_not_overwrite_a_change_of_the_state(project: Project) -> None:
    Project.objects.update(state="closed")
    administration.change_settings(project=project, values={"judges_per_sentence": 3})
    stored = Project.objects.get()
    assert (stored.judges_per_sentence, stored.state) == (3, "closed")


def test_an_unknown_setting_is_refused(project: Project) -> None:
    with pytest.raises(ValueError, match="state"):
        administration.change_settings(project=project, values={"state": "open"})


def test_judgements_stay_when_fewer_judges_are_required(project: Project) -> None:
    Project.objects.update(judges_per_sentence=2)
    project.refresh_from_db()
    one, two = make_annotator(project), make_annotator(project, "petr")
    for _sentence in range(3):
        for annotator in (one, two):
            given = assign_next(annotator, project)
            Assignment.objects.filter(pk=given.pk).update(
                state="submitted", submitted=given.created
            )
    administration.change_settings(project=project, values={"judges_per_sentence": 1})
    project.refresh_from_db()
    assert Assignment.objects.filter(state="submitted").count() == 6
    assert next_assignment(annotator=make_annotator(project, "eva"), project=project) is None


def test_unchanged_instructions_make_no_version(project: Project, boss: User) -> None:
    def change(text: str) -> Instructions | None:
        return administration.change_instructions(project=project, author=boss, text=text)

    assert change(" ") is None
    assert change("Be kind.")
    assert change("Be kind.\n") is None
    back = change("")
    assert back
    assert (back.version, back.text) == (2, "")
    assert change("") is None


def test_open_assignments_are_listed_with_their_drafts(project: Project) -> None:
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    first = next_assignment(annotator=jana, project=project)
    second = next_assignment(annotator=petr, project=project)
    assert first
    assert second
    save_draft(annotator=petr, project=project, assignment_id=second.pk, base=0, choices={"1-1": 1})
    listed = list(administration.open_assignments(project))
    assert listed == [first, second]
    assert [one.draft_version for one in listed] == [0, 1]
    assert not administration.open_assignments(make_project("other"))


def test_a_released_sentence_goes_to_another_annotator(project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(queue_order="document")
    project.refresh_from_db()
    first = next_assignment(annotator=make_annotator(project), project=project)
    assert first
    release(project=project, assignment_id=first.pk)
    assert not administration.open_assignments(project)
    second = next_assignment(annotator=make_annotator(project, "petr"), project=project)
    assert second
    assert second.sentence == first.sentence
    with pytest.raises(NotAvailable):
        release(project=make_project("other"), assignment_id=second.pk)


def test_skips_are_listed_the_newest_first(project: Project) -> None:
    jana = make_annotator(project)
    for reason in ("unclear", "offensive"):
        given = assign_next(jana, project)
        skip(annotator=jana, project=project, assignment_id=given.pk, reason=reason)
    assert [one.reason for one in administration.skips(project)] == ["offensive", "unclear"]
    assert not administration.skips(make_project("other"))


def test_the_work_of_members_is_counted(project: Project, boss: User) -> None:
    jana = make_annotator(project)
    given = assign_next(jana, project)
    Assignment.objects.update(state="submitted", submitted=given.created)
    work = work_of_members(project)
    assert (work.of(boss.pk).assignments, work.of(jana.pk).assignments) == (0, 1)


def test_a_user_becomes_a_member_and_changes_roles(project: Project, boss: User) -> None:
    eva = User.objects.create(username="eva")
    for role in ("annotator", "administrator"):
        assert administration.set_role(project=project, by=boss, username="eva", role=role) == eva
        assert Membership.objects.get(user=eva).role == role


def names_of(project: Project) -> set[str]:
    """Return the names that the pages of the project show."""
    names = {vars(member)["name"] for member in members(project)}
    assert names == set(account_names(project).values())
    return names


def test_administrators_see_only_the_user_name_of_a_stranger(project: Project, boss: User) -> None:
    eva = User.objects.create(username="eva", display_name="Eva Nováková")
    administration.set_role(project=project, by=boss, username="eva", role="annotator")
    administration.set_role(project=project, by=boss, username="eva", role="administrator")
    assert names_of(project) == {"boss", "eva"}
    # By judging, Eva takes part.
    assign_next(eva, project)
    assert names_of(project) == {"boss", "Eva Nováková"}


def test_members_whose_account_was_created_for_the_project_are_no_strangers(
    project: Project, boss: User
) -> None:
    User.objects.create(username="eva", display_name="Eva Nováková", created_for=project)
    administration.set_role(project=project, by=boss, username="eva", role="annotator")
    assert names_of(project) == {"boss", "Eva Nováková"}


@pytest.mark.parametrize("name", ["stranger", "off", "imported"])
def test_unknown_and_deactivated_users_become_no_members(
    project: Project, boss: User, name: str
) -> None:
    User.objects.create(username="off", is_active=False)
    User.objects.create(username="imported", is_active=False, imported_with=project)
    with pytest.raises(NotPossible):
        administration.set_role(project=project, by=boss, username=name, role="annotator")


def test_administrators_cannot_change_their_own_role(project: Project, boss: User) -> None:
    with pytest.raises(NotPossible):
        administration.set_role(project=project, by=boss, username="boss", role="annotator")
    assert Membership.objects.get(user=boss).role == "administrator"
