"""Candidates of systems that are added to a project while people judge it."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.formats.errors import InputError
from annotation.judging.assignment import release
from annotation.judging.drafts import save_draft
from annotation.judging.sheet import sheet
from annotation.models import (
    Assignment,
    Candidate,
    Project,
    Projection,
    Segment,
    Sentence,
    System,
    Translation,
    User,
)
from annotation.pipeline.jobs import queue_system
from annotation.pipeline.reassignment import sample_segments
from annotation.pipeline.system_candidates import project_new_system
from annotation.projects.added_systems import entry_of
from annotation.projects.provenance import MergeCounts
from annotation.selectors.annotator_progress import statuses_of
from evaluation.services.loading import load
from evaluation.stats.wins import count_wins
from tests.annotation.judging.judged_next import judge, submit_all
from tests.annotation.pipeline.system_files import files, store
from tests.factories import assign_next, make_annotator, make_project, next_assignment

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.fixture
def project() -> Project:
    return make_project(sentences=3, queue_order="document")


@pytest.fixture
def jana(project: Project) -> User:
    return make_annotator(project)


@pytest.fixture
def petr(project: Project) -> User:
    return make_annotator(project, "petr")


def add(project: Project, folder: Path, *lines: str, name: str = "D") -> MergeCounts:
    text, links = files(folder, *lines)
    system = store(project, name, text, links)
    return project_new_system(system=system)


def test_a_known_candidate_takes_over_existing_judgements(
    project: Project, jana: User, tmp_path: Path
) -> None:
    while judge(jana, project):
        pass
    counts = add(project, tmp_path, *["starý dům blízko řeky"] * 3)
    assert counts == MergeCounts(known=6)
    assert judge(jana, project) is None
    judgements = load(project)
    a, d = (judgements.system_names.index(name) for name in "AD")
    wins = count_wins(judgements).total().wins[0]
    # In "u řeky" against "blízko řeky" it is better than A, in "starý dům" equal.
    assert (wins[d, a], wins[a, d]) == (3, 0)


def test_a_segment_with_a_new_candidate_is_assigned_again_with_all_candidates(
    project: Project, jana: User, tmp_path: Path
) -> None:
    while judge(jana, project):
        pass
    counts = add(
        project, tmp_path, "starý dům u řeky", "starobylý dům u řeky", "starý dům při řece"
    )
    assert counts == MergeCounts(known=4, new=2, reassigned=2)
    second, third = judge(jana, project), judge(jana, project)
    assert second
    assert third
    assert (second[0].sentence.number, third[0].sentence.number) == (2, 3)
    assert second[1] == [{"starobylý dům", "starý dům", "stará dům", "dům"}]
    assert third[1] == [{"při řece", "u řeky", "blízko řeky"}]
    assert {second[0].kind, third[0].kind} == {"first"}
    assert judge(jana, project) is None
    judgements = load(project)
    # Both judgements of the segment hold: the old one of three candidates, the new one of four.
    assert len(judgements) == 3 * 2 + 2


def test_an_unassigned_segment_gets_one_more_candidate(
    project: Project, jana: User, tmp_path: Path
) -> None:
    assert judge(jana, project)
    assert add(project, tmp_path, *["starobylý dům u řeky"] * 3) == MergeCounts(
        known=3, new=3, reassigned=1
    )
    seen = {}
    while judged := judge(jana, project):
        seen[judged[0].sentence.number] = judged[1]
    assert seen[1] == [{"starobylý dům", "starý dům", "stará dům", "dům"}]
    for number in (2, 3):
        assert [len(cards) for cards in seen[number]] == [4, 2]


def test_each_judging_slot_gets_what_is_new_to_it(
    project: Project, jana: User, petr: User, tmp_path: Path
) -> None:
    Project.objects.update(judges_per_sentence=2)
    project.refresh_from_db()
    assert judge(jana, project)  # sentence 1, once of twice
    add(project, tmp_path, "starobylý dům u řeky", "", "")
    shown: dict[str, dict[int, list[int]]] = {"petr": {}, "jana": {}}
    for who in (petr, jana):
        while judged := judge(who, project):
            shown[who.username][judged[0].sentence.number] = [len(cards) for cards in judged[1]]
    # Petr fills the slot that Jana had, in which one segment is new; the other slot was empty.
    assert shown == {
        "petr": {1: [4], 2: [3, 2], 3: [3, 2]},
        "jana": {1: [4, 2], 2: [3, 2], 3: [3, 2]},
    }
    firsts = Assignment.objects.filter(kind="first", sentence__number=1)
    assert sorted(firsts.values_list("slot", "candidate_version")) == [(1, 1), (1, 2), (2, 2)]


def test_an_open_assignment_is_submitted_as_it_was_shown(
    project: Project, jana: User, tmp_path: Path
) -> None:
    open_one = assign_next(jana, project)
    add(project, tmp_path, "starobylý dům u řeky", "", "")
    assert [len(segment.cards) for segment in sheet(open_one).segments] == [3, 2]
    submit_all(open_one)
    again = judge(jana, project)
    assert again
    assert (again[0].sentence, [len(cards) for cards in again[1]]) == (open_one.sentence, [4])


def test_a_draft_continues_and_counts_for_its_version(
    project: Project, jana: User, petr: User, tmp_path: Path
) -> None:
    hers = assign_next(jana, project)
    save_draft(
        annotator=jana,
        project=project,
        assignment_id=hers.pk,
        base=0,
        choices={"1-1": 1},
        active_seconds=1,
    )
    add(project, tmp_path, "starobylý dům u řeky", "", "")
    release(project=project, assignment_id=hers.pk)
    assert next_assignment(annotator=jana, project=project) == hers
    submit_all(hers)
    # Petr judges the sentence as it is now.
    again = judge(petr, project)
    assert again
    assert again[0].candidate_version == 2


def test_two_added_systems_make_one_version(project: Project, jana: User, tmp_path: Path) -> None:
    assert judge(jana, project)
    add(project, tmp_path, "starobylý dům u řeky", "", "")
    add(project, tmp_path, "starý dům při řece", "", "", name="E")
    sentence = Sentence.objects.get(number=1)
    assert sentence.candidate_version == 2
    again = judge(jana, project)
    assert again
    assert sorted(len(cards) for cards in again[1]) == [3, 4]


def test_sentences_to_be_judged_again_stay_judged(
    project: Project, jana: User, tmp_path: Path
) -> None:
    while judge(jana, project):
        pass
    add(project, tmp_path, "starobylý dům u řeky", "", "")
    (progress,) = statuses_of(jana)
    assert (progress.assignments, progress.together.judged, progress.together.current) == (3, 3, 2)
    assert progress.may_have_more


def test_an_empty_line_is_a_missing_candidate(project: Project, tmp_path: Path) -> None:
    assert add(project, tmp_path, "", "starý dům u řeky", "") == MergeCounts(known=2, missing=4)
    assert Projection.objects.filter(system__name="D", candidate=None).count() == 4
    assert Translation.objects.filter(system__name="D").count() == 1


def test_an_interrupted_addition_continues(project: Project, tmp_path: Path) -> None:
    text, links = files(tmp_path, *["starobylý dům u řeky"] * 3)
    system = store(project, "D", text, links)
    project_new_system(system=system)
    last = Segment.objects.filter(sentence__number=3)
    Projection.objects.filter(system=system, segment__in=last).delete()
    Candidate.objects.filter(segment__in=last, text="starobylý dům").delete()
    assert project_new_system(system=system) == MergeCounts(known=1, new=1)
    assert Projection.objects.filter(system=system).count() == 6
    project.refresh_from_db()
    (made,) = project.provenance["added"]
    assert (made["system"], made["aligner"]["name"]) == ("D", "pharaoh")


def test_the_command_refuses_while_a_worker_adds_a_system(project: Project, tmp_path: Path) -> None:
    text, links = files(tmp_path, *["starobylý dům u řeky"] * 3)
    store(project, "D", text, links)
    queue_system(project, "D")
    with pytest.raises(CommandError, match="job in progress"):
        call_command("add_system", str(project.pk), f"E={text}")
    assert not System.objects.filter(name="E").exists()


# --- the command ------------------------------------------------------------------------------


def test_the_command_adds_a_system_and_prints_counts(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, links = files(tmp_path, *["starobylý dům u řeky"] * 3)
    call_command("add_system", str(project.pk), f"D={text}", f"--alignment={links}")
    printed = " ".join(capsys.readouterr().out.split())
    assert "D is a system of project" in printed
    assert "known 3 segments" in printed
    assert "new 3 segments" in printed
    with pytest.raises(CommandError, match="There is a system 'D' already"):
        call_command("add_system", str(project.pk), f"D={text}")
    call_command("add_system", str(project.pk), f"D={text}", "--go-on")
    with pytest.raises(CommandError, match="No system 'E' was added"):
        call_command("add_system", str(project.pk), f"E={text}", "--go-on")


def add_sampled(project: Project, folder: Path, count: int, *lines: str) -> MergeCounts:
    text, links = files(folder, *lines)
    system = store(project, "D", text, links, judge=count)
    return project_new_system(system=system)


def test_only_sampled_segments_are_assigned_again_and_they_come_first(
    tmp_path: Path,
) -> None:
    project = make_project("more", sentences=12, queue_order="document")
    jana = make_annotator(project, "eva")
    for _number in range(10):
        assert judge(jana, project)
    lines = ["starobylý dům při řece"] * 12
    counts = add_sampled(project, tmp_path, 3, *lines)
    project.refresh_from_db()
    # Twenty segments of judged sentences have a new candidate.
    assert counts == MergeCounts(new=24, reassigned=3)
    sampled = entry_of(project, "D").sampled
    assert len(set(sampled)) == 3

    seen: set[tuple[int, str]] = set()
    while len(seen) < 3:
        judged = judge(jana, project)
        assert judged
        ranked = Segment.objects.filter(judgements__submission__assignment=judged[0])
        seen |= set(ranked.values_list("sentence__number", "token_indices"))
    assert seen == set(sampled)
    # Then come the sentences without judgements, without the candidates of the new system.
    for _number in range(2):
        judged = judge(jana, project)
        assert judged
        assert [len(cards) for cards in judged[1]] == [3, 2]
    assert judge(jana, project) is None


def test_a_system_that_is_not_completely_added_or_has_no_sample_is_not_sampled(
    project: Project, jana: User, tmp_path: Path
) -> None:
    while judge(jana, project):
        pass
    text, links = files(tmp_path, *["starobylý dům při řece"] * 3)
    unfinished = store(project, "D", text, links, judge=2)
    with pytest.raises(InputError, match="completely"):
        sample_segments(system=unfinished, count=1)
    add(project, tmp_path, *["starobylý dům při řece"] * 3, name="E")
    with pytest.raises(InputError, match="already"):
        sample_segments(system=System.objects.get(name="E"), count=1)
    with pytest.raises(InputError, match="not added"):
        sample_segments(system=System.objects.get(name="A"), count=1)


def test_systems_with_the_same_new_candidate_are_sampled_alike(
    project: Project, jana: User, tmp_path: Path
) -> None:
    while judge(jana, project):
        pass
    for name in "DE":
        text, links = files(tmp_path, *["starobylý dům při řece"] * 3)
        system = store(project, name, text, links, judge=6)
        assert project_new_system(system=system).reassigned == 6


def test_a_sample_is_judged_in_random_order(tmp_path: Path) -> None:
    project = make_project("more", sentences=30, queue_order="document")
    jana = make_annotator(project, "eva")
    while judge(jana, project):
        pass
    add_sampled(project, tmp_path, 20, *["starobylý dům u řeky"] * 30)
    numbers = [
        judged[0].sentence.number for _number in range(8) if (judged := judge(jana, project))
    ]
    assert numbers != sorted(numbers)


def test_segments_sampled_later_add_to_the_sample(project: Project, tmp_path: Path) -> None:
    jana = make_annotator(project, "eva")
    while judge(jana, project):
        pass
    add_sampled(project, tmp_path, 2, *["starobylý dům při řece"] * 3)
    system = System.objects.get(name="D")

    assert sample_segments(system=system, count=3) == 3
    assert sample_segments(system=system, count=3) == 1

    project.refresh_from_db()
    sampled = entry_of(project, "D").sampled
    assert len(sampled) == len(set(sampled)) == 6
    assert Segment.objects.filter(candidate_version__gt=1).count() == 6


def test_one_seed_draws_one_sample(tmp_path: Path) -> None:
    samples = []
    for name in ("one", "other"):
        project = make_project(name, sentences=6)
        annotator = make_annotator(project, f"jana {name}")
        while judge(annotator, project):
            pass
        add_sampled(project, tmp_path, 4, *["starobylý dům při řece"] * 6)
        project.refresh_from_db()
        samples.append(entry_of(project, "D").sampled)
    assert samples[0] == samples[1]
