"""Many annotators at once, whose sheets get their systems as they are assigned."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from django.db import connection

from annotation.judging.sheet import sheet
from annotation.judging.submission import Submitted, submit_and_assign
from annotation.models import Assignment, ChosenSystem, ShownSystem, Submission
from annotation.projects.administration import change_settings
from tests.annotation.kinds.document_project import prepared
from tests.factories import make_annotator, next_assignment

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]

ANNOTATORS, DOCUMENTS, SHEETS = 50, 20, 2


def judge_everything(annotator, project):
    """Judge until nothing is left, with scores at random; return the number of sheets."""
    judged, following = 0, None
    rng = Random(annotator.pk)
    try:
        while assignment := following or next_assignment(annotator=annotator, project=project):
            page = sheet(assignment)
            keys = [card.key for segment in page.segments for card in segment.cards]
            _stored, after = submit_and_assign(
                annotator=annotator,
                project=project,
                assignment_id=assignment.pk,
                token=page.token,
                given=Submitted({key: rng.randrange(1, 102) for key in keys}, {}, {}),
            )
            following = after and after.assignment
            judged += 1
        return judged
    finally:
        connection.close()


@pytest.mark.parametrize("choice", ["balanced", "dynamic"])
def test_no_sheet_is_chosen_or_assigned_twice(tmp_path, choice):
    project = prepared(
        tmp_path,
        kind="contrastive_error_spans",
        documents=tuple(f"news {number}" for number in range(DOCUMENTS)),
        sheet_choice=choice,
        sheet_systems=2,
        sheets_of_document=SHEETS,
        first_documents=5,
    )
    values = {"overlap_share": 0.2, "disputed_from": 10, "third_judge": True}
    change_settings(project=project, values=values)
    project.refresh_from_db()
    people = [make_annotator(project, f"annotator{number}") for number in range(ANNOTATORS)]
    with ThreadPoolExecutor(ANNOTATORS) as pool:
        judged = sum(pool.map(judge_everything, people, [project] * ANNOTATORS))
    assert not Assignment.objects.exclude(state="submitted").exists()
    assert Submission.objects.count() == Assignment.objects.count() == judged
    heads = project.sentences.filter(sheet=None)
    judges = Counter(Assignment.objects.values_list("sentence", flat=True))
    assert judges == {head.pk: 1 + head.further_judges for head in heads}
    assert len(judges) == DOCUMENTS * SHEETS
    # Two scores at random differ by more than ten points on nearly all sheets.
    assert max(judges.values()) == 3
    seen = Counter(Assignment.objects.values_list("annotator", "sentence__document"))
    assert set(seen.values()) == {1}
    chosen = Counter(ChosenSystem.objects.values_list("sheet", flat=True))
    assert set(chosen.values()) == {2}
    assert ShownSystem.objects.count() == 2 * judged
