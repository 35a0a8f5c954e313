"""`manage.py report --from FILE…`: the report of judgements in files."""

import hashlib
import json
from dataclasses import fields

import pytest
from django.core.management import CommandError, call_command

from evaluation.findings.options import ReportOptions
from evaluation.findings.report import Report
from evaluation.findings.serialisation import to_json
from evaluation.services.report_kinds import make_report
from evaluation.stats.ranking.systems import METHODS
from tests.annotation.import_export.exchange_files import (
    JUDGEMENT,
    SEGMENT_ROWS,
    imported_project,
    write_lines,
    write_rows,
)
from tests.evaluation.formats.wmt_files import write_five_way

TEXTS = ("a cat", "the cat", "cats")


def report(folder, *options):
    arguments = ["--output", str(folder / "report"), "--resamples", "100", *map(str, options)]
    call_command("report", *arguments)
    return json.loads((folder / "report" / "report.json").read_text())


@pytest.fixture
def five_way(tmp_path):
    rows = [
        (number, judge, ranks)
        for number in range(1, 13)
        for judge, ranks in (
            ("jana", "A+B 1 C 2 D 3"),
            ("petr", "C 1 A+B 2 D 2" if number % 3 else "A+B 1 C 1 D 4"),
            ("eva", "D 1 C 1 A+B 2" if number % 5 == 0 else "A+B 2 C 3 D 4"),
        )
    ]
    return write_five_way(tmp_path / "five.csv", rows)


def test_it_has_all_parts_without_a_database(five_way, tmp_path, capsys):
    made = report(tmp_path, "--from", five_way, "--format", "wmt-five")

    assert made.keys() == {field.name for field in fields(Report)}
    # Files have nothing that administrators exclude.
    assert made["excluded"] is None
    assert tuple(made["rankings"]) == METHODS
    assert made["judged"] == {
        "sentences": 12,
        "sentences_judged": 12,
        "sentences_left": 0,
        "segments": 12,
        "segments_judged": 12,
        "judgements": 36,
        "narrowed": 0,
        "aids": {},
        "unidentified": 0,
        "seconds_per_segment": None,
        "seconds_per_sentence": None,
        "units": None,
    }
    score = made["rankings"]["ratio_of_wins"]["systems"][0]["score"]
    assert score["low"] < score["value"] < score["high"]
    assert score["wide_low"] is not None
    assert "36 judgements of 12 sentences" in capsys.readouterr().out


def test_its_provenance_names_the_files(five_way, tmp_path):
    made = report(tmp_path, "--from", five_way, "--format", "wmt-five", "--without", "D")

    mark = hashlib.sha256(five_way.read_bytes()).hexdigest()[:16]
    assert made["project"]["name"] == "five.csv, Czech-English"
    assert made["project"]["source_language"] == "Czech"
    assert made["project"]["prepared"] == [
        "format wmt-five",
        "pair Czech-English",
        f"file five.csv sha256 {mark}",
        "without D",
    ]
    for part in (made, made["agreement"], made["significance"], made["drift"]):
        assert part["signature"].endswith("|".join(("", *made["project"]["prepared"])))
    assert mark in (tmp_path / "report/tables/ranking-expected_wins.tex").read_text()


def test_what_files_do_not_have_is_undefined(five_way, tmp_path):
    made = report(tmp_path, "--from", five_way, "--format", "wmt-five")

    systems = made["rankings"]["ratio_of_wins"]["systems"]
    assert {row["missing"] for row in systems} == {None}
    assert {row["assignments"] for row in made["annotators"]} == {None}
    assert {row["seconds"] for row in made["annotators"]} == {None}
    reason = "the order in which sentences were judged is unknown"
    assert made["sequence"]["ties"]["correlation"]["undefined"] == reason
    assert {row["words"] for row in made["disputed"]} == {""}


def test_filters_exclude_judgements_of_files(five_way, tmp_path):
    arguments = ("--from", five_way, "--format", "wmt-five")
    strict = report(tmp_path, *arguments, "--minimum-kappa", "0.2")

    assert [row["annotator"] for row in strict["left_out"]["annotators"]] == ["petr"]

    once = report(tmp_path, *arguments, "--without-repeats")
    assert once["left_out"]["repeats"] == 24
    assert "|24 repeats left out" in once["signature"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "Give a project, or files by --from, but not both."),
        (["houses", "--from", "FILE", "--format", "wmt-five"], "but not both."),
        (["houses", "--pair", "a-b"], "--pair is for judgements in files: add --from FILE."),
        (
            ["--from", "FILE", "--format", "wmt-five", "--minimum-controls", "0.5"],
            "Files have no control items: leave out --minimum-controls.",
        ),
        (["--from", "FILE", "--format", "wmt-five", "--pair", "x"], "no language pair 'x' here"),
    ],
)
@pytest.mark.django_db
def test_contradictory_options_are_refused(five_way, tmp_path, options, message):
    given = [five_way if option == "FILE" else option for option in options]

    with pytest.raises(CommandError, match=message.replace(".", r"\.")):
        report(tmp_path, *given)

    assert not (tmp_path / "report").exists()


@pytest.mark.django_db
def test_it_is_that_of_a_project_with_the_same_judgements(tmp_path):
    rows = [
        (str(number), "it is a cat", "", "a cat", text, "2 3")
        for number in range(1, 13)
        for text in TEXTS[: 2 + number % 2]
    ]
    systems = [
        (str(number), "a cat", name, TEXTS[place], "2 3")
        for number in range(1, 13)
        for place, name in ((0, "A"), (1, "B"), (number % 2, "C"), (2, "D"))
        if number % 2 or place < 2
    ]
    judged = [
        {
            "sentence": number,
            "segment": "a cat",
            "indices": [2, 3],
            "annotator": name,
            "created": f"2014-05-{day:02} 07:{number:02}:58+00",
            "seconds": 10 + number,
            "ranks": {
                text: 1 + (place * (1 + shift) + number * number // 3) % (2 + number % 2)
                for place, text in enumerate(TEXTS[: 2 + number % 2])
            },
        }
        for day, (name, shift) in enumerate([("j", 0), ("p", 1), ("e", 0), ("j", 1)], start=1)
        for number in (7, 3, 12, *range(1, 3), *range(4, 7), *range(8, 12))
    ]
    project = imported_project(tmp_path, rows=rows, systems=systems)
    file = write_lines(tmp_path / "judgements.jsonl", judged)
    call_command("import_judgements", project.name, str(file), verbosity=0)

    of_files = report(
        *(tmp_path, "--from", file, "--format", "lines"),
        *("--segments", tmp_path / "segments.tsv", "--systems", tmp_path / "systems.tsv"),
    )
    of_project = make_report(project, ReportOptions(resamples=100)).data

    score = of_files["rankings"]["ratio_of_wins"]["systems"][0]["score"]
    assert score["low"] is not None
    assert comparable(of_files) == comparable(to_json(of_project))


def comparable(report):
    """Return what does not say where the judgements come from, or when it was computed."""
    if isinstance(report, list):
        return [comparable(part) for part in report]
    if not isinstance(report, dict):
        return report
    own = {"signature", "made", "seconds", "name", "prepared", "assignments", "segment"}
    own |= {"source_language", "target_language", "excluded", "question"}
    return {
        key: comparable(part)
        for key, part in report.items()
        if key not in own or (key == "seconds" and "annotator" in report)
    }


def test_unknown_systems_are_mentioned(tmp_path, capsys):
    file = write_lines(tmp_path / "judgements.jsonl", [JUDGEMENT])
    segments = write_rows(tmp_path / "segments.tsv", SEGMENT_ROWS)

    made = report(tmp_path, "--from", file, "--format", "lines", "--segments", segments)

    assert made["rankings"]["ratio_of_wins"]["systems"] == []
    assert "The systems are unknown" in capsys.readouterr().out


def test_a_file_without_judgements_is_refused(tmp_path):
    file = write_lines(tmp_path / "judgements.jsonl", [])
    segments = write_rows(tmp_path / "segments.tsv", SEGMENT_ROWS)

    with pytest.raises(CommandError, match=r"judgements\.jsonl is empty"):
        report(tmp_path, "--from", file, "--format", "lines", "--segments", segments)
