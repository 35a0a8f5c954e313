"""Judgements of segments against judgements of whole sentences, with the texts of disagreements."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any, Final

from annotation.formats.names import reference_name
from evaluation.rendering.formats import TEXT_WIDTH, as_text
from evaluation.rendering.tables import (
    Cell,
    Column,
    Count,
    Name,
    Number,
    OutOf,
    Table,
    interval_column,
    missing_figures,
)
from evaluation.rendering.text import UNDEFINED, Language
from evaluation.stats.judgements import natural_key
from evaluation.stats.sentence_level import Disagreement, SentenceLevel, SystemTau, Tau

# The three tables of the thesis, and the figure of a system that each shows.
TABLES: Final[dict[str, Callable[[SystemTau], Tau]]] = {
    "better": lambda row: row.better,
    "worse": lambda row: row.worse,
    "all": lambda row: row.all,
}
CAPTIONS: Final = {
    "better": "τ where the system's sentence was better",
    "worse": "τ where the system's sentence was worse",
    "all": "τ of all comparisons with the system",
}


@dataclass(frozen=True)
class Piece:
    """A piece of a text; `segment` if it belongs to a judged segment."""

    text: str
    segment: bool


@dataclass(frozen=True)
class Reference:
    """A reference, with its number in the project."""

    number: int
    text: str


@dataclass(frozen=True)
class SentenceTexts:
    """A sentence, its translation by a system, and its references.

    Without `whole_translation`, the project has no translations, and `translation` lists the
    system's candidates.
    """

    source: tuple[Piece, ...]
    translation: tuple[Piece, ...]
    whole_translation: bool
    references: tuple[Reference, ...]


@dataclass(frozen=True)
class SentenceLevelReport:
    """The comparison, and the texts of its listed disagreements, in the same order.

    Texts are None if the sentence has been deleted since.
    """

    compared: SentenceLevel
    texts: tuple[SentenceTexts | None, ...]


def by_tau(systems: Sequence[SystemTau], table: str) -> list[tuple[str, Tau]]:
    """Return the systems with τ of this table, the highest first, undefined ones last."""
    return sorted(((row.system, TABLES[table](row)) for row in systems), key=_order)


def _order(row: tuple[str, Tau]) -> tuple[Any, ...]:
    system, tau = row
    value = tau.estimate.value
    return value is None, -(value or 0.0), natural_key(system)


def sentence_level_text(found: SentenceLevelReport) -> str:
    """Return tables and texts for a terminal; judged segments are between asterisks."""
    compared = found.compared
    head = (
        f"{compared.sentences} sentences were judged at both levels: "
        f"{compared.sentence_judgements} judgements of whole sentences, "
        f"{compared.segment_judgements} of segments."
    )
    texts = [
        _written(figures, texts)
        for figures, texts in zip(compared.disagreements.listed, found.texts, strict=True)
        if texts
    ]
    made = map(as_text, tables(compared))
    return "\n\n".join((fill(head, TEXT_WIDTH), *made, *texts, compared.signature))


def tables(compared: SentenceLevel) -> list[Table]:
    made = [
        _taus(name, by_tau(compared.systems, name), compared.together if name == "all" else None)
        for name in TABLES
    ]
    return [*made, _disagreements(compared)]


def _taus(name: str, rows: Sequence[tuple[str, Tau]], together: Tau | None) -> Table:
    """Return a table of systems; in `together`, each comparison counts once."""
    estimates = [tau.estimate for _system, tau in rows]
    if together:
        estimates.append(together.estimate)
    return Table.of(
        f"tau-{name}",
        CAPTIONS[name],
        (
            Column("system", "system", Name()),
            Column("tau", "τ", value=lambda row: row.tau.estimate.value),
            interval_column("tau.estimate"),
            Column("concordant", "concordant", Count(), lambda row: row.tau.concordant),
            Column("discordant", "discordant", Count(), lambda row: row.tau.discordant),
        ),
        [_Row(*row) for row in rows],
        notes=missing_figures(("No τ", estimate) for estimate in estimates),
        total=_Row("all together", together) if together else None,
    )


@dataclass(frozen=True)
class _Row:
    system: str
    tau: Tau


@dataclass(frozen=True)
class Quotient(Number):
    """A disagreement quotient; None is an infinite one."""

    def write(self, cell: Cell, language: Language) -> str:
        return "infinite" if cell is None else super().write(cell, language)


def _disagreements(compared: SentenceLevel) -> Table:
    found = compared.disagreements
    note = (
        f"Infinite: {found.infinite}; the system won some segments and never the whole sentence. "
        f"Not listed because the system won at neither level: {found.never_won}."
    )
    return Table.of(
        "disagreements",
        f"Sentences by disagreement quotient: {len(found.listed)} of {found.defined}",
        (
            Column("sentence", "sentence", Count()),
            Column("system", "system", Name()),
            Column("quotient", "quotient", Quotient()),
            Column("segment_wins segments_compared", "won by its segments", OutOf()),
            Column("sentence_wins sentences_compared", "won as a whole", OutOf()),
        ),
        found.listed,
        notes=[note if found.defined else "No disagreement quotient is defined."],
    )


def _written(figures: Disagreement, texts: SentenceTexts) -> str:
    word = "translation" if texts.whole_translation else "candidates"
    references = [(reference_name(one.number), one.text) for one in texts.references]
    lines = [
        ("source", _marked(texts.source)),
        (word, _marked(texts.translation) or UNDEFINED),
        *(references or [("reference", UNDEFINED)]),
    ]
    return "\n".join(
        [
            f"sentence {figures.sentence}, {figures.system}",
            *(f"  {f'{name}:':<12} {text}" for name, text in lines),
        ]
    )


def _marked(pieces: Sequence[Piece]) -> str:
    return "".join(f"*{piece.text}*" if piece.segment else piece.text for piece in pieces)
