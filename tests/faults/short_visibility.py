"""The settings, but Redis gives a task that takes longer than a second to another worker too."""

from segranks.settings import *  # noqa: F403
from segranks.settings import CELERY_BROKER_TRANSPORT_OPTIONS as _usual

CELERY_BROKER_TRANSPORT_OPTIONS = _usual | {"visibility_timeout": 1, "unacked_restore_interval": 1}
