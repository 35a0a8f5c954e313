"""What a model of annotators, their agreement and the order say of standardised scores."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

import numpy as np

from evaluation.findings.agreement import measures_table
from evaluation.findings.marked_errors import alpha_measure, score_measures
from evaluation.meta.correlation import kendall, spearman
from evaluation.rendering.tables import (
    Cell,
    Column,
    Count,
    Interval,
    Name,
    P,
    Table,
    Words,
)
from evaluation.rendering.text import _
from evaluation.stats.annotators.assessment_model import AssessmentModel
from evaluation.stats.annotators.score_sequence import Regression, ScoreSequence
from evaluation.stats.estimates import signed

# The order of two systems is one or the other.
FEWEST_SYSTEMS: Final = 3
SETTLED: Final = "The estimates have not settled."
INTERVALS_OF_EFFECTS: Final = (
    "The first interval and p take answers for independent; the wide ones are for other sentences "
    "and other annotators, from three annotators on."
)


def tables(
    found: AssessmentModel, z: Mapping[str, float], provenance: Sequence[str]
) -> list[Table]:
    """Return the tables; `z` are the means of the systems' standardised scores, best first."""
    return [
        annotators_table(found, provenance),
        *([systems_table(found, z)] if found.model else []),
        agreement_table(found, provenance),
        sequence_table(found, provenance),
    ]


def annotators_table(found: AssessmentModel, provenance: Sequence[str]) -> Table:
    """Return the annotators, the most precise first; without a model, all who gave scores."""
    model = found.model

    def precision(*names: str) -> Callable[[int], Cell]:
        if model is None:
            return lambda _code: None if len(names) == 1 else (None,) * len(names)
        arrays = attrgetter(*names)(model)
        if len(names) == 1:
            return lambda code: float(arrays[code])
        return lambda code: tuple(float(array[code]) for array in arrays)

    if model is None:
        codes = np.flatnonzero(found.scores).tolist()
        notes = [f"There is no model of annotators: {found.no_model}."]
    else:
        codes = [*model.most_precise(len(found.annotators))]
        out = ", ".join(found.annotators[code] for code in model.excluded)
        notes = [
            "Precision: 1 divided by the variance of an annotator's standardised scores around the "
            "quality of the items, with 95 % intervals; 1.5 before anything is known. Shared: "
            "scores of items that have another score. Where few are shared, precision is too high, "
            "and says little.",
            *([f"Left out, with only one score or equal ones: {out}."] if out else []),
            *([] if model.settled else [SETTLED]),
        ]
    return Table.of(
        f"model-annotators-{found.pair}",
        f"Annotators by the precision of their scores, {found.pair}",
        (
            Column("annotator", _("Annotator"), Name(), lambda code: found.annotators[code]),
            Column("scores", _("Scores"), Count(), lambda code: found.scores[code]),
            Column("shared", "Shared", Count(), lambda code: found.shared[code]),
            Column("precision", "Precision", value=precision("precision"), is_main=True),
            Column(
                "low high",
                _("95 % interval"),
                Interval(),
                precision("precision_low", "precision_high"),
            ),
        ),
        codes,
        notes=notes,
        details=[signed(model.signature, provenance)] if model else [],
    )


def systems_table(found: AssessmentModel, z: Mapping[str, float]) -> Table:
    """Return the systems by their mean quality, beside their mean z and their place by it."""
    places, by_z = (
        {system: place for place, system in enumerate(systems, start=1)}
        for systems in ((row.system for row in found.systems), z)
    )
    of_kept = {
        row.system: (row.quality, place) for place, row in enumerate(found.systems_of_kept, start=1)
    }

    def kept(part: int) -> Callable[[Any], Cell]:
        return lambda row: of_kept[row.system][part] if row.system in of_kept else None

    return Table.of(
        f"model-systems-{found.pair}",
        f"Systems by the model of annotators, beside z, {found.pair}",
        (
            Column("place", "Place", Count(), lambda row: places[row.system]),
            Column("system", _("System"), Name()),
            Column("quality", "Quality", is_main=True),
            Column("segments", _("Sentences"), Count()),
            Column("z", "z", value=lambda row: z.get(row.system)),
            Column("z_place", "Place by z", Count(), lambda row: by_z.get(row.system)),
            Column("kept", "Most precise", value=kept(0), may_be_empty=True),
            Column("kept_place", "Place by them", Count(), kept(1), may_be_empty=True),
        ),
        found.systems,
        notes=(
            "Quality: the mean over sentences of the quality that the model infers, in which "
            "scores of precise annotators count more; that of few scores is nearer to 0.",
            rank_correlation(found, z),
            *(
                [
                    "Most precise: the quality by the scores of the most precise annotators only: "
                    f"{', '.join(found.kept)}."
                ]
                if found.kept
                else []
            ),
        ),
    )


def rank_correlation(found: AssessmentModel, z: Mapping[str, float]) -> str:
    """Return how far both orders of the systems agree, or why that is not known."""
    common = [row for row in found.systems if row.system in z]
    quality = np.array([row.quality for row in common])
    others = np.array([z[row.system] for row in common])
    if len(common) < FEWEST_SYSTEMS:
        return f"No rank correlation with z: fewer than {FEWEST_SYSTEMS} systems."
    if np.isnan(rho := float(spearman(others, quality))):
        return "No rank correlation with z: all systems have equal scores."
    tau = float(kendall(others, quality))
    return f"Rank correlation with z: Spearman's ρ {rho:.3f}, Kendall's τ {tau:.3f}."


def agreement_table(found: AssessmentModel, provenance: Sequence[str]) -> Table:
    agreement = found.agreement
    return measures_table(
        f"score-agreement-{found.pair}",
        f"Agreement of standardised scores of outputs, {found.pair}",
        [
            *score_measures("intra", agreement.intra),
            *score_measures("inter", agreement.inter),
            alpha_measure(agreement),
        ],
        (Column("units", _("Pairs"), Count()), Column("items", "Items", Count())),
        notes=(
            "Pairs of scores of one output; α counts scores instead of pairs. Differences are in "
            "standard deviations.",
        ),
        details=[signed(agreement.signature, provenance)],
    )


@dataclass(frozen=True)
class Effect:
    """The regression of a part of the sequences; `others` says whose scores are held fixed."""

    part: str
    fitted: Regression
    others: str = ""


def effects(found: ScoreSequence, others: str = "") -> list[Effect]:
    first, second, last = found.thirds
    parts = (("all", found.all), ("first third", first), ("second", second), ("last", last))
    return [Effect(part, fitted, others) for part, fitted in parts]


def missing_effects(rows: Sequence[Effect]) -> list[str]:
    """Return why effects are undefined, once each."""
    return [
        *dict.fromkeys(
            f"Undefined ({row.part}): {row.fitted.undefined}."
            for row in rows
            if row.fitted.undefined
        )
    ]


def _of_previous(*names: str) -> Callable[[Effect], Cell]:
    get, nothing = attrgetter(*names), None if len(names) == 1 else (None,) * len(names)
    return lambda row: get(row.fitted.previous) if row.fitted.previous else nothing


# Of the effect of the previous answer, in rows that are an Effect.
EFFECT_COLUMNS: Final = (
    Column("items", "Items", Count(), lambda row: row.fitted.items),
    Column("previous", "Effect", value=_of_previous("value"), is_main=True),
    Column("low high", _("95 % interval"), Interval(), _of_previous("low", "high")),
    Column("p", "p", P(), _of_previous("p")),
    Column(
        "wide_low wide_high",
        _("95 % interval"),
        Interval(),
        _of_previous("wide_low", "wide_high"),
        unit="wide",
    ),
    Column("wide_p", "p", P(), _of_previous("wide_p"), unit="wide"),
)


def sequence_table(found: AssessmentModel, provenance: Sequence[str]) -> Table:
    given = (
        ("systems" if found.given_systems else "no", found.sequence, found.no_sequence),
        ("yes", found.sequence_given_others, found.no_gold),
    )
    rows = [row for others, each, _why in given if each for row in effects(each, others)]
    return Table.of(
        f"score-sequence-{found.pair}",
        f"Effect of the previous score on a score, {found.pair}",
        (
            Column("part", "Part of batches", Words()),
            Column("others", "Given others", Words()),
            *EFFECT_COLUMNS,
        ),
        rows,
        notes=(
            "Effect: β of the annotator's previous score, with the mean of the annotator's other "
            "scores of the batch held fixed; above 0, scores resemble the previous one. Given "
            "others: the mean of the other annotators' scores of the item is held fixed too; "
            "without it, neighbours of one document or system look like an effect.",
            *(
                [
                    "Systems: the mean of the item's systems in other sentences is held fixed, "
                    "because each system is on a screen once."
                ]
                if found.given_systems
                else []
            ),
            INTERVALS_OF_EFFECTS,
            *(
                f"{'With' if others == 'yes' else 'Without'} the others' scores: undefined, "
                f"because {why}."
                for others, each, why in given
                if each is None
            ),
            *missing_effects(rows),
        ),
        details=dict.fromkeys(
            signed(each.signature, provenance) for _others, each, _why in given if each
        ),
    )
