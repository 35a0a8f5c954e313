"""Projects are deleted, and members removed, while others judge."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count

import pytest
from django.db import connection
from django.test import Client

from annotation.models import Assignment, Membership, Project, User
from annotation.projects.administration import remove_member
from annotation.projects.deletion import delete_project
from tests.annotation.import_export.exchange_files import row_counts
from tests.annotation.web.judge_page import Form
from tests.factories import make_annotator, make_project
from tests.jobs import run_deletions

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]

JUDGES = 3


def judge_until_gone(user: User, project: Project, judged: threading.Semaphore) -> list[int]:
    """Judge by the pages until they are gone; return the statuses of all answers."""
    browser = Client(raise_request_exception=False)
    address = f"/projects/{project.pk}/judge/"
    statuses = []
    try:
        browser.force_login(user)
        for number in count():
            page = browser.get(address)
            statuses.append(page.status_code)
            if page.status_code == 404:
                return statuses
            form = Form(page.content.decode())
            if "assignment" not in form.hidden:
                judged.release()
                return statuses
            draft = f"/api/projects/{project.pk}/assignments/{form.hidden['assignment']}/draft/"
            body = {"base": 0, "choices": {}, "active_seconds": number}
            statuses += [
                browser.put(draft, body, content_type="application/json").status_code,
                browser.post(address, form.filled()).status_code,
            ]
            judged.release()
    finally:
        connection.close()
    raise AssertionError("unreachable")


@contextmanager
def people_judging(project: Project, people: list[User]) -> Iterator[list[int]]:
    """Let them judge; after the block, wait until they stop, and add the statuses of answers."""
    statuses: list[int] = []
    judged = threading.Semaphore(0)
    with ThreadPoolExecutor(len(people)) as pool:
        threads = [pool.submit(judge_until_gone, user, project, judged) for user in people]
        for _person in people:
            assert judged.acquire(timeout=60)
        yield statuses
        for thread in threads:
            statuses += thread.result(60)


def delete_while_people_judge(sentences: int) -> None:
    project = make_project(
        sentences=sentences, judges_per_sentence=JUDGES, intra_rate=0.2, inter_rate=0.2
    )
    owner = make_annotator(project, "owner", "owner")
    people = [make_annotator(project, f"annotator{number}") for number in range(JUDGES)]
    Membership.objects.filter(user=people[0]).update(sentence_limit=1000)
    program = Client(raise_request_exception=False)
    program.force_login(owner)
    with people_judging(project, people) as statuses:
        answer = program.delete(f"/api/v1/projects/{project.pk}/?confirm={project.name}")
        assert answer.status_code == 204, answer.content
        run_deletions()
    assert max(statuses) < 500
    left = {name for name, rows in row_counts().items() if rows}
    assert left == {"User"}
    User.objects.all().delete()


def test_a_project_is_deleted_while_people_judge() -> None:
    for _round in range(2):
        delete_while_people_judge(30)


def remove_members_while_they_judge(sentences: int) -> None:
    project = make_project(sentences=sentences, judges_per_sentence=JUDGES, lease_minutes=5)
    owner = make_annotator(project, "owner", "owner")
    people = [make_annotator(project, f"annotator{number}") for number in range(JUDGES)]
    Membership.objects.filter(user__in=people[:2]).update(sentence_limit=1000)
    with people_judging(project, people) as statuses:
        for user in people:
            remove_member(project=project, by=owner, user_id=user.pk)
    assert max(statuses) < 500
    assert not Assignment.objects.filter(state="open", annotator__in=people).exists()
    delete_project(project)
    User.objects.all().delete()


def test_members_are_removed_while_they_judge() -> None:
    for _round in range(2):
        remove_members_while_they_judge(30)


@pytest.mark.slow
def test_many_projects_and_members_are_removed_while_people_judge() -> None:
    for _round in range(30):
        delete_while_people_judge(60)
        remove_members_while_they_judge(60)
