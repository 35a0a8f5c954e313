"""The settings of a worker that never finishes a stage of a preparation."""

from segranks.settings import *  # noqa: F403

CELERY_IMPORTS = ["tests.segranks.endless_stage"]
