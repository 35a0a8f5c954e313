"""What the administrators of a project do with its webhooks."""

from collections import defaultdict
from collections.abc import Sequence
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.db.models import Prefetch, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext as _

from annotation.models import Project
from webhooks import deliveries, event_detection, url_policy
from webhooks.models import TEST, Attempt, Delivery, Webhook
from webhooks.signatures import new_salt

# Of one project.
MOST_WEBHOOKS = 10
# Of one webhook; more tests have to wait until some are settled.
MOST_WAITING = 20
# Of one webhook that are kept in sight.
MOST_SHOWN = 20


class NotPossible(Exception):
    """Something that cannot be done; the message is for people."""


def webhooks_of(project: Project) -> QuerySet[Webhook]:
    return Webhook.objects.filter(project=project).order_by("pk")


def latest_deliveries(project: Project) -> dict[int, list[Delivery]]:
    """Return the latest deliveries of each of its webhooks, by id, the newest first. Two queries.

    Each has its attempts in `tried`, the newest first too.
    """
    found: dict[int, list[Delivery]] = defaultdict(list)
    place = Window(RowNumber(), partition_by="webhook", order_by="-pk")
    latest = Delivery.objects.filter(webhook__project=project).annotate(place=place)
    attempts = Prefetch("tried", Attempt.objects.order_by("-number"))
    for delivery in latest.filter(place__lte=MOST_SHOWN).order_by("-pk").prefetch_related(attempts):
        found[delivery.webhook_id].append(delivery)
    return found


def create(*, project: Project, address: str, events: Sequence[str]) -> Webhook:
    """Add a webhook that is told of what happens from now on.

    Raises `addresses.NotAllowed`, and NotPossible where it is there already or there are enough.
    """
    url_policy.parse(address)
    with transaction.atomic():
        Project.objects.select_for_update().get(pk=project.pk)
        of_project = webhooks_of(project)
        if of_project.count() >= MOST_WEBHOOKS:
            told = _("A project has at most %(limit)d webhooks: remove one first.")
            raise NotPossible(told % {"limit": MOST_WEBHOOKS})
        if of_project.filter(address=address).exists():
            raise NotPossible(_already())
        return Webhook.objects.create(
            project=project,
            address=address,
            events=list(events),
            salt=new_salt(),
            **event_detection.as_seen_now(project),
        )


def change(webhook: Webhook, *, address: str, events: Sequence[str], active: bool) -> None:
    """Change it; whatever is new to it, it is told of what happens from now on.

    What waits for one that is turned off is given up. Raises as `create`, and where it is removed.
    """
    url_policy.parse(address)
    this = Webhook.objects.filter(pk=webhook.pk)
    try:
        with transaction.atomic():
            # Whoever looks for what happened may have seen more than this request did.
            now = this.select_related("project").select_for_update(of=("self",)).get()
            begins = active and (not now.active or bool(set(events) - set(now.events)))
            seen = event_detection.as_seen_now(now.project, now.seen_share) if begins else {}
            this.update(address=address, events=list(events), active=active, **seen)
            if not active:
                deliveries.give_up(webhook.deliveries.all())
    except IntegrityError:
        raise NotPossible(_already()) from None
    except Webhook.DoesNotExist:
        raise NotPossible(_("The webhook is not there any more.")) from None


def remove(webhook: Webhook) -> None:
    """Remove it with all that was delivered."""
    webhook.delete()


def renew_secret(webhook: Webhook) -> None:
    """Give it another secret; what was signed with the former one passes no longer."""
    Webhook.objects.filter(pk=webhook.pk).update(salt=new_salt())


def send_test(webhook: Webhook) -> Delivery:
    """Have a message delivered that tells of nothing. Raises NotPossible."""
    _refuse_idle(webhook)
    waiting = webhook.deliveries.filter(state=Delivery.State.WAITING)
    if waiting.count() >= MOST_WAITING:
        raise NotPossible(_("Too much waits to be delivered already: wait until it is settled."))
    with transaction.atomic():
        return event_detection.tell(webhook, TEST, f"{TEST}:{uuid4()}")


def send_again(delivery: Delivery) -> None:
    """Have it delivered once more. Raises NotPossible where it is on its way."""
    _refuse_idle(delivery.webhook)
    if not deliveries.send_again(delivery):
        raise NotPossible(_("This is on its way already."))


def _refuse_idle(webhook: Webhook) -> None:
    if not webhook.active:
        raise NotPossible(_("The webhook is off: turn it on first."))


def _already() -> str:
    return _("The project has a webhook with this address already.")
