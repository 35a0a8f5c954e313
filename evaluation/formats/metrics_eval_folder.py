"""Test sets in the folders of mt-metrics-eval, version 2: texts, and scores of people and metrics.

It takes names of systems from names of files and from lines in which a blank ends a name. A name
that cannot stand there is written otherwise, and a list in the folder has both.
Source: the section "File organization and naming convention" of mt-metrics-eval's description.
"""

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, groupby
from pathlib import Path
from typing import Final, Literal

import numpy as np

from annotation.formats.delimited_lines import wrong_width
from annotation.formats.errors import InputError, OnError
from annotation.formats.errors import Template as _
from annotation.formats.file_names import case_of_files, distinct_names, name_for_files
from annotation.formats.names import Spellings, plain_name
from annotation.formats.plain_text import different_lengths, read_lines_or_none
from annotation.formats.problems import ErrorList
from annotation.formats.ratings import Rating, seg_rating_lines
from annotation.formats.tab_separated import join_columns
from evaluation.formats.language_pairs import is_pair
from evaluation.formats.score_files import read_scores
from evaluation.formats.score_tables import (
    MISSING,
    Finding,
    Level,
    ScoreTable,
    missing_scores,
)
from evaluation.stats.judgements import natural_key

SOURCES: Final = "sources"
REFERENCES: Final = "references"
DOCUMENTS: Final = "documents"
OUTPUTS: Final = "system-outputs"
HUMAN_SCORES: Final = "human-scores"
METRIC_SCORES: Final = "metric-scores"
# Lists of names that are written otherwise: that in the folder, a tab, and the name itself. The
# first one is as `system_names` reads it.
SYSTEM_NAMES: Final = "system-names.tsv"
DOCUMENT_NAMES: Final = "document-names.tsv"

# What a metric's file says instead of the names of its references.
WITHOUT_REFERENCE: Final = "src"
ALL_REFERENCES: Final = "all"
RESERVED: Final = frozenset({WITHOUT_REFERENCE, ALL_REFERENCES})
# The domain of a test set without domains, and the document of segments without a document.
NO_DOMAIN: Final = "all"
NO_DOCUMENT: Final = "no-document"
MISSING_SCORE: Final = "None"

Texts = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class EvalSet:
    """The texts of one language pair of a test set, and their scores by people and metrics.

    `references` and `outputs` are texts of N segments by name; a reference that is scored as a
    system is in both. `documents` and `domains` are names for each segment, or empty. Tables of
    scores have the systems of `outputs` and, for segments, the names 1 to N. `signatures` say by
    name how human scores were computed, and `ratings` have the errors that one annotator marked,
    by the name of the scores and the annotator: those of N segments by system. Both are written
    beside human scores, and not read.
    """

    test_set: str
    pair: str
    source: Texts
    references: Mapping[str, Texts]
    outputs: Mapping[str, Texts]
    documents: Texts = ()
    domains: Texts = ()
    human: tuple[ScoreTable, ...] = ()
    metrics: tuple[ScoreTable, ...] = ()
    signatures: Mapping[str, str] = field(default_factory=dict)
    ratings: Mapping[str, Mapping[str, Sequence[Rating | None]]] = field(default_factory=dict)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is missing, doubled or unknown in the scores."""
        return tuple(
            finding for table in (*self.human, *self.metrics) for finding in table.findings
        )

    def references_of(self, table: ScoreTable) -> frozenset[str]:
        """Return the names of the references that the metrics of a table compared with."""
        if table.reference == ALL_REFERENCES:
            return frozenset(self.references)
        return frozenset(table.reference.split(".")) - {"", WITHOUT_REFERENCE}


# --- reading ---


def pairs_of(folder: Path) -> tuple[str, ...]:
    """Return the language pairs of a test set's folder. Raises InputError if there is none."""
    names = [path.stem for path in (folder / SOURCES).glob("*.txt") if is_pair(path.stem)]
    if not names:
        raise InputError(
            _("%(folder)s has no file such as sources/cs-en.txt: give the folder of one test set."),
            folder=str(folder),
        )
    return tuple(sorted(names))


def read_eval_set(folder: Path, pair: str) -> EvalSet:
    """Read one language pair of a test set's folder.

    Scores of systems without an output are left out, and the findings name them. Raises InputError
    for all that is wrong, such as texts with different numbers of lines, lines that are no scores,
    and systems with too many or too few scores.
    """
    if pair not in pairs_of(folder):
        raise InputError(
            _("%(folder)s has no language pair %(pair)s; it has %(pairs)s."),
            folder=str(folder),
            pair=pair,
            pairs=", ".join(pairs_of(folder)),
        )
    paths = {SOURCES: folder / SOURCES / f"{pair}.txt"}
    errors = ErrorList()
    references = {
        plain_name(path.name.split(".")[-2]): path
        for path in _files(folder / REFERENCES, f"{pair}.*.txt")
    }
    outputs = _outputs(_files(folder / OUTPUTS / pair, "*.txt"), errors.add)
    paths |= {f"{REFERENCES}/{name}": path for name, path in references.items()}
    paths |= {f"{OUTPUTS}/{name}": path for name, path in outputs.items()}
    documents = folder / DOCUMENTS / f"{pair}.docs"
    if documents.exists():
        paths[DOCUMENTS] = documents
    texts = {
        label: tuple(line or "" for line in read_lines_or_none(path, errors.add))
        for label, path in paths.items()
    }
    wanted = len(texts[SOURCES])
    for label, path in paths.items():
        if wanted and texts[label] and len(texts[label]) != wanted:
            errors.add(different_lengths(path, len(texts[label]), paths[SOURCES], wanted))
    places = list(_documents(documents, texts.get(DOCUMENTS, ()), errors.add))
    texts_are_wrong = bool(errors)
    read = EvalSet(
        test_set=folder.resolve().name,
        pair=pair,
        source=texts[SOURCES],
        references={name: texts[f"{REFERENCES}/{name}"] for name in references},
        outputs={name: texts[f"{OUTPUTS}/{name}"] for name in outputs},
        documents=tuple(document for _domain, document in places),
        domains=tuple(domain for domain, _document in places),
    )
    human = _files(folder / HUMAN_SCORES, f"{pair}.*.score")
    metrics = _files(folder / METRIC_SCORES / pair, "*.score")
    if texts_are_wrong:
        # How many scores there should be is unknown, but not whether lines are scores.
        for path in (*human, *metrics):
            read_scores([path], on_error=errors.add)
        errors.raise_all()
    found = replace(
        read,
        human=_tables(read, human, errors.add),
        metrics=_tables(read, metrics, errors.add),
    )
    errors.raise_all()
    return found


def _files(folder: Path, pattern: str) -> list[Path]:
    return sorted(folder.glob(pattern), key=lambda path: natural_key(path.name))


def _outputs(paths: Sequence[Path], on_error: OnError) -> dict[str, Path]:
    """Return the files by the systems that they are called after."""
    outputs: dict[str, Path] = {}
    spellings = Spellings()
    for path in paths:
        try:
            outputs[spellings.plain(path.stem, str(path))] = path
        except InputError as problem:
            on_error(problem)
    return outputs


def _documents(path: Path, lines: Sequence[str], on_error: OnError) -> Iterator[tuple[str, str]]:
    """Yield domain and document of each segment."""
    for number, line in enumerate(lines, start=1):
        fields = line.split()
        if len(fields) != len(("domain", "document")):
            on_error(wrong_width(len(fields), 2, "DOMAIN DOCUMENT", f"{path}, line {number}"))
            continue
        yield plain_name(fields[0]), plain_name(fields[1])


def _tables(texts: EvalSet, paths: Sequence[Path], on_error: OnError) -> tuple[ScoreTable, ...]:
    """Return the scores of files, in the order of the outputs, a table for level and reference."""
    merged: dict[tuple[Level, str], ScoreTable] = {}
    for path in paths:
        errors = ErrorList()
        tables = read_scores([path], on_error=errors.add).tables
        if errors:
            errors.pass_on(on_error)
            continue
        (read,) = tables
        items = _items(texts, read.level)
        if read.level in ("doc", "seg"):
            if len(read.items) != len(items):
                template = _(
                    "each system has %(found)d scores, but the texts have %(wanted)d segments "
                    "or documents to score: give one score for each."
                )
                on_error(InputError(template, str(path), found=len(read.items), wanted=len(items)))
                continue
            read = replace(read, items=items)
        table = read.aligned(tuple(texts.outputs), items)
        table = replace(table, findings=_expected(texts, table))
        key = (table.level, table.reference)
        merged[key] = _joined(merged[key], table) if key in merged else table
    return tuple(merged.values())


def _items(texts: EvalSet, level: Level) -> Texts:
    """Return the names of what has scores of this level."""
    if level == "seg":
        return tuple(map(str, range(1, len(texts.source) + 1)))
    if level == "doc":
        return tuple(name for name, _segments in groupby(texts.documents))
    return tuple(sorted(set(texts.domains))) if level == "domain" else ()


def _expected(texts: EvalSet, table: ScoreTable) -> tuple[Finding, ...]:
    """Return the findings, without the scores of references by metrics that compare with them."""
    absent = np.isnan(table.scores)
    absent[:, [name in texts.references_of(table) for name in table.systems]] = False
    others = [finding for finding in table.findings if finding.kind != MISSING]
    return (*others, *missing_scores(table.metrics, table.systems, table.items, absent))


def _joined(table: ScoreTable, other: ScoreTable) -> ScoreTable:
    """Return the metrics of two tables of the same systems and items."""
    return replace(
        table,
        metrics=(*table.metrics, *other.metrics),
        scores=np.concatenate([table.scores, other.scores]),
        files=(*table.files, *other.files),
        metric_files=(*table.metric_files, *other.metric_files),
        findings=(*table.findings, *other.findings),
    )


# --- writing ---

Kind = Literal["human", "metric"]


def reference_name(text: str) -> str:
    """Return a name that mt-metrics-eval accepts for a reference: without dots and dashes."""
    name = re.sub(r"[.\-]+", "_", name_for_files(text))
    return f"{name}_" if name in RESERVED else name


def write_eval_set(folder: Path, contents: EvalSet) -> list[Path]:
    """Write a test set into `folder/TESTSET`, which must not exist, and return its files.

    Missing scores of people are `None`. Names of systems and documents that cannot stand in the
    folder are written otherwise, with lists of them. All files are written to a temporary folder
    first, so that an error leaves nothing. Raises InputError for texts or names that the format
    cannot hold.
    """
    files: dict[str, str] = {}
    for path, text in eval_set_files(contents):
        if path in files:
            raise InputError(
                _("two of the scores would be the file %(file)s: give them different names."),
                file=path,
            )
        files[path] = text
    target = folder / contents.test_set
    if target.exists():
        raise InputError(
            _("%(folder)s exists already: choose another folder, or remove it."), folder=str(target)
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".metrics-eval-", dir=folder) as name:
            new = Path(name, contents.test_set)
            for path, text in files.items():
                (new / path).parent.mkdir(parents=True, exist_ok=True)
                # Lines end in \n on every system.
                (new / path).write_bytes(text.encode())
            new.rename(target)
    except OSError as problem:
        raise InputError(
            _("%(file)s cannot be written: %(reason)s."),
            file=str(target),
            reason=str(problem.strerror or problem),
        ) from problem
    return [target / path for path in files]


def eval_set_files(contents: EvalSet) -> Iterator[tuple[str, str]]:
    """Yield path and text of each file of a test set. Raises InputError, as `write_eval_set`."""
    pair = contents.pair
    if not is_pair(pair):
        raise InputError(
            _("the language pair %(pair)r is not such as cs-en: give two codes of languages."),
            pair=pair,
        )
    _check_name(contents.test_set)
    yield f"{SOURCES}/{pair}.txt", _text(contents, "source", contents.source)
    for name, text in contents.references.items():
        if reference_name(name) != name:
            raise InputError(
                _(
                    "the reference %(name)r cannot be written: call it without dots, dashes and "
                    "spaces, and neither src nor all."
                ),
                name=name,
            )
        yield f"{REFERENCES}/{pair}.{name}.txt", _text(contents, name, text)
    written = _Written.of(contents)
    for name, text in contents.outputs.items():
        yield f"{OUTPUTS}/{pair}/{written.systems[name]}.txt", _text(contents, name, text)
    yield from _list_of_names(SYSTEM_NAMES, written.systems)
    lines = list(_document_lines(contents, written))
    yield f"{DOCUMENTS}/{pair}.docs", "".join(f"{line}\n" for line in lines)
    yield from _list_of_names(DOCUMENT_NAMES, written.documents)
    for table in contents.human:
        for metric in table.metrics:
            _check_name(metric)
            path = f"{HUMAN_SCORES}/{pair}.{metric}.{table.level}.score"
            yield path, _scores(contents, table, metric, "human", written)
    for name, signature in contents.signatures.items():
        yield f"{HUMAN_SCORES}/{pair}.{name}.signature.txt", f"{signature}\n"
    for name, of_systems in contents.ratings.items():
        rated = [(written.systems[system], given) for system, given in of_systems.items()]
        yield f"{HUMAN_SCORES}/{pair}.{name}.seg.rating", seg_rating_lines(rated)
    for table in contents.metrics:
        reference = table.reference or WITHOUT_REFERENCE
        unknown = contents.references_of(table) - contents.references.keys()
        if unknown:
            raise InputError(
                _("the metric %(metric)s compares with a reference that is missing: %(names)s."),
                metric=table.metrics[0],
                names=", ".join(sorted(unknown)),
            )
        for metric in table.metrics:
            _check_name(metric)
            path = f"{METRIC_SCORES}/{pair}/{metric}-{reference}.{table.level}.score"
            yield path, _scores(contents, table, metric, "metric", written)


@dataclass(frozen=True)
class _Written:
    """What stands in the folder for each name of a system, document and domain."""

    systems: Mapping[str, str]
    documents: Mapping[str, str]
    domains: Mapping[str, str]

    @classmethod
    def of(cls, contents: EvalSet) -> "_Written":
        def written(names: Iterable[str], alike: Callable[[str], str]) -> dict[str, str]:
            different = list(dict.fromkeys(filter(None, names)))
            short = distinct_names(different, name_for_files, alike)
            return dict(zip(different, short, strict=True))

        return cls(
            # The first of two names that differ only in case stays: that of a reference.
            systems=written((*contents.references, *contents.outputs), case_of_files),
            documents=written(contents.documents or [contents.test_set], str),
            domains=written((*contents.domains, NO_DOMAIN), str),
        )


def _list_of_names(path: str, written: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the file with the names that are written otherwise, if there are any."""
    lines = [join_columns((short, name)) for name, short in written.items() if short != name]
    if lines:
        yield path, "".join(lines)


def _check_name(name: str) -> None:
    if not name or name_for_files(name) != name:
        raise InputError(
            _("the name %(name)r cannot be that of a file: give one without spaces and slashes."),
            name=name,
        )


def _text(contents: EvalSet, name: str, lines: Sequence[str]) -> str:
    if len(lines) != len(contents.source):
        raise InputError(
            _("%(name)s has %(found)d segments, but the source has %(wanted)d."),
            name=name,
            found=len(lines),
            wanted=len(contents.source),
        )
    for number, line in enumerate(lines, start=1):
        if "\n" in line or "\r" in line:
            raise InputError(
                _("segment %(number)d of %(name)s contains a line break: remove it."),
                number=number,
                name=name,
            )
    return "".join(f"{line}\n" for line in lines)


def _document_lines(contents: EvalSet, written: _Written) -> Iterator[str]:
    """Yield domain and document of each segment. Raises InputError if documents are not blocks."""
    segments = len(contents.source)
    documents = contents.documents or (contents.test_set,) * segments
    domains = contents.domains or (NO_DOMAIN,) * segments
    if len(documents) != segments or len(domains) != segments:
        raise InputError(
            _("%(name)s has %(found)d segments, but the source has %(wanted)d."),
            name="documents",
            found=min(len(documents), len(domains)),
            wanted=segments,
        )
    known: set[str] = set()
    numbers = count(1)
    for (document, domain), block in groupby(zip(documents, domains, strict=True)):
        if document:
            name = written.documents[document]
        else:
            nameless = (f"{NO_DOCUMENT}-{number}" for number in numbers)
            name = next(name for name in nameless if name not in written.documents.values())
        if name in known:
            raise InputError(
                _(
                    "the document %(name)r is not one block of segments of one domain: "
                    "mt-metrics-eval needs documents that do not interrupt each other."
                ),
                name=document or name,
            )
        known.add(name)
        for _segment in block:
            yield f"{written.domains[domain or NO_DOMAIN]} {name}"


def _scores(
    contents: EvalSet, table: ScoreTable, metric: str, kind: Kind, written: _Written
) -> str:
    """Return the lines of a file of scores: for each system, those of all its items."""
    items = _items(contents, table.level)
    if table.level == "doc" and not contents.documents:
        items = (contents.test_set,)
    if table.items != items:
        raise InputError(
            _(
                "the scores %(metric)s are not those of all segments or documents of the test set "
                "in its order: align them first."
            ),
            metric=metric,
        )
    unknown = [name for name in table.systems if name not in contents.outputs]
    if unknown:
        raise InputError(
            _("the scores %(metric)s have systems without an output: %(names)s."),
            metric=metric,
            names=", ".join(unknown),
        )
    scores = table.of(metric).reshape(len(table.systems), -1)
    own = contents.references_of(table) if kind == "metric" else frozenset()
    given = dict(zip(table.systems, scores, strict=True))
    if kind == "metric":
        lacking = [
            name
            for name in contents.outputs
            if name not in own and (name not in given or np.isnan(given[name]).any())
        ]
        if lacking:
            raise InputError(
                _(
                    "%(metric)s lacks a score of %(system)s, which mt-metrics-eval allows for "
                    "people only: leave the metric out."
                ),
                metric=metric,
                system=lacking[0],
            )
    # Only files of domains name what is scored.
    first = [""] * scores.shape[1]
    if table.level == "domain":
        first = [f"{written.domains[name]} " for name in items]
    return "".join(
        f"{domain}{written.systems[system]} "
        f"{MISSING_SCORE if np.isnan(score) else repr(float(score))}\n"
        for system, row in given.items()
        if system not in own
        for domain, score in zip(first, row, strict=True)
    )
