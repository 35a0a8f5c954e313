"""The layouts of files of scores and human gold, and which of them a file has.

Files of the metrics tasks of WMT have no heading: the number of columns says which layout it is,
and which of them are numbers; only two layouts of seven columns need a look at the name of the file
or of the reference. Sources: the descriptions and scripts of WMT13 to WMT25's metrics tasks, and
the description of mt-metrics-eval.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, Literal

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.names import plain_name
from annotation.formats.plain_text import read_lines_or_none
from annotation.formats.wmt import FIVE_WAY, PAIRWISE
from evaluation.formats.language_pairs import is_pair
from evaluation.formats.score_tables import LEVELS, NO_SCORE, Level

# Lines from which a layout is recognised.
SAMPLE: Final = 200

REFERENCE: Final = re.compile(r"src|all|\S*ref\S*", re.IGNORECASE)

Kind = Literal["scores", "pairs", "rankings", "assessments"]


@dataclass(frozen=True)
class Layout:
    """A layout: its name, what it contains, the level of its scores, and its columns in order.

    With a heading, the columns are those that the heading must have at least, in any order.
    """

    name: str
    kind: Kind
    level: Level
    columns: tuple[str, ...]
    heading: bool = False


def _layout(name: str, level: Level, columns: str, kind: Kind = "scores") -> Layout:
    return Layout(name, kind, level, tuple(columns.split()))


def _headed(name: str, level: Level, columns: str, kind: Kind = "scores") -> Layout:
    return Layout(name, kind, level, tuple(columns.split()), heading=True)


WMT13_SYS: Final = _layout("WMT13-16 sys", "sys", "METRIC LP TESTSET SYSTEM SCORE")
WMT13_SEG: Final = _layout("WMT13-16 seg", "seg", "METRIC LP TESTSET SYSTEM SEGMENT SCORE")
WMT17_SYS: Final = _layout(
    "WMT17-19 sys", "sys", "METRIC LP TESTSET SYSTEM SCORE ENSEMBLE AVAILABLE"
)
WMT17_SEG: Final = _layout(
    "WMT17-19 seg", "seg", "METRIC LP TESTSET SYSTEM SEGMENT SCORE ENSEMBLE AVAILABLE"
)
WMT20_SYS: Final = _layout("WMT20-21 sys", "sys", "METRIC LP TESTSET REFERENCE SYSTEM SCORE")
WMT20_DOC: Final = _layout("WMT20 doc", "doc", "METRIC LP TESTSET REFERENCE SYSTEM DOCUMENT SCORE")
WMT20_SEG: Final = _layout(
    "WMT20 seg", "seg", "METRIC LP TESTSET REFERENCE SYSTEM DOCUMENT SEGMENT SCORE"
)
WMT21_SEG: Final = _layout(
    "WMT21-22 seg", "seg", "METRIC LP TESTSET REFERENCE SYSTEM SEGMENT SCORE"
)
WMT22_SYS: Final = _layout("WMT22-24 sys", "sys", "METRIC LP TESTSET DOMAIN REFERENCE SYSTEM SCORE")
WMT22_SEG: Final = _layout(
    "WMT22-24 seg", "seg", "METRIC LP TESTSET DOMAIN DOCUMENT REFERENCE SYSTEM SEGMENT SCORE"
)
# mt-metrics-eval's files, and WMT's official scores of systems.
SYSTEM_SCORE: Final = _layout("system score", "sys", "SYSTEM SCORE")
DOMAIN_SCORE: Final = _layout("mt-metrics-eval domain", "domain", "DOMAIN SYSTEM SCORE")
DA_RANKING: Final = _layout("DA ranking", "sys", "RAW.SCR Z.SCR N N.ALL SYS NAME")
RR_PAIRS: Final = _layout("RR pairs", "seg", "SEGMENT LP BETTER LP2 WORSE", "pairs")

WMT25: Final = _headed(
    "WMT25",
    "seg",
    "doc_id segment_id source_lang target_lang set_id system_id domain_name method overall",
)
DA_SEGMENTS: Final = _headed("DA segments", "seg", "SYS SEGID RAW.SCR Z.SCR N SID")
DA_SENTENCES: Final = _headed("DA segments without documents", "seg", "SYS SID RAW.SCR Z.SCR N")
DA_DOCUMENTS: Final = _headed("DA documents", "doc", "SYS SEGID RAW.SCR Z.SCR N")
DA_SYSTEMS: Final = _headed("DA systems", "sys", "RAW.SCR Z.SCR N SYS")
DA_2017: Final = _headed("DA 2017", "seg", "LP DATA SYSTEM SID HUMAN")
MQM: Final = _headed("MQM averages", "seg", "system mqm_avg_score seg_id")
DARR: Final = _headed("daRR", "seg", "LP DATA SID BETTER WORSE", "pairs")
ASSESSMENTS: Final = _headed(
    "single DA", "seg", "HITId WorkerId Input.src Input.trg sys_id type sid score", "assessments"
)
# WMT19's and WMT20's human scores of systems beside those of all metrics.
COMBINED: Final = _headed("combined", "sys", "LP SYSTEM HUMAN")
FIVE_WAY_RANKINGS: Final = Layout("RR five-way", "rankings", "seg", FIVE_WAY, heading=True)
PAIRWISE_RANKINGS: Final = Layout("RR pairwise", "rankings", "seg", PAIRWISE, heading=True)

# The first one with all its columns is chosen, so those with more columns come first.
WITH_HEADING: Final = (
    *(WMT25, DA_SEGMENTS, DA_SENTENCES, DA_DOCUMENTS, DA_SYSTEMS, DA_2017, MQM, DARR, ASSESSMENTS),
    *(COMBINED, FIVE_WAY_RANKINGS, PAIRWISE_RANKINGS),
)
# Where several fit, the first one is chosen: a column of whole numbers is one of segments.
WITHOUT_HEADING: Final = (
    *(SYSTEM_SCORE, DOMAIN_SCORE, RR_PAIRS, WMT13_SYS, WMT13_SEG, DA_RANKING, WMT20_SYS),
    *(WMT17_SYS, WMT21_SEG, WMT20_DOC, WMT22_SYS, WMT17_SEG, WMT20_SEG, WMT22_SEG),
)


def _is_score(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return text in NO_SCORE
    return True


# What a column must contain; the others are names.
CHECKS: Final[Mapping[str, Callable[[str], bool]]] = {
    "LP": is_pair,
    "LP2": is_pair,
    "SEGMENT": str.isdecimal,
    "SCORE": _is_score,
    "RAW.SCR": _is_score,
    "Z.SCR": _is_score,
    "N": str.isdecimal,
    "N.ALL": str.isdecimal,
    "ENSEMBLE": lambda text: text.lower() in ("yes", "no"),
}


@dataclass(frozen=True)
class Recognised:
    """The layout of a file, whether its first line is a heading, and how to split its lines.

    `columns` are those of the heading, or of the layout. `separator` is None for white space.
    """

    layout: Layout
    columns: tuple[str, ...]
    separator: str | None
    level: Level
    heading: bool


class UnknownLayout(InputError):
    """No layout has such columns."""


def recognise(path: Path) -> Recognised:
    """Return the layout of a file. Raises InputError, in one sentence, for a file without one.

    It is UnknownLayout where the columns are those of none, so that the file may be something else.
    """
    problems: list[InputError] = []
    lines = islice(read_lines_or_none(path, problems.append), SAMPLE)
    sample = [line for line in lines if line and line.strip()]
    if not sample and problems:
        raise problems[0]
    if not sample:
        raise InputError(_("there is no score: the first lines are empty."), f"{path}, line 1")
    with_heading = recognise_heading(sample[0])
    if with_heading is not None:
        return with_heading
    # Columns that should be separated by tabs are separated by blanks in many files.
    separators = ("\t", None) if "\t" in sample[0] else (None,)
    for separator in separators:
        rows = [line.split(separator) for line in sample]
        width = len(rows[0])
        of_width = [layout for layout in WITHOUT_HEADING if len(layout.columns) == width]
        rows = [row for row in rows if len(row) == width]
        for layout in of_width:
            if _names(rows[0]) == _names(layout.columns):
                return Recognised(layout, layout.columns, separator, layout.level, heading=True)
        fitting = [layout for layout in of_width if _fits(layout, rows[0])]
        # Only files of domains have a third column, and their names say so.
        level = level_of_name(path)
        if level == "domain" or (level and fitting == [DOMAIN_SCORE]):
            fitting = [one for one in fitting if one.level == level]
        if fitting:
            layout = _chosen(path, fitting, rows)
            level = _level(path, layout)
            return Recognised(layout, layout.columns, separator, level, heading=False)
    raise _not_recognised(path, rows[0], of_width)


def level_of_name(path: Path) -> Level | None:
    """Return the level in a name such as `BLEU.seg.score.gz`, or None."""
    parts = path.name.removesuffix(".gz").split(".")
    if len(parts) < 3 or parts[-1] not in ("score", "scores"):
        return None
    return next((level for level in LEVELS if level == parts[-2]), None)


def _level(path: Path, layout: Layout) -> Level:
    named = level_of_name(path)
    return named if layout is SYSTEM_SCORE and named not in (None, "domain") else layout.level


def _names(columns: Sequence[str]) -> list[str]:
    """Return names of columns as they are compared, REFSET as REFERENCE."""
    return [name.strip('"#').upper().replace("REFSET", "REFERENCE") for name in columns]


def unquoted(text: str) -> str:
    """Return the text without the quotation marks around it, if it has two."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def recognise_heading(line: str) -> Recognised | None:
    """Return the layout whose columns the first line of a file names, or None."""
    for separator in ("\t", ",", None):
        columns = tuple(plain_name(unquoted(name)) for name in line.split(separator))
        names = {name.lower() for name in columns}
        for layout in WITH_HEADING:
            spelt = {name.lower(): name for name in layout.columns}
            if names.issuperset(spelt):
                columns = tuple(spelt.get(name.lower(), name) for name in columns)
                return Recognised(layout, columns, separator, layout.level, heading=True)
    return None


def _fits(layout: Layout, row: Sequence[str]) -> bool:
    return all(
        column not in CHECKS or CHECKS[column](text)
        for column, text in zip(layout.columns, row, strict=True)
    )


def _chosen(path: Path, fitting: Sequence[Layout], rows: Sequence[Sequence[str]]) -> Layout:
    """Return the layout that the name of the file says, or else the columns of later rows."""
    level = level_of_name(path)
    named = [layout for layout in fitting if layout.level == level] or fitting
    # A later row that fits none is for the reader to refuse.
    choice = [layout for layout in named if all(_fits(layout, row) for row in rows)] or named
    if set(choice) != {WMT20_DOC, WMT22_SYS}:
        return choice[0]
    # Either REFERENCE SYSTEM DOCUMENT or DOMAIN REFERENCE SYSTEM.
    documents = all(REFERENCE.fullmatch(row[3]) for row in rows)
    systems = all(REFERENCE.fullmatch(row[4]) for row in rows)
    if documents == systems:
        raise InputError(
            _(
                "the file may have scores of documents (WMT20) or of systems (WMT22): call it "
                "NAME.doc.score or NAME.sys.score."
            ),
            str(path),
        )
    return WMT20_DOC if documents else WMT22_SYS


def _not_recognised(path: Path, row: Sequence[str], of_width: Sequence[Layout]) -> UnknownLayout:
    where = f"{path}, line 1"
    if of_width:
        return UnknownLayout(
            _(
                "the %(columns)d columns are not those of a known layout: %(expected)s, in which "
                "a language pair looks like cs-en and a score is a number."
            ),
            where,
            columns=len(row),
            expected=" | ".join(" ".join(layout.columns) for layout in of_width),
        )
    return UnknownLayout(
        _(
            "the number of columns is %(columns)d, but files of scores have %(widths)s: give a "
            "file as the metrics tasks of WMT or mt-metrics-eval describe it."
        ),
        where,
        columns=len(row),
        widths=", ".join(map(str, sorted({len(layout.columns) for layout in WITHOUT_HEADING}))),
    )
