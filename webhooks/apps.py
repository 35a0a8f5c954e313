"""The app, and what it does when annotation sends a signal."""

from typing import Any

from django.apps import AppConfig

from annotation.signals import annotator_flagged


class WebhooksConfig(AppConfig):
    name = "webhooks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        annotator_flagged.connect(_store_flagged)


def _store_flagged(**signal: Any) -> None:
    from webhooks.event_detection import store_flagged

    store_flagged(**signal)
