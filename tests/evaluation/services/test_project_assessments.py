"""Scores of a project of direct assessment, as the statistics of assessments get them."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from django.db import connection
from django.db.models import F, Q

from annotation.formats.errors import InputError
from annotation.judging.assignment import skip
from annotation.judging.control_items import control_outcomes, make_controls
from annotation.judging.discarding import discard_judgements
from annotation.models import Assignment, BatchTurn, Control, Project, Sentence
from annotation.projects.exclusion import set_excluded
from evaluation.findings.options import ReportOptions
from evaluation.findings.pseudonyms import without_names
from evaluation.findings.report import tables
from evaluation.findings.serialisation import to_json
from evaluation.services.loading import load_assessments, load_controls
from evaluation.services.project_assessments import assessments_of_project
from evaluation.services.report_kinds import make_report
from evaluation.stats.annotators.controls import ControlTable
from evaluation.stats.assessment.items import ItemType
from tests.annotation.kinds.assessed_project import assess, assess_all, prepared
from tests.factories import assign_next, make_annotator, make_project

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
    part = report.assessments
    assert part
    systems = {row.system: row for row in part.systems}
    assert [systems[name].wins for name in "ABCD"] == [2, 2, 1, 0]
    assert [systems[name].cluster for name in "ABCD"] == [1, 1, 2, 3]
    assert (systems["A"].segments, systems["A"].z.value) == (23, systems["B"].z.value)
    jana = part.annotators[0]
    assert (jana.annotator, jana.passed, jana.degraded.pairs) == ("jana", True, 10)
    assert jana.degraded.p
    assert jana.degraded.p < 0.001
    assert (jana.repeats.pairs, jana.repeats.undefined) == (11, "")
    made = [table.name for table in tables(report)]
    assert {"assessed-systems", "assessed-pairs", "assessing-annotators"} <= set(made)
    hidden = without_names(to_json(report), {}).assessments
    assert hidden
    pseudonyms = ["Annotator 1", "Annotator 2"]
    assert sorted(row.annotator for row in hidden.annotators) == pseudonyms
    assert sorted(scale.annotator for scale in hidden.scales) == pseudonyms

    of_files = assessments_of_project(
        project, all_annotators=True, resamples=10, seed=0, with_model=True
    )
    names = [table.name for table in of_files.tables]
    assert names[:3] == ["annotators", "systems-en-cs", "pairs-en-cs"]
    assert [table.name for table in of_files.long] == ["segment-scores-en-cs", "scales-en-cs"]


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


def test_intervals_sample_the_chosen_unit_of_the_source(tmp_path: Path) -> None:
    """69 translations of 23 lines, each judged by three annotators."""
    project = prepared(tmp_path, sentences=23)
    Project.objects.update(judges_per_sentence=3)
    project.refresh_from_db()
    for name in ("jana", "petr", "eva"):
        assess_all(make_annotator(project, name), project)
    blocks = ReportOptions(resamples=100, unit="block", block_size=2)
    documents = ReportOptions(resamples=100, unit="document")
    with pytest.raises(InputError, match="23 of 23"):
        make_report(project, documents)
    for line in range(1, 24):
        lines = Q(number=line) | Q(source_line=line)
        Sentence.objects.filter(lines, project=project).update(document=f"d{line % 12}")

    every = [
        make_report(project, options).data
        for options in (blocks, documents, ReportOptions(resamples=100))
    ]

    assert [report.judged.units for report in every] == [12, 12, None]
    by_block, by_document, by_line = (report.assessments for report in every)
    assert by_block
    assert by_document
    assert by_line
    assert "resamples of blocks of 2 neighbouring sentences|" in by_block.signature
    assert "resamples of documents|" in by_document.signature
    first, other = by_block.systems[0].z, by_line.systems[0].z
    assert first.low is not None
    assert first.wide_low is not None
    assert (first.low, first.wide_low) != (other.low, other.wide_low)
    # Tests are of the unit, too.
    assert by_block.p != by_line.p
    # The lines are too few for blocks of ten.
    part = make_report(project, ReportOptions(resamples=100, unit="block")).data.assessments
    assert part
    assert {row.z.no_interval for row in part.systems} == {
        "the figure comes from fewer than 10 blocks"
    }


@pytest.mark.django_db(transaction=True)
def test_a_report_has_scores_and_judgements_of_one_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = prepared(tmp_path)
    jana = make_annotator(project)
    for _item in range(6):
        assess(jana, project)

    def assess_another() -> None:
        assess(jana, project)
        connection.close()

    def meanwhile(of_project: Project) -> ControlTable:
        with ThreadPoolExecutor() as threads:
            threads.submit(assess_another).result()
        return load_controls(of_project)

    monkeypatch.setattr("evaluation.services.report_kinds.load_controls", meanwhile)
    report = make_report(project, ReportOptions(resamples=100)).data

    assert report.judged.judgements == 6
    assert report.assessments
    assert report.assessments.asked["outputs"] == 6
    assert len(load_assessments(project).items) == 7


def test_a_turn_without_every_score_has_no_time(tmp_path: Path) -> None:
    project = prepared(tmp_path, sentences=23, batches=True)
    Project.objects.update(judges_per_sentence=3)
    project.refresh_from_db()
    names = ("jana", "petr", "eva", "ivan")
    jana, petr, eva, ivan = (make_annotator(project, name) for name in names)
    opened = assign_next(jana, project)
    skip(annotator=jana, project=project, assignment_id=opened.pk, reason="other")
    assess(petr, project)
    passed = timedelta(minutes=2 * project.lease_minutes)
    Assignment.objects.filter(annotator=petr).update(
        created=F("created") - passed, submitted=F("submitted") - passed
    )
    BatchTurn.objects.filter(annotator=petr).update(created=F("created") - passed)
    assess_all(eva, project)
    assess_all(ivan, project)
    assess_all(jana, project)

    items = load_assessments(project).items
    known = {
        name.split()[0]: not bool(np.isnan(seconds))
        for name, seconds in zip(items.batch_names, items.batch_seconds, strict=True)
    }

    states = dict(BatchTurn.objects.values_list("annotator__username", "state"))
    assert states == {"jana": "finished", "petr": "released", "eva": "finished", "ivan": "finished"}
    # Jana skipped a sentence, and one of the others went on where Petr stopped.
    assert known["jana"] is known["petr"] is False
    assert sorted([known["eva"], known["ivan"]]) == [False, True]


def test_an_annotator_with_equal_scores_is_named(tmp_path: Path) -> None:
    project = prepared(tmp_path)
    assess(make_annotator(project), project)
    part = make_report(project, ReportOptions(resamples=100)).data.assessments
    assert part
    assert part.systems == ()
    assert part.dropped == ["jana"]


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
