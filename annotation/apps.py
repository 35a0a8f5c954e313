from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AnnotationConfig(AppConfig):
    name = "annotation"
    verbose_name = _("Annotation")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Each process watches its clock from the beginning.
        from annotation.common import clock  # noqa: F401
