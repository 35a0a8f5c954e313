from django.apps import AppConfig
from django.conf import settings

from operations import logs


class OperationsConfig(AppConfig):
    name = "operations"

    def ready(self) -> None:
        logs.connect_signals()
        if settings.SEGRANKS_LOG == "JSON":
            logs.configure_celery_logging()
