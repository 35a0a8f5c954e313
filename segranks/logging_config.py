"""The setting LOGGING: everything goes to the console, as text or as JSON."""

from typing import Any

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
FORMS = ("PLAIN", "JSON")


def logging_settings(form: str, level: str) -> dict[str, Any]:
    """Return LOGGING for one of FORMS and one of LEVELS."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "PLAIN": {"()": "operations.logs.PlainFormatter"},
            "JSON": {"()": "operations.logs.JSONFormatter"},
        },
        # On the handler, so that it applies to the records of all loggers.
        "filters": {"routes": {"()": "operations.logs.RouteFilter"}},
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": form,
                "filters": ["routes"],
            }
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            # In place of Django's own handlers, which would log paths.
            "django": {"handlers": []},
            "django.server": {"handlers": ["console"], "level": "INFO", "propagate": False},
            # Their warnings are routine: a page that does not exist or is forbidden, a request for
            # another host, a stopped task, a request that waits for a thread.
            "django.request": {"level": "ERROR"},
            "django.security.DisallowedHost": {"level": "CRITICAL"},
            "celery.worker.control": {"level": "ERROR"},
            "waitress.queue": {"level": "ERROR"},
        },
    }
