"""Campaigns of Pearmut as projects, and projects as campaigns."""

from functools import singledispatch
from itertools import chain
from typing import Final

from annotation.common.transactions import snapshot
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.pearmut import Campaign, Item
from annotation.formats.pearmut_texts import CampaignTexts
from annotation.kinds import KINDS, Kind, kind_of
from annotation.kinds.units import (
    DocumentOfSystem,
    DocumentOfSystems,
    OneTranslation,
    SegmentsOfSentence,
    SentenceWithTranslations,
    Unit,
)
from annotation.models import Project
from annotation.projects.options import MOST_PARAGRAPHS, MOST_SYSTEMS, PrepareOptions
from annotation.selectors import judgements as judgement_rows
from annotation.selectors import project_texts as rows
from annotation.selectors.documents import documents_of_sentences, item_ids, sheets_of_documents

# Pearmut calls it cESA where several systems stand beside each other; each of the two shows both.
ERROR_SPANS: Final = frozenset({"ESA", "cESA"})
# The only sliders that are the usual score.
USUAL_SCORE: Final = (0, 100, 1)


def kind_for(campaign: Campaign, texts: CampaignTexts) -> Kind:
    """Return the first kind with the protocol of the campaign that shows what there is.

    Where no kind has several systems beside each other, it is one with one at a time. Raises
    InputError if there is none, and for sliders of the campaign's own.
    """
    _check_sliders(campaign)
    same = ERROR_SPANS if campaign.protocol in ERROR_SPANS else {campaign.protocol}
    kinds = [kind for kind in KINDS.values() if kind.pearmut_protocol in same]
    if not kinds:
        known = dict.fromkeys(kind.pearmut_protocol for kind in KINDS.values())
        raise InputError(
            _("A project cannot ask what the protocol %(protocol)r asks; known are %(known)s."),
            protocol=campaign.protocol,
            known=", ".join(filter(None, known)),
        )
    has_references = any(texts.reference)
    for kind in sorted(kinds, key=lambda kind: _distance(kind.unit, texts)):
        if kind.shown.source or has_references:
            return kind
    raise InputError(
        _("The campaign has no references, which annotators compare translations with.")
    )


def options_for(kind: Kind, texts: CampaignTexts) -> PrepareOptions:
    """Return how the texts become sheets of a project of the kind: those of the campaign.

    Raises InputError for more systems side by side than a sheet has.
    """
    most = MOST_SYSTEMS[1]
    sheets = texts.sheets
    if not kind.unit.compares_candidates:
        sheets = {
            name: [[system] for system in dict.fromkeys(chain.from_iterable(of_document))]
            for name, of_document in sheets.items()
        }
    elif texts.side_by_side > most:
        raise InputError(
            _("The campaign has %(found)d systems side by side; a sheet has at most %(most)d."),
            found=texts.side_by_side,
            most=most,
        )
    return PrepareOptions(sheet_paragraphs=MOST_PARAGRAPHS, given_sheets=sheets)


@singledispatch
def _distance(unit: Unit, texts: CampaignTexts) -> int:
    """Return how much what annotators see at a time differs from the campaign; 0 is nothing."""
    raise NotImplementedError(unit)


@_distance.register(SegmentsOfSentence)
@_distance.register(SentenceWithTranslations)
def _other(unit: Unit, texts: CampaignTexts) -> int:
    return 4


@_distance.register
def _of_translation(unit: OneTranslation, texts: CampaignTexts) -> int:
    return texts.has_documents * 2 + (texts.side_by_side > 1)


@_distance.register
def _of_document(unit: DocumentOfSystem, texts: CampaignTexts) -> int:
    return (not texts.has_documents) * 2 + (texts.side_by_side > 1)


@_distance.register
def _of_documents(unit: DocumentOfSystems, texts: CampaignTexts) -> int:
    return 0 if texts.side_by_side > 1 else 3


def _check_sliders(campaign: Campaign) -> None:
    """Raise InputError for sliders that are not the usual score."""
    if [tuple(one[1:]) for one in campaign.sliders or ()] not in ([], [USUAL_SCORE]):
        raise InputError(
            _(
                "The campaign has sliders of its own (%(sliders)s), and projects of its protocol "
                "have a score from 0 to 100: leave out the sliders."
            ),
            sliders=", ".join(
                f"{one.name} {one.least}-{one.most}" for one in campaign.sliders or ()
            ),
        )


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
        users=users,
        settings={} if alike else {"shuffle": False},
    )


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
