from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation.signals import anonymised, project_copied, submitted
        from evaluation.services import archive_parts, quality, sentence_level

        anonymised.connect(sentence_level.anonymise_judge)
        submitted.connect(quality.request_check)
        project_copied.connect(quality.copy_rules)
        archive_parts.register()
