"""Campaigns of Pearmut as new projects."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import singledispatch
from itertools import chain
from pathlib import Path
from typing import Final

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.fingerprints import NO_COPIES, Originals, fingerprint
from annotation.formats.names import plain_name
from annotation.formats.pearmut import Campaign, read_campaigns
from annotation.formats.pearmut_media import media_files
from annotation.formats.pearmut_texts import (
    DOCUMENTS,
    ITEMS,
    REFERENCE,
    SOURCE,
    CampaignTexts,
    campaign_texts,
    text_files,
)
from annotation.formats.problems import ErrorList
from annotation.kinds import KINDS, Kind
from annotation.kinds.several_scores import SeveralScores
from annotation.kinds.units import (
    DocumentOfSystem,
    DocumentOfSystems,
    OneTranslation,
    SegmentsOfSentence,
    SentenceWithTranslations,
    Unit,
)
from annotation.models import Job
from annotation.projects.creation import new_project
from annotation.projects.options import (
    MOST_PARAGRAPHS,
    MOST_SYSTEMS,
    CampaignParts,
    PrepareOptions,
    Texts,
)
from annotation.projects.pearmut_categories import MQM, typology_of
from annotation.projects.pearmut_parts import gold_of, parts_of

# What a campaign with the assignment "dynamic" says, and Pearmut's defaults.
SYSTEMS_CHOSEN: Final = "dynamic_models"
FIRST_DOCUMENTS: Final = "dynamic_coldstart"
DYNAMIC_DEFAULTS: Final = {SYSTEMS_CHOSEN: 1, FIRST_DOCUMENTS: 5}
# Pearmut says cESA for several systems side by side; both protocols are accepted for either.
ERROR_SPANS: Final = frozenset({"ESA", "cESA"})
# What annotators are asked where a campaign has one slider of its own that is the usual score.
USUAL_SCORE: Final = (0, 100, 1)


@contextmanager
def new_campaign(
    *,
    path: Path,
    name: str,
    languages: str,
    campaign_id: str = "",
    originals: Originals = NO_COPIES,
) -> Iterator[tuple[Job, Mapping[str, int]]]:
    """Store a campaign of a file as a new project of the kind that asks the same.

    Yields, as `new_project` does, the job, and what was left out, in the words of
    `left_out.LEFT_OUT`. `campaign_id` is needed where the file has several. Raises InputError with
    everything that is wrong; then nothing remains.
    """
    campaign = _campaign(path, plain_name(campaign_id))
    try:
        answer_options = answer_options_for(campaign)
        kinds = kinds_for(campaign)
        answer = kinds[0].answer
        if answer_options:
            answer = answer.with_options(answer_options)
        tokens = campaign.special_tokens
        texts = campaign_texts(
            campaign, lambda item, system: gold_of(answer, item, system, tokens) is not None
        )
        if beside := _systems_chosen(campaign):
            texts = replace(texts, side_by_side=beside)
        kind = kind_for(kinds, texts)
        left_out = Counter(texts.left_out)
        parts = parts_of(campaign, texts, answer, left_out)
        if beside and not kind.unit.compares_candidates:
            beside = 0
        if beside:
            # They belong to sheets, which have no systems before they are assigned.
            left_out["given"] += len(parts.errors)
            left_out["checks"] += len(parts.controls)
            left_out["tutorials"] += len(parts.practice)
            parts = CampaignParts()
        options = options_for(kind, texts, parts)
        if beside:
            options = replace(
                options,
                given_sheets={},
                sheet_choice="dynamic",
                sheet_systems=beside,
                first_documents=_number(campaign, FIRST_DOCUMENTS),
            )
    except InputError as problem:
        raise problem if problem.where else problem.at(str(path)) from None
    with (
        text_files(texts) as paths,
        media_files(texts.media) as media,
        new_project(
            name=name,
            languages=languages,
            kind=kind.name,
            scale=answer_options,
            texts=Texts(
                source=paths[SOURCE],
                references=[paths[REFERENCE]] if REFERENCE in paths else [],
                documents=paths[DOCUMENTS],
                items=paths.get(ITEMS),
                systems={system: paths[f"system {system}"] for system in texts.outputs},
                media=media,
                originals=dict.fromkeys(paths.values(), fingerprint(path, originals)),
            ),
            description=f"Pearmut: {campaign.campaign_id}",
            options=options,
        ) as job,
    ):
        yield job, {name: number for name, number in left_out.items() if number}


def _campaign(path: Path, campaign_id: str) -> Campaign:
    """Return the campaign of the file. Raise InputError for all problems in it."""
    problems = ErrorList()
    campaigns = read_campaigns(path, on_error=problems.add)
    problems.raise_all()
    found = [one for one in campaigns if campaign_id in ("", one.campaign_id)]
    if len(found) == 1:
        return found[0]
    raise InputError(
        _("Choose one of the campaigns of the file: %(known)s."),
        str(path),
        known=", ".join(one.campaign_id for one in campaigns),
    )


def _systems_chosen(campaign: Campaign) -> int:
    """Return how many systems are chosen for a document when it is assigned; 0 if all are shown."""
    beside = _number(campaign, SYSTEMS_CHOSEN) if campaign.assignment == "dynamic" else 0
    return beside if beside > 1 else 0


def _number(campaign: Campaign, key: str) -> int:
    """Return a whole number of the settings. Raises InputError."""
    value = campaign.settings.get(key, DYNAMIC_DEFAULTS[key])
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(_("the setting %(key)r must be a whole number from 1."), key=key)
    return value


def kinds_for(campaign: Campaign) -> list[Kind]:
    """Return the kinds with the protocol of the campaign; all have the same answer.

    With sliders of its own, they are those with several scores. Raises InputError if there is none.
    """
    same = ERROR_SPANS if campaign.protocol in ERROR_SPANS else {campaign.protocol}
    kinds = [kind for kind in KINDS.values() if kind.pearmut_protocol in same]
    if not kinds:
        known = dict.fromkeys(kind.pearmut_protocol for kind in KINDS.values())
        raise InputError(
            _("A project cannot ask what the protocol %(protocol)r asks; known are %(known)s."),
            protocol=campaign.protocol,
            known=", ".join(filter(None, known)),
        )
    several = bool(scale_for(campaign))
    kinds = [kind for kind in kinds if isinstance(kind.answer, SeveralScores) == several]
    if not kinds:
        raise InputError(
            _(
                "The campaign has sliders of its own (%(sliders)s) and the protocol %(protocol)r: "
                "annotators of a project cannot mark errors beside scales of its own. Choose the "
                "protocol DA to keep the sliders, or leave out the sliders to keep the errors."
            ),
            sliders=", ".join(one.name for one in campaign.sliders or ()),
            protocol=campaign.protocol,
        )
    return kinds


def kind_for(kinds: Sequence[Kind], texts: CampaignTexts) -> Kind:
    """Return the first of the kinds that shows what there is.

    Where no kind has several systems beside each other, it is one with one at a time. Raises
    InputError if there is none.
    """
    has_references = any(texts.reference)
    for kind in sorted(kinds, key=lambda kind: _distance(kind.unit, texts)):
        if kind.shown.source or has_references:
            return kind
    raise InputError(
        _("The campaign has no references, which annotators compare translations with.")
    )


def options_for(kind: Kind, texts: CampaignTexts, parts: CampaignParts) -> PrepareOptions:
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
    return PrepareOptions(sheet_paragraphs=MOST_PARAGRAPHS, given_sheets=sheets, campaign=parts)


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


def scale_for(campaign: Campaign) -> tuple[str, ...]:
    """Return the sliders as the options of a project with several scores; () for the usual score.

    Raises InputError for numbers that are not whole.
    """
    sliders = campaign.sliders or ()
    if [tuple(one[1:]) for one in sliders] in ([], [USUAL_SCORE]):
        return ()
    for one in sliders:
        if any(number != int(number) for number in one[1:]):
            raise InputError(
                _(
                    "The slider %(name)r has numbers that are not whole, which a project cannot "
                    "have: multiply them."
                ),
                name=one.name,
            )
    return tuple(
        f"{one.name} {int(one.least)}-{int(one.most)} step {int(one.step)}" for one in sliders
    )


def answer_options_for(campaign: Campaign) -> tuple[str, ...]:
    """Return the options of the project's answer: its scales, or its typology of errors.

    Raises InputError for what a project cannot have.
    """
    return typology_of(campaign).lines if campaign.protocol == MQM else scale_for(campaign)
