"""The texts of a new project and the options of its preparation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _

# How texts become segments and candidates: of each option of PrepareOptions, what can be chosen.
# An option that is not known to it, or needs what is not there, is not offered.
CHOICES: dict[str, tuple[Any, list[tuple[str, Any]]]] = {
    "parser": (
        _("Parser"),
        [
            ("auto", _("the best one here for this language")),
            ("embedded", _("the one that comes with SegRanks (English)")),
            ("stanza", _("stanza, where its models are installed")),
            ("phrases", _("phrases, which knows no language and takes any")),
        ],
    ),
    "coverage": (
        _("What segments cover"),
        [
            ("algorithm1", _("phrases only (Algorithm 1)")),
            ("predicates", _("predicates too")),
        ],
    ),
    "aligner": (
        _("Aligner"),
        [
            ("auto", _("the best one here")),
            ("eflomal", _("eflomal (slower, better)")),
            ("systran", _("systran (faster)")),
        ],
    ),
    "effort": (
        _("Effort of aligning"),
        [
            ("fast", _("fast (a third of the time)")),
            ("normal", _("normal")),
            ("best", _("best (nearly twice the time)")),
        ],
    ),
}


@dataclass(frozen=True)
class Texts:
    """The files of a new project: one sentence a line, the same number of lines in each.

    `trees` has a bracketed tree a line or dependencies in CoNLL-U, `segments` the segments where
    they are given, `alignments` the links of each system ("reference" stands for the reference)
    in Pharaoh format. `parallel` is another text and its translation, of any length, to learn
    words from.
    """

    source: Path
    systems: Mapping[str, Path]
    reference: Path | None = None
    trees: Path | None = None
    segments: Path | None = None
    alignments: Mapping[str, Path] = field(default_factory=dict)
    parallel: tuple[Path, Path] | None = None


@dataclass(frozen=True)
class PrepareOptions:
    """How texts become segments and candidates; stored with the project's job."""

    parser: str = "auto"
    coverage: str = "algorithm1"
    aligner: str = "auto"
    effort: str = "normal"
    tokenized: bool = False
    source_tokenized: bool = False
    # Whether judging begins by itself once all is prepared.
    open_at_once: bool = True
