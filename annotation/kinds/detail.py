"""What an annotator adds to the place of a candidate, such as its corrected text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    # The program of a preview reads kinds without Django's tables.
    from django.db.models import QuerySet

    from annotation.models import Placement

# Characters.
LONGEST_DETAIL: Final = 20_000


class InvalidDetail(Exception):
    """The detail cannot be stored; the message is one sentence for the annotator."""


class Detail(Protocol):
    """How the details of one kind are checked, stored and read.

    Forms, drafts, exports and archives have a detail as a text in the notation of the kind, "" for
    none. The database has rows of the kind's own tables, which refer to the placement; they are
    deleted with their project (`projects/deletion.py`).
    """

    def check(self, detail: str, *, candidate: str, rank: int) -> None:
        """Raise InvalidDetail unless it fits the candidate, as it is shown, and its rank."""

    def normalised(self, detail: str, rank: int) -> str:
        """Return the checked detail as `read` returns it once it is stored."""

    def store(self, details: Mapping[int, str]) -> None:
        """Store checked details by the id of their placement. None is empty."""

    def read(self, placements: QuerySet[Placement]) -> dict[int, str]:
        """Return the details of these placements by their ids, without empty ones. One query."""
