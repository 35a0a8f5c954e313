"""A report as plain JSON: numbers to six decimals, None where undefined, names as they are."""

from collections.abc import Mapping, Sequence
from typing import Final

from evaluation.report.contents import Report
from evaluation.report.plain_numbers import DECIMALS, rounded, signed
from evaluation.report.plain_people import (
    agreement_part,
    annotator_rows,
    drift_part,
    pair_row,
    sequence_part,
)
from evaluation.report.shape import (
    ContrastRow,
    CurvePart,
    DisputedRow,
    LeftOutPart,
    NeededRow,
    ProjectPart,
    RankingPart,
    ReportData,
    SignificancePart,
    SystemRow,
)
from evaluation.stats.agreement.disputes import Contrast, Dispute
from evaluation.stats.labels import natural_key
from evaluation.stats.ranking.learning_curve import LearningCurve
from evaluation.stats.ranking.leaving_out import LeftOut
from evaluation.stats.ranking.ranking import EstimatedRanking, RankedSystem
from evaluation.stats.ranking.significance import Figures, Significance

# Of intervals of scores that are shares.
WIDTHS: Final = (0.05, 0.03, 0.02)


def as_json(
    report: Report,
    *,
    project: ProjectPart,
    sentences: int,
    sentences_left: int,
    made: str,
    words: Mapping[int, str],
) -> ReportData:
    """Return the report; `words` are the source tokens of segments, by their ids.

    `sentences` are those that have something to judge; of `sentences_left` nobody judged anything,
    whether it is left out of the report or not.
    """
    statistics = report.statistics
    rules = report.left_out.options
    return {
        "project": project,
        "made": made,
        "signature": "|".join((str(report.signature), *project["prepared"])),
        "resamples": report.options.resamples,
        "seed": report.options.seed,
        "options": report.options.as_json(),
        "seconds": dict(report.seconds),
        "judged": {
            "sentences": sentences,
            "sentences_judged": statistics.sentences_judged,
            "sentences_left": sentences_left,
            "segments": project["segments"],
            "segments_judged": statistics.segments_judged,
            "judgements": statistics.judgements,
            "unidentified": statistics.unidentified,
        },
        "rankings": {name: ranking_part(each, rules) for name, each in report.rankings.items()},
        "significance": _significance(report.significance, rules),
        "agreement": agreement_part(report.agreement, rules),
        "annotators": annotator_rows(statistics, report.agreement),
        "pairs": [pair_row(pair) for pair in report.agreement.pairs],
        "learning_curve": _curve(report.curve, rules),
        "sequence": sequence_part(report.sequence, rules),
        "drift": drift_part(report.drift, rules),
        "disputed": [_dispute(each, words) for each in report.disputed],
        "contrasts": [_contrast(each) for each in report.contrasts],
        "left_out": _left_out(report.left_out),
    }


def ranking_part(ranking: EstimatedRanking, rules: Sequence[str]) -> RankingPart:
    return {
        "systems": [_system(row) for row in ranking.systems],
        "signature": signed(ranking.signature, rules),
    }


def _system(row: RankedSystem) -> SystemRow:
    plain: SystemRow = {
        "system": row.system,
        "score": rounded(row.score.value),
        "low": rounded(row.score.low),
        "high": rounded(row.score.high),
        "undefined": row.score.undefined,
        "rank": row.rank,
        "best_rank": row.best_rank,
        "worst_rank": row.worst_rank,
        "cluster": row.cluster,
        "wins": row.wins,
        "losses": row.losses,
        "ties": row.ties,
    }
    if row.sigma is not None:
        plain["sigma"] = round(row.sigma, DECIMALS)
    return plain


def _significance(found: Significance, rules: Sequence[str]) -> SignificancePart:
    return {
        "systems": list(found.system_names),
        "wins": [list(row) for row in found.wins],
        "losses": [list(row) for row in found.losses],
        "ties": [list(row) for row in found.ties],
        "win_rate": _matrix(found.win_rate),
        "p": _matrix(found.p),
        "p_holm": _matrix(found.p_holm),
        "least": rounded(found.least),
        "signature": signed(found.signature, rules),
    }


def _matrix(numbers: Figures) -> list[list[float | None]]:
    return [[rounded(number) for number in row] for row in numbers]


def _curve(curve: LearningCurve, rules: Sequence[str]) -> CurvePart:
    return {
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
        "needed": [_needed(curve, width) for width in WIDTHS] if curve.points else [],
        "undefined": curve.undefined,
        "signature": signed(curve.signature, rules),
    }


def _needed(curve: LearningCurve, width: float) -> NeededRow:
    needed = curve.needed(width)
    return {
        "width": width,
        "sentences": needed.sentences,
        "extrapolated": needed.extrapolated,
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
        "annotators": [
            {
                "annotator": row.annotator,
                "judgements": row.judgements,
                "kappa_intra": rounded(row.kappa_intra),
                "kappa_inter": rounded(row.kappa_inter),
                "controls": rounded(row.controls),
            }
            for row in sorted(left_out.annotators, key=lambda row: natural_key(row.annotator))
        ],
        "repeats": left_out.repeats,
        "judgements": left_out.judgements - left_out.kept,
        "of": left_out.judgements,
    }
