"""Rankings of whole sentences that come into a project."""

import gzip

import pytest
from django.core.management import CommandError

from annotation.models import Project, Sentence
from annotation.projects.deletion import delete_project
from evaluation.models import SentenceJudgement, SentencePlacement
from evaluation.services.sentence_level import load_sentence_judgements
from evaluation.stats.judgements import MISSING
from tests.annotation.import_export.exchange_files import add_practice_and_controls, worked_on
from tests.evaluation.formats.wmt_files import write, write_five_way, write_pairwise
from tests.evaluation.sentence_rankings import ROWS, file, project, run, stored
from tests.factories import make_project

# Fixtures, which are used by their names.
__all__ = ["file", "project"]

pytestmark = pytest.mark.django_db


def test_it_stores_the_rankings_of_a_file(project, file):
    said = run(file)

    assert said == (
        f"Project {project.pk} 'houses' has 3 more judgements of whole sentences, of 2 sentences, "
        "by 2 judges."
    )
    assert stored() == [
        (1, "jana", {"A": 1, "B": 2, "C": 2}),
        (1, "petr", {"A": 4, "C": 5}),
        (3, "jana", {"A": 2, "B": 2, "C": 1}),
    ]


def test_they_are_read_as_judgements_of_whole_sentences(project, file):
    run(file)

    judgements = load_sentence_judgements(project)

    assert judgements.system_names == ("A", "B", "C")
    assert judgements.system_ranks.tolist() == [[1, 2, 2], [4, MISSING, 5], [2, 2, 1]]
    assert judgements.sentence_numbers[judgements.sentences].tolist() == [1, 1, 3]
    assert judgements.annotator_names == ("jana", "petr")
    assert judgements.annotators.tolist() == [0, 1, 0]


def test_without_any_there_are_none(project):
    judgements = load_sentence_judgements(project)

    assert len(judgements) == 0
    assert judgements.system_names == ("A", "B", "C")


def test_the_same_file_again_brings_nothing(project, file, tmp_path):
    run(file)
    packed = tmp_path / "five.csv.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))

    said = run(packed)

    assert said.endswith("'houses' has nothing new. There already: 3.")
    assert len(stored()) == 3


def test_a_longer_file_brings_what_is_new(project, file, tmp_path):
    run(file)

    said = run(write_five_way(tmp_path / "more.csv", [(2, "jana", "A 1 B 2"), *ROWS]))

    assert "has 1 more judgement of whole sentences, of 1 sentence, by 1 judge." in said
    assert "There already: 3." in said
    assert len(stored()) == 4


def test_what_stands_in_a_file_twice_was_judged_twice(project, tmp_path):
    file = write_five_way(tmp_path / "twice.csv", [ROWS[0], ROWS[0]])

    assert "has 2 more" in run(file)
    assert "There already: 2" in run(file)
    assert len(stored()) == 2


def test_pairs_are_stored_as_the_rankings_that_they_were(project, tmp_path):
    rows = [
        (1, "jana", "A 1 B 2", "7"),
        (1, "jana", "A 1 C 2", "7"),
        (1, "jana", "B 2 C 2", "7"),
        (2, "petr", "A 1 C 1", "8"),
    ]

    run(write_pairwise(tmp_path / "pairs.csv", rows), file_format="wmt-pairs")

    assert stored() == [(1, "jana", {"A": 1, "B": 2, "C": 2}), (2, "petr", {"A": 1, "C": 1})]


def test_systems_are_mapped_by_a_file(project, tmp_path):
    file = write_five_way(
        tmp_path / "five.csv", [(1, "jana", "a.1 2 b.1 1 jhu 3 B 4"), (2, "jana", "jhu 1 a.1 2")]
    )
    names = write(tmp_path / "map.tsv", ["a.1\tA", "b.1\tC", "jhu\t"])

    said = run(file, "--map", names)

    assert stored() == [(1, "jana", {"A": 2, "B": 4, "C": 1})]
    assert said.endswith("Of too few of its systems to say anything: 1.")


def test_sentences_that_the_project_lacks_are_counted(project, tmp_path):
    file = write_five_way(tmp_path / "five.csv", [*ROWS, (4, "jana", "A 1 B 2")])

    assert run(file).endswith("Of sentences that it does not have: 1.")
    assert len(stored()) == 3


def test_an_offset_is_added_to_the_numbers_of_the_file(project, tmp_path):
    file = write_five_way(tmp_path / "five.csv", [(11, "jana", "A 1 B 2"), (12, "jana", "A 1 C 2")])

    run(file, "--offset", -10)

    assert [number for number, _, _ in stored()] == [1, 2]


def test_replacing_removes_what_was_there(project, file, tmp_path):
    run(file)

    said = run(write_five_way(tmp_path / "new.csv", [(2, "jana", "A 1 B 2"), ROWS[0]]), "--replace")

    assert "lost the 3 judgements of whole sentences that it had." in said
    assert "has 2 more" in said
    assert [number for number, _, _ in stored()] == [2, 1]


def test_one_of_several_language_pairs_is_chosen(project, tmp_path):
    lines = write_five_way(tmp_path / "a.csv", ROWS).read_text().splitlines()
    others = write_five_way(tmp_path / "b.csv", ROWS[:1], "Czech-French").read_text().splitlines()
    file = write(tmp_path / "both.csv", [*lines, *others[1:]])

    with pytest.raises(CommandError, match="choose one by --pair: Czech-English, Czech-French"):
        run(file)
    assert "has 1 more" in run(file, "--pair", "Czech-French")


def test_sentences_for_practice_and_control_are_no_sentences_of_the_file(tmp_path):
    project = worked_on()
    add_practice_and_controls(project)
    project.systems.create(name="X")
    system = project.systems.exclude(name="X").earliest("pk")
    file = write_five_way(tmp_path / "five.csv", [(1, "jana", f"{system.name} 1 X 2")])

    run(file, project=project.name)

    assert {judgement.sentence.purpose for judgement in SentenceJudgement.objects.all()} == {
        Sentence.Purpose.JUDGE
    }


def test_two_projects_have_their_own(project, file):
    other = make_project("other")

    run(file)
    run(file, project="other")

    assert SentenceJudgement.objects.filter(project=other).count() == 3
    assert {
        placed.system.project_id == placed.judgement.project_id
        for placed in SentencePlacement.objects.select_related("system", "judgement")
    } == {True}


@pytest.mark.django_db(transaction=True)
def test_they_go_with_their_project_and_only_with_it(project, file):
    kept = make_project("kept")
    run(file)
    run(file, project="kept")

    delete_project(project)

    assert set(SentenceJudgement.objects.values_list("project", flat=True)) == {kept.pk}
    assert SentencePlacement.objects.count() == 8
    assert not Project.objects.filter(pk=project.pk).exists()
