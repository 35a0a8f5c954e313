"""What stored answers on a scale say of new systems without answers, as plain JSON and as text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaluation.report.formats import decimal, text_table
from evaluation.report.plain import estimate_row, rounded, signed
from evaluation.report.readings import grade_and_label
from evaluation.report.shape import ReusedAnswersPart, ReusedSystemRow
from evaluation.reuse.stored_answers import ExtrapolationErrors, ReusedAnswers
from evaluation.stats.estimates import Estimate, Signature


@dataclass(frozen=True)
class ReusedAnswersReport:
    """Systems and the answers about the texts of others; `errors` are of the project's own systems.

    `scale` has the labels of the steps from the best; the step `undecided`, from 1, says neither
    yes nor no. `left_out` means that the systems are those of the project. `origin` says in the
    signature where new texts come from; `provenance` ends it.
    """

    systems: Sequence[ReusedAnswers]
    errors: ExtrapolationErrors
    scale: Sequence[str]
    left_out: bool
    judgements: int
    sentences: int
    undecided: int | None = None
    origin: Sequence[str] = ()
    provenance: Sequence[str] = ()

    @property
    def signature(self) -> str:
        what = "leave one out" if self.left_out else f"new {len(self.systems)}"
        options = (what, *self.origin, "edit distance", "mean grade of texts", "1000 resamples")
        signature = Signature("stored answers", options, self.judgements, self.sentences)
        return signed(signature, self.provenance)


def reused_json(report: ReusedAnswersReport) -> ReusedAnswersPart:
    """Return the report with 6 decimals; undefined figures are None."""
    errors = report.errors
    return {
        "method": "answers",
        "scale": list(report.scale),
        "systems": [_system(one, report) for one in report.systems],
        "errors": {
            "texts": errors.texts,
            "misses": errors.misses,
            "absolute": estimate_row(errors.absolute),
            "bias": estimate_row(errors.bias),
            "absolute_of_misses": estimate_row(errors.absolute_of_misses),
            "bias_of_misses": estimate_row(errors.bias_of_misses),
        },
        "signature": report.signature,
    }


def _system(one: ReusedAnswers, report: ReusedAnswersReport) -> ReusedSystemRow:
    row: ReusedSystemRow = {
        "system": one.system,
        "segments": len(one.distances),
        "hits": one.hits,
        "missing": one.missing,
        "hit_rate": rounded(one.hit_rate),
        "average_distance_of_misses": rounded(one.average_distance_of_misses),
        "answers": list(one.answers),
        "exact_grade": estimate_row(one.exact_grade()),
        "extrapolated_grade": estimate_row(one.extrapolated_grade()),
        "best_of_all": estimate_row(one.share_of_best()),
        "best_of_decided": (
            estimate_row(one.share_of_best(without=report.undecided)) if report.undecided else None
        ),
    }
    if report.left_out:
        row["real_grade"] = estimate_row(one.real_grade())
        row["real_best_of_all"] = estimate_row(one.share_of_best(own=True))
        row["real_best_of_decided"] = (
            estimate_row(one.share_of_best(without=report.undecided, own=True))
            if report.undecided
            else None
        )
    return row


def reused_text(report: ReusedAnswersReport) -> str:
    """Return tables for a terminal."""
    best, last = report.scale[0], report.scale[-1]
    parts = [_overview(report), _errors(report)]
    if report.undecided:
        parts += [
            f"{best} / ({best} + {last}) of identical texts:\n{_shares(report, report.undecided)}",
            f"{best} / all answers about identical texts:\n{_shares(report, None)}",
        ]
    return "\n\n".join([*parts, report.signature])


def _overview(report: ReusedAnswersReport) -> str:
    header = ["left out" if report.left_out else "new system", "hits", "hit rate", "none"]
    header += ["distance of misses", "grade of hits", "extrapolated", "from", "to"]
    rows = []
    for one in report.systems:
        extrapolated = one.extrapolated_grade()
        ends = (extrapolated.value, extrapolated.low, extrapolated.high)
        real = [decimal(one.real_grade().value)] if report.left_out else []
        rows.append(
            [
                one.system,
                str(one.hits),
                decimal(one.hit_rate, 4),
                str(one.missing),
                decimal(one.average_distance_of_misses, 2),
                decimal(one.exact_grade().value),
                *map(decimal, ends),
                *real,
            ]
        )
    table = text_table([*header, *(["real"] if report.left_out else [])], rows)
    best_grade = report.systems[0].of_steps[0]
    return f"{table}\nThe best grade: {grade_and_label(best_grade, report.scale[0])}."


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


def _shares(report: ReusedAnswersReport, without: int | None) -> str:
    rows = []
    for one in report.systems:
        share = one.share_of_best(without=without)
        cells = [one.system, *map(decimal, (share.value, share.low, share.high))]
        if report.left_out:
            cells.append(decimal(one.share_of_best(without=without, own=True).value))
        rows.append(cells)
    return text_table(["", "share", "from", "to", *(["real"] if report.left_out else [])], rows)
