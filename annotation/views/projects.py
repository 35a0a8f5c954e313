"""The first page: what can be judged."""

from typing import cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language_info
from django.views.decorators.http import require_safe

from annotation.models import User
from annotation.progress import Progress, progress_of


@require_safe
@login_required
def projects(request: HttpRequest) -> HttpResponse:
    """Show the projects of the user and how far they are. Three queries at most."""
    entries = [
        {"progress": progress, "languages": _languages(progress)}
        for progress in progress_of(cast(User, request.user))
    ]
    return render(request, "annotation/projects.html", {"entries": entries})


def _languages(progress: Progress) -> str:
    project = progress.project
    source, target = project.source_language, project.target_language
    return f"{_language_name(source)} → {_language_name(target)}"


def _language_name(code: str) -> str:
    try:
        name = str(get_language_info(code.lower().replace("_", "-"))["name_translated"])
    except KeyError:
        return code
    return name[:1].upper() + name[1:]
