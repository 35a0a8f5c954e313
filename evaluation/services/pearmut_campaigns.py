"""Campaigns of Pearmut as projects, and projects as campaigns."""

from typing import Final

from annotation.common.transactions import snapshot
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.kinds import KINDS, Kind, kind_of
from annotation.kinds.several_scores import SeveralScores
from annotation.models import Project
from annotation.selectors import judgements as judgement_rows
from annotation.selectors import project_texts as rows
from annotation.selectors.documents import documents_of_sentences
from evaluation.formats.pearmut import Campaign, Item, Slider
from evaluation.formats.pearmut_texts import CampaignTexts

# What annotators are asked where a campaign has one slider of its own that is the usual score.
USUAL_SCORE: Final = (0, 100, 1)


def options_for(campaign: Campaign) -> tuple[str, ...]:
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


def kind_for(campaign: Campaign, texts: CampaignTexts) -> Kind:
    """Return the first kind with the protocol of the campaign that shows what there is.

    With sliders of its own, it is one with several scores. Raises InputError if there is none.
    """
    kinds = [kind for kind in KINDS.values() if kind.pearmut_protocol == campaign.protocol]
    if options_for(campaign):
        kinds = [kind for kind in kinds if isinstance(kind.answer, SeveralScores)]
        if not kinds:
            raise InputError(
                _(
                    "The campaign has sliders of its own and the protocol %(protocol)r: a project "
                    "has scales of its own without marked errors only. Choose the protocol DA, or "
                    "leave out the sliders."
                ),
                protocol=campaign.protocol,
            )
    has_references = any(texts.reference)
    for kind in kinds:
        if kind.shown.source or has_references:
            return kind
    if kinds:
        raise InputError(
            _("The campaign has no references, which annotators compare translations with.")
        )
    known = dict.fromkeys(kind.pearmut_protocol for kind in KINDS.values())
    raise InputError(
        _("A project cannot ask what the protocol %(protocol)r asks; known are %(known)s."),
        protocol=campaign.protocol,
        known=", ".join(filter(None, known)),
    )


def campaign_of(project: Project, *, users: int = 1) -> Campaign:
    """Return the project as a campaign, in which `users` share one stream of documents.

    Sentences of one document follow each other; a sentence without one is a document. Raises
    InputError for kinds that Pearmut does not have, and without whole outputs. What is excluded is
    left out.
    """
    protocol = kind_of(project).pearmut_protocol
    if not protocol:
        raise InputError(_("Pearmut does not ask what the annotators of this project are asked."))
    with snapshot():
        numbers = {pk: number for pk, number, *_text in rows.sentences(project)}
        sources = dict(rows.source_texts(project))
        names = dict(judgement_rows.systems(project))
        excluded = rows.excluded_outputs(project)
        documents = documents_of_sentences(project)
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
    blocks: dict[str, list[Item]] = {}
    for pk, number in numbers.items():
        if pk in outputs:
            name = documents.get(number) or f"\n{number}"
            item = Item(outputs[pk], sources[number], references.get(pk, ""), str(number))
            blocks.setdefault(name, []).append(item)
    # Pearmut can shuffle the systems only where all items of a document have them.
    alike = all(len({frozenset(one.outputs) for one in block}) == 1 for block in blocks.values())
    return Campaign(
        campaign_id=project.name,
        assignment="single-stream",
        tasks=(tuple(tuple(block) for block in blocks.values()),),
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
