"""The records of an archive about what evaluation keeps of a project."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class ReportScheduleRecord:
    """How often the project's report is made anew by itself."""

    tag: ClassVar = "report_schedule"
    every: str

    def rows(self) -> dict[str, int]:
        return {"report_schedules": 1}


@dataclass(frozen=True)
class SentenceJudgementRecord:
    """A ranking of a whole sentence that was made elsewhere; `ranks` are (system, its rank)."""

    tag: ClassVar = "sentence_judgement"
    sentence: int
    judge: str
    ranks: list[tuple[str, int]]

    def rows(self) -> dict[str, int]:
        return {"sentence_judgements": 1, "sentence_placements": len(self.ranks)}
