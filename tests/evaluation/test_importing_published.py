"""Rankings of whole sentences as WMT published them."""

import gzip
from collections import Counter
from itertools import combinations

import pytest

from annotation.models import Project, Sentence, System
from evaluation.models import SentenceJudgement
from evaluation.services.sentence_level import load_sentence_judgements
from evaluation.stats.judgements import natural_key
from tests.evaluation.formats.wmt_files import write
from tests.evaluation.sentence_rankings import run
from tests.evaluation.tables import pair_counts

pytestmark = pytest.mark.django_db


def project_of(systems, sentences):
    project = Project.objects.create(
        name="wmt", source_language="en", target_language="cs", state=Project.State.OPEN
    )
    System.objects.bulk_create(System(project=project, name=name) for name in systems)
    Sentence.objects.bulk_create(
        Sentence(project=project, number=number, text="x", tokens="x")
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
    wins, ties = pair_counts(load_sentence_judgements(project))
    found = {
        (systems[x], systems[y]): [wins[x, y], ties[x, y], wins[y, x]]
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
    wins, _ties = pair_counts(load_sentence_judgements(project))
    for (x, one), (y, other) in combinations(enumerate(systems), 2):
        assert wins[x, y] == expected[one, other]
        assert wins[y, x] == expected[other, one]
