"""How many hours people judge until a project is finished."""

from dataclasses import dataclass
from typing import Final

from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q

from annotation.common.caching import cached_if_large, counts_version, project_key
from annotation.judging import queue
from annotation.kinds import Kind, kind_of, kind_of_cost
from annotation.models import Candidate, Project, Segment
from annotation.projects.undecided_systems import visible_candidates
from annotation.selectors.judgements import Speed, speeds

# With fewer timed items, the project's own seconds say little.
FEWEST_TIMED: Final = 10
# A submission that commits late may have a lower id than the last one: count again after 10 min.
SPEEDS_CACHED: Final = 600


@dataclass(frozen=True)
class WorkingTime:
    """The time that the first assignments of a project take, without repeats and control sentences.

    Each of `judges` judges all `items`, as a `Cost` has them, in `seconds` each. These are the mean
    of the project's own annotators, or what was published for the kind `cost_of`.
    """

    sentences: int
    judges: int
    items: int
    seconds: float
    cost_of: Kind | None

    @property
    def hours(self) -> float:
        return self.hours_of(self.sentences * self.judges)

    def hours_of(self, assignments: int) -> float:
        """Return the hours of so many first assignments, which are one sentence each."""
        each = self.items / self.sentences if self.sentences else 0.0
        return assignments * each * self.seconds / 3600


def working_time(project: Project, *, sentences: int, speed: Speed) -> WorkingTime:
    """Return the time for so many sentences, by the speed of all annotators. One query at most."""
    kind = kind_of(project)
    items = sentences
    if kind.unit.has_parts:
        items = cached_if_large(
            "segments-to-judge", project, lambda: _segments(project), sentences=sentences
        )
    like: Kind | None = kind_of_cost(kind)
    seconds = like.cost.seconds if like and like.cost else 0.0
    if speed.timed >= FEWEST_TIMED and speed.per_segment is not None:
        like, seconds = None, speed.per_segment
    return WorkingTime(sentences, project.judges_per_sentence, items, seconds, like)


def recent_speeds(project: Project, last: int) -> dict[int, Speed]:
    """Return the speed of each annotator by id; `last` is the last submission of the project."""
    found: dict[int, Speed] | None = cache.get_or_set(
        project_key(f"speeds:{last}:{counts_version(project)}", project),
        lambda: speeds(project),
        SPEEDS_CACHED,
    )
    return found or {}


def _segments(project: Project) -> int:
    candidates = queue.to_judge(
        Candidate.objects.filter(segment=OuterRef("pk")), [project], visible_candidates([project])
    )
    to_judge = queue.with_something_to_judge(project.sentences.all(), [project])
    heads = to_judge.order_by().values("pk")
    return Segment.objects.filter(
        Q(sentence__in=heads) | Q(sentence__sheet__in=heads),
        Exists(candidates),
        of_document=False,
    ).count()
