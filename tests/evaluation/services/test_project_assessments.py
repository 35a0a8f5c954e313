"""Scores of a project of direct assessment, as the statistics of assessments get them."""

from pathlib import Path

import numpy as np
import pytest

from annotation.formats.errors import InputError
from annotation.judging.control_items import control_outcomes, make_controls
from annotation.judging.discarding import discard_judgements
from annotation.models import Assignment, Control, Project
from annotation.projects.exclusion import set_excluded
from evaluation.report.options import ReportOptions
from evaluation.report.pseudonyms import without_names
from evaluation.report.tables import tables
from evaluation.services.loading import load_assessments
from evaluation.services.project_assessments import assessments_of_project
from evaluation.services.reports import make_report
from evaluation.stats.assessment.items import ItemType
from tests.annotation.kinds.assessed_project import assess, assess_all, prepared
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db


def test_scores_of_a_batch_and_what_the_report_says_of_them(tmp_path: Path) -> None:
    """69 translations of 23 lines in one batch, judged by jana, and in part by petr."""
    project = prepared(tmp_path, sentences=23, batches=True)
    Project.objects.update(judges_per_sentence=2)
    project.refresh_from_db()
    assess_all(make_annotator(project), project)
    petr = make_annotator(project, "petr")
    for _item in range(30):
        assess(petr, project)

    found = load_assessments(project)
    items = found.items
    of_jana = items.select(items.annotators == 0)
    assert [int(of_jana.of(kind).sum()) for kind in ItemType] == [69, 11, 10, 10]
    assert (of_jana.originals() >= 0).all()
    assert items.batch_names == ("jana 1", "petr 2")
    # Petr has not finished the batch.
    assert np.isnan(items.batch_seconds).tolist() == [False, True]
    assert set(items.segment_names) == {str(line) for line in range(1, 24)}
    # Systems A and B always have the same translation, and each counts with every score of it,
    # but only once for the annotator.
    by_system, standardised = found.by_system()
    of_system = np.bincount(by_system.systems[by_system.annotators == 0], minlength=4)
    assert of_system[0] >= of_system[1] >= 23
    assert [scale.assessments for scale in standardised.scales] == [100, 30]

    report = make_report(project, ReportOptions(resamples=100)).data
    part = report["assessments"]
    assert part
    systems = {row["system"]: row for row in part["systems"]}
    assert [systems[name]["wins"] for name in "ABCD"] == [2, 2, 1, 0]
    assert [systems[name]["cluster"] for name in "ABCD"] == [1, 1, 2, 3]
    assert (systems["A"]["segments"], systems["A"]["value"]) == (23, systems["B"]["value"])
    jana = part["annotators"][0]
    assert (jana["annotator"], jana["passed"], jana["low"]["pairs"]) == ("jana", True, 10)
    assert jana["low"]["p"]
    assert jana["low"]["p"] < 0.001
    assert (jana["repeats"]["pairs"], jana["repeats"]["undefined"]) == (11, "")
    made = [table.name for table in tables(report)]
    assert {"assessed-systems", "assessed-pairs", "assessing-annotators"} <= set(made)
    hidden = without_names(report, b"key")["assessments"]
    assert hidden
    assert sorted(row["annotator"] for row in hidden["annotators"]) == [
        "Annotator 1",
        "Annotator 2",
    ]

    of_files = assessments_of_project(
        project, all_annotators=True, resamples=10, seed=0, with_model=True
    )
    assert [table.name for table in of_files.tables][:5] == [
        "annotators",
        "systems-en-cs",
        "pairs-en-cs",
        "segment-scores-en-cs",
        "scales-en-cs",
    ]


def test_what_is_excluded_or_discarded_does_not_count(tmp_path: Path) -> None:
    project = prepared(tmp_path)
    jana = make_annotator(project)
    assess_all(jana, project)
    sentence = project.sentences.get(number=1)
    set_excluded(project=project, by=jana, sentence=sentence.pk, excluded=True)
    assert len(load_assessments(project).items) == 17
    discard_judgements(project=project, by=jana, annotator=jana)
    assert len(load_assessments(project).items) == 0
    with pytest.raises(InputError, match="no scores"):
        assessments_of_project(project, all_annotators=True, resamples=10, seed=0)
    with pytest.raises(InputError, match="no scores"):
        assessments_of_project(make_project(), all_annotators=True, resamples=10, seed=0)


def test_an_annotator_with_equal_scores_is_named(tmp_path: Path) -> None:
    project = prepared(tmp_path)
    assess(make_annotator(project), project)
    part = make_report(project, ReportOptions(resamples=100)).data["assessments"]
    assert part
    assert part["systems"] == []
    assert part["dropped"] == ["jana"]


def test_controls_without_batches_compare_two_judgements(tmp_path: Path) -> None:
    project = prepared(tmp_path)
    copies = make_controls(project=project, count=6, seed=1)
    kinds = Control.objects.filter(segment__sentence__in=copies).values_list("kind", flat=True)
    assert sorted(kinds) == ["degraded"] * 3 + ["reference"] * 3
    Project.objects.update(control_rate=0.5)
    project.refresh_from_db()
    jana = make_annotator(project)
    assess_all(jana, project)
    judged = Assignment.objects.filter(kind="control", sentence__in=copies)
    degraded = judged.filter(sentence__segments__control__kind="degraded").count()
    outcomes = list(control_outcomes(project))
    assert len(outcomes) == degraded
    assert all(outcome.passed for outcome in outcomes)
