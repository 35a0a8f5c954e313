"""What the answers and units of a project mean for results: one table of each, by their classes.

`annotation.kinds` stands below this app and cannot know it. A new class of answers or units is
registered here, unless it means the same as its base.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import singledispatch

from django.utils.translation import override

from annotation.formats.error_points import WEIGHTS
from annotation.kinds import kind_of
from annotation.kinds import marked_errors as marked
from annotation.kinds.answers import Answer, Ranking, Score, Steps
from annotation.kinds.edited_text import EditedText
from annotation.kinds.several_scores import SeveralScores
from annotation.kinds.units import (
    DocumentOfSystem,
    DocumentOfSystems,
    OneTranslation,
    SegmentsOfSentence,
    SentenceWithTranslations,
    Unit,
)
from annotation.models import Project
from annotation.projects.provenance import Provenance
from annotation.selectors.assessments import count_lines
from evaluation.findings.evidence import AskedScale
from evaluation.findings.scales import values_of
from evaluation.meta.mean_scores import MEAN_SCORE, MEAN_Z, MINUS_HTER, StepValues
from evaluation.services import loading
from evaluation.services.output_candidates import AlignedOutputs, WholeOutputs
from evaluation.stats.annotators.given_errors import GivenCase
from evaluation.stats.error_spans import MarkedErrors
from evaluation.stats.judgements import Judgements
from evaluation.stats.ranking.systems import METHODS
from evaluation.stats.scales import JudgedScales


def nothing(_project: Project) -> None:
    """Return None, without a query."""


@dataclass(frozen=True)
class AnswerMeaning:
    """What answers of a class mean for results.

    `golds` are the scores by people that metrics can be compared with, the default one first.
    `values` are what the ranks count as in means; None where candidates are ranked. `scale` has the
    labels in English, because files are, unless they are the project's own. `load_edits` returns
    what annotators made of the candidates, `load_marked_errors` what they marked in them, and
    `load_given_errors` what they made of errors that were marked before, `load_scales` their scores
    on the project's own scales: None, without a query, where they do none of it. Of several scales,
    `golds` and `values` are of the first.
    """

    golds: tuple[str, ...]
    values: StepValues | None = None
    scale: AskedScale = field(default_factory=AskedScale)
    load_edits: Callable[[Project], list[loading.EditedText] | None] = nothing
    load_marked_errors: Callable[[Project], MarkedErrors | None] = nothing
    load_given_errors: Callable[[Project], list[GivenCase] | None] = nothing
    load_scales: Callable[[Project], JudgedScales | None] = nothing


@singledispatch
def meaning_of_answer(answer: Answer) -> AnswerMeaning:
    raise NotImplementedError(f"{type(answer).__name__} is not registered")


@meaning_of_answer.register
def _ranking(_answer: Ranking) -> AnswerMeaning:
    return AnswerMeaning(METHODS)


@meaning_of_answer.register
def _steps(answer: Steps) -> AnswerMeaning:
    """Steps count as `Steps.grades` says, without the undecided one.

    Of two others that are no numbers, the better one counts 1 and the worse one 0. Of two there is
    nothing to standardise.
    """
    grades = answer.grades
    decided = [step for step in range(1, len(grades) + 1) if step != answer.undecided]
    counts: dict[int, float] = {step: grades[step - 1] for step in decided}
    name = "mean grade"
    if len(decided) == 2 and grades == tuple(map(float, range(len(grades), 0, -1))):
        counts, name = dict(zip(decided, (1.0, 0.0), strict=True)), "share of the better answer"
    with override(None):
        labels = [str(label) for label in answer.labels]
    return AnswerMeaning(
        golds=(MEAN_SCORE, *([MEAN_Z] if len(decided) > 2 else []), *METHODS),
        values=StepValues(name, tuple(map(counts.get, range(1, len(grades) + 1)))),
        scale=AskedScale(labels, grades, bool(answer.own_options), answer.undecided),
    )


@meaning_of_answer.register
def _edited_text(answer: EditedText) -> AnswerMeaning:
    return replace(
        _steps(answer), golds=(MINUS_HTER, MEAN_SCORE, *METHODS), load_edits=loading.load_edits
    )


@meaning_of_answer.register
def _score(answer: Score) -> AnswerMeaning:
    """Scores count as they are. They are standardised by annotator, as WMT published them."""
    return AnswerMeaning(
        golds=(MEAN_Z, MEAN_SCORE, *METHODS),
        values=StepValues("mean score", tuple(map(float, range(answer.highest, -1, -1))), True),
        scale=AskedScale(highest=answer.highest),
    )


@meaning_of_answer.register
def _marked_errors(answer: marked.MarkedErrors) -> AnswerMeaning:
    """Scores beside marked errors (ESA) are not standardised, unless it is chosen."""
    return replace(
        _score(answer),
        golds=(MEAN_SCORE, MEAN_Z, *METHODS),
        load_marked_errors=loading.load_marked_errors,
        load_given_errors=loading.load_given_errors,
    )


@meaning_of_answer.register
def _several_scores(answer: SeveralScores) -> AnswerMeaning:
    """Scores on each scale count as they are, and are standardised by annotator on each scale."""
    return AnswerMeaning(
        golds=(MEAN_SCORE, MEAN_Z, *METHODS),
        values=values_of(answer.scales[0]) if answer.scales else None,
        load_scales=loading.load_scales,
    )


@meaning_of_answer.register
def _errors_alone(answer: marked.ErrorsAlone) -> AnswerMeaning:
    """Means are of error points below 0, so that higher is better; ranks are tenths of points."""
    points = tuple(0.0 - answer.meaning(rank) for rank in range(1, marked.RANKS_OF_POINTS + 1))
    return AnswerMeaning(
        golds=(MEAN_SCORE, MEAN_Z, *METHODS),
        values=StepValues("minus error points", points, True),
        scale=AskedScale(weights=tuple(map(answer.typology.weights, WEIGHTS.values()))),
        load_marked_errors=loading.load_marked_errors,
    )


def no_programs(_made: Provenance) -> list[str]:
    """Return nothing: whole translations are neither parsed nor aligned."""
    return []


def programs(made: Provenance) -> list[str]:
    """Return "parser NAME VERSION", what its segments cover, and "aligner NAME VERSION"."""
    return [
        f"parser {made.parser}" if made.parser else "",
        "coverage predicates" if made.coverage == "predicates" else "",
        f"aligner {made.aligner}" if made.aligner else "",
    ]


def side_by_side(made: Provenance) -> list[str]:
    """Return how many systems stand beside each other on a sheet, such as "side-by-side:3"."""
    return [f"side-by-side:{made.sheets.systems}"]


def no_documents(_project: Project, *, with_documents: bool = False) -> None:
    """Return None, without a query: no document is judged as a whole."""


@dataclass(frozen=True)
class UnitMeaning:
    """What units of a class mean for results.

    `programs` returns the parts of a signature that name the programs which prepared them.
    `outputs` takes candidates from outputs of other systems. `count_lines` returns how many lines
    of the source have something to judge; None, without a query, where these are the sentences.
    `load_documents` returns the judgements of documents as a whole, and `load_columns` where sheets
    show systems beside each other: None, without a query, where they do not.
    """

    programs: Callable[[Provenance], list[str]] = no_programs
    outputs: AlignedOutputs | WholeOutputs = field(default_factory=WholeOutputs)
    count_lines: Callable[[Project], int | None] = nothing
    load_documents: Callable[..., Judgements | None] = no_documents
    load_columns: Callable[[Project], dict[tuple[int, str], int] | None] = nothing


@singledispatch
def meaning_of_unit(unit: Unit) -> UnitMeaning:
    raise NotImplementedError(f"{type(unit).__name__} is not registered")


@meaning_of_unit.register
def _segments(_unit: SegmentsOfSentence) -> UnitMeaning:
    return UnitMeaning(programs=programs, outputs=AlignedOutputs())


@meaning_of_unit.register
def _sentence(_unit: SentenceWithTranslations) -> UnitMeaning:
    return UnitMeaning()


@meaning_of_unit.register
def _translation(_unit: OneTranslation) -> UnitMeaning:
    return UnitMeaning(count_lines=count_lines)


@meaning_of_unit.register
def _document(_unit: DocumentOfSystem) -> UnitMeaning:
    return UnitMeaning(count_lines=count_lines, load_documents=loading.load_documents)


@meaning_of_unit.register
def _documents(unit: DocumentOfSystems) -> UnitMeaning:
    return replace(_document(unit), programs=side_by_side, load_columns=loading.load_columns)


def answer_of(project: Project) -> AnswerMeaning:
    return meaning_of_answer(kind_of(project).answer)


def unit_of(project: Project) -> UnitMeaning:
    return meaning_of_unit(kind_of(project).unit)


def compares_candidates(project: Project) -> bool:
    """Return whether a judgement compares translations of one source with each other."""
    return kind_of(project).unit.compares_candidates


def has_assessments(project: Project) -> bool:
    """Return whether annotators score single translations, and these scores are standardised.

    So it is where they give nothing but a score: control items then tell of the annotators.
    """
    return answer_of(project).golds[0] == MEAN_Z and not compares_candidates(project)
