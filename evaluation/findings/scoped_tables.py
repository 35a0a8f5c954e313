"""Tables, and sentences about what they are of, as commands print and write them."""

from dataclasses import dataclass
from textwrap import fill

from evaluation.rendering.formats import TEXT_WIDTH, as_text
from evaluation.rendering.tables import Table


@dataclass(frozen=True)
class ScopedTables:
    """`scope` are sentences about what the tables are of; `long` ones are for files only."""

    scope: tuple[str, ...]
    tables: tuple[Table, ...]
    long: tuple[Table, ...] = ()

    @property
    def all(self) -> tuple[Table, ...]:
        return *self.tables, *self.long

    @property
    def text(self) -> str:
        """The text for a terminal."""
        scope = "\n".join(fill(sentence, TEXT_WIDTH) for sentence in self.scope)
        return "\n\n".join((scope, *map(as_text, self.tables)))
