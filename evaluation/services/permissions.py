"""Whose findings one may see."""

from django.contrib.auth.models import AnonymousUser

from annotation.models import Project, User
from annotation.projects.permissions import project_to_observe


def project_to_evaluate(user: User | AnonymousUser, pk: int) -> Project:
    """Return the project if the user may see its findings.

    Raises PermissionDenied for its annotators, who should judge without knowing the results, and
    Http404 for everyone else, who need not know that it exists.
    """
    return project_to_observe(user, pk)
