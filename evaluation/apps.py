"""The app, and what it does when annotation sends a signal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.apps import AppConfig

from annotation.signals import anonymised, archive_opened, project_copied, submitted

if TYPE_CHECKING:
    from annotation.import_export.archive_parts import Part


class EvaluationConfig(AppConfig):
    name = "evaluation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        anonymised.connect(_anonymise_judge)
        submitted.connect(_request_check)
        project_copied.connect(_copy_rules)
        archive_opened.connect(_archive_parts)


def _anonymise_judge(**signal: Any) -> None:
    from evaluation.services.sentence_level import anonymise_judge

    anonymise_judge(**signal)


def _request_check(**signal: Any) -> None:
    from evaluation.services.quality import request_check

    request_check(**signal)


def _copy_rules(**signal: Any) -> None:
    from evaluation.services.quality import copy_rules

    copy_rules(**signal)


def _archive_parts(**_signal: Any) -> "Sequence[Part]":
    from evaluation.services.archive_parts import PARTS

    return PARTS
