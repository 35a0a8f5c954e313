"""What a resource of a project asks of whoever wants it."""

from collections.abc import Callable
from enum import Enum

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from annotation.models import Project
from annotation.projects import permissions
from api.models import Token


class Right(Enum):
    """What a member of a project may, as `annotation.projects.permissions` has it."""

    OBSERVE = "observe"
    ADMINISTER = "administer"
    OWN = "own"


ASKED: dict[Right, Callable[..., Project]] = {
    Right.OBSERVE: permissions.project_to_observe,
    Right.ADMINISTER: permissions.project_to_administer,
    Right.OWN: permissions.project_to_own,
}
REFUSALS = {
    Right.OBSERVE: gettext_lazy("Your role in this project does not let you see this."),
    Right.ADMINISTER: gettext_lazy("This is for the administrators of the project."),
    Right.OWN: gettext_lazy("This is for the owners of the project."),
}


class ScopeAllows(BasePermission):
    """A token that may only read changes nothing."""

    @property
    def message(self) -> str:
        return _("This token may only read: make one that may administer.")

    def has_permission(self, request: Request, view: APIView) -> bool:
        token = request.auth
        reads = request.method in SAFE_METHODS
        return reads or not isinstance(token, Token) or token.scope == Token.Scope.WRITE


def project_for(request: Request, pk: int, right: Right) -> Project:
    """Return the project where the person has the right and the token is good for it.

    Raises Http404 where they need not know that it exists, and PermissionDenied.
    """
    if limited_to(request) not in (None, pk):
        raise Http404
    try:
        return ASKED[right](request.user, pk)
    except PermissionDenied:
        raise PermissionDenied(str(REFUSALS[right])) from None


def limited_to(request: Request) -> int | None:
    """Return the id of the only project that the token is good for; None where it is for all."""
    return request.auth.project_id if isinstance(request.auth, Token) else None


def refuse_makers_of_none(request: Request) -> None:
    """Raise PermissionDenied where the person may make no project, or not with this token."""
    if limited_to(request):
        raise PermissionDenied(_("This token is good for one project only, and makes none."))
    if not permissions.may_create_projects(request.user):
        raise PermissionDenied(_("Making projects is for those who administer one already."))
