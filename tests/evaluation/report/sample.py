"""A small report with hostile names."""

from dataclasses import replace
from typing import Any

import numpy as np

from evaluation.findings.annotators import AnnotatorWork
from evaluation.findings.answers import Answers
from evaluation.findings.assessments import AssessmentsFound
from evaluation.findings.columns import Columns, Neighbours, ScoredColumn
from evaluation.findings.conclusions import ConcludedFigure
from evaluation.findings.error_points import (
    ErrorPointsFound,
    MarkedCategory,
    OtherPoints,
    SystemCategories,
)
from evaluation.findings.estimated import EstimatedSystem
from evaluation.findings.given_errors import ChangedErrors, GivenErrorsFound
from evaluation.findings.judged import Judged, JudgedProject
from evaluation.findings.marked_errors import MarkedErrorsFound
from evaluation.findings.next_judgements import NextJudgements, OrderChange
from evaluation.findings.options import ReportOptions
from evaluation.findings.report import Report
from evaluation.findings.reused_answers import ReusedAnswersReport, ReusedSystem
from evaluation.findings.sample_size import (
    Detectable,
    DetectableDifferences,
    EnoughSentences,
    ExpectedWidth,
    NeededSentences,
)
from evaluation.findings.segment_length import SegmentLength, SegmentLengths
from evaluation.findings.undecided import UndecidedRanking
from evaluation.reuse.powered_means import Explained, PoweredDifference, PoweredMeans
from evaluation.reuse.prediction_powered import PoweredPair, PoweredRanking, PoweredSystem
from evaluation.reuse.stored_answers import ExtrapolationErrors
from evaluation.stats.agreement.disputes import Contrast, Dispute
from evaluation.stats.agreement.intervals import (
    AgreementEstimates,
    Alpha,
    AnnotatorAgreement,
    IntraAndInter,
    Kappa,
    PairAgreement,
    TauB,
)
from evaluation.stats.agreement.kappa import Chance
from evaluation.stats.agreement.labels import LabelAgreement, LabelAgreementReport
from evaluation.stats.agreement.marked_errors import MarkAgreement, MarkPairs
from evaluation.stats.agreement.scores import ScoreAgreement, ScorePairs
from evaluation.stats.agreement.weighted_kappa import Disagreement, Disagreements
from evaluation.stats.annotators.drift import AnnotatorDrift, Drift, Trend
from evaluation.stats.annotators.effects import AnnotatorEffects, SystemEffect, WithoutAnnotator
from evaluation.stats.annotators.exclusion import LeftOut, LeftOutAnnotator
from evaluation.stats.annotators.given_errors import Work, WorkCompared
from evaluation.stats.annotators.sequence import CarryOver, PlaceEffect, SequenceEffects
from evaluation.stats.assessment.annotators import AnnotatorCheck, Flag, PairedTest
from evaluation.stats.assessment.standardisation import Scale
from evaluation.stats.assessment.systems import AssessedSystem
from evaluation.stats.estimates import Estimate
from evaluation.stats.ranking.conclusions import conclude, fit
from evaluation.stats.ranking.edit_rates import EditedSystem, EditRates
from evaluation.stats.ranking.learning_curve import Point
from evaluation.stats.ranking.marked_systems import MarkedSystem, MarkedSystems
from evaluation.stats.ranking.mean_grades import GradeDifferences, GradePair
from evaluation.stats.ranking.scale_answers import AnsweredSystem, ScaleAnswers
from evaluation.stats.ranking.significance import Significance
from evaluation.stats.ranking.systems import EstimatedRanking, RankedSystem
from evaluation.stats.score_means import SystemScores
from evaluation.stats.units import Unit

HOSTILE = "<script>alert(1)</script>"
FORMULA = '=cmd|"/c calc"!A1'
LATEX = r"50 %_{a}$x$ & \input{x} #1 ~^"
NAMES = (HOSTILE, FORMULA, LATEX)

NO_PAIRS = "no two judgements of the same candidates"


def estimate(value: float | None, undefined: str = NO_PAIRS) -> Estimate:
    """A figure with an interval of ± 0.25; if it is None, the reason why."""
    if value is None:
        return Estimate(None, undefined=undefined)
    return Estimate(value, value - 0.25, value + 0.25)


def system(name: str, score: float | None, rank: int | None, cluster: int | None) -> RankedSystem:
    return RankedSystem(
        system=name,
        score=Estimate(None, undefined="the system tied in every comparison")
        if score is None
        else Estimate(
            score,
            low=score - 0.05,
            high=score + 0.05,
            wide_low=score - 0.1,
            wide_high=score + 0.1,
        ),
        sentences=3,
        wins=3,
        losses=2,
        ties=1,
        same_text=1,
        ties_of_different_texts=0,
        missing=0.125,
        rank=rank,
        best_rank=rank,
        worst_rank=rank,
        cluster=cluster,
        first=None if score is None else 0.5,
    )


def ranking(*systems: RankedSystem) -> EstimatedRanking:
    return EstimatedRanking(
        method="ratio_of_wins",
        systems=systems,
        only_sentences="",
        boundaries=(0.99,),
        signature="ratio of wins|ties ignored",
    )


def kappa(value: float | None) -> Kappa:
    return Kappa(
        agree=6,
        compared=8,
        observed=0.75,
        expected=0.4,
        sentences=3,
        kappa=Estimate(value, undefined=NO_PAIRS if value is None else ""),
    )


def pair(one: str, other: str, value: float) -> PairAgreement:
    return PairAgreement(one, other, kappa(value))


def agreement(*pairs: PairAgreement) -> AgreementEstimates:
    tau = TauB(estimate(0.5), pairs=9, undefined=0)
    return AgreementEstimates(
        chance=Chance(tied=4, untied=6),
        intra=kappa(None),
        inter=kappa(0.58),
        alpha=Alpha(estimate(0.5), units=9, values=18),
        tau_b=IntraAndInter(tau, tau),
        annotators=(AnnotatorAgreement(FORMULA, kappa(None), kappa(0.58)),),
        pairs=pairs,
        resamples=100,
        seed=7,
        signature="κ",
    )


def disagreement(value: float | None) -> Disagreement:
    return Disagreement(
        agree=6,
        one_tied=1,
        reversed=1,
        chance=Chance(tied=4, untied=6),
        linear=estimate(value),
        quadratic=estimate(value),
        reversed_share=estimate(0.5),
    )


def detectable(tests: int) -> Detectable:
    return Detectable(tests=tests, median=0.25, least=0.2, most=0.3, needed=(25, 100))


def change(annotator: str, screens: int = 50) -> AnnotatorDrift:
    """Changes of an annotator, or of all together, with so many screens."""
    trend = Trend(Estimate(-0.1, -0.2, 0.05), screens)
    return AnnotatorDrift(annotator, seconds=trend, agreement=trend)


def drift(*annotators: AnnotatorDrift, together: AnnotatorDrift) -> Drift:
    return Drift(together, annotators, "drift")


def left_out(*annotators: LeftOutAnnotator, minimum_kappa: float | None = None) -> LeftOut:
    return LeftOut(
        annotators=annotators,
        spared=(),
        repeats=0,
        judgements=sum(row.judgements for row in annotators),
        of=9,
        minimum_kappa=minimum_kappa,
        minimum_controls=None,
        with_repeats=True,
    )


def compared() -> Significance:
    """The pairs of systems: the first beat the second, the third tied and never met them."""
    return Significance(
        systems=NAMES,
        wins=((0, 3, 0), (1, 0, 0), (0, 0, 0)),
        losses=((0, 1, 0), (3, 0, 0), (0, 0, 0)),
        ties=((0, 0, 2), (0, 0, 0), (2, 0, 0)),
        same_text=((0, 0, 1), (0, 0, 0), (1, 0, 0)),
        ties_of_different_texts=((0, 0, 1), (0, 0, 0), (1, 0, 0)),
        win_rate=((None, 0.75, None), (0.25, None, None), (None, None, None)),
        p=((None, 0.004, None), (0.004, None, None), (None, None, None)),
        p_holm=((None, 0.004, None), (0.004, None, None), (None, None, None)),
        wide_p=((None, 0.006, None), (0.006, None, None), (None, None, None)),
        wide_p_holm=((None, 0.006, None), (0.006, None, None), (None, None, None)),
        better=((None, 0.99, None), (0.01, None, None), (None, None, None)),
        only_sentences="",
        undefined=(("", "", "they tied"), ("", "", "never met"), ("they tied", "never met", "")),
        signature="sign-flip",
    )


def points() -> tuple[Point, ...]:
    return (Point(1, 0.2, -0.5, 1.0, 0.4), Point(3, 1.0, 1.0, 1.0, 0.1))


def answers() -> Answers:
    """Answers on a scale of three steps, about all systems."""
    shares = (estimate(0.5), estimate(0.25), estimate(0.25))
    agree = LabelAgreement(agree=3, compared=4, observed=0.75, items=4, kappa=estimate(0.5))
    agreed = LabelAgreementReport(expected=0.5, intra=agree, inter=agree, signature="SegRanks")
    difference = GradePair(
        system=NAMES[0],
        other=NAMES[1],
        compared=8,
        difference=estimate(0.5),
        p=0.5,
        p_holm=0.5,
        wide_p=0.5,
        wide_p_holm=0.5,
    )
    return Answers(
        steps=("yes", HOSTILE, "no"),
        grades=(3.0, 2.0, 1.0),
        own_labels=False,
        undecided=2,
        by_system=ScaleAnswers(
            systems=tuple(
                AnsweredSystem(name, 3, (2, 1, 1), shares, estimate(2.5), estimate(0.625))
                for name in NAMES
            ),
            only_sentences="",
            signature="SegRanks",
        ),
        pairs=GradeDifferences((difference,), only_sentences="", signature="SegRanks"),
        agreement=agreed,
        decided_agreement=agreed,
    )


def marked_errors(*systems: MarkedSystem) -> MarkedErrorsFound:
    marks = MarkPairs(9, 3, estimate(0.5), estimate(0.25), (1, 2, 6))
    scores = ScorePairs(9, 3, estimate(0.5), estimate(10.0))
    return MarkedErrorsFound(
        MarkedSystems(systems, significant_below=0.05, signature="SegRanks"),
        85,
        ScoreAgreement(estimate(0.5), 3, 6, scores, scores, "SegRanks"),
        MarkAgreement(marks, marks, "SegRanks"),
    )


def given_errors() -> GivenErrorsFound:
    rows = tuple(ChangedErrors(name, 3, 6, 3, 1, 1, 1, 2) for name in NAMES)
    work = Work(3, 3, estimate(1.5), estimate(20.0), 18.0, estimate(10.0), estimate(70.0))
    return GivenErrorsFound(rows, rows, WorkCompared(work, work, work), "SegRanks")


def error_points(*systems: MarkedSystem) -> ErrorPointsFound:
    found = marked_errors(*systems)
    assert found.marks
    return ErrorPointsFound(
        weights="Freitag et al. 2021",
        by_system=found.by_system,
        others=(OtherPoints("WMT24", tuple(row.score for row in systems), "SegRanks"),),
        judgements=18,
        severities=("minor", "major"),
        categories=(MarkedCategory("Style/Awkward", "major", 3, 15.0),),
        # Names of categories are a project's own, as names of systems are.
        groups=(NAMES[0],),
        by_group=tuple(SystemCategories(row.system, (1.5,)) for row in systems),
        points=found.scores,
        marks=found.marks,
    )


def marked_system(name: str, score: float, worst_rank: int) -> MarkedSystem:
    return MarkedSystem(
        system=name,
        score=estimate(score),
        segments=3,
        judgements=6,
        minor=1.5,
        major=0.5,
        errors=2.25,
        omissions=0.125,
        error_free=estimate(0.5),
        best_rank=1,
        worst_rank=worst_rank,
        cluster=1,
    )


def assessments(*systems: AssessedSystem) -> AssessmentsFound:
    tested = PairedTest(pairs=9, difference=-10.0, distance=10.0, t=-5.0, p=0.01, undefined="")
    return AssessmentsFound(
        asked={"outputs": 9},
        systems=systems,
        p=((None,) * len(systems),) * len(systems),
        unscored=(),
        annotators=(
            AnnotatorCheck(
                annotator=FORMULA,
                assessments=9,
                batches=1,
                mean_of_outputs=60.0,
                mean_of_references=90.0,
                mean_of_degraded=30.0,
                degraded=tested,
                repeats=tested,
                fastest_batch=300.0,
                longest_run=2,
                unmatched=0,
                flags=tuple(Flag),
            ),
        ),
        scales=(Scale(FORMULA, "en-cs", 9, 60.0, 10.0),),
        unidentified=0,
        signature="SegRanks",
        test_signature="SegRanks",
    )


def assessed_system(name: str, z: float, wins: int) -> AssessedSystem:
    return AssessedSystem(
        system=name,
        z=estimate(z),
        raw=60.0,
        segments=3,
        assessments=9,
        wins=wins,
        cluster=1,
        published_cluster=1,
    )


def edits() -> EditRates:
    return EditRates(
        systems=tuple(EditedSystem(name, 3, 3, estimate(0.25)) for name in NAMES),
        sentence_numbers=(1,),
        by_sentence=((0.25, 0.5, None),),
        only_sentences="",
        signature="SegRanks",
    )


def powered() -> PoweredRanking:
    rows = (
        PoweredSystem(name, estimate(0.5), estimate(0.5), 0.75, 1, 1, 2, 1, 0.25, 0.125)
        for name in NAMES
    )
    return PoweredRanking(
        systems=tuple(rows),
        pairs=(PoweredPair(NAMES[0], NAMES[1], estimate(0.75), estimate(0.75), 0.01, 0.01),),
        judged=3,
        sentences=4,
        other_sentences=False,
        width_ratio=0.75,
        undefined="",
        signature="SegRanks",
    )


def means() -> PoweredMeans:
    rows = (
        PoweredSystem(name, estimate(60.0), estimate(58.0), None, 1, 1, 2, 1, 0.25, 0.125)
        for name in NAMES
    )
    difference = PoweredDifference(NAMES[0], NAMES[1], estimate(2.0), estimate(1.0), 0.01, 0.01)
    return PoweredMeans(
        systems=tuple(rows),
        pairs=(difference,),
        explained=(Explained((), 0.25, 0.0), Explained(("chrF", "COMET"), 0.5, 0.25)),
        left_out=("BLEU",),
        judged=3,
        translations=4,
        lower_is_better=False,
        width_ratio=0.75,
        undefined="",
        signature="SegRanks",
    )


def undecided(by: str = FORMULA) -> UndecidedRanking:
    return UndecidedRanking(
        systems=NAMES[:2],
        decided=NAMES[2:],
        when="2026-01-02T03:04:05+00:00",
        by=by,
        estimand="share of comparisons won",
        judgements=6,
        sentences=3,
        narrowed=3,
        unused=0,
        ranking=ranking(system(NAMES[0], 0.75, 1, 1), system(NAMES[1], 0.25, 2, 2)),
        significance=compared(),
    )


def reused() -> ReusedAnswersReport:
    exact = estimate(2.5)
    return ReusedAnswersReport(
        method="answers",
        scale=("yes", "uncertain", "no"),
        best_grade=3.0,
        left_out=False,
        systems=(
            ReusedSystem(
                system=LATEX,
                segments=8,
                hits=4,
                missing=1,
                hit_rate=0.5,
                average_distance_of_misses=3.0,
                answers=(2, 1, 1),
                exact_grade=exact,
                extrapolated_grade=exact,
                best_of_all=estimate(0.5),
                best_of_decided=estimate(0.625),
                real_grade=None,
                real_best_of_all=None,
                real_best_of_decided=None,
            ),
        ),
        errors=ExtrapolationErrors(8, 4, exact, exact, exact, exact),
        signature="SegRanks",
    )


def everything() -> Report:
    """Return the sample with all parts that only some projects have."""
    (estimated,) = sample().estimated
    (annotator,) = sample().annotators
    return sample(
        left_out=left_out(LeftOutAnnotator(annotator.annotator, 3, 0.1, None, None)),
        marked_errors=marked_errors(*(marked_system(name, 50.0, 3) for name in NAMES)),
        given_errors=given_errors(),
        error_points=error_points(*(marked_system(name, 1.5, 3) for name in NAMES)),
        assessments=assessments(*(assessed_system(name, 0.5, 0) for name in NAMES)),
        answers=answers(),
        edit_rates=edits(),
        powered=powered(),
        powered_means=means(),
        undecided=undecided(),
        conclusions=concluded(),
        columns=Columns(
            (ScoredColumn(1, 50.0, estimate(0.5), 3),),
            (Neighbours("neighbours", estimate(-0.1)),),
            "system + document|SegRanks 1.0.0",
        ),
        estimated=(replace(estimated, reused=reused()),),
    )


def concluded() -> tuple[ConcludedFigure, ...]:
    """Return conclusions from two scores of each system in a document."""
    codes = np.arange(2 * len(NAMES), dtype=np.int32)
    scores = SystemScores(
        (50.0 + codes % 4).astype(np.float64),
        systems=codes % len(NAMES),
        segments=codes // len(NAMES),
        annotators=codes % 2,
        units=codes // len(NAMES),
        names=len(NAMES),
        unit=Unit("document"),
    )
    found = conclude(fit(scores), NAMES)
    return (
        ConcludedFigure("score", "", replace(found, refused=("column",))),
        ConcludedFigure("points", "", replace(found, terms=("annotator",), only_units="")),
    )


def lengths() -> SegmentLengths:
    return SegmentLengths(
        tuple(
            SegmentLength(
                shortest=tokens,
                longest=tokens,
                segments=2,
                judgements=4,
                seconds=estimate(10.0 * tokens),
                timed=4,
                intra=kappa(None),
                inter=kappa(0.4),
            )
            for tokens in (3, 6)
        ),
        "time and agreement by length|SegRanks 1.0.0",
    )


def sample(**changes: Any) -> Report:
    """Return the report with these parts instead of its own."""
    carried = CarryOver(compared=2, correlation=estimate(0.5), by_chance=-0.1, p=0.5)
    report = Report(
        project=JudgedProject(
            name="houses",
            source_language="en",
            target_language="cs",
            systems=3,
            sentences=4,
            segments=8,
            candidates=20,
            prepared=(),
        ),
        made="2026-01-02T03:04:05+00:00",
        signature="report|SegRanks 1.0.0",
        options=ReportOptions(resamples=100, seed=7),
        seconds={"total": 0.1},
        judged=Judged(
            sentences=4,
            sentences_judged=3,
            sentences_left=1,
            segments=8,
            segments_judged=6,
            judgements=9,
            narrowed=0,
            unidentified=0,
            seconds_per_segment=None,
            seconds_per_sentence=None,
            units=None,
        ),
        left_out=left_out(),
        excluded=None,
        conclusions=(),
        marked_errors=None,
        given_errors=None,
        scales=None,
        error_points=None,
        assessments=None,
        whole_documents=None,
        columns=None,
        answers=None,
        edit_rates=None,
        rankings={
            "ratio_of_wins": ranking(
                system(NAMES[0], 0.75, 1, 1),
                system(NAMES[1], 0.5, 2, 2),
                system(NAMES[2], None, None, None),
            )
        },
        powered=None,
        powered_means=None,
        undecided=None,
        estimated=(
            EstimatedSystem(
                system=LATEX,
                sampled=300,
                judged=200,
                score=Estimate(0.53, 0.51, 0.55),
                predicted=Estimate(0.52, 0.45, 0.59),
                rank=2,
                best_rank=1,
                worst_rank=3,
                weight=0.75,
                needed=800,
                signature="prediction corrected by judgements|SegRanks 1.0.0",
            ),
        ),
        significance=compared(),
        agreement=agreement(pair(FORMULA, HOSTILE, -0.125)),
        disagreement=Disagreements(
            intra=disagreement(None),
            inter=disagreement(0.58),
            ordinal_alpha=estimate(0.625),
            units=9,
            signature="disagreement",
        ),
        annotators=(
            AnnotatorWork(
                annotator=FORMULA,
                sentences=3,
                assignments=6,
                judgements=6,
                seconds=3600.0,
                seconds_per_segment=600.0,
                controls=2,
                controls_passed=1,
            ),
        ),
        annotator_effects=AnnotatorEffects(
            method="ratio_of_wins",
            p=0.3,
            undefined="",
            systems=(SystemEffect(NAMES[0], 0.2), SystemEffect(NAMES[1], 0.02)),
            without=(
                WithoutAnnotator(
                    annotator=FORMULA,
                    judgements=6,
                    best=NAMES[0],
                    system=NAMES[1],
                    change=-0.01,
                    moved=1,
                ),
            ),
            signature="permutations of annotators",
        ),
        learning_curve=EnoughSentences(
            method="ratio_of_wins",
            points=points(),
            needed=(
                NeededSentences(
                    width=0.05, sentences=12, extrapolated=True, seconds=None, undefined=""
                ),
            ),
            expected=(ExpectedWidth(more=100, width=0.05, powered_width=None, seconds=7200.0),),
            undefined="",
            signature="learning curve",
        ),
        power=DetectableDifferences(
            one_pair=detectable(1),
            all_pairs=detectable(2),
            differences=(0.1, 0.05),
            detectable=((None, 0.25, None), (0.25, None, None), (None, None, None)),
            undefined="",
            signature="power",
        ),
        segment_length=lengths(),
        next_judgements=NextJudgements(
            method="ratio_of_wins",
            judgements=100,
            units=40,
            pairs=3,
            changes=(OrderChange("alpha", FORMULA, 0.25),),
            leader="alpha",
            another_leader=0.25,
            undefined="",
            signature="next judgements|SegRanks 1.0.0",
        ),
        sequence=SequenceEffects(
            garbage=carried,
            ties=carried,
            place=PlaceEffect(
                earlier_better=3, later_better=2, tied=1, share=estimate(0.5), p=0.25
            ),
            signature="sequence effects",
        ),
        drift=drift(change(FORMULA), together=change("")),
        disputed=(
            Dispute(
                segment=5,
                sentence=2,
                judgements=2,
                annotators=2,
                agree=1,
                reversed=2,
                compared=3,
                words="the old house",
            ),
        ),
        contrasts=(
            Contrast(
                sentence=2,
                judgements=3,
                best=NAMES[0],
                best_score=0.5,
                worst=NAMES[1],
                worst_score=-0.25,
                spread=0.75,
            ),
        ),
    )
    return replace(report, **changes)
