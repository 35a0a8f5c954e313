from pathlib import Path

import pytest

from annotation.formats.file_kinds import are_segments, detect_kind
from tests.annotation.uploads import upload_files as files


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


def test_rows_of_segments_have_numbers_of_sentences_and_token_positions() -> None:
    for content in (files.SEGMENTS, files.SYSTEMS, files.GIVEN):
        assert are_segments(content.splitlines())
    assert not are_segments(["1\tThe house\tdům\tdomek\tchata\tbarák"])
    assert not are_segments(["The house\tdům\t1"])
