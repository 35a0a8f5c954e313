"""Agreement, times and answers of the forms of WMT07 to WMT09 in a file, without a project."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from annotation.formats.errors import InputError
from annotation.formats.fingerprints import fingerprint
from annotation.formats.problems import raise_problems
from evaluation.findings.serialisation import rounded
from evaluation.formats.file_kinds import kind_of
from evaluation.formats.wmt import NOT_JUDGED, WORST_RANK
from evaluation.formats.wmt_forms import (
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
    read_screens,
)
from evaluation.services.file_findings import DIGITS
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


def form_agreement_of_file(path: Path, *, resamples: int, seed: int) -> dict[str, Any]:
    """Return what annotators agree on and answered, with 6 decimals; undefined is None.

    Raises InputError, in one sentence for a file of another kind, else with all problems and their
    lines.
    """
    mark = fingerprint(path)
    kind = kind_of(path).kind
    if kind != "wmt-forms":
        raise InputError(
            "the file has no forms of WMT07 to WMT09 (a heading TASK,TYPE,ITEM_ID,… is missing): "
            "other kinds are for rank_judgements, score_assessments, score_error_spans and "
            "evaluate_metrics.",
            str(path),
        )
    problems: list[InputError] = []
    # Which ranks are better does not matter for agreement.
    screens = list(read_screens(path, higher_is_better=True, on_error=problems.append))
    raise_problems(problems)
    if not screens:
        raise InputError("the file has a heading, but no screens.", str(path))
    by_kind: dict[str, list[Screen]] = defaultdict(list)
    for screen in screens:
        by_kind[screen.kind].append(screen)
    provenance = [f"file {mark.name} sha256 {mark.sha256[:DIGITS]}"]
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
    return {
        "pairs": sorted({screen.pair for screen in screens}),
        "screens": len(screens),
        "annotators": len({screen.annotator for screen in screens}),
        "kinds": [
            {"kind": name, **_times(by_kind[of]), **_agreement(measure(), provenance)}
            for name, (of, measure) in measures.items()
            if by_kind[of]
        ],
        "grades": list(_grade_rows(grades)),
        "acceptance": [row for of in choices for row in _share_rows(of, by_kind[of])],
        "edits": list(_edit_rows(by_kind[EDIT])),
        "longest_seconds": LONGEST_SECONDS,
        "resamples": resamples,
        "seed": seed,
    }


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


def _times(screens: Sequence[Screen]) -> dict[str, Any]:
    known = [screen.seconds for screen in screens if screen.seconds is not None]
    counted = [seconds for seconds in known if seconds <= LONGEST_SECONDS]
    return {
        "screens": len(screens),
        "annotators": len({screen.annotator for screen in screens}),
        "seconds": rounded(sum(counted) / len(counted)) if counted else None,
        "longer": len(known) - len(counted),
        "untimed": len(screens) - len(known),
    }


def _agreement(found: LabelAgreementReport, provenance: Sequence[str]) -> dict[str, Any]:
    return {
        "expected": rounded(found.expected),
        "intra": _kappa(found.intra),
        "inter": _kappa(found.inter),
        "signature": signed(found.signature, provenance),
    }


def _kappa(found: LabelAgreement) -> dict[str, Any]:
    kappa = found.kappa
    return {
        "agree": found.agree,
        "compared": found.compared,
        "observed": rounded(found.observed),
        "items": found.items,
        "kappa": rounded(kappa.value),
        "low": rounded(kappa.low),
        "high": rounded(kappa.high),
        "wide_low": rounded(kappa.wide_low),
        "wide_high": rounded(kappa.wide_high),
        "undefined": kappa.undefined,
        "no_interval": kappa.no_interval,
        "no_wide_interval": kappa.no_wide_interval,
    }


def _by_system(
    rows: Iterable[tuple[Screen, str, Any]],
) -> Iterator[tuple[dict[str, str], list[Any]]]:
    """Yield pair, domain and system, in natural order, with the values of the rows."""
    grouped: dict[tuple[str, str, str], list[Any]] = defaultdict(list)
    for screen, system, value in rows:
        grouped[screen.pair, screen.domain, system].append(value)
    for key in sorted(grouped, key=lambda key: [natural_key(part) for part in key]):
        yield dict(zip(("pair", "domain", "system"), key, strict=True)), grouped[key]


def _grade_rows(screens: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """Yield mean adequacy and fluency of the outputs that have both."""
    rows = (
        (screen, one.system, (one.adequacy, one.fluency))
        for screen in screens
        for one in screen.graded
        if one.adequacy is not None and one.fluency is not None
    )
    for names, both in _by_system(rows):
        adequacy, fluency = np.mean(both, axis=0).tolist()
        yield {
            **names,
            "adequacy": rounded(adequacy),
            "fluency": rounded(fluency),
            "outputs": len(both),
        }


def _share_rows(kind: str, screens: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """Yield the share of yes, without and with the answers "not sure"."""
    rows = (
        (screen, one.system, one.answer)
        for screen in screens
        for one in screen.chosen
        if one.answer is not None
    )
    for names, answers in _by_system(rows):
        yes, no, unsure = (answers.count(answer) for answer in ANSWERS)
        yield {
            "kind": "constituents" if kind == CONSTITUENT_ACCEPT else "edits",
            **names,
            "yes": yes,
            "no": no,
            "not_sure": unsure,
            "share": rounded(yes / (yes + no)) if yes + no else None,
            "share_of_all": rounded(yes / len(answers)),
        }


def _edit_rows(screens: Sequence[Any]) -> Iterator[dict[str, Any]]:
    rows = ((screen, screen.system, screen.status) for screen in screens)
    for names, statuses in _by_system(rows):
        counts = Counter(statuses)
        yield {
            **names,
            "edited": counts[EditStatus.EDITED],
            "no_corrections_needed": counts[EditStatus.NO_CORRECTIONS_NEEDED],
            "unable_to_correct": counts[EditStatus.UNABLE_TO_CORRECT],
        }
