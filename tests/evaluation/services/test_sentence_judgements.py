import gzip
from collections import Counter
from itertools import combinations

import pytest
from django.core.management import CommandError
from django.db import IntegrityError, transaction

from annotation.models import Project, Sentence, System
from annotation.projects.deletion import delete_project
from evaluation.models import SentenceJudgement, SentencePlacement
from evaluation.services.sentence_level import load_sentence_judgements
from evaluation.stats.judgements import MISSING, natural_key
from evaluation.stats.wins import count_wins
from tests.annotation.import_export.exchange_files import add_practice_and_controls, worked_on
from tests.evaluation.formats.wmt_files import write, write_five_way, write_pairwise
from tests.evaluation.sentence_rankings import ROWS, file, project, run, stored
from tests.factories import make_project, places

# Fixtures.
__all__ = ["file", "project"]

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


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


def test_it_loads_them_as_judgements(project, file):
    run(file)

    judgements = load_sentence_judgements(project)

    assert judgements.system_names == ("A", "B", "C")
    assert judgements.system_ranks.tolist() == [[1, 2, 2], [4, MISSING, 5], [2, 2, 1]]
    assert judgements.sentence_numbers[judgements.sentences].tolist() == [1, 1, 3]
    assert judgements.annotator_names == ("jana", "petr")
    assert judgements.annotators.tolist() == [0, 1, 0]


def test_a_project_without_them_has_no_judgements(project):
    judgements = load_sentence_judgements(project)

    assert len(judgements) == 0
    assert judgements.system_names == ("A", "B", "C")


def test_it_stores_nothing_of_a_file_that_is_imported(project, file, tmp_path):
    run(file)
    packed = tmp_path / "five.csv.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))

    said = run(packed)

    assert said.endswith("'houses' has nothing new. There already: 3.")
    assert len(stored()) == 3


def test_it_stores_new_rankings_of_a_longer_file(project, file, tmp_path):
    run(file)

    said = run(write_five_way(tmp_path / "more.csv", [(2, "jana", "A 1 B 2"), *ROWS]))

    assert "has 1 more judgement of whole sentences, of 1 sentence, by 1 judge." in said
    assert "There already: 3." in said
    assert len(stored()) == 4


def test_equal_rankings_of_one_file_are_stored_twice(project, tmp_path):
    file = write_five_way(tmp_path / "twice.csv", [ROWS[0], ROWS[0]])

    assert "has 2 more" in run(file)
    assert "There already: 2" in run(file)
    assert len(stored()) == 2


def test_pairs_become_rankings(project, tmp_path):
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


def test_replace_removes_earlier_imports(project, file, tmp_path):
    run(file)

    said = run(write_five_way(tmp_path / "new.csv", [(2, "jana", "A 1 B 2"), ROWS[0]]), "--replace")

    assert "lost the 3 judgements of whole sentences that it had." in said
    assert "has 2 more" in said
    assert [number for number, _, _ in stored()] == [2, 1]


def test_numbers_are_those_of_sentences_to_judge(tmp_path):
    project = worked_on()
    add_practice_and_controls(project)
    project.systems.create(name="X")
    system = project.systems.exclude(name="X").earliest("pk")
    file = write_five_way(tmp_path / "five.csv", [(1, "jana", f"{system.name} 1 X 2")])

    run(file, project=project.name)

    assert {judgement.sentence.purpose for judgement in SentenceJudgement.objects.all()} == {
        Sentence.Purpose.JUDGE
    }


@pytest.mark.django_db(transaction=True)
def test_they_are_deleted_with_their_project(project, file):
    kept = make_project("kept")
    run(file)
    run(file, project="kept")

    delete_project(project)

    assert set(SentenceJudgement.objects.values_list("project", flat=True)) == {kept.pk}
    assert SentencePlacement.objects.count() == 8
    assert not Project.objects.filter(pk=project.pk).exists()


# --- refusals ---


def test_it_refuses_unknown_systems_and_names_them(project, tmp_path):
    file = write_five_way(tmp_path / "five.csv", [ROWS[0], (1, "jana", "A 1 s10 2 s9 3")])

    with pytest.raises(CommandError, match=r"does not have: s9, s10\. It has A, B, C\. Give --map"):
        run(file)

    assert not SentenceJudgement.objects.exists()


def test_it_refuses_two_texts_of_one_system(project, tmp_path):
    file = write_five_way(tmp_path / "five.csv", [ROWS[0], (2, "jana", "A 1 B 2")])
    names = write(tmp_path / "map.tsv", ["A\tC", "B\tC", "C\t"])

    with pytest.raises(CommandError, match="line 2: two texts are of the project's system 'C'"):
        run(file, "--map", names)

    assert not SentenceJudgement.objects.exists()


def test_it_refuses_a_file_of_other_sentences(project, tmp_path):
    file = write_five_way(tmp_path / "five.csv", [(11, "jana", "A 1 B 2"), (12, "jana", "A 1 C 2")])

    with pytest.raises(CommandError) as caught:
        run(file)

    assert "ranks sentences 11 to 12, and the project has 1 to 3. --offset N adds N" in str(
        caught.value
    )


def test_it_refuses_a_file_without_two_systems_of_the_project(project, tmp_path):
    file = write_five_way(tmp_path / "five.csv", [(1, "jana", "A 1 B -1"), (9, "jana", "A 1 B 2")])

    with pytest.raises(
        CommandError,
        match="1 of its rankings have fewer than two of",
    ):
        run(file)


def test_a_failed_replacement_changes_nothing(project, file, tmp_path):
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
def test_it_refuses_a_bad_line(project, tmp_path, rows, message):
    with pytest.raises(CommandError, match=message):
        run(write_five_way(tmp_path / "five.csv", rows))

    assert not SentenceJudgement.objects.exists()


def test_it_refuses_rankings_of_two_documents(project, file, tmp_path):
    lines = file.read_text().splitlines()
    lines[-1] = lines[-1].replace("cs-en.test", "other.test")

    with pytest.raises(CommandError, match=r"line 4: the document is 'other.test', and that of"):
        run(write(tmp_path / "two.csv", lines))


@pytest.mark.parametrize("state", ["preparing", "failed"])
def test_it_refuses_a_project_that_is_not_prepared(project, file, state):
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


# --- published rankings ---


def project_of(systems, sentences):
    project = Project.objects.create(
        name="wmt", source_language="en", target_language="cs", state=Project.State.OPEN
    )
    System.objects.bulk_create(System(project=project, name=name) for name in systems)
    Sentence.objects.bulk_create(
        Sentence(project=project, number=number, text="x", tokens=places("x"))
        for number in range(1, sentences + 1)
    )
    return project


@pytest.mark.shared
def test_rankings_of_2012_are_of_the_lines_of_its_text_and_count_as_published(shared):
    folder = shared / "data/judgements/wmt12"
    published = [
        line.split()
        for line in (folder / "published/pairwise/wmt12.English-Czech").read_text().splitlines()
    ]
    systems = sorted({name for row in published for name in row[:2]}, key=natural_key)
    project = project_of(systems, 3003)

    arguments = [folder / "wmt12.RNK_results.csv.gz", "--pair", "English-Czech"]
    said = run(*arguments, project="wmt")

    # 3 of 2308 rankings have four empty places.
    assert "has 2305 more judgements of whole sentences, of 1503 sentences" in said
    assert "that it does not have" not in said
    counted = count_wins(load_sentence_judgements(project)).total()
    found = {
        (systems[x], systems[y]): [
            counted.wins[0, x, y],
            counted.ties[0, x, y],
            counted.wins[0, y, x],
        ]
        for x, y in ((systems.index(one), systems.index(other)) for one, other, *_ in published)
    }
    assert found == {
        (one, other): [int(count) for count in counts] for one, other, *counts in published
    }
    assert "has nothing new. There already: 2305." in run(*arguments, project="wmt")


@pytest.mark.shared
def test_pairs_of_2016_are_of_the_lines_of_its_text(shared, tmp_path):
    path = shared / "data/judgements/wmt16/wmt16.collapsed.eng-tur.csv.gz"
    rows = [line.split(",") for line in gzip.decompress(path.read_bytes()).decode().split()[1:]]
    names = {name for row in rows for at in (5, 7) for name in row[at].split("+")}
    ours = {name: name.split(".")[1] for name in names}
    assert len(set(ours.values())) == len(ours)
    systems = sorted(ours.values(), key=natural_key)
    project = project_of(systems, 3000)
    map_file = write(tmp_path / "map.tsv", [f"{theirs}\t{name}" for theirs, name in ours.items()])

    said = run(path, "--map", map_file, project="wmt", file_format="wmt-pairs")

    assert "that it does not have" not in said
    assert SentenceJudgement.objects.filter(project=project).count() == 1013
    # All lines, and A+B against C as A against C and B against C.
    expected: Counter[tuple[str, str]] = Counter()
    for row in rows:
        for one in row[5].split("+"):
            for other in row[7].split("+"):
                better = (int(row[6]) > int(row[8])) - (int(row[6]) < int(row[8]))
                first, second = (ours[one], ours[other]) if better < 0 else (ours[other], ours[one])
                expected[first, second] += better != 0
    counted = count_wins(load_sentence_judgements(project)).total()
    for (x, one), (y, other) in combinations(enumerate(systems), 2):
        assert counted.wins[0, x, y] == expected[one, other]
        assert counted.wins[0, y, x] == expected[other, one]
