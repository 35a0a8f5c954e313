"""A figure and how sure it is."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % interval from resampling sentences; `undefined` says why not.

    `value` is None where the figure is undefined, and `low` and `high` are where nothing could be
    resampled. `undefined` is an English clause ("no two judgements of …"), translated where it is
    shown, and "" for a figure that is defined; `no_interval` is such a clause for a figure without
    an interval.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    undefined: str = ""
    no_interval: str = ""
