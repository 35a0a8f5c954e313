from dataclasses import replace

import numpy as np
import pytest

from annotation.formats.errors import InputError
from evaluation.formats.metrics_eval_folder import (
    EvalSet,
    pairs_of,
    read_eval_set,
    reference_name,
    write_eval_set,
)
from evaluation.formats.score_tables import MISSING, UNKNOWN_SYSTEM, ScoreTable
from evaluation.formats.system_names import read_system_names


def scores(values, *, level="seg", metrics=("segranks",), systems=("cu-depfix", "onlineA.0")):
    array = np.array(values, dtype=np.float64)
    items = {"seg": ("1", "2", "3"), "doc": ("idnes", "ctk"), "domain": ("news", "sport")}
    return ScoreTable(
        pair="en-cs",
        test_set="wmt14",
        level=level,
        metrics=metrics,
        systems=systems,
        items=items.get(level, ()),
        scores=array,
    )


SEGMENTS = scores([[[0.5, np.nan, 1 / 3], [-0.5, 0, np.nan]]])
SYSTEMS = scores([[0.25, np.nan]], level="sys")
DOMAINS = scores([[[1, 2], [3, 4]]], level="domain")
DOCUMENTS = scores([[[1, 2], [3, np.nan]]], level="doc")
METRIC = replace(
    scores(
        [[[1, 2, 3], [4, 5, 6], [np.nan, np.nan, np.nan]]],
        metrics=("chrF-2",),
        systems=("cu-depfix", "onlineA.0", "refA"),
    ),
    reference="refA",
)

TEXTS = EvalSet(
    test_set="wmt14",
    pair="en-cs",
    source=("One .", "Two .", "Three ."),
    references={"refA": ("Jedna .", "Dvě .", "Tři .")},
    outputs={
        "cu-depfix": ("jedna .", "", "tři ."),
        "onlineA.0": ("1 .", "2 .", "3 ."),
        "refA": ("Jedna .", "Dvě .", "Tři ."),
    },
    documents=("idnes", "idnes", "ctk"),
    domains=("news", "news", "sport"),
    human=(SEGMENTS, SYSTEMS, DOMAINS, DOCUMENTS),
    metrics=(METRIC,),
)


def changed(**changes):
    return replace(TEXTS, **changes)


def test_a_test_set_has_the_files_of_mt_metrics_eval(tmp_path):
    paths = write_eval_set(tmp_path, TEXTS)

    folder = tmp_path / "wmt14"
    assert {str(path.relative_to(folder)): path.read_text().split("\n") for path in paths} == {
        "sources/en-cs.txt": ["One .", "Two .", "Three .", ""],
        "references/en-cs.refA.txt": ["Jedna .", "Dvě .", "Tři .", ""],
        "system-outputs/en-cs/cu-depfix.txt": ["jedna .", "", "tři .", ""],
        "system-outputs/en-cs/onlineA.0.txt": ["1 .", "2 .", "3 .", ""],
        "system-outputs/en-cs/refA.txt": ["Jedna .", "Dvě .", "Tři .", ""],
        "documents/en-cs.docs": ["news idnes", "news idnes", "sport ctk", ""],
        "human-scores/en-cs.segranks.seg.score": [
            *("cu-depfix 0.5", "cu-depfix None", "cu-depfix 0.3333333333333333"),
            *("onlineA.0 -0.5", "onlineA.0 0.0", "onlineA.0 None", ""),
        ],
        "human-scores/en-cs.segranks.sys.score": ["cu-depfix 0.25", "onlineA.0 None", ""],
        "human-scores/en-cs.segranks.domain.score": [
            *("news cu-depfix 1.0", "sport cu-depfix 2.0"),
            *("news onlineA.0 3.0", "sport onlineA.0 4.0", ""),
        ],
        "human-scores/en-cs.segranks.doc.score": [
            *("cu-depfix 1.0", "cu-depfix 2.0", "onlineA.0 3.0", "onlineA.0 None", ""),
        ],
        # The reference is not compared with itself.
        "metric-scores/en-cs/chrF-2-refA.seg.score": [
            *("cu-depfix 1.0", "cu-depfix 2.0", "cu-depfix 3.0"),
            *("onlineA.0 4.0", "onlineA.0 5.0", "onlineA.0 6.0", ""),
        ],
    }
    assert [path.name for path in tmp_path.iterdir()] == ["wmt14"]


def test_a_test_set_that_was_written_is_read_again(tmp_path):
    write_eval_set(tmp_path, TEXTS)

    assert pairs_of(tmp_path / "wmt14") == ("en-cs",)
    read = read_eval_set(tmp_path / "wmt14", "en-cs")

    for name in ("test_set", "pair", "source", "references", "outputs", "documents", "domains"):
        assert getattr(read, name) == getattr(TEXTS, name)
    human = {table.level: table for table in read.human}
    for table in TEXTS.human:
        again = human[table.level].aligned(table.systems)
        assert (again.metrics, again.items) == (table.metrics, table.items)
        np.testing.assert_array_equal(again.scores, table.scores, strict=True)
    (metric,) = read.metrics
    assert (metric.metrics, metric.reference) == (("chrF-2",), "refA")
    np.testing.assert_array_equal(metric.scores, METRIC.scores, strict=True)


def test_scores_that_people_did_not_give_are_findings(tmp_path):
    write_eval_set(tmp_path, TEXTS)

    found = read_eval_set(tmp_path / "wmt14", "en-cs").findings

    # refA is a system without a score of people; its reference needs no score of chrF.
    assert {(one.kind, one.metric) for one in found} == {(MISSING, "segranks")}
    assert sorted(one.count for one in found) == [2, 2, 3, 5]


def test_scores_of_a_system_without_an_output_are_unknown(tmp_path):
    write_eval_set(tmp_path, changed(metrics=()))
    path = tmp_path / "wmt14/metric-scores/en-cs/BLEU-all.sys.score"
    path.parent.mkdir(parents=True)
    path.write_text("cu-depfix 1\nonlineA.0 2\nrefA 2\nGOOG 3\n")

    (table,) = read_eval_set(tmp_path / "wmt14", "en-cs").metrics

    assert [(one.kind, one.examples) for one in table.findings] == [(UNKNOWN_SYSTEM, ("GOOG",))]
    assert table.of("BLEU").tolist() == [1, 2, 2]


def test_metrics_with_one_reference_are_one_table(tmp_path):
    write_eval_set(tmp_path, changed(metrics=(METRIC, replace(METRIC, metrics=("BEER",)))))

    (table,) = read_eval_set(tmp_path / "wmt14", "en-cs").metrics

    assert table.metrics == ("BEER", "chrF-2")
    assert table.scores.shape == (2, 3, 3)


def test_segments_without_documents_are_one_document_of_one_domain(tmp_path):
    write_eval_set(tmp_path, changed(documents=(), domains=(), human=(SEGMENTS,)))

    lines = (tmp_path / "wmt14/documents/en-cs.docs").read_text()
    assert lines == "all wmt14\n" * 3


def test_names_of_documents_lose_their_blanks_and_may_be_missing(tmp_path):
    documents = ("a b", "", "no-document-1")
    write_eval_set(tmp_path, changed(documents=documents, domains=(), human=(SEGMENTS,)))

    lines = (tmp_path / "wmt14/documents/en-cs.docs").read_text()
    assert lines == "all a_b\nall no-document-2\nall no-document-1\n"
    assert (tmp_path / "wmt14/document-names.tsv").read_text() == "a_b\ta b\n"


def test_no_name_of_a_document_or_domain_is_lost(tmp_path):
    documents, domains = ("a b", "a_b", "A_b"), ("x y", "x_y", "x_y")
    table = scores([[[1, 2], [3, 4]]], level="domain")
    table = replace(table, items=("x y", "x_y"))
    write_eval_set(tmp_path, changed(documents=documents, domains=domains, human=(table,)))

    folder = tmp_path / "wmt14"
    lines = (folder / "documents/en-cs.docs").read_text()
    assert lines == "x_y--2 a_b--2\nx_y a_b\nx_y A_b\n"
    assert (folder / "human-scores/en-cs.segranks.domain.score").read_text() == (
        "x_y--2 cu-depfix 1.0\nx_y cu-depfix 2.0\nx_y--2 onlineA.0 3.0\nx_y onlineA.0 4.0\n"
    )


NASTY = ("A B", "A_B", "a b", 'x"', '"y"', "../x", "x/y", "x.y[0]", "č", "=1+1", "reFA")


def test_no_name_of_a_system_is_lost(tmp_path):
    outputs = {name: (f"{place}", "b", "c") for place, name in enumerate(NASTY)}
    given = np.arange(len(NASTY), dtype=float)
    human = scores([given], level="sys", systems=NASTY)
    metric = replace(scores([given], level="sys", systems=NASTY), reference="refA")
    metric = replace(metric, metrics=("BLEU",))
    write_eval_set(tmp_path, changed(outputs=outputs, human=(human,), metrics=(metric,)))

    folder = tmp_path / "wmt14"
    read = read_eval_set(folder, "en-cs")
    listed = (folder / "system-names.tsv").read_text().splitlines()
    names = dict(line.split("\t") for line in listed)
    assert names == {
        **{"A_B--2": "A B", "a_b--3": "a b", "_x": "../x", "x_y": "x/y", "reFA--2": "reFA"},
    }
    # A file of each name, also where case does not distinguish files.
    assert len({name.lower() for name in read.outputs}) == len(NASTY)
    texts = {names.get(name, name): lines for name, lines in read.outputs.items()}
    assert texts == outputs
    for tables in (read.human, read.metrics):
        (table,) = tables
        found = {names.get(n, n): v for n, v in zip(table.systems, table.scores[0], strict=True)}
        assert found == dict(zip(NASTY, given, strict=True))
        assert not table.findings


def test_the_list_of_names_maps_scores_of_the_folder_to_a_project(tmp_path):
    outputs = {"A B": TEXTS.source, "A_B": TEXTS.source}
    write_eval_set(tmp_path, changed(outputs=outputs, human=(), metrics=()))

    assert read_system_names(tmp_path / "wmt14/system-names.tsv", outputs) == {"A_B--2": "A B"}


def test_two_files_of_systems_that_are_spelt_alike_are_refused(tmp_path):
    write_eval_set(tmp_path, changed(human=(), metrics=()))
    folder = tmp_path / "wmt14/system-outputs/en-cs"
    for name in ("č", "c\u030c"):
        (folder / f"{name}.txt").write_text("1\n2\n3\n")

    with pytest.raises(InputError, match=r"c\u030c.txt|č.txt") as caught:
        read_eval_set(tmp_path / "wmt14", "en-cs")
    assert "differs from" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "name"),
    [("ref.A-1", "ref_A_1"), ("my reference", "my_reference"), ("src", "src_"), ("refA", "refA")],
)
def test_references_can_be_renamed(text, name):
    assert reference_name(text) == name


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"pair": "English-Czech"}, "the language pair 'English-Czech' is not such as cs-en"),
        ({"test_set": "my set"}, "the name 'my set' cannot be that of a file"),
        (
            {"references": {"ref.A": TEXTS.source}},
            "the reference 'ref.A' cannot be written: call it without dots, dashes and spaces",
        ),
        (
            {"outputs": {"A": ("1", "2")}},
            "A has 2 segments, but the source has 3.",
        ),
        (
            {"outputs": {"A": ("1", "2\n2", "3")}},
            "segment 2 of A contains a line break: remove it.",
        ),
        ({"documents": ("a", "b")}, "documents has 2 segments, but the source has 3."),
        (
            {"documents": ("a", "b", "a")},
            "the document 'a' is not one block of segments of one domain",
        ),
        (
            {"human": (replace(SEGMENTS, items=("1", "3", "2")),)},
            "the scores segranks are not those of all segments or documents of the test set in its "
            "order",
        ),
        (
            {"human": (replace(SEGMENTS, systems=("cu-depfix", "GOOG")),)},
            "the scores segranks have systems without an output: GOOG.",
        ),
        (
            {"metrics": (replace(METRIC, reference="refB.refA"),)},
            "the metric chrF-2 compares with a reference that is missing: refB.",
        ),
        (
            {"human": (SEGMENTS, SEGMENTS)},
            "two of the scores would be the file human-scores/en-cs.segranks.seg.score",
        ),
        (
            {
                "metrics": (
                    replace(METRIC, systems=("cu-depfix", "refA"), scores=METRIC.scores[:, 1:]),
                )
            },
            "chrF-2 lacks a score of onlineA.0, which mt-metrics-eval allows for people only",
        ),
        (
            {"metrics": (replace(METRIC, reference="src"),)},
            "chrF-2 lacks a score of refA, which mt-metrics-eval allows for people only",
        ),
    ],
)
def test_it_refuses_what_the_format_cannot_hold_and_writes_nothing(tmp_path, changes, sentence):
    with pytest.raises(InputError, match=sentence):
        write_eval_set(tmp_path / "new", changed(**changes))

    assert list(tmp_path.iterdir()) == []


def test_it_does_not_overwrite_a_test_set(tmp_path):
    write_eval_set(tmp_path, TEXTS)

    with pytest.raises(InputError, match="wmt14 exists already: choose another folder"):
        write_eval_set(tmp_path, TEXTS)


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(InputError, match="file/wmt14 cannot be written: "):
        write_eval_set(tmp_path / "file", TEXTS)


@pytest.mark.parametrize(
    ("path", "text", "sentence"),
    [
        ("references/en-cs.refA.txt", "1\n2\n", r"refA.txt ends? with line 2|ends with line 3 but"),
        ("documents/en-cs.docs", "a\nb\nc\n", "en-cs.docs, line 1: 1 columns where 2 are needed"),
        (
            "human-scores/en-cs.segranks.seg.score",
            "cu-depfix 1\ncu-depfix 2\n",
            "segranks.seg.score: each system has 2 scores, but the texts have 3 segments",
        ),
    ],
)
def test_it_refuses_files_of_unequal_lengths(tmp_path, path, text, sentence):
    write_eval_set(tmp_path, TEXTS)
    (tmp_path / "wmt14" / path).write_text(text)

    with pytest.raises(InputError, match=sentence):
        read_eval_set(tmp_path / "wmt14", "en-cs")


def test_a_folder_needs_a_source_of_the_pair(tmp_path):
    with pytest.raises(InputError, match=r"has no file such as sources/cs-en.txt"):
        pairs_of(tmp_path)
    write_eval_set(tmp_path, TEXTS)
    with pytest.raises(InputError, match=r"wmt14 has no language pair de-en; it has en-cs."):
        read_eval_set(tmp_path / "wmt14", "de-en")
