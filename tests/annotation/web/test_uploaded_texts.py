"""Uploaded texts leave by every door as they came: pages, data browser, exports, archive, API."""

import csv
import html
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from annotation.formats.plain_text import read_lines
from annotation.import_export.export_formats import pieces_of
from annotation.judging.assignment import create_assignment
from annotation.judging.sheet import sheet
from annotation.kinds import KINDS, kind_of
from annotation.kinds.units import OneTranslation, SegmentsOfSentence
from annotation.models import Assignment, Candidate, Project, Sentence
from annotation.pipeline.jobs import Outcome
from annotation.preparation.tokens import look
from annotation.projects.creation import create_project
from annotation.projects.options import PrepareOptions, Texts
from tests.annotation.judging.judged_next import submit_all
from tests.api.client import program_of
from tests.factories import make_annotator
from tests.jobs import run_job

pytestmark = pytest.mark.django_db
SOURCE = [
    "The editor closes </form> &amp; waits &lt;b&gt;.",
    "💩This is 👨‍👩‍👧 🇨🇿 today.",
    "He paid 1\u00a0000 crowns  and 50 % more. ",
    "=1+1 and @home; C:\\new, {{ 7*7 }} %(name)s",
    "A line\u2028separator and a next\x85line",
    "it’s O'Brien's “car”",
]
OUTPUTS = {
    "a": [
        "Editor zavře </form> &amp; čeká &lt;b&gt;.",
        "💩Toto je 👨‍👩‍👧 🇨🇿 dnes.",
        "Zaplatil 1\u00a0000 korun  a o 50\u00a0% víc. ",
        "=1+1 a @home; C:\\nový, {{ 7*7 }} %(name)s",
        "Oddělovač\u2028řádků a další\x85řádek",
        "je to O'Brienovo „auto“",
    ],
    "b": [
        "Editor zavr\u030ce & c\u030ceka\u0301 <b>.",
        "Tohle 👍🏿 je۔",
        "Zaplatil 1\u202f000 korun a o 50 % víc.",
        "-1+1; A+B（１２％）！",
        "می‌رود و کتاب‌ها",
        "spo\u00adjovník a nulová\u200bmezera 。，",
    ],
}


def prepared(kind: str, source: Path, systems: dict[str, Path], pair: str) -> Project:
    texts = Texts(source=source, systems=systems)
    options = PrepareOptions(open_at_once=True)
    if isinstance(KINDS[kind].unit, SegmentsOfSentence):
        options = PrepareOptions(open_at_once=True, parser="phrases", aligner="systran")
    job = create_project(name=kind, kind=kind, languages=pair, texts=texts, options=options)
    assert run_job(job.pk) is Outcome.DONE
    return Project.objects.get(pk=job.project_id)


def written(folder: Path) -> tuple[Path, dict[str, Path]]:
    for name, lines in {"source": SOURCE, **OUTPUTS}.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder / "source", {name: folder / name for name in OUTPUTS}


@pytest.mark.parametrize("kind", ["sentence_ranking", "error_spans", "direct_assessment_source"])
def test_whole_texts_are_seen_and_exported_as_uploaded(
    tmp_path: Path, client: Client, kind: str
) -> None:
    project = prepared(kind, *written(tmp_path), "en-cs")
    annotator, owner = make_annotator(project, "jana"), make_annotator(project, "boss", "owner")
    sentences = list(project.sentences.order_by("number"))
    first = create_assignment(annotator, project, Assignment.Kind.FIRST, sentences[0])
    client.force_login(annotator)
    page = html.unescape(client.get(reverse("judge", args=[project.pk])).content.decode())
    shown = sheet(first)
    assert shown.source in page
    assert all(card.text in page for card in shown.segments[0].cards)
    seen = {(shown.source, card.text) for card in shown.segments[0].cards}
    submit_all(first)
    for sentence in sentences[1:]:
        assignment = create_assignment(annotator, project, Assignment.Kind.FIRST, sentence)
        shown = sheet(assignment)
        seen |= {(shown.source, card.text) for card in shown.segments[0].cards}
        submit_all(assignment)

    uploaded = {pair for lines in OUTPUTS.values() for pair in zip(SOURCE, lines, strict=True)}
    assert seen <= uploaded
    # Those that look alike share a card.
    assert {look(text) for _source, text in seen} == {look(text) for _source, text in uploaded}
    client.force_login(owner)
    browsed = "".join(
        html.unescape(client.get(reverse("sentence", args=[project.pk, number])).content.decode())
        for number in range(1, len(SOURCE) + 1)
    )
    assert all(source in browsed and text in browsed for source, text in uploaded)
    program = program_of(owner)
    by_api = {
        (row["text"], one["text"])
        for row in program.get(f"/api/v1/projects/{project.pk}/sentences/").json()["results"]
        for one in row["translations"]
    }
    assert uploaded <= by_api
    outputs = {text for _source, text in uploaded}
    assert {
        placed["text"]
        for row in program.get(f"/api/v1/projects/{project.pk}/judgements/").json()["results"]
        for placed in row["placements"]
    } == outputs
    records = [json.loads(piece) for piece in b"".join(exported(project, "archive")).splitlines()]
    assert {
        (row["text"], one["text"])
        for row in records
        if "translations" in row
        for one in row["translations"]
    } >= uploaded
    table = csv.DictReader(io.StringIO(b"".join(exported(project, "csv")).decode()))
    # What a spreadsheet would take for a formula has an apostrophe before it.
    assert {row["candidate"].removeprefix("'") for row in table} == outputs
    lines = b"".join(exported(project, "segments")).decode().split("\n")
    assert {(line.split("\t")[1], line.split("\t")[4]) for line in lines if line} == uploaded
    if kind == "error_spans":
        judged = [json.loads(line) for line in b"".join(exported(project, "pearmut")).splitlines()]
        marked = "".join(json.dumps(row, ensure_ascii=False) for row in judged)
        assert all(json.dumps(text, ensure_ascii=False) in marked for text in outputs)


def exported(project: Project, name: str) -> Iterator[bytes]:
    for piece in pieces_of(project, name):
        yield piece if isinstance(piece, bytes) else piece.encode()


def test_segments_and_candidates_are_slices_of_the_uploaded_texts(tmp_path: Path) -> None:
    source, systems = written(tmp_path)
    project = prepared("segment_ranking", source, systems, "en-cs")
    candidates = Candidate.objects.filter(segment__sentence__project=project)
    assert candidates.count() > len(SOURCE)
    for candidate in candidates.select_related("segment__sentence"):
        number = candidate.segment.sentence.number
        assert candidate.segment.text in SOURCE[number - 1]
        lines = [of_system[number - 1] for of_system in OUTPUTS.values()]
        assert any(all(part in line for part in candidate.text.split(" … ")) for line in lines)


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(
    ("folder", "pair"),
    [
        ("wmt14-en-cs", "en-cs"),
        ("wmt21/en-zh", "en-zh"),
        ("wmt21/en-ja", "en-ja"),
        ("wmt21/ja-en", "ja-en"),
        ("wmt21/cs-en", "cs-en"),
        ("wmt23-en-de", "en-de"),
    ],
)
def test_all_lines_of_real_texts_are_stored_and_exported_as_uploaded(
    tmp_path: Path, shared: Path, folder: str, pair: str
) -> None:
    data = shared / "data" / folder
    systems = {path.stem: path for path in sorted((data / "systems").glob("*.txt"))}
    project = prepared("error_spans", data / "source.txt", systems, pair)
    assert isinstance(kind_of(project).unit, OneTranslation)
    source = list(read_lines(data / "source.txt"))
    outputs = {name: list(read_lines(path)) for name, path in systems.items()}
    uploaded = {
        (number, line)
        for lines in outputs.values()
        for number, line in enumerate(lines, start=1)
        if line.strip() and source[number - 1].strip()
    }
    sentences = Sentence.objects.filter(project=project)
    assert all(row.text == source[row.source_number - 1] for row in sentences)
    rows = Candidate.objects.filter(segment__sentence__project=project)
    found = rows.select_related("segment__sentence")
    assert {(one.segment.sentence.source_number, one.text) for one in found} == uploaded
    lines = b"".join(exported(project, "segments")).decode().split("\n")
    cells = [line.split("\t") for line in lines if line]
    assert {(row[1], row[4]) for row in cells} == {(source[n - 1], line) for n, line in uploaded}
