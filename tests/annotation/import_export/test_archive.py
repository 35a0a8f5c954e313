from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from annotation.import_export.archive_import import import_project
from annotation.import_export.judgements_import import import_judgements
from annotation.judging.control_items import control_outcomes
from annotation.judging.discarding import discard_judgements
from annotation.judging.practice_results import feedback
from annotation.judging.practice_tries import practise_again
from annotation.judging.reservations import assign_sentences
from annotation.models import (
    AlignmentPriors,
    Assignment,
    Media,
    MediaPlay,
    Membership,
    ParallelPage,
    Placement,
    Project,
    SignInLink,
    Submission,
    User,
)
from annotation.projects.administration import pause_member
from annotation.projects.exclusion import set_excluded
from annotation.projects.undecided_systems import decisions, set_undecided
from annotation.selectors.exclusion import excluded_of
from evaluation.services.loading import load
from tests.annotation.import_export.exchange_files import (
    JUDGEMENT,
    add_practice_and_controls,
    archive_file,
    edit_archive,
    export,
    first_record,
    imported_project,
    judged_here,
    row_counts,
    submit_ranks,
    worked_on,
    write_lines,
)
from tests.factories import assign_next, make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


def test_a_restored_project_is_exported_unchanged(tmp_path: Path) -> None:
    project = worked_on()
    first = archive_file(project, tmp_path)
    project.name = "elsewhere"
    project.save()

    restored = import_project(path=first)

    assert archive_file(restored, tmp_path).read_bytes() == first.read_bytes()
    states = dict(Counter(restored.assignments.values_list("state", flat=True)))
    assert states == {"submitted": 1, "skipped": 1, "returned": 1, "open": 2}
    (skipped,) = restored.assignments.exclude(skip=None)
    assert (skipped.skip.reason, skipped.skip.comment) == ("wrong-segment", "Not a phrase.")
    drafts = restored.assignments.filter(draft_version__gt=0).values_list("state", "draft_choices")
    choices = {"1-1": "garbage", "1-2": 2}
    assert dict(drafts) == {"open": choices, "returned": choices}
    texts = restored.instructions.values_list("version", "text", "author__display_name")
    assert set(texts) == {(1, "Be *kind*.", None), (2, "Be strict.", "jana"), (3, "", "chief")}
    of_people = restored.assignments.values_list("annotator__display_name", "instructions__version")
    assert set(of_people) == {("jana", 1), ("petr", 2), ("eva", 2), ("jana", 2)}
    leases = restored.assignments.filter(state="open").values_list("lease_until", flat=True)
    assert set(leases) == set(
        project.assignments.filter(state="open").values_list("lease_until", flat=True)
    )


def test_records_that_spell_names_differently_are_restored(tmp_path: Path) -> None:
    project = worked_on()
    project.systems.filter(name="A").update(name="č")
    User.objects.filter(username="jana").update(display_name="Jána")
    first = archive_file(project, tmp_path)
    expected = first.read_bytes()

    def respelt(lines: list[Any]) -> None:
        first_record(lines, "account", name="Jána")["name"] = "Ja\u0301na\u00a0"
        first_record(lines, "system", name="č")["name"] = "\ufeffc\u030c"
        sentence = first_record(lines, "sentence")
        sentence["segments"][0]["projections"][0][0] = "č\u200b"

    edit_archive(first, respelt)
    assert first.read_bytes() != expected
    restored = import_project(path=first, name=" elsewhere\u00a0")
    assert restored.name == "elsewhere"
    Project.objects.filter(pk=project.pk).update(name="former")
    Project.objects.filter(pk=restored.pk).update(name=project.name)
    assert archive_file(restored, tmp_path).read_bytes() == expected


def test_it_restores_all_revisions_and_the_last_one_is_current(tmp_path: Path) -> None:
    project = worked_on()

    restored = import_project(path=archive_file(project, tmp_path), name="again")

    submissions = Submission.objects.filter(assignment__project=restored).order_by("number")
    assert [(made.current, made.active_seconds, made.token) for made in submissions] == [
        (False, 12.25, None),
        (False, 12.25, None),
        (True, 12.25, None),
    ]
    assert [ranks_of(made) for made in submissions] == [
        {"starý dům": 1, "stará dům": 1, "dům": 1, "u řeky": 1, "blízko řeky": 1},
        {"starý dům": 1, "stará dům": 1, "dům": None, "u řeky": 1, "blízko řeky": 1},
        {"starý dům": 1, "stará dům": 1, "dům": None, "u řeky": 2, "blízko řeky": 1},
    ]
    assert export(restored, tmp_path, "json") == export(project, tmp_path, "json")


def test_it_restores_decisions_and_narrowed_assignments(tmp_path: Path) -> None:
    project = make_project()
    jana = make_annotator(project)
    submit_ranks(assign_next(jana, project), {})
    set_undecided(project=project, names=["A", "B"], by="chief")
    project.refresh_from_db()
    submit_ranks(assign_next(jana, project), {})
    first = archive_file(project, tmp_path)
    Project.objects.update(name="elsewhere")

    restored = import_project(path=first)

    assert archive_file(restored, tmp_path).read_bytes() == first.read_bytes()
    in_order = restored.assignments.order_by("pk").values_list("decision", flat=True)
    assert list(in_order) == [None, 1]
    assert decisions(restored) == decisions(project)
    assert load(restored, narrowed_by=[1]).candidate_ranks.tolist() == (
        load(project, narrowed_by=[1]).candidate_ranks.tolist()
    )


def test_it_restores_what_is_excluded_discarded_paused_and_reserved(tmp_path: Path) -> None:
    project = make_project()
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    for _sentence in range(2):
        submit_ranks(assign_next(jana, project), {})
    first, second, third = project.sentences.order_by("number")
    segment = third.segments.order_by("pk")[0]
    candidate = segment.candidates.order_by("pk")[1]
    exclude = partial(set_excluded, project=project, by=petr, excluded=True)
    exclude(sentence=first.pk)
    exclude(sentence=second.pk, segment=second.segments.order_by("pk")[1].pk)
    exclude(sentence=third.pk, segment=segment.pk, candidate=candidate.pk)
    discard_judgements(project=project, by=petr, annotator=jana)
    pause_member(project=project, by=petr, user_id=jana.pk)
    assign_sentences(project=project, by=petr, annotator=petr, numbers=[3, 2])
    file = archive_file(project, tmp_path)
    Project.objects.update(name="elsewhere")

    restored = import_project(path=file)

    assert archive_file(restored, tmp_path).read_bytes() == file.read_bytes()
    project.refresh_from_db()
    assert excluded_of(restored) == excluded_of(project)
    assert excluded_of(restored).discarded > 0
    assert restored.memberships.get(user__display_name="jana").paused
    reserved = restored.sentences.filter(reservations__by__display_name="petr")
    assert set(reserved.values_list("number", flat=True)) == {2, 3}


def ranks_of(submission: Submission) -> dict[str, int | None]:
    placements = Placement.objects.filter(judgement__submission=submission)
    return dict(placements.values_list("candidate__text", "rank"))


def test_it_restores_practice_and_control(tmp_path: Path) -> None:
    project = worked_on()
    add_practice_and_controls(project)
    project.practice_share, project.practice_tries = 100, 3
    project.save()
    # A try that failed, and another.
    ota = User.objects.get(username="ota")
    assert practise_again(annotator=ota, project=project)
    submit_ranks(assign_next(ota, project, practise=True), {"dům": None, "starý dům": 2})
    first = archive_file(project, tmp_path)
    project.name = "elsewhere"
    project.save()

    restored = import_project(path=first)

    assert archive_file(restored, tmp_path).read_bytes() == first.read_bytes()
    assert (restored.control_rate, restored.practice_required) == (1.0, True)
    assert (restored.practice_share, restored.practice_tries) == (100, 3)
    tries = restored.assignments.filter(kind="practice", submitted__isnull=False)
    assert [(one.state, one.submissions.count()) for one in tries.order_by("created")] == [
        ("discarded", 1),
        ("submitted", 1),
    ]
    copies = restored.sentences.exclude(purpose="judge").order_by("pk")
    assert list(copies.values_list("purpose", "number", "copy_of__purpose", "retired")) == [
        ("practice", 1, "judge", False),
        ("control", 1, "judge", False),
        ("control", 2, "judge", True),
    ]
    assert copies[0].copy_of == restored.sentences.get(purpose="judge", number=3)
    assert outcomes(restored) == outcomes(project) != []
    (mine, yours) = (feedback(assignment_for_practice(of)) for of in (restored, project))
    assert mine.segments == yours.segments
    assert mine.segments[0].explanation == "Houses are *masculine*."


def outcomes(project: Project) -> list[tuple[str, int | None, int | None, bool]]:
    return [
        (outcome.kind, outcome.original, outcome.changed, outcome.passed)
        for outcome in control_outcomes(project)
    ]


def assignment_for_practice(project: Project) -> Assignment:
    return project.assignments.get(kind="practice", state="submitted")


def test_every_table_has_as_many_rows_again(tmp_path: Path) -> None:
    project = worked_on()
    add_practice_and_controls(project)
    SignInLink.objects.create(
        user=User.objects.get(username="jana"), token_hash="x", expires=timezone.now()
    )
    AlignmentPriors.objects.create(project=project, aligner="eflomal", version="2", data=b"x")
    ParallelPage.objects.create(project=project, number=0, sources=b"x", targets=b"y")
    file = {"name": "1.wav", "sha256": "0" * 64}
    Media.objects.create(project=project, line=1, media_type="audio/wav", size=1, **file)
    revised = Submission.objects.filter(current=True).earliest("pk")
    MediaPlay.objects.create(submission=revised, seconds=1.5, plays=2, **file)
    before = row_counts()

    import_project(path=archive_file(project, tmp_path), name="again")

    after = row_counts()
    # What an aligner has learned is not archived.
    for name in ("SignInLink", "AlignmentPriors", "ParallelPage"):
        assert after.pop(name) == before.pop(name) == 1
    counted = "SentenceSummary", "SummarisedProject", "ProjectCounts"
    of_jobs = ("Job", "Chunk", "StoredPreview", *counted)
    # Annotators of this project mark no errors, edit nothing, give no scores, and see no systems
    # side by side, none of them chosen for a sheet that is disputed.
    others = "ErrorSpan", "FurtherScore", "Edit", "ShownSystem", "GivenErrors", "GivenOrigin"
    of_sheets = "ChosenSystem", "Settlement", "SettledPlacement"
    for name in (*of_jobs, *others, *of_sheets):
        assert after.pop(name) == before.pop(name) == 0
    assert all(before.values())
    assert after == {name: 2 * count for name, count in before.items()}


def test_it_restores_limits_of_members(tmp_path: Path) -> None:
    project = judged_here()
    Membership.objects.filter(project=project, user__username="petr").update(sentence_limit=12)
    first = archive_file(project, tmp_path)

    restored = import_project(path=first, name="again")

    limits = restored.memberships.values_list("user__display_name", "sentence_limit")
    assert dict(limits) == {"jana": None, "petr": 12}


def test_restored_accounts_cannot_sign_in(tmp_path: Path) -> None:
    project = judged_here()

    restored = import_project(path=archive_file(project, tmp_path), name="again")

    jana, petr = restored.imported_accounts.order_by("pk")
    assert (jana.shown_name, petr.shown_name) == ("jana", "petr")
    assert not any([jana.is_active, jana.is_superuser, jana.is_staff, jana.email])
    assert not jana.has_usable_password()
    assert Membership.objects.get(user=jana).role == Membership.Role.ADMINISTRATOR
    assert Membership.objects.get(user=petr).project == restored
    # The account that exists here is unchanged.
    assert User.objects.get(username="jana").is_superuser
    assert set(restored.assignments.values_list("annotator", flat=True)) == {jana.pk}


def test_an_archive_has_no_secrets(tmp_path: Path) -> None:
    project = judged_here()
    submitted = Assignment.objects.get(state="submitted")

    text = archive_file(project, tmp_path).read_text()

    password = User.objects.get(username="jana").password
    assert password
    for secret in (
        password,
        "hash-of-a-token",
        "jana@example.org",
        str(submitted.submissions.get().token),
    ):
        assert secret not in text


def test_it_restores_imported_judgements(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    import_judgements(project=project, path=write_lines(tmp_path / "j", [JUDGEMENT]))
    first = archive_file(project, tmp_path)

    restored = import_project(path=first, name="again")

    assert export(restored, tmp_path, "json") == export(project, tmp_path, "json")
    assert restored.provenance["imports"] == project_imports(project)
    assert restored.imported_accounts.get().display_name == "jana"


def project_imports(project: Project) -> Any:
    project.refresh_from_db()
    return project.provenance["imports"]
