"""What is logged, how and where: to the console, for people or for programs."""

from typing import Any

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
# For people, or for programs: a JSON object a line.
FORMS = ("PLAIN", "JSON")


def logging_of(form: str, level: str) -> dict[str, Any]:
    """Return Django's LOGGING for one of the forms and levels."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "PLAIN": {"()": "operations.logs.PlainFormatter"},
            "JSON": {"()": "operations.logs.JSONFormatter"},
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": form}},
        "root": {"handlers": ["console"], "level": level},
        # These warn of an order to stop, of every visitor who waits a moment for a thread, of every
        # page that is not there or not theirs, and of everybody who asks for another site.
        "loggers": {
            "django.request": {"level": "ERROR"},
            "django.security.DisallowedHost": {"level": "CRITICAL"},
            "celery.worker.control": {"level": "ERROR"},
            "waitress.queue": {"level": "ERROR"},
        },
    }
