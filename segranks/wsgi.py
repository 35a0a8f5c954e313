"""The web application for any WSGI server."""

import os
from collections.abc import Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application
from django.db import connections

from operations.garbage_collection import leave_out_what_is_loaded

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "segranks.settings")
_django = get_wsgi_application()
leave_out_what_is_loaded()


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer a request, after the transaction that an earlier request of the thread left open.

    Django replaces dead connections, but not those inside a transaction; the thread would answer
    503 until the server is restarted.
    """
    for connection in connections.all(initialized_only=True):
        if connection.in_atomic_block:
            connection.close()
            del connections[connection.alias]
    return _django(environ, start_response)
