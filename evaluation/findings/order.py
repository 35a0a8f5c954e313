"""Effects of the order and of time: carry-over, positions, and annotators who change."""

from dataclasses import dataclass

from evaluation.findings.evidence import Evidence
from evaluation.rendering.figures import Figure
from evaluation.rendering.figures.intervals import speed_changes
from evaluation.rendering.tables import (
    Column,
    Count,
    P,
    Table,
    Words,
    estimate_columns,
    missing_figures,
)
from evaluation.rendering.text import Text, _
from evaluation.stats.annotators.drift import AnnotatorDrift, Drift, drift
from evaluation.stats.annotators.sequence import SequenceEffects, sequence_effects
from evaluation.stats.estimates import Estimate


def compute_sequence(evidence: Evidence) -> SequenceEffects:
    return sequence_effects(evidence.judgements, **evidence.again)


def compute_drift(evidence: Evidence) -> Drift:
    return drift(evidence.judgements, **evidence.again)


@dataclass(frozen=True)
class _Effect:
    effect: Text
    compared: int
    figure: Estimate
    p: float | None


def sequence_tables(found: SequenceEffects, *, has_garbage: bool) -> list[Table]:
    garbage, ties, place = found.garbage, found.ties, found.place
    rows = [
        _Effect(
            _("Carry-over of ties from the previous sentence"),
            ties.compared,
            ties.correlation,
            ties.p,
        ),
        _Effect(
            _("The candidate shown first is better"),
            place.earlier_better + place.later_better,
            place.share,
            place.p,
        ),
    ]
    if has_garbage:
        name = _("Carry-over of Garbage from the previous sentence")
        rows.insert(0, _Effect(name, garbage.compared, garbage.correlation, garbage.p))
    return [
        Table.of(
            "sequence",
            _("Sequence effects"),
            (
                Column("effect", _("Effect"), Words()),
                Column("compared", _("Compared"), Count()),
                *estimate_columns("value", _("Value"), lambda row: row.figure)[:2],
                Column("p", "p", P()),
            ),
            rows,
            notes=(
                _(
                    "Carry-over is the correlation of a share with that of the previous sentence "
                    "of the same annotator. Near 0 there is none; slow changes of an annotator "
                    "count as carry-over too. The last effect is 0.5 if the order of display makes "
                    "no difference."
                ),
                *missing_figures((row.effect, row.figure) for row in rows),
            ),
            details=[found.signature],
        )
    ]


def drift_tables(found: Drift) -> list[Table]:
    rows = (*found.annotators, found.together)

    def name(row: AnnotatorDrift) -> str | Text:
        return row.annotator or _("Together")

    return [
        Table.of(
            "drift",
            _("Changes per 100 sentences judged"),
            (
                Column("annotator", _("Annotator"), Words(), name),
                *estimate_columns(
                    "seconds",
                    _("Time for a judgement"),
                    lambda row: row.seconds.change,
                    prefix="seconds_",
                    places=1,
                    is_share=True,
                    is_main=False,
                )[:2],
                Column("seconds_screens", _("Sentences"), Count(), lambda row: row.seconds.screens),
                *estimate_columns(
                    "agreement",
                    _("Agreement with others"),
                    lambda row: row.agreement.change,
                    prefix="agreement_",
                    places=1,
                    is_share=True,
                    is_main=False,
                )[:2],
                Column(
                    "agreement_screens", _("Sentences"), Count(), lambda row: row.agreement.screens
                ),
            ),
            rows,
            groups=lambda row: bool(row.annotator),
            notes=[
                _(
                    "Change per 100 sentences judged: −10 % means that a judgement takes a tenth "
                    "less time than a hundred sentences earlier. Agreement is the share of pairs "
                    "on which other annotators agree."
                )
            ],
            details=[found.signature],
        )
    ]


def drift_figures(found: Drift) -> list[Figure]:
    return [
        Figure(
            "speed-changes",
            _("Do annotators become faster?"),
            "drift",
            lambda look, words: speed_changes(found, look, words),
        )
    ]
