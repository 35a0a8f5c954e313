"""Problems of the files of an upload, collected so that all of them can be shown."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from annotation.formats.errors import InputError, OnError

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

    @classmethod
    def of_error(cls, error: InputError) -> "Refused":
        """Return the refusal of a file for the error of its reader."""
        refused = cls(error.template)
        refused.problem = Problem(error.template, *error.place, error.values)
        return refused


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


class InputErrors(InputError):
    """Several errors in files. `errors` are the first ones, and `more` counts the others."""

    def __init__(self, errors: Sequence[InputError], more: int = 0) -> None:
        self.errors, self.more = tuple(errors), more
        rest = [f"… and {more} more."] if more else []
        lines = [f"{len(errors) + more} problems:", *map(str, errors), *rest]
        super().__init__("\n".join(lines))

    def with_names(self, names: Mapping[str, str]) -> "InputErrors":
        return InputErrors([error.with_names(names) for error in self.errors], self.more)


class ErrorList:
    """Counts the errors of readers, and keeps the first ones of each file."""

    def __init__(self) -> None:
        self._kept: list[InputError] = []
        self._of_file: Counter[str] = Counter()
        self._more = 0

    def add(self, error: InputError) -> None:
        """Add an error, or those that it consists of. Serves as `on_error`."""
        if isinstance(error, InputErrors):
            for one in error.errors:
                self.add(one)
            self._more += error.more
            return
        file, _line = error.place
        self._of_file[file] += 1
        if self._of_file[file] <= MOST_OF_A_FILE and len(self._kept) < MOST:
            self._kept.append(error)
        else:
            self._more += 1

    def __bool__(self) -> bool:
        return bool(self._kept)

    def raise_all(self) -> None:
        """Raise one error for all that were added, if any, in the order of files and lines."""
        error = self._together()
        if error:
            raise error

    def pass_on(self, on_error: OnError) -> None:
        """Report one error for all that were added, if any."""
        error = self._together()
        if error:
            on_error(error)

    def _together(self) -> InputError | None:
        if len(self._kept) == 1 and not self._more:
            return self._kept[0]
        if not self._kept:
            return None
        return InputErrors(sorted(self._kept, key=lambda error: error.place), self._more)


def raise_problems(problems: Sequence[InputError]) -> None:
    """Raise one error for all problems in files, if there are any, in the order of their lines."""
    errors = ErrorList()
    for problem in problems:
        errors.add(problem)
    errors.raise_all()
