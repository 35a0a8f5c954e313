"""Imports rankings of whole sentences into a project that has these sentences."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from json import dumps
from pathlib import Path
from typing import Final

from django.db import transaction

from annotation.common.transactions import retried
from annotation.formats.errors import InputError
from annotation.formats.wmt import NOT_JUDGED, Ranking
from annotation.models import Project
from annotation.selectors import judgements
from evaluation.formats.judgement_files import Choice, read_rankings
from evaluation.formats.system_names import SystemNames, name_systems, read_system_names
from evaluation.models import SentenceJudgement, SentencePlacement

LONGEST_JUDGE: Final = 200
# Rows that are written in one statement.
BATCH: Final = 2000
# The ids of systems and their ranks, in order.
Ranks = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class ProjectRanking:
    """A ranking by ids of the project's sentence and systems; `key` identifies its content."""

    sentence: int
    judge: str
    ranks: Ranks
    key: str


class RankingKeys:
    """Computes the keys of rankings; equal rankings of one file get different keys."""

    def __init__(self) -> None:
        self._same: Counter[str] = Counter()

    def ranking(self, sentence: int, judge: str, ranks: Ranks) -> ProjectRanking:
        content = dumps([sentence, judge, ranks])
        self._same[content] += 1
        key = sha256(dumps([content, self._same[content]]).encode()).hexdigest()
        return ProjectRanking(sentence, judge, ranks, key)


@dataclass(frozen=True)
class ImportedRankings:
    """Counts of the rankings of a file.

    `stored` are new, by so many `judges` and of so many `sentences`; `there_already` were imported
    before. The others are left out: `elsewhere` are of sentences that the project does not have,
    `of_too_few` rank fewer than two of its systems. `removed` were replaced.
    """

    stored: int
    judges: int
    sentences: int
    there_already: int
    elsewhere: int
    of_too_few: int
    removed: int


@retried
def import_sentence_judgements(
    *,
    project: Project,
    path: Path,
    file_format: str,
    pair: str | None = None,
    names: Path | None = None,
    offset: int = 0,
    replace: bool = False,
) -> ImportedRankings:
    """Store a file's rankings of the project's sentences, unless they are stored already.

    `offset` is added to the file's sentence numbers. `names` is a file that maps the file's systems
    to the project's. With `replace`, earlier imports are removed first. All in one transaction;
    raises InputError, with file and line.
    """
    [rankings] = read_rankings(Choice(file_format, [path], pair=pair))
    _check_document(rankings)
    with transaction.atomic():
        # One import at a time; on SQLite, the transaction alone sees to that.
        project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        _check_prepared(project)
        systems = {name: pk for pk, name in judgements.systems(project)}
        given = read_system_names(names, systems) if names else None
        of_file = {name for ranking in rankings for one in ranking.ranked for name in one.systems}
        reader = _Reader(
            sentences=judgements.sentence_ids(project),
            systems=systems,
            names=name_systems(of_file, systems, given, str(path)),
            offset=offset,
        )
        fitting = list(reader.fitting(rankings))
        if not fitting:
            raise InputError(_why_none_fits(path, rankings, reader))
        removed = remove_sentence_judgements(project) if replace else 0
        new = _not_there(project, fitting)
        store(project, new)
    return ImportedRankings(
        stored=len(new),
        judges=len({one.judge for one in new}),
        sentences=len({one.sentence for one in new}),
        there_already=len(fitting) - len(new),
        elsewhere=reader.elsewhere,
        of_too_few=reader.of_too_few,
        removed=removed,
    )


def remove_sentence_judgements(project: Project) -> int:
    """Remove all imported rankings of whole sentences; return how many there were."""
    SentencePlacement.objects.filter(judgement__project=project).delete()
    return SentenceJudgement.objects.filter(project=project).delete()[0]


def _check_prepared(project: Project) -> None:
    if project.state in (Project.State.PREPARING, Project.State.FAILED):
        raise InputError(
            f"The project {project.name!r} is not prepared, so it has no sentences to judge."
        )


def _check_document(rankings: Sequence[Ranking]) -> None:
    """Raise InputError for rankings of several texts, whose sentences have the same numbers."""
    first = rankings[0]
    for ranking in rankings:
        if ranking.document != first.document:
            raise InputError(
                f"{ranking.where}: the document is {ranking.document!r}, and that of "
                f"{first.where} is {first.document!r}: give a file of one text, since a project "
                "has the sentences of one."
            )


class _Reader:
    """Finds the project's sentences and systems in rankings, and counts what is left out."""

    def __init__(
        self,
        sentences: Mapping[int, int],
        systems: Mapping[str, int],
        names: SystemNames,
        offset: int,
    ) -> None:
        self.sentences, self.systems, self.names, self.offset = sentences, systems, names, offset
        self.elsewhere = self.of_too_few = 0

    def fitting(self, rankings: Iterable[Ranking]) -> Iterator[ProjectRanking]:
        """Yield the rankings of at least two of the project's systems in one of its sentences."""
        keys = RankingKeys()
        for ranking in rankings:
            if len(ranking.judge) > LONGEST_JUDGE:
                raise InputError(
                    f"{ranking.where}: the name of the judge has {len(ranking.judge)} characters: "
                    f"{LONGEST_JUDGE} are allowed."
                )
            ranks = self._ranks(ranking)
            sentence = self.sentences.get(ranking.sentence + self.offset)
            if sentence is None:
                self.elsewhere += 1
            elif len(ranks) < 2:
                self.of_too_few += 1
            else:
                yield keys.ranking(sentence, ranking.judge, tuple(ranks))

    def _ranks(self, ranking: Ranking) -> list[tuple[int, int]]:
        """Return the rank of each system of the project, by ids."""
        ranks: dict[str, int] = {}
        for text in ranking.ranked:
            ours = {name for each in text.systems if (name := self.names[each]) is not None}
            for name in ours if text.rank != NOT_JUDGED else ():
                if name in ranks:
                    raise InputError(
                        f"{ranking.where}: two texts are of the project's system {name!r}: map "
                        "only one of their systems to it."
                    )
                ranks[name] = text.rank
        return sorted((self.systems[name], rank) for name, rank in ranks.items())


def _why_none_fits(path: Path, rankings: Sequence[Ranking], reader: _Reader) -> str:
    if not reader.of_too_few:
        least, most = (choose(r.sentence for r in rankings) for choose in (min, max))
        ours = list(reader.sentences)
        has = f"{min(ours)} to {max(ours)}" if ours else "none"
        return (
            f"{path} has none of the project's sentences: it ranks sentences {least} to {most}, "
            f"and the project has {has}. --offset N adds N to the numbers of the file."
        )
    return (
        f"{path} has no ranking of two systems of the project: {reader.of_too_few} of its rankings "
        f"have fewer than two of them, {reader.elsewhere} are of other sentences."
    )


def _not_there(project: Project, fitting: Sequence[ProjectRanking]) -> list[ProjectRanking]:
    there = set(SentenceJudgement.objects.filter(project=project).values_list("key", flat=True))
    return [one for one in fitting if one.key not in there]


def store(project: Project, rankings: Sequence[ProjectRanking]) -> None:
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
