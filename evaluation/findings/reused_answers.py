"""What stored answers on a scale say of systems without answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Final, NamedTuple

from evaluation.rendering.tables import (
    INTERVAL,
    Column,
    Count,
    Interval,
    Name,
    Number,
    Table,
)
from evaluation.rendering.text import _
from evaluation.reuse.stored_answers import ExtrapolationErrors, ReusedAnswers
from evaluation.stats.estimates import Estimate, sign


@dataclass(frozen=True)
class ReusedSystem:
    """What stored answers say of a system: of its texts in `segments` with answers about others.

    `hits` have an identical judged text; their `answers` are numbers by step, from the best.
    `missing` have nothing to compare. `best_of_all` is the share of the best step in all answers
    about identical texts, `best_of_decided` that without the step that says neither yes nor no,
    None if there is no such step. The `real` figures are those of the system's own answers, None
    unless people judged it and it was left out.
    """

    system: str
    segments: int
    hits: int
    missing: int
    hit_rate: float | None
    average_distance_of_misses: float | None
    answers: tuple[int, ...]
    exact_grade: Estimate
    extrapolated_grade: Estimate
    best_of_all: Estimate
    best_of_decided: Estimate | None
    real_grade: Estimate | None
    real_best_of_all: Estimate | None
    real_best_of_decided: Estimate | None


@dataclass(frozen=True)
class ReusedAnswersReport:
    """Systems and the answers about the texts of others; `errors` are of the project's own systems.

    `scale` has the labels of the steps from the best, and `best_grade` what the first counts as.
    `left_out` means that the systems are those of the project.
    """

    method: str
    scale: tuple[str, ...]
    best_grade: float
    left_out: bool
    systems: tuple[ReusedSystem, ...]
    errors: ExtrapolationErrors
    signature: str


def report_reused_answers(
    systems: Sequence[ReusedAnswers],
    errors: ExtrapolationErrors,
    *,
    scale: Sequence[str],
    left_out: bool,
    judgements: int,
    sentences: int,
    undecided: int | None = None,
    origin: Sequence[str] = (),
    provenance: Sequence[str] = (),
) -> ReusedAnswersReport:
    """Return the report; the step `undecided`, from 1, says neither yes nor no.

    `origin` says in the signature where new texts come from; `provenance` ends it.
    """
    what = "leave one out" if left_out else f"new {len(systems)}"
    options = (what, *origin, "edit distance", "mean grade of texts", "1000 resamples")
    return ReusedAnswersReport(
        method="answers",
        scale=tuple(scale),
        best_grade=systems[0].of_steps[0],
        left_out=left_out,
        systems=tuple(_system(one, undecided, left_out=left_out) for one in systems),
        errors=errors,
        signature=sign("stored answers", options, judgements, sentences, provenance),
    )


def _system(one: ReusedAnswers, undecided: int | None, *, left_out: bool) -> ReusedSystem:
    return ReusedSystem(
        system=one.system,
        segments=len(one.distances),
        hits=one.hits,
        missing=one.missing,
        hit_rate=one.hit_rate,
        average_distance_of_misses=one.average_distance_of_misses,
        answers=one.answers,
        exact_grade=one.exact_grade(),
        extrapolated_grade=one.extrapolated_grade(),
        best_of_all=one.share_of_best(),
        best_of_decided=one.share_of_best(without=undecided) if undecided else None,
        real_grade=one.real_grade() if left_out else None,
        real_best_of_all=one.share_of_best(own=True) if left_out else None,
        real_best_of_decided=one.share_of_best(without=undecided, own=True)
        if left_out and undecided
        else None,
    )


class _Row(NamedTuple):
    system: ReusedSystem
    part: ReusedAnswersReport


def _value(of: str) -> Callable[[_Row], float | None]:
    """Return what takes a row to the value of this estimate, None if there is no estimate."""
    get: Callable[[_Row], Estimate | None] = attrgetter(of)
    return lambda row: found.value if (found := get(row)) else None


def _interval(prefix: str, of: str) -> Column:
    get: Callable[[_Row], Estimate | None] = attrgetter(of)
    return Column(
        f"{prefix}low {prefix}high",
        INTERVAL,
        Interval(),
        lambda row: (found.low, found.high) if (found := get(row)) else None,
        may_be_empty=True,
    )


_ERRORS: Final = (
    Column("absolute", _("Mean error"), value=_value("part.errors.absolute")),
    _interval("absolute_", "part.errors.absolute"),
    Column("bias", _("Bias"), value=_value("part.errors.bias")),
    _interval("bias_", "part.errors.bias"),
    Column("texts", _("Texts"), Count(), attrgetter("part.errors.texts")),
    Column(
        "absolute_of_misses",
        _("Mean error of misses"),
        value=_value("part.errors.absolute_of_misses"),
    ),
    _interval("absolute_of_misses_", "part.errors.absolute_of_misses"),
    Column("bias_of_misses", _("Bias of misses"), value=_value("part.errors.bias_of_misses")),
    _interval("bias_of_misses_", "part.errors.bias_of_misses"),
    Column("misses", _("Misses"), Count(), attrgetter("part.errors.misses")),
)


_FIGURES: Final = (
    Column("system", _("System"), Name(), attrgetter("system.system")),
    Column("segments", _("Segments"), Count(), attrgetter("system.segments")),
    Column("hits", _("Identical"), Count(), attrgetter("system.hits")),
    Column("missing", _("None"), Count(), attrgetter("system.missing")),
    Column(
        "grade", _("Extrapolated grade"), value=_value("system.extrapolated_grade"), is_main=True
    ),
    _interval("", "system.extrapolated_grade"),
    Column(
        "decided",
        _("Best answer, of decided"),
        value=_value("system.best_of_decided"),
        may_be_empty=True,
    ),
    _interval("decided_", "system.best_of_decided"),
    Column("all", _("Best answer, of all"), value=_value("system.best_of_all")),
    _interval("all_", "system.best_of_all"),
)
# Reports have neither these nor the real figures: all their headings are translated.
_ONLY_IN_TERMINALS: Final = (
    Column("hit_rate", "Hit rate", Number(4), attrgetter("system.hit_rate")),
    Column(
        "average_distance_of_misses",
        "Distance of misses",
        Number(2),
        attrgetter("system.average_distance_of_misses"),
    ),
    Column("exact_grade", "Grade of hits", value=_value("system.exact_grade")),
)
_REAL: Final = (
    Column("real_grade", "Real grade", value=_value("system.real_grade")),
    Column(
        "real_decided",
        "Real, of decided",
        value=_value("system.real_best_of_decided"),
        may_be_empty=True,
    ),
    Column("real_all", "Real, of all", value=_value("system.real_best_of_all")),
)
_EXTRAPOLATED: Final = _(
    "Extrapolated grades are those of the closest judged texts by edit distance. Shares are of the "
    "answers about identical texts. Errors and biases (above 0: too good) are those of the "
    "project’s own systems, each left out."
)


def reused_table(found: Sequence[ReusedAnswersReport]) -> Table:
    """Return what answers about other systems' texts say of the estimated ones."""
    return Table.of(
        "reused-answers",
        _("Estimated systems by the answers about other systems’ texts."),
        (*_FIGURES, *_ERRORS),
        [_Row(system, part) for part in found for system in part.systems],
        notes=[_EXTRAPOLATED],
        details=[part.signature for part in found],
    )


def tables(found: ReusedAnswersReport) -> list[Table]:
    """Return the systems, and once for all of them how far extrapolated grades are off."""
    rows = [_Row(system, found) for system in found.systems]
    best, last = found.scale[0], found.scale[-1]
    best_grade = f"{found.best_grade:g}"
    label = best if best == best_grade else f"{best_grade} – {best}"
    has_decided = any(system.best_of_decided for system in found.systems)
    undefined = found.errors.absolute.undefined
    whose = "Systems of the project, each left out," if found.left_out else "New systems"
    return [
        Table.of(
            "reused-answers",
            f"{whose} by the answers about other systems’ texts.",
            (*_FIGURES, *_ONLY_IN_TERMINALS, *(_REAL if found.left_out else ())),
            rows,
            notes=[
                _EXTRAPOLATED,
                f"The best grade: {label}.",
                *([f"Best answer, of decided: {best} / ({best} + {last})."] if has_decided else []),
            ],
            details=[found.signature],
        ),
        Table.of(
            "extrapolation-errors",
            "How far extrapolated grades of the project’s own systems, each left out, are off.",
            _ERRORS,
            rows[:1],
            notes=[f"How far they are off is unknown: {undefined}."] if undefined else [],
        ),
    ]
