"""A system that was stored on the page: what may go wrong with it later."""

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import (
    Candidate,
    Chunk,
    Job,
    Membership,
    Project,
    Projection,
    System,
    User,
)
from annotation.pipeline import chunks, jobs, system_candidates
from tests.annotation.web.systems_page import (
    address,
    boss,
    page_of,
    part_of,
    project,
    send,
    state_of,
    told,
    uploads,
)

# Fixtures, which are used by their names.
__all__ = ["boss", "project", "uploads"]

pytestmark = pytest.mark.django_db


def fail(client: Client, project: Project) -> Job:
    """Add a system whose words cannot be aligned."""
    send(client, project, links=None)
    Job.objects.update(options={"system": "D", "effort": "wild"})
    jobs.run(Job.objects.get().pk)
    return Job.objects.get()


def test_a_failure_leaves_the_project_alone_and_can_be_tried_again(
    client: Client, project: Project, boss: User
) -> None:
    job = fail(client, project)
    assert (job.state, job.error[:28]) == ("failed", "There is no effort 'wild': c")
    project.refresh_from_db()
    assert project.state == "open"
    part = part_of(page_of(client, project))
    assert "Adding “D” stopped." in part
    assert "There is no effort" in part
    assert "not finished" in part
    assert state_of(client, project)["state"] == "failed"
    system = System.objects.get(name="D")
    Project.objects.update(provenance=project.provenance | {"aligner": {"name": "systran"}})
    client.post(address("continue-adding-system", project, system.pk))
    job = Job.objects.get()
    assert (job.state, job.error, job.options["effort"]) == ("queued", "", "")
    jobs.run(job.pk)
    assert Job.objects.get().state == "done"
    assert "Try again" not in part_of(page_of(client, project))
    assert Projection.objects.filter(system=system).count() == 6


def test_an_unexpected_error_is_told_as_what_it_was(
    client: Client, project: Project, boss: User
) -> None:
    send(client, project)
    Job.objects.update(options={"system": "gone", "effort": ""})
    jobs.run(Job.objects.get().pk)
    assert Job.objects.get().error.startswith("Adding the system stopped at an unexpected error")
    assert Project.objects.get().state == "open"


def test_retrying_queues_it_and_leaves_the_projects_state(
    client: Client, project: Project, boss: User
) -> None:
    fail(client, project)
    Project.objects.update(state="closed")
    assert jobs.retry(project)
    job = Job.objects.get()
    assert (job.state, job.task, job.options["system"]) == ("queued", "add_system", "D")
    assert Project.objects.get().state == "closed"


def test_after_a_failure_another_one_can_be_added_and_the_first_be_finished(
    client: Client, project: Project, boss: User
) -> None:
    fail(client, project)
    assert send(client, project, name="E").status_code == 302
    jobs.run(Job.objects.get().pk)
    assert Projection.objects.filter(system__name="E").count() == 6
    Project.objects.update(
        provenance=Project.objects.get().provenance | {"aligner": {"name": "systran"}}
    )
    client.post(address("continue-adding-system", project, System.objects.get(name="D").pk))
    jobs.run(Job.objects.get().pk)
    assert Projection.objects.filter(system__name="D").count() == 6


def test_what_is_finished_is_not_done_again(client: Client, project: Project, boss: User) -> None:
    send(client, project)
    jobs.run(Job.objects.get().pk)
    for name in "AD":
        system = System.objects.get(name=name)
        response = client.post(address("continue-adding-system", project, system.pk))
        assert told(response)[-1] == "Nothing is left to do for this system."
    assert Job.objects.get().state == "done"


def test_what_is_being_added_is_not_begun_once_more(
    client: Client, project: Project, boss: User
) -> None:
    fail(client, project)
    send(client, project, name="E")
    system = System.objects.get(name="D")
    response = client.post(address("continue-adding-system", project, system.pk))
    assert "Another system is being added" in told(response)[-1]
    assert Job.objects.get().options["system"] == "E"


def test_a_worker_that_was_killed_is_replaced_and_the_next_goes_on(
    client: Client, project: Project, boss: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system_candidates, "PAGE", 1)
    send(client, project)
    job = Job.objects.get()

    class Killed(BaseException):
        pass

    def until_killed(stage: str, done: int, total: int) -> None:
        if done == 2:
            raise Killed

    assert chunks.claim(job.pk)
    with pytest.raises(Killed):
        system_candidates.bring_system(system=System.objects.get(name="D"), progress=until_killed)
    assert Projection.objects.filter(system__name="D").count() == 4
    Chunk.objects.update(owner="elsewhere/1:10:20:ab", lease_until=timezone.now())
    assert jobs.unclaimed() == [job]
    jobs.run(job.pk)
    assert Job.objects.get().state == "done"
    assert Projection.objects.filter(system__name="D").count() == 6
    assert Candidate.objects.filter(text="starobylý dům").count() == 3


@pytest.mark.parametrize("state", ["queued", "running", "failed"])
def test_adding_is_not_cancelled(client: Client, project: Project, boss: User, state: str) -> None:
    send(client, project)
    Job.objects.update(state=state, lease_until=timezone.now())
    assert not jobs.cancel(project)
    response = client.post(address("preparing-cancel", project))
    assert told(response)[-1] == "It was prepared already, and stays."
    assert Job.objects.get().state == state
    assert Membership.objects.count() == 1
