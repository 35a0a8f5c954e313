"""Means with the help of metrics in the report, where they are asked for."""

import uuid
from pathlib import Path

import pytest

from annotation.judging.sheet import cards_of
from annotation.judging.submission import submit
from annotation.kinds import KINDS
from annotation.models import Candidate, Project, Translation
from evaluation.findings.options import ReportOptions
from evaluation.reuse.powered_means import PoweredMeans
from evaluation.services.report_kinds import make_report
from evaluation.services.score_file_changes import add_score_files
from tests.annotation.kinds.assessed_project import assess, prepared
from tests.factories import assign_next, make_annotator, make_project, places

pytestmark = pytest.mark.django_db

OPTIONS = ReportOptions(resamples=100, predictions=True)
SENTENCES, JUDGED = 24, 14
GOOD, BAD = "Starý dům stojí u řeky", "Dům u řeky"


@pytest.fixture
def project() -> Project:
    """Two systems, with a reference; one annotator scored some of the sentences."""
    project = make_project(
        kind="error_spans", sentences=SENTENCES, segments={"0 1 2 3 4 5 6": [GOOD, BAD]}
    )
    systems = {system.name: system for system in project.systems.all()}
    Translation.objects.bulk_create(
        Translation(sentence=sentence, system=systems[name], text=text, tokens=places(text))
        for sentence in project.sentences.all()
        for name, text in (("A", GOOD), ("B", BAD))
    )
    annotator, answer = make_annotator(project), KINDS["error_spans"].answer
    for place in range(JUDGED):
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
                key: answer.rank_of((90 if it else 40) + (place * 5 + it) % 7)
                for key, it in good.items()
            },
            details={},
        )
    return project


def means_of(project: Project) -> PoweredMeans:
    found = make_report(project, OPTIONS).data.powered_means
    assert found is not None
    return found


def test_they_stand_beside_the_plain_ones_and_name_their_metrics(project: Project) -> None:
    plain = make_report(project, ReportOptions(resamples=100)).data
    assert plain.powered_means is None

    found = means_of(project)

    assert (found.judged, found.translations) == (2 * JUDGED, 2 * SENTENCES)
    assert (found.undefined, found.lower_is_better) == ("", False)
    assert [row.system for row in found.systems] == ["A", "B"]
    assert plain.marked_errors is not None
    assert {row.system: row.plain.value for row in found.systems} == pytest.approx(
        {row.system: row.score.value for row in plain.marked_errors.by_system.systems}
    )
    assert found.explained[-1].metrics == ("chrF", "sentBLEU (tok:moses-cs)")
    assert found.left_out == ()


def test_standardised_scores_have_them_too(tmp_path: Path) -> None:
    project = prepared(tmp_path, sentences=20)
    annotator = make_annotator(project)
    for _translation in range(40):
        assess(annotator, project)

    found = means_of(project)

    assert found.translations == 80
    assert len(found.systems) > 1
    assert "mean standardised score" in found.signature


def test_a_file_without_the_scores_of_some_texts_is_left_out(project: Project) -> None:
    rows = [
        ("COMET", "en-cs", "news", system, str(number), str(number / 10))
        for system in ("A", "B")
        for number in range(1, SENTENCES + 1)
    ]
    few = [("BLEURT", *rest) for _metric, *rest in rows[1:]]
    files = [
        (f"{name}.seg.score", "".join("\t".join(row) + "\n" for row in of).encode())
        for name, of in (("COMET", rows), ("BLEURT", few))
    ]
    add_score_files(project=project, files=files)

    found = means_of(project)

    assert "COMET" in found.explained[-1].metrics
    assert found.left_out == ("BLEURT",)


def test_few_judged_texts_are_too_few() -> None:
    project = make_project(kind="error_spans", sentences=4, segments={"0 1 2": [GOOD, BAD]})

    assert means_of(project).undefined
