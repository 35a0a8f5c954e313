from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from annotation.common.error_messages import SENTENCES, localize
from annotation.formats.file_kinds import detect_kind
from annotation.formats.media_files import media_type
from annotation.formats.plain_text import read_lines
from annotation.formats.problems import MOST, MOST_OF_A_FILE, Findings, Problem
from annotation.kinds import KINDS
from annotation.kinds.units import SegmentsOfSentence
from annotation.uploads.checks import check
from annotation.uploads.file_detection import guess
from annotation.uploads.preview_sample import ready_made
from annotation.uploads.uploaded_texts import UploadedText, UploadedTexts
from tests.annotation.uploads import upload_files as files
from tests.media_files import png, wav

Check = Callable[..., Findings]
LINKS = {"links/north.txt": files.LINKS, "links/south.txt": files.LINKS}


@pytest.fixture
def checked(tmp_path: Path) -> Check:
    def checked(
        contents: dict[str, str | bytes],
        kind: str = "segment_ranking",
        **changed: tuple[str, str],
    ) -> Findings:
        given = []
        for number, (name, content) in enumerate(contents.items()):
            path = tmp_path / str(number)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
            content_kind = media_type(path.read_bytes()) or detect_kind(path)
            guessed = guess(name, content_kind)
            role, system = changed.get(name.split(".")[0], (guessed.role, guessed.system))
            given.append(UploadedText(name, path, role, system, content_kind))
        whole = not isinstance(KINDS[kind].unit, SegmentsOfSentence)
        texts = UploadedTexts(given, "en", "cs", kind=kind, whole_sentences=whole).readable()
        return ready_made(texts)[0] if texts.is_ready_made else check(texts)

    return checked


def places(problems: Sequence[Problem]) -> list[tuple[str, str, int]]:
    """Return (code, file, line) of each; errors of readers have the code "reader"."""
    codes = (problem.code if problem.code in SENTENCES else "reader" for problem in problems)
    return [(code, one.file, one.line) for code, one in zip(codes, problems, strict=True)]


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"t.txt": files.TREES},
        {"t.conllu": files.CONLLU},
        {"t.tsv": files.GIVEN},
        {"documents.txt": files.DOCUMENTS},
        LINKS,
        LINKS | {"t": files.TREES},
    ],
    ids=["texts", "trees", "conllu", "segments", "documents", "links", "links and trees"],
)
def test_good_files_have_no_problems(checked: Check, more: dict[str, str]) -> None:
    found = checked(files.TEXTS | more)
    assert (found.problems, found.more, found.notes, found.sentences) == ([], 0, [], 2)


@pytest.mark.parametrize(
    "more", [{}, {"systems.tsv": files.SYSTEMS}, {"documents.txt": files.DOCUMENTS}]
)
def test_good_segments_have_no_problems(checked: Check, more: dict[str, str]) -> None:
    found = checked({"segments.tsv": files.SEGMENTS} | more)
    assert (found.problems, found.sentences) == ([], 2)


def test_it_finds_all_problems_of_all_files(checked: Check) -> None:
    found = checked(
        {
            "source.txt": files.SOURCE,
            "systems/north.txt": "dobrý\nden\nnavíc\n",
            "systems/south.txt": "první řádka\ndruhá".encode("cp1250"),
            "systems/west.txt": "",
            "t.txt": files.TREES.replace("(NN house)", "", 1),
        }
    )
    assert places(found.problems) == [
        ("different-lengths", "systems/north.txt", 0),
        ("reader", "systems/south.txt", 1),
        ("reader", "systems/west.txt", 0),
        ("reader", "t.txt", 1),
    ]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"source.txt": None}, ("no-source", "", 0)),
        ({"systems/north.txt": None, "systems/south.txt": None}, ("no-system", "", 0)),
        ({"src.en": files.SOURCE}, ("two-source", "src.en", 0)),
        ({"t1": files.TREES, "t2": files.CONLLU}, ("two-trees", "t2", 0)),
        ({"docs": "a\nb\n", "docids": "a\nb\n"}, ("two-documents", "docids", 0)),
        ({"docs": "a\n"}, ("different-lengths", "docs", 0)),
        ({"docs": "a\n \n"}, ("reader", "docs", 2)),
        ({"docs": "a\nb\tc\n"}, ("reader", "docs", 2)),
        ({"hyp/north": files.NORTH}, ("system-twice", "hyp/north", 0)),
        (
            {"newstest2014.reference.1.en-cs": files.NORTH},
            ("system-called-reference", "newstest2014.reference.1.en-cs", 0),
        ),
        ({"hyp/" + "x" * 201: files.NORTH}, ("system-name", "hyp/" + "x" * 201, 0)),
        ({"systems.tsv": files.SYSTEMS}, ("systems-without-segments", "systems.tsv", 0)),
        ({"source.txt": "\n\n"}, ("empty-source", "source.txt", 0)),
        ({"systems/north.txt": "a\0b\nc\n"}, ("reader", "systems/north.txt", 1)),
        ({"systems/north.txt": "a\n"}, ("different-lengths", "systems/north.txt", 0)),
        ({"systems/north.txt": b"a\n\xff\n"}, ("reader", "systems/north.txt", 2)),
        (
            {"systems/north.txt": "a\n" + "x" * 1_000_001},
            ("reader", "systems/north.txt", 2),
        ),
        ({"t": "(S (NP a\n(S b)\n"}, ("reader", "t", 1)),
        ({"t": files.TREES.splitlines()[0] + "\n"}, ("different-lengths", "t", 0)),
        ({"t": files.TREES.splitlines()[0] + "\n\n"}, ("reader", "t", 2)),
        ({"t": files.conllu("The old house")}, ("reader", "t", 0)),
        ({"t": files.CONLLU.replace("house", "horse")}, ("reader", "t", 2)),
        ({"t": files.CONLLU.replace("\t3\tdep", "\t77\tdep", 1)}, ("reader", "t", 2)),
        ({"links/north": files.LINKS}, ("no-links", "", 0)),
        (LINKS | {"links/east": files.LINKS}, ("links-without-system", "links/east", 0)),
        (LINKS | {"align/north": files.LINKS}, ("links-twice", "align/north", 0)),
        (
            {**LINKS, "links/north.txt": files.LINKS.replace("7-4", "7-6")},
            ("reader", "links/north.txt", 2),
        ),
        (
            {**LINKS, "links/north.txt": files.LINKS * 3},
            ("different-lengths", "links/north.txt", 0),
        ),
    ],
)
def test_every_problem_has_its_file_and_line(
    checked: Check, change: dict[str, str | None], problem: tuple[str, str, int]
) -> None:
    contents = {k: v for k, v in (files.TEXTS | change).items() if v is not None}
    roles = {"t": ("trees", "")} if "t" in contents else {}
    assert problem in places(checked(contents, **roles).problems)


@pytest.mark.parametrize(
    ("rows", "problems"),
    [
        ("1\told house\t1\n", [("reader", "g", 1)]),
        ("1\told\t1\n1\thouse\t2\n2\tgarden\t3\n", [("reader", "g", 3)]),
        ("3\told\t1\n3\tnew\t2\n", [("reader", "g", 1)]),
        ("1\told\n", [("reader", "g", 1)]),
        ("", [("reader", "g", 0)]),
        (
            "1\thouse\t1\n1\told\t1 x\n9\tx\t0\n2\tgarden\n",
            [
                ("reader", "g", 1),
                ("reader", "g", 2),
                ("reader", "g", 3),
                ("reader", "g", 4),
            ],
        ),
    ],
)
def test_it_finds_every_bad_row_of_source_segments(
    checked: Check, rows: str, problems: list[tuple[str, str, int]]
) -> None:
    found = checked(files.TEXTS | {"g": rows}, g=("given", ""))
    assert places(found.problems) == problems


def test_given_segments_are_read_even_without_a_source(checked: Check) -> None:
    found = checked({"a.txt": "a\n", "g": "1\tx\n"}, g=("given", ""))
    assert ("reader", "g", 1) in places(found.problems)


def test_it_finds_a_segment_of_an_empty_line(checked: Check) -> None:
    texts = {name: "\n" + text for name, text in files.TEXTS.items()}
    found = checked(texts | {"g": "1\tx\t0\n"}, g=("given", ""))
    assert "The sentence is empty" in localize(found.problems[0]).words


@pytest.mark.shared
@pytest.mark.parametrize(("tokens", "problems"), [("source", 0), ("raw", 603)])
def test_the_segments_of_the_thesis_fit_its_tokenised_source(
    tmp_path: Path, shared: Path, tokens: str, problems: int
) -> None:
    half = shared / "data" / "wmt14-en-cs" / "first-half"
    sources = {
        int(number): source
        for number, source, *_more in (
            line.split("\t") for line in read_lines(half / "segments.tsv")
        )
    }
    text = tmp_path / "source"
    text.write_text("".join(f"{sources.get(n, '')}\n" for n in range(1, max(sources) + 1)))
    given = half / "source.segments"
    assert detect_kind(given) == "given"
    found = check(
        UploadedTexts(
            [
                UploadedText("source", text, "source"),
                UploadedText("copy", text, "system", "copy"),
                UploadedText("segments", given, "given", kind="given"),
            ],
            tokens=tokens,
        )
    )
    assert len(found.problems) + found.more == problems
    assert all("is not what its token" in problem.code for problem in found.problems)


def test_given_segments_need_no_trees_and_are_one_file(checked: Check) -> None:
    both = {"t": files.TREES, "g": files.GIVEN, "h": files.GIVEN}
    found = checked(files.TEXTS | both, g=("given", ""), h=("given", ""))
    assert places(found.problems) == [("two-given", "h", 0), ("trees-beside-given", "t", 0)]
    ready = checked({"s.tsv": files.SEGMENTS, "g": files.GIVEN})
    assert places(ready.problems) == [("beside-segments", "g", 0)]


def test_translations_that_are_compared_with_the_reference_need_one(checked: Check) -> None:
    kind = "direct_assessment"
    assert checked(files.TEXTS, kind=kind).problems == []
    without = {name: text for name, text in files.TEXTS.items() if name != "reference.txt"}
    assert places(checked(without, kind=kind).problems) == [("no-reference", "", 0)]
    gap = files.TEXTS | {"reference.txt": "Dům .\n\n"}
    assert places(checked(gap, kind=kind).problems) == [("missing-reference", "reference.txt", 2)]
    assert not checked(gap | {"ref2.txt": "\nŘeka .\n"}, kind=kind).problems
    assert checked(gap).problems == []


def test_whole_sentences_need_no_trees_segments_and_links(checked: Check) -> None:
    more = {"g": files.GIVEN, "links/north.txt": files.LINKS, "t": files.TREES}
    found = checked(files.TEXTS | more, "sentence_ranking", g=("given", ""))
    code = "not-with-whole-sentences"
    assert places(found.problems) == [(code, name, 0) for name in more]
    ready = checked({"s.tsv": files.SEGMENTS}, "sentence_ranking")
    assert places(ready.problems) == [("ready-made-whole-sentences", "s.tsv", 0)]
    assert not checked({"s.tsv": files.SEGMENTS}, "constituents_in_context").problems


def test_a_line_without_a_sentence_needs_no_document(checked: Check) -> None:
    texts = {name: "\n" + text for name, text in files.TEXTS.items()}
    assert not checked(texts | {"docs": "\n" + files.DOCUMENTS}).problems


def test_documents_beside_ready_segments_are_checked_by_sentence_ids(checked: Check) -> None:
    found = checked({"segments.tsv": files.SEGMENTS, "docs": " \n"})
    assert places(found.problems) == [("reader", "docs", 0), ("reader", "docs", 1)]


def test_it_finds_a_line_that_is_no_link(checked: Check) -> None:
    broken = files.LINKS.replace("0-0 2-1", "0-0 2:1")
    contents = files.TEXTS | {"links/south.txt": files.LINKS, "n.txt": broken}
    (problem,) = checked(contents, n=("links", "north")).problems
    said = localize(problem)
    assert (said.file, said.line) == ("n.txt", 2)
    assert said.words.startswith("'2:1' is not a link")


@pytest.mark.parametrize(
    ("rows", "line", "words"),
    [
        ("1\ta b\tr\ta\tx\n", 1, "5 columns"),
        ("x\ta b\tr\ta\ty\t0\n", 1, "The sentence id 'x' is not a whole number"),
        ("1\t \tr\ta\ty\t0\n", 1, "The source of sentence 1 is empty"),
        ("1\ta b\tr\ta\ty\t0\n1\ta c\tr\ta\tz\t0\n", 2, "The source of sentence 1 differs"),
    ],
)
def test_it_finds_every_bad_row_of_segments(
    checked: Check, rows: str, line: int, words: str
) -> None:
    found = checked({"s.tsv": rows}, s=("segments", ""))
    (problem,) = found.problems
    assert (problem.file, problem.line) == ("s.tsv", line)
    assert localize(problem).words.startswith(words)


def test_it_finds_all_bad_rows_of_two_files(checked: Check) -> None:
    systems = "1\tthe old\tnorth\tnew\t0 1\n9\tthe old\tnorth\tstarý\t0 1\nx\n"
    found = checked(
        {"segments.tsv": files.SEGMENTS + "3\tx\n", "y.tsv": systems},
        segments=("segments", ""),
        y=("systems", ""),
    )
    assert places(found.problems) == [
        ("reader", "segments.tsv", 4),
        ("reader", "y.tsv", 1),
        ("reader", "y.tsv", 2),
        ("reader", "y.tsv", 3),
    ]


def test_ready_made_segments_need_no_texts(checked: Check) -> None:
    found = checked({"segments.tsv": files.SEGMENTS, "source.txt": files.SOURCE})
    assert places(found.problems) == [("beside-segments", "source.txt", 0)]
    assert not checked(
        {"segments.tsv": files.SEGMENTS, "source.txt": files.SOURCE}, source=("unused", "")
    ).problems


@pytest.mark.parametrize("name", ["source.txt", "systems/north.txt"])
def test_it_finds_a_line_that_is_too_long_for_the_judging_page(checked: Check, name: str) -> None:
    long = {name: files.TEXTS[name].splitlines()[0] + "\n" + "a " * 2001 + "\n"}
    found = checked(files.TEXTS | long)
    assert places(found.problems) == [("reader", name, 2)]


def test_it_keeps_some_problems_and_counts_the_others(checked: Check) -> None:
    systems = {f"systems/{n}.txt": "\0\n" * 300 for n in range(10)}
    found = checked({"source.txt": "a\n" * 300} | systems)
    assert len(found.problems) == MOST
    assert found.more == 3000 - MOST
    of_first = [problem for problem in found.problems if problem.file == "systems/0.txt"]
    assert len(of_first) == MOST_OF_A_FILE


def test_notes_are_no_problems(checked: Check) -> None:
    found = checked(
        {
            "source.txt": "The old house .\n\nThe end .\n",
            "systems/north.txt": "Starý dům .\n\n\n",
        }
    )
    assert not found.problems
    assert places(found.notes) == [
        ("empty-lines", "source.txt", 2),
        ("missing-translations", "systems/north.txt", 0),
    ]
    assert found.sentences == 2


def test_findings_can_be_stored_as_json(checked: Check) -> None:
    found = checked(files.TEXTS | {"systems/north.txt": "a\n"})
    assert Findings.from_json(found.to_json()) == found


MEDIA: dict[str, str | bytes] = {"media/1.png": png(), "media/2-a.wav": wav()}
TABLE = "1\tfilm.wav\n2\tfilm.wav\n"


@pytest.mark.parametrize("more", [MEDIA, {"a/film.wav": wav(), "lines.tsv": TABLE}])
def test_media_have_the_lines_of_their_names_or_of_a_table(
    checked: Check, more: dict[str, str | bytes]
) -> None:
    found = checked(files.TEXTS | more, kind="sentence_ranking")
    assert (found.problems, found.notes, found.sentences) == ([], [], 2)


def test_each_medium_that_matches_no_line_is_named(checked: Check) -> None:
    wrong = {"3.png": png(), "street.png": png(), "a/1.png": png(), "1.png": png()}
    found = checked(files.TEXTS | wrong)
    assert places(found.problems) == [
        ("reader", "1.png", 0),
        ("reader", "3.png", 0),
        ("reader", "street.png", 0),
    ]
    table = {"film.wav": wav(), "lines.tsv": "9\tfilm.wav\n1\tother.wav\n"}
    found = checked(files.TEXTS | table)
    assert places(found.problems) == [("reader", "film.wav", 0), ("reader", "other.wav", 0)]


def test_media_need_a_kind_that_shows_the_source_and_texts(checked: Check) -> None:
    found = checked(files.TEXTS | MEDIA, kind="direct_assessment")
    assert {one.code for one in found.problems} == {"media-unseen"}
    found = checked({"g": files.SEGMENTS} | MEDIA)
    assert {one.code for one in found.problems} == {"media-beside-segments"}
    text = checked(files.TEXTS, **{"systems/south": ("media", "")})
    assert "south" in text.problems[0].file
