"""Segments with one candidate, which are not shown, and sentences that have no others."""

import pytest
from django.utils import timezone

from annotation.import_export.judgements_import import import_judgements
from annotation.models import Assignment, Candidate, Project, Segment
from annotation.projects.undecided_systems import set_undecided
from annotation.selectors.project_progress import progress_of
from tests.annotation.import_export.exchange_files import JUDGEMENT, write_lines
from tests.annotation.judging.judged_next import submit_all
from tests.factories import make_annotator, make_project, next_assignment

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.fixture
def project(tmp_path) -> Project:
    """Two sentences with one candidate, judged elsewhere, and one with two candidates."""
    project = make_project(sentences=3, segments={"0 1": ["a"]}, inter_rate=1.0)
    Candidate.objects.create(segment=Segment.objects.get(sentence__number=3), text="b")
    judged = [
        JUDGEMENT
        | {"sentence": number, "segment": "the old", "indices": [0, 1], "ranks": {"a": 1}}
        | {"created": f"2014-05-20 07:00:0{number}+00", "annotator": "petr"}
        for number in (1, 2)
    ]
    import_judgements(project=project, path=write_lines(tmp_path / "judgements", judged))
    project.refresh_from_db()
    return project


def test_a_sentence_without_candidates_to_compare_is_not_repeated(project: Project) -> None:
    assigned = next_assignment(annotator=make_annotator(project), project=project)
    assert assigned
    assert (assigned.kind, assigned.sentence.number) == (Assignment.Kind.FIRST, 3)


def test_its_judgements_do_not_count_as_progress(project: Project) -> None:
    now = timezone.now()
    progress = progress_of(project, now=now, midnight=now)
    assert (progress.wanted, progress.submitted, progress.left) == (1, 0, 1)


def test_a_begun_sentence_can_be_submitted_after_a_decision_hides_it() -> None:
    project = make_project(sentences=1, segments={"4 5 6": ("u řeky", "blízko řeky")})
    next_assignment(annotator=make_annotator(project), project=project)
    Assignment.objects.update(
        state="returned", lease_until=None, draft_version=1, draft_saved=timezone.now()
    )
    set_undecided(project=project, names=["A", "C"], by="Jana")
    submit_all(Assignment.objects.get())
    assert Assignment.objects.get().state == Assignment.State.SUBMITTED
