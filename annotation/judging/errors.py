"""Why an annotator's request is refused. Each message is shown to the annotator."""

from typing import Final

from django.utils.translation import gettext_lazy

TAKEN_OVER: Final = gettext_lazy(
    "Your time ran out and another annotator got this assignment. Your work is saved in case it "
    "becomes available again."
)


class JudgingError(Exception):
    """The request is refused and nothing was stored."""


class InvalidJudgement(JudgingError):
    """The placements do not cover exactly the cards shown, or use a rank that does not exist."""


class LookAgain(InvalidJudgement):
    """An attention check failed for the first time: the annotator may submit the same again."""


class AlreadySubmitted(JudgingError):
    """The assignment was submitted before, with another token."""


class NotAvailable(JudgingError):
    """The assignment is not open, and cannot be reopened for this annotator."""


class NotAssigned(NotAvailable):
    """The assignment does not exist, or belongs to another annotator or project."""
