"""In which column a sheet shows each of several systems, beside each other.

The order is drawn for each sheet. A candidate stands in the first column of the systems that
produced it: its position is the number of this column. A candidate of no system, as a control has,
has a column of its own. Where a paragraph has several, as in a tutorial, each has one, and the
first ones of all paragraphs share a column, as what one system has written does.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from random import Random

from annotation.models import Projection, Segment, Sentence, ShownSystem
from annotation.models.texts import rows_of_sheet


@dataclass(frozen=True)
class Columns:
    """The columns of a sheet, from 1.

    `of_system` has them by the id of the system.
    """

    of_system: Mapping[int, int]
    produced: "Produced"
    # Of what no system produced, by the id of its segment and the text.
    of_others: Mapping[tuple[int, str], int]
    count: int

    def position(self, segment: int, text: str) -> int:
        """Return the column in which the translation of the segment is shown."""
        systems = self.produced.of_text.get((segment, text), ())
        columns = [self.of_system[system] for system in systems if system in self.of_system]
        return min(columns, default=self.of_others.get((segment, text), 0))


@dataclass(frozen=True)
class SharedColumn:
    """A column without a card.

    It has the same text as another column; where that is 0 it has none, its text `is_excluded`, or
    it is not judged on this sheet.
    """

    column: int
    same_as: int = 0
    text: str = ""
    is_excluded: bool = False


@dataclass(frozen=True)
class Produced:
    """What the systems of a sheet produced.

    `of_text` has the systems of each translation by the id of its segment and the text;
    administrators `excluded` some translations.
    """

    of_text: dict[tuple[int, str], list[int]] = field(default_factory=dict)
    systems: list[int] = field(default_factory=list)
    excluded: set[tuple[int, str]] = field(default_factory=set)


def draw_columns(head: Sentence, texts: Iterable[tuple[int, str]], order: Random) -> Columns:
    """Return columns for the translations of a sheet, given with the ids of their segments.

    Those of no system are, in each segment, in the order of the systems that they stand for. One
    query. A copy for practice or control has the systems of its original, by one more query.
    """
    produced = produced_by_systems(head)
    shown = dict.fromkeys(texts)
    seen = {pk for key, systems in produced.of_text.items() if key in shown for pk in systems}
    have = {pk for systems in produced.of_text.values() for pk in systems}
    # The places of texts of no system in their segments, from -1 down, which no system has as id.
    others: dict[tuple[int, str], int] = {}
    for _segment, of_segment in groupby(shown, key=itemgetter(0)):
        unknown = [key for key in of_segment if key not in produced.of_text]
        others |= {key: -place for place, key in enumerate(unknown, start=1)}
    # A system that lacks all paragraphs has a column, one that is not shown has none.
    columns = [pk for pk in produced.systems if pk in seen or pk not in have]
    columns += sorted(set(others.values()), reverse=True)
    order.shuffle(columns)
    of_column = {drawn: column for column, drawn in enumerate(columns, start=1)}
    return Columns(
        {pk: of_column[pk] for pk in columns if pk > 0},
        produced,
        {key: of_column[place] for key, place in others.items()},
        len(columns),
    )


def shown_columns(produced: Produced, assignment_id: int, positions: Iterable[int]) -> Columns:
    """Return the columns that are stored for an assignment. One query.

    `positions` are those of its candidates.
    """
    rows = ShownSystem.objects.filter(assignment=assignment_id).values_list("system", "column")
    of_system = dict(rows)
    count = max([*of_system.values(), *positions], default=0)
    return Columns(of_system, produced, {}, count)


def shared_columns(columns: Columns, segment: int, cards: Collection[int]) -> list[SharedColumn]:
    """Return the columns in which a segment has no card of its own, in their order.

    `cards` are the columns in which it has one.
    """
    texts = {
        columns.of_system[system]: text
        for (of_segment, text), systems in columns.produced.of_text.items()
        if of_segment == segment
        for system in systems
        if system in columns.of_system
    }
    shared = []
    for column in sorted(set(columns.of_system.values()) - set(cards)):
        text = texts.get(column, "")
        same_as = columns.position(segment, text)
        if text and same_as in cards:
            shared.append(SharedColumn(column, same_as, text))
        else:
            is_excluded = (segment, text) in columns.produced.excluded
            shared.append(SharedColumn(column, text=text, is_excluded=is_excluded))
    return shared


def produced_by_systems(head: Sentence) -> Produced:
    """Return what the systems of a sheet produced. One query, two for a copy."""
    original = head.copy_of_id or head.pk
    rows = Projection.objects.filter(
        segment__sentence__in=rows_of_sheet(original).values("pk")
    ).order_by("system", "pk")
    found = Produced()
    copies = _copied_segments(head) if head.copy_of_id else {}
    for segment, row, of_document, text, system, excluded in rows.values_list(
        *("segment", "segment__sentence", "segment__of_document", "candidate__text", "system"),
        "candidate__excluded",
    ):
        if system not in found.systems:
            found.systems.append(system)
        if text is not None:
            key = copies.get((row, of_document), segment), text
            found.of_text.setdefault(key, []).append(system)
            if excluded:
                found.excluded.add(key)
    return found


def _copied_segments(head: Sentence) -> dict[tuple[int, bool], int]:
    """Return the segments of a copied sheet by the row of their original."""
    segments = Segment.objects.filter(sentence__in=rows_of_sheet(head.pk).values("pk"))
    return {
        (row, of_document): pk
        for row, of_document, pk in segments.values_list("sentence__copy_of", "of_document", "pk")
        if row is not None
    }
