from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation.signals import anonymised
        from evaluation.services import archive_parts, sentence_level

        anonymised.connect(sentence_level.anonymise_judge)
        archive_parts.register()
