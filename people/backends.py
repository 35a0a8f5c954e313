"""Sign in with a password."""

from django.contrib.auth.backends import ModelBackend


class PasswordBackend(ModelBackend):
    """Django's own. Sessions store this path, so it must not change."""
