from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "api"

    def ready(self) -> None:
        from annotation.signals import anonymised, password_changed
        from api.idempotency import delete_answers_about
        from api.tokens import delete_tokens, revoke_tokens

        anonymised.connect(delete_tokens)
        anonymised.connect(delete_answers_about)
        password_changed.connect(revoke_tokens)
