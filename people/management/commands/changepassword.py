"""Django's command, with the tables and the errors of ours."""

from django.contrib.auth.management.commands import changepassword

from annotation.common.commands import SegRanksCommand


class Command(SegRanksCommand, changepassword.Command):
    """Set a password. Django finds this command first if `people` is installed before it."""
