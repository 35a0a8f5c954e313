"""Creating, changing and testing the webhooks of a project."""

from collections import defaultdict
from collections.abc import Sequence

from django.db import IntegrityError, transaction
from django.db.models import Prefetch, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext as _

from annotation.common.exceptions import NotPossible
from annotation.common.transactions import retried
from annotation.models import Project
from webhooks import deliveries, event_detection, url_policy
from webhooks.models import TEST, Attempt, Delivery, Webhook
from webhooks.signatures import new_salt

# Of one project.
MAX_WEBHOOKS = 10
# Of one webhook: unsent messages, and messages that the page lists.
MAX_WAITING = 20
MAX_SHOWN = 20


def webhooks_of(project: Project) -> QuerySet[Webhook]:
    return project.webhooks.order_by("pk")


def latest_deliveries(project: Project) -> dict[int, list[Delivery]]:
    """Return the latest deliveries by webhook, with attempts, newest first. Two queries."""
    found: dict[int, list[Delivery]] = defaultdict(list)
    place = Window(RowNumber(), partition_by="webhook", order_by="-pk")
    latest = Delivery.objects.filter(webhook__project=project).annotate(place=place)
    attempts = Prefetch("attempts", Attempt.objects.order_by("-number"))
    for delivery in latest.filter(place__lte=MAX_SHOWN).order_by("-pk").prefetch_related(attempts):
        found[delivery.webhook_id].append(delivery)
    return found


@retried
def create(*, project: Project, address: str, events: Sequence[str]) -> Webhook:
    """Add a webhook that receives events from now on.

    Raises `url_policy.NotAllowed`; NotPossible if the address is taken or there are too many.
    """
    url_policy.check(address)
    with transaction.atomic():
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        of_project = webhooks_of(project)
        if of_project.count() >= MAX_WEBHOOKS:
            message = _("A project can have at most %(limit)d webhooks. Remove one first.")
            raise NotPossible(message % {"limit": MAX_WEBHOOKS})
        if of_project.filter(address=address).exists():
            raise NotPossible(_already())
        return Webhook.objects.create(
            project=project,
            address=address,
            events=list(events),
            salt=new_salt(),
            **event_detection.seen_now(project),
        )


def change(webhook: Webhook, *, address: str, events: Sequence[str], active: bool) -> None:
    """Change a webhook. A new event is sent from now on; turning it off gives up its messages.

    Raises as `create`, and NotPossible if it was removed meanwhile.
    """
    url_policy.check(address)
    this = Webhook.objects.filter(pk=webhook.pk)
    try:
        with transaction.atomic():
            # Read again: a worker may have detected events since the request read the webhook.
            now = this.select_related("project").select_for_update(of=("self",)).get()
            begins = active and (not now.active or bool(set(events) - set(now.events)))
            seen = event_detection.seen_now(now.project, now.seen_share) if begins else {}
            this.update(address=address, events=list(events), active=active, **seen)
            if not active:
                deliveries.give_up(webhook.deliveries.all())
    except IntegrityError:
        raise NotPossible(_already()) from None
    except Webhook.DoesNotExist:
        raise NotPossible(_("The webhook no longer exists.")) from None


def remove(webhook: Webhook) -> None:
    """Delete the webhook and its deliveries."""
    webhook.delete()


def renew_secret(webhook: Webhook) -> None:
    """Replace the secret; the former one is invalid at once."""
    Webhook.objects.filter(pk=webhook.pk).update(salt=new_salt())


def send_test(webhook: Webhook) -> Delivery:
    """Store a test message that workers send within seconds. Raises NotPossible."""
    _refuse_if_off(webhook)
    waiting = webhook.deliveries.filter(state=Delivery.State.WAITING)
    if waiting.count() >= MAX_WAITING:
        raise NotPossible(_("Too many messages are waiting. Try again when they have been sent."))
    delivery = deliveries.new_delivery(webhook, TEST)
    delivery.save()
    return delivery


def send_again(delivery: Delivery) -> None:
    """Send the message once more. Raises NotPossible if it is still waiting."""
    _refuse_if_off(delivery.webhook)
    if not deliveries.send_again(delivery):
        raise NotPossible(_("This message is already being sent."))


def _refuse_if_off(webhook: Webhook) -> None:
    if not webhook.active:
        raise NotPossible(_("The webhook is off. Turn it on first."))


def _already() -> str:
    return _("The project already has a webhook with this address.")
