"""The page of a project's webhooks. Each of its forms has a URL of its own."""

from dataclasses import dataclass

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.common.exceptions import NotPossible
from annotation.models import Project
from annotation.projects.permissions import LARGEST_ID
from annotation.web.confirmation import ask, is_confirmed
from annotation.web.project_views import POST, READ, project_view
from annotation.web.requests import ProjectRequest
from webhooks import services, signatures
from webhooks.forms import NewWebhookForm, WebhookForm
from webhooks.models import Delivery, Webhook

# Session key: the webhook whose secret the next page shows, once.
NEWLY_MADE = "new-webhook"


@dataclass(frozen=True)
class Card:
    """A webhook as the page shows it; `secret` is "" unless it is new."""

    webhook: Webhook
    form: WebhookForm
    deliveries: list[Delivery]
    secret: str


@project_view(administer=READ)
def webhooks(request: ProjectRequest, project: Project) -> HttpResponse:
    return _page(request, project)


@project_view(administer=POST)
def new_webhook(request: ProjectRequest, project: Project) -> HttpResponse:
    form = NewWebhookForm(request.POST)
    if form.is_valid():
        try:
            webhook = services.create(project=project, **form.cleaned_data)
        except NotPossible as problem:
            form.add_error("address", str(problem))
        else:
            request.session[NEWLY_MADE] = webhook.pk
            messages.success(request, _("Webhook added. It receives events from now on."))
            return _back_to(project, webhook)
    return _page(request, project, new=form)


@project_view(administer=POST)
def change_webhook(request: ProjectRequest, project: Project, webhook_pk: int) -> HttpResponse:
    webhook = _webhook(project, webhook_pk)
    form = WebhookForm(request.POST, webhook=webhook)
    if form.is_valid():
        try:
            services.change(webhook, **form.cleaned_data)
        except NotPossible as problem:
            form.add_error("address", str(problem))
        else:
            messages.success(request, _("Webhook saved."))
            return _back_to(project, webhook)
    return _page(request, project, changed=(webhook.pk, form))


@project_view(administer=POST)
def remove_webhook(request: ProjectRequest, project: Project, webhook_pk: int) -> HttpResponse:
    webhook = _webhook(project, webhook_pk)
    if not is_confirmed(request):
        return ask(
            request,
            question=_("Remove this webhook?"),
            consequences=[
                _("Nothing more is sent to %(address)s.") % {"address": webhook.address},
                _("The list of its messages and its signing secret are deleted."),
                _("You can add the address again; it gets another secret."),
            ],
            button=_("Remove webhook"),
            back=reverse("webhooks", args=[project.pk]),
        )
    services.remove(webhook)
    messages.success(request, _("Webhook removed."))
    return _back_to(project)


@project_view(administer=POST)
def renew_webhook_secret(
    request: ProjectRequest, project: Project, webhook_pk: int
) -> HttpResponse:
    webhook = _webhook(project, webhook_pk)
    services.renew_secret(webhook)
    request.session[NEWLY_MADE] = webhook.pk
    messages.success(request, _("New secret created. The old one no longer works."))
    return _back_to(project, webhook)


@project_view(administer=POST)
def test_webhook(request: ProjectRequest, project: Project, webhook_pk: int) -> HttpResponse:
    webhook = _webhook(project, webhook_pk)
    try:
        services.send_test(webhook)
        messages.success(request, _("Test message queued. Reload this page to see the result."))
    except NotPossible as problem:
        messages.error(request, str(problem))
    return _back_to(project, webhook)


@project_view(administer=POST)
def deliver_again(
    request: ProjectRequest, project: Project, webhook_pk: int, delivery_pk: int
) -> HttpResponse:
    webhook = _webhook(project, webhook_pk)
    delivery = get_object_or_404(webhook.deliveries, pk=min(delivery_pk, LARGEST_ID))
    delivery.webhook = webhook
    try:
        services.send_again(delivery)
        messages.success(request, _("Message queued again. Reload this page to see the result."))
    except NotPossible as problem:
        messages.error(request, str(problem))
    return _back_to(project, webhook)


def _page(
    request: HttpRequest,
    project: Project,
    *,
    new: NewWebhookForm | None = None,
    changed: tuple[int, WebhookForm] | None = None,
) -> HttpResponse:
    """Show all webhooks. An invalid form is shown as it was submitted."""
    forms = dict([changed] if changed else [])
    with_secret = request.session.pop(NEWLY_MADE, None)
    deliveries = services.latest_deliveries(project)
    context = {
        "project": project,
        "hosts": settings.WEBHOOK_HOSTS,
        "most": services.MAX_WEBHOOKS,
        "new": new or NewWebhookForm(),
        "cards": [
            Card(
                webhook=webhook,
                form=forms.get(webhook.pk) or WebhookForm(webhook=webhook),
                deliveries=deliveries.get(webhook.pk, []),
                secret=signatures.secret_of(webhook) if webhook.pk == with_secret else "",
            )
            for webhook in services.webhooks_of(project)
        ],
    }
    return render(request, "webhooks/webhooks.html", context, status=400 if new or changed else 200)


def _webhook(project: Project, webhook_pk: int) -> Webhook:
    return get_object_or_404(services.webhooks_of(project), pk=min(webhook_pk, LARGEST_ID))


def _back_to(project: Project, webhook: Webhook | None = None) -> HttpResponseRedirect:
    address = reverse("webhooks", args=[project.pk])
    return HttpResponseRedirect(f"{address}#webhook-{webhook.pk}" if webhook else address)
