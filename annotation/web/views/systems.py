"""The systems and the reference of a project: adding, deciding systems, sampling segments."""

from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from annotation.common.error_messages import localize, localize_error, with_location
from annotation.formats.errors import InputError
from annotation.formats.problems import Refused
from annotation.kinds import kind_of
from annotation.kinds.unit_words import Number
from annotation.models import Project
from annotation.pipeline import jobs
from annotation.pipeline.reassignment import sample_segments
from annotation.pipeline.segment_sample import (
    can_be_sampled,
    count_from,
    sample_of,
    sample_project,
)
from annotation.projects.references import last_reference
from annotation.projects.undecided_systems import decision_in_force, propose, set_undecided
from annotation.selectors.preparation_summary import how_prepared
from annotation.selectors.systems import adding, system_rows
from annotation.uploads.add_system import add_reference as add_uploaded_reference
from annotation.uploads.add_system import add_system as add_uploaded_system
from annotation.uploads.upload_handlers import came_whole, stream_to_disk
from annotation.web.forms.systems import ReferenceForm, SystemForm
from annotation.web.project_views import POST, READ, project_view
from annotation.web.requests import ProjectRequest, SignedInRequest

# The form of a system on the same page has the names of its fields as ids.
REFERENCE_IDS: Final = "reference-%s"


@project_view(administer=READ)
def systems(request: ProjectRequest, project: Project) -> HttpResponse:
    return _show_systems(request, project)


@csrf_exempt
@project_view(administer=POST)
def add_system(request: ProjectRequest, project: Project) -> HttpResponse:
    """Store an uploaded system and enqueue the job that adds it.

    The CSRF check reads the whole body, so it comes after the checks of permission and size.
    """
    if not stream_to_disk(request, int(settings.MAX_UPLOAD_BYTES)):
        return _too_large(request, project)
    return _store_system(request, project)


@csrf_exempt
@project_view(administer=POST)
def add_reference(request: ProjectRequest, project: Project) -> HttpResponse:
    """Store an uploaded reference of the project; checks as in `add_system`."""
    if not stream_to_disk(request, int(settings.MAX_UPLOAD_BYTES)):
        return _too_large(request, project, part="reference")
    return _store_reference(request, project)


@project_view(administer=POST)
def continue_adding(request: ProjectRequest, project: Project, system_pk: int) -> HttpResponse:
    """Enqueue the job again for a system that was not added completely."""
    system = get_object_or_404(project.systems, pk=system_pk)
    rows = system_rows(project, adding(project))
    if system not in {row.system for row in rows if row.is_unfinished}:
        messages.info(request, _("This system is complete."))
        return redirect("project-systems", project.pk)
    try:
        jobs.queue_system(project, system.name)
    except jobs.JobInProgress:
        messages.error(request, _busy())
    return redirect("project-systems", project.pk)


@project_view(administer=POST)
def sample_more_segments(request: ProjectRequest, project: Project, system_pk: int) -> HttpResponse:
    """Sample more segments to judge a system that was added with a sample."""
    system = get_object_or_404(project.systems, pk=system_pk)
    _sample(
        request,
        lambda count: sample_segments(system=system, count=count),
        kind_of(project).unit.words.judged_again,
        fewer=_("There are no more with a new candidate in judged sentences."),
    )
    return redirect("project-systems", project.pk)


@project_view(administer=POST)
def sample_project_segments(request: ProjectRequest, project: Project) -> HttpResponse:
    """Have annotators judge a random sample of the segments, or add to the sample."""
    _sample(
        request,
        lambda count: sample_project(project=project, count=count),
        kind_of(project).unit.words.newly_sampled,
        fewer=_("There are no more with candidates to compare."),
    )
    return redirect("project-systems", project.pk)


@project_view(administer=POST)
def set_undecided_systems(request: ProjectRequest, project: Project) -> HttpResponse:
    """Show annotators the chosen systems only, or the administrator what that would save."""
    names = request.POST.getlist("undecided")
    try:
        if "propose" in request.POST:
            proposal = propose(project=project, names=names)
            return _show_systems(request, project, proposal=proposal)
        decision = set_undecided(project=project, names=names, by=str(request.user))
    except InputError as error:
        messages.error(request, localize_error(error).words)
    else:
        if decision is None:
            messages.info(request, _("Nothing changes: annotators see these systems already."))
        elif decision.decided:
            messages.success(request, _("New assignments show the undecided systems only."))
        else:
            messages.success(request, _("New assignments show all systems again."))
    return redirect("project-systems", project.pk)


@project_view(administer=READ)
def state(request: ProjectRequest, project: Project) -> JsonResponse:
    """Return the progress of adding a system, which the page asks for every second."""
    job = adding(project)
    if job is None:
        return JsonResponse({"state": "done"})
    return JsonResponse({name: getattr(job, name) for name in ("state", "words", "done", "total")})


def _sample(
    request: SignedInRequest,
    sample: Callable[[int], int],
    words: Any,
    *,
    fewer: str,
) -> None:
    """Sample the number of segments that was entered, and say how many were; `fewer`: why less.

    `words` are those of the kind's unit.
    """
    try:
        count = count_from(request.POST.get("count", ""))
        sampled = sample(count)
    except InputError as error:
        messages.error(request, localize_error(error).words)
    else:
        said = words % {"number": Number(sampled)}
        messages.success(request, said if sampled == count else f"{said} {fewer}")


@csrf_protect
def _store_system(request: SignedInRequest, project: Project) -> HttpResponse:
    if not came_whole(request):
        return _too_large(request, project)
    if project.state not in (Project.State.OPEN, Project.State.CLOSED):
        return _show_refusal(
            request, project, _("Wait until the project is prepared, then try again.")
        )
    form = SystemForm(request.POST, request.FILES, project=project)
    if not form.is_valid():
        return _show_systems(request, project, system=form, status=400)
    given = form.cleaned_data
    if refused := _try_to_store(
        request,
        project,
        "system",
        form,
        lambda: add_uploaded_system(
            project=project,
            name=given["system_name"],
            text=given["text_file"],
            links=given.get("links_file"),
            tokenized=given["tokenized"],
            judge=given["judge"],
            encoding=given["encoding"],
        ),
    ):
        return refused
    message = _("“%(name)s” was stored. Its candidates are being collected.")
    messages.success(request, message % {"name": given["system_name"]})
    return redirect("project-systems", project.pk)


@csrf_protect
def _store_reference(request: SignedInRequest, project: Project) -> HttpResponse:
    if not came_whole(request):
        return _too_large(request, project, part="reference")
    form = ReferenceForm(request.POST, request.FILES, auto_id=REFERENCE_IDS)
    if not form.is_valid():
        return _show_systems(request, project, reference=form, status=400)
    if refused := _try_to_store(
        request,
        project,
        "reference",
        form,
        lambda: add_uploaded_reference(
            project=project,
            text=form.cleaned_data["text_file"],
            tokenized=form.cleaned_data["tokenized"],
            encoding=form.cleaned_data["encoding"],
        ),
    ):
        return refused
    messages.success(request, _("The reference was stored."))
    return redirect("project-systems", project.pk)


def _try_to_store(
    request: SignedInRequest,
    project: Project,
    part: str,
    form: Form,
    store: Callable[[], object],
) -> HttpResponse | None:
    """Store what was uploaded by the form of this part; return the page if it is refused."""
    changes: dict[str, Any] = {"part": part, part: form}
    try:
        store()
    except jobs.JobInProgress:
        return _show_refusal(request, project, _busy(), **changes)
    except Refused as refusal:
        return _show_refusal(request, project, with_location(localize(refusal.problem)), **changes)
    except InputError as error:
        said = localize_error(error)
        if probable := error.values.get("encoding"):
            # The file has to be chosen again, but not its encoding.
            entered = request.POST.copy()
            entered["encoding"] = str(probable)
            form.data = entered
        problem = with_location(said)
        return _show_refusal(request, project, problem, in_english=said.in_english, **changes)
    return None


def _too_large(request: SignedInRequest, project: Project, *, part: str = "system") -> HttpResponse:
    limit = int(settings.MAX_UPLOAD_BYTES) // 1_000_000
    problem = _("These files are too large. The limit is %(limit)d MB.") % {"limit": limit}
    return _show_refusal(request, project, problem, part=part, status=413)


def _show_refusal(
    request: SignedInRequest,
    project: Project,
    problem: str,
    *,
    part: str = "system",
    in_english: bool = False,
    status: int = 400,
    **changes: Any,
) -> HttpResponse:
    """Show the page with the problem, which some readers report `in_english` only."""
    shown = {"words": problem, "in_english": in_english}
    changes[f"{part}_problem"] = shown
    return _show_systems(request, project, status=status, **changes)


def _show_systems(
    request: SignedInRequest, project: Project, *, status: int = 200, **changes: Any
) -> HttpResponse:
    """Render the page; `changes` replace parts of its context, such as a form with errors."""
    job = adding(project)
    rows = system_rows(project, job)
    context = {
        "project": project,
        "sample": sample_of(project),
        "can_be_sampled": can_be_sampled(project),
        "systems": rows,
        "any_added": any(row.added for row in rows),
        "adding": job,
        "system": SystemForm(project=project),
        "reference": ReferenceForm(auto_id=REFERENCE_IDS),
        "references": last_reference(project),
        "decision": decision_in_force(project),
        "proposal": None,
        "how_prepared": how_prepared(project),
    }
    return render(request, "annotation/settings/systems.html", context | changes, status=status)


def _busy() -> str:
    return _("Another system is being added. Try again when it is done.")
