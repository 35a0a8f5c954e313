"""The list of the user's projects."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import Project
from annotation.projects.permissions import may_create_projects
from annotation.selectors.annotator_progress import projects_in_order, statuses_of
from annotation.web.forms.search import ProjectSearchForm
from annotation.web.project_views import READ, project_view
from annotation.web.requests import ProjectRequest, SignedInRequest

PROJECTS_PER_PAGE = 24
# So many are searched and sorted.
MANY_PROJECTS = 10


@never_cache
@login_required
@require_safe
def projects(request: SignedInRequest) -> HttpResponse:
    """List the projects of the user with their progress; `?archived` lists the archived ones.

    `?q=` leaves out those without these words, `?sort=` is one of PROJECT_ORDERS. At most eleven
    queries.
    """
    user = request.user
    archived = "archived" in request.GET
    search = ProjectSearchForm(request.GET, auto_id="projects-%s")
    states = dict(projects_in_order(user, search.order).values_list("pk", "state"))
    in_archive = [pk for pk, state in states.items() if state == Project.State.ARCHIVED]
    current = [pk for pk, state in states.items() if state != Project.State.ARCHIVED]
    listed = in_archive if archived else current
    found = listed
    if search.words:
        having = set(projects_in_order(user, words=search.words).values_list("pk", flat=True))
        found = [pk for pk in listed if pk in having]
    pages = Paginator(found, PROJECTS_PER_PAGE)
    page = pages.get_page(request.GET.get("page"))
    context = {
        "all_progress": statuses_of(user, list(page), search.order),
        "search": search if search.query or len(listed) >= MANY_PROJECTS else None,
        "query": search.query,
        "may_create": may_create_projects(user),
        "page": page,
        "archived": archived,
        "has_archived": archived or bool(in_archive),
        "numbers": pages.get_elided_page_range(page.number, on_each_side=1, on_ends=1),
        "ellipsis": Paginator.ELLIPSIS,
    }
    return render(request, "annotation/projects.html", context)


@project_view(know=READ)
def project(request: ProjectRequest, project: Project) -> HttpResponse:
    """Redirect to the first page of the project that the user may see."""
    return redirect("overview" if request.rights.may_observe else "judge", project.pk)
