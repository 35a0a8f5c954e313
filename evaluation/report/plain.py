"""A report as plain JSON: numbers with six decimals, None where undefined.

`shape` describes the parts. `rules` are what every signature names: the filters, and what the
judgements come from.
"""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Final

import numpy as np

from annotation.formats.rounding import DECIMALS
from evaluation.report.contents import Answers, Report
from evaluation.report.shape import (
    AgreementPart,
    AnnotatorEffectsPart,
    AnnotatorRow,
    AnsweredSystemRow,
    AnswersPart,
    CarryOverRow,
    ContrastRow,
    CurvePart,
    DetectableRow,
    DisagreementPart,
    DisagreementRow,
    DisputedRow,
    DriftPart,
    DriftRow,
    EditRatesPart,
    EstimatedSystemRow,
    EstimateRow,
    GradePairRow,
    JudgedPart,
    KappaRow,
    LabelAgreementPart,
    LabelRow,
    LeftOutAnnotatorRow,
    LeftOutPart,
    NeededRow,
    PairRow,
    PoweredPart,
    PowerPart,
    ProjectPart,
    RankingPart,
    ReportData,
    SequencePart,
    SignificancePart,
    SystemRow,
    TrendRow,
    UndecidedPart,
)
from evaluation.reuse.prediction_powered import PoweredRanking
from evaluation.stats.agreement.disputes import Contrast, Dispute
from evaluation.stats.agreement.intervals import AgreementEstimates, Kappa, PairAgreement
from evaluation.stats.agreement.labels import LabelAgreement, LabelAgreementReport
from evaluation.stats.agreement.weighted_kappa import Disagreement, Disagreements
from evaluation.stats.annotators.drift import AnnotatorDrift, Drift, Trend
from evaluation.stats.annotators.effects import AnnotatorEffects
from evaluation.stats.annotators.exclusion import LeftOut, LeftOutAnnotator
from evaluation.stats.annotators.sequence import CarryOver, SequenceEffects
from evaluation.stats.annotators.statistics import Statistics
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import natural_key
from evaluation.stats.ranking.edit_rates import EditRates
from evaluation.stats.ranking.learning_curve import LearningCurve
from evaluation.stats.ranking.mean_grades import GradePair
from evaluation.stats.ranking.power import Power
from evaluation.stats.ranking.same_texts import SameTexts
from evaluation.stats.ranking.scale_answers import AnsweredSystem
from evaluation.stats.ranking.significance import Figures, Significance
from evaluation.stats.ranking.systems import EstimatedRanking, RankedSystem

# Widths of intervals, relative to the range of scores, for which the learning curve says how many
# sentences they take.
WIDTHS: Final = (0.05, 0.03, 0.02)
# Numbers of further sentences for which it says how wide intervals will be.
MORE_SENTENCES: Final = (100, 1000)
# Differences of win rates from 0.5 for which the power says the same.
DIFFERENCES: Final = (0.1, 0.05, 0.02)


def as_json(
    report: Report,
    *,
    project: ProjectPart,
    sentences: int,
    sentences_left: int,
    assignments: Mapping[str, int] | None,
    made: str,
    words: Mapping[int, str],
    estimated: Sequence[EstimatedSystemRow] = (),
    powered: PoweredPart | None = None,
    undecided: UndecidedPart | None = None,
    narrowed: int = 0,
    scale: Sequence[str] = (),
    grades: Sequence[float] = (),
    own_labels: bool = False,
) -> ReportData:
    """Return the report; `words` are the source tokens of segments by their ids.

    `scale` has the labels of the steps on which candidates were judged, from the best, and `grades`
    what they count as; `own_labels` if the labels are the project's own.

    `sentences` have something to judge; `sentences_left` of them have no judgement at all, filters
    of the report aside. `assignments` are those of each annotator, filters aside; None if they are
    unknown. `made` is the ISO time. `narrowed` judgements are in no part but `undecided`.
    """
    statistics = report.statistics
    rules = (*report.left_out.options, *project["prepared"])
    judged: JudgedPart = {
        "sentences": sentences,
        "sentences_judged": statistics.sentences_judged,
        "sentences_left": sentences_left,
        "segments": project["segments"],
        "segments_judged": statistics.segments_judged,
        "judgements": statistics.judgements,
        "narrowed": narrowed,
        "unidentified": statistics.unidentified,
        "seconds_per_segment": None,
        "seconds_per_sentence": None,
    }
    per_segment = statistics.together.seconds_per_segment
    if per_segment is not None and statistics.sentences_judged:
        per_sentence = per_segment * statistics.judgements / statistics.sentences_judged
        judged["seconds_per_segment"] = rounded(per_segment)
        judged["seconds_per_sentence"] = rounded(per_sentence)
    if report.options.unit != "sentence":
        judged["units"] = report.units
    return {
        "project": project,
        "made": made,
        "signature": signed(report.signature, project["prepared"]),
        "resamples": report.options.resamples,
        "seed": report.options.seed,
        "options": report.options.as_json(),
        "seconds": dict(report.seconds),
        "judged": judged,
        "answers": _answers(report.answers, scale, grades, own_labels, rules)
        if report.answers
        else None,
        "edit_rates": _edit_rates(report.edit_rates, rules) if report.edit_rates else None,
        "rankings": {
            name: ranking_part(each, report.significance.system_names, report.same_texts, rules)
            for name, each in report.rankings.items()
        },
        "powered": powered,
        "estimated": list(estimated),
        "undecided": undecided,
        "significance": significance_part(report.significance, report.same_texts, rules),
        "power": _power(report.power, len(report.significance.system_names), rules),
        "agreement": agreement_part(report.agreement, rules),
        "disagreement": _disagreement(report.disagreement, rules),
        "annotators": annotator_rows(statistics, report.agreement, assignments),
        "annotator_effects": annotator_effects_part(report.annotator_effects, rules),
        "pairs": [pair_row(pair) for pair in report.agreement.pairs],
        "learning_curve": _curve(
            report.curve, judged["sentences_judged"], judged["seconds_per_sentence"], powered, rules
        ),
        "sequence": sequence_part(report.sequence, rules),
        "drift": drift_part(report.drift, rules),
        "disputed": [_dispute(each, words) for each in report.disputed],
        "contrasts": [_contrast(each) for each in report.contrasts],
        "left_out": _left_out(report.left_out),
    }


def _answers(
    found: Answers,
    scale: Sequence[str],
    grades: Sequence[float],
    own_labels: bool,
    rules: Sequence[str],
) -> AnswersPart:
    return {
        "steps": list(scale),
        "grades": list(grades),
        "own_labels": own_labels,
        "systems": [_answered(row) for row in found.systems.systems],
        "pairs": {
            "pairs": [_grade_pair(pair) for pair in found.pairs.pairs],
            "only_sentences": found.pairs.only_sentences,
            "signature": signed(found.pairs.signature, rules),
        },
        "only_sentences": found.systems.only_sentences,
        "agreement": _label_agreement(found.agreement, rules),
        "decided_agreement": _label_agreement(found.decided, rules) if found.decided else None,
        "signature": signed(found.systems.signature, rules),
    }


def _edit_rates(found: EditRates, rules: Sequence[str]) -> EditRatesPart:
    return {
        "systems": [
            {
                "system": row.system,
                "outputs": row.outputs,
                "sentences": row.sentences,
                "rate": estimate_row(row.rate),
            }
            for row in found.systems
        ],
        "sentences": list(found.sentence_numbers),
        "rates": [[rounded(rate) for rate in rates] for rates in found.by_sentence.tolist()],
        "only_sentences": found.only_sentences,
        "signature": signed(found.signature, rules),
    }


def _answered(row: AnsweredSystem) -> AnsweredSystemRow:
    return {
        "system": row.system,
        "sentences": row.sentences,
        "answers": sum(row.counts),
        "steps": [
            {**estimate_row(share), "count": count}
            for share, count in zip(row.shares, row.counts, strict=True)
        ],
        "grade": estimate_row(row.grade),
        "decided": estimate_row(row.decided) if row.decided else None,
    }


def _grade_pair(pair: GradePair) -> GradePairRow:
    return {
        "system": pair.system,
        "other": pair.other,
        "compared": pair.compared,
        "difference": estimate_row(pair.difference),
        "p": significant(pair.p),
        "p_holm": significant(pair.p_holm),
        "wide_p": significant(pair.wide_p),
        "wide_p_holm": significant(pair.wide_p_holm),
    }


def _label_agreement(found: LabelAgreementReport, rules: Sequence[str]) -> LabelAgreementPart:
    return {
        "expected": round(found.expected, DECIMALS),
        "intra": _label_row(found.intra),
        "inter": _label_row(found.inter),
        "signature": signed(found.signature, rules),
    }


def _label_row(row: LabelAgreement) -> LabelRow:
    return {
        **estimate_row(row.kappa),
        "agree": row.agree,
        "compared": row.compared,
        "observed": rounded(row.observed),
        "items": row.items,
    }


def powered_part(
    ranking: PoweredRanking | None, undefined: str, rules: Sequence[str]
) -> PoweredPart:
    """Return the prediction-powered ranking, or why there is none."""
    if ranking is None:
        return {
            "systems": [],
            "pairs": [],
            "judged": 0,
            "sentences": 0,
            "width_ratio": None,
            "undefined": undefined,
            "signature": "",
        }
    return {
        "systems": [
            {
                "system": row.system,
                "score": rounded(row.score.value),
                "low": rounded(row.score.low),
                "high": rounded(row.score.high),
                "rank": row.rank,
                "best_rank": row.best_rank,
                "worst_rank": row.worst_rank,
                "cluster": row.cluster,
                "weight": round(row.weight, DECIMALS),
                "plain": rounded(row.plain.value),
                "plain_low": rounded(row.plain.low),
                "plain_high": rounded(row.plain.high),
                "after_100": rounded(ranking.expected_width(row.system, 100)),
                "after_1000": rounded(ranking.expected_width(row.system, 1000)),
            }
            for row in ranking.systems
        ],
        "pairs": [
            {
                "system": pair.system,
                "other": pair.other,
                "win_rate": rounded(pair.win_rate.value),
                "low": rounded(pair.win_rate.low),
                "high": rounded(pair.win_rate.high),
                "p": significant(pair.p),
                "p_holm": significant(pair.p_holm),
            }
            for pair in ranking.pairs
        ],
        "judged": ranking.judged,
        "sentences": ranking.sentences,
        "width_ratio": rounded(ranking.width_ratio),
        "undefined": "",
        "signature": signed(ranking.signature, rules),
    }


def ranking_part(
    ranking: EstimatedRanking, names: Sequence[str], texts: SameTexts, rules: Sequence[str]
) -> RankingPart:
    """Return the ranking; `names` are the systems in the order of `texts`."""
    places = {name: place for place, name in enumerate(names)}
    return {
        "systems": [_system(row, texts, places[row.system]) for row in ranking.systems],
        "only_sentences": ranking.only_sentences,
        "boundaries": [round(share, DECIMALS) for share in ranking.boundaries],
        "signature": signed(ranking.signature, rules),
    }


def _system(row: RankedSystem, texts: SameTexts, place: int) -> SystemRow:
    return {
        "system": row.system,
        "score": rounded(row.score.value),
        "low": rounded(row.score.low),
        "high": rounded(row.score.high),
        "undefined": row.score.undefined,
        "no_interval": row.score.no_interval,
        "wide_low": rounded(row.score.wide_low),
        "wide_high": rounded(row.score.wide_high),
        "no_wide_interval": row.score.no_wide_interval,
        "sentences": row.sentences,
        "first": rounded(row.first),
        "rank": row.rank,
        "best_rank": row.best_rank,
        "worst_rank": row.worst_rank,
        "cluster": row.cluster,
        "wins": row.wins,
        "losses": row.losses,
        "ties": row.ties,
        "same_text": int(texts.same_text[place].sum()),
        "ties_of_different_texts": int(texts.ties[place].sum()),
        "missing": rounded(float(texts.missing[place])),
    }


def significance_part(
    found: Significance, texts: SameTexts, rules: Sequence[str]
) -> SignificancePart:
    places = range(len(found.system_names))
    return {
        "systems": list(found.system_names),
        "wins": [list(row) for row in found.wins],
        "losses": [list(row) for row in found.losses],
        "ties": [list(row) for row in found.ties],
        "same_text": texts.same_text.tolist(),
        "ties_of_different_texts": texts.ties.tolist(),
        "win_rate": _matrix(found.win_rate),
        "p": _probabilities(found.p),
        "p_holm": _probabilities(found.p_holm),
        "wide_p": _probabilities(found.wide_p),
        "wide_p_holm": _probabilities(found.wide_p_holm),
        "better": _matrix(found.better),
        "only_sentences": found.only_sentences,
        "undefined": [["" if x == y else found.undefined(x, y) for y in places] for x in places],
        "signature": signed(found.signature, rules),
    }


def _matrix(numbers: Figures) -> list[list[float | None]]:
    return [[rounded(number) for number in row] for row in numbers]


def _probabilities(numbers: Figures) -> list[list[float | None]]:
    return [[significant(number) for number in row] for row in numbers]


def _power(found: Power, systems: int, rules: Sequence[str]) -> PowerPart:
    differences = np.full((systems, systems), np.nan)
    x, y = np.triu_indices(systems, 1)
    differences[x, y] = differences[y, x] = found.differences(tests=found.tests)
    return {
        "one_pair": _detectable(found, 1),
        "all_pairs": _detectable(found, found.tests),
        "differences": list(DIFFERENCES),
        "detectable": [[rounded(number) for number in row] for row in differences.tolist()],
        "undefined": found.undefined,
        "signature": signed(found.signature, rules),
    }


def _detectable(found: Power, tests: int) -> DetectableRow:
    row = found.detectable(tests=tests)
    return {
        "tests": tests,
        "median": rounded(row.median) if row else None,
        "least": rounded(row.least) if row else None,
        "most": rounded(row.most) if row else None,
        "needed": [found.needed(difference, tests=tests) for difference in DIFFERENCES],
    }


def _curve(
    curve: LearningCurve,
    judged: int,
    seconds: float | None,
    powered: PoweredPart | None,
    rules: Sequence[str],
) -> CurvePart:
    """Return the curve of so many judged sentences, which took so many seconds each."""
    return {
        "method": curve.method,
        "points": [
            {
                "sentences": point.sentences,
                "tau": rounded(point.tau_mean),
                "low": rounded(point.tau_low),
                "high": rounded(point.tau_high),
                "width": rounded(point.interval_width),
            }
            for point in curve.points
        ],
        "needed": [
            _needed(curve, round(width * curve.range, DECIMALS), judged, seconds)
            for width in WIDTHS
        ]
        if curve.points
        else [],
        "expected": [
            {
                "more": more,
                "width": rounded(curve.expected_width(more)),
                "powered_width": _mean_width(powered, more),
                "seconds": None if seconds is None else round(more * seconds, 1),
            }
            for more in MORE_SENTENCES
        ]
        if curve.points
        else [],
        "undefined": curve.undefined,
        "signature": signed(curve.signature, rules),
    }


def _mean_width(powered: PoweredPart | None, more: int) -> float | None:
    """Return the mean width of prediction-powered intervals after `more` sentences."""
    rows = powered["systems"] if powered else []
    found = [row["after_100"] if more == 100 else row["after_1000"] for row in rows]
    widths = [width for width in found if width is not None]
    return rounded(sum(widths) / len(widths)) if widths else None


def _needed(curve: LearningCurve, width: float, judged: int, seconds: float | None) -> NeededRow:
    needed = curve.needed(width)
    missing = None if needed.sentences is None else max(0, needed.sentences - judged)
    return {
        "width": width,
        "sentences": needed.sentences,
        "extrapolated": needed.extrapolated,
        "seconds": None if missing is None or seconds is None else round(missing * seconds, 1),
        "undefined": needed.undefined,
    }


def _dispute(each: Dispute, words: Mapping[int, str]) -> DisputedRow:
    return {
        "segment": each.segment,
        "sentence": each.sentence,
        "words": words.get(each.segment, ""),
        "judgements": each.judgements,
        "annotators": each.annotators,
        "agree": each.agree,
        "reversed": each.reversed,
        "compared": each.compared,
    }


def _contrast(each: Contrast) -> ContrastRow:
    return {
        "sentence": each.sentence,
        "judgements": each.judgements,
        "best": each.best,
        "best_score": round(each.best_score, DECIMALS),
        "worst": each.worst,
        "worst_score": round(each.worst_score, DECIMALS),
        "spread": round(each.spread, DECIMALS),
    }


def _left_out(left_out: LeftOut) -> LeftOutPart:
    return {
        "annotators": _left_out_annotators(left_out.annotators),
        "spared": _left_out_annotators(left_out.spared),
        "repeats": left_out.repeats,
        "judgements": left_out.judgements - left_out.kept,
        "of": left_out.judgements,
    }


def _left_out_annotators(rows: Sequence[LeftOutAnnotator]) -> list[LeftOutAnnotatorRow]:
    return [
        {
            "annotator": row.annotator,
            "judgements": row.judgements,
            "kappa_intra": rounded(row.kappa_intra),
            "kappa_inter": rounded(row.kappa_inter),
            "sentences_intra": row.sentences_intra,
            "sentences_inter": row.sentences_inter,
            "controls": rounded(row.controls),
        }
        for row in sorted(rows, key=lambda row: natural_key(row.annotator))
    ]


def agreement_part(found: AgreementEstimates, rules: Sequence[str]) -> AgreementPart:
    return {
        "tied": found.chance.tied,
        "untied": found.chance.untied,
        "expected": rounded(found.chance.expected),
        "intra": kappa_row(found.intra),
        "inter": kappa_row(found.inter),
        "alpha": {**estimate_row(found.alpha.estimate), "units": found.alpha.units},
        "tau_b": {
            "intra": {**estimate_row(found.tau_b.intra.estimate), "units": found.tau_b.intra.pairs},
            "inter": {**estimate_row(found.tau_b.inter.estimate), "units": found.tau_b.inter.pairs},
        },
        "signature": signed(found.signature, rules),
    }


def _disagreement(found: Disagreements, rules: Sequence[str]) -> DisagreementPart:
    return {
        "intra": _kinds(found.intra),
        "inter": _kinds(found.inter),
        "ordinal_alpha": {**estimate_row(found.ordinal_alpha), "units": found.units},
        "signature": signed(found.signature, rules),
    }


def _kinds(row: Disagreement) -> DisagreementRow:
    return {
        "agree": row.agree,
        "one_tied": row.one_tied,
        "reversed": row.reversed,
        "compared": row.agreement.compared,
        "reversed_share": estimate_row(row.reversed_share),
        "linear": estimate_row(row.linear),
        "quadratic": estimate_row(row.quadratic),
    }


def kappa_row(kappa: Kappa) -> KappaRow:
    return {
        "agree": kappa.agreement.agree,
        "compared": kappa.agreement.compared,
        "observed": rounded(kappa.agreement.observed),
        "expected": rounded(kappa.agreement.chance.expected),
        "kappa": rounded(kappa.estimate.value),
        "low": rounded(kappa.estimate.low),
        "high": rounded(kappa.estimate.high),
        "undefined": kappa.estimate.undefined,
        "sentences": kappa.sentences,
        "no_interval": kappa.estimate.no_interval,
        "wide_low": rounded(kappa.estimate.wide_low),
        "wide_high": rounded(kappa.estimate.wide_high),
        "no_wide_interval": kappa.estimate.no_wide_interval,
    }


def annotator_effects_part(found: AnnotatorEffects, rules: Sequence[str]) -> AnnotatorEffectsPart:
    return {
        "method": found.method,
        "p": significant(found.p),
        "undefined": found.undefined,
        "systems": [{"system": row.system, "p": significant(row.p)} for row in found.systems],
        "without": [
            {
                "annotator": row.annotator,
                "judgements": row.judgements,
                "best": row.best,
                "system": row.system,
                "change": rounded(row.change),
                "moved": row.moved,
            }
            for row in found.without
        ],
        "signature": signed(found.signature, rules),
    }


def annotator_rows(
    statistics: Statistics, agreement: AgreementEstimates, assignments: Mapping[str, int] | None
) -> list[AnnotatorRow]:
    by_name = {each.annotator: each for each in agreement.annotators}
    return [
        {
            "annotator": row.annotator,
            "sentences": row.sentences,
            "assignments": None if assignments is None else assignments.get(row.annotator, 0),
            "judgements": row.judgements,
            "seconds": rounded(row.seconds),
            "seconds_per_segment": rounded(row.seconds_per_segment),
            "intra": kappa_row(by_name[row.annotator].intra),
            "inter": kappa_row(by_name[row.annotator].inter),
            "controls": row.controls.judged,
            "controls_passed": row.controls.passed,
        }
        for row in statistics.annotators
    ]


def pair_row(pair: PairAgreement) -> PairRow:
    one, other = pair.annotators
    kappa = kappa_row(pair.inter)
    return {
        "annotator": one,
        "other": other,
        "agree": kappa["agree"],
        "compared": kappa["compared"],
        "kappa": kappa["kappa"],
        "low": kappa["low"],
        "high": kappa["high"],
        "undefined": kappa["undefined"],
        "sentences": pair.inter.sentences,
        "no_interval": pair.inter.estimate.no_interval,
    }


def sequence_part(found: SequenceEffects, rules: Sequence[str]) -> SequencePart:
    place = found.place
    return {
        "garbage": _carry_over(found.garbage),
        "ties": _carry_over(found.ties),
        "place": {
            **estimate_row(place.share),
            "earlier_better": place.earlier_better,
            "later_better": place.later_better,
            "tied": place.tied,
            "p": significant(place.p),
        },
        "signature": signed(found.signature, rules),
    }


def _carry_over(found: CarryOver) -> CarryOverRow:
    return {
        **estimate_row(found.correlation),
        "compared": found.compared,
        "by_chance": rounded(found.by_chance),
        "p": rounded(found.p),
    }


def drift_part(found: Drift, rules: Sequence[str]) -> DriftPart:
    return {
        "together": _drift(found.together),
        "annotators": [_drift(row) for row in found.annotators],
        "signature": signed(found.signature, rules),
    }


def _drift(row: AnnotatorDrift) -> DriftRow:
    return {
        "annotator": row.annotator,
        "seconds": _trend(row.seconds),
        "agreement": _trend(row.agreement),
    }


def _trend(trend: Trend) -> TrendRow:
    return {**estimate_row(trend.change), "screens": trend.screens}


def rounded(number: float | None) -> float | None:
    """Return the number with six decimals; None for NaN, which JSON does not have."""
    return None if number is None or isnan(number) else round(number, DECIMALS)


def significant(p: float | None) -> float | None:
    """Return p with six decimals, or with three significant digits if it is below 0.001."""
    return rounded(p) if p is None or p >= 0.001 else float(f"{p:.3g}")


def estimate_row(estimate: Estimate) -> EstimateRow:
    return {
        "value": rounded(estimate.value),
        "low": rounded(estimate.low),
        "high": rounded(estimate.high),
        "undefined": estimate.undefined,
        "no_interval": estimate.no_interval,
        "wide_low": rounded(estimate.wide_low),
        "wide_high": rounded(estimate.wide_high),
        "no_wide_interval": estimate.no_wide_interval,
    }


def signed(signature: object, rules: Sequence[str]) -> str:
    return "|".join((str(signature), *rules))
