from django.apps import AppConfig
from django.db.models.signals import post_save


class ApiConfig(AppConfig):
    name = "api"

    def ready(self) -> None:
        # What it teaches the generator of the schema is known once it is imported.
        from annotation.signals import anonymised
        from api import anonymisation, schema_extensions  # noqa: F401
        from api.tokens import revoke_with_password

        anonymised.connect(anonymisation.forget)
        post_save.connect(revoke_with_password, sender="annotation.User")
