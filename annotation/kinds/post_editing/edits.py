"""The corrected text of an output: it is there exactly where the answer is "edited"."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from annotation.kinds.detail import InvalidDetail

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from annotation.models import Placement

# The steps of the scale.
NO_CORRECTIONS: Final = 1
EDITED: Final = 2
UNABLE: Final = 3


# Tables are imported where they are needed: programs ask about kinds without them.


class Edits:
    """Details that are corrected texts, on one line.

    Forms have the text of every output. It counts where the answer is "edited", and must be
    unchanged where no corrections are needed. Where annotators are unable to correct it, it is what
    they tried.
    """

    def check(self, detail: str, *, candidate: str, rank: int) -> None:
        from annotation.models import Edit

        text = on_one_line(detail)
        is_changed = text not in ("", on_one_line(candidate))
        if rank == EDITED and not is_changed:
            raise InvalidDetail(
                _(
                    "You chose “Edited” for a text that is the same as before: change it, or "
                    "choose another answer."
                )
            )
        if rank == NO_CORRECTIONS and is_changed:
            raise InvalidDetail(
                _(
                    "You changed a text that you say needs no corrections: choose “Edited”, or "
                    "restore the text."
                )
            )
        if rank == EDITED and len(text) > Edit.LONGEST:
            raise InvalidDetail(
                _("A text is too long. The limit is %(limit)d characters.")
                % {"limit": Edit.LONGEST}
            )

    def store(self, details: Mapping[int, str]) -> None:
        from annotation.models import Edit, Placement

        edited = Placement.objects.filter(pk__in=list(details), rank=EDITED)
        Edit.objects.bulk_create(
            Edit(placement_id=pk, text=on_one_line(details[pk]))
            for pk in edited.values_list("pk", flat=True)
        )

    def read(self, placements: "QuerySet[Placement]") -> dict[int, str]:
        from annotation.models import Edit

        rows = Edit.objects.filter(placement__in=placements.order_by())
        return dict(rows.values_list("placement", "text"))


def on_one_line(text: str) -> str:
    """Return the text with single spaces, as outputs have them."""
    return " ".join(text.split())
