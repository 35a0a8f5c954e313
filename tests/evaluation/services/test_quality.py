"""Rules of quality: what is flagged, by which rule, and what follows."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.common.exceptions import NotPossible
from annotation.import_export.archive_import import import_project
from annotation.import_export.judgements_import import import_judgements
from annotation.models import Membership, Project, User
from annotation.pipeline.project_copy import new_copy
from annotation.signals import annotator_flagged
from evaluation.models import QualityCheck, QualityFlag, QualityRule, RuleKind
from evaluation.services import quality
from evaluation.services.quality import (
    check,
    check_or_wait,
    dismiss_flag,
    enqueue_due,
    measured_quality,
    rules_of,
    set_rules,
)
from evaluation.stats.annotators.quality import DEFAULT_LIMITS, KINDS
from tests.annotation.import_export.exchange_files import (
    JUDGEMENT,
    add_practice,
    archive_file,
    imported_project,
    submit_ranks,
    write_lines,
)
from tests.crowd.coming import submit_sentence
from tests.evaluation.projects import submit
from tests.factories import assign_next, make_annotator, make_project, next_assignment

pytestmark = pytest.mark.django_db
RANKS: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [1, 2]}
SAME: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 1, 1], "4 5 6": [1, 1]}


@pytest.fixture
def project() -> Project:
    cache.clear()
    return make_project(sentences=6)


def rule(kind: str, limit: float, after: int = 2, action: str = "flag") -> dict[str, Any]:
    return {kind: {"limit": limit, "after": after, "action": action}}


def judge(project: Project, name: str, ranks: Any = RANKS, seconds: float = 60.0) -> User:
    annotator = make_annotator(project, name)
    for number in (1, 2, 3):
        submit(project, annotator, number, ranks, seconds=seconds)
    return annotator


def flags() -> list[tuple[str, str]]:
    return list(QualityFlag.objects.order_by("pk").values_list("user__username", "kind"))


def test_the_kinds_are_those_of_the_figures():
    assert RuleKind.values == list(KINDS) == [limit.kind for limit in DEFAULT_LIMITS]


def test_the_defaults_hold_until_rules_are_set(project):
    assert [(each.kind, each.limit, each.action) for each in rules_of(project)] == [
        (each.kind, each.limit, "flag") for each in DEFAULT_LIMITS
    ]

    set_rules(project=project, rules=rule("kappa", 0.3, 7, "off"))

    changed = {each.kind: each for each in rules_of(project)}
    assert (changed["kappa"].limit, changed["kappa"].after) == (0.3, 7)
    assert changed["kappa"].action == "off"
    assert changed["seconds"].pk is None


def test_a_rule_flags_the_annotators_who_break_it(project):
    set_rules(project=project, rules=rule("seconds", 3) | rule("one_rank", 0.9))
    judge(project, "jana")
    judge(project, "hasty", seconds=0.5)
    judge(project, "petr", SAME)

    check(project)

    assert sorted(flags()) == [("hasty", "seconds"), ("petr", "one_rank")]
    hasty = QualityFlag.objects.get(kind="seconds")
    assert (hasty.value, hasty.limit, hasty.sentences) == (0.5, 3, 3)
    assert not Membership.objects.filter(paused=True).exists()


def test_people_who_fail_practice_are_paused_before_they_judge(project):
    gold = {"starý dům": 1, "stará dům": 2, "dům": None, "u řeky": 1, "blízko řeky": 1}
    for number in (1, 2):
        add_practice(project, number, gold)
    set_rules(project=project, rules=rule("practice", 0.7, 2, "pause"))
    for name, answer in (("jana", gold), ("petr", dict.fromkeys(gold, 1))):
        person = make_annotator(project, name)
        for _practice in range(2):
            submit_ranks(assign_next(person, project, practise=True), answer)

    check(project)

    assert flags() == [("petr", "practice")]
    flag = QualityFlag.objects.get()
    # Of four pairs a sentence, the tie of the second segment.
    assert (flag.value, flag.sentences, flag.paused) == (0.25, 2, True)
    assert next_assignment(annotator=flag.user, project=project) is None


def test_too_few_sentences_and_rules_that_are_off_flag_no_one(project):
    set_rules(
        project=project, rules=rule("seconds", 3, after=4) | rule("one_rank", 0.9, action="off")
    )
    judge(project, "hasty", SAME, seconds=0.5)

    check(project)

    assert flags() == []


def test_a_person_is_flagged_once_by_a_rule(project):
    told: list[dict[str, Any]] = []
    boss = make_annotator(project, "boss", "owner")
    set_rules(project=project, rules=rule("seconds", 3))
    hasty = judge(project, "hasty", seconds=0.5)

    def listen(**signal: Any) -> None:
        told.append(signal)

    annotator_flagged.connect(listen)
    check(project)
    check(project)
    flag = dismiss_flag(project=project, by=boss, flag_id=QualityFlag.objects.get().pk)
    check(project)
    annotator_flagged.disconnect(listen)

    assert flags() == [("hasty", "seconds")]
    assert flag.dismissed_by == boss
    assert [(each["user_id"], each["rule"], each["value"]) for each in told] == [
        (hasty.pk, "seconds", 0.5)
    ]
    with pytest.raises(NotPossible):
        dismiss_flag(project=project, by=boss, flag_id=flag.pk)


def test_it_does_not_dismiss_another_projects_flag(project):
    set_rules(project=project, rules=rule("seconds", 3))
    judge(project, "hasty", seconds=0.5)
    check(project)
    other = make_project("castles")

    with pytest.raises(NotPossible):
        dismiss_flag(
            project=other,
            by=make_annotator(other, "boss", "owner"),
            flag_id=QualityFlag.objects.get().pk,
        )


def test_a_rule_that_pauses_stops_annotators_and_not_administrators(project):
    set_rules(project=project, rules=rule("seconds", 3, action="pause"))
    hasty = judge(project, "hasty", seconds=0.5)
    boss = make_annotator(project, "boss", "administrator")
    for number in (1, 2):
        submit(project, boss, number, RANKS, seconds=0.5)

    check(project)

    assert dict(QualityFlag.objects.values_list("user__username", "paused")) == {
        "hasty": True,
        "boss": False,
    }
    assert next_assignment(annotator=hasty, project=project) is None
    assert next_assignment(annotator=boss, project=project)


def test_former_members_are_flagged(project):
    set_rules(project=project, rules=rule("seconds", 3, action="pause"))
    hasty = judge(project, "hasty", seconds=0.5)
    hasty.memberships.all().delete()

    check(project)

    assert flags() == [("hasty", "seconds")]


def test_the_stored_figures_are_those_that_were_measured(project, monkeypatch):
    judge(project, "jana")
    judge(project, "petr", SAME)
    now = measured_quality(project)
    check(project)
    monkeypatch.setattr(quality, "MOST_JUDGEMENTS", 1)

    stored = measured_quality(project)

    assert now
    assert stored
    assert stored.people == now.people


def test_a_large_project_that_was_never_checked_has_no_figures_yet(project, monkeypatch):
    judge(project, "jana")
    monkeypatch.setattr(quality, "MOST_JUDGEMENTS", 1)

    assert measured_quality(project) is None


# --- when it is checked -----------------------------------------------------------------------


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[int]]]:
    messages: list[tuple[str, list[int]]] = []
    monkeypatch.setattr(
        current_app, "send_task", lambda name, args, **_options: messages.append((name, args))
    )
    return messages


def test_a_submission_requests_one_check_for_all_that_follow_soon(
    project, sent, django_capture_on_commit_callbacks
):
    jana = make_annotator(project)
    with django_capture_on_commit_callbacks(execute=True):
        submit_sentence(assign_next(jana, project))
        submit_sentence(assign_next(jana, project))

    assert sent == [(quality.TASK, [project.pk])]


def test_an_import_requests_a_check(tmp_path, sent, django_capture_on_commit_callbacks):
    cache.clear()
    project = imported_project(tmp_path)
    with django_capture_on_commit_callbacks(execute=True):
        import_judgements(project=project, path=write_lines(tmp_path / "lines", [JUDGEMENT]))
        restored = import_project(path=archive_file(project, tmp_path), name="restored")

    assert sent == [(quality.TASK, [project.pk]), (quality.TASK, [restored.pk])]


def test_a_slow_check_is_repeated_later(project, sent, django_capture_on_commit_callbacks):
    judge(project, "jana")
    check_or_wait(project.pk)
    made = QualityCheck.objects.get().made
    QualityCheck.objects.update(seconds=60)

    with django_capture_on_commit_callbacks(execute=True):
        check_or_wait(project.pk)
        check_or_wait(project.pk)

        enqueue_due()

    assert QualityCheck.objects.get().made == made
    assert sent == []
    an_hour_ago = timezone.now() - timedelta(hours=1)
    QualityCheck.objects.update(made=an_hour_ago, due=an_hour_ago)
    with django_capture_on_commit_callbacks(execute=True):
        enqueue_due()
        enqueue_due()
    assert sent == [(quality.TASK, [project.pk])]
    check_or_wait(project.pk)
    assert QualityCheck.objects.get().made > made
    assert QualityCheck.objects.get().due is None


def test_figures_without_a_check_request_one(project, sent, django_capture_on_commit_callbacks):
    judge(project, "jana")
    with django_capture_on_commit_callbacks(execute=True):
        measured_quality(project)
    check(project)
    cache.clear()

    with django_capture_on_commit_callbacks(execute=True):
        measured_quality(project)

    assert sent == [(quality.TASK, [project.pk])]


def test_a_project_that_is_gone_is_not_checked():
    check_or_wait(4711)

    assert not QualityCheck.objects.exists()


# --- the database -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "seconds", "limit": -1},
        {"kind": "one_rank", "limit": 1.5},
        {"kind": "kappa", "limit": 2},
        {"kind": "mood", "limit": 0.5},
        {"kind": "seconds", "limit": 3, "after": 0},
        {"kind": "seconds", "limit": 3, "action": "shout"},
    ],
)
def test_the_database_refuses_impossible_rules(project, fields):
    with pytest.raises(IntegrityError), transaction.atomic():
        QualityRule.objects.create(project=project, **{"after": 5, **fields})


def test_a_copy_has_the_rules_and_none_of_the_flags(project: Project) -> None:
    set_rules(project=project, rules=rule("one_rank", 0.5, after=3, action="pause"))
    judge(project, "jana", SAME)
    check(project)
    assert flags() == [("jana", "one_rank")]
    boss = make_annotator(project, "boss", "owner")
    copied = new_copy(project=project, name="Copy", by=boss).project
    columns = ("kind", "limit", "after", "action")
    assert list(copied.quality_rules.values_list(*columns)) == [("one_rank", 0.5, 3, "pause")]
    assert not copied.quality_flags.exists()
