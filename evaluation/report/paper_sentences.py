"""What a paper may say of a report's method and its limits: one table of sentences.

Each sentence stands with what it needs of the report: its figures, or None where the design of the
project does not allow it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from evaluation.findings.report import Report
from evaluation.rendering.formats import decimal
from evaluation.stats.domain_means import ALPHA
from evaluation.stats.estimates import VERSION, Estimate
from evaluation.stats.ranking.marked_systems import MarkedSystems

Part = Literal["Method", "Limits"]
Values = Mapping[str, object]
PARTS: Final[tuple[Part, ...]] = ("Method", "Limits")


@dataclass(frozen=True)
class Sentence:
    """`text` has places for `values`; `sources` are keys of SOURCES, cited behind it."""

    part: Part
    text: str
    values: Callable[[Report], Values | None]
    sources: tuple[str, ...] = ()


def sentences_of(report: Report) -> list[tuple[Sentence, str]]:
    """Return the sentences that the report allows, in their order, with their figures."""
    found = []
    for sentence in SENTENCES:
        values = sentence.values(report)
        if values is not None:
            found.append((sentence, sentence.text % {**_words(report), **values}))
    return found


def _scores_of_systems(report: Report) -> list[Estimate]:
    """Return the scores that the report ranks systems by."""
    if report.conclusions:
        return [row.score for row in report.conclusions[0].found.systems]
    if report.assessments:
        return [row.z for row in report.assessments.systems]
    if marked := _marked(report):
        return [row.score for row in marked.systems]
    return [row.score for each in report.ordered_rankings[:1] for row in each.systems]


def _marked(report: Report) -> MarkedSystems | None:
    """Return the systems by scores as they were given, or by points of errors."""
    part = report.marked_errors or report.error_points
    return part.by_system if part else None


# --- words and figures ---


def _words(report: Report) -> Values:
    items = "paragraphs" if report.project.has_paragraphs else "sentences"
    return {"items": items, "item": items[:-1], "unit": str(report.options.sampled)}


def _estimate(found: Estimate, places: int = 2) -> str:
    value = decimal(found.value, places)
    if found.low is None or found.high is None:
        return value
    ends = f"{decimal(found.low, places)} to {decimal(found.high, places)}"
    return f"{value} (95 % interval {ends})"


def _percent(share: float) -> str:
    return f"{decimal(100 * share, 0)} %"


def _said(is_said: object, **values: object) -> Values | None:
    return values if is_said else None


# --- what was judged ---


def _question(report: Report) -> Values | None:
    return _said(report.project.question, question=report.project.question)


def _amount(report: Report) -> Values | None:
    project, judged = report.project, report.judged
    pair = f"{project.source_language} to {project.target_language}"
    return _said(
        judged.judgements,
        annotators=_count(len(report.annotators), "annotator"),
        judgements=_count(judged.judgements, "judgement"),
        judged=judged.sentences_judged,
        all=judged.sentences,
        systems=sum(score.value is not None for score in _scores_of_systems(report)),
        pair=f" ({pair})" if project.source_language else "",
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _documents(report: Report) -> Values | None:
    units = report.judged.units
    return _said(report.options.unit == "document" and units, units=_count(units or 0, "document"))


def _seconds(report: Report) -> Values | None:
    seconds = report.judged.seconds_per_segment
    return _said(seconds is not None, seconds=decimal(seconds, 0))


def _side_by_side(report: Report) -> Values | None:
    return _said(report.columns)


def _beside_ignored(report: Report) -> Values | None:
    has_it = any("neighbours" in each.found.terms for each in report.conclusions[:1])
    return _said(report.columns and not has_it)


def _model(report: Report) -> Values | None:
    terms = [f"{term}s" for each in report.conclusions[:1] for term in each.found.terms]
    plural = {"neighbourss": "how good neighbours are", "number of neighbourss": "their number"}
    effects = ["systems", "documents", *(plural.get(term, term) for term in terms)]
    return _said(report.conclusions, effects=" and ".join([", ".join(effects[:-1]), effects[-1]]))


def _holm(report: Report) -> Values | None:
    pairs = _pairs(report)
    return _said(report.conclusions and pairs, pairs=pairs, alpha=f"{ALPHA:g}")


def _given(report: Report) -> Values | None:
    return _said(report.given_errors)


def _aids(report: Report) -> Values | None:
    used = [
        f"{name} in {with_it} of {with_it + without} judgements"
        for name, (with_it, without) in report.judged.aids.items()
        if with_it
    ]
    return _said(used, aids="; ".join(used))


# --- scores ---


def _esa(report: Report) -> Values | None:
    return _said(report.marked_errors and report.marked_errors.marks)


def _scores(report: Report) -> Values | None:
    part = report.marked_errors
    return _said(report.scales or (part and not part.marks))


def _error_free(report: Report) -> Values | None:
    part = report.marked_errors
    return _said(part and part.marks, least=part.error_free_from if part else None)


def _points(report: Report) -> Values | None:
    part = report.error_points
    return _said(part, weights=part.weights if part else None)


def _assessed(report: Report) -> Values | None:
    return _said(report.assessments)


def _grades(report: Report) -> Values | None:
    return _said(report.answers)


def _is_ranked(report: Report) -> bool:
    """Tell whether systems are ranked by wins, and not by anything that was given to them."""
    scored = (
        *(report.marked_errors, report.error_points, report.scales),
        *(report.assessments, report.answers),
    )
    return report.has_order and not any(scored) and bool(report.ordered_rankings)


def _wins(report: Report) -> Values | None:
    return _said(_is_ranked(report))


def _ties(report: Report) -> Values | None:
    if not _is_ranked(report):
        return None
    # Each comparison is one of both systems.
    rows = report.ordered_rankings[0].systems
    return {
        "ties": sum(row.ties_of_different_texts for row in rows) // 2,
        "same": sum(row.same_text for row in rows) // 2,
        "all": sum(row.wins + row.losses + row.ties for row in rows) // 2,
    }


# --- intervals and tests ---


def _intervals(report: Report) -> Values | None:
    options = report.options
    known = (score.low is not None for score in _scores_of_systems(report))
    has_any = not report.conclusions and any(known)
    return _said(has_any, resamples=options.resamples, seed=options.seed)


def _wide(report: Report) -> Values | None:
    return _said(any(score.wide_low is not None for score in _scores_of_systems(report)))


def _signed_ranks(report: Report) -> Values | None:
    tested = not report.conclusions and _marked(report) and _pairs(report)
    return _said(tested, alpha=f"{ALPHA:g}")


def _rank_sums(report: Report) -> Values | None:
    return _said(not report.conclusions and report.assessments and _pairs(report))


def _sign_flips(report: Report) -> Values | None:
    pairs = _pairs(report)
    return _said(_is_ranked(report) and pairs, pairs=pairs)


def _pairs(report: Report) -> int:
    systems = len(_scores_of_systems(report))
    return systems * (systems - 1) // 2


# --- agreement ---


def _kappa(report: Report, who: Literal["inter", "intra"]) -> Values | None:
    found = getattr(report.agreement, who)
    if not report.has_order or found.kappa.value is None:
        return None
    return {"kappa": _estimate(found.kappa), "number": found.sentences}


def _scored_pairs(report: Report, who: Literal["inter", "intra"]) -> Any:
    if report.marked_errors:
        return getattr(report.marked_errors.scores, who)
    return getattr(report.error_points.points, who) if report.error_points else None


def _correlation(report: Report, who: Literal["inter", "intra"]) -> Values | None:
    found = _scored_pairs(report, who)
    if found is None or found.correlation.value is None:
        return None
    return {
        "what": "Error points" if report.error_points else "Scores",
        "r": _estimate(found.correlation),
        "pairs": found.pairs,
    }


def _marks(report: Report) -> Values | None:
    part = report.marked_errors or report.error_points
    marks = part.marks if part else None
    if marks is None or marks.inter.f1.value is None:
        return None
    return {"f1": _estimate(marks.inter.f1), "pairs": marks.inter.pairs}


def _has_agreement(report: Report, who: Literal["inter", "intra"]) -> bool:
    return bool(_kappa(report, who) or _correlation(report, who))


# --- control, exclusion ---


def _controls(report: Report) -> Values | None:
    judged = sum(row.controls for row in report.annotators)
    passed = sum(row.controls_passed for row in report.annotators)
    return _said(judged, controls=judged, passed=passed, share=_percent(passed / (judged or 1)))


def _filtered(report: Report) -> Values | None:
    out = report.left_out
    bounds = [
        *([f"κ of at least {out.minimum_kappa:g}"] if out.minimum_kappa is not None else []),
        *(
            [f"at least {_percent(out.minimum_controls)} of control items passed"]
            if out.minimum_controls is not None
            else []
        ),
        *(["no repeats"] if not out.with_repeats else []),
    ]
    return _said(bounds, bounds="; ".join(bounds), judgements=out.judgements, of=out.of)


def _excluded(report: Report) -> Values | None:
    counts = vars(report.excluded) if report.excluded else {}
    words = {"discarded": "judgements"}
    parts = [f"{count} {words.get(name, name)}" for name, count in counts.items() if count]
    return _said(parts, parts=", ".join(parts))


# --- limits ---


def _single_sentences(report: Report) -> Values | None:
    return _said(report.options.unit == "sentence")


def _same_annotators(report: Report) -> Values | None:
    reasons = {score.no_wide_interval for score in _scores_of_systems(report)} - {""}
    has_wide = _wide(report) is not None
    return _said(reasons and not has_wide, why="; ".join(sorted(reasons)))


def _uncorrected(report: Report) -> Values | None:
    pairs = _pairs(report)
    tested = pairs > 1 and (_marked(report) or report.assessments) and not report.conclusions
    return _said(tested, pairs=pairs, expected=decimal(pairs * ALPHA, 1), alpha=f"{ALPHA:g}")


def _unjudged(report: Report) -> Values | None:
    left = report.judged.sentences - report.judged.sentences_judged
    return _said(left > 0, left=left, all=report.judged.sentences)


def _different_texts(report: Report) -> Values | None:
    marked = _marked(report)
    judged = [row.segments for row in marked.systems] if marked else []
    is_plain = len(set(judged)) > 1 and not report.conclusions
    return _said(is_plain, least=min(judged, default=0), most=max(judged, default=0))


def _no_agreement(report: Report, who: Literal["inter", "intra"]) -> Values | None:
    return _said(not _has_agreement(report, who) and not report.assessments)


def _no_controls(report: Report) -> Values | None:
    return _said(not sum(row.controls for row in report.annotators))


def _biased_agreement(report: Report) -> Values | None:
    return _said(report.left_out.minimum_kappa is not None and report.left_out.annotators)


def _unidentified(report: Report) -> Values | None:
    return _said(report.judged.unidentified, number=report.judged.unidentified)


def _narrowed(report: Report) -> Values | None:
    return _said(report.judged.narrowed, number=report.judged.narrowed)


def _software(_report: Report) -> Values:
    return {"version": VERSION}


SENTENCES: Final = (
    Sentence("Method", "%(question)s", _question),
    Sentence(
        "Method",
        "%(annotators)s gave %(judgements)s of %(judged)s of %(all)s %(items)s, translated by "
        "%(systems)s systems%(pair)s.",
        _amount,
    ),
    Sentence("Method", "The judged %(items)s belong to %(units)s.", _documents),
    Sentence("Method", "A judgement took %(seconds)s seconds on average.", _seconds),
    Sentence("Method", "Several systems stood beside each other on a sheet.", _side_by_side),
    Sentence(
        "Method",
        "Sheets showed errors that were marked before, which annotators kept, changed or deleted.",
        _given,
    ),
    Sentence("Method", "Annotators had aids: %(aids)s.", _aids),
    Sentence(
        "Method",
        "A system’s score, from 0 to 100, is the mean over %(items)s of the mean over judgements, "
        "which annotators gave after marking errors.",
        _esa,
        ("kocmi-etal-2024-esa",),
    ),
    Sentence(
        "Method",
        "A system’s score is the mean over %(items)s of the mean over judgements.",
        _scores,
    ),
    Sentence(
        "Method",
        "A translation is error-free if no error is marked and its score is at least %(least)s.",
        _error_free,
    ),
    Sentence(
        "Method",
        "An error has points by its category and severity (%(weights)s); a system has the mean "
        "over %(items)s of the mean over annotators of the sum of points.",
        _points,
        ("freitag-etal-2021",),
    ),
    Sentence(
        "Method",
        "Scores were standardised by annotator; a system has the mean over %(items)s of their "
        "means.",
        _assessed,
        ("graham-etal-2013",),
    ),
    Sentence("Method", "A system has the mean grade of all answers about it.", _grades),
    Sentence(
        "Method",
        "Systems are ranked by the ratio of wins, W / (W + L), over all pairs of systems in a "
        "judgement.",
        _wins,
        ("machacek-bojar-2015",),
    ),
    Sentence(
        "Method",
        "Of %(all)s comparisons, %(ties)s are ties of different texts, and %(same)s are of the "
        "same text, which was judged once; they count for neither system.",
        _ties,
    ),
    Sentence(
        "Method",
        "95 %% intervals are from %(resamples)s bootstrap resamples of %(unit)s (seed %(seed)s).",
        _intervals,
        ("efron-tibshirani-1993",),
    ),
    Sentence(
        "Method",
        "A second interval, from variances over %(unit)s and annotators, is for other annotators "
        "too.",
        _wide,
        ("cameron-etal-2011",),
    ),
    Sentence(
        "Method",
        "Two systems differ if Wilcoxon’s signed-rank test of the %(unit)s that both have gives p "
        "< %(alpha)s, two-sided; clusters are divided where all systems above differ from all "
        "below.",
        _signed_ranks,
        ("wilcoxon-1945",),
    ),
    Sentence(
        "Method",
        "Systems are compared by a linear model of %(effects)s; 95 %% intervals are from the "
        "jackknife over documents.",
        _model,
        ("bell-mccaffrey-2002",),
    ),
    Sentence(
        "Method",
        "Two systems differ if p < %(alpha)s by Student’s t, corrected for all pairs by Holm’s "
        "method (%(pairs)s).",
        _holm,
        ("holm-1979",),
    ),
    Sentence(
        "Method",
        "Two systems are compared by one-sided rank-sum tests of their %(items)s.",
        _rank_sums,
        ("mann-whitney-1947",),
    ),
    Sentence(
        "Method",
        "The %(pairs)s pairs of systems are tested by flipping the signs of whole %(unit)s, and p "
        "is corrected for the number of pairs.",
        _sign_flips,
        ("good-2005", "holm-1979"),
    ),
    Sentence(
        "Method",
        "Rank ranges and clusters are from the same resamples.",
        lambda report: _said(_is_ranked(report) and _intervals(report)),
        ("koehn-2012",),
    ),
    Sentence(
        "Method",
        "Two annotators agree with κ = %(kappa)s on %(number)s %(items)s.",
        lambda report: _kappa(report, "inter"),
        ("cohen-1960",),
    ),
    Sentence(
        "Method",
        "Annotators who judged again agree with themselves with κ = %(kappa)s on %(number)s "
        "%(items)s.",
        lambda report: _kappa(report, "intra"),
        ("cohen-1960",),
    ),
    Sentence(
        "Method",
        "%(what)s of one translation by two annotators correlate with r = %(r)s, in %(pairs)s "
        "pairs.",
        lambda report: _correlation(report, "inter"),
    ),
    Sentence(
        "Method",
        "%(what)s of one translation by the same annotator correlate with r = %(r)s, in %(pairs)s "
        "pairs.",
        lambda report: _correlation(report, "intra"),
    ),
    Sentence(
        "Method",
        "The characters that two annotators marked agree with F1 = %(f1)s, in %(pairs)s pairs.",
        _marks,
    ),
    Sentence(
        "Method",
        "Annotators passed %(passed)s of %(controls)s control items (%(share)s).",
        _controls,
        ("bojar-etal-2013",),
    ),
    Sentence(
        "Method",
        "Judgements were filtered (%(bounds)s): %(judgements)s of %(of)s do not count.",
        _filtered,
    ),
    Sentence("Method", "Administrators excluded %(parts)s.", _excluded),
    Sentence("Method", "Figures are by SegRanks %(version)s.", _software),
    Sentence(
        "Limits",
        "Intervals and tests take sentences to be independent; those of one document resemble each "
        "other, so intervals are too narrow where sentences belong to documents.",
        _single_sentences,
    ),
    Sentence(
        "Limits",
        "Intervals are for other %(unit)s judged by the same annotators (%(why)s).",
        _same_annotators,
    ),
    Sentence(
        "Limits",
        "Tests are for other %(unit)s judged by the same annotators, and not corrected for the "
        "number of pairs: of %(pairs)s pairs of equal systems, %(expected)s would be expected to "
        "differ at p < %(alpha)s.",
        _uncorrected,
    ),
    Sentence("Limits", "%(left)s of %(all)s %(items)s have no judgement.", _unjudged),
    Sentence(
        "Limits",
        "Systems were judged on different numbers of %(items)s, from %(least)s to %(most)s, and "
        "means are not adjusted for which ones.",
        _different_texts,
    ),
    Sentence(
        "Limits",
        "Scores can depend on what stood beside a translation; means are not adjusted for it.",
        _beside_ignored,
    ),
    Sentence(
        "Limits",
        "Errors that were marked before can change what annotators mark and how they score.",
        _given,
    ),
    Sentence(
        "Limits",
        "How far two annotators agree is unknown.",
        lambda report: _no_agreement(report, "inter"),
    ),
    Sentence(
        "Limits",
        "How far annotators agree with themselves is unknown.",
        lambda report: _no_agreement(report, "intra"),
    ),
    Sentence(
        "Limits",
        "Annotators with a low κ were excluded, so the agreement of the others is biased upwards.",
        _biased_agreement,
    ),
    Sentence("Limits", "There are no answers about control items.", _no_controls),
    Sentence(
        "Limits",
        "%(number)s judgements are by unknown annotators.",
        _unidentified,
    ),
    Sentence(
        "Limits",
        "%(number)s more judgements compare undecided systems only and do not count.",
        _narrowed,
    ),
)
