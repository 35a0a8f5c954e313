from django.apps import AppConfig
from django.conf import settings

from operations import logs


class OperationsConfig(AppConfig):
    name = "operations"

    def ready(self) -> None:
        logs.follow()
        if settings.SEGRANKS_LOG == "JSON":
            logs.take_over_workers_logs()
