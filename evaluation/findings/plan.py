"""What a campaign will cost and may conclude, before anything is judged.

It is computed from judgements of an earlier project, or from figures published for the kind.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Final

import numpy as np

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as gettext_noop
from annotation.kinds.experience import Experience
from evaluation.rendering.tables import Column, Count, Number, Percent, Table, Words
from evaluation.rendering.text import Quantity, Text, _
from evaluation.stats.campaign_plan import (
    ALPHA,
    POWER,
    Campaign,
    Precision,
    affordable,
    expected_precision,
)
from evaluation.stats.estimates import sign
from evaluation.stats.variance_components import EFFECTS, Components, Effect

# Parts of the planned hours for which it is said what they would show.
EFFORTS: Final = (0.8, 1.0, 1.2)
# Numbers of annotators a document for which the same is said, at equal hours.
JUDGES: Final = (1, 2, 3)
MOST_SYSTEMS: Final = 100
MOST_DOCUMENTS: Final = 10_000
# Of judged lines, which a plan draws one by one.
MOST_TEXTS: Final = 100_000

EFFECT_WORDS: Final[Mapping[Effect, Text]] = {
    "document": _("how difficult a document is"),
    "document of the system": _("how well a system does in a document"),
    "line": _("how difficult a paragraph or sentence is"),
    "translation": _("how good a system’s translation of it is"),
    "annotator": _("how strict an annotator is"),
    "annotator of the system": _("how an annotator likes a system"),
    "sheet": _("how strict an annotator is in a document"),
    "noise": _("what differs when a translation is judged again"),
}


@dataclass(frozen=True)
class Asked:
    """A number that a plan asks for: a field of PlanOptions, with its range.

    `is_whole` numbers have no decimals; those that are `required` have no default.
    """

    name: str
    label: Text
    least: float
    most: float
    help: Text | str = ""
    is_whole: bool = True
    required: bool = False

    @property
    def default(self) -> float | None:
        return None if self.required else getattr(PlanOptions, self.name)


ASKED: Final = (
    Asked("systems", _("Systems"), 2, MOST_SYSTEMS, required=True),
    Asked("annotators", _("Annotators"), 1, 10_000, required=True),
    Asked(
        "documents",
        _("Documents"),
        2,
        MOST_DOCUMENTS,
        _("Sentences, where no documents are judged."),
    ),
    Asked(
        "lines",
        _("Paragraphs of a document"),
        1,
        1000,
        _("On average; of a sentence, its segments."),
        is_whole=False,
    ),
    Asked("words", _("Words of a paragraph"), 1, 10_000, _("On average."), is_whole=False),
    Asked("judges", _("Annotators of a document"), 1, 100),
    Asked(
        "beside",
        _("Systems side by side"),
        1,
        MOST_SYSTEMS,
        _("How many translations a sheet has."),
    ),
    Asked(
        "of_document",
        _("Systems of a document"),
        0,
        MOST_SYSTEMS,
        _("How many are judged of each document; 0 is all."),
    ),
    Asked(
        "hours",
        _("Hours of work"),
        0.01,
        1_000_000,
        _("Of all annotators together. Empty: as many as all documents take."),
        is_whole=False,
    ),
    Asked("pay", _("Pay for an hour"), 0, 1_000_000, is_whole=False),
    Asked(
        "difference",
        _("Difference that matters"),
        0,
        1_000_000,
        _("In points of the score: how far apart two systems are that you want to tell apart."),
        is_whole=False,
    ),
    Asked(
        "seconds",
        _("Seconds for a translation"),
        0,
        36_000,
        _("Besides those for its words. Empty: as published, or as in the earlier project."),
        is_whole=False,
    ),
    Asked("per_word", _("Seconds for a word"), 0, 3600, is_whole=False),
    Asked("seed", _("Seed"), 0, 2**32 - 1),
)


@dataclass(frozen=True)
class PlanOptions:
    """The campaign that is planned. A line is a paragraph, or a sentence or segment.

    `documents` documents have `lines` lines each, of `words` words; both are means, and None where
    an earlier project says it. `of_document` systems, 0 for all, are judged of each document, and
    a sheet shows `beside` of them. `hours` are those that annotators have together, None for all
    documents; `pay` is for one hour. `difference` is one that matters. `seconds` and `per_word`
    replace what is known of the time for a text.
    """

    systems: int
    annotators: int
    documents: int | None = None
    lines: float | None = None
    words: float | None = None
    judges: int = 1
    beside: int = 1
    of_document: int = 0
    hours: float | None = None
    pay: float | None = None
    difference: float | None = None
    seconds: float | None = None
    per_word: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        """Raise InputError for a number that is out of range."""
        most = {"judges": self.annotators, "beside": self.systems, "of_document": self.systems}
        for asked in ASKED:
            value = getattr(self, asked.name)
            limit = min(asked.most, most.get(asked.name, asked.most))
            if value is not None and not asked.least <= value <= limit:
                raise InputError(
                    gettext_noop(
                        "%(name)s: use a number from %(least)s to %(most)s, not %(value)s."
                    ),
                    name=str(asked.label),
                    value=f"{value:g}",
                    least=f"{asked.least:g}",
                    most=f"{limit:g}",
                )


@dataclass(frozen=True)
class Assumptions:
    """What a plan is computed from, and where it is known from.

    `lengths` are the numbers of lines of known documents; `words` is the mean of a line. A text
    takes `seconds` + `per_word` · words, or a line with all its texts if it `is_of_line`; None if
    that is unknown. `highest` is the best score from 0; None of points, which have none.
    """

    source: str
    variances: Mapping[Effect, float | None]
    scores: int
    lengths: tuple[int, ...]
    words: float
    seconds: float | None
    per_word: float
    is_of_line: bool
    highest: float | None

    @property
    def components(self) -> Components:
        return Components(self.variances, self.scores)

    def text_seconds(self, of_document: int) -> float | None:
        """Return the mean seconds for a text, where so many systems are judged of a document."""
        if self.seconds is None:
            return None
        seconds = self.seconds + self.per_word * self.words
        return seconds / of_document if self.is_of_line else seconds


@dataclass(frozen=True)
class PlannedWork:
    """What so much work costs and shows; `effort` is a part of the planned hours.

    `power` is the probability that the difference that matters is found for one pair of systems,
    and `power_of_all` with the correction for all pairs; None without such a difference. Hours and
    cost are None if the time for a text, or the pay, is unknown.
    """

    effort: float
    judges: int
    documents: int
    texts: int
    hours: float | None
    cost: float | None
    precision: Precision
    power: float | None
    power_of_all: float | None


@dataclass(frozen=True)
class Plan:
    """Work with less and more hours, and with other numbers of annotators a document.

    `needed` is the work with all documents, however many hours there are.
    """

    kind: str
    options: PlanOptions
    assumptions: Assumptions
    needed: PlannedWork
    efforts: tuple[PlannedWork, ...]
    judges: tuple[PlannedWork, ...]
    signature: str

    @property
    def places(self) -> int:
        """The decimals of scores: standardised scores and shares have more."""
        highest, deviation = self.assumptions.highest, self.assumptions.components.deviation
        return 1 if highest is not None and highest >= 10 else 3 if deviation < 2 else 2

    @property
    def best_judges(self) -> int:
        """The number of annotators a document with which the smallest difference is found."""
        return min(self.judges, key=lambda row: row.precision.found_of_all).judges


def assumptions_of(options: PlanOptions, experience: Experience) -> Assumptions:
    """Return the assumptions from published figures, and what the options say of the texts.

    Raises InputError where these say nothing.
    """
    documents, lines, words = options.documents, options.lines, options.words
    if documents is None or lines is None or words is None:
        raise InputError(
            gettext_noop(
                "Say how many documents there are, how many paragraphs one has, and how many words "
                "a paragraph has; or choose an earlier project."
            )
        )
    variances = {effect: experience.variances.get(effect) for effect in EFFECTS}
    return Assumptions(
        source=experience.source,
        variances=variances,
        scores=0,
        lengths=lengths_of(documents, lines),
        words=words,
        seconds=experience.seconds,
        per_word=experience.per_word,
        is_of_line=experience.is_of_line,
        highest=experience.highest,
    )


def lengths_of(documents: int, lines: float) -> tuple[int, ...]:
    """Return whole numbers of lines with this mean, as equal as they can be."""
    borders = np.floor(np.arange(documents + 1) * lines + 0.5).astype(int)
    return tuple(np.maximum(1, np.diff(borders)).tolist())


def drawn_lengths(lengths: Sequence[int], options: PlanOptions) -> tuple[int, ...]:
    """Return a length of each planned document, each of the known ones about equally often."""
    random = Random(options.seed)  # noqa: S311
    drawn: list[int] = []
    while len(drawn) < (options.documents or 0):
        drawn += random.sample(lengths, len(lengths))
    return tuple(drawn[: options.documents])


def make_plan(kind: str, options: PlanOptions, given: Assumptions) -> Plan:
    """Return the plan of a campaign of a kind. Raises InputError for too many texts."""
    known = replace(
        given,
        seconds=given.seconds if options.seconds is None else options.seconds,
        per_word=given.per_word if options.per_word is None else options.per_word,
        words=options.words or given.words,
    )
    if options.lines is not None:
        known = replace(
            known, lengths=lengths_of(options.documents or len(given.lengths), options.lines)
        )
    whole = Campaign(
        lengths=known.lengths,
        systems=options.systems,
        annotators=options.annotators,
        judges=options.judges,
        beside=options.beside,
        of_document=options.of_document,
    )
    if options.documents is not None and options.lines is None:
        whole = replace(whole, lengths=drawn_lengths(known.lengths, options))
    seconds = known.text_seconds(whole.judged_of_document)
    if options.hours is not None and not seconds:
        raise InputError(
            gettext_noop(
                "How long a text takes is unknown here: state the seconds, or leave out the hours."
            )
        )
    texts = whole.texts
    if options.hours is not None and seconds:
        texts = min(texts, round(options.hours * 3600 / seconds))
        if texts < sum(sorted(whole.lengths)[:2]) * whole.judged_of_document * whole.judges:
            raise InputError(
                gettext_noop("%(hours)s hours are not enough for two documents: plan more hours."),
                hours=f"{options.hours:g}",
            )
    most = round(max(texts * EFFORTS[-1], whole.texts))
    if most > MOST_TEXTS:
        raise InputError(
            gettext_noop(
                "The plan has %(texts)d judged texts, and may have up to %(most)d: use fewer "
                "documents or systems."
            ),
            texts=most,
            most=MOST_TEXTS,
        )

    @cache
    def precision(campaign: Campaign) -> Precision:
        return expected_precision(campaign, known.components, options.seed)

    def work(campaign: Campaign, effort: float = 1.0) -> PlannedWork:
        return _work(effort, campaign, precision(campaign), known, options)

    def part(effort: float, judges: int) -> Campaign:
        return affordable(
            replace(whole, judges=judges), effort * texts, whole.lengths, options.seed
        )

    try:
        needed = work(whole)
        efforts = tuple(work(part(effort, options.judges), effort) for effort in EFFORTS)
    except ValueError as problem:
        raise InputError(
            gettext_noop(
                "So few documents, or systems of a document, leave systems without documents in "
                "common: plan more documents, or more systems of a document."
            )
        ) from problem
    of_judges = []
    for number in JUDGES:
        if number > options.annotators:
            break
        campaign = part(1.0, number)
        # Two documents may be more work than there is, or leave systems apart.
        if number == options.judges or campaign.texts <= texts * EFFORTS[-1]:
            with suppress(ValueError):
                of_judges.append(work(campaign))
    return Plan(
        kind=kind,
        options=options,
        assumptions=known,
        needed=needed,
        efforts=efforts,
        judges=tuple(of_judges),
        signature=sign(
            "plan of a campaign",
            (
                kind.replace("_", " "),
                f"variances of {known.source}",
                f"alpha {ALPHA:g}",
                f"power {POWER:g}",
                f"seed {options.seed}",
            ),
            known.scores,
            len(known.lengths),
        ),
    )


def _work(
    effort: float,
    campaign: Campaign,
    precision: Precision,
    known: Assumptions,
    options: PlanOptions,
) -> PlannedWork:
    seconds = known.text_seconds(campaign.judged_of_document)
    matters = options.difference
    hours = None if seconds is None else campaign.texts * seconds / 3600
    pairs = campaign.systems * (campaign.systems - 1) // 2
    return PlannedWork(
        effort=effort,
        judges=campaign.judges,
        documents=len(campaign.lengths),
        texts=campaign.texts,
        hours=hours,
        cost=None if hours is None or options.pay is None else hours * options.pay,
        precision=precision,
        power=None if matters is None else precision.power(matters),
        power_of_all=None if matters is None else precision.power(matters, tests=pairs),
    )


def tables(found: Plan) -> list[Table]:
    return [efforts_table(found), judges_table(found), assumptions_table(found)]


def efforts_table(found: Plan) -> Table:
    return Table.of(
        "plan",
        _("What the campaign shows, with a fifth less and more work."),
        (
            Column("effort", _("Work"), Percent()),
            *_columns(found),
        ),
        found.efforts,
        notes=_notes(found),
        details=[found.signature],
    )


def judges_table(found: Plan) -> Table:
    return Table.of(
        "plan-annotators",
        _("How many annotators should judge a document, with equal work."),
        (
            Column("judges", _("Annotators of a document"), Count()),
            *_columns(found),
        ),
        found.judges,
        notes=(
            _(
                "More annotators of a document leave time for fewer documents. The smallest "
                "difference is found with this number of annotators: %(best)s.",
                best=Quantity(found.best_judges, 0),
            ),
            *(
                [
                    _(
                        "How far annotators differ on the same translation is not known from this "
                        "source: it counts as noise, so that more annotators look better than they "
                        "are."
                    )
                ]
                if found.assumptions.variances["translation"] is None
                else []
            ),
        ),
        details=[found.signature],
    )


def assumptions_table(found: Plan) -> Table:
    variances = found.assumptions.variances
    rows = [(words, variances[effect]) for effect, words in EFFECT_WORDS.items()]
    return Table.of(
        "plan-assumptions",
        _("What makes scores of one system differ, as the plan assumes it."),
        (
            Column("effect", _("Because of"), Words(), lambda row: row[0]),
            Column(
                "deviation",
                _("Standard deviation"),
                Number(found.places),
                lambda row: None if row[1] is None else float(np.sqrt(row[1])),
            ),
        ),
        rows,
        notes=(
            _("Known from: %(source)s.", source=found.assumptions.source),
            _(
                "Where there is no number, these judgements do not show it: it is part of another "
                "number, or zero."
            ),
        ),
        details=[found.signature],
    )


def _columns(found: Plan) -> Sequence[Column]:
    places = found.places
    has_wide = found.needed.precision.wide_mean is not None
    has_difference = found.options.difference is not None
    return [
        Column("documents", _("Documents"), Count()),
        Column("texts", _("Texts"), Count()),
        Column("hours", _("Hours"), Number(0), may_be_empty=True),
        *([Column("cost", _("Pay"), Number(0))] if found.options.pay is not None else []),
        Column("mean", _("Mean ±"), Number(places), lambda row: row.precision.mean),
        *(
            [
                Column(
                    "wide_mean",
                    _("Mean ±"),
                    Number(places),
                    lambda row: row.precision.wide_mean,
                    unit=_("wide"),
                )
            ]
            if has_wide
            else []
        ),
        Column("difference", _("Difference ±"), Number(places), _difference),
        Column(
            "found",
            _("Found, one pair"),
            Number(places),
            lambda row: row.precision.found,
            is_main=True,
        ),
        Column(
            "found_of_all",
            _("Found, all pairs"),
            Number(places),
            lambda row: row.precision.found_of_all,
        ),
        *(
            [
                Column("power", _("Chance, one pair"), Percent()),
                Column("power_of_all", _("Chance, all pairs"), Percent()),
            ]
            if has_difference
            else []
        ),
    ]


def _difference(row: PlannedWork) -> float:
    found = row.precision
    return found.difference if found.wide_difference is None else found.wide_difference


def _notes(found: Plan) -> list[Text]:
    notes = [
        _(
            "Mean ±: half the width of the 95 % interval of a system’s mean score, for other "
            "documents; the wide one is for other annotators too. Difference ±: the same of the "
            "difference of two systems. Found: the smallest true difference of two systems that is "
            "found with a probability of 80 % (p < 0.05), for one pair of systems, and with a "
            "correction for all pairs."
        )
    ]
    if found.options.difference is not None:
        notes.append(
            _(
                "Chance: the probability that a true difference of %(difference)s is found.",
                difference=Quantity(found.options.difference, found.places),
            )
        )
    if found.needed.precision.wide_mean is None:
        notes.append(
            _(
                "How far annotators differ is not in these figures: this source does not show it, "
                "or there are too few annotators."
            )
        )
    return notes
