"""Emails that remind annotators of a project to go on judging."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.core import signing
from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from annotation.common.task_queue import send_task
from annotation.common.transactions import retried
from annotation.judging import queue
from annotation.models import Assignment, Membership, Project, Reservation, User
from annotation.process import clock
from annotation.projects.permissions import LARGEST_ID
from annotation.selectors import counts
from annotation.selectors.members import members
from annotation.selectors.project_progress import progress_of
from people import mail
from people.models import Reminder
from people.site_address import site_address

# By name, since the module of the task imports this one.
TASK: Final = "people.tasks.send_reminder"
DEFAULT_DAYS: Final = 7
MOST_DAYS: Final = 365
# A member is not reminded twice within this time.
REPEAT_AFTER: Final = timedelta(days=1)
LONGEST_TEXT: Final = 2000
# Of the signed token in a reminder that turns reminders off.
SALT: Final = "people.reminders"
# How long that link works; an email may be forwarded, and kept for years.
STOPS_WITHIN: Final = timedelta(days=90)


@dataclass(frozen=True)
class IdleAnnotator:
    """An annotator with sentences left who was not active for some days.

    `active` is None if they never were; `reminded` is the time of the last reminder.
    """

    user_id: int
    name: str
    active: datetime | None
    left: int
    reminded: datetime | None


@dataclass(frozen=True)
class IdleAnnotators:
    """Those who can be reminded, and why others cannot."""

    recipients: list[IdleAnnotator]
    without_address: list[IdleAnnotator]
    unsubscribed: list[IdleAnnotator]
    reminded_lately: list[IdleAnnotator]


@dataclass(frozen=True)
class TakenSentences:
    """Sentences of an annotator: open ones, and those that need a judge and will not come again.

    The latter are judged or skipped. `limited` is what a sentence limit counts.
    """

    open: int = 0
    finished: int = 0
    limited: int = 0


def default_text(project: Project) -> str:
    return _(
        "There is still something for you to judge in “%(project)s”. Your work so far is saved. "
        "Thank you for your help!"
    ) % {"project": project.name}


def idle_annotators(project: Project, *, days: int, now: datetime) -> IdleAnnotators:
    """Return the annotators with sentences left who were not active for `days` days.

    Administrators, paused annotators and participants of a crowd are left out. A fixed number of
    queries.
    """
    found = IdleAnnotators([], [], [], [])
    if project.state != Project.State.OPEN:
        return found
    active = {row.id: row.active for row in progress_of(project, now=now, midnight=now).workers}
    free, taken, reserved = counts.free(project), _taken(project), _reserved(project)
    reminders = {row.user_id: row for row in Reminder.objects.filter(project=project)}
    annotators = members(project).filter(
        role=Membership.Role.ANNOTATOR,
        paused=False,
        user__is_active=True,
        user__participant=None,
    )
    for member in annotators:
        last = active.get(member.user_id)
        own = taken.get(member.user_id, TakenSentences())
        left = max(free - own.finished, 0) + own.open + reserved.get(member.user_id, 0)
        if member.sentence_limit is not None:
            left = min(left, max(member.sentence_limit - own.limited, 0))
        if not left or (last is not None and last > now - timedelta(days=days)):
            continue
        reminder = reminders.get(member.user_id)
        reminded = reminder.requested if reminder and not reminder.failed else None
        name: str = vars(member)["name"]
        row = IdleAnnotator(member.user_id, name, last, left, reminded)
        if not member.user.email:
            found.without_address.append(row)
        elif not member.user.wants_reminders:
            found.unsubscribed.append(row)
        elif reminded is not None and reminded > now - REPEAT_AFTER:
            found.reminded_lately.append(row)
        else:
            found.recipients.append(row)
    return found


def _taken(project: Project) -> dict[int, TakenSentences]:
    """Return the sentences that annotators were assigned, by annotator."""
    counted = Q(kind__in=Assignment.COUNTED)
    needing = queue.needing_a_judge(project).order_by().values("pk")
    cannot_come_again = Q(candidate_version__gte=F("sentence__candidate_version")) & ~Q(
        state__in=Assignment.ENDED_STATES
    )
    rows = (
        Assignment.objects.filter(project=project)
        .exclude(kind=Assignment.Kind.PRACTICE)
        .order_by()
        .values("annotator")
        .annotate(
            open=Count("sentence", distinct=True, filter=counted & Q(state=Assignment.State.OPEN)),
            finished=Count(
                "sentence",
                distinct=True,
                filter=counted & cannot_come_again & Q(sentence__in=needing),
            ),
            limited=Count("pk", filter=Q(state__in=Assignment.SUBMITTED_STATES)),
        )
    )
    return {row.pop("annotator"): TakenSentences(**row) for row in rows}


def _reserved(project: Project) -> dict[int, int]:
    """Return by annotator how many sentences with enough judges are reserved for them alone."""
    own = Assignment.objects.filter(
        sentence=OuterRef("sentence"),
        annotator=OuterRef("annotator"),
        candidate_version__gte=OuterRef("sentence__candidate_version"),
    ).exclude(state__in=Assignment.ENDED_STATES)
    rows = (
        Reservation.objects.filter(
            ~Exists(own), sentence__in=queue.sentences_to_judge(project).order_by().values("pk")
        )
        .exclude(sentence__in=queue.needing_a_judge(project).order_by().values("pk"))
        .order_by()
        .values_list("annotator")
    )
    return dict(rows.annotate(Count("pk")))


@retried
def send_reminders(
    *, project: Project, user_ids: set[int], text: str, days: int, now: datetime
) -> int:
    """Have a worker remind those of the annotators who still can be; return how many these are."""
    idle = idle_annotators(project, days=days, now=now)
    chosen = [row.user_id for row in idle.recipients if row.user_id in user_ids]
    with transaction.atomic():
        # Two administrators who remind the same people at once send one email.
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        lately = Reminder.objects.filter(
            project=project, user__in=chosen, requested__gt=now - REPEAT_AFTER, failed=False
        )
        chosen = [pk for pk in chosen if pk not in set(lately.values_list("user_id", flat=True))]
        Reminder.objects.filter(project=project, user__in=chosen).delete()
        created = Reminder.objects.bulk_create(
            Reminder(
                project=project,
                user_id=pk,
                requested=now,
                text=text,
                language=get_language() or "",
            )
            for pk in chosen
        )
        for reminder in created:
            send_task(TASK, reminder.pk)
    return len(chosen)


def waiting() -> QuerySet[Reminder]:
    """Return the reminders that wait for a worker that mails them, and are still wanted.

    Former and paused members, for whom no sentence waits, get none.
    """
    wanted = Reminder.objects.filter(
        sent=None,
        failed=False,
        project__state=Project.State.OPEN,
        project__delete_after=None,
        user__is_active=True,
        user__wants_reminders=True,
        user__memberships__project=F("project"),
        user__memberships__paused=False,
    )
    return mail.unclaimed(wanted.exclude(user__email=""))


def mail_waiting(reminder_id: int) -> None:
    """Mail the reminder, if it waits for that.

    If the worker is killed meanwhile, it waits again after `mail.CLAIM_LASTS`.
    """
    reminder = waiting().select_related("project", "user").filter(pk=reminder_id).first()
    row = Reminder.objects.filter(pk=reminder_id)
    # Two workers send one email.
    if reminder is None or not mail.unclaimed(row).update(claimed=clock.now()):
        return
    try:
        with override(reminder.language or None):
            subject = _("Sentences wait for you in %(project)s") % {
                "project": reminder.project.name
            }
            mail.send("reminder", reminder.user.email, subject=subject, **contents(reminder))
    except mail.NotSent:
        row.update(failed=True)
    else:
        row.update(sent=clock.now())


def contents(reminder: Reminder) -> dict[str, object]:
    """Return what the text of the email is rendered with."""
    site = site_address().rstrip("/")
    return {
        "reminder": reminder,
        "address": site + reverse("judge", args=[reminder.project_id]),
        "stop": site + reverse("stop-reminders", args=[stop_token(reminder.user)]),
    }


def stop_token(user: User) -> str:
    """Return the token of a link by which this user, without signing in, stops reminders."""
    return signing.dumps(user.pk, salt=SALT)


def user_to_stop(token: str) -> User | None:
    """Return the user of the link; None if the token is invalid or older than STOPS_WITHIN."""
    try:
        pk = signing.loads(token, salt=SALT, max_age=STOPS_WITHIN)
    except signing.BadSignature:
        return None
    return User.objects.filter(pk=pk).first() if isinstance(pk, int) and pk <= LARGEST_ID else None


def set_wish(*, user: User, wants_reminders: bool) -> None:
    User.objects.filter(pk=user.pk).update(wants_reminders=wants_reminders)
