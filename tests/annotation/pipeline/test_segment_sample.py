"""A random sample of a project's segments."""

import pytest
from django.utils import timezone

from annotation.formats.errors import InputError
from annotation.import_export.archive_import import import_project
from annotation.import_export.export_formats import export_project
from annotation.judging.control_items import make_controls
from annotation.models import Assignment, Control, Judgement, Project, Segment, Sentence
from annotation.pipeline.segment_sample import sample_of, sample_project
from tests.annotation.judging.judged_next import judge
from tests.factories import make_annotator, make_project, next_assignment

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

TWO_AND_ONE = {"0 1": ["starý dům", "dům"], "2 3": ["při řece"], "4 5": ["stál", "stojí"]}


def shown_to(annotator, project: Project) -> set[tuple[int, str]]:
    while judge(annotator, project):
        pass
    judged = Segment.objects.filter(judgements__submission__assignment__annotator=annotator)
    return set(judged.values_list("sentence__number", "token_indices"))


def test_annotators_see_sampled_segments_with_two_candidates_only() -> None:
    project = make_project(sentences=10, segments=TWO_AND_ONE)
    assert sample_project(project=project, count=5, seed=3) == 5
    jana = make_annotator(project, "jana")
    shown = shown_to(jana, project)
    assert len(shown) == 5
    assert {indices for _number, indices in shown} <= {"0 1", "4 5"}
    project.refresh_from_db()
    sample = sample_of(project)
    assert sample
    assert (sample.segments, sample.of, sample.seed) == (5, 20, 3)
    assert Segment.objects.filter(sampled=True).count() == sample.taken >= 5


def test_more_segments_are_added_to_the_sample_and_assigned() -> None:
    project = make_project(sentences=6, segments=TWO_AND_ONE)
    sample_project(project=project, count=4)
    jana = make_annotator(project, "jana")
    first = shown_to(jana, project)
    assert sample_project(project=project, count=3) == 3
    assert len(shown_to(jana, project) - first) == 3
    assert sample_project(project=project, count=100) == 5
    assert len(shown_to(jana, project)) == 12


def test_segments_with_one_candidate_do_not_bring_a_sentence_back() -> None:
    single = {str(at): [f"w{at}"] for at in range(6, 9)}
    project = make_project(sentences=6, segments=TWO_AND_ONE | single)
    sample_project(project=project, count=6)
    jana = make_annotator(project, "jana")
    shown_to(jana, project)
    sample_project(project=project, count=3)
    shown_to(jana, project)
    judged = list(Judgement.objects.values_list("segment", flat=True))
    assert len(judged) == len(set(judged)) == 9


def test_it_refuses_a_sample_where_a_draft_can_be_reopened() -> None:
    project = make_project()
    assigned = next_assignment(annotator=make_annotator(project, "jana"), project=project)
    assert assigned
    Assignment.objects.update(
        state="returned", lease_until=None, draft_version=1, draft_saved=timezone.now()
    )
    with pytest.raises(InputError, match="before the first sentence is assigned"):
        sample_project(project=project, count=1)


def test_control_sentences_show_the_segments_of_their_originals() -> None:
    project = make_project(sentences=9, segments=TWO_AND_ONE, numbered=True)
    make_controls(project=project, count=2, seed=1)
    sample_project(project=project, count=5)
    for control in project.sentences.filter(purpose=Sentence.Purpose.CONTROL):
        shown = set(control.segments.filter(sampled=True).values_list("token_indices", flat=True))
        original = Segment.objects.filter(sentence=control.copy_of, sampled=True)
        tested = Control.objects.get(segment__sentence=control).segment.token_indices
        assert shown == {*original.values_list("token_indices", flat=True), tested}


def test_it_refuses_a_sample_once_a_sentence_is_assigned() -> None:
    project = make_project()
    judge(make_annotator(project, "jana"), project)
    with pytest.raises(InputError, match="before the first sentence is assigned"):
        sample_project(project=project, count=1)
    assert not Segment.objects.filter(sampled=False).exists()


def test_every_segment_is_as_likely_to_be_sampled() -> None:
    sampled = 0
    project = make_project(sentences=4, segments=TWO_AND_ONE)
    first = Segment.objects.filter(token_indices="0 1").earliest("pk")
    for seed in range(200):
        sample_project(project=project, count=2, seed=seed)
        first.refresh_from_db()
        sampled += first.sampled
        Segment.objects.update(sampled=True)
        Project.objects.update(provenance={})
    # Two of eight: 50 expected, with a standard deviation of 6.
    assert 32 <= sampled <= 68


def test_an_archive_keeps_the_sample(tmp_path) -> None:
    project = make_project(segments=TWO_AND_ONE)
    sample_project(project=project, count=2)
    export_project(project=project, format_name="archive", to=tmp_path / "a")
    restored = import_project(path=tmp_path / "a", name="restored")

    def flags(of: Project) -> list[bool]:
        rows = Segment.objects.filter(sentence__project=of).order_by("sentence__number", "pk")
        return list(rows.values_list("sampled", flat=True))

    assert flags(restored) == flags(Project.objects.get(pk=project.pk))
    assert sample_of(restored) == sample_of(Project.objects.get(pk=project.pk))
