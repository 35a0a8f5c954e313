from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CrowdConfig(AppConfig):
    name = "crowd"
    verbose_name = _("Crowd")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation.judging.completion import add_ending
        from crowd.completion import ending

        add_ending(ending)
