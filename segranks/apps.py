"""Loads the Celery application in every process of Django, so that tasks are sent by it."""

from django.apps import AppConfig


class SegRanksConfig(AppConfig):
    name = "segranks"

    def ready(self) -> None:
        from segranks import celery  # noqa: F401
