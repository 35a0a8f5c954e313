"""Progress of a preparation, stage by stage, and the time left."""

import pytest

from annotation.pipeline.stages.plan import STAGE_FUNCTIONS
from annotation.pipeline.time_left import STAGES, Reached, seconds_left, stage_list

UNITS = {"tokens": 100, "alignment": 90, "segments": 10, "candidates": 30}


def states(reached: Reached, *, failed: bool = False) -> list[str]:
    rows = stage_list(reached, is_running=not failed, has_failed=failed)
    return [row.state for row in rows]


def test_at_the_start_the_first_stage_is_running() -> None:
    assert states(Reached([], 0, 0, 0.5)) == ["running", "waiting", "waiting", "waiting"]


def test_stages_are_listed_in_the_order_in_which_they_run() -> None:
    assert [name for name in STAGE_FUNCTIONS if name in STAGES] == list(STAGES)


def test_after_a_complete_stage_the_next_one_is_running() -> None:
    reached = Reached([("tokens", 0.0)], 100, 100, 8.0)
    rows = stage_list(reached, is_running=True, has_failed=False)
    assert [row.state for row in rows] == ["done", "running", "waiting", "waiting"]
    # It has not reported any progress yet.
    assert rows[1].share is None


def test_finished_stages_have_their_seconds() -> None:
    reached = Reached([("tokens", 0.0), ("alignment", 4.0), ("segments", 10.0)], 5, 10, 12.0)
    rows = stage_list(reached, is_running=True, has_failed=False)
    assert [row.seconds for row in rows] == [4.0, 6.0, 2.0, None]
    assert rows[2].share == 0.5


def test_a_failure_marks_the_current_stage() -> None:
    reached = Reached([("tokens", 0.0), ("alignment", 4.0)], 5, 90, 9.0)
    assert states(reached, failed=True) == ["done", "failed", "waiting", "waiting"]


def test_an_unknown_stage_is_listed() -> None:
    reached = Reached([("tokens", 0.0), ("polish", 4.0)], 5, 10, 9.0)
    names = [row.name for row in stage_list(reached, is_running=True, has_failed=False)]
    assert names == ["tokens", "alignment", "segments", "candidates", "polish"]


@pytest.mark.parametrize(
    ("reached", "seconds"),
    [
        # Nothing is known of the speed.
        (Reached([], 0, 0, 60.0), None),
        (Reached([("tokens", 0.0)], 50, 100, 1.0), None),
        # 15 of the 30 units of work of "tokens" took 3 s; left are 15, and 180, 10 and 45.
        (Reached([("tokens", 0.0)], 50, 100, 3.0), 50.0),
        # 30 took 6 s, so "segments" will take 2, "alignment" 36 and "candidates" 9: of the 36 s
        # that alignment takes 6 are gone, though it does not say so.
        (Reached([("tokens", 0.0), ("alignment", 6.0)], 0, 90, 12.0), 41.0),
        # Once it does say something, all is aligned, and only half of it is not written yet.
        (
            Reached([("tokens", 0.0), ("alignment", 6.0)], 45, 90, 42.0),
            0.1 * 36 * 0.5 + 55 * 42 / 210,
        ),
        # 210 took 42 s, so "segments" takes 2.
        (Reached([("tokens", 0.0), ("alignment", 6.0), ("segments", 42.0)], 5, 10, 43.0), 10.0),
    ],
)
def test_the_time_left_follows_from_the_speed(reached: Reached, seconds: float | None) -> None:
    left = seconds_left(reached, UNITS, parser="phrases", aligner="eflomal")
    assert left == (None if seconds is None else pytest.approx(seconds))
