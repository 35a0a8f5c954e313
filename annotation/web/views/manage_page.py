"""Renders the page from which a project is managed. Its forms post to views of their own."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from annotation.judging.control_items import control_items
from annotation.judging.practice import practice_sentences
from annotation.models import Project
from annotation.pipeline.segment_sample import can_be_sampled, sample_of
from annotation.projects import administration
from annotation.projects.instructions import html_of
from annotation.projects.undecided_systems import decision_in_force
from annotation.selectors.preparation_summary import how_prepared
from annotation.selectors.systems import adding, system_rows
from annotation.web.forms.quality_checks import ControlsForm
from annotation.web.forms.settings import InstructionsForm, SettingsForm
from annotation.web.forms.systems import SystemForm

# More skipped sentences are counted, not shown.
MAX_SKIPS = 200


def render_manage_page(
    request: HttpRequest,
    project: Project,
    *,
    version: str | None = None,
    status: int = 200,
    **changes: Any,
) -> HttpResponse:
    """Render the page.

    `version` is the version of the instructions to load into the editor. `changes` replace parts
    of the context: a view passes the form in which it found errors, with a `status` of 400.
    """
    context = {
        "project": project,
        "now": timezone.now(),
        "settings": SettingsForm(instance=project),
        "sample": sample_of(project),
        "can_be_sampled": can_be_sampled(project),
        "open_assignments": administration.open_assignments(project),
        "practice": practice_sentences(project),
        "control_items": control_items(project),
        "controls": ControlsForm(),
        **_instructions(project, version),
        **_systems(project),
        **_skips(project),
    }
    return render(request, "annotation/manage.html", context | changes, status=status)


def redirect_to_manage(project: Project, section: str = "") -> HttpResponseRedirect:
    url = reverse("manage-project", args=[project.pk])
    return HttpResponseRedirect(f"{url}#{section}" if section else url)


def _instructions(project: Project, version: str | None) -> dict[str, Any]:
    versions = list(administration.versions(project))
    current = versions[0] if versions and versions[0].text else None
    loaded = next((one for one in versions if str(one.version) == version), None)
    shown = loaded or current
    return {
        "versions": versions,
        "current": current,
        "current_html": html_of(current.pk, current) if current else "",
        "loaded": loaded,
        "instructions": InstructionsForm(initial={"text": shown.text if shown else ""}),
    }


def _systems(project: Project) -> dict[str, Any]:
    job = adding(project)
    rows = system_rows(project, job)
    return {
        "systems": rows,
        "any_added": any(row.added for row in rows),
        "adding": job,
        "system": SystemForm(project=project),
        "decision": decision_in_force(project),
        "proposal": None,
        "how_prepared": how_prepared(project),
    }


def _skips(project: Project) -> dict[str, Any]:
    skips = administration.skips(project)
    shown = list(skips[: MAX_SKIPS + 1])
    more = skips.count() - MAX_SKIPS if len(shown) > MAX_SKIPS else 0
    return {"skips": shown[:MAX_SKIPS], "more_skips": more}
