"""The page from which a project is run, and the way back to it from its forms."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from annotation.judging.control_items import control_items
from annotation.judging.practice import practice_sentences
from annotation.models import Instructions, Project
from annotation.projects import administration
from annotation.projects.instructions import as_html
from annotation.selectors.members import all_members
from annotation.selectors.preparation_summary import how_prepared
from annotation.selectors.systems import adding, system_rows
from annotation.web.forms.quality_checks import ControlsForm
from annotation.web.forms.settings import InstructionsForm, LimitForm, MemberForm, SettingsForm
from annotation.web.forms.systems import SystemForm

# More are counted, not shown.
MOST_SKIPS = 200


@dataclass(frozen=True)
class SystemProblem:
    """Why a system was not added; `in_english` where it is said in English in any language."""

    words: str
    in_english: bool = False


def show_page(
    request: HttpRequest,
    project: Project,
    *,
    settings: SettingsForm | None = None,
    instructions: InstructionsForm | None = None,
    member: MemberForm | None = None,
    limit: LimitForm | None = None,
    controls: ControlsForm | None = None,
    system: SystemForm | None = None,
    system_problem: SystemProblem | None = None,
    version: str | None = None,
) -> HttpResponse:
    """Show the page, with the forms that something is wrong with as they were sent."""
    versions = list(administration.versions(project))
    current = versions[0] if versions and versions[0].text else None
    wanted = next((one for one in versions if str(one.version) == version), None)
    skips = administration.skips(project)
    some_skips = list(skips[: MOST_SKIPS + 1])
    at_work = adding(project)
    systems = system_rows(project, at_work)
    context: dict[str, Any] = {
        "project": project,
        "now": timezone.now(),
        "settings": settings or SettingsForm(instance=project),
        "instructions": instructions or _editor(wanted or current),
        "preview": _preview(instructions),
        "wanted": wanted,
        "current": current,
        "current_html": as_html(current) if current else "",
        "versions": versions,
        "open_assignments": administration.open_assignments(project),
        "skips": some_skips[:MOST_SKIPS],
        "more_skips": skips.count() - MOST_SKIPS if len(some_skips) > MOST_SKIPS else 0,
        "practice": practice_sentences(project),
        "control_items": control_items(project),
        "controls": controls or ControlsForm(),
        "systems": systems,
        "any_added": any(row.added for row in systems),
        "adding": at_work,
        "how_prepared": how_prepared(project),
        "system": system or SystemForm(project=project),
        "system_problem": system_problem,
        "member": member or MemberForm(),
        "members": all_members(project),
        "limit": limit,
    }
    forms = (settings, instructions, controls, system, member, limit)
    wrong = system_problem or any(form is not None and not form.is_valid() for form in forms)
    return render(request, "annotation/manage.html", context, status=400 if wrong else 200)


def _editor(version: Instructions | None) -> InstructionsForm:
    return InstructionsForm(initial={"text": version.text if version else ""})


def _preview(form: InstructionsForm | None) -> str:
    """Return what a text looks like that is not saved ("" = nothing to show)."""
    text = form.cleaned_data["text"] if form is not None and form.is_valid() else ""
    return as_html(Instructions(text=text)) if text else ""


def back_to(project: Project, part: str = "") -> HttpResponseRedirect:
    address = reverse("manage-project", args=[project.pk])
    return HttpResponseRedirect(f"{address}#{part}" if part else address)
