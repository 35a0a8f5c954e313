"""The probabilities with which systems were chosen, for statistics."""

import numpy as np
import pytest

from annotation.models import ChosenSystem
from evaluation.services.loading import load, load_probabilities
from tests.annotation.kinds.document_project import judge_all, prepared
from tests.factories import make_annotator

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

KIND = "contrastive_error_spans"
DOCUMENTS = ("news 1", "news 1", "talk 2", "talk 3")


def test_each_judgement_has_the_probabilities_of_its_sheet(tmp_path):
    project = prepared(
        tmp_path,
        kind=KIND,
        documents=DOCUMENTS,
        sheet_choice="balanced",
        sheet_systems=2,
        sheets_of_document=1,
    )
    judge_all(make_annotator(project), project, lambda _text, _whole: 1)
    judgements, found = load(project), load_probabilities(project)
    assert found.sheets == pytest.approx(np.full(4, 1 / 3))
    assert found.systems.shape == (4, len(judgements.system_names)) == (4, 3)
    chosen = {
        (number, name)
        for number, name in ChosenSystem.objects.values_list("sheet__number", "system__name")
    }
    # The second line is on the sheet of the first.
    heads = {1: 1, 2: 1, 3: 3, 4: 4}
    lines = judgements.sentence_numbers[judgements.sentences].tolist()
    for row, line in enumerate(lines):
        for column, name in enumerate(judgements.system_names):
            is_there = (heads[line], name) in chosen
            value = found.systems[row, column]
            assert value == pytest.approx(2 / 3) if is_there else np.isnan(value)


def test_they_are_one_where_every_system_is_on_every_document(tmp_path):
    project = prepared(tmp_path, kind=KIND, documents=DOCUMENTS)
    judge_all(make_annotator(project), project, lambda _text, _whole: 1)
    found = load_probabilities(project)
    assert (found.sheets == 1).all()
    assert (found.systems == 1).all()
