"""The forms of the page from which a project is managed: settings, instructions, members."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.common.exceptions import NotPossible
from annotation.judging import assignment
from annotation.judging.errors import NotAssigned, NotAvailable
from annotation.models import Instructions, Project
from annotation.projects import administration
from annotation.projects.instructions import as_html
from annotation.projects.permissions import LARGEST_ID, project_to_administer
from annotation.selectors.members import members
from annotation.web.confirmation import ask, is_confirmed
from annotation.web.forms.settings import InstructionsForm, LimitForm, MemberForm, SettingsForm
from annotation.web.requests import SignedInRequest
from annotation.web.views.manage_page import address_of, redirect_to_manage, render_manage_page


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
    """Make a sentence that an annotator has open available to the others; ask first."""
    project = project_to_administer(request.user, pk)
    if not is_confirmed(request):
        open_ones = administration.open_assignments(project)
        one = get_object_or_404(open_ones, pk=min(assignment_pk, LARGEST_ID))
        values = {"number": one.sentence.source_number, "name": one.annotator.shown_name}
        return ask(
            request,
            question=_("Release sentence %(number)d?") % values,
            consequences=[
                _("It goes to another annotator.") % values,
                _("%(name)s can only submit it if the sentence becomes free again.") % values,
            ],
            button=_("Release"),
            back=address_of(project, "open"),
        )
    try:
        assignment.release(project=project, assignment_id=assignment_pk)
    except NotAssigned:
        raise Http404 from None
    except NotAvailable as problem:
        messages.error(request, str(problem))
    else:
        messages.success(request, _("The sentence was released."))
    return redirect_to_manage(project, "open")


@never_cache
@login_required
@require_POST
def set_role(request: SignedInRequest, pk: int) -> HttpResponse:
    """Add a member, or change the role of one."""
    project = project_to_administer(request.user, pk)
    form = MemberForm(request.POST)
    if form.is_valid():
        try:
            member = administration.set_role(project=project, by=request.user, **form.cleaned_data)
        except NotPossible as problem:
            form.add_error("username", str(problem))
        else:
            message = _("%(name)s is now a member with this role.") % {"name": member.username}
            messages.success(request, message)
            return redirect_to_manage(project, "members")
    return render_manage_page(request, project, member=form, status=400)


@never_cache
@login_required
@require_POST
def limit_member(request: SignedInRequest, pk: int, user_pk: int) -> HttpResponse:
    """Set the maximum number of sentences for a member."""
    project = project_to_administer(request.user, pk)
    member = get_object_or_404(members(project), user=min(user_pk, LARGEST_ID))
    form = LimitForm(request.POST, instance=member)
    if not form.is_valid():
        return render_manage_page(request, project, limit=form, status=400)
    try:
        administration.limit_sentences(
            project=project, user_id=user_pk, most=form.cleaned_data["sentence_limit"]
        )
    except NotPossible as problem:
        messages.error(request, str(problem))
    else:
        message = _("Limit for %(name)s saved.") % {"name": member.user.username}
        messages.success(request, message)
    return redirect_to_manage(project, "members")


@never_cache
@login_required
@require_POST
def remove_member(request: SignedInRequest, pk: int, user_pk: int) -> HttpResponse:
    """End a membership, and ask first; the member's judgements are kept."""
    project = project_to_administer(request.user, pk)
    if not is_confirmed(request):
        member = get_object_or_404(members(project), user=min(user_pk, LARGEST_ID))
        return ask(
            request,
            question=_("Remove %(name)s from this project?") % {"name": vars(member)["name"]},
            consequences=[
                _("They can no longer open the project."),
                _("Sentences that they have not submitted go to other annotators."),
                _("Their judgements are kept and still count."),
                _("You can add them again at any time."),
            ],
            button=_("Remove"),
            back=address_of(project, "members"),
        )
    try:
        removed = administration.remove_member(project=project, by=request.user, user_id=user_pk)
    except NotPossible as problem:
        messages.error(request, str(problem))
    else:
        message = _("%(name)s was removed. Their judgements are kept.")
        messages.success(request, message % {"name": removed.username})
    return redirect_to_manage(project, "members")
