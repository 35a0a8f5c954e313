"""What is wrong with the files of an upload: collected, all of it, before anything is said."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

# So many are shown, and so many of one file, so that none hides the others.
MOST = 100
MOST_OF_A_FILE = 20

Values = Mapping[str, str | int]


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: `code` and `values` make the sentence (see `words`).

    What a reader of `formats` said has no code, but the sentence itself in its place.
    `file` is what its owner calls the file ("" = none), `line` counts from 1 (0 = none).
    """

    code: str
    file: str = ""
    line: int = 0
    values: Values = field(default_factory=dict)


class Refused(Exception):
    """A file cannot be taken at all; nothing of it is kept."""

    def __init__(self, code: str, file: str = "", **values: str | int) -> None:
        super().__init__(code)
        self.problem = Problem(code, file, values=values)


@dataclass(frozen=True)
class Findings:
    """The result of a check: nothing can be made while there are `problems`.

    `more` says how many more there are than are kept; `notes` are worth knowing, and no problem.
    """

    problems: list[Problem]
    more: int
    notes: list[Problem]
    sentences: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Findings":
        return cls(
            problems=[Problem(**row) for row in data["problems"]],
            more=data["more"],
            notes=[Problem(**row) for row in data["notes"]],
            sentences=data["sentences"],
        )


class Collector:
    """Takes problems as they are found and keeps those that can be shown."""

    def __init__(self) -> None:
        self._kept: list[Problem] = []
        self._notes: list[Problem] = []
        self._of_file: Counter[str] = Counter()

    def add(self, code: str, file: str = "", line: int = 0, **values: str | int) -> None:
        self.put(Problem(code, file, line, values))

    def put(self, problem: Problem) -> None:
        self._of_file[problem.file] += 1
        if self._of_file[problem.file] <= MOST_OF_A_FILE or not problem.file:
            self._kept.append(problem)

    def note(self, code: str, file: str = "", line: int = 0, **values: str | int) -> None:
        self._notes.append(Problem(code, file, line, values))

    def has_problems(self, file: str) -> bool:
        return self._of_file[file] > 0

    def findings(self, sentences: int) -> Findings:
        """Return what was found, by file and line; what is wrong with all of them comes first."""
        ordered = sorted(self._kept, key=lambda problem: (problem.file, problem.line))
        found = self._of_file.total()
        shown = ordered[:MOST]
        return Findings(shown, found - len(shown), self._notes, sentences)
