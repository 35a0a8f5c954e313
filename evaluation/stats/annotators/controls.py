"""How often annotators pass control: whether they look at what they rank.

A control segment holds two candidates whose order is known: one was made worse on purpose and has
to be placed below the other, or both are the same text and have to be placed beside each other.
What passes is decided where the placements are read (`ControlOutcome.passed`), and only counted
here. Control segments are in no other figure.
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
        """Passed / judged; None where none was judged."""
        return self.passed / self.judged if self.judged else None


@dataclass(frozen=True)
class ControlTable:
    """The controls of each annotator who judged any, by name, and of all together."""

    annotators: Mapping[str, Controls] = field(default_factory=dict)

    @property
    def together(self) -> Controls:
        rows = self.annotators.values()
        return Controls(sum(row.judged for row in rows), sum(row.passed for row in rows))

    def of(self, annotator: str) -> Controls:
        return self.annotators.get(annotator, Controls())


def count_controls(outcomes: Iterable[tuple[str, bool]]) -> ControlTable:
    """Count the outcomes: an annotator's name and whether he passed, for each judgement."""
    judged: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    for annotator, has_passed in outcomes:
        judged[annotator] += 1
        passed[annotator] += has_passed
    return ControlTable({name: Controls(judged[name], passed[name]) for name in judged})
