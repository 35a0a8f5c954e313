"""What others see of a job at work, and when it is taken over."""

import pytest
from django.utils import timezone

from annotation.models import (
    Chunk,
    Job,
    Projection,
    Segment,
    Translation,
)
from annotation.pipeline import jobs
from annotation.pipeline.leases import LEASE, LeaseLost
from annotation.pipeline.stages.part import Made, Part
from annotation.pipeline.stages.plan import WORK
from tests.annotation.pipeline.setting import ELSEWHERE, SENTENCES, SOON, first, running
from tests.installation import wait_until


def test_others_see_how_far_it_is_while_it_works(job: Job, small: None) -> None:
    reached: list[int] = []

    def look(part: Part) -> None:
        part.progress(2, 3)
        done = part.first + 2 * (part.last - part.first + 1) // 3 - 1
        wait_until(lambda: Job.objects.get(pk=job.pk).done == done)
        reached.append(Job.objects.get(pk=job.pk).total)

    jobs.run(job.pk, first(look))
    assert reached == [SENTENCES] * 4


def test_its_lease_is_renewed_while_it_works(job: Job) -> None:
    renewed = []

    def work(part: Part) -> None:
        Chunk.objects.update(lease_until=timezone.now())
        part.progress(1, 2)
        later = Chunk.objects.filter(lease_until__gt=timezone.now() + LEASE / 2)
        wait_until(later.exists)
        renewed.append(True)

    jobs.run(job.pk, first(work))
    assert renewed == [True]
    assert Job.objects.get(pk=job.pk).state == Job.State.DONE


def test_it_stops_when_another_has_taken_the_chunk_over(job: Job) -> None:
    lost = []

    def work(part: Part) -> None:
        running(Chunk.objects.get(), ELSEWHERE, SOON)

        def stopped() -> bool:
            try:
                part.progress(1, 10**9)
            except LeaseLost:
                lost.append(True)
                raise
            return False

        wait_until(stopped)

    jobs.run(job.pk, first(work))
    assert lost
    chunk = Chunk.objects.get()
    assert (chunk.state, chunk.owner) == (Chunk.State.RUNNING, ELSEWHERE)


@pytest.mark.parametrize("stage", ["tokens", "segments", "alignment", "candidates"])
def test_nothing_is_written_for_a_chunk_that_is_anothers(job: Job, stage: str) -> None:
    def others(part: Part) -> Made:
        running(Chunk.objects.exclude(state="done").get(), ELSEWHERE, SOON)
        return WORK[stage](part)

    jobs.run(job.pk, {**WORK, stage: others})
    written = {
        "tokens": job.project.sentences.exclude(tokens=""),
        "segments": Segment.objects.all(),
        "alignment": Translation.objects.exclude(alignment=""),
        "candidates": Projection.objects.all(),
    }
    assert not written[stage].exists()
    assert Job.objects.get().state == Job.State.RUNNING
