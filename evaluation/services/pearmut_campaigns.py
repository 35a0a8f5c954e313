"""Projects as campaigns of Pearmut."""

from functools import singledispatch

from annotation.common.transactions import snapshot
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.pearmut import Campaign, Item, Slider
from annotation.kinds import kind_of
from annotation.kinds.several_scores import SeveralScores
from annotation.kinds.units import (
    DocumentOfSystem,
    OneTranslation,
    SegmentsOfSentence,
    SentenceWithTranslations,
    Unit,
)
from annotation.models import Project
from annotation.selectors import judgements as judgement_rows
from annotation.selectors import project_texts as rows
from annotation.selectors.documents import documents_of_sentences, item_ids, sheets_of_documents


def campaign_of(project: Project, *, users: int = 1) -> Campaign:
    """Return the project as a campaign, in which `users` share one stream of documents.

    Sheets of documents are its documents. In other kinds sentences of one document follow each
    other, and a sentence without one is a document. Raises InputError for kinds that Pearmut does
    not have, and without whole outputs. What is excluded is left out.
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
    blocks: list[tuple[Item, ...]] = []
    for lines, systems in sheets:
        block = []
        for number in lines:
            pk = sentences.get(number, 0)
            of_line = outputs.get(pk, {})
            if shown := {name: of_line[name] for name in systems or of_line if name in of_line}:
                item_id = ids.get(number, str(number))
                block.append(Item(shown, sources[number], references.get(pk, ""), item_id))
        if block:
            blocks.append(tuple(block))
    # Pearmut can shuffle the systems only where all items of a document have them.
    alike = all(len({frozenset(one.outputs) for one in block}) == 1 for block in blocks)
    return Campaign(
        campaign_id=project.name,
        assignment="single-stream",
        tasks=(tuple(blocks),),
        protocol=protocol,
        sliders=_sliders(project),
        users=users,
        settings={} if alike else {"shuffle": False},
    )


def _sliders(project: Project) -> tuple[Slider, ...] | None:
    """Return the project's own scales; None for kinds with the usual score."""
    answer = kind_of(project).answer
    if not isinstance(answer, SeveralScores):
        return None
    return tuple(Slider(one.name, one.least, one.most, one.step) for one in answer.scales)


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
    return sheets_of_documents(project)
