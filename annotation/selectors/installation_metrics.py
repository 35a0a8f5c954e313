"""How much there is, and how much waits: figures for those who watch over an installation."""

from dataclasses import dataclass

from django.db.models import Count
from django.utils import timezone

from annotation.models import Assignment, Job, Judgement
from annotation.pipeline import chunks


@dataclass(frozen=True)
class Workload:
    """Figures of the whole installation, at one time.

    `jobs` has all states; `judgements` counts replaced versions too; `leases` are open sentences;
    `unclaimed` are chunks that a worker can claim now.
    """

    jobs: dict[str, int]
    judgements: int
    drafts: int
    leases: int
    unclaimed: int


def workload() -> Workload:
    """Count; it takes as long as counting all judgements does."""
    counted = dict(Job.objects.values_list("state").annotate(Count("pk")).order_by())
    unfinished = Job.objects.filter(state__in=Job.AT_WORK)
    held = Assignment.objects.filter(state=Assignment.State.OPEN, lease_until__gt=timezone.now())
    return Workload(
        jobs={str(state): counted.get(state, 0) for state in Job.State.values},
        judgements=Judgement.objects.count(),
        drafts=Assignment.objects.filter(draft_version__gt=0).count(),
        leases=held.count(),
        unclaimed=sum(chunks.claimable_count(job) for job in unfinished.order_by("pk")),
    )
