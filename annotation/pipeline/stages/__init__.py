"""From the stored texts of a project to its segments and candidates, stage by stage.

`plan` has the order of the stages and cuts each into chunks; every other module does one stage: a
function from a Part to a StageResult, which reads stored rows only, and replaces what an earlier
try stored for the same part.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from annotation.common.transactions import Writing
from annotation.models import Project, Sentence, Translation
from annotation.projects.options import PrepareOptions

# What a stage reports of a part: programs, versions and counts, as JSON.
StageResult = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """Sentences number `first` to `last` of a project that is being prepared.

    `progress(done, total)` reports progress and raises where the work is to stop. `writing` opens a
    transaction; it raises where the work was cancelled or another worker does this part.
    """

    project: Project
    options: PrepareOptions
    first: int
    last: int
    progress: Callable[[int, int], None]
    writing: Writing

    @property
    def sentences(self) -> QuerySet[Sentence]:
        return self.project.sentences.filter(number__range=(self.first, self.last))

    @property
    def translations(self) -> QuerySet[Translation]:
        return Translation.objects.filter(
            sentence__project=self.project, sentence__number__range=(self.first, self.last)
        )
