"""Django's command, which knows nothing of what the database asks of accounts as a whole."""

from typing import Any

from django.contrib.auth.management.commands import createsuperuser
from django.core.management.base import CommandError
from django.db import IntegrityError


class Command(createsuperuser.Command):
    """Make an account for whoever runs the site; say which of its data another account has."""

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            super().handle(*args, **options)
        except IntegrityError as problem:
            raise CommandError(
                "Another account has this name or mail address: give another one. An account "
                "without an address is made with --email=."
            ) from problem
