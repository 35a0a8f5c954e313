"""How much of a project is excluded, and how many judgements are discarded."""

from dataclasses import dataclass
from typing import Any

from annotation.models import Assignment, Candidate, Judgement, Project, Segment, Sentence


@dataclass(frozen=True)
class Excluded:
    """What administrators excluded: `sentences` are sheets, `discarded` judgements of segments.

    Segments of excluded sentences are not counted again, nor are candidates of excluded segments.
    """

    sentences: int = 0
    segments: int = 0
    candidates: int = 0
    discarded: int = 0

    def __bool__(self) -> bool:
        return self != Excluded()


def excluded_of(project: Project) -> Excluded:
    """Return what is excluded. Four queries; none where nothing ever was."""
    if project.counts_changed is None:
        return Excluded()
    of_project: dict[str, Any] = {
        "sentence__project": project,
        # Control sentences have candidates that are not shown.
        "sentence__purpose": Sentence.Purpose.JUDGE,
        "sentence__excluded": False,
    }
    return Excluded(
        sentences=Sentence.objects.filter(project=project, sheet=None, excluded=True).count(),
        segments=Segment.objects.filter(**of_project, excluded=True).count(),
        candidates=Candidate.objects.filter(
            segment__excluded=False,
            **{f"segment__{name}": value for name, value in of_project.items()},
            excluded=True,
        ).count(),
        discarded=Judgement.objects.filter(
            submission__current=True,
            submission__assignment__project=project,
            submission__assignment__state=Assignment.State.DISCARDED,
            submission__assignment__kind__in=Assignment.COUNTED,
            segment__of_document=False,
        ).count(),
    )
