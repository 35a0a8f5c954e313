"""Edits of outputs by annotators: HTER of systems, and by sentence."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from evaluation.findings.answers import Answers
from evaluation.findings.evidence import Evidence
from evaluation.metrics.names import written_tokenizer
from evaluation.rendering.tables import (
    Column,
    Count,
    Name,
    Table,
    estimate_columns,
    missing_figures,
)
from evaluation.rendering.text import _
from evaluation.stats.estimates import Estimate
from evaluation.stats.ranking.edit_rates import EditedSystem, EditRates, measure_edit_rates


def compute(evidence: Evidence) -> EditRates | None:
    """Return the edit rates; None unless candidates were edited."""
    if evidence.edits is None:
        return None
    return measure_edit_rates(evidence.judgements, evidence.edits, **evidence.again)


def tables(found: EditRates | None, answers: Answers | None) -> list[Table]:
    if found is None:
        return []
    return [rates_table(found, answers), by_sentence(found)]


def rates_table(found: EditRates, answers: Answers | None) -> Table:
    """Return HTER with the share of outputs that needed no corrections, and of hopeless ones."""
    shares = {row.system: row.shares for row in answers.by_system.systems} if answers else {}

    def share(step: int) -> Callable[[EditedSystem], Estimate | None]:
        return lambda row: shares[row.system][step] if row.system in shares else None

    hter, *interval = estimate_columns("rate", "HTER", lambda row: row.rate, prefix="rate_")
    ends = answers and ((0, answers.labels[0]), (-1, answers.labels[-1]))
    return Table.of(
        "edit-rates",
        _("Systems by HTER: edits of their outputs by annotators, for a word of the edited text."),
        (
            Column("system", _("System"), Name()),
            Column("outputs", _("Outputs"), Count()),
            Column("sentences", _("Sentences"), Count()),
            replace(hter, unit=written_tokenizer(found.signature)),
            *interval,
            *(
                column
                for (step, label), name in zip(ends or (), ("right", "unable"), strict=False)
                for column in estimate_columns(
                    name, label, share(step), prefix=f"{name}_", is_main=False
                )[:2]
            ),
        ),
        found.systems,
        notes=(
            _(
                "HTER is the number of edits (TER) that turn an output into the text that the "
                "annotator made of it, for a word of that text. An output that needs no "
                "corrections has none; one that could not be corrected is left out, so that HTER "
                "must be read together with its share."
            ),
            *missing_figures((row.system, row.rate) for row in found.systems),
        ),
        details=[found.signature],
    )


def by_sentence(found: EditRates) -> Table:
    def rate(place: int) -> Callable[[Any], float | None]:
        return lambda row: row[1][place]

    return Table.of(
        "edit-rates-by-sentence",
        _("HTER of each system in each sentence."),
        (
            Column("sentence", _("Sentence"), Count(), lambda row: row[0]),
            *(
                Column(f"rate_{row.system}", row.system, value=rate(place))
                for place, row in enumerate(found.systems)
            ),
        ),
        zip(found.sentence_numbers, found.by_sentence, strict=True),
        details=[found.signature],
    )
