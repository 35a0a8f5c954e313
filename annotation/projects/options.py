"""The texts of a new project and the options of its preparation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from annotation.formats.fingerprints import Originals

# The labels and choices of the fields of PrepareOptions. The form leaves out choices that need
# what is not installed.
CHOICES: dict[str, tuple[Any, list[tuple[str, Any]]]] = {
    "parser": (
        _("Parser"),
        [
            ("auto", _("automatic: the most precise one for this language")),
            ("embedded", _("built in (fast, precise, English only)")),
            ("stanza", _("Stanza (slower, most precise, if its model is installed)")),
            ("linked", _("links to the reference (if no parser knows the language)")),
            ("phrases", _("punctuation and frequent words (fastest, least precise)")),
        ],
    ),
    "coverage": (
        _("What segments cover"),
        [
            ("algorithm1", _("phrases only, as in the thesis (Algorithm 1)")),
            ("predicates", _("phrases and predicates (about a third more segments)")),
        ],
    ),
    "aligner": (
        _("Aligner"),
        [
            ("auto", _("automatic: the better one that is installed")),
            ("eflomal", _("eflomal (slower, better)")),
            ("systran", _("systran (faster)")),
        ],
    ),
    "effort": (
        _("Alignment quality"),
        [
            ("fast", _("fast (a third of the time)")),
            ("normal", _("normal")),
            ("best", _("best (nearly twice the time)")),
        ],
    ),
}

# Which systems an annotator sees of a document.
SHEET_CHOICES: Final[list[tuple[str, Any]]] = [
    ("complete", _("every system on every document")),
    ("balanced", _("some systems, all equally often")),
    ("dynamic", _("some systems, the best more often (WMT26)")),
]

# What people choose for some units besides: see `Unit.choices`.
CHOICES_OF_UNITS: Final = frozenset(
    {
        *("batches", "sheet_paragraphs", "sheet_systems", "sheet_choice", "sheets_of_document"),
        *("first_documents", "rate_documents", "seed"),
    }
)
MOST_PARAGRAPHS: Final = 100
# The most sheets of a document, and the most documents on which each system comes first.
MOST_SHEETS: Final = 50
MOST_FIRST: Final = 1000
# The fewest and the most systems side by side: more do not fit into a window.
MOST_SYSTEMS: Final = (2, 5)


# Systems of each sheet by the name of the document.
GivenSheets = Mapping[str, Sequence[Sequence[str]]]


@dataclass(frozen=True)
class Texts:
    """The files of a new project: one sentence a line, the same number of lines in each.

    `trees` has a bracketed tree a line or dependencies in CoNLL-U; `segments` are ready-made
    segments; `references` are numbered from 1 in their order; `alignments` are the links of each
    system and reference, by `reference_name`, in Pharaoh format.
    `documents` has the name of the document of each sentence, `items` what the file of another
    program calls it. `parallel` is another text and its
    translation, of any length, for the aligner to learn from. `media` are the images, audio and
    video beside the source by their names, which begin with their lines or are in the table
    `media_lines`. `originals` are the files that people
    gave, where a copy is read.
    """

    source: Path
    systems: Mapping[str, Path]
    references: Sequence[Path] = ()
    trees: Path | None = None
    segments: Path | None = None
    alignments: Mapping[str, Path] = field(default_factory=dict)
    documents: Path | None = None
    items: Path | None = None
    parallel: tuple[Path, Path] | None = None
    media: Sequence[tuple[str, Path]] = ()
    media_lines: Path | None = None
    originals: Originals = field(default_factory=dict)


@dataclass(frozen=True)
class CampaignErrors:
    """Errors marked before in a system's output for a line, in the notation of the kind."""

    line: int
    system: str
    detail: str


@dataclass(frozen=True)
class CampaignControl:
    """Worse copies of a system's outputs on one sheet, and what an annotator is told.

    `systems` are those of the sheet, `copies` lines and texts.
    """

    system: str
    systems: list[str]
    copies: list[tuple[int, str]]
    message: str


@dataclass(frozen=True)
class CampaignGold:
    """The gold answer for a system's output in a tutorial, as practice has it."""

    line: int
    system: str
    rank: int
    detail: str
    explanation: str


@dataclass(frozen=True)
class CampaignParts:
    """What a campaign of another program has besides texts, to be stored beside candidates.

    `origin` is the name of the errors that were marked before. `practice` are sheets with the
    answers of all their outputs.
    """

    origin: str = ""
    errors: list[CampaignErrors] = field(default_factory=list)
    controls: list[CampaignControl] = field(default_factory=list)
    practice: list[list[CampaignGold]] = field(default_factory=list)
    practice_required: bool = False

    def __bool__(self) -> bool:
        return bool(self.errors or self.controls or self.practice)


@dataclass(frozen=True)
class PrepareOptions:
    """How texts become segments and candidates; stored with the project's job."""

    parser: str = "auto"
    coverage: str = "algorithm1"
    aligner: str = "auto"
    effort: str = "normal"
    tokenized: bool = False
    source_tokenized: bool = False
    # Open the project as soon as it is prepared.
    open_at_once: bool = True
    # Of a kind that shows one translation at a time: divide the outputs into batches.
    batches: bool = False
    # Of such a kind: each system's translation is judged by itself, also where two are equal.
    each_system: bool = False
    # Of kinds of documents: how many paragraphs a sheet has at most, how many systems stand beside
    # each other where several do, and whether the document as a whole is judged, too.
    sheet_paragraphs: int = 20
    sheet_systems: int = 3
    rate_documents: bool = False
    # Which systems stand on them: all on the sheets of each document, or some on each of so many
    # sheets of a document, balanced, or chosen when the sheet is assigned: then those on fewer than
    # `first_documents` sheets come first, and better ones more often.
    sheet_choice: str = "complete"
    sheets_of_document: int = 2
    first_documents: int = 20
    # Of these documents, which systems stand on each sheet, where a file says so.
    given_sheets: GivenSheets = field(default_factory=dict)
    campaign: CampaignParts = field(default_factory=CampaignParts)
    # Of the aligner, the batches and the sheets.
    seed: int = 0
    # The project marks aligned words, for which whole sentences are aligned, too.
    highlights: bool = False
    # Annotators begin with the tutorial that SegRanks has for its languages.
    tutorial: bool = False
