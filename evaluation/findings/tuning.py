"""What models choose that are tuned to objectives, beside choices without training and bounds."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isfinite

from evaluation.rendering.tables import (
    INTERVAL,
    Column,
    Interval,
    Name,
    Number,
    Table,
    missing_figures,
)
from evaluation.reuse.tuning.choices import Choice
from evaluation.reuse.tuning.experiment import Tuned, TuningReport
from evaluation.stats.estimates import Estimate


@dataclass(frozen=True)
class FeatureWeight:
    """The weight of a feature divided by its standard deviation within lists, and as it is."""

    feature: str
    weight: float
    raw_weight: float


@dataclass(frozen=True)
class TunedModel:
    """A model's choice, the objective on the training sentences by seed, and the best weights.

    Values are None where the objective is undefined; the best seed took so many `steps`.
    """

    choice: Choice
    training_values: tuple[float | None, ...]
    steps: int
    weights: tuple[FeatureWeight, ...]


@dataclass(frozen=True)
class TuningFindings:
    """The figures of a `TuningReport` of a project.

    `judged_by` says what people's figures count; `bounds` know the answer or nothing.
    """

    project: str
    training_sentences: int
    test_sentences: int
    judged_by: str
    impossible_objectives: tuple[str, ...]
    tuned: tuple[TunedModel, ...]
    untrained: tuple[Choice, ...]
    bounds: tuple[Choice, ...]
    signature: str


def compute(project: str, report: TuningReport) -> TuningFindings:
    return TuningFindings(
        project=project,
        training_sentences=report.training_sentences,
        test_sentences=report.test_sentences,
        judged_by=report.judged_by,
        impossible_objectives=report.missing,
        tuned=tuple(_model(one, report.feature_names) for one in report.tuned),
        untrained=report.untrained,
        bounds=report.bounds,
        signature=str(report.signature),
    )


def _model(tuned: Tuned, feature_names: Sequence[str]) -> TunedModel:
    weights = zip(feature_names, tuned.weights.tolist(), tuned.raw_weights.tolist(), strict=True)
    return TunedModel(
        choice=tuned.choice,
        training_values=tuple(value if isfinite(value) else None for value in tuned.values),
        steps=tuned.steps,
        weights=tuple(FeatureWeight(*each) for each in weights),
    )


def tables(found: TuningFindings) -> list[Table]:
    impossible = ", ".join(found.impossible_objectives)
    return [
        _choices(
            "tuned",
            f"Trained on {found.training_sentences} sentences, judged on {found.test_sentences} "
            f"others: wins of {found.judged_by}, ties left out",
            "tuned to",
            [one.choice for one in found.tuned],
            [f"Not possible here: {impossible}."] if impossible else [],
        ),
        _choices("untrained", "Choices without training", "untrained", found.untrained),
        _choices("bounds", "Choices that know the answer, or nothing", "bounds", found.bounds),
        _weights(found),
    ]


def _choices(
    name: str, caption: str, heading: str, choices: Sequence[Choice], notes: Sequence[str] = ()
) -> Table:
    return Table.of(
        name,
        caption,
        (
            Column("name", heading, Name()),
            *_estimate("people", "people", lambda row: row.people),
            *_estimate("minus_bleu", "−\N{NO-BREAK SPACE}BLEU's", lambda row: row.minus_bleu),
            *_estimate(
                "minus_consensus", "−\N{NO-BREAK SPACE}consensus", lambda row: row.minus_consensus
            ),
            Column("spread", "± seeds", Number(4)),
            Column("bleu", "BLEU", Number(4)),
            Column("hit_rate", "hits", Number(4)),
        ),
        choices,
        notes=[*notes, *missing_figures(_estimates(choices))],
    )


def _estimate(
    name: str, heading: str, of: Callable[[Choice], Estimate | None]
) -> tuple[Column, Column]:
    """Return the columns of a figure, which some choices do not have, and its interval."""
    return (
        Column(name, heading, Number(4), lambda row: found.value if (found := of(row)) else None),
        Column(
            f"{name}_low {name}_high",
            INTERVAL,
            Interval(4),
            lambda row: (found.low, found.high) if (found := of(row)) else None,
        ),
    )


def _estimates(choices: Sequence[Choice]) -> Iterable[tuple[str, Estimate | None]]:
    for one in choices:
        for estimate in (one.people, one.minus_bleu, one.minus_consensus):
            yield one.name, estimate


def _weights(found: TuningFindings) -> Table:
    def of(place: int) -> Callable[[tuple[FeatureWeight, ...]], float]:
        return lambda row: row[place].weight

    return Table.of(
        "weights",
        "Weights of the features, each divided by its standard deviation within lists",
        (
            Column("feature", "weight per deviation", Name(), lambda row: row[0].feature),
            *(
                Column(f"weight_{one.choice.name}", one.choice.name, value=of(place))
                for place, one in enumerate(found.tuned)
            ),
        ),
        # The weights of a feature by objective.
        zip(*(one.weights for one in found.tuned), strict=True),
        details=[found.signature],
    )
