"""The app, and what it does when annotation sends a signal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from annotation.signals import archive_opened, nothing_left_to_judge

if TYPE_CHECKING:
    from annotation.import_export.archive_parts import Part


class CrowdConfig(AppConfig):
    name = "crowd"
    verbose_name = _("Crowd")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        nothing_left_to_judge.connect(_complete)
        archive_opened.connect(_archive_parts)


def _complete(**signal: Any) -> str | None:
    from crowd.completion import complete

    return complete(**signal)


def _archive_parts(**_signal: Any) -> "Sequence[Part]":
    from crowd.archive_parts import PARTS

    return PARTS
