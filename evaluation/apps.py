from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation.signals import anonymised
        from evaluation.services import anonymisation, archive_parts

        anonymised.connect(anonymisation.forget)
        archive_parts.register()
