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
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from annotation.common.languages import language_name
from annotation.models import Project
from annotation.process import clock
from annotation.projects.administration import change_settings
from annotation.web.project_views import FORM, POST, project_view
from annotation.web.requests import ProjectRequest, SignedInRequest
from people import mail, reminders
from people.forms import AutomaticRemindersForm, ReminderForm
from people.models import Reminder


@project_view(administer=FORM)
def project_reminders(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show whom a reminder would reach, and its text; a post sends it to those who are ticked.

    `?days=` says for how many days they were not active.
    """
    if request.method == "GET":
        return _show_reminders(request, project, _unsent_form(request, project))
    form = ReminderForm(request.POST)
    if not mail.is_configured() and "send" in request.POST:
        messages.error(request, _("This site sends no email."))
        return redirect("reminders", pk=project.pk)
    if not form.is_valid() or "send" not in request.POST:
        return _show_reminders(request, project, form, status=400 if form.errors else 200)
    sent = reminders.send_reminders(
        project=project,
        user_ids={int(pk) for pk in request.POST.getlist("to") if pk.isdecimal() and len(pk) < 19},
        now=clock.now(),
        **form.cleaned_data,
    )
    if sent:
        message = ngettext("%(n)d reminder is being sent.", "%(n)d reminders are being sent.", sent)
        messages.success(request, message % {"n": sent})
    else:
        messages.info(request, _("No reminder was sent. Select at least one annotator."))
    return redirect("reminders", pk=project.pk)


@project_view(administer=POST)
def set_automatic(request: ProjectRequest, project: Project) -> HttpResponse:
    """Store after how many days annotators are reminded automatically."""
    form = AutomaticRemindersForm(request.POST, instance=project)
    if not form.is_valid():
        unsent = _unsent_form(request, project)
        return _show_reminders(request, project, unsent, automatic=form, status=400)
    change_settings(project=project, values=form.cleaned_data)
    if not form.cleaned_data["remind_after_days"]:
        messages.success(request, _("Automatic reminders are off."))
    elif mail.is_configured():
        messages.success(request, _("Annotators are reminded automatically."))
    else:
        # The page says that none can be sent.
        messages.success(request, _("Settings saved."))
    return redirect("reminders", pk=project.pk)


@never_cache
@csrf_exempt
@sensitive_variables("token")
@require_http_methods(["GET", "POST"])
def stop_reminders(request: HttpRequest, token: str) -> HttpResponse:
    """Show whose reminders the link stops; a post stops them.

    Programs that fetch links for a preview do not post, so they stop nothing. Mail programs post
    without a session (RFC 8058). Who posts knows the secret of the link, so that there is nothing
    of a session that a CSRF token could protect.
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


def _unsent_form(request: ProjectRequest, project: Project) -> ReminderForm:
    days = request.GET.get("days", "")
    return ReminderForm(
        initial={
            "days": days if days.isdecimal() and len(days) < 4 else reminders.DEFAULT_DAYS,
            "text": reminders.default_text(project),
        }
    )


def _show_reminders(
    request: ProjectRequest,
    project: Project,
    form: ReminderForm,
    *,
    automatic: AutomaticRemindersForm | None = None,
    status: int = 200,
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
        "automatic": automatic or AutomaticRemindersForm(instance=project),
        "automatic_language": language_name(reminders.mail_language(project)),
        "automatic_reminders": reminders.automatic_reminders(project),
        "most_in_a_row": reminders.MOST_IN_A_ROW,
        "unsent": reminders.unsent(project).select_related("user"),
    }
    return render(request, "people/reminders.html", context, status=status)
