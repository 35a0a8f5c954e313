"""Tables of the model of annotators, of repeats and of the order, for direct assessments."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final

import numpy as np

from evaluation.meta.correlation import kendall, spearman
from evaluation.rendering.tables import Table
from evaluation.report.columns import Cell, column_of
from evaluation.report.readings import grade_and_label, reasons
from evaluation.stats.annotators.assessment_model import UNKNOWN_ORDER, AssessmentModel
from evaluation.stats.annotators.dawid_skene import LabelModel
from evaluation.stats.annotators.mace import SpammingModel
from evaluation.stats.annotators.score_model import ScoreModel
from evaluation.stats.annotators.score_sequence import Coefficient, Regression, ScoreSequence
from evaluation.stats.estimates import Estimate
from evaluation.stats.resampling import Floats

# The order of two systems is one or the other.
FEWEST_SYSTEMS: Final = 3


def model_tables(
    found: AssessmentModel, z: Mapping[str, float], provenance: Sequence[str]
) -> list[Table]:
    """Return the tables; `z` are the means of the systems' standardised scores, best first."""
    return [
        _annotators(found, found.model, provenance) if found.model else _no_model(found),
        *([_systems(found, z)] if found.model else []),
        _agreement(found, provenance),
        _sequence(found, provenance),
    ]


_OF_ANNOTATORS: Final = (
    column_of("place", "place"),
    column_of("annotator", "annotator", is_text=True),
    column_of("scores", "scores"),
    column_of("shared", "shared"),
    column_of("precision", "precision"),
    column_of("low", "from"),
    column_of("high", "to"),
)


def _no_model(found: AssessmentModel) -> Table:
    """Return the annotators without a precision, and why."""
    return Table(
        f"model-annotators-{found.pair}",
        f"Annotators by the precision of their scores, {found.pair}.",
        _OF_ANNOTATORS,
        tuple(
            (None, name, scores, shared, None, None, None)
            for name, scores, shared in zip(
                found.annotators, found.scores, found.shared, strict=True
            )
            if scores
        ),
        (f"There is no model of annotators: {found.no_model}.",),
    )


def _annotators(found: AssessmentModel, model: ScoreModel, provenance: Sequence[str]) -> Table:
    codes = model.most_precise(len(found.annotators))
    out = ", ".join(found.annotators[code] for code in model.excluded)
    return Table(
        f"model-annotators-{found.pair}",
        f"Annotators by the precision of their scores, {found.pair}.",
        _OF_ANNOTATORS,
        tuple(
            (
                place,
                found.annotators[code],
                found.scores[code],
                found.shared[code],
                float(model.precision[code]),
                float(model.precision_low[code]),
                float(model.precision_high[code]),
            )
            for place, code in enumerate(codes, start=1)
        ),
        (
            "Precision: 1 divided by the variance of an annotator's standardised scores around the "
            "quality of the items, with 95 % intervals; 1.5 before anything is known. Shared: "
            "scores of items that have another score. Where few are shared, precision is too high, "
            "and says little.",
            *([f"Left out, with only one score or equal ones: {out}."] if out else []),
            *([] if model.settled else ["The estimates have not settled."]),
            "|".join((str(model.signature), *provenance)),
        ),
    )


def _systems(found: AssessmentModel, z: Mapping[str, float]) -> Table:
    places = {system: place for place, system in enumerate(z, start=1)}
    of_kept = {
        row.system: (row.quality, place) for place, row in enumerate(found.systems_of_kept, start=1)
    }
    common = [row for row in found.systems if row.system in z]
    quality = np.array([row.quality for row in common])
    others = np.array([z[row.system] for row in common])
    if len(common) < FEWEST_SYSTEMS:
        ranks = f"No rank correlation with z: fewer than {FEWEST_SYSTEMS} systems."
    elif np.isnan(rho := float(spearman(others, quality))):
        ranks = "No rank correlation with z: all systems have equal scores."
    else:
        tau = float(kendall(others, quality))
        ranks = f"Rank correlation with z: Spearman's ρ {rho:.3f}, Kendall's τ {tau:.3f}."
    return Table(
        f"model-systems-{found.pair}",
        f"Systems by the model of annotators, beside z, {found.pair}.",
        (
            column_of("place", "place"),
            column_of("system", "system", is_text=True),
            column_of("quality", "quality"),
            column_of("segments", "N"),
            column_of("z", "z"),
            column_of("z_place", "place by z"),
            *(
                (column_of("kept", "most precise"), column_of("kept_place", "place by them"))
                if found.kept
                else ()
            ),
        ),
        tuple(
            (
                place,
                row.system,
                row.quality,
                row.segments,
                z.get(row.system),
                places.get(row.system),
                *((of_kept.get(row.system) or (None, None)) if found.kept else ()),
            )
            for place, row in enumerate(found.systems, start=1)
        ),
        (
            "Quality: the mean over N segments of the quality that the model infers, in which "
            "scores of precise annotators count more; that of few scores is nearer to 0.",
            ranks,
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


def _agreement(found: AssessmentModel, provenance: Sequence[str]) -> Table:
    agreement = found.agreement
    intra, inter = agreement.intra, agreement.inter
    rows: list[tuple[str, int, int, Estimate]] = [
        ("repeats: r", intra.pairs, intra.items, intra.correlation),
        ("repeats: difference", intra.pairs, intra.items, intra.difference),
        ("two annotators: r", inter.pairs, inter.items, inter.correlation),
        ("two annotators: difference", inter.pairs, inter.items, inter.difference),
        ("two annotators: α", agreement.values, agreement.items, agreement.alpha),
    ]
    return Table(
        f"score-agreement-{found.pair}",
        f"Agreement of standardised scores of outputs, {found.pair}.",
        (
            column_of("figure", "figure", is_text=True),
            column_of("value", "value"),
            column_of("low", "from"),
            column_of("high", "to"),
            column_of("wide_low", "wide from"),
            column_of("wide_high", "wide to"),
            column_of("pairs", "pairs"),
            column_of("items", "items"),
        ),
        tuple(
            (name, one.value, one.low, one.high, one.wide_low, one.wide_high, pairs, items)
            for name, pairs, items, one in rows
        ),
        (
            "Pairs of scores of one output, by one annotator (repeats) and by two; of α, scores. "
            "Differences are in standard deviations. 95 % intervals: for other segments, and for "
            "other segments and annotators (wide).",
            *reasons([asdict(one) for _name, _pairs, _items, one in rows]),
            "|".join((str(agreement.signature), *provenance)),
        ),
    )


def _sequence(found: AssessmentModel, provenance: Sequence[str]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    notes = []
    for gold, sequence, why in (
        ("systems" if found.given_systems else "no", found.sequence, found.no_sequence),
        ("yes", found.sequence_given_others, found.no_gold),
    ):
        if sequence is None:
            notes.append(
                f"{'With' if gold == 'yes' else 'Without'} the others' scores: undefined, because "
                f"{why}."
            )
            continue
        for part, fitted in _parts(sequence):
            one = fitted.previous
            rows.append((part, gold, fitted.items, *_figures(one)))
            if fitted.undefined:
                notes.append(f"Undefined ({part}): {fitted.undefined}.")
        notes.append("|".join((str(sequence.signature), *provenance)))
    return Table(
        f"score-sequence-{found.pair}",
        f"Effect of the previous score on a score, {found.pair}.",
        (
            column_of("part", "part of batches", is_text=True),
            column_of("others", "given others", is_text=True),
            *EFFECT_COLUMNS,
        ),
        tuple(rows),
        (
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
            WIDE,
            *dict.fromkeys(notes),
        ),
    )


# Of the effect of the previous answer.
EFFECT_COLUMNS: Final = (
    column_of("items", "items"),
    column_of("previous", "effect"),
    column_of("low", "from"),
    column_of("high", "to"),
    column_of("p", "p", places=4, is_p=True),
    column_of("wide_low", "wide from"),
    column_of("wide_high", "wide to"),
    column_of("wide_p", "wide p", places=4, is_p=True),
)
WIDE: Final = (
    "The first interval and p take answers for independent; the wide ones are for other sentences "
    "and other annotators, from three annotators on."
)


def _figures(one: Coefficient | None) -> tuple[Cell, ...]:
    if one is None:
        return (None,) * 7
    return (one.value, one.low, one.high, one.p, one.wide_low, one.wide_high, one.wide_p)


def _parts(sequence: ScoreSequence) -> list[tuple[str, Regression]]:
    first, second, last = sequence.thirds
    return [("all", sequence.all), ("first third", first), ("second", second), ("last", last)]


@dataclass(frozen=True)
class LabelledItem:
    """A labelled candidate, by its `code` in the models; `systems` produced it."""

    code: int
    sentence: int
    segment: int
    text: str
    systems: tuple[str, ...]
    answers: int


def label_tables(
    model: LabelModel,
    spamming: SpammingModel,
    *,
    items: Sequence[LabelledItem],
    annotators: Sequence[str],
    answers: Sequence[int],
    steps: Sequence[str],
    best: float,
    systems: Sequence[tuple[str, float, float, int]],
    provenance: Sequence[str],
) -> list[Table]:
    """Return annotators, systems and items by the model of Dawid and Skene, and by MACE.

    `answers` are the numbers of the annotators' answers, `steps` the labels from the best, which
    has the grade `best`.
    `systems` are names, mean grades by the model and of the answers, and numbers of texts, best
    first.
    """
    signature = "|".join((str(model.signature), *provenance))
    accuracy = model.accuracy
    order = sorted(
        (code for code in range(len(annotators)) if not np.isnan(accuracy[code])),
        key=lambda code: -accuracy[code],
    )
    return [
        Table(
            "label-annotators",
            "Annotators by how often they give the right answer.",
            (
                column_of("place", "place"),
                column_of("annotator", "annotator", is_text=True),
                column_of("answers", "answers"),
                column_of("accuracy", "right"),
                *(column_of(f"right-{place}", step) for place, step in enumerate(steps, start=1)),
            ),
            tuple(
                (
                    place,
                    annotators[code],
                    answers[code],
                    float(accuracy[code]),
                    *map(float, np.diagonal(model.confusion[code])),
                )
                for place, code in enumerate(order, start=1)
            ),
            (
                "Right: the probability of the answer that the model takes for the true one (Dawid "
                "and Skene 1979), over all, and where the true answer is that of the column. It "
                "needs texts that several annotators judged.",
                *([] if model.settled else ["The estimates have not settled."]),
                signature,
            ),
        ),
        Table(
            "label-systems",
            "Systems by the mean grade of the true answers.",
            (
                column_of("place", "place"),
                column_of("system", "system", is_text=True),
                column_of("grade", "grade"),
                column_of("mean", "of all answers"),
                column_of("texts", "texts"),
            ),
            tuple((place, *row) for place, row in enumerate(systems, start=1)),
            (
                "Grade: the mean over texts of the grade that the model expects, in which answers "
                f"of annotators who are often right count more; the best is "
                f"{grade_and_label(best, steps[0])}. Of all answers: the mean grade of the answers "
                "about each text.",
                signature,
            ),
        ),
        _confusion(model, [(code, annotators[code]) for code in order], steps, signature),
        _spamming(spamming, annotators, answers, steps, provenance),
        _items(model, spamming, items, steps, provenance),
    ]


def _confusion(
    model: LabelModel, annotators: Sequence[tuple[int, str]], steps: Sequence[str], signature: str
) -> Table:
    return Table(
        "label-confusion",
        "The answers of each annotator by the true answer.",
        (
            column_of("annotator", "annotator", is_text=True),
            column_of("true", "true answer", is_text=True),
            *(column_of(f"given-{place}", step) for place, step in enumerate(steps, start=1)),
        ),
        tuple(
            (name, step, *map(float, given))
            for code, name in annotators
            for step, given in zip(steps, model.confusion[code], strict=True)
        ),
        (
            "The probability of each answer, which is in the heading, where the model of Dawid and "
            "Skene takes another, or the same, for the true one.",
            signature,
        ),
        rules=frozenset(range(len(steps) - 1, len(annotators) * len(steps) - 1, len(steps))),
    )


def _spamming(
    model: SpammingModel,
    annotators: Sequence[str],
    answers: Sequence[int],
    steps: Sequence[str],
    provenance: Sequence[str],
) -> Table:
    order = sorted(
        np.flatnonzero(~np.isnan(model.spamming)).tolist(), key=lambda code: model.spamming[code]
    )
    return Table(
        "label-spamming",
        "Annotators by how often they answer without a look at the item.",
        (
            column_of("place", "place"),
            column_of("annotator", "annotator", is_text=True),
            column_of("answers", "answers"),
            column_of("spamming", "spamming"),
            *(column_of(f"strategy-{place}", step) for place, step in enumerate(steps, start=1)),
        ),
        tuple(
            (
                place,
                annotators[code],
                answers[code],
                float(model.spamming[code]),
                *map(float, model.strategy[code]),
            )
            for place, code in enumerate(order, start=1)
        ),
        (
            "Spamming: the probability that an answer of the annotator does not depend on the item "
            "(MACE, Hovy et al. 2013); 0.5 before anything is known. The other columns: which "
            "answers these are.",
            *([] if model.settled else ["The estimates have not settled."]),
            "|".join((str(model.signature), *provenance)),
        ),
    )


def _items(
    model: LabelModel,
    spamming: SpammingModel,
    items: Sequence[LabelledItem],
    steps: Sequence[str],
    provenance: Sequence[str],
) -> Table:
    def posterior(of_models: Floats) -> tuple[Cell, ...]:
        return (steps[int(np.argmax(of_models))], *map(float, of_models))

    return Table(
        "label-items",
        "The probability of each answer to be the true one, by item.",
        (
            column_of("sentence", "sentence"),
            column_of("segment", "segment"),
            column_of("text", "text", is_text=True),
            column_of("systems", "systems", is_text=True),
            column_of("answers", "answers"),
            column_of("label", "true answer", is_text=True),
            *(column_of(f"posterior-{place}", step) for place, step in enumerate(steps, start=1)),
            column_of("mace", "by MACE", is_text=True),
            *(
                column_of(f"mace-{place}", f"{step} (MACE)")
                for place, step in enumerate(steps, start=1)
            ),
        ),
        tuple(
            (
                item.sentence,
                item.segment,
                item.text,
                ", ".join(item.systems),
                item.answers,
                *posterior(model.posterior[item.code]),
                *posterior(spamming.posterior[item.code]),
            )
            for item in items
        ),
        (
            "True answer: the most probable one, by the model of Dawid and Skene and by MACE.",
            *("|".join((str(each.signature), *provenance)) for each in (model, spamming)),
        ),
    )


def binary_sequence_table(found: ScoreSequence | None, provenance: Sequence[str]) -> Table:
    """Return the effect of the previous answer on one of two answers, by thirds.

    `found` is None if the order of the answers is unknown.
    """
    rows: list[tuple[Cell, ...]] = []
    notes = [] if found else [f"Undefined: {UNKNOWN_ORDER}."]
    for part, fitted in _parts(found) if found else ():
        rows.append((part, fitted.items, *_figures(fitted.previous)))
        if fitted.undefined:
            notes.append(f"Undefined ({part}): {fitted.undefined}.")
    return Table(
        "answer-sequence",
        "Effect of the previous answer on an answer.",
        (
            column_of("part", "part", is_text=True),
            *EFFECT_COLUMNS,
        ),
        tuple(rows),
        (
            "Effect: β of the annotator's previous answer in a logistic regression, in log odds, "
            "with the share of the better answer among the annotator's others, and the mean of the "
            "item's systems in other sentences; above 0, answers resemble the previous one.",
            WIDE,
            *notes,
            "|".join((*([str(found.signature)] if found else []), *provenance)),
        ),
    )
