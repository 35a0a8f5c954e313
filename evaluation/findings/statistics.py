"""How much of a project is judged now: annotators, their time and their agreement."""

from dataclasses import dataclass

from evaluation.findings import agreement, annotators
from evaluation.findings.annotators import AnnotatorWork, work_of
from evaluation.findings.evidence import Evidence
from evaluation.rendering.tables import Column, Count, Table
from evaluation.rendering.text import _
from evaluation.stats.agreement.intervals import AgreementEstimates


@dataclass(frozen=True)
class ProjectStatistics:
    """What there is to judge, how much of it is judged, by whom, and how well annotators agree.

    `together` is the row of all `annotators`; its sentences are distinct ones, not the sum. The
    `agreement`, which has their κ, has no intervals. `unidentified` of the judgements are by
    unknown annotators, and count in no row and not in κ.
    """

    sentences: int
    sentences_judged: int
    segments: int
    candidates: int
    judgements: int
    unidentified: int
    annotators: tuple[AnnotatorWork, ...]
    together: AnnotatorWork
    agreement: AgreementEstimates
    signature: str


def compute(
    evidence: Evidence, *, sentences: int, segments: int, candidates: int
) -> ProjectStatistics:
    found, assignments = evidence.statistics, evidence.assignments
    return ProjectStatistics(
        sentences=sentences,
        sentences_judged=found.sentences_judged,
        segments=segments,
        candidates=candidates,
        judgements=found.judgements,
        unidentified=found.unidentified,
        annotators=annotators.compute(evidence),
        together=work_of(
            found.together, None if assignments is None else sum(assignments.values())
        ),
        agreement=agreement.compute(evidence, resamples=0),
        signature=found.signature,
    )


def tables(
    found: ProjectStatistics, caption: str, *, segments: str, candidates: str
) -> list[Table]:
    """Return what is judged, agreement, and annotators.

    `segments` and `candidates` head their numbers. Without `segments`, a sentence is its only one.
    """
    judged = Table.of(
        "judged",
        caption,
        (
            Column("sentences", _("Sentences"), Count()),
            Column("sentences_judged", "Judged", Count()),
            *([Column("segments", segments, Count())] if segments else []),
            Column("candidates", candidates, Count()),
            Column("assignments", "Assignments", Count(), lambda row: row.together.assignments),
            Column("judgements", _("Judgements"), Count()),
        ),
        [found],
        notes=[
            f"Judgements by unknown annotators: {found.unidentified}. They count in the ranking "
            "and in the expected agreement, but not in κ."
        ]
        if found.unidentified
        else [],
        details=[found.signature],
    )
    return [
        judged,
        *agreement.tables(found.agreement, ()),
        *annotators.tables(found.annotators, found.together, found.agreement, (), has_order=True),
    ]
