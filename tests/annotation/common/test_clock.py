"""A clock that is set ahead, or back, beside one that nobody sets."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from annotation.common.clock import Watch

HOUR = timedelta(hours=1)
NONE = timedelta()
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
Passes = Callable[[timedelta], None]


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> Passes:
    """Let time pass on the clock that nobody sets."""
    passed = [NONE]
    monkeypatch.setattr("annotation.common.clock.steady", lambda: passed[0])

    def let_pass(time: timedelta) -> None:
        passed[0] += time

    return let_pass


def test_time_that_passes_is_no_jump(passes: Passes) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        watch = Watch()
        clock.shift(5 * HOUR)
        passes(5 * HOUR)
        assert watch.set_ahead(within=HOUR) == NONE


def test_a_jump_ahead_counts_for_so_long_as_it_is_asked_for(passes: Passes) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        watch = Watch()
        clock.shift(5 * HOUR)
        assert watch.set_ahead(within=HOUR) == 5 * HOUR
        clock.shift(HOUR)
        passes(HOUR)
        assert watch.set_ahead(within=HOUR) == NONE
        assert watch.set_ahead(within=2 * HOUR) == 5 * HOUR


def test_what_is_set_back_again_is_no_jump(passes: Passes) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        watch = Watch()
        clock.shift(5 * HOUR)
        assert watch.set_ahead(within=HOUR) == 5 * HOUR
        clock.shift(-5 * HOUR)
        assert watch.set_ahead(within=HOUR) == NONE


def test_a_clock_that_is_set_back_brings_nothing_forward(passes: Passes) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        watch = Watch()
        clock.shift(-5 * HOUR)
        assert watch.set_ahead(within=HOUR) == NONE


def test_small_corrections_are_not_added_up(passes: Passes) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        watch = Watch()
        for _correction in range(100):
            clock.shift(timedelta(seconds=50))
            assert watch.set_ahead(within=HOUR) == NONE
