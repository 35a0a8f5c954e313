"""Judgements of whole sentences and of their segments, as literal tables."""

from collections.abc import Sequence

from evaluation.stats.judgements import Judgements
from evaluation.stats.sentence_level import SentenceLevel
from tests.evaluation.tables import Row, judged

SYSTEMS = ("A", "B", "C")
SENTENCES = {"1": 1, "2": 2, "8": 8, "1a": 1, "1b": 1, "2a": 2, "9a": 9}


def levels(whole: Sequence[Row], parts: Sequence[Row]) -> tuple[Judgements, Judgements]:
    return (
        judged(whole, systems=SYSTEMS, sentences=SENTENCES),
        judged(parts, systems=SYSTEMS, sentences=SENTENCES),
    )


def counts(compared: SentenceLevel) -> dict[str, list[tuple[int, int]]]:
    return {
        row.system: [(tau.concordant, tau.discordant) for tau in (row.better, row.worse, row.all)]
        for row in compared.systems
    }
