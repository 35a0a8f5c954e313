"""What curators settled, in archives."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.formats.archive_records import SettledPart, SettlementRecord
from annotation.formats.errors import InputError
from annotation.formats.judgement_lines import GARBAGE
from annotation.import_export.archive_parts import Page
from annotation.import_export.sentence_pages import load_sheets
from annotation.models import Project, Sentence, SettledPlacement, Settlement, User


def settlement_records(project: Project, names: Mapping[int, str]) -> Iterator[SettlementRecord]:
    """Yield the settlements by the number of the sheet; `names` are those of accounts by id."""
    rows = Settlement.objects.filter(sheet__project=project).select_related("sheet")
    settlements = list(rows.order_by("sheet__number"))
    sheets = load_sheets(project, {row.sheet.number for row in settlements}, Sentence.Purpose.JUDGE)
    placements: dict[int, dict[int, SettledPlacement]] = {}
    for placement in SettledPlacement.objects.filter(settlement__in=settlements):
        placements.setdefault(placement.settlement_id, {})[placement.candidate_id] = placement
    for row in settlements:
        settled = placements.get(row.pk, {})
        parts = []
        for place, segment in enumerate(sheets[row.sheet.number].segments):
            found = [settled.get(candidate) for candidate in segment.candidates]
            if one := next(filter(None, found), None):
                parts.append(
                    SettledPart(
                        segment=place,
                        ranks_offered=one.ranks_offered,
                        ranks=[each and (each.rank or GARBAGE) for each in found],  # type: ignore[misc]
                        details={
                            position: each.detail
                            for position, each in enumerate(found)
                            if each and each.detail
                        },
                    )
                )
        yield SettlementRecord(
            sheet=row.sheet.number,
            answer_of=None if row.answer_of_id is None else names[row.answer_of_id],
            by=None if row.by_id is None else names.get(row.by_id),
            created=row.created,
            comment=row.comment,
            segments=parts,
        )


def restore_settlements(project: Project, page: Page, users: Mapping[str, User]) -> None:
    """Store the settlements of a page. Raise InputError for what the archive does not have."""
    numbers = {record.sheet for _where, record in page}
    sheets = load_sheets(project, numbers, Sentence.Purpose.JUDGE)
    for where, record in page:
        if record.sheet not in sheets:
            raise InputError(f"{where}: there is no sentence {record.sheet} in the archive.")
        for name in (record.answer_of, record.by):
            if name is not None and name not in users:
                raise InputError(f"{where}: there is no account {name!r} in the archive.")
        segments = sheets[record.sheet].segments
        for part in record.segments:
            if part.segment >= len(segments) or len(part.ranks) != len(
                segments[part.segment].candidates
            ):
                raise InputError(f"{where}: the candidates are not those of the sheet.")
    settlements = Settlement.objects.bulk_create(
        Settlement(
            sheet_id=sheets[record.sheet].id,
            answer_of=None if record.answer_of is None else users[record.answer_of],
            by=None if record.by is None else users[record.by],
            created=record.created,
            comment=record.comment,
        )
        for _where, record in page
    )
    placements: list[Any] = []
    for settlement, (_where, record) in zip(settlements, page, strict=True):
        for part in record.segments:
            candidates = list(sheets[record.sheet].segments[part.segment].candidates)
            placements += [
                SettledPlacement(
                    settlement=settlement,
                    candidate_id=candidate,
                    rank=None if rank == GARBAGE else rank,
                    ranks_offered=part.ranks_offered,
                    detail=part.details.get(place, ""),
                )
                for place, (candidate, rank) in enumerate(zip(candidates, part.ranks, strict=True))
                if rank is not None
            ]
    SettledPlacement.objects.bulk_create(placements)
