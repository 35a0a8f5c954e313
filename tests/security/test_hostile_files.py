"""Hostile texts in downloaded files and on terminals."""

import csv
import io
import json
import pickle
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation.common.commands import Output
from annotation.formats.errors import InputError
from annotation.import_export.archive_import import import_project
from annotation.import_export.export_formats import export_project
from annotation.models import Segment
from tests.security.hostile import Hostile
from tests.security.tricks import BEGINNINGS, OVERRIDE

pytestmark = pytest.mark.django_db


def exported(hostile: Hostile, format_name: str) -> bytes:
    file = io.BytesIO()
    export_project(project=hostile.project, format_name=format_name, to=file)
    return file.getvalue()


def begins_a_formula(cell: str) -> bool:
    return cell.startswith(BEGINNINGS)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_no_cell_of_the_csv_export_is_a_formula(hostile: Hostile, delimiter: str) -> None:
    table = exported(hostile, "csv").decode()
    cells = [
        cell
        for row in csv.reader(io.StringIO(table, newline=""), delimiter=delimiter)
        for cell in row
    ]
    assert len(cells) > 20
    assert not list(filter(begins_a_formula, cells))
    for label in ("L-project", "L-jana", "L-candidate-0", "L-system-0"):
        assert label in table


def test_no_file_of_a_report_contains_formulas_or_commands(hostile: Hostile) -> None:
    client = Client()
    client.force_login(hostile.administrator)
    answer = client.get(reverse("report-zip", args=[hostile.project.pk]))
    kinds = set()
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        for file in packed.namelist():
            kinds.add(Path(file).suffix)
            if Path(file).suffix not in {".pdf", ".png"}:
                check_file(Path(file).suffix, packed.read(file).decode())
            assert Path(file).name == re.sub(r"[^\w.-]", "", Path(file).name)
    assert kinds == {".csv", ".tex", ".md", ".json", ".svg", ".pdf", ".png"}


def check_file(kind: str, content: str) -> None:
    if kind == ".json":
        json.loads(content)
    if kind == ".svg":
        names = {
            element.tag.rpartition("}")[2] for element in ElementTree.fromstring(content).iter()
        }
        assert names <= {
            "svg",
            "style",
            "defs",
            "clipPath",
            "g",
            "path",
            "text",
            "line",
            "rect",
        } | {
            "linearGradient",
            "stop",
        }
    if kind == ".csv":
        for delimiter in ",;\t":
            rows = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter)
            assert not [
                cell
                for row in rows
                for cell in row
                if begins_a_formula(cell) and not is_number(cell)
            ]
    if kind == ".tex":
        assert "\\input{xss}" not in content
        assert "{{7*7}}" not in content
    if kind == ".md":
        assert not re.search(r"<[a-z/!]|(?<!\\)\]\(", content)
    if kind != ".json":
        assert not [c for c in content if c != "\n" and not c.isprintable()]


def is_number(cell: str) -> bool:
    return re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", cell) is not None


def test_exchange_formats_keep_every_text_exactly(hostile: Hostile) -> None:
    candidates = set(
        hostile.project.sentences.filter(purpose="judge").values_list(
            "segments__candidates__text", flat=True
        )
    )
    rows = [line.split("\t") for line in exported(hostile, "segments").decode().split("\n") if line]
    assert {row[4] for row in rows} == candidates - {None}
    systems = [
        line.split("\t") for line in exported(hostile, "systems").decode().split("\n") if line
    ]
    assert {row[2] for row in systems} == set(
        hostile.project.systems.values_list("name", flat=True)
    )
    judged = json.loads(exported(hostile, "json"))
    by_key = pickle.loads(exported(hostile, "pickle"))
    assert judged == {f"{sentence},{words}": ranks for (sentence, words), ranks in by_key.items()}
    assert {
        text for all_ranks in judged.values() for ranks in all_ranks for text in ranks
    } <= candidates


def test_it_refuses_to_export_texts_that_break_lines(hostile: Hostile) -> None:
    segments = Segment.objects.filter(sentence__project=hostile.project)
    candidate = segments.earliest("pk").candidates.earliest("pk")
    candidate.text = "a\tb\nc"
    candidate.save()
    for format_name in ("segments", "systems"):
        with pytest.raises(InputError, match="tab"):
            exported(hostile, format_name)


def test_the_archive_restores_every_text(hostile: Hostile, tmp_path: Path) -> None:
    path = tmp_path / "archive.jsonl"
    path.write_bytes(exported(hostile, "archive"))
    for line in path.read_text().split("\n")[:-1]:
        json.loads(line)
    again = import_project(path=path, name="again")
    assert again.description == hostile.project.description
    second = io.BytesIO()
    export_project(project=again, format_name="archive", to=second)
    first_lines, second_lines = (
        content.decode().split("\n") for content in (path.read_bytes(), second.getvalue())
    )
    assert first_lines[2:-2] == second_lines[2:-2]


# --- terminals ----------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("command", ["statistics", "rank_systems", "compare_sentences"])
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_commands_write_no_control_characters_to_a_terminal(
    hostile: Hostile, command: str, options: tuple[str, ...]
) -> None:
    """Files and pipes get the text as it is."""
    into_file = said(io.StringIO(), command, str(hostile.project.pk), *options)
    shown = said(Terminal(), command, str(hostile.project.pk), *options)
    assert OVERRIDE in into_file
    assert not [c for c in shown if c != "\n" and not c.isprintable()]
    assert len(shown) == len(into_file)


def test_errors_write_no_control_characters_to_a_terminal(hostile: Hostile) -> None:
    assert "\x1b" in said(io.StringIO(), "statistics")
    assert "\x1b" not in said(Terminal(), "statistics")


def said(stream: io.StringIO, *arguments: str) -> str:
    call_command(*arguments, stdout=Output(stream))
    return stream.getvalue()
