"""The annotator's own judgements: the search in them."""

import pytest

from annotation.judging.submission import submit
from annotation.models import Assignment, Project, Sentence, User
from annotation.selectors.my_judgements import count_past, past_judgements
from tests.annotation.judging.open_sentence import submit_on_one_rank
from tests.factories import assign_next, make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


def judge(user: User, project: Project) -> Assignment:
    assignment = assign_next(user, project)
    submit_on_one_rank(assignment, 1, submit)
    return assignment


def test_words_of_the_source_are_searched_and_all_are_counted() -> None:
    project = make_project(sentences=3)
    jana = make_annotator(project)
    judged = [judge(jana, project) for _ in range(3)]
    Sentence.objects.filter(pk=judged[1].sentence_id).update(text="100 % of the Castles")

    for words in ("castles", "% of"):
        assert list(past_judgements(jana, project, words=words)) == [judged[1]]
        assert count_past(jana, project, words=words) == (1, 3)
    assert count_past(jana, project, words="cottage") == (0, 3)
    assert count_past(jana, project) == (3, 3)
