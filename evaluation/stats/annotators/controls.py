"""Control items: how many each annotator judged and passed.

A control segment has two candidates with a known order: a degraded candidate must be ranked below
the original, and a duplicate level with it. `ControlOutcome.passed` decides; this module counts.
Control segments are in no other figure.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Controls:
    """Judgements of control segments, and how many of them passed."""

    judged: int = 0
    passed: int = 0

    @property
    def share(self) -> float | None:
        """Passed / judged; None if none was judged."""
        return self.passed / self.judged if self.judged else None


@dataclass(frozen=True)
class ControlTable:
    """The controls of each annotator with any, by name."""

    annotators: Mapping[str, Controls] = field(default_factory=dict)

    @property
    def together(self) -> Controls:
        rows = self.annotators.values()
        return Controls(sum(row.judged for row in rows), sum(row.passed for row in rows))

    def of(self, annotator: str) -> Controls:
        return self.annotators.get(annotator, Controls())


def count_controls(outcomes: Iterable[tuple[str, bool]]) -> ControlTable:
    """Count outcomes: the annotator's name and whether they passed, for each judgement."""
    judged: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    for annotator, has_passed in outcomes:
        judged[annotator] += 1
        passed[annotator] += has_passed
    return ControlTable({name: Controls(judged[name], passed[name]) for name in judged})
