"""The judgements of WMT07 to WMT09: one screen of a form a line, of six kinds.

NIST has adequacy and fluency, RANK and CONSTITUENT rank sentences and constituents,
CONSTITUENT_ACCEPT asks whether constituents are acceptable, EDIT has the annotator's correction of
an output, and EDIT_ACCEPT asks whether corrected outputs are fluent and mean the same.
Columns are separated by commas or tabs: TASK, TYPE, ITEM_ID, ANNOTATOR_ID, TIME, and for each of up
to five systems SYSTEM_i, SCORE_i_A, SCORE_i_B. WMT09 has JUDGEMENT_ID, ANNOTATOR_TYPE_COUNT and
EXTRA besides. Of ranks, the higher ones are better in WMT07 and the lower ones later.
Source: Callison-Burch et al., "(Meta-) Evaluation of Machine Translation" (2007), "Further
Meta-Evaluation of Machine Translation" (2008), "Findings of the 2009 Workshop on Statistical
Machine Translation" (2009), and the files that they published.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple

from annotation.formats.csv_escaping import with_formulas
from annotation.formats.delimited_lines import (
    WHOLE,
    Separator,
    missing_columns,
    parse_whole,
    read_rows,
    require_name,
    wrong_width,
)
from annotation.formats.errors import InputError, OnError, raise_error
from annotation.formats.errors import Template as _
from annotation.formats.names import Spellings, plain_name
from annotation.formats.wmt import NOT_JUDGED, WORST_RANK, Ranked, Ranking

NIST: Final = "NIST"
RANK: Final = "RANK"
CONSTITUENT: Final = "CONSTITUENT"
CONSTITUENT_ACCEPT: Final = "CONSTITUENT_ACCEPT"
EDIT: Final = "EDIT"
EDIT_ACCEPT: Final = "EDIT_ACCEPT"

SCREEN_COLUMNS: Final = ("TASK", "TYPE", "ITEM_ID", "ANNOTATOR_ID", "TIME")
SYSTEM_COLUMN: Final = re.compile(r"SYSTEM_([0-9]{1,4})")
EXTRA: Final = "EXTRA"
TASK: Final = re.compile(r"(?:WMT(?P<year>[0-9]{2}) )?(?P<pair>[^\s-]+-\S+)(?: (?P<domain>.+))?")
# Whether higher ranks are better, by the year in the name of the task.
HIGHER_IS_BETTER: Final[Mapping[str, bool]] = {"07": True, "08": False, "09": False}
NO_ANSWER: Final = ("", "-", "-1")
GRADES: Final = tuple(str(grade) for grade in range(1, WORST_RANK + 1))


class Answer(Enum):
    """What an annotator chose in a question of acceptability."""

    YES = "yes"
    NO = "no"
    NOT_SURE = "not sure"


class EditStatus(Enum):
    """What an annotator did with an output to be corrected."""

    EDITED = "EDIT"
    NO_CORRECTIONS_NEEDED = "OK"
    UNABLE_TO_CORRECT = "BAD"


ANSWERS: Final[Mapping[str, Mapping[str, Answer]]] = {
    CONSTITUENT_ACCEPT: {"1": Answer.YES, "2": Answer.NO, "3": Answer.NOT_SURE},
    EDIT_ACCEPT: {"1": Answer.YES, "0": Answer.NO},
}


@dataclass(frozen=True, slots=True)
class Screen:
    """What all screens have: place in the file, task, item, annotator and time.

    `pair` and `domain` are parts of the task ("German-English", "Europarl"); `item` is the number
    of the sentence or of the constituent; `seconds` is None if the file has no such number.
    """

    where: str
    kind: str
    pair: str
    domain: str
    item: int
    annotator: str
    seconds: int | None


@dataclass(frozen=True, slots=True)
class RankingScreen(Screen):
    """Outputs, or constituents of them, in the order shown; rank 1 is the best in all years."""

    ranked: tuple[Ranked, ...]

    @property
    def ranking(self) -> Ranking:
        """The same as WMT's later files have it; the domain stands for the document."""
        return Ranking(self.where, self.pair, self.domain, self.item, self.annotator, self.ranked)


class Graded(NamedTuple):
    """The adequacy and the fluency of a system's output, from 1 to 5, None if not judged."""

    system: str
    adequacy: int | None
    fluency: int | None


@dataclass(frozen=True, slots=True)
class GradeScreen(Screen):
    """Outputs with their adequacy and fluency, in the order shown."""

    graded: tuple[Graded, ...]


class Chosen(NamedTuple):
    """The answer for a system's output, None if there is none.

    `edit` identifies the correction that was judged, "" for constituents.
    """

    system: str
    edit: str
    answer: Answer | None


@dataclass(frozen=True, slots=True)
class ChoiceScreen(Screen):
    """Constituents or corrected outputs that are acceptable or not, in the order shown."""

    chosen: tuple[Chosen, ...]


@dataclass(frozen=True, slots=True)
class EditScreen(Screen):
    """One output that the annotator corrected, or did not; `text` is the corrected one, or ""."""

    system: str
    status: EditStatus
    text: str


def recognised(line: str) -> bool:
    """Tell whether a line is the heading of such a file, whether or not it is complete."""
    names = {name.strip() for name in line.split("\t" if "\t" in line else ",")}
    return {"TASK", "TYPE", "SYSTEM_0"} <= names


def read_screens(
    path: Path, *, higher_is_better: bool | None = None, on_error: OnError = raise_error
) -> Iterator[RankingScreen | GradeScreen | ChoiceScreen | EditScreen]:
    """Yield the screens of a file, in its order.

    `higher_is_better` says which ranks are better; if None, the year in the task's name does.
    Calls `on_error`, with file and line, for each line that cannot be used, and leaves it out.
    """
    names: list[str] = []
    systems = 0
    spellings = Spellings()
    separator = _separator(path)
    for where, columns in read_rows(path, separator, on_error):
        if names:
            try:
                row = _row(columns, names, systems, where)
                screen = _screen(where, row, systems, higher_is_better, spellings)
            except InputError as problem:
                on_error(problem)
            else:
                yield screen
            continue
        names = [name.strip() for name in columns]
        systems = sum(SYSTEM_COLUMN.fullmatch(name) is not None for name in names)
        missing = [
            name
            for name in (*SCREEN_COLUMNS, *_columns_of_systems(max(systems, 1)))
            if name not in names
        ]
        if missing:
            on_error(missing_columns(missing, where))
            return


def read_sentence_rankings(path: Path, on_error: OnError = raise_error) -> Iterator[Ranking]:
    """Yield the rankings of whole sentences only. Calls `on_error` as `read_screens` does."""
    for screen in read_screens(path, on_error=on_error):
        if isinstance(screen, RankingScreen) and screen.kind == RANK:
            yield screen.ranking


def _separator(path: Path) -> Separator:
    # Problems of the first line are reported when its columns are read.
    for _where, columns in read_rows(path, "\t", lambda _problem: None):
        return "\t" if len(columns) > 1 else ","
    return ","


def _columns_of_systems(systems: int) -> list[str]:
    return [
        name for n in range(systems) for name in (f"SYSTEM_{n}", f"SCORE_{n}_A", f"SCORE_{n}_B")
    ]


def _row(columns: list[str], names: list[str], systems: int, where: str) -> dict[str, str]:
    """Return the columns by name. Empty ones may be missing at the end (WMT07, WMT09).

    The first score of a system that was shown may not: such a line is torn.
    """
    row = dict(zip(names, map(str.strip, columns), strict=False))
    torn = any(
        row.get(f"SYSTEM_{n}") and f"SCORE_{n}_A" not in row for n in range(systems)
    ) or not row.keys() >= {*SCREEN_COLUMNS, "SYSTEM_0"}
    if len(columns) > len(names) or torn:
        raise wrong_width(len(columns), len(names), " ".join(names), where)
    return dict.fromkeys(names, "") | row


def _screen(
    where: str,
    row: Mapping[str, str],
    systems: int,
    higher_is_better: bool | None,
    spellings: Spellings,
) -> RankingScreen | GradeScreen | ChoiceScreen | EditScreen:
    task = TASK.fullmatch(plain_name(row["TASK"]))
    if task is None:
        raise InputError(
            _(
                "the task %(task)r is not a year, a language pair and a domain, such as WMT08 "
                "German-English Europarl."
            ),
            where,
            task=row["TASK"][:80],
        )
    kind = row["TYPE"]
    common = (
        where,
        kind,
        task["pair"],
        plain_name(task["domain"] or ""),
        parse_whole(row["ITEM_ID"], "ITEM_ID", where),
        require_name(with_formulas(row["ANNOTATOR_ID"]), "ANNOTATOR_ID", where),
        # A line of WMT09 has words there.
        int(row["TIME"]) if WHOLE.fullmatch(row["TIME"]) else None,
    )
    shown = [
        (
            spellings.system(with_formulas(row[f"SYSTEM_{n}"]), where),
            row[f"SCORE_{n}_A"],
            row[f"SCORE_{n}_B"],
        )
        for n in range(systems)
        if row[f"SYSTEM_{n}"] or row[f"SCORE_{n}_A"] or row[f"SCORE_{n}_B"]
    ]
    # Several annotators' corrections of one output may be on a screen.
    identities = [(system, second if kind == EDIT_ACCEPT else "") for system, _a, second in shown]
    for place, (system, edit) in enumerate(identities):
        if (system, edit) in identities[:place]:
            raise InputError(_("the system %(name)r is given twice."), where, name=system)
    if kind in (RANK, CONSTITUENT):
        if higher_is_better is None:
            higher_is_better = HIGHER_IS_BETTER.get(task["year"] or "")
        if higher_is_better is None:
            raise InputError(
                _("it is unknown whether higher or lower ranks are better in %(task)r: choose it."),
                where,
                task=row["TASK"][:80],
            )
        return RankingScreen(
            *common,
            tuple(_ranked(kind, *one[:2], higher_is_better, len(shown), where) for one in shown),
        )
    if kind == NIST:
        return GradeScreen(
            *common,
            tuple(
                Graded(system, _grade(kind, system, a, where), _grade(kind, system, b, where))
                for system, a, b in shown
            ),
        )
    if kind in ANSWERS:
        return ChoiceScreen(
            *common,
            tuple(
                Chosen(system, edit, _answer(kind, system, a, where))
                for (system, a, _second), (_system, edit) in zip(shown, identities, strict=True)
            ),
        )
    if kind == EDIT:
        return _edit(common, shown, row.get(EXTRA, ""), where)
    raise InputError(
        _("the kind of screen %(kind)r is unknown; known are %(known)s."),
        where,
        kind=kind[:40],
        known=", ".join((NIST, RANK, CONSTITUENT, *ANSWERS, EDIT)),
    )


def _ranked(
    kind: str, system: str, text: str, higher_is_better: bool, shown: int, where: str
) -> Ranked:
    # Campaigns have five ranks; in exports, more constituents may have more.
    grades = GRADES if higher_is_better or shown <= WORST_RANK else tuple(_numbers(shown))
    rank = _grade(kind, system, text, where, grades)
    if rank is None:
        return Ranked((system,), NOT_JUDGED)
    return Ranked((system,), WORST_RANK + 1 - rank if higher_is_better else rank)


def _numbers(most: int) -> Iterator[str]:
    return map(str, range(1, most + 1))


def _grade(
    kind: str, system: str, text: str, where: str, grades: Sequence[str] = GRADES
) -> int | None:
    if text in NO_ANSWER:
        return None
    if text not in grades:
        raise _unknown_value(kind, system, text, grades, where)
    return int(text)


def _answer(kind: str, system: str, text: str, where: str) -> Answer | None:
    known = ANSWERS[kind]
    if text not in known:
        if text in NO_ANSWER:
            return None
        raise _unknown_value(kind, system, text, list(known), where)
    return known[text]


Common = tuple[str, str, str, str, int, str, int | None]


def _edit(
    common: Common, shown: Sequence[tuple[str, str, str]], text: str, where: str
) -> EditScreen:
    if len(shown) != 1:
        raise InputError(
            _("an annotator corrects one output a screen, but the line has %(count)d systems."),
            where,
            count=len(shown),
        )
    system, status, _second = shown[0]
    known = {one.value: one for one in EditStatus}
    if status not in known:
        raise _unknown_value(EDIT, system, status, list(known), where)
    return EditScreen(*common, system, known[status], text)


def _unknown_value(
    kind: str, system: str, text: str, known: Sequence[str], where: str
) -> InputError:
    return InputError(
        _("%(system)s has %(value)r, but %(kind)s takes %(known)s."),
        where,
        system=system,
        value=text[:40],
        kind=kind,
        known=", ".join(known),
    )
