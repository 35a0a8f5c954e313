"""`manage.py create_project`."""

import gzip
import os
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import (
    AlignmentPriors,
    Candidate,
    Job,
    Membership,
    ParallelPage,
    Project,
    Projection,
    Segment,
    Sentence,
    System,
    Translation,
)
from tests.media_files import png, wav

pytestmark = pytest.mark.django_db

TEXTS = {
    "source": "The old house stands near the river .\nWe saw it .\n",
    "reference": "Starý dům stojí u řeky .\nViděli jsme ho .\n",
    "alfa": "Starý dům stojí u řeky .\nViděli jsme ho .\n",
    "beta": "Starý dům stojí blízko řeky .\n\n",
    "trees": (
        "(ROOT (S (NP (DT The) (JJ old) (NN house)) (VP (VBZ stands) (PP (IN near)"
        " (NP (DT the) (NN river)))) (. .)))\n"
        "(ROOT (S (NP (PRP We)) (VP (VBD saw) (NP (PRP it))) (. .)))\n"
    ),
    "alfa-links": "1-0 2-1 3-2 4-3 6-4 7-5\n0-1 1-0 2-2 3-3\n",
    "beta-links": "1-0 2-1 3-2 4-3 6-4 7-5\n\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_categories_of_errors_are_in_a_file(folder: Path) -> None:
    (folder / "categories").write_text("most errors: 5\nStyle\n\nOther\n")
    texts = ["--source", str(folder / "source"), "--system", f"alfa={folder / 'alfa'}"]
    command = ["create_project", "marked", "--languages", "en-cs", "--kind", "mqm", *texts]
    call_command(*command, "--options", str(folder / "categories"))
    options = Project.objects.get().answer_options.splitlines()
    assert options == ["severities: neutral, minor, major", "most errors: 5", "Style", "Other"]
    with pytest.raises(CommandError, match="exclude each other"):
        call_command(*command, "--options", str(folder / "categories"), "--step", "good")


def arguments(folder: Path) -> list[str]:
    return [
        "houses",
        "--languages=en-cs",
        f"--source={folder / 'source'}",
        f"--system=alfa={folder / 'alfa'}",
        f"--system=beta={folder / 'beta'}",
        f"--reference={folder / 'reference'}",
    ]


def exact(folder: Path) -> list[str]:
    return [
        *arguments(folder),
        "--parser=brackets",
        f"--trees={folder / 'trees'}",
        "--aligner=pharaoh",
        f"--alignment=alfa={folder / 'alfa-links'}",
        f"--alignment=beta={folder / 'beta-links'}",
    ]


def nothing_is_left() -> bool:
    tables = (Project, System, Sentence, Translation, Segment, Candidate, Projection, Job)
    working = (AlignmentPriors, ParallelPage)
    return not any(table.objects.exists() for table in (*tables, *working, Membership))


def test_sentences_have_the_documents_of_the_file(folder: Path) -> None:
    documents = folder / "documents"
    documents.write_text(" news 1 \ntalk\n")

    call_command("create_project", *exact(folder), f"--documents={documents}")

    project = Project.objects.get(name="houses")
    rows = project.sentences.order_by("number").values_list("document", flat=True)
    assert list(rows) == ["news 1", "talk"]
    assert project.provenance["files"]["documents"]["name"] == "documents"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("news\n", "source ends with line 2 but .*documents with line 1"),
        ("news\n \n", "documents, line 2: the line is empty"),
        ("news\n" + "x" * 201, "documents, line 2: the name of the document"),
    ],
)
def test_it_refuses_documents_that_do_not_fit(folder: Path, lines: str, message: str) -> None:
    documents = folder / "documents"
    documents.write_text(lines)

    with pytest.raises(CommandError, match=message):
        call_command("create_project", *exact(folder), f"--documents={documents}")

    assert nothing_is_left()


def test_the_command_creates_and_prepares_a_project(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("create_project", *exact(folder))
    project = Project.objects.get(name="houses")
    assert project.state == "open"
    rows = Projection.objects.order_by("pk").values_list(
        "segment__sentence__number", "segment__token_indices", "system__name", "candidate__text"
    )
    assert list(rows) == [
        (1, "0 1 2", "alfa", "Starý dům"),
        (1, "0 1 2", "beta", "Starý dům"),
        (1, "3 4 5 6", "alfa", "stojí u řeky"),
        (1, "3 4 5 6", "beta", "stojí blízko řeky"),
        (2, "0 1 2 3", "alfa", "Viděli jsme ho ."),
        (2, "0 1 2 3", "beta", None),
    ]
    assert Candidate.objects.count() == 4
    out = capsys.readouterr().out
    assert f"Project {project.pk} 'houses' is open." in out
    assert "projected   5 candidates, 1 missing" in out
    assert "brackets" in out
    # Of six projections one is empty, of five candidates none has a gap and four are unique.
    assert "16.7% of projections are empty" in out
    assert "0.0% of candidates have gaps" in out
    assert "80.0% of candidates are unique" in out
    # "The old house", and "We saw it .", which only one system has.
    assert "66.7% of segments have one candidate only" in out
    assert "0.0% of sentences have no segment" in out


def test_provenance_has_programs_counts_and_files(folder: Path) -> None:
    call_command("create_project", *exact(folder))
    made = Project.objects.get().provenance
    assert made["parser"]["name"] == "brackets"
    assert made["aligner"]["name"] == "pharaoh"
    assert made["counts"] == {
        "sentences": 2,
        "systems": 2,
        "segments": 3,
        "projected": 5,
        "candidates": 4,
        "missing": 1,
    }
    assert made["quality"] == {
        "projections": 6,
        "projected": 5,
        "gapped": 0,
        "unique": 4,
        "segments": 3,
        "agreeing": 2,
        "sentences": 2,
        "uncut": 0,
    }
    assert made["files"]["system alfa"]["name"] == "alfa"
    assert len(made["files"]["source"]["sha256"]) == 64


@pytest.mark.parametrize("aligner", ["eflomal", "systran"])
def test_texts_without_links_are_aligned(folder: Path, aligner: str) -> None:
    call_command("create_project", *arguments(folder), f"--aligner={aligner}")
    made = Project.objects.get().provenance
    assert made["aligner"]["name"] == aligner
    assert made["parser"]["name"] == "embedded"
    assert made["counts"]["projected"] > 0
    assert all(row.alignment for row in Translation.objects.all())


def test_the_reference_is_aligned_too(folder: Path) -> None:
    call_command("create_project", *arguments(folder))
    assert Translation.objects.get(sentence__number=1, system=None).alignment


def test_references_are_numbered_in_their_order_and_have_links(folder: Path) -> None:
    (folder / "second.csv").write_text("line,ref A,ref B\n1,Starý dům,Dům\n2,,Viděli\n")
    (folder / "links").write_text("1-0 2-1\n\n")
    more = (f"--reference={folder / 'second.csv'}", f"--alignment=reference 2={folder / 'links'}")

    call_command("create_project", *exact(folder), *more)

    rows = Translation.objects.filter(system=None).order_by("sentence", "reference")
    assert list(rows.values_list("sentence__number", "reference", "text", "alignment")) == [
        (1, 1, "Starý dům stojí u řeky .", ""),
        (1, 2, "Starý dům", "1-0 2-1"),
        (1, 3, "Dům", ""),
        (2, 1, "Viděli jsme ho .", ""),
        (2, 3, "Viděli", ""),
    ]
    files = Project.objects.get().provenance["files"]
    assert files["reference 3"]["name"] == "second.csv, ref B"


def test_files_may_be_gzipped(folder: Path) -> None:
    for path in folder.iterdir():
        path.write_bytes(gzip.compress(path.read_bytes()))
    call_command("create_project", *exact(folder))
    assert Candidate.objects.count() == 4


def test_a_project_may_have_no_reference(folder: Path) -> None:
    call_command("create_project", *exact(folder)[:5], *exact(folder)[6:])
    assert not Translation.objects.filter(system=None).exists()


def test_raw_texts_are_tokenised_and_given_tokens_are_kept(folder: Path) -> None:
    (folder / "source").write_text("The U.S. isn't near.\nWe saw it.\n")
    call_command("create_project", *arguments(folder))
    cut = Sentence.objects.get(number=1).tokenized
    assert cut.words == ["The", "U.S.", "isn", "'t", "near", "."]
    Project.objects.update(name="raw")
    call_command("create_project", *arguments(folder), "--source-tokenized")
    kept = Sentence.objects.get(project__name="houses", number=1)
    assert kept.tokenized.words == ["The", "U.S.", "isn't", "near."]


def test_a_queued_project_has_its_texts_and_a_job(folder: Path) -> None:
    call_command("create_project", *exact(folder), "--queue")
    project = Project.objects.get()
    assert project.state == "preparing"
    assert project.job.state == "queued"
    assert Translation.objects.count() == 5
    assert not Segment.objects.exists()


BAD: list[tuple[str, dict[str, str], list[str], list[str]]] = [
    (
        "different lengths",
        {"alfa": "Jedna .\n"},
        [],
        ["source ends with line 2 ", "alfa with line 1:"],
    ),
    ("empty file", {"beta": ""}, [], ["beta: the file is empty"]),
    ("only empty lines", {"source": "\n\n"}, [], ["source", "every line is empty"]),
    ("duplicate system", {}, ["--system=alfa=x"], ["--system 'alfa'", "twice"]),
    ("system without file", {}, ["--system=alfa"], ["NAME=FILE"]),
    ("system like the reference", {}, ["--system=reference=x"], ["'reference'"]),
    ("system like a reference", {}, ["--system=reference 2=x"], ["'reference 2'"]),
    (
        "links of no reference",
        {},
        ["--alignment=reference 2=x", "--aligner=pharaoh"],
        ["'reference 2'", "alfa, beta, reference."],
    ),
    ("unprintable system", {}, ["--system=a\nb=x"], ["--system", "'a\\nb'", "printable"]),
    ("missing file", {}, ["--source=/nowhere/gama"], ["/nowhere/gama", "cannot be read"]),
    ("endless path", {}, [f"--source=/{'x' * 300}"], ["cannot be read", "too long"]),
    ("broken disk", {}, ["--source=/proc/self/mem"], ["/proc/self/mem cannot be read"]),
    ("folder", {}, ["--source=/proc"], ["/proc is not a regular file"]),
    ("device", {}, ["--trees=/dev/null"], ["/dev/null is not a regular file"]),
    ("languages", {}, ["--languages=english"], ["'english'", "en-cs"]),
    ("lengths", {}, ["--min-length=7"], ["7 to 6"]),
    ("rate", {}, ["--intra-rate=5"], ["--intra-rate", "0 to 1"]),
    (
        "tree leaves",
        {"trees": "(ROOT (NN house))\n" + TEXTS["trees"].split("\n")[1] + "\n"},
        [],
        ["trees", "line 1", "1", "8"],
    ),
    ("broken tree", {"trees": "(ROOT (NN house)\n\n"}, [], ["trees", "line 1"]),
    ("link beyond", {"alfa-links": "0-0 40-1\n0-0\n"}, [], ["alfa-links", "line 1", "40-1"]),
    ("link of letters", {"alfa-links": "0-0\na-b\n"}, [], ["alfa-links", "line 2", "a-b"]),
    ("no candidates", {"alfa": "\n\n", "beta": "\n\n"}, [], ["No system has a candidate"]),
    ("too short", {}, ["--min-length=9", "--max-length=9"], ["No segment of 9 to 9 tokens"]),
    ("effort", {}, ["--effort=more"], ["--effort", "'more'", "fast"]),
    (
        "parallel beside links",
        {},
        ["--parallel", "x", "y"],
        ["--parallel", "--aligner pharaoh", "leave it out"],
    ),
    ("links of no system", {}, ["--alignment=gama=x"], ["'gama'", "alfa, beta"]),
]


@pytest.mark.parametrize(
    ("files", "more", "words"), [bad[1:] for bad in BAD], ids=[bad[0] for bad in BAD]
)
def test_bad_input_is_one_sentence_and_leaves_nothing(
    folder: Path, files: dict[str, str], more: list[str], words: list[str]
) -> None:
    for name, text in files.items():
        (folder / name).write_text(text)
    with pytest.raises(CommandError) as error:
        call_command("create_project", *exact(folder), *more)
    message = str(error.value)
    assert "\n" not in message
    for word in words:
        assert word in message
    assert nothing_is_left()


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        (
            b"a\nb\n",
            b"c\n",
            "more-source ends with line 2 but .*more-target with line 1:",
        ),
        (b"a\n", b"\xe9\n", "more-target, line 1: .*not UTF-8"),
        (b"a\n\n", b"\nb\n", "--parallel .* no line has text in both files"),
    ],
)
def test_bad_parallel_text_is_one_sentence_and_leaves_nothing(
    folder: Path, source: bytes, target: bytes, message: str
) -> None:
    more = folder / "more-source", folder / "more-target"
    for path, text in zip(more, (source, target), strict=True):
        path.write_bytes(text)
    with pytest.raises(CommandError, match=message):
        call_command("create_project", *arguments(folder), "--parallel", *map(str, more))
    assert nothing_is_left()


@pytest.mark.parametrize("name", ["source", "alfa", "reference"])
def test_a_line_that_is_too_long_for_the_judging_page_is_refused(folder: Path, name: str) -> None:
    text = TEXTS[name].splitlines()[0] + "\n" + "a " * 2001 + "\n"
    (folder / name).write_text(text)
    with pytest.raises(CommandError, match=f"{name}, line 2: "):
        call_command("create_project", *arguments(folder))
    assert not Project.objects.exists()


def test_segments_of_single_words_that_no_page_can_show_fail_the_preparation(folder: Path) -> None:
    words = " ".join("abcdefghij" * 21)
    (folder / "source").write_text(f"{words}\n{words}\n")
    options = ("--parser=phrases", "--min-length=1", "--max-length=1")
    with pytest.raises(CommandError, match="sentence 1 has more than 200 segments"):
        call_command("create_project", *arguments(folder), *options)
    assert not Project.objects.exists()


def test_a_text_that_is_not_utf8_is_refused(folder: Path) -> None:
    (folder / "beta").write_bytes("Starý dům\nŘeka\n".encode("iso-8859-2"))
    with pytest.raises(CommandError, match=r"beta, line 1: .*not UTF-8"):
        call_command("create_project", *exact(folder))
    assert nothing_is_left()


def test_a_pipe_is_refused(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(CommandError, match="pipe is not a regular file: save it to a file first"):
        call_command("create_project", *exact(folder), f"--trees={folder / 'pipe'}")
    assert nothing_is_left()


@pytest.mark.parametrize("name", ["two\nlines", "bell\a", "right\u202eto left"])
def test_a_name_that_is_not_one_printable_line_is_refused(folder: Path, name: str) -> None:
    with pytest.raises(CommandError, match="name"):
        call_command("create_project", name, *exact(folder)[1:])
    assert nothing_is_left()


def test_a_file_name_that_is_not_utf8_is_stored(folder: Path) -> None:
    latin = os.fsencode(folder) + b"/caf\xe9"
    os.rename(os.fsencode(folder / "alfa"), latin)
    systems = {"alfa": os.fsdecode(latin), "beta": str(folder / "beta")}
    call_command(
        "create_project",
        "houses",
        "--languages=en-cs",
        f"--source={folder / 'source'}",
        *(f"--system={name}={path}" for name, path in systems.items()),
    )
    assert Project.objects.get().provenance["files"]["system alfa"]["name"] == "caf\ufffd"


def test_a_name_that_is_taken_is_refused(folder: Path) -> None:
    call_command("create_project", *exact(folder))
    with pytest.raises(CommandError, match="houses"):
        call_command("create_project", *exact(folder))
    assert Project.objects.count() == 1


def test_a_missing_stanza_model_is_explained(folder: Path) -> None:
    source = ["--languages=mi-cs", "--parser=stanza"]
    with pytest.raises(CommandError, match="stanza"):
        call_command("create_project", *arguments(folder), *source)
    assert nothing_is_left()


def media_command(folder: Path, *media: Path) -> list[str]:
    texts = ["--source", f"{folder / 'source'}", "--system", f"alfa={folder / 'alfa'}"]
    kind = ["--languages", "en-cs", "--kind", "sentence_ranking"]
    return ["create_project", "seen", *kind, *texts, "--media", *map(str, media)]


def test_media_are_stored_with_the_texts(folder: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = folder / "stored"
    (folder / "media").mkdir()
    (folder / "media" / "talk.wav").write_bytes(wav())
    (folder / "1.png").write_bytes(png())
    (folder / "lines").write_text("1\ttalk.wav\n2\ttalk.wav\n1\t1.png\n")
    command = media_command(folder, folder / "media", folder / "1.png")
    call_command(*command, "--media-table", folder / "lines")
    project = Project.objects.get()
    assert sorted(project.media.values_list("line", "name")) == [
        (1, "1.png"),
        (1, "talk.wav"),
        (2, "talk.wav"),
    ]
    assert (project.state, project.media_count) == ("open", 3)


def test_nothing_remains_of_a_project_with_wrong_media(folder: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = folder / "stored"
    for name in ("1.png", "street.png", "7.png"):
        (folder / name).write_bytes(png())
    (folder / "2.png").write_bytes(b"<svg/>")
    given = [folder / name for name in ("1.png", "2.png", "street.png", "7.png")]
    with pytest.raises(CommandError) as raised:
        call_command(*media_command(folder, *given))
    assert all(name in str(raised.value) for name in ("2.png", "street.png", "7.png"))
    assert not Project.with_hidden.exists()
    assert not [path for path in (folder / "stored").rglob("*") if path.is_file()]
