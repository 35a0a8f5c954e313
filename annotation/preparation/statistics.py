"""Quality of a preparation: five shares for the administrator of a project."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from annotation.formats.archive_records import Count


class Quality(Struct, frozen=True, forbid_unknown_fields=True):
    """Counts of a preparation and their shares; a share of nothing is None.

    `projections` is segments times systems, `projected` those that are not empty, `gapped` those
    that are not contiguous in the translation, `unique` the unique candidates of all segments,
    `agreeing` the segments with one candidate, and `uncut` the sentences without segments.
    """

    projections: Count = 0
    projected: Count = 0
    gapped: Count = 0
    unique: Count = 0
    segments: Count = 0
    agreeing: Count = 0
    sentences: Count = 0
    uncut: Count = 0

    @property
    def empty_projections(self) -> float | None:
        return _share(self.projections - self.projected, self.projections)

    @property
    def candidates_with_gaps(self) -> float | None:
        return _share(self.gapped, self.projected)

    @property
    def unique_candidates(self) -> float | None:
        """Return unique candidates / non-empty projections: 0.589 in the thesis."""
        return _share(self.unique, self.projected)

    @property
    def agreeing_segments(self) -> float | None:
        """Return the share of segments with one candidate, in which there is nothing to compare."""
        return _share(self.agreeing, self.segments)

    @property
    def sentences_without_segments(self) -> float | None:
        return _share(self.uncut, self.sentences)


class Tally:
    """Counts the candidates of segments."""

    def __init__(self) -> None:
        self._counts = Quality()

    def add(self, projected: Mapping[str, str], gapped: int) -> None:
        """Add a segment: its candidate by system ("" for none), and how many of them have gaps."""
        found = [candidate for candidate in projected.values() if candidate]
        counts, different = self._counts, len(set(found))
        self._counts = Quality(
            projections=counts.projections + len(projected),
            projected=counts.projected + len(found),
            gapped=counts.gapped + gapped,
            unique=counts.unique + different,
            segments=counts.segments + 1,
            agreeing=counts.agreeing + (different == 1),
        )

    def quality(self, *, sentences: int, uncut: int) -> Quality:
        """Return the counts, with the number of sentences and of those without segments."""
        return replace(self._counts, sentences=sentences, uncut=uncut)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
