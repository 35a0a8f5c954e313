"""Whose findings one may see."""

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404

from annotation.access import may_administer, may_judge
from annotation.models import Project, User


def project_to_evaluate(user: User | AnonymousUser, pk: int) -> Project:
    """Return the project if the user administers it.

    Raises PermissionDenied for its annotators, who should judge without knowing the results, and
    Http404 for everyone else, who need not know that it exists.
    """
    project = Project.objects.filter(pk=pk).first()
    if project is not None and may_administer(user, project):
        return project
    if project is not None and may_judge(user, project):
        raise PermissionDenied
    raise Http404
