"""The settings, but what workers do first keeps all other threads of its process waiting."""

from segranks.settings import *  # noqa: F403

CELERY_IMPORTS = ["tests.faults.holding"]
