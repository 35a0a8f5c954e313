"""`manage.py create_project` with dependency trees, given segments or covered predicates."""

from itertools import islice
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.formats.plain_text import read_lines
from annotation.formats.segment_files import source_segment_line
from annotation.formats.source_segments import read_source_segments
from annotation.models import Job, Project, Segment, Sentence
from tests.jobs import run_job

pytestmark = pytest.mark.django_db

SOURCE = "The old house can't stand near the river.\n\nWe saw it.\n"
TARGET = "Starý dům nemůže stát u řeky .\n\nViděli jsme ho .\n"
CONLLU = """\
# text = The old house can't stand near the river.
1\tThe\tthe\tDET\t_\t_\t3\tdet\t_\t_
2\told\told\tADJ\t_\t_\t3\tamod\t_\t_
3\thouse\thouse\tNOUN\t_\t_\t6\tnsubj\t_\t_
4-5\tcan't\t_\t_\t_\t_\t_\t_\t_\t_
4\tca\tcan\tAUX\t_\tVerbForm=Fin\t6\taux\t_\t_
5\tn't\tnot\tPART\t_\t_\t6\tadvmod\t_\t_
6\tstand\tstand\tVERB\t_\t_\t0\troot\t_\t_
7\tnear\tnear\tADP\t_\t_\t9\tcase\t_\t_
8\tthe\tthe\tDET\t_\t_\t9\tdet\t_\t_
9\triver\triver\tNOUN\t_\t_\t6\tobl\t_\t_
10\t.\t.\tPUNCT\t_\t_\t6\tpunct\t_\t_

1\tWe\twe\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tsaw\tsee\tVERB\t_\tVerbForm=Fin\t0\troot\t_\t_
3\tit\tit\tPRON\t_\t_\t2\tobj\t_\t_
4\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_
"""
SEGMENTS = "3\tsaw it\t1 2\n1\tThe house\t0 2\n1\tstand near\t5 6\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "source").write_text(SOURCE)
    (tmp_path / "alfa").write_text(TARGET)
    (tmp_path / "trees.conllu").write_text(CONLLU)
    (tmp_path / "source.segments").write_text(SEGMENTS)
    return tmp_path


def create(folder: Path, *more: str) -> Project:
    call_command(
        "create_project",
        "houses",
        "--languages=en-cs",
        f"--source={folder / 'source'}",
        f"--system=alfa={folder / 'alfa'}",
        "--aligner=systran",
        *more,
    )
    return Project.objects.get(name="houses")


def with_trees(folder: Path) -> list[str]:
    return ["--parser=conllu", f"--trees={folder / 'trees.conllu'}"]


def segments() -> list[tuple[int, str]]:
    rows = Segment.objects.order_by("pk").values_list("sentence__number", "token_indices")
    return list(rows)


def trees() -> list[str]:
    return list(Sentence.objects.order_by("number").values_list("tree", flat=True))


def test_dependencies_are_stored_as_trees(folder: Path) -> None:
    project = create(folder, *with_trees(folder))
    assert Sentence.objects.get(number=1).tokenized.words[3:5] == ["can", "'t"]
    assert trees() == [
        "(ROOT (S (NP (DET The) (ADJ old) (NOUN house)) (VP (AUX-FIN can) (PART 't) (VP (VERB "
        "stand) (PP (ADP near) (NP (DET the) (NOUN river))))) (PUNCT .)))",
        "(ROOT )",
        "(ROOT (S (PRON We) (VP (VERB-FIN saw) (PRON it)) (PUNCT .)))",
    ]
    assert segments() == [(1, "0 1 2"), (1, "3 4 5 6 7 8"), (3, "0 1 2 3")]
    assert project.provenance["parser"] == {"name": "conllu", "version": "conversion 1"}
    assert project.provenance["coverage"] == "algorithm1"
    assert project.provenance["files"]["trees"]["name"] == "trees.conllu"


def test_uncovered_predicates_get_a_segment(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lengths = ["--min-length=2", "--max-length=3"]
    project = create(folder, *with_trees(folder), *lengths, "--coverage=predicates")
    assert segments() == [(1, "0 1 2"), (1, "3 4 5"), (1, "6 7 8"), (3, "1 2")]
    assert project.provenance["coverage"] == "predicates"
    printed = capsys.readouterr()
    assert "coverage    predicates" in printed.out
    assert "0.0% of sentences have a tree that names no verb" in printed.out
    assert printed.err == ""


def test_trees_without_verbs_are_warned_of(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (SOURCE.replace("can't", "can 't").replace(".", " .")).splitlines()
    lines = [f"(X {' '.join(f'(X {word})' for word in line.split())})" for line in words]
    lines[1] = ""
    (folder / "trees").write_text("".join(f"{line}\n" for line in lines))
    trees = ["--parser=brackets", f"--trees={folder / 'trees'}"]
    create(folder, *trees, "--coverage=predicates", "--max-length=15")
    printed = capsys.readouterr()
    assert "100.0% of sentences have a tree that names no verb" in printed.out
    assert "Warning: these trees hardly name verbs" in printed.err


def test_a_worker_prepares_the_project_again(folder: Path) -> None:
    project = create(folder, *with_trees(folder))
    before = trees(), segments()
    Project.objects.update(state=Project.State.PREPARING)
    # The trees are stored already, in brackets.
    Job.objects.update(state=Job.State.QUEUED)
    run_job(project.job.pk)
    assert (trees(), segments()) == before


def test_given_segments_are_stored_unchanged(folder: Path) -> None:
    project = create(folder, f"--segments={folder / 'source.segments'}")
    assert segments() == [(1, "0 2"), (1, "5 6"), (3, "1 2")]
    assert trees() == ["", "", ""]
    assert project.provenance["parser"] == {
        "name": "given",
        "version": "segments from source.segments",
    }
    assert project.provenance["coverage"] == "given"


BAD: list[tuple[str, dict[str, str], list[str], str]] = [
    (
        "another text",
        {"source": SOURCE.replace("We", "They")},
        ["conllu"],
        "trees.conllu, line 14 (line 3 of the source): the words are not those of the source: "
        "they begin with 'Wesawit.' where the source has 'Theysawit.'.",
    ),
    ("too few", {"source": SOURCE + "No.\n", "alfa": TARGET + "Ne.\n"}, ["conllu"], "line 4 of"),
    ("broken", {"trees.conllu": "(S a)\n"}, ["conllu"], "trees.conllu, line 1: 1 columns"),
    ("trees only", {}, ["--trees"], "--parser brackets or conllu and --trees FILE go together"),
    ("parser only", {}, ["--parser=conllu"], "--parser brackets or conllu and --trees FILE go"),
    (
        "other words",
        {"source.segments": "1\tThe dog\t0 2\n"},
        ["segments"],
        "source.segments, line 1: the segment 'The dog' is not what its token indices select: "
        "'The … house'. If the source is already tokenized, say so (--source-tokenized).",
    ),
    ("beyond", {"source.segments": "9\tx\t0\n"}, ["segments"], "line 1: there is no sentence 9:"),
    ("twice", {}, ["segments", "--parser=phrases"], "leave out --parser and --coverage."),
    ("covered", {}, ["segments", "--coverage=predicates"], "leave out --parser and --coverage."),
    (
        "no verbs",
        {},
        ["--parser=phrases", "--coverage=predicates"],
        "The coverage predicates needs parts of speech",
    ),
]


@pytest.mark.parametrize(
    ("files", "more", "message"), [bad[1:] for bad in BAD], ids=[bad[0] for bad in BAD]
)
def test_bad_input_is_one_sentence_and_leaves_nothing(
    folder: Path, files: dict[str, str], more: list[str], message: str
) -> None:
    for name, text in files.items():
        (folder / name).write_text(text)
    known = {
        "conllu": with_trees(folder),
        "segments": [f"--segments={folder / 'source.segments'}"],
        "--trees": with_trees(folder)[1:],
    }
    options = [option for each in more for option in known.get(each, [each])]
    with pytest.raises(CommandError) as error:
        create(folder, *options)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert not Project.objects.exists()
    assert not Sentence.objects.exists()


@pytest.mark.shared
def test_segments_of_the_thesis(tmp_path: Path, shared: Path) -> None:
    """Segments of sentences 992 to 1031; the tokens of the last one differ from ours."""
    chosen = range(992, 1032)
    data = shared / "data" / "wmt14-en-cs"

    def lines(*path: str) -> list[str]:
        found = list(islice(read_lines(data.joinpath(*path)), chosen.stop))
        return [found[number - 1] for number in chosen]

    rows = read_source_segments(data / "first-half" / "source.segments")
    (tmp_path / "source.segments").write_text(
        "".join(
            source_segment_line(number, row.words, " ".join(map(str, row.indices)))
            for number, line in enumerate(chosen, start=1)
            for row in rows.get(line, [])
        )
    )
    (tmp_path / "alfa").write_text("\n".join(lines("systems", "onlineB.txt")) + "\n")
    option = f"--segments={tmp_path / 'source.segments'}"
    (tmp_path / "source").write_text("\n".join(lines("source.txt")) + "\n")
    with pytest.raises(CommandError, match="is not what its token"):
        create(tmp_path, option)
    tokens = lines("first-half", "tokenised", "source.txt")
    (tmp_path / "source").write_text("\n".join(tokens) + "\n")
    project = create(tmp_path, option, "--source-tokenized")
    assert project.provenance["counts"]["segments"] == sum(len(rows.get(n, [])) for n in chosen)
