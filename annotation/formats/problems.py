"""Problems of the files of an upload, collected so that all of them can be shown."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from annotation.formats.errors import InputError

# Problems that are kept in all, and of one file, so that no file hides the others.
MOST = 100
MOST_OF_A_FILE = 20

Values = Mapping[str, str | int]


@dataclass(frozen=True)
class Problem:
    """One problem: `code` and `values` make the sentence (see `common.error_messages`).

    The code of a reader's error is its template. `file` is what its owner calls the file ("" =
    none), `line` counts from 1 (0 = none).
    """

    code: str
    file: str = ""
    line: int = 0
    values: Values = field(default_factory=dict)


class Refused(Exception):
    """A file is refused; nothing of it is kept."""

    def __init__(self, code: str, file: str = "", **values: str | int) -> None:
        super().__init__(code)
        self.problem = Problem(code, file, values=values)


@dataclass(frozen=True)
class Findings:
    """The result of a check: no project can be created while there are `problems`.

    `more` is the number of further problems that were not kept; `notes` are only worth knowing.
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
    """Counts problems and keeps those that can be shown."""

    def __init__(self, names: Mapping[str, str]) -> None:
        """`names` of files are by their paths."""
        self._names = names
        self._kept: list[Problem] = []
        self._notes: list[Problem] = []
        self._of_file: Counter[str] = Counter()

    def add(self, code: str, file: str = "", line: int = 0, **values: str | int) -> None:
        self._put(Problem(code, file, line, values))

    def add_error(self, error: InputError) -> None:
        """Add the error of a reader of a file, by the file's name. Serves as `on_error`."""
        named = error.with_names(self._names)
        file, line = named.place
        self._put(Problem(named.template, file, line, named.values))

    def _put(self, problem: Problem) -> None:
        self._of_file[problem.file] += 1
        if self._of_file[problem.file] <= MOST_OF_A_FILE or not problem.file:
            self._kept.append(problem)

    def note(self, code: str, file: str = "", line: int = 0, **values: str | int) -> None:
        self._notes.append(Problem(code, file, line, values))

    def has_problems(self, file: str) -> bool:
        return self._of_file[file] > 0

    def findings(self, sentences: int) -> Findings:
        """Return the findings by file and line; those of no file come first."""
        ordered = sorted(self._kept, key=lambda problem: (problem.file, problem.line))
        found = self._of_file.total()
        shown = ordered[:MOST]
        return Findings(shown, found - len(shown), self._notes, sentences)


def raise_problems(problems: Sequence[InputError]) -> None:
    """Raise one error for all problems in files, if there are any, in the order of their lines."""
    if len(problems) == 1:
        raise problems[0]
    if problems:
        ordered = sorted(problems, key=lambda problem: problem.place)
        shown = [str(problem) for problem in ordered[:MOST_OF_A_FILE]]
        more = len(problems) - len(shown)
        rest = [f"… and {more} more."] if more else []
        raise InputError("\n".join([f"{len(problems)} problems:", *shown, *rest]))
