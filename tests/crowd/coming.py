"""Participants start by a link, and judge."""

from typing import Any

from django.test import Client
from django.urls import reverse

from annotation.judging.sheet import sheet
from annotation.judging.submission import submit
from annotation.models import Assignment, Project, User
from crowd.models import StartLink
from tests.factories import next_assignment

PID = "5f1a2b3c4d5e6f7a8b9c0d1e"


def make_link(project: Project, **fields: Any) -> StartLink:
    return StartLink.objects.create(
        project=project,
        **{
            "platform": "Prolific",
            "id_parameter": "PROLIFIC_PID",
            "visit_parameter": "SESSION_ID",
            "code": "C0DE-1",
            **fields,
        },
    )


def path_of(link: StartLink, participant: str = PID, **more: str) -> str:
    parameters = "&".join(f"{key}={value}" for key, value in more.items())
    return f"{reverse('start', args=[link.token])}?{link.id_parameter}={participant}&{parameters}"


def come(link: StartLink, participant: str = PID, client: Client | None = None) -> Client:
    """Start as this participant; return the browser, which is then signed in."""
    browser = client or Client()
    answer = browser.post(path_of(link, participant))
    assert answer.status_code == 302
    return browser


def user_of(link: StartLink, participant: str = PID) -> User:
    return link.participants.get(participant_id=participant).user


def submit_sentence(assignment: Assignment, active_seconds: float | None = None) -> None:
    page = sheet(assignment)
    submit(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        token=page.token,
        # In the order in which they are shown, which is random.
        choices={
            card.key: place
            for segment in page.segments
            for place, card in enumerate(segment.cards, start=1)
        },
        active_seconds=active_seconds,
    )


def judge(annotator: User, project: Project, most: int = 10_000) -> int:
    """Judge until no sentence is assigned, at most `most`; return how many."""
    for judged in range(most):
        given = next_assignment(annotator=annotator, project=project)
        if given is None:
            return judged
        submit_sentence(given)
    return most
