"""Projects in which whole sentences are ranked, from files to the report."""

from pathlib import Path

import pytest

from annotation.judging.assignment import create_assignment
from annotation.judging.control_items import make_controls
from annotation.judging.practice import answer_sheet, sentence_to_serve
from annotation.judging.sheet import sheet
from annotation.models import Assignment, Candidate, Job, Project, Segment, User
from annotation.pipeline.jobs import Outcome
from annotation.pipeline.system_candidates import project_new_system
from annotation.projects.creation import create_project
from annotation.projects.options import PrepareOptions, Texts
from annotation.projects.provenance import MergeCounts
from evaluation.findings.options import ReportOptions
from evaluation.services.findings import ranking_now, statistics_of
from evaluation.services.report_kinds import make_report
from tests.annotation.judging.judged_next import judge, submit_all
from tests.annotation.pipeline.system_files import store
from tests.factories import make_annotator
from tests.jobs import run_job

pytestmark = pytest.mark.django_db

SYSTEMS = "abcdefgh"
SENTENCES = 4
ASSIGNED = Assignment.Kind


def new_job(folder: Path, **texts: list[str]) -> Job:
    """Create a project of sentences whose translations begin with the name of their system."""
    lines = {name: [f"{name} {line} ." for line in range(SENTENCES)] for name in SYSTEMS}
    lines |= {"source": [f"sentence {line} ." for line in range(SENTENCES)]} | texts
    for name, of_file in lines.items():
        (folder / name).write_text("".join(f"{line}\n" for line in of_file))
    return create_project(
        name="News",
        kind="sentence_ranking",
        languages="en-cs",
        texts=Texts(source=folder / "source", systems={name: folder / name for name in SYSTEMS}),
        intra_rate=0,
        inter_rate=0,
        options=PrepareOptions(open_at_once=True),
    )


def prepared(folder: Path, **texts: list[str]) -> Project:
    job = new_job(folder, **texts)
    assert run_job(job.pk) is Outcome.DONE
    project = Project.objects.get(pk=job.project_id)
    assert project.state == "open"
    return project


def shown_by(assignment: Assignment) -> set[str]:
    return {card.text for segment in sheet(assignment).segments for card in segment.cards}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return prepared(tmp_path)


@pytest.fixture
def jana(project: Project) -> User:
    return make_annotator(project)


def test_a_sentence_is_one_segment_and_identical_translations_are_merged(tmp_path: Path) -> None:
    source = ["we saw it .", "", "yes .", "no ."]
    same = ["same .", "", "", ""]
    project = prepared(tmp_path, source=source, a=same, b=same)
    segments = Segment.objects.filter(sentence__project=project).order_by("pk")
    assert list(segments.values_list("token_indices", flat=True)) == ["0 1 2 3", "0 1", "0 1"]
    merged = Candidate.objects.get(segment=segments[0], text="same .")
    assert sorted(merged.projections.values_list("system__name", flat=True)) == ["a", "b"]
    missing = segments[1].projections.filter(candidate=None)
    assert sorted(missing.values_list("system__name", flat=True)) == ["a", "b"]


def texts_of_first(project: Project) -> list[str]:
    rows = Candidate.objects.filter(segment__sentence__project=project, segment__sentence__number=1)
    return list(rows.order_by("pk").values_list("text", flat=True))


def test_translations_of_any_length_and_sentences_of_many_words_are_whole(tmp_path: Path) -> None:
    more, long = ["x ."] * 3, "ž" * 9000
    texts = {"source": ["a " * 1500, *more], "a": [long, *more], "b": [f"{long}.", *more]}
    assert texts_of_first(prepared(tmp_path, **texts))[:2] == [long, f"{long}."]


def test_translations_that_differ_in_white_space_or_composition_are_not_merged(
    tmp_path: Path,
) -> None:
    texts = ["50 % víc", "50\u00a0% víc", "50 % vi\u0301c", "50% víc "]
    outputs = {name: [text, *["x ."] * 3] for name, text in zip("abcd", texts, strict=True)}
    assert texts_of_first(prepared(tmp_path, **outputs))[:4] == texts


def test_a_sheet_has_a_sample_of_five_translations_and_a_repeat_the_same(
    project: Project, jana: User
) -> None:
    sentence = project.sentences.get(number=1)
    first = create_assignment(jana, project, ASSIGNED.FIRST, sentence)
    assert len(shown_by(first)) == 5
    submit_all(first)
    petr = make_annotator(project, "petr")
    for annotator, kind in ((jana, ASSIGNED.INTRA), (petr, ASSIGNED.INTER)):
        repeat = create_assignment(annotator, project, kind, sentence)
        assert shown_by(repeat) == shown_by(first)
        submit_all(repeat)
    others = [
        create_assignment(make_annotator(project, f"judge{n}"), project, ASSIGNED.FIRST, sentence)
        for n in range(9)
    ]
    assert len({frozenset(shown_by(one)) for one in others}) > 1


def test_practice_and_control_sentences_show_all_translations(project: Project, jana: User) -> None:
    (segment,) = answer_sheet(sentence_to_serve(project, 1), project).segments
    assert len(segment.cards) == len(SYSTEMS)
    (control,) = make_controls(project=project, count=1, seed=1)
    shown = shown_by(create_assignment(jana, project, ASSIGNED.CONTROL, control))
    assert len(shown) == len(SYSTEMS) + 1


def test_an_added_system_has_whole_translations(project: Project, tmp_path: Path) -> None:
    lines = ["a 0 .", "", "new one .", "new two ."]
    (tmp_path / "new").write_text("".join(f"{line}\n" for line in lines))
    counts = project_new_system(system=store(project, "new", tmp_path / "new"))
    assert counts == MergeCounts(known=1, new=2, missing=1)
    texts = Candidate.objects.filter(projections__system__name="new").values_list("text", flat=True)
    assert sorted(texts) == ["a 0 .", "new one .", "new two ."]


def test_statistics_and_the_report_are_computed_of_what_was_shown(
    project: Project, jana: User
) -> None:
    project.judges_per_sentence = 2
    project.save()
    for annotator in (jana, make_annotator(project, "petr")):
        while judge(annotator, project):
            pass
    statistics = statistics_of(project)
    assert statistics.judgements == 2 * SENTENCES
    # Both rank by the alphabet; they share at least two of five among eight.
    assert statistics.agreement.inter.observed == 1
    compared = sum(
        row.wins for row in ranking_now(project, "ratio_of_wins", ReportOptions()).systems
    )
    assert compared == 2 * SENTENCES * 10
    report = make_report(project, ReportOptions(resamples=100)).data
    assert report.judged.segments_judged == SENTENCES
    assert report.project.prepared == ("sentence ranking",)
