"""Storing rankings of whole sentences, each known by what is in it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from json import dumps
from typing import Final

from annotation.models import Project
from evaluation.models import SentenceJudgement, SentencePlacement

# Rows that are written in one statement.
BATCH: Final = 2000
Ranks = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Fitting:
    """A ranking that fits the project: ids of its sentence and systems, these in order."""

    sentence: int
    judge: str
    ranks: Ranks
    key: str


class Keys:
    """Makes the keys of rankings: those of one file that are the same have different ones."""

    def __init__(self) -> None:
        self._same: Counter[str] = Counter()

    def fitting(self, sentence: int, judge: str, ranks: Ranks) -> Fitting:
        content = dumps([sentence, judge, ranks])
        self._same[content] += 1
        key = sha256(dumps([content, self._same[content]]).encode()).hexdigest()
        return Fitting(sentence, judge, ranks, key)


def store(project: Project, rankings: Sequence[Fitting]) -> None:
    stored = SentenceJudgement.objects.bulk_create(
        (
            SentenceJudgement(
                project=project, sentence_id=one.sentence, judge=one.judge, key=one.key
            )
            for one in rankings
        ),
        batch_size=BATCH,
    )
    SentencePlacement.objects.bulk_create(
        (
            SentencePlacement(judgement=judgement, system_id=system, rank=rank)
            for judgement, one in zip(stored, rankings, strict=True)
            for system, rank in one.ranks
        ),
        batch_size=BATCH,
    )
