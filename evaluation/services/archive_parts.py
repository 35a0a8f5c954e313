"""What evaluation adds to a project's archive; reports are left out, as they can be recomputed."""

from collections.abc import Callable, Iterator
from typing import Final

from django.db.models import Prefetch

from annotation.common.batches import pages
from annotation.formats.archive_records import ReportScheduleRecord, SentenceJudgementRecord
from annotation.formats.errors import InputError
from annotation.import_export.archive_parts import Page, Part
from annotation.models import Project
from annotation.selectors import judgements
from evaluation.models import ReportSchedule, SentenceJudgement, SentencePlacement
from evaluation.services.sentence_judgements import RankingKeys, store


def _schedules(project: Project) -> Iterator[ReportScheduleRecord]:
    for schedule in ReportSchedule.objects.filter(project=project):
        yield ReportScheduleRecord(schedule.every)  # type: ignore[arg-type]


def _restore_schedules(project: Project) -> Callable[[Page], None]:
    def restore(page: Page) -> None:
        for _where, record in page:
            ReportSchedule.objects.create(project=project, every=record.every)

    return restore


def _judgement_records(project: Project) -> Iterator[SentenceJudgementRecord]:
    placed = SentencePlacement.objects.select_related("system").order_by("system_id")
    rows = SentenceJudgement.objects.filter(project=project).select_related("sentence")
    for page in pages(rows.prefetch_related(Prefetch("placements", placed))):
        for row in page:
            ranks = [(one.system.name, one.rank) for one in row.placements.all()]
            yield SentenceJudgementRecord(row.sentence.number, row.judge, ranks)


def _restore_judgements(project: Project) -> Callable[[Page], None]:
    sentences = judgements.sentence_ids(project)
    systems = {name: pk for pk, name in judgements.systems(project)}
    keys = RankingKeys()

    def restore(page: Page) -> None:
        rankings = []
        for where, record in page:
            if record.sentence not in sentences:
                raise InputError(f"{where}: there is no sentence {record.sentence} in the archive.")
            for name, _rank in record.ranks:
                if name not in systems:
                    raise InputError(f"{where}: there is no system {name!r} in the archive.")
            ranks = tuple(sorted((systems[name], rank) for name, rank in record.ranks))
            rankings.append(keys.ranking(sentences[record.sentence], record.judge, ranks))
        store(project, rankings)

    return restore


PARTS: Final = (
    Part(ReportScheduleRecord, _schedules, _restore_schedules),
    Part(SentenceJudgementRecord, _judgement_records, _restore_judgements),
)
