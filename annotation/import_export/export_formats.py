"""All formats in which a project is exported, in the order of the page: one table.

The command, the page and the API offer what stands here.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from django.utils.translation import gettext_lazy

from annotation.common.atomic_files import write_file
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.import_export import (
    exports,
    preferences_export,
    ratings_export,
    shared_task_exports,
)
from annotation.import_export.archive_export import archive
from annotation.kinds import Kind, kind_of
from annotation.kinds.answers import Score
from annotation.kinds.kind import CORRECT
from annotation.kinds.marked_errors import ErrorsAlone
from annotation.models import Project

Pieces = Generator[str, None, None] | Generator[bytes, None, None]
# How many there are, and by reason how many are left out.
Counts = tuple[int, Mapping[str, int]]

OTHER_KINDS: Final = _(
    "The format %(name)s is for other kinds of judgement than that of this project."
)
NO_RANKS: Final = _("The format %(name)s has ranks, and annotators of this project give scores.")
NO_NUMBER: Final = _("%(option)s must be a number from 0, not %(value)s.")


def _every(_name: str, _kind: Kind) -> bool:
    return True


def _named_by_kind(name: str, kind: Kind) -> bool:
    return name in kind.exports


def _of_ranks(name: str, kind: Kind) -> bool:
    return name in kind.answer.formats_of_ranks


def _of_ratings(_name: str, kind: Kind) -> bool:
    return isinstance(kind.answer, Score | ErrorsAlone)


def _of_preferences(_name: str, kind: Kind) -> bool:
    return kind.group is not CORRECT


@dataclass(frozen=True)
class ExportOption:
    """A number from 0 that a format is asked for with, by its keyword."""

    name: str
    label: Any
    help: str


@dataclass(frozen=True)
class ExportFormat:
    """`pieces` yields the file of a project; they hold a snapshot until they end or are closed.

    `label`, `tag` and `explained` are for the page. Browser and API offer the format under an
    `ending` and a media type if it has them. `fits` tells by its name whether a kind has it, and
    `refusal` says that it does not. `section` is where the page has it; only administrators may
    have what is `is_restricted`. `counts` says what is in the file and what is left out.
    """

    name: str
    pieces: Callable[..., Pieces]
    explained: Any
    label: Any = ""
    tag: str = ""
    media_type: str = ""
    ending: str = ""
    section: str = "judgements"
    fits: Callable[[str, Kind], bool] = _every
    refusal: str = OTHER_KINDS
    is_restricted: bool = False
    options: tuple[ExportOption, ...] = ()
    counts: Callable[..., Counts] | None = None

    @property
    def says_counts(self) -> bool:
        """Whether it says what is in the file and what is left out: templates call functions."""
        return self.counts is not None

    def has_kind(self, kind: Kind) -> bool:
        """Tell whether projects of the kind can be exported so."""
        return self.fits(self.name, kind)

    def read_options(self, given: Mapping[str, str]) -> dict[str, float]:
        """Return the options that are given as texts. Raises InputError for what is no number."""
        found = {}
        for option in self.options:
            written = given.get(option.name, "").strip()
            if written:
                found[option.name] = _number(option, written)
        return found


def _number(option: ExportOption, written: str) -> float:
    try:
        number = float(written.replace(",", "."))
    except ValueError:
        number = -1.0
    # Not a number is not at least 0 either.
    if not 0 <= number < float("inf"):
        raise InputError(NO_NUMBER, option=option.name, value=repr(written[:40]))
    return number


MARGIN: Final = ExportOption(
    "minimum_margin",
    gettext_lazy("Least margin"),
    "of preferences: leave out pairs with a smaller margin, in points of the score, or of rankings "
    "as a share from 0 to 1",
)

EXPORT_FORMATS: Final[Mapping[str, ExportFormat]] = {
    one.name: one
    for one in (
        ExportFormat(
            "csv",
            exports.placements,
            gettext_lazy(
                "One row for each judged candidate, with its rank, step or score, annotator, time, "
                "seconds, systems and the order shown. For R, pandas or a spreadsheet."
            ),
            gettext_lazy("Table of all answers"),
            "CSV",
            "text/csv",
            "csv",
        ),
        ExportFormat(
            "judgements",
            exports.judgements,
            gettext_lazy(
                "One line for each judged segment, without comments. A project with the same "
                "segments and candidates can import it."
            ),
            gettext_lazy("Judgements with annotators and times"),
            "JSON Lines",
            "application/x-ndjson",
            "judgements.jsonl",
        ),
        ExportFormat(
            "json",
            exports.thesis_json,
            gettext_lazy(
                "The format of the SegRanks thesis: one entry for each segment, with the rank of "
                "each candidate. Unusable candidates have rank 100. Without annotators, times and "
                "systems."
            ),
            gettext_lazy("Ranks by segment"),
            "JSON",
            "application/json",
            "json",
            fits=_of_ranks,
            refusal=NO_RANKS,
        ),
        # For the command only: opening the pickle of a stranger can run any program.
        ExportFormat(
            "pickle",
            exports.thesis_pickle,
            "the same as json, for Python",
            fits=_of_ranks,
            refusal=NO_RANKS,
        ),
        ExportFormat(
            "ratings",
            ratings_export.ratings,
            gettext_lazy(
                "One line for each annotator and system’s translation, with its score, the places, "
                "severities and categories of errors, document and domain. Annotators are "
                "numbered. For tasks of metrics and mt-metrics-eval."
            ),
            gettext_lazy("Ratings with errors"),
            "JSON Lines",
            "application/x-ndjson",
            "ratings.jsonl",
            fits=_of_ratings,
        ),
        ExportFormat(
            "preferences",
            preferences_export.preferences,
            gettext_lazy(
                "One line for each two translations where annotators preferred one: prompt, "
                "chosen, rejected, by how much and by how many annotators. For programs that learn "
                "from preferences, such as TRL."
            ),
            gettext_lazy("Preferred translations"),
            "JSON Lines",
            "application/x-ndjson",
            "preferences.jsonl",
            fits=_of_preferences,
            options=(MARGIN,),
            counts=preferences_export.count_preferences,
        ),
        ExportFormat(
            "esa",
            exports.appraise,
            gettext_lazy(
                "The columns of ESA files of WMT, with the errors as JSON. One row for each "
                "annotator and system’s translation."
            ),
            gettext_lazy("Scores and marked errors as in Appraise"),
            "CSV",
            "text/csv",
            "esa.csv",
            fits=_named_by_kind,
        ),
        ExportFormat(
            "mqm",
            exports.mqm,
            gettext_lazy(
                "A line for each marked error, with the texts, as Google publishes such judgements."
            ),
            gettext_lazy("Errors as MQM is published"),
            "TSV",
            "text/tab-separated-values",
            "mqm.tsv",
            fits=_named_by_kind,
        ),
        ExportFormat(
            "pearmut",
            exports.pearmut,
            gettext_lazy(
                "Annotations with the texts that were judged, their scores, and the errors marked "
                "in them."
            ),
            gettext_lazy("Answers as in Pearmut"),
            "JSON Lines",
            "application/x-ndjson",
            "pearmut.jsonl",
            fits=_named_by_kind,
        ),
        ExportFormat(
            "da",
            shared_task_exports.assessments,
            gettext_lazy(
                "The columns of WMT’s direct assessments: one row for each score of a system’s "
                "translation, without a heading."
            ),
            gettext_lazy("Direct assessments as in Appraise"),
            "CSV",
            "text/csv",
            "da.csv",
            fits=_named_by_kind,
        ),
        ExportFormat(
            "wmt-forms",
            shared_task_exports.wmt_forms,
            gettext_lazy(
                "One line for each judgement, with the answer for each system. Ranks have no gaps, "
                "and unusable candidates have the last one."
            ),
            gettext_lazy("Forms as in WMT07 to WMT09"),
            "TSV",
            "text/tab-separated-values",
            "wmt-forms.tsv",
            fits=_named_by_kind,
        ),
        ExportFormat(
            "wmt-five",
            shared_task_exports.five_way_rankings,
            gettext_lazy(
                "One line for each ranking of up to five translations, where A+B is one "
                "translation of two systems."
            ),
            gettext_lazy("Rankings as in WMT12"),
            "CSV",
            "text/csv",
            "wmt-five.csv",
            fits=_named_by_kind,
        ),
        ExportFormat(
            "segments",
            exports.segments,
            gettext_lazy(
                "One line for each candidate: sentence, source, reference, segment, candidate, "
                "token positions. Another project can import it."
            ),
            gettext_lazy("Segments with candidates"),
            "TSV",
            "text/tab-separated-values",
            "segments.tsv",
            section="texts",
        ),
        ExportFormat(
            "systems",
            exports.systems,
            gettext_lazy(
                "One line for each system and segment. Import it together with the segments."
            ),
            gettext_lazy("Which system produced which candidate"),
            "TSV",
            "text/tab-separated-values",
            "systems.tsv",
            section="texts",
        ),
        ExportFormat(
            "source-segments",
            exports.source_segments,
            gettext_lazy("The source segments alone, also those without candidates."),
            gettext_lazy("Extracted segments"),
            "TSV",
            "text/tab-separated-values",
            "source-segments.tsv",
            section="texts",
        ),
        ExportFormat(
            "archive",
            archive,
            gettext_lazy(
                "The project with its members, drafts and earlier versions of judgements, but "
                "without files of media, reports, quality rules and flags, and uploaded scores. "
                "Any SegRanks installation can restore it. It has names of annotators: share it "
                "with care."
            ),
            gettext_lazy("Project archive"),
            "JSON Lines",
            "application/x-ndjson",
            "jsonl",
            section="whole",
            is_restricted=True,
        ),
    )
}
# What the browser and the API offer.
DOWNLOADS: Final = {name: one for name, one in EXPORT_FORMATS.items() if one.ending}
# Those that have a view of their own, for administrators.
OBSERVABLE: Final = {name: one for name, one in DOWNLOADS.items() if not one.is_restricted}


def pieces_of(project: Project, format_name: str, **options: float) -> Pieces:
    """Return the pieces of the project in one of EXPORT_FORMATS.

    They hold a snapshot of the database from the first piece until they end or are closed.

    Raises InputError for a format that the kind of the project does not have.
    """
    return _of_project(project, format_name).pieces(project, **options)


def counts_of(project: Project, format_name: str, **options: float) -> Counts | None:
    """Return what the file of the project has and leaves out; None where formats do not say so.

    Raises InputError likewise.
    """
    chosen = _of_project(project, format_name)
    return chosen.counts(project, **options) if chosen.counts else None


def _of_project(project: Project, format_name: str) -> ExportFormat:
    chosen = EXPORT_FORMATS[format_name]
    if not chosen.has_kind(kind_of(project)):
        raise InputError(chosen.refusal, name=format_name)
    return chosen


def export_project(
    *, project: Project, format_name: str, to: Path | BinaryIO, **options: float
) -> None:
    """Write the project in one of the formats to a stream, or whole or not at all to a file.

    Memory does not grow with the project. Raises InputError if the project is not prepared, the
    file cannot be written, or the format cannot represent what the project has.
    """
    if project.state in (Project.State.PREPARING, Project.State.FAILED):
        raise InputError(
            f"The project {project.name!r} is not prepared: export it when it is open "
            "(`manage.py statistics` shows its progress)."
        )
    pieces = (
        piece.encode() if isinstance(piece, str) else piece
        for piece in pieces_of(project, format_name, **options)
    )
    if isinstance(to, Path):
        write_file(to, pieces)
    else:
        to.writelines(pieces)
