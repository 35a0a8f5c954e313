"""Projects with practice and control sentences, for the tests of their pages."""

import re
from collections import Counter

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse

from annotation.judging.practice import answer_sheet, answers, make_practice
from annotation.judging.sheet import sheet
from annotation.judging.submission import submit
from annotation.models import Assignment, Project, Sentence, User
from tests.factories import assign_next, make_annotator, make_project

WHY = "Because of the case."


@pytest.fixture
def project():
    return make_project(sentences=5)


@pytest.fixture
def jana(client, project):
    user = make_annotator(project)
    client.force_login(user)
    return user


def practise_with(
    project: Project, *numbers: int, explanations: tuple[str, ...] = (WHY,)
) -> list[Sentence]:
    """Make practice sentences of these; in the gold answers each card has its own rank."""
    made = []
    for number in numbers:
        original = project.sentences.get(purpose="judge", number=number)
        choices: dict[str, int | None] = {
            card.key: rank
            for segment in answer_sheet(original, project).segments
            for rank, card in enumerate(segment.cards, start=1)
        }
        made.append(
            make_practice(
                project=project,
                number=number,
                choices=choices,
                explanations=dict(enumerate(explanations)),
            )
        )
    return made


def right_choices(assignment: Assignment) -> dict[str, int | None]:
    """Return the gold answers as choices of the practice assignment."""
    project = assignment.project
    right, _explanations = answers(assignment.sentence, project)
    by_text = {
        (place, card.text): right[card.key]
        for place, segment in enumerate(answer_sheet(assignment.sentence, project).segments)
        for card in segment.cards
    }
    return {
        card.key: by_text[place, card.text]
        for place, segment in enumerate(sheet(assignment).segments)
        for card in segment.cards
    }


def practise_one(annotator: User, project: Project, *, right: bool = True) -> Assignment:
    """Judge the next practice sentence: as in the gold answers, or in reverse order."""
    assignment = assign_next(annotator, project, practise=True)
    assert assignment.kind == Assignment.Kind.PRACTICE
    choices = right_choices(assignment)
    if not right:
        sizes = Counter(key.split("-")[0] for key in choices)
        turned = {key: sizes[key.split("-")[0]] + 1 - rank for key, rank in choices.items() if rank}
        choices = dict(turned)
    page = sheet(assignment)
    submit(
        annotator=annotator,
        project=project,
        assignment_id=assignment.pk,
        token=page.token,
        choices=choices,
    )
    return assignment


def address(name, project, *more):
    return reverse(name, args=[project.pk, *more])


def page_of(client, name, project, *more, query=""):
    response = client.get(address(name, project, *more) + query)
    assert response.status_code == 200
    return response.content.decode()


def send(client, view, project, *more, **fields):
    """Post a form of an administrator that is accepted; return the messages."""
    response = client.post(address(view, project, *more), fields)
    assert response.status_code == 302
    return [str(message) for message in get_messages(response.wsgi_request)]


def open_one(jana):
    return Assignment.objects.get(annotator=jana, state="open")


def require_practice():
    Project.objects.update(practice_required=True)


def found(pattern, html):
    match = re.search(pattern, html)
    assert match
    return match


def copies(purpose):
    return Sentence.objects.filter(purpose=purpose).order_by("number")
