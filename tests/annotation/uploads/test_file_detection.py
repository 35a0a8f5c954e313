import pytest

from annotation.uploads.file_detection import (
    Guess,
    detect_language,
    detect_languages_of_segments,
    guess,
    shown_name,
)


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
        ("reference", "reference", ""),
        ("REF", "reference", ""),
        ("ref.cs", "reference", ""),
        ("systems/reference.txt", "reference", ""),
        ("systems/refA.cs.txt", "reference", ""),
        ("systems/refined.txt", "system", "refined"),
        ("a.csv", "system", "a"),
        ("b.xlsx", "system", "b"),
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
        ("ref2.align.txt", "links", Guess("links", "reference 2")),
        ("source.txt", "segments", Guess("segments")),
        ("a.tsv", "systems", Guess("systems")),
        ("source.segments", "given", Guess("given")),
    ],
)
def test_the_content_counts_more_than_the_name(name: str, kind: str, expected: Guess) -> None:
    assert guess(name, kind) == expected


def test_names_are_shown_on_one_line_without_invisible_characters() -> None:
    assert shown_name("a\nb\x00\u202ec.txt") == "a\ufffdb\ufffd\ufffdc.txt"
    assert shown_name("..\\..\\etc\\passwd") == "../../etc/passwd"
    assert len(shown_name("x" * 1000)) == 200


def test_a_language_is_detected_under_the_code_that_projects_have() -> None:
    filipino = [
        "Ang matandang bahay ay nakatayo malapit sa ilog at may malaking hardin.",
        "Nagtanim siya ng tatlong puno sa likod ng bahay.",
    ]
    # The detector calls it tl.
    assert detect_language(filipino) == "fil"


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("source", "source"),
        ("Source text", "source"),
        ("src (en)", "source"),
        ("source_en", "source"),
        ("Reference 1", "reference"),
        ("ref-A", "reference"),
        ("human reference", "reference"),
        ("doc_id", "documents"),
        ("Document", "documents"),
        ("id", "unused"),
        ("sentence id", "unused"),
        ("Source of all evil", "system"),
        ("Reference is made to it.", "system"),
        ("system a", "system"),
        ("online-B", "system"),
    ],
)
def test_the_heading_of_a_column_tells_its_role(heading: str, role: str) -> None:
    assert guess("source.csv", heading=heading).role == role


def test_languages_of_segments_are_those_of_source_and_reference_or_candidates() -> None:
    row = "1\tThe committee met on Monday in Prague .\t{}\tmet\t{}\t2"
    czech = "Výbor se sešel v pondělí v Praze"
    assert detect_languages_of_segments([row.format(czech, "se")]) == ("en", "cs")
    assert detect_languages_of_segments([row.format("", czech)]) == ("en", "cs")
    assert detect_languages_of_segments(["", "a\tb", None]) == ("", "")
