"""Annotations of Pearmut as judgements of a project that has the texts of the campaign."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import singledispatch
from itertools import groupby
from pathlib import Path

from annotation.formats.errors import InputError, OnError
from annotation.formats.judgement_lines import JudgementLine, annotator_name
from annotation.formats.pearmut import Annotation, kind_of_json, read_annotations, read_json
from annotation.formats.pearmut_categories import name_of
from annotation.formats.pearmut_media import taken_out
from annotation.formats.pearmut_texts import line_of
from annotation.formats.placed_errors import placed_spans
from annotation.formats.score_scales import write_scores
from annotation.formats.span_notation import SEVERITIES, Span, write_spans
from annotation.import_export.sentence_pages import (
    SENTENCES_PER_PAGE,
    LoadedSentence,
    load_sentences,
)
from annotation.kinds import kind_of
from annotation.kinds.answers import Answer, Score
from annotation.kinds.marked_errors import ErrorsAlone, MarkedErrors
from annotation.kinds.several_scores import SeveralScores
from annotation.kinds.typology import Typology
from annotation.models import Project, Projection, Sentence
from annotation.projects.pearmut_categories import special_tokens

# The numbers of lines by the id of the item and the text, and by the text alone.
Lines = dict[tuple[str, str], list[int]]
# A line of the source, and by the row that is judged the systems whose translations are there.
Rows = dict[int, dict[int, set[str]]]
# What a user answered about the systems of one line of a document.
Answers = list[Annotation]


@dataclass(frozen=True, slots=True)
class _Answered:
    """What a user answered about the row of this number; `together` names what was submitted."""

    row: int
    answers: Answers
    together: str
    seconds: float | None


def is_pearmut(path: Path) -> bool:
    """Return whether the file has annotations. Raise InputError if it is unreadable."""
    text = read_json(path)
    return text.lstrip().startswith(b"{") and kind_of_json(text) in (
        "annotations",
        "annotations by campaign",
    )


def judgements_of_annotations(
    project: Project, path: Path, on_error: OnError
) -> tuple[list[JudgementLine], Mapping[str, int]]:
    """Return a judgement for what each user answered about a line of a document.

    What a user answered about a document was submitted together. The second value counts what is
    left out, in the words of `left_out.LEFT_OUT`. Lines are found by the ids of items and their
    sources, and rows by the systems that stood beside each other. Calls `on_error` for each answer
    that does not fit the project.
    """
    left_out: Counter[str] = Counter()
    lines, rows = _lines(project), _rows(project)
    found: list[_Answered] = []
    tokens = special_tokens(kind_of(project).answer)
    annotations = read_annotations(path, special_tokens=tokens, on_error=on_error)
    annotations.sort(key=_document_of)
    for document, of_document in groupby(annotations, _document_of):
        answers = list(of_document)
        if answers[0].origin != "task":
            left_out["tutorials"] += len(answers)
            continue
        systems = {one.system for one in answers}
        by_item = [list(of_item) for _item, of_item in groupby(answers, lambda one: one.item)]
        for of_item in by_item:
            first = of_item[0]
            # The time is that of the whole document.
            seconds = None if first.seconds is None else first.seconds / len(by_item)
            placed, others = _placed(of_item, systems, lines, rows)
            found += [_Answered(row, each, " ".join(document), seconds) for row, each in placed]
            unknown = [one for one in others if not one.checked]
            left_out["checks"] += len(others) - len(unknown)
            left_out["systems"] += len(unknown)
            if unknown and not placed:
                on_error(
                    InputError(
                        f"the project has no translation of item {first.item_id or first.item!r} "
                        f"by {', '.join(sorted(systems))}.",
                        first.where,
                    )
                )
    found.sort(key=lambda one: one.row)
    judgements = []
    answer = kind_of(project).answer
    for start in range(0, len(found), SENTENCES_PER_PAGE):
        page = found[start : start + SENTENCES_PER_PAGE]
        sentences = load_sentences(project, {one.row for one in page})
        for place, one in enumerate(page, start=start + 1):
            try:
                line = _judgement(place, sentences[one.row], one, answer, left_out)
            except InputError as problem:
                on_error(problem if problem.where else problem.at(one.answers[0].where))
            else:
                if line.scores or line.ranks:
                    judgements.append(line)
    return judgements, {name: number for name, number in left_out.items() if number}


def _document_of(one: Annotation) -> tuple[str, ...]:
    """Return what identifies a document of a user."""
    return one.campaign_id, one.user, one.origin, str(one.document)


def _judgement(
    place: int,
    sentence: LoadedSentence,
    answered: _Answered,
    answer: Answer,
    left_out: Counter[str],
) -> JudgementLine:
    """Return what a user answered about a line, as the judgement of this number of the file.

    Raises InputError.
    """
    answers = answered.answers
    first = answers[0]
    gives_ranks = isinstance(answer, ErrorsAlone)
    segment = next(one for one in sentence.segments if not one.is_document)
    scores: dict[str, int] = {}
    details: dict[str, str] = {}
    for one in answers:
        text = line_of(one.output)
        if text not in segment.candidates.values():
            # Of what checks annotators, or of a system whose text was another one.
            left_out["checks" if one.checked else "texts"] += 1
            continue
        score, detail = _score_and_detail(answer, one, left_out)
        if score is None:
            left_out["unscored"] += 1
        elif (scores.setdefault(text, score), details.setdefault(text, detail)) != (score, detail):
            # Equal texts of several systems are one candidate.
            left_out["equal"] += 1
    if first.ended is None:
        raise InputError("there are no actions, which say when the annotator answered.")
    return JudgementLine(
        where=first.where,
        line=place,
        sentence=sentence.number,
        segment=segment.words,
        indices=tuple(map(int, segment.indices.split())),
        annotator=annotator_name(first.user),
        created=datetime.fromtimestamp(first.ended, UTC),
        seconds=answered.seconds,
        ranks=dict(scores) if gives_ranks else None,
        scores=None if gives_ranks else scores,
        details={text: detail for text, detail in details.items() if detail},
        together=answered.together,
    )


@singledispatch
def _score_and_detail(
    answer: Answer, one: Annotation, left_out: Counter[str]
) -> tuple[int | None, str]:
    """Return the score, None for none, and the detail as files have it. Raise InputError.

    It is the rank where annotators give no scores.
    """
    raise NotImplementedError(answer)


@_score_and_detail.register
def _of_score(answer: Score, one: Annotation, left_out: Counter[str]) -> tuple[int | None, str]:
    if one.errors:
        raise InputError("annotators of this project mark no errors.", one.where)
    return _whole(one.score, one), ""


@_score_and_detail.register
def _of_marks(
    answer: MarkedErrors, one: Annotation, left_out: Counter[str]
) -> tuple[int | None, str]:
    return _whole(one.score, one), _detail(one, left_out)


@_score_and_detail.register
def _of_errors_alone(
    answer: ErrorsAlone, one: Annotation, left_out: Counter[str]
) -> tuple[int | None, str]:
    left_out["beside"] += one.score is not None or any(
        score is not None for score in one.sliders.values()
    )
    detail = _detail(one, left_out, answer.typology)
    return answer.rank_of_detail(detail), detail


@_score_and_detail.register
def _of_scales(
    answer: SeveralScores, one: Annotation, left_out: Counter[str]
) -> tuple[int | None, str]:
    scores = {scale.name: _whole(one.sliders.get(scale.name), one) for scale in answer.scales}
    given = {name: score for name, score in scores.items() if score is not None}
    if len(given) < len(scores):
        return None, ""
    return given[answer.scales[0].name], write_scores(given, answer.scales)


def _whole(score: float | None, one: Annotation) -> int | None:
    """Return the score as a whole number. Raise InputError for another one."""
    if score is not None and score != int(score):
        raise InputError(f"the score {score} is not a whole number.", one.where)
    return None if score is None else int(score)


def _detail(one: Annotation, left_out: Counter[str], typology: Typology | None = None) -> str:
    """Return the marked errors in the notation of the project, in which blanks are single.

    Without a typology, errors have no categories.
    """
    known = SEVERITIES if typology is None else typology.severities
    texts, sources = ((text, line_of(text)) for text in (one.output, one.source))
    spans: list[Span] = []
    for error in one.errors:
        if error.severity not in known:
            left_out["marks"] += 1
            continue
        category = "" if typology is None else name_of(error.category)
        spans += placed_spans(replace(error, category=category), texts, sources)
    return write_spans(dict.fromkeys(spans))


def _placed(
    answers: Answers, systems: set[str], lines: Lines, rows: Rows
) -> tuple[list[tuple[int, Answers]], Answers]:
    """Return the answers by the number of their row, and those of no row.

    The row is the one on whose sheet most of the systems of the document stand, and the fewest
    others. Where the project shows one system at a time, each answer has its own.
    """
    first = answers[0]
    # Without its media, as the project has it.
    source = line_of(taken_out(first.source, 1).text)
    there = {
        number: of_row
        for line in lines.get((first.item_id, source)) or lines.get(("", source), [])
        for number, of_row in rows.get(line, {}).items()
    }
    placed = []
    while found := [
        (-len(of_row & judged), len(of_row ^ systems), number)
        for judged in [{one.system for one in answers}]
        for number, of_row in there.items()
        if of_row & judged
    ]:
        *_order, row = min(found)
        placed.append((row, [one for one in answers if one.system in there[row]]))
        answers = [one for one in answers if one.system not in there[row]]
    return placed, answers


def _lines(project: Project) -> Lines:
    """Return the lines by ids and texts. Without ids of a file, they are numbers, as in exports."""
    found: Lines = {}
    of_lines = project.sentences.filter(purpose=Sentence.Purpose.JUDGE, source_line=None)
    for number, item_id, text in of_lines.order_by("number").values_list(
        "number", "item_id", "text"
    ):
        for known in (item_id or str(number), ""):
            found.setdefault((known, line_of(text)), []).append(number)
    return found


def _rows(project: Project) -> Rows:
    projections = Projection.objects.filter(
        segment__sentence__project=project,
        segment__sentence__purpose=Sentence.Purpose.JUDGE,
        segment__of_document=False,
        candidate__isnull=False,
    ).order_by("segment__sentence__number")
    found: Rows = {}
    for line, number, system in projections.values_list(
        "segment__sentence__source_line", "segment__sentence__number", "system__name"
    ):
        found.setdefault(line or number, {}).setdefault(number, set()).add(system)
    return found
