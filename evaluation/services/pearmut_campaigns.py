"""Projects as campaigns of Pearmut."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import singledispatch
from itertools import groupby
from typing import Any

from annotation.common.transactions import snapshot
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.marked_errors import MISSING, MarkedError
from annotation.formats.pearmut import Campaign, Check, Item, Range, Slider, written_spans
from annotation.formats.pearmut_categories import categories_of, category_of
from annotation.formats.pearmut_texts import line_of
from annotation.formats.placed_errors import placed_spans
from annotation.formats.span_notation import TARGET, WHOLE, parse_spans
from annotation.kinds import kind_of
from annotation.kinds.answers import Answer, Score
from annotation.kinds.marked_errors import ErrorsAlone, Marking
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
from annotation.projects.pearmut_campaigns import FIRST_DOCUMENTS, SYSTEMS_CHOSEN
from annotation.projects.pearmut_categories import special_tokens
from annotation.projects.provenance import provenance_of
from annotation.selectors import judgements as judgement_rows
from annotation.selectors import project_texts as rows
from annotation.selectors.copied_sheets import GoldOutput, WorseCopy, gold_outputs, worse_copies
from annotation.selectors.documents import documents_of_sentences, item_ids, sheets_of_documents
from annotation.selectors.given_errors import given_lists, translated_texts


def campaign_of(project: Project, *, users: int = 1) -> Campaign:
    """Return the project as a campaign, in which `users` share one stream of documents.

    Sheets of documents are its documents. In other kinds sentences of one document follow each
    other, and a sentence without one is a document. Degraded copies of controls stand beside their
    originals, and practice comes first. Of errors marked before, those of the first origin are
    given. Raises InputError for kinds that Pearmut does not have, and without whole outputs. What
    is excluded is left out.
    """
    protocol = kind_of(project).pearmut_protocol
    if not protocol:
        raise InputError(_("Pearmut does not ask what the annotators of this project are asked."))
    with snapshot():
        numbers = {pk: number for pk, number, *_text in rows.sentences(project)}
        sources = dict(rows.source_texts(project))
        names = dict(judgement_rows.systems(project))
        excluded = rows.excluded_outputs(project)
        ids = item_ids(project)
        sheets = _sheets(kind_of(project).unit, project)
        given = _given(project)
        copies = _copies(kind_of(project).unit, project)
        practised = gold_outputs(project)
        outputs: dict[int, dict[str, str]] = {}
        references: dict[int, str] = {}
        for sentence, _number, text, _tokens in rows.references(project):
            references.setdefault(sentence, text)
        for sentence, system, text, _tokens in rows.outputs(project):
            if (numbers.get(sentence, 0), system) in excluded:
                continue
            elif system in names and text.strip():
                outputs.setdefault(sentence, {})[names[system]] = text
    if not outputs:
        raise InputError(
            _(
                "The project %(project)r has no whole outputs of systems: add them with "
                "`manage.py set_outputs`."
            ),
            project=project.name,
        )
    sentences = {number: pk for pk, number in numbers.items()}

    def item(number: int, systems: Iterable[str]) -> Item:
        pk = sentences.get(number, 0)
        of_line = outputs.get(pk, {})
        shown = {name: of_line[name] for name in systems or of_line if name in of_line}
        marked = {
            name: _errors(given[number, name], text)
            for name, text in shown.items()
            if (number, name) in given
        }
        item_id = ids.get(number, str(number))
        return Item(shown, sources.get(number, ""), references.get(pk, ""), item_id, marked=marked)

    blocks: list[tuple[Item, ...]] = []
    for lines, systems in sheets:
        used = {
            (one.line, one.system)
            for one in practised
            if not systems or one.beside == frozenset(systems)
        }
        block = []
        for number in lines:
            there = systems or list(outputs.get(sentences.get(number, 0), {}))
            judged = [name for name in there if (number, name) not in used]
            if judged and (one := item(number, judged)).outputs:
                checks = [copy for copy in copies if copy.line == number]
                block.append(_with_copies(one, checks, frozenset(systems)))
        if block:
            blocks.append(tuple(block))
    design = provenance_of(project).sheets
    # Pearmut can shuffle the systems only where all items of a document have them.
    alike = all(len({frozenset(one.outputs) for one in block}) == 1 for block in blocks)
    return Campaign(
        campaign_id=project.name,
        assignment="dynamic" if design.is_dynamic else "single-stream",
        tasks=(tuple(blocks),),
        protocol=protocol,
        sliders=_sliders(project),
        **_typology(project),
        users=users,
        welcome=_welcome(project, practised, item),
        settings={
            **({} if alike else {"shuffle": False}),
            **(
                {SYSTEMS_CHOSEN: design.systems, FIRST_DOCUMENTS: design.first}
                if design.is_dynamic
                else {}
            ),
        },
    )


def _sliders(project: Project) -> tuple[Slider, ...] | None:
    """Return the project's own scales, () where there is no score, None for the usual one."""
    answer = kind_of(project).answer
    if isinstance(answer, ErrorsAlone):
        return ()
    if not isinstance(answer, SeveralScores):
        return None
    return tuple(Slider(one.name, one.least, one.most, one.step) for one in answer.scales)


def _typology(project: Project) -> dict[str, Any]:
    """Return the fields of Campaign for the categories of errors, where the project has some."""
    answer = kind_of(project).answer
    if not isinstance(answer, ErrorsAlone):
        return {}
    return {
        "categories": categories_of(answer.typology.categories),
        "severities": tuple(one.capitalize() for one in answer.typology.severities),
        "special_tokens": special_tokens(answer),
    }


# --- errors marked before ------------------------------------------------------------------------


def _given(project: Project) -> dict[tuple[int, str], tuple[str, str]]:
    """Return by line and system the text of the candidate and the errors that were marked first."""
    lists = given_lists(project)
    if lists is None:
        return {}
    first = min(lists.origins)
    return {
        (one.line, one.system): (one.text, lists.details[first, one.candidate])
        for one in translated_texts(project)
        if (first, one.candidate) in lists.details
    }


def _errors(given: tuple[str, str], text: str) -> tuple[MarkedError, ...]:
    """Return the errors at their places in the output as it was uploaded."""
    candidate, detail = given
    found = []
    for span in parse_spans(detail):
        category = category_of(span.category) if span.category else ""
        if span.side == TARGET and span.start is not None and span.end is not None:
            error = MarkedError(span.severity, "", ((span.start, span.end),))
            for moved in placed_spans(error, (candidate, text), ("", "")):
                places = ((moved.start or 0, moved.end or 0),)
                found.append(MarkedError(span.severity, category, places))
        elif span.side == WHOLE:
            found.append(MarkedError(span.severity, token=span.category))
        else:
            # What is marked in the source is nowhere in the translation.
            found.append(MarkedError(span.severity, category, token=MISSING))
    return tuple(found)


# --- controls and practice -----------------------------------------------------------------------


@singledispatch
def _copies(unit: Unit, project: Project) -> list[WorseCopy]:
    """Return the degraded copies that stand beside their originals."""
    return []


@_copies.register
def _beside(unit: DocumentOfSystems, project: Project) -> list[WorseCopy]:
    return worse_copies(project)


def _with_copies(item: Item, copies: Iterable[WorseCopy], systems: frozenset[str]) -> Item:
    """Return the item with the copies, whose originals must get a higher score."""
    outputs, checks = dict(item.outputs), dict(item.checks)
    for one in copies:
        name = f"{one.system} copy"
        if one.beside == systems and one.system in item.outputs and name not in outputs:
            outputs[name] = one.text
            checks[one.system] = Check(greater_than=name, warning=one.message)
    return replace(item, outputs=outputs, checks=checks)


def _welcome(
    project: Project,
    practised: Iterable[GoldOutput],
    item: Callable[[int, Iterable[str]], Item],
) -> tuple[tuple[Item, ...], ...]:
    """Return practice sheets as documents whose rules tell the right answers.

    Annotators may skip them where practice is not required.
    """
    answer = kind_of(project).answer
    documents: list[tuple[Item, ...]] = []
    for _sheet, of_sheet in groupby(practised, lambda one: one.sheet):
        items = []
        for line, of_line in groupby(of_sheet, lambda one: one.line):
            gold = {one.system: one for one in of_line}
            one = item(line, gold)
            checks = {name: _check(answer, gold[name], text) for name, text in one.outputs.items()}
            skippable = not project.practice_required
            items.append(replace(one, checks=checks, marked={}, skippable=skippable))
        if all(one.outputs for one in items):
            documents.append(tuple(items))
    return tuple(documents)


def _check(answer: Answer, gold: GoldOutput, text: str) -> Check:
    """Return the rule that an answer near the gold one passes."""
    sliders: dict[str, Range] = {}
    if isinstance(answer, SeveralScores):
        for part in answer.parts_of(gold.detail):
            near = _near(part.score, part.scale.scores, answer.tolerance_of(part.scale))
            sliders[part.scale.name] = near
    score: Range | None = None
    spans: tuple[dict[str, Any], ...] = ()
    if isinstance(answer, Score) and not sliders:
        score = _near(answer.score_of(gold.rank), answer.scores, answer.tolerance)
    if isinstance(answer, Marking):
        spans = tuple(
            span
            for error in _errors((line_of(text), gold.detail), text)
            for span in written_spans(error, text, special_tokens(answer))
        )
    return Check(score=score, spans=spans, warning=gold.explanation, sliders=sliders)


def _near(score: int | None, scores: Collection[int], tolerance: int) -> Range:
    return (
        max(min(scores), (score or 0) - tolerance),
        min(max(scores), (score or 0) + tolerance),
    )


# --- documents -----------------------------------------------------------------------------------


@singledispatch
def _sheets(unit: Unit, project: Project) -> list[tuple[list[int], list[str]]]:
    """Return the lines of each document of a campaign, and its systems; [] are all."""
    raise NotImplementedError(unit)


@_sheets.register(SegmentsOfSentence)
@_sheets.register(SentenceWithTranslations)
@_sheets.register(OneTranslation)
def _of_sentences(unit: Unit, project: Project) -> list[tuple[list[int], list[str]]]:
    documents = documents_of_sentences(project)
    blocks: dict[str, list[int]] = {}
    for _pk, number, *_text in rows.sentences(project):
        blocks.setdefault(documents.get(number) or f"\n{number}", []).append(number)
    return [(lines, []) for lines in blocks.values()]


@_sheets.register
def _of_sheets(unit: DocumentOfSystem, project: Project) -> list[tuple[list[int], list[str]]]:
    if provenance_of(project).sheets.is_dynamic:
        # Which systems stand on a sheet is not known before it is assigned.
        return _of_sentences(unit, project)
    return sheets_of_documents(project)
