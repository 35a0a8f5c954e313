"""How far a preparation is, stage by stage, and how long the rest will take."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# In their order.
STAGES = ("tokens", "alignment", "segments", "candidates")
# Only of a very long text, before its alignment.
SAMPLE = "sample"
DONE, RUNNING, WAITING, FAILED = "done", "running", "waiting", "failed"
# Relative costs of a unit of each stage, measured on the texts of the thesis. Those of parsing and
# aligning depend on the program. They are used until the speed is known.
COSTS = {"tokens": 0.3, SAMPLE: 2.0, "alignment": 2.0, "segments": 1.0, "candidates": 1.5}
SLOW = {"stanza": 60.0, "embedded": 12.0, "given": 0.3, "systran": 0.8, "pharaoh": 0.1}
# Stages that report progress only while they write, at their end, and the share of time that the
# writing takes. After a sample, the alignment has chunks and reports them.
SILENT = frozenset({"alignment", SAMPLE})
WRITING = 0.1
# Seconds before which the speed is not known.
MIN_ELAPSED = 2.0


@dataclass(frozen=True)
class StageProgress:
    """A stage: the share that is done and its seconds so far, None where unknown."""

    name: str
    state: str
    share: float | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Reached:
    """The stages begun, each with its start in seconds, and the progress of the last one.

    `elapsed` counts seconds since the start of the job.
    """

    stages: Sequence[tuple[str, float]]
    done: int
    total: int
    elapsed: float


def stage_list(reached: Reached, *, is_running: bool, has_failed: bool) -> list[StageProgress]:
    """Return all stages in their order with their states."""
    begun = dict(reached.stages)
    names = [*STAGES, *(name for name in begun if name not in (*STAGES, SAMPLE))]
    if SAMPLE in begun:
        names.insert(names.index("alignment"), SAMPLE)
    last, last_start = reached.stages[-1] if reached.stages else ("", 0.0)
    current = last or names[0]
    if last and reached.done >= reached.total > 0:
        # The stage is complete; the next one was not reported yet, if there is one.
        current = next(iter(names[names.index(last) + 1 :]), last)
    found = []
    for place, name in enumerate(names):
        start = begun.get(name)
        if name == current and (is_running or has_failed):
            is_counted = name == last and reached.done > 0 and reached.total > 0
            share = reached.done / reached.total if is_counted else None
            state = FAILED if has_failed else RUNNING
            seconds = max(0.0, reached.elapsed - begun.get(name, last_start))
            found.append(StageProgress(name, state, share, seconds))
        elif start is not None:
            after = next((begun[n] for n in names[place + 1 :] if n in begun), reached.elapsed)
            found.append(StageProgress(name, DONE, 1.0, max(0.0, after - start)))
        else:
            found.append(StageProgress(name, WAITING))
    return found


def seconds_left(
    reached: Reached, units: Mapping[str, int], *, parser: str, aligner: str
) -> float | None:
    """Return how long the rest takes at the present speed, or None where it is not known yet.

    `units` has the number of sentences, translations or segments of each stage.
    """
    if reached.elapsed < MIN_ELAPSED or not reached.stages:
        return None
    costs = COSTS | {
        "segments": SLOW.get(parser, COSTS["segments"]),
        "alignment": SLOW.get(aligner, COSTS["alignment"]),
    }
    work = {name: cost * units.get(name, 0) for name, cost in costs.items()}
    stages = stage_list(reached, is_running=True, has_failed=False)
    current = next((stage for stage in stages if stage.state == RUNNING), None)
    if current is None or current.name not in work:
        return None
    spent = current.seconds or 0.0
    finished = sum(work.get(stage.name, 0) for stage in stages if stage.state == DONE)
    before = reached.elapsed - spent
    if current.share and current.name in SILENT and SAMPLE not in dict(reached.stages):
        here = WRITING * spent * (1 - current.share)
        speed = reached.elapsed / (finished + work[current.name])
    elif current.share:
        here = spent * (1 - current.share) / current.share
        speed = reached.elapsed / (finished + current.share * work[current.name])
    elif finished and before > 0:
        speed = before / finished
        expected = speed * work[current.name]
        # It takes longer than expected; assume that a fifth is left.
        here = max(expected - spent, 0.2 * expected)
    else:
        return None
    later = sum(work[stage.name] for stage in stages if stage.state == WAITING)
    return here + speed * later
