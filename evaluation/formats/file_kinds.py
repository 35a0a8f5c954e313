"""Which kind of judgements or scores a file has, by its content."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from annotation.formats import mqm_lines, pearmut, wmt_forms
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.plain_text import open_binary, read_lines_or_none
from evaluation.formats import error_span_scores, score_layouts
from evaluation.formats.score_layouts import (
    FIVE_WAY_RANKINGS,
    PAIRWISE_RANKINGS,
    Recognised,
    UnknownLayout,
    recognise,
)

Kind = (
    Literal["wmt-forms", "mqm", "esa", "appraise", "pearmut-campaign", "pearmut-annotations"]
    | score_layouts.Kind
)

# Of files of lines, by the first line that is not blank.
BY_FIRST_LINE: Final[Mapping[Kind, Callable[[str], bool]]] = {
    "wmt-forms": wmt_forms.recognised,
    "mqm": mqm_lines.recognised,
    "esa": error_span_scores.recognised,
    "appraise": error_span_scores.recognised_without_spans,
}
BY_JSON: Final[Mapping[pearmut.KindOfJson, Kind]] = {
    "campaign": "pearmut-campaign",
    "annotations": "pearmut-annotations",
    "annotations by campaign": "pearmut-annotations",
}

# What a file has, for a command that does not read it, and what reads it.
READ_BY: Final[Mapping[Kind, str]] = {
    "wmt-forms": "forms of WMT07 to WMT09: use form_agreement",
    "mqm": "errors marked for MQM: use score_error_spans",
    "esa": "marked errors with scores (ESA): use score_error_spans",
    "appraise": "direct assessments: use score_assessments",
    "assessments": "direct assessments: use score_assessments",
    "rankings": "rankings: use rank_judgements",
    "scores": "scores of segments or systems: use evaluate_metrics",
    "pairs": "preferred pairs: use evaluate_metrics",
    "pearmut-annotations": "annotations of Pearmut: use score_error_spans",
    "pearmut-campaign": "a campaign of Pearmut, which has no answers: give its annotations",
}
# The formats of judgement files that are recognised.
RANKING_FORMATS: Final = {FIVE_WAY_RANKINGS: "wmt-five", PAIRWISE_RANKINGS: "wmt-pairs"}


@dataclass(frozen=True, slots=True)
class FileKind:
    """The kind of a file, and for those of `score_layouts` its layout.

    The readers are in `wmt_forms`, `mqm_lines`, `error_span_scores` (esa), `assessments` (appraise
    and assessments), `pearmut`, `wmt` (rankings) and `score_files` (scores and pairs).
    """

    kind: Kind
    layout: Recognised | None = None

    @property
    def ranking_format(self) -> str | None:
        """The format of `judgement_files` in which rankings are read from it, if there is one."""
        if self.kind == "wmt-forms":
            return self.kind
        return RANKING_FORMATS.get(self.layout.layout) if self.layout else None


def kind_of(path: Path) -> FileKind:
    """Return the kind of a file. Raises InputError, in one sentence, if it is of no known kind."""
    with open_binary(path) as file:
        first = file.read(1000).lstrip(b"\xef\xbb\xbf \t\r\n")
    if first.startswith((b"{", b"[")):
        kind = pearmut.kind_of_json(pearmut.read_json(path))
        if kind is None:
            raise _unknown(path)
        return FileKind(BY_JSON[kind])
    # Its reader reports lines that are not readable.
    lines = read_lines_or_none(path, lambda _problem: None)
    line = next((line for line in lines if line and line.strip()), "")
    for name, recognised in BY_FIRST_LINE.items():
        if recognised(line):
            return FileKind(name)
    try:
        layout = recognise(path)
    except UnknownLayout:
        raise _unknown(path) from None
    return FileKind(layout.layout.kind, layout)


def _unknown(path: Path) -> InputError:
    return InputError(
        _(
            "the file is of no known kind: give rankings or forms of WMT, direct assessments, MQM, "
            "ESA, a campaign or annotations of Pearmut, or scores in a layout of WMT or "
            "mt-metrics-eval."
        ),
        str(path),
    )
