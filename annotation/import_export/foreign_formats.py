"""Which files of other programs have judgements: the table by the class of the answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import singledispatch
from pathlib import Path

from annotation.formats.assessment_lines import is_assessment_csv
from annotation.formats.errors import OnError
from annotation.formats.judgement_lines import JudgementLine
from annotation.formats.mqm_lines import is_mqm
from annotation.import_export.assessments_import import judgements_of_assessments
from annotation.import_export.forms_import import is_form, judgements_of_forms
from annotation.import_export.mqm_import import judgements_of_ratings
from annotation.import_export.pearmut_import import is_pearmut, judgements_of_annotations
from annotation.kinds.answers import Answer, Ranking, Score, Steps
from annotation.kinds.marked_errors import ErrorsAlone
from annotation.kinds.several_scores import SeveralScores
from annotation.models import Project


@dataclass(frozen=True)
class ForeignFormat:
    """A format of other programs in which such judgements are published.

    `read` returns the judgements of a file, and counts what it has left out, in the words of
    `left_out.LEFT_OUT`.
    """

    name: str
    read: Callable[[Project, Path, OnError], tuple[list[JudgementLine], Mapping[str, int]]]


@singledispatch
def foreign_format(answer: Answer, path: Path) -> ForeignFormat | None:
    """Return the format of a file of judgements by its content, None for one of our own."""
    raise NotImplementedError(answer)


@foreign_format.register(Ranking)
@foreign_format.register(Steps)
def _of_ranks_elsewhere(answer: Answer, path: Path) -> ForeignFormat | None:
    return ForeignFormat("forms of WMT", judgements_of_forms) if is_form(path) else None


@foreign_format.register
def _of_mqm(answer: ErrorsAlone, path: Path) -> ForeignFormat | None:
    if is_pearmut(path):
        return ForeignFormat("annotations of Pearmut", judgements_of_annotations)
    return ForeignFormat("TSV of MQM", judgements_of_ratings) if is_mqm(path) else None


@foreign_format.register
def _of_several_scores(answer: SeveralScores, path: Path) -> ForeignFormat | None:
    is_one = is_pearmut(path)
    return ForeignFormat("annotations of Pearmut", judgements_of_annotations) if is_one else None


@foreign_format.register
def _of_scores_elsewhere(answer: Score, path: Path) -> ForeignFormat | None:
    if is_pearmut(path):
        return ForeignFormat("annotations of Pearmut", judgements_of_annotations)
    is_one = is_assessment_csv(path)
    return ForeignFormat("CSV of scores", judgements_of_assessments) if is_one else None
