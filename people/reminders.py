"""Emails that remind annotators of a project to go on judging.

Administrators send them, or a worker does where the project has `remind_after_days`.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.core import signing
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import get_language, get_supported_language_variant, override
from django.utils.translation import gettext as _

from annotation.common.task_queue import send_task
from annotation.common.transactions import locked_by_id, retried, writing
from annotation.judging import queue
from annotation.judging.practice_tries import failed_practice
from annotation.models import Assignment, Membership, Project, Reservation, User
from annotation.process import clock
from annotation.projects.annotator_names import name_of_member
from annotation.projects.permissions import LARGEST_ID
from annotation.selectors import counts
from annotation.selectors.members import members
from annotation.selectors.project_progress import last_activity
from people import mail
from people.models import Reminder
from people.site_address import site_address

# By name, since the module of the tasks imports this one.
TASK: Final = "people.tasks.send_reminder"
AUTOMATIC_TASK: Final = "people.tasks.remind_automatically"
DEFAULT_DAYS: Final = 7
MOST_DAYS: Final = 365
# A member is not reminded twice within this time.
REPEAT_AFTER: Final = timedelta(days=1)
# How often annotators of a project are looked for who are to be reminded automatically.
AUTOMATIC_EVERY: Final = timedelta(days=1)
# Automatic reminders that an annotator gets without being active.
MOST_IN_A_ROW: Final = 3
# Latest automatic reminders that the page shows.
MOST_SHOWN: Final = 100
LONGEST_TEXT: Final = 2000
# Of the signed token in a reminder that turns reminders off.
SALT: Final = "people.reminders"
# The value of a header, and what mail programs post: RFC 8058.
ONE_CLICK: Final = "List-Unsubscribe=One-Click"
# How long that link works; an email may be forwarded, and kept for years.
STOPS_WITHIN: Final = timedelta(days=90)


@dataclass(frozen=True)
class IdleAnnotator:
    """An annotator with sentences left who was not active for some days.

    `active` is None if they never were. `was_reminded` is whether the last reminder was sent, or
    still can be.
    """

    user_id: int
    name: str
    active: datetime | None
    left: int
    last_reminder: Reminder | None
    was_reminded: bool

    @property
    def reminded(self) -> datetime | None:
        """The time of the last reminder, unless it was not sent."""
        last = self.last_reminder
        return last.requested if last and self.was_reminded else None

    @property
    def in_a_row(self) -> int:
        """How many automatic reminders they got since they were last active."""
        last = self.last_reminder
        if not last or not last.automatic or not self.active or self.active >= last.requested:
            return 0
        return last.automatic if self.was_reminded else last.automatic - 1


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

    Administrators, paused annotators and participants of a crowd are left out, and annotators who
    failed the required practice and have no try left. A fixed number of queries, and at most six an
    annotator where the project asks for a share of right answers.
    """
    found = IdleAnnotators([], [], [], [])
    if project.state != Project.State.OPEN:
        return found
    active = last_activity(project, now=now)
    annotators = members(project).filter(
        role=Membership.Role.ANNOTATOR,
        paused=False,
        user__is_active=True,
        user__participant=None,
    )
    since = now - timedelta(days=days)
    idle = [row for row in annotators if active.get(row.user_id, since) <= since]
    if not idle:
        return found
    idle_ids = [row.user_id for row in idle]
    free, taken = counts.free(project), _taken(project, idle_ids)
    reserved = _reserved(project, idle_ids)
    reminders = {row.user_id: row for row in Reminder.objects.filter(project=project)}
    reminded = reminders.keys() - set(unsent(project).values_list("user_id", flat=True))
    for member in idle:
        own = taken.get(member.user_id, TakenSentences())
        left = max(free - own.finished, 0) + own.open + reserved.get(member.user_id, 0)
        if member.sentence_limit is not None:
            left = min(left, max(member.sentence_limit - own.limited, 0))
        if not left or _waits_for_a_try(member.user, project):
            continue
        row = IdleAnnotator(
            user_id=member.user_id,
            name=vars(member)["name"],
            active=active.get(member.user_id),
            left=left,
            last_reminder=reminders.get(member.user_id),
            was_reminded=member.user_id in reminded,
        )
        if not member.user.email:
            found.without_address.append(row)
        elif not member.user.wants_reminders:
            found.unsubscribed.append(row)
        elif row.reminded is not None and row.reminded > now - REPEAT_AFTER:
            found.reminded_lately.append(row)
        else:
            found.recipients.append(row)
    return found


def _waits_for_a_try(annotator: User, project: Project) -> bool:
    """Return whether only an administrator can let the annotator go on, by another try."""
    failed = failed_practice(annotator, project)
    return failed is not None and not failed.tries_left


def _taken(project: Project, annotators: Collection[int]) -> dict[int, TakenSentences]:
    """Return the sentences that these annotators were assigned, by annotator."""
    counted = Q(kind__in=Assignment.COUNTED)
    needing = queue.needing_a_judge(project).order_by().values("pk")
    cannot_come_again = Q(candidate_version__gte=F("sentence__candidate_version")) & ~Q(
        state__in=Assignment.ENDED_STATES
    )
    rows = (
        Assignment.objects.filter(project=project, annotator__in=annotators)
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


def _reserved(project: Project, annotators: Collection[int]) -> dict[int, int]:
    """Return by annotator how many sentences with enough judges are reserved for them alone."""
    own = Assignment.objects.filter(
        sentence=OuterRef("sentence"),
        annotator=OuterRef("annotator"),
        candidate_version__gte=OuterRef("sentence__candidate_version"),
    ).exclude(state__in=Assignment.ENDED_STATES)
    rows = (
        Reservation.objects.filter(
            ~Exists(own),
            annotator__in=annotators,
            sentence__in=queue.sentences_to_judge(project).order_by().values("pk"),
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
    with writing():
        return _store(
            project,
            dict.fromkeys(chosen, 0),
            text=text,
            language=get_language() or "",
            earlier=Reminder.objects.filter(project=project, failed=False),
            now=now,
        )


def projects_to_remind(*, now: datetime) -> QuerySet[Project]:
    """Return the projects whose annotators are to be looked for, to remind them automatically."""
    return Project.objects.filter(
        Q(last_automatic_reminders=None) | Q(last_automatic_reminders__lte=now - AUTOMATIC_EVERY),
        state=Project.State.OPEN,
        remind_after_days__isnull=False,
    )


@retried
def remind_automatically(*, project: Project, now: datetime) -> int:
    """Have a worker remind the annotators of the project who have stopped; return how many.

    They began to judge, were not active for `remind_after_days` and got no reminder from the
    project in this time, none from any project within REPEAT_AFTER, and fewer than MOST_IN_A_ROW
    automatic ones since they were last active. Of workers that do so at once, one does.
    """
    days = project.remind_after_days
    if days is None or not mail.is_configured():
        return 0
    idle = idle_annotators(project, days=days, now=now)
    since = now - timedelta(days=days)
    in_a_row = {
        row.user_id: row.in_a_row + 1
        for row in idle.recipients
        if row.active is not None
        and row.in_a_row < MOST_IN_A_ROW
        and (row.last_reminder is None or row.last_reminder.requested <= since)
    }
    language = mail_language(project)
    with override(language):
        text = default_text(project)
    with writing():
        due = projects_to_remind(now=now).filter(pk=project.pk, remind_after_days=days)
        if not due.update(last_automatic_reminders=now):
            return 0
        return _store(
            project,
            in_a_row,
            text=text,
            language=language,
            earlier=Reminder.objects.all(),
            now=now,
        )


def automatic_reminders(project: Project) -> QuerySet[Reminder]:
    """Return the latest automatic reminders of members, each with `name` and `is_to_be_sent`."""
    member = Membership.objects.filter(project=project, user=OuterRef("user"))
    rows = Reminder.objects.filter(project=project, automatic__gt=0).annotate(
        name=Subquery(member.annotate(name=name_of_member()).values("name")),
        is_to_be_sent=Exists(to_be_sent().filter(pk=OuterRef("pk"))),
    )
    return rows.exclude(name=None).order_by("-requested", "name")[:MOST_SHOWN]


def mail_language(project: Project) -> str:
    """Return the language of automatic reminders: that of the translations, or of the site.

    Annotators read the translations, and the interface may not be in their language.
    """
    try:
        return get_supported_language_variant(project.target_language.replace("_", "-").lower())
    except LookupError:
        return str(settings.LANGUAGE_CODE)


def _store(
    project: Project,
    automatic: Mapping[int, int],
    *,
    text: str,
    language: str,
    earlier: QuerySet[Reminder],
    now: datetime,
) -> int:
    """Have workers mail reminders to the users `automatic`, by id; return how many these are.

    The values are as in `Reminder.automatic`. Users who got one of the `earlier` reminders within
    REPEAT_AFTER get none. The caller has a transaction.
    """
    # Two who remind the same people at once, also from two projects, send one email.
    users = set(locked_by_id(User.objects.filter(pk__in=automatic)))
    lately = earlier.filter(user__in=users, requested__gt=now - REPEAT_AFTER)
    users -= set(lately.values_list("user_id", flat=True))
    Reminder.objects.filter(project=project, user__in=users).delete()
    created = Reminder.objects.bulk_create(
        Reminder(
            project=project,
            user_id=pk,
            requested=now,
            text=text,
            language=language,
            automatic=automatic[pk],
        )
        for pk in sorted(users)
    )
    for reminder in created:
        send_task(TASK, reminder.pk)
    return len(created)


def to_be_sent() -> QuerySet[Reminder]:
    """Return the reminders that were not sent yet and are still wanted.

    Former and paused members, for whom no sentence waits, get none.
    """
    return Reminder.objects.filter(
        # A later one would come as a surprise, and beside another.
        requested__gt=clock.now() - REPEAT_AFTER,
        sent=None,
        failed=False,
        project__state=Project.State.OPEN,
        project__delete_after=None,
        user__is_active=True,
        user__wants_reminders=True,
        user__memberships__project=F("project"),
        user__memberships__paused=False,
    ).exclude(user__email="")


def unsent(project: Project) -> QuerySet[Reminder]:
    """Return the last reminders of members that were not sent, and will not be."""
    rows = Reminder.objects.filter(project=project, user__memberships__project=project, sent=None)
    return rows.exclude(pk__in=to_be_sent().values("pk"))


def waiting() -> QuerySet[Reminder]:
    """Return the reminders that wait for a worker that mails them."""
    return mail.unclaimed(to_be_sent())


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
            context = contents(reminder)
            mail.send(
                "reminder",
                reminder.user.email,
                subject=subject,
                headers=unsubscribe_headers(context["stop"]),
                **context,
            )
    except mail.NotSent:
        row.update(failed=True)
    else:
        row.update(sent=clock.now())


def contents(reminder: Reminder) -> dict[str, Any]:
    """Return what the text of the email is rendered with."""
    site = site_address().rstrip("/")
    return {
        "reminder": reminder,
        "address": site + reverse("judge", args=[reminder.project_id]),
        "stop": site + reverse("stop-reminders", args=[stop_token(reminder.user)]),
    }


def unsubscribe_headers(stop: str) -> dict[str, str]:
    """Return the headers by which mail programs offer to unsubscribe, as of RFC 2369 and RFC 8058.

    The latter, with which no page is opened, is for https only.
    """
    headers = {"List-Unsubscribe": f"<{stop}>"}
    if stop.startswith("https:"):
        headers["List-Unsubscribe-Post"] = ONE_CLICK
    return headers


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
