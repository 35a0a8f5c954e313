"""Who may call an operation; the rights themselves are those of the pages."""

from typing import Any, ClassVar

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.permissions import SAFE_METHODS, IsAuthenticated
from rest_framework.request import Request

from annotation.projects.permissions import Right, find_project, may_create_projects
from api.models import Token


class IsSignedIn(IsAuthenticated):
    """A token or a session; a read-only token may only use safe methods."""

    # Appended to the description of the operation in the schema.
    audience: ClassVar[str] = ""

    def has_permission(self, request: Request, view: Any) -> bool:
        if not super().has_permission(request, view):
            return False
        token = request.auth
        may_write = not isinstance(token, Token) or token.scope == Token.Scope.WRITE
        if request.method not in SAFE_METHODS and not may_write:
            raise PermissionDenied(
                _("This token is read-only. Create one that may read and administer.")
            )
        return True


class MayCreateProjects(IsSignedIn):
    """Administrators of any project may create another, but not with a token of one project."""

    audience = "For administrators of any project."

    def has_permission(self, request: Request, view: Any) -> bool:
        if not super().has_permission(request, view):
            return False
        if project_of_token(request):
            raise PermissionDenied(
                _("This token is limited to one project and cannot create another.")
            )
        if not may_create_projects(request.user):
            raise PermissionDenied(_("Only administrators of a project can create projects."))
        return True


class ProjectPermission(IsSignedIn):
    """A right in the project `pk` of the address, which becomes `view.project`.

    Raises Http404 if the person is not a member, so that they do not learn whether it exists.
    """

    right: ClassVar[Right]
    message: str | Promise

    def has_permission(self, request: Request, view: Any) -> bool:
        if not super().has_permission(request, view):
            return False
        pk = view.kwargs["pk"]
        if project_of_token(request) not in (None, pk):
            raise Http404
        try:
            view.project, _rights = find_project(view.user, pk, self.right)
        except PermissionDenied:
            return False
        return True


class IsProjectObserver(ProjectPermission):
    audience = "For observers, administrators and owners of the project."
    right = "observe"
    message = gettext_lazy("Your role in this project does not let you see this.")


class IsProjectAdministrator(ProjectPermission):
    audience = "For administrators and owners of the project."
    right = "administer"
    message = gettext_lazy("This is for the administrators of the project.")


class IsProjectOwner(ProjectPermission):
    audience = "For owners of the project."
    right = "own"
    message = gettext_lazy("This is for the owners of the project.")


def project_of_token(request: Request) -> int | None:
    """Return the id of the only project that the token may be used for; None if it is for all."""
    return request.auth.project_id if isinstance(request.auth, Token) else None
