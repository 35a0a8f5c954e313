"""What SegRanks writes of marked errors is read as what was marked."""

import csv
from datetime import UTC, datetime
from pathlib import Path

import pytest

from annotation.formats.error_span_files import (
    ScoredSentence,
    ScoredText,
    appraise_rows,
    pearmut_line,
)
from annotation.formats.marked_errors import MISSING, MarkedError
from annotation.formats.pearmut import read_annotations
from annotation.formats.span_notation import parse_spans
from evaluation.formats.error_span_scores import read_span_scores

# "😀" is one character here and two in JavaScript.
TEXT = "Starý 😀 dům"
MARKED = (
    MarkedError("minor", places=((6, 7),)),
    MarkedError("major", places=((8, 11),)),
    MarkedError("major", token=MISSING),
)


@pytest.fixture
def sentence() -> ScoredSentence:
    spans = parse_spans("6-7 minor, 8-11 major, missing major")
    return ScoredSentence(
        annotator="eva, ml.",
        number=7,
        document="talk",
        source="The old 😀 house",
        submitted=datetime(2026, 5, 1, 12, 0, 30, tzinfo=UTC),
        seconds=30.0,
        translations=(ScoredText(("A", "B"), TEXT, 71, spans), ScoredText(("C",), "Dům", 12, ())),
    )


def test_appraise(sentence: ScoredSentence, tmp_path: Path) -> None:
    path = tmp_path / "esa.csv"
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(appraise_rows(sentence, "en", "cs"))

    rows = list(read_span_scores(path))

    assert [(row.system, row.score, row.segment, row.document) for row in rows] == [
        ("A", 71.0, 7, "talk"),
        ("B", 71.0, 7, "talk"),
        ("C", 12.0, 7, "talk"),
    ]
    assert (rows[0].user, rows[0].pair, rows[0].type) == ("eva, ml.", "en-cs", "TGT")
    assert rows[0].ended - rows[0].started == pytest.approx(30)
    assert rows[2].errors == ()
    # Places are those of JavaScript, since the file does not have the text.
    assert rows[0].errors == (
        MarkedError("minor", places=((6, 8),)),
        MarkedError("major", places=((9, 12),)),
        MarkedError("major", token=MISSING),
    )


def test_pearmut(sentence: ScoredSentence, tmp_path: Path) -> None:
    path = tmp_path / "annotations.jsonl"
    path.write_text(pearmut_line([sentence], 0) + pearmut_line([sentence], 1))

    first = [row for row in read_annotations(path) if row.document == 0]

    assert [(row.system, row.score, row.output) for row in first] == [
        ("A", 71.0, TEXT),
        ("B", 71.0, TEXT),
        ("C", 12.0, "Dům"),
    ]
    assert first[0].errors == MARKED
    assert first[2].errors == ()
    assert (first[0].user, first[0].item_id, first[0].origin) == ("eva, ml.", "7", "task")
    assert first[0].seconds == pytest.approx(30)
