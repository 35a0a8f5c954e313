import os
import subprocess
import sys
from pathlib import Path

import pytest

from annotation.formats.errors import InputError
from annotation.formats.file_kinds import detect_kind
from annotation.uploads.file_detection import guess
from annotation.uploads.preview_sample import (
    Answer,
    Request,
    choose_spread,
    decode,
    encode,
    enough,
    make_sample,
)
from annotation.uploads.uploaded_texts import UploadedText, UploadedTexts
from tests.annotation.uploads import upload_files as files
from tests.installation import REPOSITORY


def given(folder: Path, contents: dict[str, str]) -> UploadedTexts:
    made = []
    for number, (name, content) in enumerate(contents.items()):
        path = folder / str(number)
        path.write_text(content)
        kind = detect_kind(path)
        guessed = guess(name, kind)
        made.append(UploadedText(name, path, guessed.role, guessed.system, kind))
    return UploadedTexts(made, "en", "cs")


@pytest.mark.parametrize(
    ("counts", "wanted", "numbers"),
    [
        ([], 10, []),
        ([0, 0], 10, []),
        ([9] * 3, 10, [1, 2, 3]),
        ([9] * 100, 4, [13, 38, 63, 88]),
        # Of each stretch a sentence with enough words, the one in its middle if it can be.
        ([9, 9, 1, 9, 9, 1, 1, 1, 1, 1], 2, [4, 8]),
        ([1, 0, 9, 0, 1, 1], 1, [3]),
    ],
)
def test_sentences_are_spread_over_the_text(
    counts: list[int], wanted: int, numbers: list[int]
) -> None:
    assert choose_spread(counts, wanted) == numbers


def test_a_long_line_without_spaces_is_shown_before_a_short_one(tmp_path: Path) -> None:
    lines = ["是。", "空客本周呼吁：座位宽度，至少十八英寸，不能更窄。"] * 10
    texts = {name: "\n".join(lines) + "\n" for name in ("source.zh.txt", "north.txt", "south.txt")}
    sample = make_sample(given(tmp_path, texts), "phrases", "systran")
    assert [sentence.number % 2 for sentence in sample.sentences] == [0] * 10


def test_it_learns_links_if_none_are_uploaded(tmp_path: Path) -> None:
    texts = {name: text * 40 for name, text in files.TEXTS.items()}
    sample = make_sample(given(tmp_path, texts), "phrases", "systran")
    assert len(sample.sentences) == 10
    assert (sample.parser, sample.aligner, sample.aligned) == ("phrases", "systran", 80)
    assert sample.pairs == 160
    for sentence in sample.sentences:
        assert set(sentence.systems) == {"north", "south"}
        north = sentence.systems["north"]
        assert north.text.words[-1] == "."
        assert north.links.forward


def test_it_uses_uploaded_links_and_trees(tmp_path: Path) -> None:
    links = {"links/north.txt": files.LINKS, "links/south.txt": files.LINKS}
    sample = make_sample(given(tmp_path, files.TEXTS | links | {"t": files.TREES}), "auto", "auto")
    first = sample.sentences[0]
    assert (sample.parser, sample.aligner, sample.aligned) == ("brackets", "", 0)
    assert first.systems["north"].links.forward[:3] == ((0, 0), (1, 0), (2, 1))
    assert first.tree.startswith("(S (NP (DT The)")


def test_each_reference_has_its_own_links_where_another_one_has_gaps(tmp_path: Path) -> None:
    links = {"north.align": files.LINKS, "reference2.align": "0-1 1-2\n0-0 1-1\n"}
    links["reference1.align"] = "\n0-0\n"
    texts = files.TEXTS | {"reference.txt": "\nZahradu\n", "reference2.txt": files.REFERENCE}
    uploaded = given(tmp_path, texts | links)
    sample = make_sample(uploaded, "linked", "auto")
    assert [sorted(one.linked) for one in sample.sentences] == [
        ["reference 2"],
        ["reference", "reference 2"],
    ]
    assert sample.sentences[0].linked["reference 2"].links.forward == ((0, 1), (1, 2))


def test_it_cuts_nothing_by_links_of_references_that_are_missing(tmp_path: Path) -> None:
    texts = {name: text for name, text in files.TEXTS.items() if name != "reference.txt"}
    with pytest.raises(InputError, match="give a reference"):
        make_sample(given(tmp_path, texts), "linked", "systran")


def test_it_converts_trees_in_conllu(tmp_path: Path) -> None:
    sample = make_sample(given(tmp_path, files.TEXTS | {"t": files.CONLLU}), "auto", "systran")
    assert sample.parser == "conllu"
    assert all(sentence.tree.startswith("(") for sentence in sample.sentences)


def test_it_uses_uploaded_segments(tmp_path: Path) -> None:
    sample = make_sample(given(tmp_path, files.TEXTS | {"s": files.GIVEN}), "stanza", "systran")
    assert sample.parser == ""
    assert [sentence.segments for sentence in sample.sentences] == [[(1, 2), (4, 5, 6)], [(3, 4)]]


def test_it_uses_the_aligner_of_the_project(tmp_path: Path) -> None:
    texts = {name: text * 40 for name, text in files.TEXTS.items()}
    sample = make_sample(given(tmp_path, texts), "phrases", "auto")
    assert sample.aligner == "eflomal"
    assert any(one.links.forward for each in sample.sentences for one in each.systems.values())


@pytest.mark.process
def test_without_eflomal_it_uses_the_other_aligner(tmp_path: Path) -> None:
    # A virtual environment with the packages, but without their programs.
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.symlink_to(os.path.realpath(sys.executable))
    texts = given(tmp_path, files.TEXTS)
    request, result = tmp_path / "request", tmp_path / "result"
    request.write_bytes(encode(Request(texts, "phrases", "auto", None)))
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    subprocess.run(
        [python, "-m", "annotation.uploads.preview_sample", str(request), str(result)],
        cwd=REPOSITORY,
        check=True,
        env={"PYTHONPATH": packages, "PATH": "/usr/bin:/bin"},
    )
    sample = decode(result.read_bytes(), Answer).sample
    assert sample
    assert sample.aligner == "systran"


@pytest.mark.parametrize(
    ("systems", "sentences"), [(1, 1500), (3, 1500), (10, 500), (400, 12), (9000, 10)]
)
def test_the_sample_has_a_limited_size(systems: int, sentences: int) -> None:
    assert enough(systems) == sentences


@pytest.mark.process
def test_it_runs_as_a_program(tmp_path: Path) -> None:
    texts = given(tmp_path, files.TEXTS)
    for parser in ("phrases", "nonsense"):
        request, result = tmp_path / "request", tmp_path / parser
        request.write_bytes(encode(Request(texts, parser, "systran", None)))
        command = [
            sys.executable,
            "-m",
            "annotation.uploads.preview_sample",
            str(request),
            str(result),
        ]
        subprocess.run(command, cwd=REPOSITORY, check=True)
    sample = decode((tmp_path / "phrases").read_bytes(), Answer).sample
    assert sample
    assert [sentence.number for sentence in sample.sentences] == [1, 2]
    problem = decode((tmp_path / "nonsense").read_bytes(), Answer).problem
    assert problem
    assert "There is no parser 'nonsense'" in str(InputError.from_json(problem))
