"""What a report says of annotators as plain JSON."""

from collections.abc import Sequence

from evaluation.report.plain_numbers import estimate_row, rounded, signed
from evaluation.report.shape import (
    AgreementPart,
    AnnotatorRow,
    CarryOverRow,
    DriftPart,
    DriftRow,
    KappaRow,
    PairRow,
    SequencePart,
    TrendRow,
)
from evaluation.stats.agreement.agreement_estimates import AgreementEstimates, Kappa, PairAgreement
from evaluation.stats.annotators.drift import AnnotatorDrift, Drift, Trend
from evaluation.stats.annotators.sequence import CarryOver, SequenceEffects
from evaluation.stats.statistics import Statistics


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
    }


def annotator_rows(statistics: Statistics, agreement: AgreementEstimates) -> list[AnnotatorRow]:
    by_name = {each.annotator: each for each in agreement.annotators}
    return [
        {
            "annotator": row.annotator,
            "sentences": row.sentences,
            "segments": row.segments,
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
            "p": rounded(place.p),
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
