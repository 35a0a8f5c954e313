"""Judgements as campaigns of WMT have published them: lines of forms, rankings and assessments.

Forms are those of WMT07 to WMT09: one screen a line, with up to three columns for each system.
Rankings are those of WMT12 and later: up to five texts of a sentence a line. Direct assessments are
the CSV of Appraise, one judgement of a system's translation a line.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from annotation.formats.answer_times import Timed
from annotation.formats.csv_escaping import without_formulas
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.languages import UNDETERMINED, primary_language
from annotation.formats.tab_separated import join_columns

# The year says which ranks are better: lower ones since WMT08.
YEAR: Final = "WMT09"
SCREEN_COLUMNS: Final = ("TASK", "TYPE", "ITEM_ID", "ANNOTATOR_ID", "TIME")
NOT_ASKED: Final = "-"

PLACES: Final = 5
JOINED_BY: Final = "+"
BLANK: Final = "blank"
NOT_JUDGED: Final = -1
RANKING_COLUMNS: Final = (
    *("srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId"),
    *(f"system{place}{what}" for place in range(1, PLACES + 1) for what in ("Number", "Id")),
    *(f"system{place}rank" for place in range(1, PLACES + 1)),
)

TRANSLATION: Final = "TGT"
REPEAT: Final = "CHK"
REFERENCE: Final = "REF"
DEGRADED: Final = "BAD"
# In Appraise, what follows the name of a document after this says which copy of it was judged.
AFTER_DOCUMENT: Final = "#"


@dataclass(frozen=True)
class WmtForm:
    """How a kind of judgement is written in forms: the TYPE, and the column of its answers.

    `answers` are by step, from the best; without them, answers are ranks.
    """

    type: str
    answers: tuple[str, ...] = ()
    column: Literal["A", "B"] = "A"


@dataclass(frozen=True, slots=True)
class JudgedText:
    """A text of some systems, and its rank or step; None is Garbage.

    `type` is what Appraise calls what is judged.
    """

    systems: Sequence[str]
    rank: int | None
    type: str = TRANSLATION


@dataclass(frozen=True, slots=True)
class Screen(Timed):
    """What an annotator answered about the texts of an item, in the order in which they were shown.

    `item` is the number of the sentence or segment from 1; `document` may be "".
    """

    source_language: str
    target_language: str
    document: str
    item: int
    annotator: str
    submitted: datetime
    seconds: float | None
    texts: Sequence[JudgedText]
    # It was the document as a whole.
    is_document: bool = False


def form_heading(systems: int) -> str:
    """Return the first line of a file of forms in which a screen has up to so many systems."""
    names = (
        name for n in range(systems) for name in (f"SYSTEM_{n}", f"SCORE_{n}_A", f"SCORE_{n}_B")
    )
    return _tabs((*SCREEN_COLUMNS, *names))


def form_line(screen: Screen, form: WmtForm) -> str:
    """Return the line of a screen. The columns of systems that were not shown are left out."""
    ranks = _without_gaps(screen.texts)
    source, target = (
        primary_language(language or UNDETERMINED)
        for language in (screen.source_language, screen.target_language)
    )
    task = f"{YEAR} {source}-{target} {screen.document}".rstrip()
    columns: list[object] = [
        without_formulas(task),
        form.type,
        screen.item,
        without_formulas(screen.annotator),
        "" if screen.seconds is None else round(screen.seconds),
    ]
    for text in screen.texts:
        answer = form.answers[(text.rank or 0) - 1] if form.answers else str(ranks[text.rank])
        scores = (answer, NOT_ASKED) if form.column == "A" else (NOT_ASKED, answer)
        for system in text.systems:
            columns += (without_formulas(system), *scores)
    return _tabs(columns)


def check_ranking_names(systems: Iterable[str]) -> None:
    """Raise InputError for a system whose name has a meaning in rankings."""
    for name in systems:
        if JOINED_BY in name or name == BLANK:
            raise InputError(
                _("The system name %(name)r has another meaning in this format: choose another."),
                name=name,
            )


def ranking_row(screen: Screen) -> tuple[object, ...]:
    """Return the columns of a ranking, in which a text of several systems is one.

    Raises InputError for more than five texts.
    """
    texts = screen.texts
    if len(texts) > PLACES:
        raise InputError(
            _("Sentence %(number)d has a ranking of %(found)d texts; a line has %(most)d places."),
            number=screen.item,
            found=len(texts),
            most=PLACES,
        )
    ranks = _without_gaps(texts)
    empty = PLACES - len(texts)
    names = [JOINED_BY.join(text.systems) for text in texts] + [BLANK] * empty
    return (
        screen.source_language or UNDETERMINED,
        screen.target_language or UNDETERMINED,
        screen.item,
        screen.document,
        screen.item,
        screen.annotator,
        *(column for number, name in enumerate(names, start=1) for column in (number, name)),
        *(ranks[text.rank] for text in texts),
        *[NOT_JUDGED] * empty,
    )


def assessment_rows(screen: Screen, scores: Mapping[int, int]) -> Iterable[tuple[object, ...]]:
    """Yield a row for each system, in the columns of Appraise; `scores` are by rank.

    The caller has written documents without AFTER_DOCUMENT.
    """
    for text in screen.texts:
        for system in text.systems:
            yield (
                screen.annotator,
                system,
                screen.item,
                text.type,
                screen.source_language or UNDETERMINED,
                screen.target_language or UNDETERMINED,
                scores[text.rank or 0],
                screen.document,
                screen.is_document,
                f"{screen.started:.3f}",
                f"{screen.ended:.3f}",
            )


def _without_gaps(texts: Sequence[JudgedText]) -> dict[int | None, int]:
    """Return ranks from 1 without gaps; Garbage, if there is any, is the last."""
    order = sorted({text.rank for text in texts}, key=lambda rank: (rank is None, rank or 0))
    return {rank: place for place, rank in enumerate(order, start=1)}


def _tabs(columns: Iterable[object]) -> str:
    return join_columns(list(map(str, columns)))
