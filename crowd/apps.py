from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CrowdConfig(AppConfig):
    name = "crowd"
    verbose_name = _("Crowd")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation.signals import nothing_left_to_judge
        from crowd import archive_parts
        from crowd.completion import complete

        nothing_left_to_judge.connect(complete)
        archive_parts.register()
