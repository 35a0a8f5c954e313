"""The texts of a new project from the TSV of MQM, which has them beside the errors."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from annotation.formats.error_points import KNOWN_SEVERITIES
from annotation.formats.errors import InputError
from annotation.formats.fingerprints import fingerprint
from annotation.formats.mqm_lines import Rating, read_mqm
from annotation.formats.problems import ErrorList
from annotation.import_export.mqm_import import line_number
from annotation.kinds.typology import FREITAG, Typology
from annotation.projects.options import Texts

# Lines of the source; those that the file lacks are empty.
MOST_LINES: Final = 100_000


def texts_of_mqm(path: Path, folder: Path) -> tuple[Texts, tuple[str, ...]]:
    """Return the texts of a file, written into `folder`, and the options of a project of them.

    Line n of the source is segment n. The options are the categories of Freitag et al. (2021), and
    those of the file that are not among them. Raises InputError with everything that is wrong.
    """
    problems = ErrorList()
    sources: dict[int, str] = {}
    documents: dict[int, str] = {}
    outputs: dict[str, dict[int, str]] = {}
    ratings: list[Rating] = []
    for rating in read_mqm(path, on_error=problems.add):
        ratings.append(rating)
        try:
            number = line_number(rating)
            if number > MOST_LINES:
                raise InputError(f"the segment {number} is beyond the limit of {MOST_LINES} lines.")
            of_system = outputs.setdefault(rating.system, {})
            if sources.setdefault(number, rating.source) != rating.source:
                raise InputError(f"another line has another source for segment {number}.")
            if documents.setdefault(number, rating.document) != rating.document:
                raise InputError(f"another line has another document for segment {number}.")
            if of_system.setdefault(number, rating.target) != rating.target:
                raise InputError(
                    f"another line has another translation of segment {number} by "
                    f"{rating.system!r}."
                )
        except InputError as problem:
            problems.add(problem.at(rating.where))
    problems.raise_all()
    if not sources:
        raise InputError(f"{path}: there is no line with a text in it.")
    numbers = range(1, max(sources) + 1)
    written = fingerprint(path)

    def file(name: str, lines: dict[int, str]) -> Path:
        text = "".join(f"{lines.get(number, '')}\n" for number in numbers)
        (folder / name).write_text(text, encoding="utf-8")
        return folder / name

    has_documents = all(documents.values())
    texts = Texts(
        source=file("source", sources),
        systems={
            system: file(f"system-{place}", lines)
            for place, (system, lines) in enumerate(outputs.items())
        },
        documents=file("documents", documents) if has_documents else None,
    )
    copies = [texts.source, *texts.systems.values()]
    if texts.documents:
        copies.append(texts.documents)
    return replace(texts, originals=dict.fromkeys(copies, written)), _typology(ratings).lines


def _typology(ratings: Iterable[Rating]) -> Typology:
    errors = [rating.error for rating in ratings if rating.error is not None]
    known = {name.lower() for name in (*FREITAG.categories, *FREITAG.marks)}
    others = {each.category.lower(): each.category for each in errors}
    severities = {*FREITAG.severities, *(each.severity for each in errors)}
    return replace(
        FREITAG,
        categories=(
            *FREITAG.categories,
            *sorted(name for lower, name in others.items() if lower not in known),
        ),
        severities=tuple(name for name in KNOWN_SEVERITIES if name in severities),
    )
