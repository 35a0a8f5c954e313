from pathlib import Path

import pytest

from annotation.uploads.file_detection import Guess, detect_kind, guess, shown_name
from tests.annotation.uploads import upload_files as files


@pytest.mark.parametrize(
    ("name", "role", "system"),
    [
        ("source.txt", "source", ""),
        ("src.en", "source", ""),
        ("newstest2014-src.en", "source", ""),
        ("newstest2021.en-cs.src.en", "source", ""),
        ("reference.txt.gz", "reference", ""),
        ("newstest2014-ref.cs", "reference", ""),
        ("newstest2021.en-cs.ref.cs", "reference", ""),
        ("newstest2014.CU-TectoMT.3424.cs-en", "system", "CU-TectoMT"),
        ("newstest2014.online.B.0.en-cs", "system", "online.B"),
        ("newstest2021.en-cs.hyp.Facebook-AI.cs", "system", "Facebook-AI"),
        ("data/systems/uedin-wmt14.txt", "system", "uedin-wmt14"),
        ("data/systems/source.txt", "system", "source"),
        ("onlineA.txt", "system", "onlineA"),
        ("documents.txt", "documents", ""),
        ("source.docs", "documents", ""),
        ("documents/north.txt", "system", "north"),
        ("data\\systems\\north.txt", "system", "north"),
    ],
)
def test_the_name_of_a_text_suggests_its_role(name: str, role: str, system: str) -> None:
    assert guess(name) == Guess(role, system)


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        ("a.txt", "trees", Guess("trees")),
        ("source.conllu", "conllu", Guess("trees")),
        ("alignments/north.txt", "links", Guess("links", "north")),
        ("north.align", "links", Guess("links", "north")),
        ("reference.links.txt", "links", Guess("links", "reference")),
        ("source.txt", "segments", Guess("segments")),
        ("a.tsv", "systems", Guess("systems")),
        ("source.segments", "given", Guess("given")),
    ],
)
def test_the_content_counts_more_than_the_name(name: str, kind: str, expected: Guess) -> None:
    assert guess(name, kind) == expected


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (files.SOURCE, "text"),
        ("", "text"),
        ("\n\n", "text"),
        (files.TREES, "trees"),
        (files.CONLLU, "conllu"),
        (files.LINKS, "links"),
        (files.LINKS.replace("0-0 1-0", "0-x", 1), "text"),
        (files.LINKS * 5 + "0-x\n", "links"),
        (files.SEGMENTS, "segments"),
        (files.SYSTEMS, "systems"),
        (files.GIVEN, "given"),
        (files.GIVEN * 3 + "1\tx\n", "given"),
        ("1\ta b\tc d\n", "text"),
        # Would take for ever with a backtracking expression.
        ("1-11" * 20_000 + "x", "text"),
        ("(not closed\nand so on\n", "text"),
    ],
)
def test_lines_determine_the_kind(tmp_path: Path, content: str, kind: str) -> None:
    path = tmp_path / "file"
    path.write_text(content)
    assert detect_kind(path) == kind


def test_names_are_shown_on_one_line_without_invisible_characters() -> None:
    assert shown_name("a\nb\x00\u202ec.txt") == "a\ufffdb\ufffd\ufffdc.txt"
    assert shown_name("..\\..\\etc\\passwd") == "../../etc/passwd"
    assert len(shown_name("x" * 1000)) == 200
