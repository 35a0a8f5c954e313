"""Names in other spellings: of annotators, systems, documents and segments, in all readers."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from annotation.formats.errors import InputError
from annotation.formats.mqm_lines import read_mqm
from annotation.formats.pearmut import read_annotations, read_campaigns
from annotation.formats.tokens import split_at_spaces
from annotation.formats.wmt import FIVE_WAY, PAIRWISE, read_five_way, read_pairwise
from annotation.formats.wmt_forms import RankingScreen, read_screens
from evaluation.formats.assessments import read_assessments
from evaluation.formats.candidate_files import read_candidates
from evaluation.formats.error_span_scores import read_span_scores
from evaluation.formats.judgement_files import Choice, read_judgements
from evaluation.formats.score_files import read_scores

# Each is called like the one before it in other letters or with invisible ones.
ANNOTATORS = ("Jána", "Ja\u0301na", "Jána\u00a0")
DOCUMENT = "na\u0301s\u030c"
SYSTEM = "c\u030c\u200b"
PLAIN = {"Jána"}, {"č"}, {"náš"}


class Found(NamedTuple):
    annotators: set[str]
    systems: set[str]
    documents: set[str]


def five_way(path: Path) -> Found:
    rankings = list(read_five_way(path))
    return Found(
        {one.judge for one in rankings},
        {name for one in rankings for text in one.ranked for name in text.systems},
        {one.document for one in rankings},
    )


def pairs(path: Path) -> Found:
    rankings = list(read_pairwise(path))
    return Found(
        {one.judge for one in rankings},
        {name for one in rankings for text in one.ranked for name in text.systems},
        {"náš"},
    )


def forms(path: Path) -> Found:
    screens = [one for one in read_screens(path) if isinstance(one, RankingScreen)]
    return Found(
        {one.annotator for one in screens},
        {name for one in screens for text in one.ranked for name in text.systems},
        {one.domain for one in screens},
    )


def mqm(path: Path) -> Found:
    rows = list(read_mqm(path))
    return Found({r.rater for r in rows}, {r.system for r in rows}, {r.document for r in rows})


def esa(path: Path) -> Found:
    rows = list(read_span_scores(path))
    return Found({r.user for r in rows}, {r.system for r in rows}, {r.document for r in rows})


def assessed(path: Path) -> Found:
    rows = read_assessments([path]).assessments
    documents = {name.partition("::")[0] for name in rows.segment_names}
    return Found(set(rows.annotator_names), set(rows.system_names), documents)


def scored(path: Path) -> Found:
    tables = read_scores([path]).tables
    return Found(
        {name for table in tables for name in table.metrics},
        {name for table in tables for name in table.systems},
        {name.partition("::")[0] for table in tables for name in table.items},
    )


def preferred(path: Path) -> Found:
    (table,) = read_scores([path]).pairs
    return Found({"Jána"}, set(table.systems) - {"B"}, set(table.segments))


def annotations(path: Path) -> Found:
    rows = read_annotations(path)
    return Found({r.user for r in rows}, {r.system for r in rows}, {r.item_id for r in rows})


def csv(*columns: object) -> str:
    return ",".join(map(str, columns))


def annotation(annotator: str, system: str, document: str) -> str:
    entry = {
        "user_id": annotator,
        "item_i": 0,
        "item": [{"item_id": document, "src": "s", "tgt": {system: "t"}}],
        "annotation": [{system: {"score": 50}}],
    }
    return json.dumps(entry)


MQM_HEADING = "system\tdoc\tseg_id\trater\ttarget\tcategory\tseverity"
FORMS_HEADING = "TASK,TYPE,ITEM_ID,ANNOTATOR_ID,TIME,SYSTEM_0,SCORE_0_A,SCORE_0_B"
DA_HEADING = "HITId WorkerId Input.src Input.trg sys_id sid type score".replace(" ", "\t")

# What reads a file, its heading, and its line of an annotator, a system and a document.
FILES: dict[str, tuple[Callable[[Path], Found], str, Callable[[str, str, str], str]]] = {
    "five-way": (
        five_way,
        csv(*FIVE_WAY),
        lambda a, s, d: csv(
            *("Czech", "English", 1, d, 1, a, 1, s),
            *(2, "blank", 3, "blank", 4, "blank", 5, "blank"),
            *(1, -1, -1, -1, -1),
        ),
    ),
    "pairs": (
        pairs,
        csv(*PAIRWISE),
        lambda a, s, d: csv("Czech", "English", 1, 1, a, s, 1, "blank", -1, 7),
    ),
    "forms": (
        forms,
        FORMS_HEADING,
        lambda a, s, d: csv(f"WMT09 German-English {d}", "RANK", 1, a, 9, s, 1, "-"),
    ),
    "mqm": (
        mqm,
        MQM_HEADING,
        lambda a, s, d: "\t".join((s, d, "1", a, "text", "No-error", "No-error")),
    ),
    "esa": (
        esa,
        "",
        lambda a, s, d: csv(a, s, 1, "TGT", "eng", "ces", 50, d, "False", "[]", 1, 2),
    ),
    "appraise": (
        assessed,
        "",
        lambda a, s, d: csv(a, s, 1, "TGT", "eng", "ces", 50, d, "False", 1, 2),
    ),
    "single assessments": (
        assessed,
        DA_HEADING,
        lambda a, s, d: "\t".join(("H", a, "cs", "en", s, d, "SYSTEM", "50")),
    ),
    # Here a metric stands for the annotator.
    "scores": (
        scored,
        "",
        lambda a, s, d: "\t".join((a, "en-cs", "test", "ref", s, d, "1", "0.5")),
    ),
    "preferred pairs": (
        preferred,
        "LP\tDATA\tSID\tBETTER\tWORSE",
        lambda a, s, d: "\t".join(("cs-en", "test", d, s, "B")),
    ),
    "annotations of Pearmut": (annotations, "", annotation),
}


def write(path: Path, heading: str, lines: Iterable[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in (heading, *lines) if line), encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", FILES)
def test_names_in_other_spellings_are_one(tmp_path: Path, kind: str) -> None:
    read, heading, line = FILES[kind]
    lines = [line(annotator, SYSTEM, DOCUMENT) for annotator in ANNOTATORS]

    assert read(write(tmp_path / "file", heading, lines)) == PLAIN


@pytest.mark.parametrize("kind", FILES)
def test_a_second_spelling_of_a_system_is_refused_with_both_lines(
    tmp_path: Path, kind: str
) -> None:
    read, heading, line = FILES[kind]
    lines = [line("a", name, "1") for name in ("C", SYSTEM, "č")]
    path = write(tmp_path / "file", heading, lines)

    with pytest.raises(InputError) as caught:
        read(path)

    first, second = (f"{path}, line {number}" for number in ((3, 4) if heading else (2, 3)))
    said = str(caught.value)
    assert f"{second}: the name {'č'!a} differs from {SYSTEM!a} ({first})" in said


@pytest.mark.parametrize("kind", ["mqm", "esa", "appraise"])
def test_a_second_spelling_of_a_document_is_refused_where_it_names_segments(
    tmp_path: Path, kind: str
) -> None:
    read, heading, line = FILES[kind]
    path = write(tmp_path / "file", heading, [line("a", "A", d) for d in (DOCUMENT, "náš")])

    with pytest.raises(InputError, match=r"line \d: the name .* differs from .*line \d\)"):
        read(path)


def test_two_spellings_of_a_system_in_an_item_of_a_campaign_are_refused(tmp_path: Path) -> None:
    item = {"src": "s", "tgt": {"č": "one", "c\u030c": "two"}}
    path = tmp_path / "campaign.json"
    path.write_text(json.dumps({"campaign_id": "x", "data": [[item]]}), encoding="utf-8")

    with pytest.raises(InputError, match=r"document 0, item 0: the name .* differs from"):
        read_campaigns(path)


def test_candidates_of_another_spelling_are_refused_with_both_lines(tmp_path: Path) -> None:
    rows = [("1", "du\u030am", name, "house", "0") for name in ("c\u030c", "č")]
    path = write(tmp_path / "y", "", ["\t".join(row) for row in rows])

    texts, segments = {1: split_at_spaces("dům")}, {(1, (0,))}
    with pytest.raises(InputError, match=r"y, line 2: the name .* \(.*y, line 1\)"):
        read_candidates(path, texts, segments)

    write(path, "", ["\t".join(rows[0])])
    assert read_candidates(path, texts, segments) == {"č": {(1, (0,)): "house"}}


def of_segments(folder: Path, ranks: dict[str, int], words: str = "the house") -> Choice:
    candidates: Sequence[str] = ("dům", "chata")
    segments = ["\t".join(("1", "the house", "", "the house", one, "0 1")) for one in candidates]
    systems = [
        "\t".join(("1", "the house", name, one, "0 1"))
        for name, one in zip("AB", candidates, strict=True)
    ]
    line = {
        "sentence": 1,
        "segment": words,
        "indices": [0, 1],
        "annotator": "jana",
        "created": "2026-01-01 10:00:00+00:00",
        "seconds": 5,
        "ranks": ranks,
    }
    return Choice(
        "lines",
        [write(folder / "lines.jsonl", "", [json.dumps(line)])],
        segments=write(folder / "segments.tsv", "", segments),
        systems=write(folder / "systems.tsv", "", systems),
    )


def test_a_candidate_in_another_spelling_is_found(tmp_path: Path) -> None:
    choice = of_segments(tmp_path, {"du\u030am": 1, "chata ": 2}, words="the house ")

    assert len(read_judgements(choice).judgements) == 1


def test_a_candidate_that_is_ranked_in_two_spellings_is_refused(tmp_path: Path) -> None:
    choice = of_segments(tmp_path, {"du\u030am": 1, "dům": 2, "chata": 2})

    with pytest.raises(InputError, match="line 1: two of the texts for"):
        read_judgements(choice)
