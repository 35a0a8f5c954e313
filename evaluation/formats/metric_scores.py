"""Scores of automatic metrics, as WMT's metrics tasks and mt-metrics-eval write them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from annotation.formats.csv_escaping import with_formulas
from annotation.formats.delimited_lines import split_line
from annotation.formats.errors import InputError, OnError, raise_error
from annotation.formats.errors import Template as _
from annotation.formats.languages import pair_name
from annotation.formats.plain_text import read_lines_or_none
from evaluation.formats.language_pairs import is_pair
from evaluation.formats.score_layouts import (
    COMBINED,
    DOMAIN_SCORE,
    SYSTEM_SCORE,
    WMT25,
    Recognised,
    level_of_name,
    unquoted,
)
from evaluation.formats.score_tables import Level, TableBuilder, TableKey
from evaluation.stats.resampling import Floats

# Between document and number of a segment in WMT20's human scores.
IN_DOCUMENT: Final = "::"
HUMAN: Final = "HUMAN"
# What WMT25's files say instead of a document, segment or domain.
ALL: Final = "all"

# Parts of the name SRC-TGT.NAME.LEVEL.score.
PARTS_OF_PEOPLE: Final = 4

# Language pairs in names of files that do not begin with one, the most reliable first.
PAIRS_IN_NAMES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:scores|ranking)-(?P<source>[a-z]{2,3})-(?P<target>[a-z]{2,3})(?=[-.]|$)",
        r"\.(?P<source>[A-Z][a-z]+)-(?P<target>[A-Z][a-z]+)$",
        r"\b(?P<source>[a-z]{2})-(?P<target>[a-z]{2})(?=\.|$)",
        r"[-_](?P<source>[a-z]{2})(?P<target>[a-z]{2})(?=[-_.])",
    )
)


def pair_of_name(path: Path) -> str:
    """Return the language pair that the name of a file contains, "" if there is none."""
    beginning = path.name.partition(".")[0]
    if is_pair(beginning):
        return beginning
    for pattern in PAIRS_IN_NAMES:
        match = pattern.search(path.name)
        if match:
            return f"{match['source']}-{match['target']}"
    return ""


def rows_of(
    path: Path, recognised: Recognised, on_error: OnError = raise_error
) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and columns of each row after the heading.

    R writes headings, and texts in quotation marks, which are left out; in files without a heading
    they are part of a name. Calls `on_error` for a row that is not readable or has another number
    of columns.
    """
    width = len(recognised.columns)
    separator = recognised.separator
    heading = recognised.heading
    for number, line in enumerate(read_lines_or_none(path, on_error), start=1):
        if line is None:
            continue
        if separator == ",":
            try:
                fields = split_line(line.rstrip("\r"), ",", f"{path}, line {number}")
                fields = list(map(with_formulas, fields))
            except InputError as problem:
                on_error(problem)
                continue
        else:
            fields = line.rstrip("\r").split(separator)
        if len(fields) != width:
            # Files that are described as separated by tabs often have blanks, here and there.
            fields = line.split()
            if not fields:
                continue
        if heading:
            heading = False
            continue
        if recognised.heading and separator != ",":
            fields = list(map(unquoted, fields))
        if len(fields) != width:
            wrong = InputError(
                _("%(found)d columns where %(wanted)d are needed: %(names)s."),
                f"{path}, line {number}",
                found=len(fields),
                wanted=width,
                names=" ".join(recognised.columns),
            )
            on_error(wrong)
            continue
        yield number, fields


def read_metric_scores(path: Path, recognised: Recognised, into: TableBuilder) -> None:
    """Add the scores of a file of one of WMT's layouts without a heading.

    A segment of WMT20 is called "DOCUMENT::NUMBER", as in its human scores.
    """
    places = {name: place for place, name in enumerate(recognised.columns)}
    metric, pair, test_set = places["METRIC"], places["LP"], places["TESTSET"]
    system, score = places["SYSTEM"], places["SCORE"]
    reference, domain = places.get("REFERENCE"), places.get("DOMAIN")
    document, segment = places.get("DOCUMENT"), places.get("SEGMENT")
    in_documents = recognised.layout.columns[5:7] == ("DOCUMENT", "SEGMENT")
    level = recognised.level
    keys: dict[tuple[str, ...], TableKey] = {}
    for number, row in rows_of(path, recognised, into.on_error):
        of_table = (
            row[pair],
            row[test_set],
            level,
            "" if reference is None else row[reference],
            # A segment has one domain, so that its table is that of the test set.
            "" if domain is None or segment is not None else row[domain],
        )
        key = keys.get(of_table)
        if key is None:
            key = keys[of_table] = TableKey(of_table[0], of_table[1], level, *of_table[3:])
        item, of_item = "", ""
        if document is not None:
            item = of_item = row[document]
        if segment is not None:
            item = row[segment]
            if not item.isdecimal():
                template = _("the segment %(text)r is not a whole number.")
                into.on_error(InputError(template, f"{path}, line {number}", text=item[:60]))
                continue
            if in_documents:
                item = f"{of_item}{IN_DOCUMENT}{item}"
        into.add(key, row[metric], row[system], row[score], number, item=item, document=of_item)


def read_wmt25(path: Path, recognised: Recognised, into: TableBuilder) -> None:
    """Add the scores of a file of WMT25, which does not name the metric.

    The metric is called like the file, or like its folder if the file is called `segments` or
    `systems`. Rows for all segments are scores of systems, others are scores of segments.
    """
    places = _places(recognised)
    stem = path.name.removesuffix(".gz").rsplit(".", 1)[0]
    metric = path.resolve().parent.name if stem in ("segments", "systems") else stem
    for number, row in rows_of(path, recognised, into.on_error):
        document, segment = row[places["doc_id"]], row[places["segment_id"]]
        level: Level = "seg"
        if segment == ALL:
            level = "sys" if document == ALL else "doc"
        key = TableKey(
            pair_name(row[places["source_lang"]], row[places["target_lang"]]),
            row[places["set_id"]],
            level,
            domain="" if level == "seg" else row[places["domain_name"]],
        )
        item = {"seg": f"{document}{IN_DOCUMENT}{segment}", "doc": document}.get(level, "")
        into.add(
            key,
            metric,
            row[places["system_id"]],
            row[places["overall"]],
            number,
            item=item,
            document=document if level == "seg" else "",
        )


def read_combined(path: Path, recognised: Recognised, into: TableBuilder) -> None:
    """Add people's and all metrics' scores of systems, each in a column.

    Later columns called LP are of a metric of that name (WMT19).
    """
    names = recognised.columns
    places = _places(recognised)
    pair, system = places["lp"], places["system"]
    metrics = [place for place in range(len(names)) if place not in (pair, system)]
    if len({names[place] for place in metrics}) < len(metrics):
        into.on_error(
            InputError(
                _("a metric has two columns among %(names)s: leave one."),
                f"{path}, line 1",
                names=", ".join(names[place] for place in metrics),
            )
        )
        return
    test_set = re.search(r"newstest\d+\w*", path.name)
    for number, row in rows_of(path, recognised, into.on_error):
        key = TableKey(row[pair], test_set[0] if test_set else "", "sys")
        for place in metrics:
            into.add(key, names[place], row[system], row[place], number)


def read_system_scores(path: Path, recognised: Recognised, into: TableBuilder) -> None:
    """Add the scores of a file of systems and scores.

    mt-metrics-eval's names of files say the rest: `SRC-TGT.NAME.LEVEL.score` for people,
    `SRC-TGT/NAME-REF.LEVEL.score` for a metric. There the segments (documents) of a system follow
    each other, and are called 1, 2, …. Other files are official scores of people, one a system.
    """
    parts = path.name.removesuffix(".gz").split(".")
    metric, reference, pair = HUMAN, "", pair_of_name(path)
    folder = path.resolve().parent
    test_set = ""
    if level_of_name(path) is not None:
        of_people = pair and path.name.startswith(f"{pair}.") and len(parts) >= PARTS_OF_PEOPLE
        if of_people and folder.parent.name != "metric-scores":
            metric, test_set = ".".join(parts[1:-2]), _test_set(folder, "human-scores")
        else:
            metric, dash, reference = ".".join(parts[:-2]).rpartition("-")
            if not dash:
                metric, reference = reference, ""
            pair = folder.name if is_pair(folder.name) else ""
            test_set = _test_set(folder.parent, "metric-scores")
    has_domain = recognised.layout is DOMAIN_SCORE
    seen: dict[str, int] = {}
    unreadable = 0

    def on_error(problem: InputError) -> None:
        nonlocal unreadable
        unreadable += 1
        into.on_error(problem)

    key = TableKey(pair, test_set, recognised.level, reference)
    for number, row in rows_of(path, recognised, on_error):
        system, score = row[-2], row[-1]
        seen[system] = place = seen.get(system, 0) + 1
        item = ""
        if has_domain:
            item = row[0]
        elif recognised.level != "sys":
            item = str(place)
        into.add(key, metric, system, score, number, item=item)
    if unreadable:
        # Which system has how many scores is unknown.
        return
    if level_of_name(path) is None and max(seen.values(), default=0) > 1:
        repeated = max(seen, key=seen.__getitem__)
        into.on_error(
            InputError(
                _(
                    "%(system)s has %(count)d scores: call a file of scores of segments "
                    "NAME.seg.score, or give each system one score."
                ),
                str(path),
                system=repeated,
                count=seen[repeated],
            )
        )
    if recognised.level in ("doc", "seg") and len(set(seen.values())) > 1:
        fewest, most = min(seen, key=seen.__getitem__), max(seen, key=seen.__getitem__)
        into.on_error(
            InputError(
                _(
                    "%(fewest)s has %(few)d scores but %(most)s has %(many)d: give each system a "
                    "score for each segment, None where there is none."
                ),
                str(path),
                fewest=fewest,
                few=seen[fewest],
                most=most,
                many=seen[most],
            )
        )


def _test_set(folder: Path, name: str) -> str:
    """Return the name of the test set if the folder is one of mt-metrics-eval."""
    return folder.parent.name if folder.name == name else ""


def _places(recognised: Recognised) -> Mapping[str, int]:
    """Return the places of columns by their names in lower case; of equal names the first."""
    places: dict[str, int] = {}
    for place, name in enumerate(recognised.columns):
        places.setdefault(name.lower(), place)
    return places


READERS: Final = {
    COMBINED: read_combined,
    WMT25: read_wmt25,
    SYSTEM_SCORE: read_system_scores,
    DOMAIN_SCORE: read_system_scores,
}


# --- writing ---


def metric_score_files(
    metric: str,
    *,
    pair: str,
    test_set: str,
    systems: Sequence[str],
    of_systems: Floats,
    sentence_numbers: Sequence[int] = (),
    of_sentences: Floats | None = None,
) -> Iterator[tuple[str, str]]:
    """Yield name and text of a file of the scores of K systems, and one of their S sentences.

    The layout is that of WMT13 to WMT16. Missing scores (NaN) have no line. Raises InputError for
    a name with a tab or a line end, or the name of a metric that cannot be that of a file.
    """
    if "/" in metric or "\\" in metric or not metric.strip():
        raise InputError(
            _("the name %(name)r cannot be that of a file: give one without spaces and slashes."),
            name=metric,
        )
    for name in (metric, test_set, *systems):
        if not name.strip() or any(character in name for character in "\t\r\n"):
            raise InputError(
                _("the name %(name)r cannot be written in columns: give one without tabs."),
                name=name,
            )
    start = (metric, pair, test_set)
    rows = [
        (*start, name, repr(float(score)))
        for name, score in zip(systems, of_systems, strict=True)
        if not np.isnan(score)
    ]
    yield f"{metric}.sys.score", _rows(rows)
    if of_sentences is None:
        return
    yield (
        f"{metric}.seg.score",
        _rows(
            [
                (*start, name, str(number), repr(float(score)))
                for name, scores in zip(systems, of_sentences, strict=True)
                for number, score in zip(sentence_numbers, scores, strict=True)
                if not np.isnan(score)
            ]
        ),
    )


def _rows(rows: Sequence[Sequence[str]]) -> str:
    return "".join("\t".join(row) + "\n" for row in rows)
