"""The first page: what can be judged."""

from typing import cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.models import User
from annotation.progress import progress_of


@require_safe
@login_required
def projects(request: HttpRequest) -> HttpResponse:
    """Show the projects of the user and how far they are. Three queries at most."""
    user = cast(User, request.user)
    all_progress = progress_of(user)
    # Known already where there is a project to administer.
    administers = any(progress.may_administer for progress in all_progress)
    context = {
        "all_progress": all_progress,
        "may_create": administers or user.is_superuser,
    }
    return render(request, "annotation/projects.html", context)
