"""Projects in which segments are ranked inside their whole translations."""

import pytest

from annotation.judging.assignment import create_assignment
from annotation.judging.rank_fields import judgement_fields
from annotation.judging.sheet import sheet
from annotation.models import Assignment, Candidate, Control, Project, Sentence, Translation, User
from annotation.projects.sentence_copies import copy_sentence
from annotation.templatetags.judging import candidates as cards_html
from tests.factories import assign_next, make_annotator, make_project, places

pytestmark = pytest.mark.django_db
RANKED = "annotation/answers/ranking/_card.html"


@pytest.fixture
def project() -> Project:
    project = make_project("context", kind="constituents_in_context", queue_order="document")
    for sentence in project.sentences.all():
        for system, tokens in (("A", "starý dům stojí"), ("B", "stará dům leží")):
            Translation.objects.create(
                sentence=sentence,
                system=project.systems.get(name=system),
                text=tokens,
                tokens=places(tokens),
                alignment="1-0 2-1",
            )
    return project


@pytest.fixture
def jana(project: Project) -> User:
    return make_annotator(project)


def test_a_card_shows_its_whole_translation_with_marks(project: Project, jana: User) -> None:
    page = sheet(assign_next(jana, project))
    fields = judgement_fields(page, {}, complain=False)
    (card,) = [card for card in fields[0].cards if card.text == "starý dům"]
    html = cards_html([card], "cs", RANKED)
    assert '<span class="in-context"><mark>starý dům</mark> stojí</span>' in html
    assert "whole-switch" not in html
    # Of no known translation.
    (alone,) = [card for card in fields[0].cards if card.text == "dům"]
    assert "in-context" not in cards_html([alone], "cs", RANKED)


def test_a_degraded_control_is_shown_in_its_changed_translation(
    project: Project, jana: User
) -> None:
    copy = copy_sentence(project.sentences.get(number=1), Sentence.Purpose.CONTROL)
    segment = next(iter(copy.segments.values()))
    degraded = Candidate.objects.create(segment=segment, text="starý vlak")
    original = segment.candidates.get(text="starý dům")
    Control.objects.create(segment=segment, kind="degraded", original=original, changed=degraded)
    assignment = create_assignment(jana, project, Assignment.Kind.CONTROL, copy.sentence)
    (card,) = [card for card in sheet(assignment).segments[0].cards if card.text == "starý vlak"]
    assert card.in_context
    assert card.whole == [[("starý vlak", True), (" stojí", False)]]
