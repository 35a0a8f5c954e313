"""Reports of projects whose annotators mark errors with categories, and give no score."""

import json
import uuid
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.formats.error_points import EXPERTS
from annotation.formats.mqm_lines import read_mqm
from annotation.judging.sheet import cards_of
from annotation.judging.submission import submit
from annotation.models import Candidate, Project
from evaluation.findings.error_points import ErrorPointsFound, MarkedCategory
from evaluation.findings.headline import mean_leader
from evaluation.findings.options import ReportOptions
from evaluation.findings.report import Report, table, tables
from evaluation.findings.serialisation import to_json
from evaluation.formats.mqm import score_ratings
from evaluation.services.own_ranking import own_ranking
from evaluation.services.report_kinds import make_report
from tests.factories import assign_next, make_annotator, make_project

FEW = ReportOptions(resamples=100)
GOOD, BAD = "Starý dům stojí u řeky", "Dům u řeky"
SENTENCES = 12


@pytest.fixture
def project() -> Project:
    """System A gets 1 and 0.1 points of two annotators, B 6 and 25 (1 of them in the source)."""
    marks = {
        ("jana", GOOD): "0-5 minor Style/Awkward",
        ("petr", GOOD): "0-10 minor Fluency/Punctuation",
        (
            "jana",
            BAD,
        ): "0-3 major Accuracy/Omission, 2-5 neutral Other, source 0-2 minor Source error",
        ("petr", BAD): "whole major Non-translation!",
    }
    project = make_project(
        kind="mqm",
        sentences=SENTENCES,
        segments={"0 1 2 3 4 5 6": [GOOD, BAD]},
        judges_per_sentence=2,
    )
    for name in ("jana", "petr"):
        annotator = make_annotator(project, name)
        for _ in range(SENTENCES):
            assignment = assign_next(annotator, project)
            texts = {
                key: Candidate.objects.get(pk=card.candidate_ids[0]).text
                for key, card in cards_of(assignment.pk).items()
            }
            submit(
                annotator=annotator,
                project=project,
                assignment_id=assignment.pk,
                token=str(uuid.uuid4()),
                choices={},
                details={key: marks[name, text] for key, text in texts.items()},
            )
    return project


def report_of(project: Project) -> tuple[Report, ErrorPointsFound]:
    report = make_report(project, FEW).data
    assert report.error_points is not None
    return report, report.error_points


@pytest.mark.django_db
def test_systems_have_points_by_both_weightings_and_by_category(project: Project) -> None:
    report, found = report_of(project)
    assert report.marked_errors is None
    a, b = found.by_system.systems
    assert (a.system, a.score.value, a.segments, a.judgements) == ("A", 0.55, 12, 24)
    assert (b.system, b.score.value, b.errors) == ("B", 15.5, 2)
    assert [(row.best_rank, row.worst_rank) for row in (a, b)] == [(1, 1), (2, 2)]
    [wmt24] = found.others
    assert [each.value for each in wmt24.points] == [0.55, 15]
    assert found.groups[:2] == ("Non-translation!", "Accuracy")
    assert {*found.groups[2:]} == {"Style", "Source error", "Fluency", "Other"}
    for row, system in zip(found.by_group, (a, b), strict=True):
        assert sum(row.points) == pytest.approx(system.score.value)
    assert found.categories[0] == MarkedCategory("Non-translation!", "major", SENTENCES, 300)
    assert {row.name for row in tables(report)} >= {
        "error-points",
        "error-points-by-category",
        "marked-categories",
        "agreement-on-error-points",
    }
    # What is stored has no infinity, which databases refuse.
    json.dumps(to_json(report), allow_nan=False)
    assert report.has_curve
    lead = mean_leader(report)
    assert lead is not None
    assert (lead.system, lead.wins) == ("A", 1)
    ranking = own_ranking(project, FEW)
    assert ranking is not None
    means = {row.system: row.score.value for row in ranking.systems[:2]}
    assert means == pytest.approx({"A": -0.55, "B": -15.5})


@pytest.mark.django_db
def test_agreement_is_of_characters_and_points(project: Project) -> None:
    _report, found = report_of(project)
    marks = found.marks.inter
    # Of A 5 characters in common of 5 and 10; of B none of 5 and none.
    assert marks.f1.value == pytest.approx(2 * 5 / (15 + 5), abs=1e-6)
    assert found.points.inter.difference.value == pytest.approx((0.9 + 19) / 2)


@pytest.mark.shared
@pytest.mark.django_db
def test_published_points_are_found(shared: Path) -> None:
    """Those of WMT21's TED talks, as `score_error_spans` finds them in the file."""
    file = shared / "data" / "mqm" / "mqm_ted_ende.tsv"
    call_command("create_project_from_mqm", str(file), "ted", languages="en-de", stdout=StringIO())
    report, found = report_of(Project.objects.get(name="ted"))
    points = {row.system: row.score.value or 0.0 for row in found.by_system.systems}
    scored = score_ratings(read_mqm(file), EXPERTS)
    of_file = dict(zip(scored.systems, scored.system_points.tolist(), strict=True))
    assert points == pytest.approx(of_file, abs=1e-6)
    assert (round(points["Facebook-AI"], 3), round(points["Nemo"], 3)) == (1.056, 2.141)
    assert table(report, "error-points")
