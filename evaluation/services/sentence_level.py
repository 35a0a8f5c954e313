"""Judgements of whole sentences: loading, comparison with segments, anonymisation."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from django.db.models import Q

from annotation.common.transactions import snapshot
from annotation.models import Assignment, Membership, Project, User
from annotation.projects.added_systems import sampled_systems
from annotation.selectors import judgements
from annotation.selectors.sentence_texts import Pieces, SystemSentence, system_sentences
from evaluation.findings.sentence_level import (
    TABLES,
    Piece,
    Reference,
    SentenceLevelReport,
    SentenceTexts,
    by_tau,
)
from evaluation.models import SentenceJudgement, SentencePlacement
from evaluation.services.findings import provenance
from evaluation.services.loading import load
from evaluation.stats.estimates import signed
from evaluation.stats.judgements import Judgements, assemble
from evaluation.stats.sentence_level import (
    LISTED,
    Disagreement,
    SentenceLevel,
    Tau,
    compare_levels,
)


def load_levels(project: Project) -> tuple[Judgements, Judgements]:
    """Return the judgements of whole sentences and those of segments, from one snapshot."""
    with snapshot():
        whole = load_sentence_judgements(project).without_systems(sampled_systems(project))
        return whole, load(project)


def load_sentence_judgements(project: Project) -> Judgements:
    """Return the imported judgements of whole sentences, in the order of their ids.

    Each sentence is one segment, and each system's translation one candidate, even if two
    translations are equal. Systems are in the order of `load`.
    """
    with snapshot():
        systems = judgements.systems(project)
        counted = SentenceJudgement.objects.filter(project=project, sentence__excluded=False)
        rows = counted.order_by("pk")
        judged = list(rows.values_list("pk", "sentence__number", "judge").iterator())
        placed = np.array(
            list(
                SentencePlacement.objects.filter(judgement__in=counted)
                .values_list("judgement_id", "system_id", "rank")
                .iterator()
            ),
            dtype=np.int64,
        ).reshape(-1, 3)
    numbers, sentences = np.unique(
        np.array([number for _, number, _ in judged], dtype=np.int64), return_inverse=True
    )
    names = list(dict.fromkeys(judge for _, _, judge in judged))
    codes = {name: code for code, name in enumerate(names)}
    by = np.searchsorted([pk for pk, _, _ in judged], placed[:, 0])
    who = np.searchsorted([pk for pk, _ in systems], placed[:, 1])
    # Each system has a candidate for each sentence, also where it was not ranked.
    candidates = sentences[by] * len(systems) + who
    all_candidates = np.arange(len(numbers) * len(systems))
    return assemble(
        segments=sentences,
        sentences=sentences,
        annotators=[codes[judge] for _, _, judge in judged],
        seconds=np.full(len(judged), np.nan),
        placed_by=by,
        placed_candidates=candidates,
        placed_ranks=placed[:, 2],
        candidate_segments=all_candidates // max(1, len(systems)),
        producing_systems=all_candidates % max(1, len(systems)),
        produced_candidates=all_candidates,
        segment_ids=numbers,
        sentence_numbers=numbers,
        annotator_names=names,
        system_names=[name for _, name in systems],
    )


@dataclass(frozen=True)
class ListedSentence:
    """A disagreement and its texts; None if the sentence has been deleted since."""

    figures: Disagreement
    texts: SystemSentence | None


@dataclass(frozen=True)
class SentenceLevelFindings:
    """The comparison of a project's segments with its whole sentences; loads judgements once."""

    project: Project
    limit: int | None = LISTED
    resamples: int = 1000
    seed: int = 0

    @cached_property
    def imported(self) -> bool:
        """Whether the project has judgements of whole sentences."""
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
        """Sentences and systems by disagreement quotient, the highest first."""
        rows = self.compared.disagreements.listed
        texts = system_sentences(self.project, ((row.sentence, row.system) for row in rows))
        return [ListedSentence(row, texts.get((row.sentence, row.system))) for row in rows]

    @property
    def tables(self) -> dict[str, list[tuple[str, Tau]]]:
        """The tables by name: systems with τ, the highest first, undefined ones last."""
        return {name: by_tau(self.compared.systems, name) for name in TABLES}

    @property
    def report(self) -> SentenceLevelReport:
        """The comparison with its texts, and with its signature."""
        return SentenceLevelReport(
            replace(self.compared, signature=self.signature),
            tuple(_texts(row.texts) if row.texts else None for row in self.sentences),
        )

    @property
    def signature(self) -> str:
        return signed(self.compared.signature, provenance(self.project))


def _texts(found: SystemSentence) -> SentenceTexts:
    return SentenceTexts(
        source=_pieces(found.source),
        translation=_pieces(found.translation),
        whole_translation=found.whole,
        references=tuple(Reference(*one) for one in found.references),
    )


def _pieces(pieces: Pieces) -> tuple[Piece, ...]:
    return tuple(Piece(text, inside) for text, inside in pieces)


def anonymise_judge(user: User, **_signal: Any) -> None:
    """Replace the user's names in judgements of whole sentences of the user's projects.

    Keys stay, so that the same file imported again is recognised.
    """
    names = {user.username, user.display_name} - {""}
    assigned = Assignment.objects.filter(annotator=user).values("project")
    member = Membership.objects.filter(user=user).values("project")
    own = Q(project__in=assigned) | Q(project__in=member)
    SentenceJudgement.objects.filter(own, judge__in=names).update(judge=f"annotator {user.pk}")
