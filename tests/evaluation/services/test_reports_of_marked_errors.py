"""Reports of projects whose annotators mark errors and give scores."""

import uuid
from dataclasses import replace

import pytest

from annotation.judging.sheet import cards_of
from annotation.judging.submission import submit
from annotation.kinds import KINDS
from annotation.models import Candidate, Project
from evaluation.findings.marked_errors import MarkedErrorsFound
from evaluation.findings.options import ReportOptions
from evaluation.findings.ranking import SCORES
from evaluation.findings.report import table, tables
from evaluation.rendering.text import Text
from evaluation.services.report_kinds import make_report
from tests.evaluation.projects import submit as submit_ranks
from tests.factories import assign_next, make_annotator, make_project

pytestmark = pytest.mark.django_db

ESA = KINDS["error_spans"]
FEW = ReportOptions(resamples=100)
SENTENCES = 12
GOOD, BAD = "Starý dům stojí u řeky", "Dům u řeky"


@pytest.fixture
def project() -> Project:
    """System A gets 90 and 80, with one minor error; B gets 40, 4 characters, and an omission.

    The second annotator marks only half of A's error, as a major one.
    """
    project = make_project(
        kind=ESA.name,
        sentences=SENTENCES,
        segments={"0 1 2 3 4 5 6": [GOOD, BAD]},
        judges_per_sentence=2,
    )
    for name, of_good, mark in (("jana", 90, "0-10 minor"), ("petr", 80, "0-5 major")):
        annotator = make_annotator(project, name)
        for _ in range(SENTENCES):
            assignment = assign_next(annotator, project)
            good = {
                key: Candidate.objects.get(pk=card.candidate_ids[0]).text == GOOD
                for key, card in cards_of(assignment.pk).items()
            }
            submit(
                annotator=annotator,
                project=project,
                assignment_id=assignment.pk,
                token=str(uuid.uuid4()),
                choices={
                    key: ESA.answer.rank_of(of_good if it else 40) for key, it in good.items()
                },
                details={
                    key: mark if it else "0-4 minor, missing major" for key, it in good.items()
                },
            )
    return project


def marked_errors_of(project: Project, options: ReportOptions = FEW) -> MarkedErrorsFound:
    found = make_report(project, options).data.marked_errors
    assert found is not None
    return found


def test_systems_have_scores_and_errors_and_annotators_agreement(project: Project):
    part = marked_errors_of(project)

    a, b = part.by_system.systems
    assert (a.system, a.score.value, a.segments, a.judgements) == ("A", 85, 12, 24)
    assert (a.minor, a.major, a.omissions) == (0.5, 0.5, 0)
    assert (a.error_free.value, b.error_free.value) == (0, 0)
    assert (b.system, b.score.value, b.minor, b.major, b.omissions) == ("B", 40, 1, 0, 1)
    # Twelve equal differences: p is far below 0.05.
    assert [(row.best_rank, row.worst_rank, row.cluster) for row in (a, b)] == [
        (1, 1, 1),
        (2, 2, 2),
    ]
    # Of A 5 characters in common of 10 and 5, of B 4 of 4 and 4.
    assert part.marks
    marks = part.marks.inter
    assert marks.pairs == 2 * SENTENCES
    assert marks.f1.value == pytest.approx((2 * 5 + 2 * 4) / (15 + 8), abs=1e-6)
    assert marks.severity_f1.value == pytest.approx(2 * 4 / (15 + 8), abs=1e-6)
    assert marks.omissions == (SENTENCES, 0, SENTENCES)
    assert part.marks.intra.f1.undefined
    assert part.scores.inter.difference.value == pytest.approx(5)
    assert part.scores.alpha.value is not None


def test_intervals_sample_the_chosen_unit_and_say_what_there_is_none_for(project: Project):
    blocks = marked_errors_of(project, ReportOptions(resamples=100, unit="block"))
    sentences = marked_errors_of(project)

    assert blocks.marks
    for signature in (
        blocks.by_system.signature,
        blocks.scores.signature,
        blocks.marks.signature,
    ):
        assert "resamples of blocks of 10 neighbouring sentences|" in signature
    assert {row.score.no_interval for row in blocks.by_system.systems} == {
        "the figure comes from fewer than 10 blocks"
    }
    assert {row.score.no_wide_interval for row in sentences.by_system.systems} == {
        "fewer than 3 annotators"
    }


def test_the_curve_and_the_rankings_without_annotators_are_by_mean_score(project: Project):
    report = make_report(project, FEW).data

    assert report.learning_curve.method == "mean_score"
    assert [row.width for row in report.learning_curve.needed] == [5, 3, 2]
    without = report.annotator_effects.without
    # Jana gave A 90, and Petr 80.
    assert [(row.annotator, row.system, row.change) for row in without] == [
        ("jana", "A", -5),
        ("petr", "A", 5),
    ]
    table_of_them = table(report, "without-annotators")
    assert table_of_them
    note = table_of_them.notes[0]
    assert isinstance(note, Text)
    assert note.values == {"score": SCORES["mean_score"]}


def test_filters_leave_marks_out(project: Project):
    project.assignments.filter(annotator__username="petr").update(
        state="discarded", discarded_with_annotator=True
    )
    a, _b = marked_errors_of(project).by_system.systems
    assert (a.score.value, a.judgements, a.minor, a.major) == (90, 12, 1, 0)


def test_tables(project: Project):
    report = make_report(project, FEW).data
    assert {"marked-errors", "agreement-on-marked-errors"} <= {one.name for one in tables(report)}
    systems = table(report, "marked-errors")
    assert systems
    assert systems.rows[0][:2] == ("A", 85)
    assert systems.rules == {1}


def test_nothing_judged_and_other_kinds():
    assert marked_errors_of(make_project("empty", kind=ESA.name)).by_system.systems == ()
    other = make_report(make_project(), FEW).data
    assert other.marked_errors is None
    assert table(other, "marked-errors") is None


def test_translations_without_marks_are_error_free_from_a_score():
    project = make_project(
        kind=ESA.name, sentences=SENTENCES, segments={"0 1 2 3 4 5 6": [GOOD, BAD]}
    )
    annotator = make_annotator(project)
    for number in range(1, SENTENCES + 1):
        # From 85 to 96, and 84 for the bad ones.
        submit_ranks(
            project,
            annotator,
            number,
            {"0 1 2 3 4 5 6": [ESA.answer.rank_of(84 + number), ESA.answer.rank_of(84)]},
            steps=ESA.answer.worst,
        )

    shares = {}
    for least in (85, 91):
        report = make_report(project, replace(FEW, error_free_from=least)).data
        shown = table(report, "marked-errors")
        assert shown is not None
        (cell,) = shown.only("system", "error_free").rows[0][1:]
        shares[least] = cell
    assert shares[85][0] == 1
    value, low, high = shares[91]
    assert value == 0.5
    assert low < 0.5 < high
    assert report.marked_errors
    assert f"error-free from {least}" in report.marked_errors.by_system.signature
