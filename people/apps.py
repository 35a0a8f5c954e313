from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PeopleConfig(AppConfig):
    name = "people"
    verbose_name = _("People")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from annotation.signals import anonymised
        from people import anonymisation, email_change, invitations, sessions

        anonymised.connect(anonymisation.forget)
        invitations.follow()
        email_change.follow()
        sessions.follow()
