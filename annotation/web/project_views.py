"""Views of a project: who may open them, by which methods, and the project that they get."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar, cast

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.judging.annotator import ProjectAnnotator, load_annotator
from annotation.models import Project
from annotation.projects.permissions import Right, find_project, may_create_projects
from annotation.web.requests import ProjectRequest, SignedInRequest

READ: Final = ("GET", "HEAD")
POST: Final = ("POST",)
FORM: Final = ("GET", "POST")

Methods = tuple[str, ...]
P = ParamSpec("P")
Found = TypeVar("Found")
# What a decorator of this module takes: a view of the project, or of its annotator.
ViewOf = Callable[Concatenate[ProjectRequest, Found, P], HttpResponseBase]


class ProjectView(Protocol):
    """A view below a project, marked with the right in it that each method requires."""

    rights: Mapping[str, Right]

    def __call__(self, request: HttpRequest, /, *args: Any, **named: Any) -> HttpResponseBase: ...


def project_view(
    *,
    know: Methods = (),
    judge: Methods = (),
    observe: Methods = (),
    administer: Methods = (),
    own: Methods = (),
    cached: bool = False,
) -> Callable[[ViewOf[Project, P]], ProjectView]:
    """Give a view the project `pk` of its address, and the request the user's rights in it.

    `administer=POST` says that the method requires this right. Strangers are asked to sign in;
    other methods get 405; then `find_project` may raise. No browser keeps the answer, unless it is
    `cached` as the view says.
    """
    required: dict[Right, Methods] = {
        "know": know,
        "judge": judge,
        "observe": observe,
        "administer": administer,
        "own": own,
    }
    rights = {method: right for right, methods in required.items() for method in methods}

    def find(request: ProjectRequest, pk: int) -> Project:
        project, request.rights = find_project(request.user, pk, rights[str(request.method)])
        return project

    return _view_of(find, rights, cached=cached)


def annotator_view(methods: Methods) -> Callable[[ViewOf[ProjectAnnotator, P]], ProjectView]:
    """Give a view the user as an annotator of the project; otherwise like `project_view`.

    For others than annotators, it raises Http404.
    """

    def find(request: ProjectRequest, pk: int) -> ProjectAnnotator:
        annotator = load_annotator(request.user, pk)
        if annotator is None or not annotator.rights.may_judge:
            raise Http404
        request.rights = annotator.rights
        return annotator

    return _view_of(find, dict.fromkeys(methods, "judge"))


def for_project_creators(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let in only users who may create projects."""

    @never_cache
    @login_required
    @wraps(view)
    def checked(request: SignedInRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not may_create_projects(request.user):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return checked


def with_rights(view: Callable[..., HttpResponseBase], rights: Mapping[str, Right]) -> ProjectView:
    """Return the view, marked with the right that each of its methods requires."""
    marked = cast(ProjectView, view)
    marked.rights = rights
    return marked


def _view_of(
    find: Callable[[ProjectRequest, int], Found],
    rights: Mapping[str, Right],
    *,
    cached: bool = False,
) -> Callable[[ViewOf[Found, P]], ProjectView]:
    def decorate(view: ViewOf[Found, P]) -> ProjectView:
        @login_required
        @require_http_methods(list(rights))
        @wraps(view)
        def finding(
            request: HttpRequest, pk: int, *args: P.args, **named: P.kwargs
        ) -> HttpResponseBase:
            asked = cast(ProjectRequest, request)
            return view(asked, find(asked, pk), *args, **named)

        return with_rights(finding if cached else never_cache(finding), rights)

    return decorate
