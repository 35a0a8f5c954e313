"""Progress of a preparation, stage by stage, and the time left."""

import pytest

from annotation.pipeline.time_left import Reached, seconds_left, stage_list

UNITS = {"tokens": 100, "segments": 10, "alignment": 90, "candidates": 30}


def states(reached: Reached, *, failed: bool = False) -> list[str]:
    rows = stage_list(reached, is_running=not failed, has_failed=failed)
    return [row.state for row in rows]


def test_at_the_start_the_first_stage_is_running() -> None:
    assert states(Reached([], 0, 0, 0.5)) == ["running", "waiting", "waiting", "waiting"]


def test_after_a_complete_stage_the_next_one_is_running() -> None:
    reached = Reached([("tokens", 0.0)], 100, 100, 8.0)
    rows = stage_list(reached, is_running=True, has_failed=False)
    assert [row.state for row in rows] == ["done", "running", "waiting", "waiting"]
    # It has not reported any progress yet.
    assert rows[1].share is None


def test_finished_stages_have_their_seconds() -> None:
    reached = Reached([("tokens", 0.0), ("segments", 4.0), ("alignment", 10.0)], 45, 90, 12.0)
    rows = stage_list(reached, is_running=True, has_failed=False)
    assert [row.seconds for row in rows] == [4.0, 6.0, 2.0, None]
    assert rows[2].share == 0.5


def test_a_failure_marks_the_current_stage() -> None:
    reached = Reached([("tokens", 0.0), ("segments", 4.0)], 5, 10, 9.0)
    assert states(reached, failed=True) == ["done", "failed", "waiting", "waiting"]


def test_an_unknown_stage_is_listed() -> None:
    reached = Reached([("tokens", 0.0), ("polish", 4.0)], 5, 10, 9.0)
    names = [row.name for row in stage_list(reached, is_running=True, has_failed=False)]
    assert names == ["tokens", "segments", "alignment", "candidates", "polish"]


@pytest.mark.parametrize(
    ("reached", "seconds"),
    [
        # Nothing is known of the speed.
        (Reached([], 0, 0, 60.0), None),
        (Reached([("tokens", 0.0)], 50, 100, 1.0), None),
        # 15 of the 30 units of work of "tokens" took 3 s; left are 15, and 10, 180 and 45.
        (Reached([("tokens", 0.0)], 50, 100, 3.0), 50.0),
        # 30 took 6 s, so "segments" will take 2, "alignment" 36 and "candidates" 9.
        (Reached([("tokens", 0.0), ("segments", 6.0)], 5, 10, 7.0), 46.0),
        # 40 took 8 s: of the 36 s that alignment takes 6 are gone, though it does not say so.
        (
            Reached([("tokens", 0.0), ("segments", 6.0), ("alignment", 8.0)], 0, 90, 14.0),
            39.0,
        ),
        # Once it does say something, all is aligned, and only half of it is not written yet.
        (
            Reached([("tokens", 0.0), ("segments", 6.0), ("alignment", 8.0)], 45, 90, 44.0),
            0.1 * 36 * 0.5 + 45 * 44 / 220,
        ),
    ],
)
def test_the_time_left_follows_from_the_speed(reached: Reached, seconds: float | None) -> None:
    left = seconds_left(reached, UNITS, parser="phrases", aligner="eflomal")
    assert left == (None if seconds is None else pytest.approx(seconds))
