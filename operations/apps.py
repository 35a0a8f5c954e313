from django.apps import AppConfig

from operations import beat_runs, logs


class OperationsConfig(AppConfig):
    name = "operations"

    def ready(self) -> None:
        from operations import database_file, deployment_checks, first_passwords  # noqa: F401

        logs.connect_signals()
        logs.configure_celery_logging()
        beat_runs.connect_signals()
        database_file.connect_signals()
        first_passwords.connect_signals()
