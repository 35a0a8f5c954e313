"""How often each system beats each other one, and what the tests of the pairs say."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isnan
from operator import itemgetter
from typing import Final

from evaluation.findings.evidence import Evidence
from evaluation.findings.ranking import TIES
from evaluation.rendering.figures import Figure
from evaluation.rendering.figures.heat_maps import win_rate_map
from evaluation.rendering.tables import Column, Count, Name, Number, P, Table, Words
from evaluation.rendering.text import Text, _
from evaluation.stats.ranking.significance import Figures, Significance, compare_pairs

SIGNIFICANT: Final = 0.05


def compute(evidence: Evidence) -> Significance:
    return compare_pairs(
        evidence.judgements,
        draws=evidence.options.resamples,
        seed=evidence.options.seed,
        cells=evidence.cells,
        texts=evidence.same_texts,
    )


@dataclass(frozen=True)
class _Pair:
    system: str
    other: str
    wins: int
    losses: int
    ties_of_different_texts: int
    same_text: int
    win_rate: float | None
    better: float | None
    p: float | None
    p_holm: float | None
    wide_p: float | None
    wide_p_holm: float | None
    detectable: float | None
    undefined: Text | None


def pairs_table(
    found: Significance,
    *,
    name: str,
    caption: Text,
    detectable: Figures = (),
    order: Sequence[str] = (),
    more: Sequence[Column] = (),
    notes: Sequence[Text | str] = (),
) -> Table:
    """Return each pair of systems once, in their `order` if it is given.

    `detectable` is systems × systems, if known; `more` are columns for files only.
    """
    places = [found.systems.index(system) for system in order or found.systems]
    rows = [
        _Pair(
            system=found.systems[x],
            other=found.systems[y],
            wins=found.wins[x][y],
            losses=found.losses[x][y],
            ties_of_different_texts=found.ties_of_different_texts[x][y],
            same_text=found.same_text[x][y],
            win_rate=found.win_rate[x][y],
            better=found.better[x][y],
            p=found.p[x][y],
            p_holm=found.p_holm[x][y],
            wide_p=found.wide_p[x][y],
            wide_p_holm=found.wide_p_holm[x][y],
            detectable=detectable[x][y] if detectable else None,
            undefined=Text(found.undefined[x][y]) if found.undefined[x][y] else None,
        )
        for x, y in combinations(places, 2)
    ]
    return Table.of(
        name,
        caption,
        (
            Column("system", _("System"), Name()),
            Column("other", _("Compared with"), Name()),
            Column("wins", _("Wins"), Count()),
            Column("losses", _("Losses"), Count()),
            Column("ties_of_different_texts", _("Ties"), Count()),
            Column("same_text", _("Same text"), Count()),
            Column("win_rate", _("Share of wins")),
            Column("better", _("P(better)"), Number(2), may_be_empty=True),
            Column("p", _("p, other sentences"), P()),
            Column("p_holm", _("p (Holm)"), P()),
            *more,
            Column("wide_p_holm", _("p (Holm), other annotators too"), P(), may_be_empty=True),
            *([Column("detectable", _("Detectable"), may_be_empty=True)] if detectable else []),
            Column("undefined", _("Undefined because"), Words(), may_be_empty=True),
        ),
        rows,
        notes=(TIES, *test_notes(found), *notes),
        details=[found.signature],
    )


def p_table(
    name: str,
    caption: Text | str,
    systems: Sequence[str],
    p: Sequence[Sequence[float | None]],
    *,
    notes: Sequence[Text | str] = (),
    details: Sequence[str] = (),
) -> Table:
    """Return p of each system against each other one; None and NaN are undefined."""
    return Table.of(
        name,
        caption,
        (
            Column("system", _("System"), Name(), itemgetter(0)),
            *(
                Column(f"p_{system}", system, P(), itemgetter(place))
                for place, system in enumerate(systems, start=1)
            ),
        ),
        [
            (system, *(None if cell is None or isnan(cell) else cell for cell in row))
            for system, row in zip(systems, p, strict=True)
        ],
        notes=notes,
        details=details,
    )


def test_notes(found: Significance) -> list[Text]:
    """Return what p is for."""
    if found.only_sentences:
        return [
            _(
                "p is that of an exact sign-flip test; it holds for the present annotators only: "
                "%(why)s.",
                why=Text(found.only_sentences),
            )
        ]
    return [
        _(
            "p is the larger of two: that of an exact sign-flip test, and that of Student’s t that "
            "takes annotators for a sample too."
        )
    ]


def tables(found: Significance, detectable: Figures) -> list[Table]:
    return [
        pairs_table(
            found,
            name="win-rates",
            caption=_("How often a system was better than another."),
            detectable=detectable,
            notes=[
                _(
                    "Detectable: the smallest difference of the share of wins from 0.5 that would "
                    "have been found with 80 % power, corrected for all pairs."
                )
            ],
        )
    ]


def figures(found: Significance, order: Sequence[str]) -> list[Figure]:
    """Return the map of shares of wins, with the systems in this order."""
    return [
        Figure(
            "win-rates",
            _("Win rate of row over column"),
            "win-rates",
            lambda look, words: win_rate_map(found, decisive_p(found), list(order), look, words),
        )
    ]


def decisive_p(found: Significance) -> Figures:
    """Return p after Holm for other annotators too, where known, else for other sentences."""
    return found.p_holm if found.only_sentences else found.wide_p_holm


def undecided_pairs(found: Significance) -> list[tuple[str, str]]:
    """Return the pairs of systems that do not differ significantly, or were not tested."""
    names, p = found.systems, decisive_p(found)
    return [
        (names[x], names[y])
        for x, y in combinations(range(len(names)), 2)
        if (tested := p[x][y]) is None or tested >= SIGNIFICANT
    ]
