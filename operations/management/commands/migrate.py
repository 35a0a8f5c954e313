"""Django's `migrate`, which refuses tables of another SegRanks, and waits for locks briefly.

Others wait behind it for these locks, on PostgreSQL.
"""

import time
from typing import Any, Final

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import OperationalError, connections
from django.db.migrations.loader import MigrationLoader

from annotation.common.database_errors import sqlstate
from annotation.common.transactions import CONFLICTS
from annotation.formats.errors import InputError
from operations import database_upgrade

# A migration that waits for the lock of a table keeps all that come after it waiting, too. After
# this time it gives up, is undone, and lets them go on.
LOCK_TIMEOUT: Final = "2s"
# Seconds until it is tried again, and after which it is not.
PAUSE: Final = 3
PATIENCE: Final = 600
# lock_not_available
NO_LOCK: Final = "55P03"


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        database = connections[options["database"]]
        try:
            database_upgrade.refuse_unknown(MigrationLoader(database))
        except InputError as problem:
            raise CommandError(str(problem)) from None
        if database.vendor != "postgresql":
            super().handle(*args, **options)
            return
        with database.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, false)", [LOCK_TIMEOUT])
        try:
            self._until_done(*args, **options)
        finally:
            with database.cursor() as cursor:
                cursor.execute("RESET lock_timeout")

    def _until_done(self, *args: Any, **options: Any) -> None:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                super().handle(*args, **options)
                return
            except OperationalError as problem:
                if sqlstate(problem) not in (NO_LOCK, *CONFLICTS):
                    raise
                if time.monotonic() > deadline:
                    raise CommandError(
                        "Another transaction, for example a backup, has locked a table for "
                        f"{PATIENCE // 60} minutes, so this migration was undone; those before it "
                        "were applied. Run migrate again when the other transaction has ended."
                    ) from problem
            self.stderr.write("Another transaction has locked a table: waiting.")
            time.sleep(PAUSE)
