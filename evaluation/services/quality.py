"""Rules that flag, or pause, annotators whose figures are beyond a limit.

A submission requests a check of its project: a task that a worker does CHECK_AFTER seconds later,
so what is submitted meanwhile is in the same check. A check that took long is repeated only after
REST times as long.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from time import perf_counter
from typing import Any, Final

from django.core.cache import cache
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.common.exceptions import NotPossible
from annotation.common.task_queue import EXPIRES, send_task
from annotation.common.transactions import retried, snapshot, writing
from annotation.judging.practice_results import practice_results
from annotation.models import Membership, Project, User
from annotation.process import clock
from annotation.projects.administration import pause_member
from annotation.projects.annotator_names import account_names
from annotation.projects.permissions import LARGEST_ID
from annotation.selectors import judgements as selectors
from annotation.selectors.judged_sentences import last_submission
from annotation.signals import annotator_flagged
from evaluation.findings.report import Report
from evaluation.models import QualityCheck, QualityFlag, QualityRule, RuleKind
from evaluation.services.loading import load, load_controls
from evaluation.stats.annotators.quality import (
    DEFAULT_LIMITS,
    AnnotatorQuality,
    Figure,
    Limit,
    annotator_quality,
    not_judged,
)

# By name, since the module of the task imports this one.
TASK: Final = "evaluation.tasks.check_quality"
# Seconds after a submission.
CHECK_AFTER: Final = 20
REST: Final = 20
# After this time, a check that was enqueued and not done is enqueued again.
LOST_AFTER: Final = timedelta(minutes=10)
# With more judgements, requests show the figures of the last check, and compute none, because each
# takes half a second for so many.
MOST_JUDGEMENTS: Final = 5_000
# A participant's completion code rests on a check, which is worth a wait.
MOST_CHECKED_AT_ONCE: Final = 20_000

Action = QualityRule.Action


@dataclass(frozen=True)
class PersonQuality:
    """The figures of the annotator with this user id."""

    user: int
    quality: AnnotatorQuality


@dataclass(frozen=True)
class MeasuredQuality:
    """The figures of all annotators, and when they were measured."""

    people: list[PersonQuality]
    made: datetime


# --- rules ------------------------------------------------------------------------------------


def rules_of(project: Project) -> list[QualityRule]:
    """Return a rule of each kind: the project's own, else the default, which is not stored."""
    stored = {rule.kind: rule for rule in QualityRule.objects.filter(project=project)}
    return [
        stored.get(each.kind)
        or QualityRule(project=project, kind=each.kind, limit=each.limit, after=each.after)
        for each in DEFAULT_LIMITS
    ]


def set_rules(*, project: Project, rules: Mapping[str, Mapping[str, Any]]) -> None:
    """Store limit, after and action of the rules by kind, which the caller has validated."""
    with writing():
        for kind, values in rules.items():
            QualityRule.objects.update_or_create(
                project=project, kind=RuleKind(kind), defaults=dict(values)
            )
        send_task(TASK, project.pk)


def copy_rules(*, original: Project, copy: Project, **_signal: object) -> None:
    """Store the project's own rules for its copy, which has no judgements to check yet."""
    values = QualityRule.objects.filter(project=original).values("kind", "limit", "after", "action")
    QualityRule.objects.bulk_create(QualityRule(project=copy, **rule) for rule in values)


def limit_of(rule: QualityRule) -> Limit:
    return Limit(rule.kind, rule.limit, rule.after)


# --- checks -----------------------------------------------------------------------------------


def request_check(*, project_id: int, **_signal: object) -> None:
    """Request a check after a submission; one request in CHECK_AFTER seconds and process."""
    if cache.add(f"quality-check:{project_id}", True, CHECK_AFTER):
        # Annotators do not wait for a broker that does not answer: the next submission asks again.
        send_task(TASK, project_id, countdown=CHECK_AFTER, retry=False)


def check_or_wait(project_id: int) -> None:
    """Check the project, unless its last check was slow and recent: then later."""
    project = Project.objects.filter(pk=project_id, delete_after=None).first()
    if project is None:
        return
    now = clock.now()
    former = QualityCheck.objects.filter(project=project).first()
    rest = former.made + timedelta(seconds=REST * former.seconds) if former else now
    if rest <= now:
        check(project)
        return
    QualityCheck.objects.filter(project=project, due=None).update(due=rest)


def enqueue_due() -> None:
    """Notify workers of the checks that have waited, and of those that a worker did not finish."""
    now = clock.now()
    due = QualityCheck.objects.filter(due__lte=now, project__delete_after=None)
    for pk, project_id in due.values_list("pk", "project"):
        if QualityCheck.objects.filter(pk=pk, due__lte=now).update(due=now + LOST_AFTER):
            send_task(TASK, project_id, expires=EXPIRES)


def check(project: Project) -> None:
    """Measure all annotators, store their figures, and flag those who break a rule."""
    # Before anything is read: what is excluded or discarded meanwhile makes the check out of date.
    made, begun = clock.now(), perf_counter()
    last = last_submission(project)
    rules = [rule for rule in rules_of(project) if rule.action != Action.OFF]
    people = _measure(project, rules)
    with writing():
        QualityCheck.objects.update_or_create(
            project=project,
            defaults={
                "made": made,
                "seconds": perf_counter() - begun,
                "due": None,
                "last_submission": last,
                "figures": [asdict(person) for person in people],
            },
        )
    flags = QualityFlag.objects.filter(project=project)
    known = set(flags.values_list("user_id", "kind"))
    for person in people:
        for rule in rules:
            figure = limit_of(rule).broken_by(person.quality)
            if figure is not None and (person.user, rule.kind) not in known:
                _flag(rule=rule, user_id=person.user, figure=figure)


@retried
def _flag(*, rule: QualityRule, user_id: int, figure: Figure) -> None:
    """Store the flag, unless another worker has; pause annotators where the rule says so.

    Administrators who judge, and people who are no longer members, are flagged and not paused.
    """
    project = rule.project
    with writing():
        annotator = Membership.objects.filter(
            project=project, user=user_id, role=Membership.Role.ANNOTATOR
        )
        pauses = rule.action == Action.PAUSE and annotator.exists()
        _stored, is_new = QualityFlag.objects.get_or_create(
            project=project,
            user_id=user_id,
            kind=rule.kind,
            defaults={
                "value": figure.value,
                "limit": rule.limit,
                "sentences": figure.sentences,
                "paused": pauses,
                "raised": clock.now(),
            },
        )
        if is_new and pauses:
            pause_member(project=project, by=None, user_id=user_id)
        if is_new:
            annotator_flagged.send(
                QualityFlag,
                project=project,
                user_id=user_id,
                rule=rule.kind,
                value=figure.value,
                limit=rule.limit,
                sentences=figure.sentences,
            )


def _measure(project: Project, rules: Iterable[QualityRule]) -> list[PersonQuality]:
    with snapshot():
        people = selectors.annotators(project)
        judgements = load(project)
        controls = load_controls(project)
        practice = _practice(project)
    ids = {person.name: person.id for person in people if not person.unidentified}
    limits = [limit_of(rule) for rule in rules if rule.action != Action.OFF]
    rows = annotator_quality(judgements, controls, limits)
    found = {ids[row.annotator]: row for row in rows if row.annotator in ids}
    for user, (name, figure) in practice.items():
        found[user] = replace(found.get(user) or not_judged(name), practice=figure)
    return [PersonQuality(user, row) for user, row in found.items()]


def _practice(project: Project) -> dict[int, tuple[str, Figure]]:
    """Return name and share of right answers, by user id, of the people who have practised."""
    results = [row for row in practice_results(project).annotators if row.done]
    if not results:
        return {}
    ids = {name: pk for pk, name in account_names(project).items()}
    return {
        ids[row.annotator]: (row.annotator, Figure(row.share, row.done))
        for row in results
        if row.share is not None
    }


# --- what was found ---------------------------------------------------------------------------


def measured_quality(project: Project) -> MeasuredQuality | None:
    """Return the figures of the last check; computed anew if it is out of date, but not slow.

    Where it is out of date, as after an import, a check is requested, so that later requests need
    not compute. None if a project with many judgements was never checked.
    """
    stored = QualityCheck.objects.filter(project=project).select_related("project").first()
    if stored is None or _is_out_of_date(stored):
        request_check(project_id=project.pk)
        if not selectors.has_more_judgements_than(project, MOST_JUDGEMENTS):
            return MeasuredQuality(_measure(project, rules_of(project)), clock.now())
    if stored is None:
        return None
    return MeasuredQuality([_person(row) for row in stored.figures], stored.made)


def _is_out_of_date(check: QualityCheck) -> bool:
    """Tell whether judgements were added since, or excluded, discarded or restored."""
    changed = check.project.counts_changed
    return check.last_submission != last_submission(check.project) or (
        changed is not None and changed > check.made
    )


def check_if_small(project: Project) -> None:
    """Check the project now, unless it has so many judgements that it would take long."""
    if not selectors.has_more_judgements_than(project, MOST_CHECKED_AT_ONCE):
        check(project)


def flags_of(project: Project) -> QuerySet[QualityFlag]:
    """Return the flags, the open ones first, the newest of each first."""
    flags = QualityFlag.objects.filter(project=project).select_related("user", "dismissed_by")
    return flags.order_by("dismissed", "-raised", "-pk")


def flagged_in_agreement(project: Project, report: Report) -> int:
    """Return how many annotators with open flags κ of the report compares with others."""
    flags = QualityFlag.objects.filter(project=project, dismissed=None)
    flagged = set(flags.values_list("user", flat=True))
    if not flagged:
        return 0
    names = account_names(project)
    compared = {row.annotator for row in report.agreement.annotators if row.inter.compared}
    return sum(names.get(user) in compared for user in flagged)


def has_open_flag(project: Project, user: User) -> bool:
    return QualityFlag.objects.filter(project=project, user=user, dismissed=None).exists()


def dismiss_flag(*, project: Project, by: User, flag_id: int) -> QualityFlag:
    """Dismiss the flag, which is not raised again. Raises NotPossible if there is none open."""
    flags = QualityFlag.objects.filter(pk=min(flag_id, LARGEST_ID), project=project)
    if not flags.filter(dismissed=None).update(dismissed=clock.now(), dismissed_by=by):
        raise NotPossible(_("This flag is not open any more."))
    return flags.get()


def broken_limits(quality: AnnotatorQuality, rules: Iterable[QualityRule]) -> tuple[str, ...]:
    """Return the kinds of the rules that are on and that the annotator's figures break now."""
    return tuple(
        rule.kind
        for rule in rules
        if rule.action != Action.OFF and limit_of(rule).broken_by(quality)
    )


def _person(row: Mapping[str, Any]) -> PersonQuality:
    fields: dict[str, Any] = {
        name: Figure(**value) if isinstance(value, dict) else value
        for name, value in row["quality"].items()
    }
    return PersonQuality(row["user"], AnnotatorQuality(**fields))
