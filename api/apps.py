"""The app, and what it does when annotation sends a signal."""

from typing import Any

from django.apps import AppConfig

from annotation.signals import anonymised, password_changed


class ApiConfig(AppConfig):
    name = "api"

    def ready(self) -> None:
        anonymised.connect(_anonymise)
        password_changed.connect(_revoke_tokens)


def _anonymise(**signal: Any) -> None:
    from api.idempotency import delete_answers_about
    from api.tokens import delete_tokens

    delete_tokens(**signal)
    delete_answers_about(**signal)


def _revoke_tokens(**signal: Any) -> None:
    from api.tokens import revoke_tokens

    revoke_tokens(**signal)
