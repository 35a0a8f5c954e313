"""What annotators agree on and answered on the forms of WMT07 to WMT09, and how long they took."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from textwrap import fill
from typing import Any, Final, NamedTuple

import numpy as np

from annotation.formats.wmt import NOT_JUDGED, WORST_RANK
from annotation.formats.wmt_forms import (
    CONSTITUENT,
    CONSTITUENT_ACCEPT,
    EDIT,
    EDIT_ACCEPT,
    NIST,
    RANK,
    Answer,
    ChoiceScreen,
    EditScreen,
    EditStatus,
    GradeScreen,
    RankingScreen,
    Screen,
)
from evaluation.findings.serialisation import as_stored
from evaluation.rendering.formats import TEXT_WIDTH, as_text
from evaluation.rendering.tables import (
    INTERVAL,
    Column,
    Count,
    Interval,
    Name,
    Number,
    Table,
    interval_column,
    missing_figures,
)
from evaluation.stats.agreement.labels import (
    PREFERENCES,
    LabelAgreement,
    LabelAgreementReport,
    measure_labels,
    preferences,
)
from evaluation.stats.agreement.single_items import ItemJudgements
from evaluation.stats.estimates import signed
from evaluation.stats.judgements import Codes, natural_key

# Longer screens were interrupted, and are left out of mean times.
LONGEST_SECONDS: Final = 300
ANSWERS: Final = tuple(Answer)
STATUSES: Final = tuple(EditStatus)

# Of a screen: what was judged of it, such as an output or a corrected output, and its value.
Values = Iterable[tuple[Hashable, float | None]]
Read = Callable[[Any], Values]


def _ranks(screen: RankingScreen) -> Values:
    return ((one.systems, None if one.rank == NOT_JUDGED else -one.rank) for one in screen.ranked)


def _adequacy(screen: GradeScreen) -> Values:
    return ((one.system, one.adequacy) for one in screen.graded)


def _fluency(screen: GradeScreen) -> Values:
    return ((one.system, one.fluency) for one in screen.graded)


def _answers(screen: ChoiceScreen) -> Values:
    return (
        ((one.system, one.edit), None if one.answer is None else ANSWERS.index(one.answer))
        for one in screen.chosen
    )


def _statuses(screen: EditScreen) -> Values:
    return [(screen.system, STATUSES.index(screen.status))]


@dataclass(frozen=True)
class JudgedKind:
    """The screens of a kind of question, their times, and the agreement of the answers.

    `seconds` is the mean time of a screen, None if no time is known: without the `longer` screens,
    which took more than LONGEST_SECONDS, and the `untimed` ones.
    """

    kind: str
    screens: int
    annotators: int
    seconds: float | None
    longer: int
    untimed: int
    agreement: LabelAgreementReport


@dataclass(frozen=True)
class MeanGrades:
    """Mean grades, from 1 to 5, of the outputs of a system that have both."""

    pair: str
    domain: str
    system: str
    adequacy: float
    fluency: float
    outputs: int


@dataclass(frozen=True)
class Acceptance:
    """Answers about the constituents, or the corrected outputs ("edits"), of a system.

    `share` is that of yes among yes and no, None without either; `share_of_all` counts "not sure".
    """

    kind: str
    pair: str
    domain: str
    system: str
    yes: int
    no: int
    not_sure: int
    share: float | None
    share_of_all: float


@dataclass(frozen=True)
class EditedOutputs:
    """What annotators did with the outputs of a system that were to be corrected."""

    pair: str
    domain: str
    system: str
    edited: int
    no_corrections_needed: int
    unable_to_correct: int


@dataclass(frozen=True)
class FormAgreement:
    """What annotators agree on, and what they answered by language pair, domain and system."""

    pairs: tuple[str, ...]
    screens: int
    annotators: int
    kinds: tuple[JudgedKind, ...]
    grades: tuple[MeanGrades, ...]
    acceptance: tuple[Acceptance, ...]
    edits: tuple[EditedOutputs, ...]
    longest_seconds: int
    resamples: int
    seed: int


def compute(
    screens: Sequence[Screen], provenance: Sequence[str], *, resamples: int, seed: int
) -> FormAgreement:
    """Return the findings with the precision of JSON; `provenance` ends the signatures."""
    by_kind: dict[str, list[Screen]] = defaultdict(list)
    for screen in screens:
        by_kind[screen.kind].append(screen)
    grades, choices = by_kind[NIST], (EDIT_ACCEPT, CONSTITUENT_ACCEPT)

    def labels(
        of: str, read: Read, count: int, left_out: Collection[int] = ()
    ) -> LabelAgreementReport:
        judged, _screens, values = _judged(by_kind[of], read)
        codes = values.astype(np.int32)
        return measure_labels(
            judged, codes, count=count, left_out=left_out, resamples=resamples, seed=seed
        )

    def preferred(of: str, read: Read) -> LabelAgreementReport:
        judged, of_screens, values = _judged(by_kind[of], read)
        rows, pairs, codes = preferences(of_screens, judged.items, values)
        chosen = judged.select(rows)
        return measure_labels(
            ItemJudgements(pairs, chosen.annotators, chosen.sentences),
            codes,
            count=PREFERENCES,
            resamples=resamples,
            seed=seed,
        )

    unsure = {ANSWERS.index(Answer.NOT_SURE)}
    measures: Mapping[str, tuple[str, Callable[[], LabelAgreementReport]]] = {
        "adequacy": (NIST, lambda: labels(NIST, _lowered(_adequacy), WORST_RANK)),
        "fluency": (NIST, lambda: labels(NIST, _lowered(_fluency), WORST_RANK)),
        "adequacy, relative": (NIST, lambda: preferred(NIST, _adequacy)),
        "fluency, relative": (NIST, lambda: preferred(NIST, _fluency)),
        "sentences ranked": (RANK, lambda: preferred(RANK, _ranks)),
        "constituents ranked": (CONSTITUENT, lambda: preferred(CONSTITUENT, _ranks)),
        "constituents accepted": (
            CONSTITUENT_ACCEPT,
            lambda: labels(CONSTITUENT_ACCEPT, _answers, len(ANSWERS), unsure),
        ),
        "sentences edited": (EDIT, lambda: labels(EDIT, _statuses, len(STATUSES))),
        "edits accepted": (
            EDIT_ACCEPT,
            lambda: labels(EDIT_ACCEPT, _answers, len(ANSWERS), unsure),
        ),
    }
    found = FormAgreement(
        pairs=tuple(sorted({screen.pair for screen in screens})),
        screens=len(screens),
        annotators=len({screen.annotator for screen in screens}),
        kinds=tuple(
            _judged_kind(name, by_kind[of], measure(), provenance)
            for name, (of, measure) in measures.items()
            if by_kind[of]
        ),
        grades=tuple(_grades(grades)),
        acceptance=tuple(row for of in choices for row in _acceptance(of, by_kind[of])),
        edits=tuple(_edits(by_kind[EDIT])),
        longest_seconds=LONGEST_SECONDS,
        resamples=resamples,
        seed=seed,
    )
    return as_stored(found)


def _lowered(read: Read) -> Read:
    """Return the reader of labels from 0 for grades from 1."""

    def lowered(screen: Any) -> Values:
        return ((what, None if value is None else value - 1) for what, value in read(screen))

    return lowered


def _judged(screens: Sequence[Screen], read: Read) -> tuple[ItemJudgements, Codes, np.ndarray]:
    """Return the values given on screens, with their items and the numbers of the screens.

    An item is what was judged in a sentence, or in a constituent, which intervals sample.
    """
    items: dict[Hashable, int] = {}
    annotators: dict[str, int] = {}
    sentences: dict[Hashable, int] = {}
    rows = []
    for number, screen in enumerate(screens):
        place = (screen.pair, screen.domain, screen.item)
        for what, value in read(screen):
            if value is not None:
                rows.append(
                    (
                        items.setdefault((place, what), len(items)),
                        annotators.setdefault(screen.annotator, len(annotators)),
                        sentences.setdefault(place, len(sentences)),
                        number,
                        value,
                    )
                )
    table = np.array(rows, dtype=np.float64).reshape(-1, 5)
    of_items, of_annotators, of_sentences, numbers = table[:, :4].astype(np.int32).T
    return ItemJudgements(of_items, of_annotators, of_sentences), numbers, table[:, 4]


def _judged_kind(
    kind: str, screens: Sequence[Screen], found: LabelAgreementReport, provenance: Sequence[str]
) -> JudgedKind:
    known = [screen.seconds for screen in screens if screen.seconds is not None]
    counted = [seconds for seconds in known if seconds <= LONGEST_SECONDS]
    return JudgedKind(
        kind=kind,
        screens=len(screens),
        annotators=len({screen.annotator for screen in screens}),
        seconds=sum(counted) / len(counted) if counted else None,
        longer=len(known) - len(counted),
        untimed=len(screens) - len(known),
        agreement=replace(found, signature=signed(found.signature, provenance)),
    )


def _by_system(
    rows: Iterable[tuple[Screen, str, Any]],
) -> Iterator[tuple[tuple[str, str, str], list[Any]]]:
    """Yield pair, domain and system, in natural order, with the values of the rows."""
    grouped: dict[tuple[str, str, str], list[Any]] = defaultdict(list)
    for screen, system, value in rows:
        grouped[screen.pair, screen.domain, system].append(value)
    for names in sorted(grouped, key=lambda names: [natural_key(part) for part in names]):
        yield names, grouped[names]


def _grades(screens: Sequence[Any]) -> Iterator[MeanGrades]:
    rows = (
        (screen, one.system, (one.adequacy, one.fluency))
        for screen in screens
        for one in screen.graded
        if one.adequacy is not None and one.fluency is not None
    )
    for names, both in _by_system(rows):
        adequacy, fluency = np.mean(both, axis=0).tolist()
        yield MeanGrades(*names, adequacy, fluency, len(both))


def _acceptance(kind: str, screens: Sequence[Any]) -> Iterator[Acceptance]:
    rows = (
        (screen, one.system, one.answer)
        for screen in screens
        for one in screen.chosen
        if one.answer is not None
    )
    for names, answers in _by_system(rows):
        yes, no, unsure = (answers.count(answer) for answer in ANSWERS)
        yield Acceptance(
            "constituents" if kind == CONSTITUENT_ACCEPT else "edits",
            *names,
            yes=yes,
            no=no,
            not_sure=unsure,
            share=yes / (yes + no) if yes + no else None,
            share_of_all=yes / len(answers),
        )


def _edits(screens: Sequence[Any]) -> Iterator[EditedOutputs]:
    rows = ((screen, screen.system, screen.status) for screen in screens)
    for names, statuses in _by_system(rows):
        counts = Counter(statuses)
        yield EditedOutputs(
            *names,
            edited=counts[EditStatus.EDITED],
            no_corrections_needed=counts[EditStatus.NO_CORRECTIONS_NEEDED],
            unable_to_correct=counts[EditStatus.UNABLE_TO_CORRECT],
        )


def form_text(found: FormAgreement) -> str:
    """Return what the file has, and the tables, for a terminal."""
    scope = (
        f"Screens: {found.screens}. Annotators: {found.annotators}. Language pairs: "
        f"{', '.join(found.pairs)}."
    )
    return "\n\n".join((fill(scope, TEXT_WIDTH), *map(as_text, tables(found))))


_OF_SYSTEMS: Final = (
    Column("pair", "pair", Name()),
    Column("domain", "domain", Name()),
    Column("system", "system", Name()),
)


def tables(found: FormAgreement) -> list[Table]:
    """Return the tables of what the file has."""
    answers = [
        Table.of(
            "grades",
            "Mean adequacy and fluency, from 1 to 5, of the outputs that have both.",
            (
                *_OF_SYSTEMS,
                Column("adequacy", "adequacy"),
                Column("fluency", "fluency"),
                Column("outputs", "outputs", Count()),
            ),
            found.grades,
        ),
        Table.of(
            "acceptance",
            "Share of yes among yes and no, and among all answers.",
            (
                Column("kind", "of", Name()),
                *_OF_SYSTEMS,
                Column("share", "yes/(yes+no)"),
                Column("share_of_all", "yes/all"),
                Column("yes", "yes", Count()),
                Column("no", "no", Count()),
                Column("not_sure", "not sure", Count()),
            ),
            found.acceptance,
        ),
        Table.of(
            "edits",
            "What annotators did with the outputs to be corrected.",
            (
                *_OF_SYSTEMS,
                Column("edited", "edited", Count()),
                Column("no_corrections_needed", "no corrections needed", Count()),
                Column("unable_to_correct", "unable to correct", Count()),
            ),
            found.edits,
        ),
    ]
    return [_times(found), _agreement(found), *(each for each in answers if each.rows)]


def _times(found: FormAgreement) -> Table:
    return Table.of(
        "times",
        "Screens and mean seconds of a screen.",
        (
            Column("kind", "kind", Name()),
            Column("screens", "screens", Count()),
            Column("annotators", "annotators", Count()),
            Column("seconds", "seconds", Number(1)),
            Column("longer", "longer", Count()),
            Column("untimed", "untimed", Count()),
        ),
        found.kinds,
        notes=[
            f"Longer: screens of more than {found.longest_seconds} seconds, which are left out of "
            "the mean. Of adequacy and fluency, and of their relative reading, the screens are the "
            "same."
        ],
    )


class _Row(NamedTuple):
    kind: str
    by: str
    expected: float
    found: LabelAgreement


def _agreement(found: FormAgreement) -> Table:
    rows = [
        _Row(each.kind, by, each.agreement.expected, getattr(each.agreement, by))
        for each in found.kinds
        for by in ("intra", "inter")
    ]
    return Table.of(
        "agreement",
        "Agreement of annotators with themselves (intra) and with each other (inter).",
        (
            Column("kind", "kind", Name()),
            Column("by", "by", Name()),
            Column("agree", "agree", Count(), attrgetter("found.agree")),
            Column("compared", "pairs", Count(), attrgetter("found.compared")),
            Column("observed", "P(A)", value=attrgetter("found.observed")),
            Column("expected", "P(E)"),
            Column("kappa", "κ", value=attrgetter("found.kappa.value")),
            interval_column("found.kappa", unit="other items"),
            Column(
                "wide_low wide_high",
                INTERVAL,
                Interval(),
                attrgetter("found.kappa.wide_low", "found.kappa.wide_high"),
                unit="other annotators too",
            ),
        ),
        rows,
        notes=[
            "Items are sentences or constituents. Relative: adequacy and fluency read as better, "
            "equal or worse. “Not sure” is left out.",
            *missing_figures((f"κ {row.by}", row.found.kappa) for row in rows),
        ],
        details=[f"{each.kind}: {each.agreement.signature}" for each in found.kinds],
    )
