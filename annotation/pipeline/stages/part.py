"""What a stage has to do at a time: some sentences of a project."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from annotation.models import Project, Sentence, Translation
from annotation.projects.options import PrepareOptions

# What became of a part: who did it, and counts; it is stored as JSON.
Made = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """Sentences number `first` to `last` of a project that is being prepared.

    `progress` is called with how much of how much is done, and raises where the work is to stop.
    `writing` opens a transaction in which nobody else writes for these sentences: it raises
    LeaseLost where the work has become somebody else's.
    """

    project: Project
    options: PrepareOptions
    first: int
    last: int
    progress: Callable[[int, int], None]
    writing: Callable[[], AbstractContextManager[None]]

    @property
    def sentences(self) -> QuerySet[Sentence]:
        return self.project.sentences.filter(number__range=(self.first, self.last))

    @property
    def translations(self) -> QuerySet[Translation]:
        return Translation.objects.filter(
            sentence__project=self.project, sentence__number__range=(self.first, self.last)
        )
