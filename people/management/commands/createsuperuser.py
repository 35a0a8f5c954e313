"""Django's command, with an error message for the constraints of our accounts."""

from typing import Any

from django.contrib.auth.management.commands import createsuperuser
from django.core.management.base import CommandError
from django.db import IntegrityError

from annotation.common.commands import SegRanksCommand


class Command(SegRanksCommand, createsuperuser.Command):
    """Create a superuser. Django finds this command first if `people` is installed before it."""

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            super().handle(*args, **options)
        except IntegrityError as problem:
            raise CommandError(
                "Another account has this user name or email address. Use another one, or --email= "
                "for an account without an address."
            ) from problem
