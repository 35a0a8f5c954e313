"""How well a preparation went, in five shares that an administrator can judge it by."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Quality:
    """What the shares are made of; a share is None where there is nothing to have a share of.

    `projections` are segments times systems, `projected` those that are not empty, `gapped` those
    whose words are not all neighbours in the translation, `unique` the different candidates of
    all segments, `agreeing` the segments whose systems all have the same candidate, and
    `uncut` the sentences without segments.
    """

    projections: int = 0
    projected: int = 0
    gapped: int = 0
    unique: int = 0
    segments: int = 0
    agreeing: int = 0
    sentences: int = 0
    uncut: int = 0

    @property
    def empty_projections(self) -> float | None:
        return _share(self.projections - self.projected, self.projections)

    @property
    def candidates_with_gaps(self) -> float | None:
        return _share(self.gapped, self.projected)

    @property
    def unique_candidates(self) -> float | None:
        """Unique candidates of those projected: 0.589 in the thesis."""
        return _share(self.unique, self.projected)

    @property
    def agreeing_segments(self) -> float | None:
        """Segments of one candidate: there is nothing to compare in them."""
        return _share(self.agreeing, self.segments)

    @property
    def sentences_without_segments(self) -> float | None:
        return _share(self.uncut, self.sentences)

    def plus(self, other: "Quality") -> "Quality":
        """Return what was counted in two parts of a text together."""
        mine, others = self.to_json(), other.to_json()
        return Quality(**{name: count + others[name] for name, count in mine.items()})

    def to_json(self) -> dict[str, int]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Any) -> "Quality":
        """Read what `to_json` wrote. Raises TypeError for anything else."""
        if not isinstance(stored, dict) or not all(type(n) is int for n in stored.values()):
            raise TypeError("These are no counts of a preparation.")
        return cls(**stored)


class Tally:
    """Counts the candidates of one segment after the other."""

    def __init__(self) -> None:
        self._counts = Quality()

    def add(self, projected: Mapping[str, str], gapped: int) -> None:
        """Count a segment: its candidate by system ("" for none), and how many have gaps."""
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
        """Return what was counted, of so many sentences of which so many have no segment."""
        counted = self._counts.to_json() | {"sentences": sentences, "uncut": uncut}
        return Quality.from_json(counted)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
