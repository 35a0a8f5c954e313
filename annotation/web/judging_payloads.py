"""The JSON that the judging page sends. Each request is one of these, and nothing else."""

from typing import Annotated, Literal, TypeVar
from uuid import UUID

import msgspec
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest
from django.utils.translation import gettext as _
from msgspec import Meta

from annotation.judging.submission import Submitted
from annotation.kinds.answers import LONGEST_DETAIL
from annotation.models import Judgement, Skip
from annotation.projects.permissions import LARGEST_ID

Rank = Annotated[int, Meta(ge=1, le=10_000)]
Choices = dict[str, Rank | Literal["garbage"]]
# PostgreSQL stores no NUL.
Comment = Annotated[str, Meta(max_length=Judgement.LONGEST_COMMENT, pattern=r"^[^\0]*$")]
# By the number of the segment.
Comments = dict[str, Comment]
# By card key.
Details = dict[str, Annotated[str, Meta(max_length=LONGEST_DETAIL, pattern=r"^[^\0]*$")]]
Frame = Annotated[str, Meta(max_length=100)]
Seconds = Annotated[float, Meta(ge=0, le=1e9)]
# Seconds and starts of what was played, by the id of the medium.
Plays = Annotated[
    dict[
        Annotated[int, Meta(ge=1, le=LARGEST_ID)],
        tuple[Seconds, Annotated[int, Meta(ge=0, le=1_000_000)]],
    ],
    Meta(max_length=1000),
]


class DraftPayload(msgspec.Struct):
    """Placements by card key, the version after `base`."""

    base: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    choices: Choices
    comments: Comments = {}
    details: Details = {}
    media: Plays = {}
    active_seconds: Seconds = 0.0


class SubmissionPayload(msgspec.Struct):
    """Placements by card key with the token of the page.

    With its `frame`, the page gets the next sheet in the answer.
    """

    token: UUID
    choices: Choices
    comments: Comments = {}
    details: Details = {}
    media: Plays = {}
    active_seconds: Seconds | None = None
    differences: bool = False
    frame: Frame = ""

    @property
    def given(self) -> Submitted:
        """What is submitted, with None for garbage."""
        ranks = {
            key: None if isinstance(place, str) else place for key, place in self.choices.items()
        }
        return Submitted(
            ranks, self.comments, self.details, self.active_seconds, self.media, self.differences
        )


class SkipPayload(msgspec.Struct):
    """Why the annotator skips the sentence; the `frame` as above."""

    reason: Skip.Reason
    # PostgreSQL stores no NUL.
    comment: Annotated[str, Meta(max_length=2000, pattern=r"^[^\0]*$")] = ""
    frame: Frame = ""


Payload = TypeVar("Payload", DraftPayload, SubmissionPayload, SkipPayload)


class BadPayload(Exception):
    """The request is not what the page sends; the message is for people."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


def read_payload(request: HttpRequest, payload: type[Payload]) -> Payload:
    """Return what the request sends. Raise BadPayload."""
    if request.content_type not in ("application/json", ""):
        raise BadPayload(_("The request must be JSON."), 415)
    try:
        return msgspec.json.decode(request.body, type=payload)
    except RequestDataTooBig:
        raise BadPayload(_("This is too large to be a judgement."), 413) from None
    except (msgspec.DecodeError, RecursionError) as problem:
        # Only a program sees this, so the reason stays in English.
        raise BadPayload(_("The request is not valid: %(reason)s") % {"reason": problem}) from None
