"""The types of requests that views get."""

from django.http import HttpRequest

from annotation.models import User


class SignedInRequest(HttpRequest):
    """A request behind `login_required`."""

    user: User
