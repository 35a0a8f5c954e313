"""The connection to PostgreSQL: where Django looks for it in an engine."""

import select
import time
from typing import Final

from django.db.backends.postgresql import base

# Seconds: what was used so recently is there still, unless it says otherwise.
RECENT: Final = 5.0


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, but for how it is found out whether a connection that is kept is still good."""

    _looked_at = float("-inf")

    def is_usable(self) -> bool:
        """Return whether queries can be sent.

        A server that ends a connection says so on it, and says nothing else unless it is asked. So
        it is asked only where something lies there to be read, went wrong before, or nobody has
        used the connection for seconds: a machine that is gone says nothing.
        """
        if self.connection is None or self.connection.closed:
            return False
        now = time.monotonic()
        is_recent, self._looked_at = now - self._looked_at < RECENT, now
        if is_recent and not self.errors_occurred and not _can_be_read(self.connection.fileno()):
            return True
        usable: bool = super().is_usable()
        return usable


def _can_be_read(connection: int) -> bool:
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    return bool(poll.poll(0))
