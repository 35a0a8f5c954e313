"""The forms of the page from which a project is managed."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.common.exceptions import NotPossible
from annotation.judging import assignment
from annotation.judging.errors import NotAssigned, NotAvailable
from annotation.models import Instructions, Project
from annotation.projects import administration
from annotation.projects.instructions import as_html
from annotation.projects.permissions import project_to_administer
from annotation.web.forms.settings import InstructionsForm, SettingsForm
from annotation.web.requests import SignedInRequest
from annotation.web.views.manage_page import redirect_to_manage, render_manage_page


@never_cache
@login_required
@require_safe
def manage(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the page; `?version=` loads an earlier version of the instructions into the editor."""
    project = project_to_administer(request.user, pk)
    return render_manage_page(request, project, version=request.GET.get("version"))


@never_cache
@login_required
@require_POST
def set_state(request: SignedInRequest, pk: int) -> HttpResponse:
    project = project_to_administer(request.user, pk)
    state = request.POST.get("state", "")
    try:
        administration.set_state(project=project, state=state)
    except NotPossible as problem:
        messages.error(request, str(problem))
    else:
        paused = state == Project.State.CLOSED
        done = _("Judging is paused.") if paused else _("Judging is open.")
        messages.success(request, done)
    return redirect_to_manage(project)


@never_cache
@login_required
@require_POST
def change_settings(request: SignedInRequest, pk: int) -> HttpResponse:
    project = project_to_administer(request.user, pk)
    form = SettingsForm(request.POST, instance=project)
    if not form.is_valid():
        return render_manage_page(request, project, settings=form, status=400)
    administration.change_settings(project=project, values=form.by_name())
    messages.success(request, _("Settings saved."))
    return redirect_to_manage(project)


@never_cache
@login_required
@require_POST
def change_instructions(request: SignedInRequest, pk: int) -> HttpResponse:
    """Save the instructions, or show a preview if the button `preview` was pressed."""
    project = project_to_administer(request.user, pk)
    form = InstructionsForm(request.POST)
    if not form.is_valid():
        return render_manage_page(request, project, instructions=form, status=400)
    text = form.cleaned_data["text"]
    if "preview" in request.POST:
        preview = as_html(Instructions(text=text)) if text else ""
        return render_manage_page(request, project, instructions=form, preview=preview)
    saved = administration.change_instructions(project=project, author=request.user, text=text)
    if saved is None:
        messages.info(request, _("The instructions have not changed."))
    else:
        messages.success(request, _("Instructions saved. Annotators see them from now on."))
    return redirect_to_manage(project, "instructions")


@never_cache
@login_required
@require_POST
def release(request: SignedInRequest, pk: int, assignment_pk: int) -> HttpResponse:
    """Make a sentence that an annotator has open available to the others."""
    project = project_to_administer(request.user, pk)
    try:
        assignment.release(project=project, assignment_id=assignment_pk)
    except NotAssigned:
        raise Http404 from None
    except NotAvailable as problem:
        messages.error(request, str(problem))
    else:
        messages.success(request, _("The sentence was released."))
    return redirect_to_manage(project, "open")
