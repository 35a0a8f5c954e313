"""The types of requests that views get."""

from django.http import HttpRequest

from annotation.models import User
from annotation.projects.permissions import Rights


class SignedInRequest(HttpRequest):
    """A request behind `login_required`."""

    user: User


class ProjectRequest(SignedInRequest):
    """A request to a view of a project, with the user's rights in it."""

    rights: Rights
