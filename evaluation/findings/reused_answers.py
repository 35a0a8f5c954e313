"""What stored answers on a scale say of new systems without answers, and as text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaluation.rendering.formats import decimal, text_table
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


def reused_text(report: ReusedAnswersReport) -> str:
    """Return tables for a terminal."""
    best, last = report.scale[0], report.scale[-1]
    parts = [_overview(report), _errors(report)]
    decided = [(one, one.best_of_decided, one.real_best_of_decided) for one in report.systems]
    if any(share for _one, share, _real in decided):
        every = [(one, one.best_of_all, one.real_best_of_all) for one in report.systems]
        parts += [
            f"{best} / ({best} + {last}) of identical texts:\n{_shares(decided)}",
            f"{best} / all answers about identical texts:\n{_shares(every)}",
        ]
    return "\n\n".join([*parts, report.signature])


def _overview(report: ReusedAnswersReport) -> str:
    header = ["left out" if report.left_out else "new system", "hits", "hit rate", "none"]
    header += ["distance of misses", "grade of hits", "extrapolated", "from", "to"]
    rows = []
    for one in report.systems:
        extrapolated = one.extrapolated_grade
        ends = (extrapolated.value, extrapolated.low, extrapolated.high)
        real = [decimal(one.real_grade.value)] if one.real_grade else []
        rows.append(
            [
                one.system,
                str(one.hits),
                decimal(one.hit_rate, 4),
                str(one.missing),
                decimal(one.average_distance_of_misses, 2),
                decimal(one.exact_grade.value),
                *map(decimal, ends),
                *real,
            ]
        )
    table = text_table([*header, *(["real"] if report.left_out else [])], rows)
    best = f"{report.best_grade:g}"
    label = best if report.scale[0] == best else f"{best} – {report.scale[0]}"
    return f"{table}\nThe best grade: {label}."


def _errors(report: ReusedAnswersReport) -> str:
    errors = report.errors
    if errors.absolute.value is None:
        return f"How far extrapolated grades are off is unknown: {errors.absolute.undefined}."
    whose = "these systems" if report.left_out else "the project's own systems, each left out"
    every = f"Extrapolated grades of {whose}: off by {decimal(errors.absolute.value)} on average"
    lines = [f"{every}, bias {_with_ends(errors.bias, signed=True)} ({errors.texts} texts)."]
    if errors.misses:
        lines.append(
            f"Of those without an identical text: off by {_with_ends(errors.absolute_of_misses)}, "
            f"bias {_with_ends(errors.bias_of_misses, signed=True)} ({errors.misses} texts)."
        )
    lines.append("A bias above 0: extrapolated grades are too good.")
    return "\n".join(lines)


def _with_ends(estimate: Estimate, *, signed: bool = False) -> str:
    """Return a figure with its interval; `signed` figures have a plus where they are positive."""
    write: Callable[[float | None], str] = _signed if signed else decimal
    if estimate.low is None or estimate.high is None:
        return write(estimate.value)
    return f"{write(estimate.value)} ({write(estimate.low)} to {write(estimate.high)})"


def _signed(number: float | None) -> str:
    return f"+{decimal(number)}" if number is not None and number > 0 else decimal(number)


def _shares(rows: Sequence[tuple[ReusedSystem, Estimate | None, Estimate | None]]) -> str:
    cells = [
        [
            one.system,
            *(map(decimal, (share.value, share.low, share.high)) if share else ()),
            *([decimal(real.value)] if real else []),
        ]
        for one, share, real in rows
    ]
    is_known = any(real for _one, _share, real in rows)
    return text_table(["", "share", "from", "to", *(["real"] if is_known else [])], cells)
