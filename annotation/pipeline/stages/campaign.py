"""What a campaign has besides texts: errors marked before, control sheets, practice sheets."""

from collections.abc import Iterable, Mapping

from annotation.kinds import kind_of
from annotation.kinds.units import DocumentOfSystems
from annotation.models import GivenErrors, GivenOrigin, Project, Projection, Sentence
from annotation.pipeline.stages import Part, StageResult
from annotation.projects.given_errors import store_given_errors
from annotation.projects.options import CampaignControl, CampaignGold
from annotation.projects.sheet_copies import store_control_sheet, store_practice_sheet
from annotation.projects.texts import delete_sentences

# The candidates of the rows to judge by line and system. A system may be on several sheets.
Produced = Mapping[tuple[int, str], list[Projection]]


def store_campaign_parts(part: Part) -> StageResult:
    """Store what the options have of a campaign, in one transaction."""
    project, campaign = part.project, part.options.campaign
    produced = _produced(project)
    with part.writing():
        delete_campaign_parts(project)
        details = {
            row.candidate_id: one.detail
            for one in campaign.errors
            for row in produced.get((one.line, one.system), ())
            if row.candidate_id is not None
        }
        if details:
            store_given_errors(
                project=project,
                name=campaign.origin,
                by=GivenOrigin.By.PROGRAM,
                details=details,
            )
        controls = sum(_store_control(project, one, produced) for one in campaign.controls)
        practice = sum(_store_practice(project, one, produced) for one in campaign.practice)
        Project.objects.filter(pk=project.pk).update(
            practice_required=bool(practice) and campaign.practice_required,
            control_rate=_share(project, controls),
        )
    return {"given": len(details), "controls": controls, "practice": practice}


def delete_campaign_parts(project: Project) -> None:
    """Delete what an earlier try has stored. The caller is in a transaction."""
    GivenErrors.objects.filter(origin__project=project).delete()
    GivenOrigin.objects.filter(project=project).delete()
    copies = project.sentences.exclude(purpose=Sentence.Purpose.JUDGE)
    for is_head in (False, True):
        rows = copies.filter(sheet__isnull=is_head)
        delete_sentences(list(rows.values_list("pk", flat=True)))


def _produced(project: Project) -> Produced:
    rows = Projection.objects.filter(
        segment__sentence__project=project,
        segment__sentence__purpose=Sentence.Purpose.JUDGE,
        segment__of_document=False,
        candidate__isnull=False,
    ).select_related("segment__sentence__sheet", "system", "candidate")
    found: dict[tuple[int, str], list[Projection]] = {}
    for row in rows.order_by("pk"):
        line = row.segment.sentence.source_line or row.segment.sentence.number
        found.setdefault((line, row.system.name), []).append(row)
    return found


def _store_control(project: Project, control: CampaignControl, produced: Produced) -> int:
    """Store the control sheets: several where a long document has several. Return how many."""
    changed: dict[int, tuple[Sentence, dict[int, str]]] = {}
    for line, text in control.copies:
        row = _on_sheet_of(control.systems, line, control.system, produced)
        if row is not None and row.candidate is not None and row.candidate.text != text:
            head = row.segment.sentence.head
            changed.setdefault(head.pk, (head, {}))[1][row.candidate.pk] = text
    beside = isinstance(kind_of(project).unit, DocumentOfSystems)
    return sum(
        bool(store_control_sheet(head, texts, beside=beside, message=control.message))
        for head, texts in changed.values()
    )


def _store_practice(project: Project, gold: Iterable[CampaignGold], produced: Produced) -> int:
    """Store the practice sheets of the outputs; return how many."""
    by_head: dict[int, tuple[Sentence, dict[int, CampaignGold]]] = {}
    gold = list(gold)
    systems = sorted({one.system for one in gold})
    for one in gold:
        row = _on_sheet_of(systems, one.line, one.system, produced)
        if row is not None and row.candidate is not None:
            head = row.segment.sentence.head
            by_head.setdefault(head.pk, (head, {}))[1].setdefault(row.candidate.pk, one)
    return sum(
        bool(store_practice_sheet(head, answers, kind_of(project).answer))
        for head, answers in by_head.values()
    )


def _on_sheet_of(
    systems: Iterable[str], line: int, system: str, produced: Produced
) -> Projection | None:
    """Return the system's output for the line on the sheet where it stands beside the others."""
    of_systems = [{row.segment_id for row in produced.get((line, name), ())} for name in systems]
    rows = produced.get((line, system), [])
    return max(rows, key=lambda row: sum(row.segment_id in one for one in of_systems), default=None)


def _share(project: Project, controls: int) -> float:
    """Return the share of control sheets among those that a campaign has."""
    if not controls:
        return project.control_rate
    judged = project.sentences.filter(purpose=Sentence.Purpose.JUDGE, sheet=None).count()
    return round(min(0.5, controls / (controls + judged)), 2) or 0.01
