"""What a paper says of a report: nothing that the design of the project does not allow."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotation.formats.errors import InputError
from annotation.kinds import KINDS
from annotation.models import Project
from evaluation.findings.options import ReportOptions
from evaluation.findings.report import Report
from evaluation.report.paper import paper_files, write_paper
from evaluation.report.paper_sentences import SENTENCES, sentences_of
from evaluation.report.sources import SOURCES
from evaluation.services.report_kinds import make_report
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
SENTENCES_JUDGED = 12
FEW = ReportOptions(resamples=100)


def ranked(*annotators: str) -> Project:
    """A is better than B in all sentences, and tied in the last one."""
    project = make_project(sentences=SENTENCES_JUDGED + 1, segments={"0 1 2": ["dům", "domek"]})
    for name in annotators:
        annotator = make_annotator(project, name)
        for number in range(1, SENTENCES_JUDGED + 1):
            ranks = [1, 2] if number < SENTENCES_JUDGED else [1, 1]
            submit(project, annotator, number, {"0 1 2": ranks})
    return project


def report_of(project: Project, options: ReportOptions = FEW) -> Report:
    return make_report(project, options).data


def said(report: Report) -> dict[str, str]:
    return {one.values.__name__.strip("_"): text for one, text in sentences_of(report)}


def test_sentences_have_the_figures_of_the_project():
    found = said(report_of(ranked("jana", "petr")))

    assert found["amount"] == (
        "2 annotators gave 24 judgements of 12 of 13 sentences, translated by 2 systems (en to cs)."
    )
    assert found["ties"].startswith("Of 24 comparisons, 2 are ties of different texts, and 0 are")
    assert found["unjudged"] == "1 of 13 sentences have no judgement."
    assert "single_sentences" in found
    assert "no_controls" in found
    assert not {"esa", "points", "assessed", "signed_ranks", "error_free", "documents"} & {*found}


def test_limits_end_where_the_design_goes_further():
    project = ranked("jana", "petr", "eva")
    project.sentences.update(document="one")
    report = report_of(project, replace(FEW, unit="document", minimum_kappa=-1))
    eva, *others = report.annotators

    found = said(replace(report, annotators=(replace(eva, controls=4, controls_passed=3), *others)))

    assert found["controls"] == "Annotators passed 3 of 4 control items (75 %)."
    assert found["filtered"].startswith("Judgements were filtered (κ of at least -1): 0 of 36 ")
    assert found["documents"] == "The judged sentences belong to 1 document."
    # One document has no interval.
    assert not {"no_controls", "single_sentences", "intervals"} & {*found}


@pytest.mark.parametrize("kind", ["error_spans", "mqm", "direct_assessment", "adequacy", "scores"])
def test_each_kind_of_answer_has_one_sentence_on_its_scores(kind: str):
    fields: dict[str, Any] = {"answer_options": "Fluency 0-5"} if kind == "scores" else {}
    project = make_project(
        kind=kind,
        sentences=1,
        segments={"0 1 2": ["dům", "domek"]},
        **fields,
    )
    answer = KINDS[kind].answer
    submit(project, make_annotator(project), 1, {"0 1 2": [1, 2]}, steps=answer.worst)

    of_scores = {"esa", "points", "assessed", "grades", "scores", "wins"}
    assert len(of_scores & {*said(report_of(project))}) == 1


def test_each_source_that_is_cited_is_in_the_references_and_no_other(tmp_path: Path):
    files = dict(paper_files(report_of(ranked("jana", "petr"))))

    method, references = files["method.tex"].decode(), files["references.bib"].decode()
    cited = {key for keys in re.findall(r"\\cite\{(.+?)\}", method) for key in keys.split(",")}
    assert cited == set(re.findall(r"@\w+\{(.+),", references))
    assert {key for sentence in SENTENCES for key in sentence.sources} == set(SOURCES)
    assert references.count("{") == references.count("}")
    for name in re.findall(r"\\includegraphics.*?\{(.+?)\}", files["paper.tex"].decode()):
        assert files[name].startswith(b"%PDF")
    assert rb"\resizebox" in files["table.tex"]


def test_a_folder_with_files_and_a_report_without_judgements_are_refused(tmp_path: Path):
    report = report_of(ranked("jana"))
    written = write_paper(report, tmp_path / "paper")
    assert {path.relative_to(tmp_path / "paper").parts[0] for path in written} == {
        *("paper.tex", "method.tex", "table.tex", "references.bib", "figures")
    }
    with pytest.raises(InputError, match="is not empty"):
        write_paper(report, tmp_path / "paper")
    with pytest.raises(InputError, match="Nothing is judged"):
        write_paper(report_of(make_project("empty")), tmp_path / "other")
    assert not (tmp_path / "other").exists()
