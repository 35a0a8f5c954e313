import json
from io import StringIO
from pathlib import Path
from unicodedata import normalize

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Sentence, System, Translation
from evaluation.formats.score_files import read_scores
from tests.factories import make_project

REFERENCE = ["starý dům stojí u řeky", "kočka sedí na zdi"]
OUTPUTS = {"A": REFERENCE, "B": ["starý dům u řeky", "pes sedí na zdi"]}


def run(*arguments: object) -> str:
    out = StringIO()
    call_command("score", *map(str, arguments), stdout=out)
    return out.getvalue()


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def texts(tmp_path: Path) -> list[str]:
    outputs = [f"{name}={write(tmp_path / name, lines)}" for name, lines in OUTPUTS.items()]
    reference = write(tmp_path / "reference.txt", REFERENCE)
    return [*outputs, "--reference", str(reference), "--language", "cs"]


def test_it_prints_systems_by_metric_with_signatures(texts):
    text = run(*texts, "--metric", "wer", "--metric", "bleu")

    rows = [line.split() for line in text.splitlines()]
    # B lacks a word of nine, and has another one.
    assert ["A", "1.0000", "1.0000"] in rows
    assert next(row for row in rows if row[:1] == ["B"])[1] == "0.7778"
    assert "wer: WER|nrefs:1|case:lc|" in text
    assert "bleu: BLEU|nrefs:1|case:mixed|tok:13a|" in text


def test_an_output_in_decomposed_letters_is_named(texts, tmp_path, capsys):
    decomposed = [normalize("NFD", line) for line in REFERENCE]
    output = f"D={write(tmp_path / 'D', [*decomposed[:1], REFERENCE[1]])}"

    found = json.loads(run(output, *texts, "--metric", "wer", "--json"))

    # Its words are split at the marks.
    assert found["metrics"][0]["systems"]["D"] == -0.111111
    (problem,) = found["problems"]
    assert problem.startswith("D: ")
    assert ": 1. Give all texts in Unicode's form NFC." in problem
    assert capsys.readouterr().err.strip() == problem


def test_json_has_scores_of_sentences_if_they_are_wanted(texts):
    found = json.loads(run(*texts, "--metric", "wer", "--sentences", "--json"))

    (metric,) = found["metrics"]
    assert metric["systems"] == {"A": 1.0, "B": 0.777778}
    assert metric["sentences"] == {"A": [1.0, 1.0], "B": [0.8, 0.75]}
    assert (found["pair"], found["sentence_numbers"]) == ("und-cs", [1, 2])


@pytest.mark.parametrize(
    ("language", "pair"),
    [
        *((code, "und-zh") for code in ("zh", "zho", "chi", "cmn", "ZH")),
        *((pair, "en-zh") for pair in ("en-zh", "en-zho", "eng-zho", "EN-ZH", "en_zh")),
        *((code, "und-zh_Hant") for code in ("zh-Hant", "zho_Hant", "zh_hant")),
        ("eng_Latn-zho_Hans", "en-zh_Hans"),
    ],
)
def test_chinese_is_split_into_characters_by_any_code(tmp_path, language, pair):
    output = write(tmp_path / "zh", ["我们明天去公园。"])
    reference = write(tmp_path / "reference", ["我们今天去公园。"])
    options = ["--reference", reference, "--language", language, "--metric", "bleu", "--json"]

    found = json.loads(run(f"a={output}", *options))

    assert found["pair"] == pair
    # Of 8 characters 7 are those of the reference; of n-grams 5 of 7, 3 of 6 and 2 of 5:
    # (7/8 · 5/7 · 3/6 · 2/5) ** (1/4).
    assert found["metrics"][0]["systems"] == {"a": 0.594604}


def test_several_references(texts, tmp_path):
    other = write(tmp_path / "other.txt", OUTPUTS["B"])

    found = json.loads(run(*texts, "--reference", other, "--metric", "wer", "--json"))

    assert found["references"] == 2
    assert found["metrics"][0]["systems"] == {"A": 1.0, "B": 1.0}
    assert found["metrics"][0]["signature"].startswith("WER|nrefs:2|case:lc|")


@pytest.mark.parametrize(
    "lines",
    [
        ['["starý dům u řeky", "dům stojí u řeky"]', '["pes sedí na zdi"]', "[]"],
        ["starý dům u řeky\tdům stojí u řeky", "pes sedí na zdi\tkočka", ""],
    ],
)
def test_a_set_has_any_number_of_references_for_each_sentence(tmp_path, lines):
    output = write(tmp_path / "B", [*OUTPUTS["B"], "třetí věta"])
    references = write(tmp_path / "set", lines)

    options = ["--reference", references, "--language", "cs", "--metric", "wer", "--json"]
    found = json.loads(run(f"B={output}", *options, "--sentences"))

    assert found["metrics"][0]["systems"] == {"B": 1.0}
    assert (found["sentence_numbers"], found["all_sentences"]) == ([1, 2], 3)
    assert found["references"] == 2


def test_a_set_and_a_text_are_references_together(texts, tmp_path):
    references = write(tmp_path / "set", ["[]", '["pes sedí na zdi"]'])

    found = json.loads(run(*texts, "--reference", references, "--metric", "wer", "--json"))

    (metric,) = found["metrics"]
    # B lacks a word of five in the first sentence, and is the second reference of the second one.
    assert metric["systems"]["B"] == pytest.approx(1 - 1 / 9, abs=1e-6)
    assert metric["signature"].startswith("WER|nrefs:var|")


def test_the_files_that_it_writes_can_be_read(texts, tmp_path):
    folder = tmp_path / "scores"
    with_pair = ["en-cs" if argument == "cs" else argument for argument in texts]

    run(*with_pair, "--metric", "wer", "--metric", "chrf++", "--output", folder)
    read = read_scores(sorted(folder.iterdir()))

    tables = {table.level: table for table in read.tables}
    assert sorted(path.name for path in folder.iterdir()) == [
        *("chrf++.seg.score", "chrf++.sys.score", "wer.seg.score", "wer.sys.score")
    ]
    assert {table.pair for table in read.tables} == {"en-cs"}
    assert tables["sys"].of("wer").tolist() == [1.0, pytest.approx(7 / 9)]
    assert tables["seg"].of("wer").tolist() == [[1.0, 1.0], [0.8, 0.75]]
    assert read.findings == ()


def test_sentences_are_printed_as_they_are_written(texts):
    text = run(*texts, "--metric", "wer", "--sentences")

    assert "wer\tund-cs\ttexts\tB\t2\t0.75\n" in text


@pytest.mark.django_db
def test_a_projects_stored_outputs():
    project = make_project()
    system = System.objects.get(project=project, name="A")
    for sentence in Sentence.objects.filter(project=project):
        Translation.objects.create(sentence=sentence, system=system, text="reference")

    found = json.loads(run("houses", "--metric", "wer", "--json"))

    assert found["metrics"][0]["systems"] == {"A": 1.0}
    assert found["without_outputs"] == ["B", "C"]


@pytest.mark.django_db
def test_all_references_of_a_project_count():
    project = make_project(sentences=2)
    system = System.objects.get(project=project, name="A")
    first, second = Sentence.objects.filter(project=project).order_by("number")
    for sentence in (first, second):
        Translation.objects.create(sentence=sentence, system=system, text="dům stojí")
    Translation.objects.create(sentence=first, reference=3, text="dům stojí tam")

    found = json.loads(run("houses", "--metric", "wer", "--json"))

    (metric,) = found["metrics"]
    # One edit of three words, and two of one ("reference").
    assert metric["systems"] == {"A": 1 - 3 / 4}
    assert metric["signature"].startswith("WER|nrefs:var|")
    assert found["references"] == 2


def test_function_words_change_meteor(texts, tmp_path):
    words = write(tmp_path / "words", ["na", "u"])

    text = run(*texts, "--metric", "meteor", "--function-words", words)

    assert "function-words:none" not in text


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (["--metric", "wer", "--metric", "wer"], "given twice"),
        (["--metric", "wer", "--synonyms", "x"], "--synonyms is for METEOR"),
        (["--metric", "wer", "--model", "x"], "--model is for soft matching"),
        (["--language", "czech language"], "'czech language' is not a known language code"),
        (["--language", "en-xx"], "'en-xx' is not a pair of language codes"),
        (["--output", "{reference}"], "is not a folder"),
        (["--reference", "{short}"], "ends with line"),
        (["--reference", "{wrong}"], r"wrong, line 2: Expected `str`, got `int`"),
        (["--reference", "{set}"], "ends with line"),
    ],
)
def test_it_refuses(texts, tmp_path, more, problem):
    paths = {
        "reference": tmp_path / "reference.txt",
        "short": write(tmp_path / "short.txt", REFERENCE[:1]),
        "wrong": write(tmp_path / "wrong", ['["a"]', "[1]"]),
        "set": write(tmp_path / "set", ["a\tb"]),
    }
    with pytest.raises(CommandError, match=problem):
        run(*texts, *(argument.format(**paths) for argument in more))


def test_it_refuses_files_without_a_language(texts):
    with pytest.raises(CommandError, match="Give --language CODE"):
        run(*texts[:-2])


@pytest.mark.django_db
def test_it_refuses_outputs_without_a_reference(texts):
    with pytest.raises(CommandError, match="with --reference FILE and --language"):
        run(*texts[:2])


def test_it_refuses_a_name_that_no_column_can_have(texts, tmp_path):
    outputs = [texts[0].replace("A=", "A\tB=", 1), *texts[1:]]
    with pytest.raises(CommandError, match="without tabs"):
        run(*outputs, "--metric", "wer", "--output", tmp_path / "scores")
