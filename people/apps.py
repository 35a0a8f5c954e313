"""The app, and what it adds to archives."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from annotation.signals import archive_opened

if TYPE_CHECKING:
    from annotation.import_export.archive_parts import Part


class PeopleConfig(AppConfig):
    name = "people"
    verbose_name = _("People")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from people import signals

        signals.connect()
        archive_opened.connect(_archive_parts)


def _archive_parts(**_signal: Any) -> "Sequence[Part]":
    from people.archive_parts import PARTS

    return PARTS
