"""How a project's segments agree with judgements of its whole sentences, for pages and commands."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from annotation.models import Project
from annotation.selectors.sentence_texts import Pieces, SystemSentence, system_sentences
from evaluation.models import SentenceJudgement
from evaluation.services.findings import provenance, rounded
from evaluation.services.loading_sentences import load_levels
from evaluation.stats.estimates import Estimate
from evaluation.stats.labels import natural_key
from evaluation.stats.sentence_level.quotients import Disagreement
from evaluation.stats.sentence_level.sentence_level import (
    SentenceLevel,
    SystemTau,
    Tau,
    compare_levels,
)

# Which of a system's figures each of the thesis' three tables has.
TABLES: Final[dict[str, Callable[[SystemTau], Tau]]] = {
    "better": lambda row: row.better,
    "worse": lambda row: row.worse,
    "all": lambda row: row.all,
}
# Sentences that are listed unless more are wanted.
LIMIT: Final = 30


@dataclass(frozen=True)
class ListedSentence:
    """A disagreement and its texts, which are None only if the sentence is gone meanwhile."""

    figures: Disagreement
    texts: SystemSentence | None


@dataclass(frozen=True)
class SentenceLevelFindings:
    """The comparison of one project's segments with its whole sentences, read once."""

    project: Project
    limit: int | None = LIMIT
    resamples: int = 1000
    seed: int = 0

    @cached_property
    def imported(self) -> bool:
        """Whether there are judgements of whole sentences."""
        return SentenceJudgement.objects.filter(project=self.project).exists()

    @cached_property
    def compared(self) -> SentenceLevel:
        return compare_levels(
            *load_levels(self.project),
            resamples=self.resamples,
            seed=self.seed,
            limit=self.limit,
        )

    @cached_property
    def sentences(self) -> list[ListedSentence]:
        """The sentences of systems by disagreement quotient, the highest first."""
        rows = self.compared.disagreements.listed
        texts = system_sentences(self.project, ((row.sentence, row.system) for row in rows))
        return [ListedSentence(row, texts.get((row.sentence, row.system))) for row in rows]

    @property
    def tables(self) -> dict[str, list[tuple[str, Tau]]]:
        """The thesis' tables by name: systems with τ, the highest first, undefined ones last."""
        return {
            name: sorted(((row.system, choose(row)) for row in self.compared.systems), key=_order)
            for name, choose in TABLES.items()
        }

    @property
    def signature(self) -> str:
        return "|".join((str(self.compared.signature), *provenance(self.project)))


def sentence_level_report(findings: SentenceLevelFindings) -> dict[str, Any]:
    """Return all of it as plain JSON; what is undefined is None, and says why.

    An infinite quotient is None too, and `infinite` is true. Figures have 6 decimals.
    """
    compared, found = findings.compared, findings.compared.disagreements
    return {
        "sentences": compared.sentences,
        "sentence_judgements": compared.sentence_judgements,
        "segment_judgements": compared.segment_judgements,
        "together": _tau(compared.together),
        "tau": {
            name: [{"system": system} | _tau(tau) for system, tau in table]
            for name, table in findings.tables.items()
        },
        "quotients": {
            "defined": found.defined,
            "infinite": found.infinite,
            "never_won": found.never_won,
            "not_compared": found.not_compared,
        },
        "disagreements": [_disagreement(row) for row in findings.sentences],
        "signature": findings.signature,
    }


def _order(row: tuple[str, Tau]) -> tuple[Any, ...]:
    system, tau = row
    value = tau.estimate.value
    return value is None, -(value or 0.0), natural_key(system)


def _tau(tau: Tau) -> dict[str, Any]:
    estimate: Estimate = tau.estimate
    return {
        "tau": rounded(estimate.value),
        "low": rounded(estimate.low),
        "high": rounded(estimate.high),
        "concordant": tau.concordant,
        "discordant": tau.discordant,
        "undefined": estimate.undefined or None,
    }


def _disagreement(row: ListedSentence) -> dict[str, Any]:
    figures, texts = row.figures, row.texts
    return {
        "sentence": figures.sentence,
        "system": figures.system,
        "quotient": None if figures.infinite else rounded(figures.quotient),
        "infinite": figures.infinite,
        "segment_wins": figures.segment_wins,
        "segment_losses": figures.segment_losses,
        "sentence_wins": figures.sentence_wins,
        "sentence_losses": figures.sentence_losses,
        "source": _pieces(texts.source if texts else []),
        "translation": _pieces(texts.translation if texts else []),
        "whole_translation": bool(texts and texts.whole),
        "reference": texts.reference if texts else "",
    }


def _pieces(pieces: Pieces) -> list[dict[str, Any]]:
    return [{"text": text, "segment": inside} for text, inside in pieces]
