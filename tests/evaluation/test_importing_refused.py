"""Rankings of whole sentences that do not come into a project, and what is said of them."""

import pytest
from django.core.management import CommandError
from django.db import IntegrityError, transaction

from annotation.models import Project
from evaluation.models import SentenceJudgement, SentencePlacement
from tests.evaluation.formats.wmt_files import write, write_five_way
from tests.evaluation.sentence_rankings import ROWS, file, project, run, stored

# Fixtures, which are used by their names.
__all__ = ["file", "project"]

pytestmark = pytest.mark.django_db


def test_unknown_systems_are_all_named_and_nothing_is_stored(project, tmp_path):
    file = write_five_way(tmp_path / "five.csv", [ROWS[0], (1, "jana", "A 1 s10 2 s9 3")])

    with pytest.raises(CommandError, match=r"does not have: s9, s10\. It has A, B, C\. Give --map"):
        run(file)

    assert not SentenceJudgement.objects.exists()


def test_two_texts_of_one_system_of_the_project_are_an_error(project, tmp_path):
    file = write_five_way(tmp_path / "five.csv", [ROWS[0], (2, "jana", "A 1 B 2")])
    names = write(tmp_path / "map.tsv", ["A\tC", "B\tC", "C\t"])

    with pytest.raises(CommandError, match="line 2: two texts are of the project's system 'C'"):
        run(file, "--map", names)

    assert not SentenceJudgement.objects.exists()


def test_a_file_of_other_sentences_is_an_error_that_says_which(project, tmp_path):
    file = write_five_way(tmp_path / "five.csv", [(11, "jana", "A 1 B 2"), (12, "jana", "A 1 C 2")])

    with pytest.raises(CommandError) as caught:
        run(file)

    assert "ranks sentences 11 to 12, and the project has 1 to 3. --offset N adds N" in str(
        caught.value
    )


def test_a_file_that_ranks_no_two_systems_of_the_project_is_an_error(project, tmp_path):
    file = write_five_way(tmp_path / "five.csv", [(1, "jana", "A 1 B -1"), (9, "jana", "A 1 B 2")])

    with pytest.raises(
        CommandError,
        match="1 of its rankings have fewer than two of",
    ):
        run(file)


def test_a_failed_replacement_leaves_all_as_it_was(project, file, tmp_path):
    run(file)

    with pytest.raises(CommandError, match="does not have: X"):
        run(write_five_way(tmp_path / "new.csv", [(2, "jana", "A 1 X 2")]), "--replace")

    assert len(stored()) == 3


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([ROWS[0], (1, "jana", "A 6 B 1")], "line 3: the rank '6' of 'A'"),
        ([ROWS[0], (1, "x" * 201, "A 2 B 1")], "line 3: the name of the judge has 201"),
        ([], "has a heading and no rankings"),
    ],
)
def test_what_cannot_be_used_is_said_with_its_line(project, tmp_path, rows, message):
    with pytest.raises(CommandError, match=message):
        run(write_five_way(tmp_path / "five.csv", rows))

    assert not SentenceJudgement.objects.exists()


def test_rankings_of_two_documents_are_an_error(project, file, tmp_path):
    lines = file.read_text().splitlines()
    lines[-1] = lines[-1].replace("cs-en.test", "other.test")

    with pytest.raises(CommandError, match=r"line 4: the document is 'other.test', and that of"):
        run(write(tmp_path / "two.csv", lines))


@pytest.mark.parametrize("state", ["preparing", "failed"])
def test_a_project_that_is_not_prepared_has_none(project, file, state):
    Project.objects.update(state=state)

    with pytest.raises(CommandError, match="is not prepared"):
        run(file)


def test_the_database_keeps_a_ranking_once_and_its_ranks_in_bounds(project, file):
    run(file)
    judgement = SentenceJudgement.objects.earliest("pk")
    others = {"project": project, "sentence": judgement.sentence, "judge": "jana"}
    placed = {"judgement": judgement, "system": project.systems.get(name="A")}
    fresh = SentenceJudgement.objects.create(key="x", **others)

    for model, fields in (
        (SentenceJudgement, others | {"key": judgement.key}),
        (SentenceJudgement, others | {"key": "y", "judge": ""}),
        (SentencePlacement, placed | {"rank": 1}),
        (SentencePlacement, placed | {"judgement": fresh, "rank": 6}),
        (SentencePlacement, placed | {"judgement": fresh, "rank": 0}),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            model.objects.create(**fields)
