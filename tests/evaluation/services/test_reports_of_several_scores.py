"""Reports of projects with several scales: each has its own systems and agreement."""

import uuid

import pytest

from annotation.judging.sheet import cards_of
from annotation.judging.submission import submit
from annotation.kinds import kind_of
from annotation.models import Candidate, Project
from evaluation.findings.options import ReportOptions
from evaluation.findings.report import tables
from evaluation.findings.scales import ScalesFound
from evaluation.services.human_scores import human_scores
from evaluation.services.loading import load
from evaluation.services.own_ranking import own_ranking
from evaluation.services.report_kinds import make_report
from tests.factories import assign_next, make_annotator, make_project

pytestmark = pytest.mark.django_db

FEW = ReportOptions(resamples=100)
SENTENCES = 12
GOOD, BAD = "Starý dům stojí u řeky", "Dům u řeky"
# By annotator: fluency of both is the same, adequacy is not; petr gives 10 less of 100.
SCORES = {
    "jana": {GOOD: (4, 90), BAD: (4, 40)},
    "petr": {GOOD: (4, 80), BAD: (4, 30)},
}


@pytest.fixture
def project() -> Project:
    project = make_project(
        kind="scores",
        sentences=SENTENCES,
        segments={"0 1 2 3 4 5 6": [GOOD, BAD]},
        judges_per_sentence=2,
        answer_options="Fluency 0-5\nAdequacy 0-100 step 10",
    )
    answer = kind_of(project).answer
    for name, scores in SCORES.items():
        annotator = make_annotator(project, name)
        for _ in range(SENTENCES):
            assignment = assign_next(annotator, project)
            given = {
                key: scores[Candidate.objects.get(pk=card.candidate_ids[0]).text]
                for key, card in cards_of(assignment.pk).items()
            }
            submit(
                annotator=annotator,
                project=project,
                assignment_id=assignment.pk,
                token=str(uuid.uuid4()),
                choices={key: answer.rank_of(fluency) for key, (fluency, _a) in given.items()},
                details={key: f"Adequacy {adequacy}" for key, (_f, adequacy) in given.items()},
            )
    return project


def scales_of(project: Project) -> ScalesFound:
    found = make_report(project, FEW).data.scales
    assert found is not None
    return found


def test_each_scale_has_its_own_systems(project: Project) -> None:
    fluency, adequacy = scales_of(project).scales
    assert [(row.system, row.score.value) for row in fluency.systems] == [("A", 4), ("B", 4)]
    assert [row.cluster for row in fluency.systems] == [1, 1]
    assert [(row.system, row.score.value) for row in adequacy.systems] == [("A", 85), ("B", 35)]
    assert [row.cluster for row in adequacy.systems] == [1, 2]
    # Means of ±25 from each annotator's own mean, whose standard deviation (n - 1) is 25.54.
    assert adequacy.systems[0].z.value == pytest.approx(25 / (25 * (24 / 23) ** 0.5))
    assert fluency.systems[0].z.value is None
    assert all(row.segments == 12 and row.judgements == 24 for row in adequacy.systems)


def test_agreement_is_by_scale(project: Project) -> None:
    fluency, adequacy = scales_of(project).scales
    assert fluency.agreement.inter.difference.value == 0
    assert adequacy.agreement.inter.difference.value == pytest.approx(10)
    # 24 pairs of (x, x - 10), x being 90 or 40, in both orders.
    assert adequacy.agreement.inter.correlation.value == pytest.approx((625 - 25) / (625 + 25))


def test_a_scale_without_differences_correlates_with_none(project: Project) -> None:
    [row] = scales_of(project).correlations
    assert (row.scale, row.other, row.scores) == ("Fluency", "Adequacy", 48)
    assert row.correlation.value is None
    assert row.correlation.undefined


def test_tables_are_of_one_scale_each(project: Project) -> None:
    names = [each.name for each in tables(make_report(project, FEW).data)]
    assert [name for name in names if "scale" in name] == [
        "scale-1",
        "agreement-on-scale-1",
        "scale-2",
        "agreement-on-scale-2",
        "correlation-of-scales",
    ]


def test_the_project_is_ranked_by_its_first_scale(project: Project) -> None:
    found = own_ranking(project, FEW)
    assert found is not None
    assert "Fluency" in found.mean
    assert [(row.system, row.rank) for row in found.systems] == [("A", 1), ("B", 1)]


def test_files_have_scores_of_each_scale(project: Project) -> None:
    found = {one.name: one.of_systems.tolist() for one in human_scores(project, load(project))}
    assert found["segranks-scores-Fluency"][:2] == [4, 4]
    assert found["segranks-scores-Adequacy"][:2] == [85, 35]
