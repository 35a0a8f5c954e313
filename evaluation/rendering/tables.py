"""A table that is written once: for pages, terminals, papers and programs.

Each column has a *kind*, which knows how to write its cells. What people read (HTML, text, LaTeX,
Markdown) has one cell for an interval; what programs read (CSV, JSON) has its two ends.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import attrgetter
from typing import Any, ClassVar, Final

from annotation.formats.rounding import rounded
from evaluation.rendering.text import ENGLISH, UNDEFINED, Language, Listed, Text, _, ngettext
from evaluation.stats.estimates import Estimate

# What programs get: JSON's plain values.
Plain = str | int | float | None
Cell = Any


@dataclass(frozen=True)
class Kind:
    """What the cells of a column are. Numbers stand right, texts left."""

    is_text: ClassVar[bool] = False
    # How many values a cell has for programs.
    parts: ClassVar[int] = 1

    def write(self, cell: Cell, language: Language) -> str:
        """Return the cell as people read it; a dash if it is undefined."""
        return UNDEFINED if cell is None else language.value(cell)

    def asides(self, cell: Cell, language: Language) -> tuple[str, ...]:
        """Return what follows the cell in smaller type, a line each."""
        return ()

    def plain(self, cell: Cell) -> tuple[Plain, ...]:
        """Return the cell as programs read it: a value for each name of the column."""
        return (cell,)

    def is_known(self, cell: Cell) -> bool:
        return any(each is not None and each != "" for each in self.plain(cell))

    def write_whole(self, cell: Cell, language: Language) -> str:
        """Return the cell with what follows it, in one line."""
        return " ".join((self.write(cell, language), *self.asides(cell, language)))


@dataclass(frozen=True)
class Name(Kind):
    """A name that people or files gave: never translated, and with a direction of its own."""

    is_text: ClassVar[bool] = True

    def write(self, cell: Cell, language: Language) -> str:
        return UNDEFINED if cell is None else str(cell)


@dataclass(frozen=True)
class SentenceLink(Name):
    """A source text or the number of its sentence, to which pages link: (shown, number, segment).

    `segment` is the id of the segment that the text is, None of a whole sentence.
    """

    def write(self, cell: Cell, language: Language) -> str:
        return super().write(cell[0], language)

    def plain(self, cell: Cell) -> tuple[Plain, ...]:
        return (cell[0],)


@dataclass(frozen=True)
class Words(Kind):
    """A text of ours; several in a cell are listed."""

    is_text: ClassVar[bool] = True

    def write(self, cell: Cell, language: Language) -> str:
        return "" if cell is None else language.value(cell)

    def plain(self, cell: Cell) -> tuple[Plain, ...]:
        return (None if cell is None else ENGLISH.value(cell),)


@dataclass(frozen=True)
class Tag(Words):
    """A word that marks some rows; pages write it beside the name of the row."""

    is_good: bool = False


@dataclass(frozen=True)
class Count(Kind):
    """A whole number."""


@dataclass(frozen=True)
class OutOf(Kind):
    """How many of all, (count, all)."""

    parts: ClassVar[int] = 2

    def write(self, cell: Cell, language: Language) -> str:
        return "/".join(language.number(each, 0) for each in cell)

    def plain(self, cell: Cell) -> tuple[Plain, ...]:
        return tuple(cell)


@dataclass(frozen=True)
class Number(Kind):
    """A number with so many decimals; whole numbers have none."""

    places: int = 3

    def write(self, cell: Cell, language: Language) -> str:
        return language.number(cell, self.places if isinstance(cell, float) else 0)


@dataclass(frozen=True)
class P(Number):
    """A probability by chance: a tiny one is not 0."""

    places: int = 4

    def write(self, cell: Cell, language: Language) -> str:
        least = 10.0**-self.places
        is_tiny = isinstance(cell, float) and cell < least
        written = super().write(least if is_tiny else cell, language)
        return f"{language.below}{written}" if is_tiny else written


@dataclass(frozen=True)
class Percent(Number):
    """A share, which people read as a percentage."""

    places: int = 0

    def write(self, cell: Cell, language: Language) -> str:
        if cell is None:
            return UNDEFINED
        return f"{language.number(100 * cell, self.places)}\N{NO-BREAK SPACE}%"


@dataclass(frozen=True)
class CountedShare(Percent):
    """A share of a whole, and the count that it is: (share, count)."""

    parts: ClassVar[int] = 2

    def write(self, cell: Cell, language: Language) -> str:
        return super().write(cell[0], language)

    def asides(self, cell: Cell, language: Language) -> tuple[str, ...]:
        return (f"({language.number(cell[1], 0)})",)

    def plain(self, cell: Cell) -> tuple[Plain, ...]:
        return tuple(cell)


@dataclass(frozen=True)
class Interval(Number):
    """The two ends, (low, high), of an interval; its column has two names."""

    parts: ClassVar[int] = 2

    def write(self, cell: Cell, language: Language) -> str:
        if cell is None or cell == (None, None):
            return UNDEFINED
        # A dash between negative numbers would be read as a minus.
        between = " … " if any(end is not None and end < 0 for end in cell) else "–"
        return between.join(super(Interval, self).write(end, language) for end in cell)

    def plain(self, cell: Cell) -> tuple[Plain, ...]:
        return (None, None) if cell is None else tuple(cell)


@dataclass(frozen=True)
class PercentInterval(Interval):
    """The two ends of an interval of a share, which people read as percentages."""

    places: int = 0

    def write(self, cell: Cell, language: Language) -> str:
        if cell is None or cell == (None, None):
            return UNDEFINED
        ends = tuple(None if end is None else 100 * end for end in cell)
        return f"{super().write(ends, language)}\N{NO-BREAK SPACE}%"


@dataclass(frozen=True)
class EstimatedShare(Percent):
    """A share with the ends of its interval: (value, low, high)."""

    parts: ClassVar[int] = 3

    def write(self, cell: Cell, language: Language) -> str:
        return super().write(cell[0], language)

    def asides(self, cell: Cell, language: Language) -> tuple[str, ...]:
        _value, low, high = cell
        return () if low is None else (PercentInterval(self.places).write((low, high), language),)

    def plain(self, cell: Cell) -> tuple[Plain, ...]:
        return tuple(cell)


@dataclass(frozen=True)
class KappaOfSentences(Number):
    """κ, the ends of its interval, the sentences behind it: (value, low, high, sentences)."""

    parts: ClassVar[int] = 4

    def write(self, cell: Cell, language: Language) -> str:
        return super().write(cell[0], language)

    def asides(self, cell: Cell, language: Language) -> tuple[str, ...]:
        value, low, high, sentences = cell
        if value is None:
            return ()
        ends = () if low is None else (Interval(2).write((low, high), language),)
        number = ngettext("on one line", "on %(number)s lines", sentences)
        return *ends, language.text(number)

    def plain(self, cell: Cell) -> tuple[Plain, ...]:
        return tuple(cell)

    def is_known(self, cell: Cell) -> bool:
        return cell[0] is not None


@dataclass(frozen=True)
class Ranks(Interval):
    """The best and the worst rank; one number if they are the same."""

    places: int = 0

    def write(self, cell: Cell, language: Language) -> str:
        best, worst = cell
        is_one = best == worst and best is not None
        return language.number(best, 0) if is_one else super().write(cell, language)


@dataclass(frozen=True)
class Scale(Kind):
    """A figure and its interval, (value, low, high), drawn from 0 to 1; only pages have it."""

    parts: ClassVar[int] = 0

    def write(self, cell: Cell, language: Language) -> str:
        return ""

    def plain(self, cell: Cell) -> tuple[Plain, ...]:
        return ()


@dataclass(frozen=True)
class WorkTime(Kind):
    """About how long annotators work, in seconds."""

    def write(self, cell: Cell, language: Language) -> str:
        return language.work_time(cell) if cell else UNDEFINED


@dataclass(frozen=True)
class Duration(Kind):
    """Seconds, which people read as h:mm:ss."""

    def write(self, cell: Cell, language: Language) -> str:
        if cell is None:
            return UNDEFINED
        minutes, seconds = divmod(int(rounded(cell, 0)), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


NUMBER: Final = Number()
INTERVAL: Final = _("95 % interval")


@dataclass(frozen=True)
class Column:
    """`name` is for programs: of an interval two words, for its ends ("low high").

    `heading` is for people, with a `unit` under it. `value` takes an item of the table to the cell;
    by default its attributes of these names. `is_main` is the column that the table is about, and
    one that `may_be_empty` is left out of pages if it is.
    """

    name: str
    heading: Text | str
    kind: Kind = NUMBER
    value: Callable[[Any], Cell] | None = None
    unit: Text | str = ""
    is_main: bool = False
    may_be_empty: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        if self.kind.parts < 2:
            return (self.name,) * self.kind.parts
        return tuple(self.name.split())

    @property
    def first_name(self) -> str:
        return self.names[0] if self.names else self.name

    @property
    def is_text(self) -> bool:
        return self.kind.is_text

    def cell(self, item: Any) -> Cell:
        return self.value(item) if self.value else attrgetter(*self.names)(item)

    def head(self, language: Language) -> str:
        """Return the heading with its unit in one line."""
        parts = (language.text(self.heading), language.text(self.unit))
        return ", ".join(part for part in parts if part)


def interval_column(
    of: str, *, prefix: str = "", heading: Text | str = INTERVAL, unit: Text | str = ""
) -> Column:
    """Return the column of the interval of an estimate, which is the attribute `of` of items."""
    name = f"{prefix}low {prefix}high"
    return Column(name, heading, Interval(), attrgetter(f"{of}.low", f"{of}.high"), unit)


def estimate_columns(
    name: str,
    heading: Text | str,
    of: Callable[[Any], Estimate | None],
    *,
    prefix: str = "",
    places: int = 3,
    is_share: bool = False,
    is_main: bool = True,
) -> tuple[Column, Column, Column]:
    """Return the columns of a figure and its two intervals, whose names begin with `prefix`.

    People read shares as percentages.
    """
    figure, interval = (Percent, PercentInterval) if is_share else (Number, Interval)

    def part(*names: str) -> Callable[[Any], Cell]:
        get = attrgetter(*names)
        nothing = None if len(names) == 1 else (None,) * len(names)
        return lambda item: nothing if (found := of(item)) is None else get(found)

    return (
        Column(name, heading, figure(places), part("value"), is_main=is_main),
        Column(
            f"{prefix}low {prefix}high",
            INTERVAL,
            interval(places),
            part("low", "high"),
            unit=_("other sentences"),
            may_be_empty=True,
        ),
        Column(
            f"{prefix}wide_low {prefix}wide_high",
            INTERVAL,
            interval(places),
            part("wide_low", "wide_high"),
            unit=_("other annotators too"),
            may_be_empty=True,
        ),
    )


@dataclass(frozen=True)
class Table:
    """Rows have a cell for each column; a line follows each row whose number is in `rules`.

    `notes` say how to read the table, `details` how it was computed: they are in English, and the
    signature is the last.
    """

    name: str
    caption: Text | str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[Text | str, ...] = ()
    rules: frozenset[int] = frozenset()
    details: tuple[str, ...] = ()
    # All together, which people see as the last row.
    total: tuple[Cell, ...] | None = None

    @classmethod
    def of(
        cls,
        name: str,
        caption: Text | str,
        columns: Sequence[Column],
        items: Iterable[Any],
        *,
        notes: Iterable[Text | str] = (),
        details: Iterable[str] = (),
        groups: Callable[[Any], object] | None = None,
        total: Any = None,
    ) -> "Table":
        """Return the table with a row for each item; a line separates the `groups`."""
        items = list(items)
        of_items = [groups(item) for item in items] if groups else []
        return cls(
            name,
            caption,
            tuple(columns),
            tuple(tuple(column.cell(item) for column in columns) for item in items),
            tuple(notes),
            frozenset(n for n, (one, other) in enumerate(pairwise(of_items), 1) if one != other),
            tuple(detail for detail in details if detail),
            total and tuple(column.cell(total) for column in columns),
        )

    def only(self, *names: str) -> "Table":
        """Return the table with the columns whose first names these are."""
        return self._at([n for n, each in enumerate(self.columns) if each.first_name in names])

    def _at(self, places: Sequence[int]) -> "Table":
        return replace(
            self,
            columns=tuple(self.columns[n] for n in places),
            rows=tuple(tuple(row[n] for n in places) for row in self.rows),
            total=self.total and tuple(self.total[n] for n in places),
        )

    def without(self, *names: str) -> "Table":
        return self.only(*{column.first_name for column in self.columns}.difference(names))

    def renamed(self, words: Mapping[str, Text]) -> "Table":
        """Return the table with other words, by their messages, which have the same placeholders.

        They are looked up for the caption, headings and units of columns, notes, and texts in rows.
        """

        def other(text: Any) -> Any:
            if not isinstance(text, Text) or text.message not in words:
                return text
            return replace(words[text.message], values=text.values)

        return replace(
            self,
            caption=other(self.caption),
            notes=tuple(map(other, self.notes)),
            rows=tuple(tuple(map(other, row)) for row in self.rows),
            columns=tuple(
                replace(column, heading=other(column.heading), unit=other(column.unit))
                for column in self.columns
            ),
        )

    @property
    def filled(self) -> "Table":
        """The table without the columns in which nothing is known, where they may be empty."""
        return self._at(
            [
                n
                for n, column in enumerate(self.columns)
                if not column.may_be_empty or any(column.kind.is_known(row[n]) for row in self.rows)
            ]
        )

    @property
    def of_people(self) -> "Table":
        """The table without what only pages have, and with the total as a row."""
        shown = self.only(*(column.first_name for column in self.columns if column.names))
        if shown.total is None:
            return shown
        return replace(
            shown,
            rows=(*shown.rows, shown.total),
            rules=shown.rules | {len(shown.rows)},
            total=None,
        )

    @property
    def lines(self) -> tuple[Text | str, ...]:
        """The notes and details as files have them."""
        return *self.notes, *self.details


def grouped_reasons(given: Iterable[tuple[Text | str, Text | str, str]]) -> list[Text]:
    """Return why something lacks figures, from what it is, which figure, and the reason or "".

    Figures with the same reason stand together; one without a name stands for all.
    """
    groups: dict[tuple[str, str], tuple[Text | str, dict[str, Text | str]]] = {}
    for subject, part, why in given:
        if why:
            groups.setdefault((str(subject), why), (subject, {}))[1][str(part)] = part
    return [
        Text(
            "%(name)s (%(parts)s): %(why)s." if "" not in parts else "%(name)s: %(why)s.",
            {"name": subject, "parts": Listed(list(parts.values())), "why": Text(why)},
        )
        for (_name, why), (subject, parts) in groups.items()
    ]


def missing_figures(named: Iterable[tuple[Text | str, Estimate | None]]) -> list[Text]:
    """Return why figures of these rows are undefined, and once each why intervals are missing.

    A row without a name has its reason alone.
    """
    rows = [(name, each) for name, each in named if each is not None]
    undefined = {(str(name), each.undefined): name for name, each in rows if each.undefined}
    return [
        *(
            Text("%(name)s: %(why)s.", {"name": name, "why": Text(why)})
            if name
            else Text("%(why)s.", {"why": Text(why)})
            for (_name, why), name in undefined.items()
        ),
        *missing_intervals(each for _name, each in rows),
    ]


def missing_intervals(estimates: Iterable[Estimate]) -> list[Text]:
    """Return once each why intervals are missing."""
    lacking = dict.fromkeys(each.no_interval or each.no_wide_interval for each in estimates)
    return [_("Some intervals are missing: %(why)s.", why=Text(why)) for why in lacking if why]
