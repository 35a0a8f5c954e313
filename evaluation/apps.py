from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation.forgetting import anonymised
        from evaluation import archiving, forgetting

        anonymised.connect(forgetting.forget)
        archiving.follow()
