"""The first page: what can be judged."""

from typing import cast

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import User
from annotation.projects.permissions import may_create_projects
from annotation.selectors.annotator_progress import projects_in_order, statuses_of

PAGE = 24


@never_cache
@login_required
@require_safe
def projects(request: HttpRequest) -> HttpResponse:
    """Show a page of the projects of the user and how far they are. Ten queries at most."""
    user = cast(User, request.user)
    pages = Paginator(projects_in_order(user).values_list("pk", flat=True), PAGE)
    page = pages.get_page(request.GET.get("page"))
    context = {
        "all_progress": statuses_of(user, list(page)),
        "may_create": may_create_projects(user),
        "page": page,
        "numbers": pages.get_elided_page_range(page.number, on_each_side=1, on_ends=1),
        "ellipsis": Paginator.ELLIPSIS,
    }
    return render(request, "annotation/projects.html", context)
