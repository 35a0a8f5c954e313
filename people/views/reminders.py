"""Reminding annotators, and unsubscribing from reminders."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from annotation.models import Project
from annotation.process import clock
from annotation.web.project_views import FORM, project_view
from annotation.web.requests import ProjectRequest, SignedInRequest
from people import mail, reminders
from people.forms import ReminderForm
from people.models import Reminder


@project_view(administer=FORM)
def project_reminders(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show whom a reminder would reach, and its text; a post sends it to those who are ticked.

    `?days=` says for how many days they were not active.
    """
    now = clock.now()
    if request.method == "GET":
        days = request.GET.get("days", "")
        form = ReminderForm(
            initial={
                "days": days if days.isdecimal() and len(days) < 4 else reminders.DEFAULT_DAYS,
                "text": reminders.default_text(project),
            }
        )
        return _show_reminders(request, project, form)
    form = ReminderForm(request.POST)
    if not mail.is_configured() and "send" in request.POST:
        messages.error(request, _("This site sends no email."))
        return redirect("reminders", pk=project.pk)
    if not form.is_valid() or "send" not in request.POST:
        return _show_reminders(request, project, form, status=400 if form.errors else 200)
    sent = reminders.send_reminders(
        project=project,
        user_ids={int(pk) for pk in request.POST.getlist("to") if pk.isdecimal() and len(pk) < 19},
        now=now,
        **form.cleaned_data,
    )
    if sent:
        message = ngettext("%(n)d reminder is being sent.", "%(n)d reminders are being sent.", sent)
        messages.success(request, message % {"n": sent})
    else:
        messages.info(request, _("No reminder was sent. Select at least one annotator."))
    return redirect("reminders", pk=project.pk)


@never_cache
@sensitive_variables("token")
@require_http_methods(["GET", "POST"])
def stop_reminders(request: HttpRequest, token: str) -> HttpResponse:
    """Show whose reminders the link stops; a post stops them.

    Programs that fetch links for a preview do not post, so they stop nothing.
    """
    user = reminders.user_to_stop(token)
    if user is None:
        return render(request, "people/stop_reminders.html", status=404)
    stopped = request.method == "POST"
    if stopped:
        reminders.set_wish(user=user, wants_reminders=False)
    return render(request, "people/stop_reminders.html", {"person": user, "stopped": stopped})


@never_cache
@login_required
@require_POST
def set_wish(request: SignedInRequest) -> HttpResponse:
    """Turn reminders to the signed-in user on or off."""
    wants = "wants_reminders" in request.POST
    reminders.set_wish(user=request.user, wants_reminders=wants)
    messages.success(
        request, _("You will get reminders.") if wants else _("You will get no reminders.")
    )
    return redirect("account")


def _show_reminders(
    request: ProjectRequest, project: Project, form: ReminderForm, *, status: int = 200
) -> HttpResponse:
    days = str(form["days"].value())
    is_number = days.isdecimal() and len(days) < 4
    idle = reminders.idle_annotators(
        project, days=int(days) if is_number else reminders.DEFAULT_DAYS, now=clock.now()
    )
    text = str(form["text"].value() or "").strip()
    sample = Reminder(project=project, user=request.user, text=text)
    context: dict[str, Any] = {
        "project": project,
        "form": form,
        "idle": idle,
        "now": clock.now(),
        "chosen": set(request.POST.getlist("to")) if form.is_bound else None,
        "mail_is_configured": mail.is_configured(),
        "preview": render_to_string(
            "people/mail/reminder.txt",
            reminders.contents(sample) | {"stop": _("(a link for each person)")},
        ).strip(),
        "failed": Reminder.objects.filter(project=project, failed=True).select_related("user"),
    }
    return render(request, "people/reminders.html", context, status=status)
