from django.apps import AppConfig
from django.db.models.signals import post_save


class ApiConfig(AppConfig):
    name = "api"

    def ready(self) -> None:
        from annotation.signals import anonymised
        from api.idempotency import delete_answers_about
        from api.tokens import delete_tokens, revoke_with_password

        anonymised.connect(delete_tokens)
        anonymised.connect(delete_answers_about)
        post_save.connect(revoke_with_password, sender="annotation.User")
