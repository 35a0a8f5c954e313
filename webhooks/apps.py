from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "webhooks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation.signals import annotator_flagged
        from webhooks.event_detection import store_flagged

        annotator_flagged.connect(store_flagged)
