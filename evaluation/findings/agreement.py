"""How well annotators agree with themselves and with each other, and how they disagree."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, Literal

from evaluation.findings.evidence import Evidence
from evaluation.findings.options import ReportOptions
from evaluation.rendering.figures import Figure
from evaluation.rendering.figures.heat_maps import pairs_map
from evaluation.rendering.tables import (
    Column,
    Count,
    Name,
    Scale,
    Table,
    Words,
    estimate_columns,
    missing_figures,
)
from evaluation.rendering.text import Quantity, Text, _, ngettext
from evaluation.stats.agreement.intervals import AgreementEstimates, agreement_with_intervals
from evaluation.stats.agreement.kappa import only_ties
from evaluation.stats.agreement.weighted_kappa import Disagreements, measure_disagreement
from evaluation.stats.annotators.exclusion import LeftOut
from evaluation.stats.estimates import Estimate


class Reading(Enum):
    """Interpretation of κ by Landis & Koch (1977), The Measurement of Observer Agreement."""

    POOR = "poor"
    SLIGHT = "slight"
    FAIR = "fair"
    MODERATE = "moderate"
    SUBSTANTIAL = "substantial"
    ALMOST_PERFECT = "almost perfect"


READINGS: Final = {
    Reading.POOR: _("poor"),
    Reading.SLIGHT: _("slight"),
    Reading.FAIR: _("fair"),
    Reading.MODERATE: _("moderate"),
    Reading.SUBSTANTIAL: _("substantial"),
    Reading.ALMOST_PERFECT: _("almost perfect"),
}


def read_kappa(kappa: float | None) -> Reading | None:
    """Return the interpretation of κ; None where it is undefined."""
    if kappa is None:
        return None
    if kappa < 0:
        return Reading.POOR
    bounds = (0.2, 0.4, 0.6, 0.8)
    return list(Reading)[1 + sum(kappa > bound for bound in bounds)]


def reading(kappa: float | None) -> Text | None:
    """Return the interpretation of κ in words."""
    read = read_kappa(kappa)
    return READINGS[read] if read else None


def has_only_ties(found: AgreementEstimates, kind: Literal["intra", "inter"]) -> bool:
    """Tell whether all judgements behind κ have only ties: then it says nothing about orders."""
    row, taus = (
        (found.intra, found.tau_b.intra) if kind == "intra" else (found.inter, found.tau_b.inter)
    )
    return only_ties(row.agree, row.compared, any_tau=bool(taus.pairs))


def compute(evidence: Evidence, **again: int) -> AgreementEstimates:
    """Return the agreement of all annotators with judgements that count, and of each of them.

    `again` are other resamples and another seed than those of the evidence.
    """
    found = agreement_with_intervals(evidence.judgements, **(evidence.again | again))
    of = {row.annotator: row for row in found.annotators}
    described = evidence.statistics.annotators
    return replace(found, annotators=tuple(of[row.annotator] for row in described))


def compute_disagreement(evidence: Evidence) -> Disagreements:
    return measure_disagreement(evidence.judgements, **evidence.again)


@dataclass(frozen=True)
class Measure:
    """A row of a table of agreement: what is measured, and what that rests on.

    `counts` are the cells of the columns that a table has besides; κ is read as a word if `read`.
    """

    measure: Text
    figure: Estimate
    basis: Text
    counts: Mapping[str, float | None] = field(default_factory=dict)
    read: bool = False

    @property
    def words(self) -> Text:
        """The basis, or why the measure is undefined."""
        return Text(self.figure.undefined) if self.figure.undefined else self.basis

    @property
    def reading(self) -> Text | None:
        return reading(self.figure.value) if self.read else None


def measures_table(
    name: str,
    caption: Text | str,
    rows: Sequence[Measure],
    counts: Sequence[Column],
    *,
    notes: Iterable[Text | str],
    details: Iterable[str],
    scaled: bool = False,
) -> Table:
    """Return a table of measures; of those from 0 to 1, `scaled`, pages draw a scale."""
    of_counts = [replace(column, value=_count(column.name)) for column in counts]
    readings = Column("reading", _("Interpretation"), Words(), may_be_empty=True)
    drawn = Column("scale", "", Scale(), lambda row: scale(row.figure))
    return Table.of(
        name,
        caption,
        (
            Column("measure", _("Measure"), Words()),
            *of_counts,
            *estimate_columns("value", _("Value"), lambda row: row.figure),
            *([readings, drawn] if scaled else []),
            Column("basis", _("Basis"), Words(), lambda row: row.words),
        ),
        rows,
        notes=(
            *notes,
            # Why a measure is undefined is its basis.
            *missing_figures(("", None if row.figure.undefined else row.figure) for row in rows),
        ),
        details=details,
    )


def _count(name: str) -> Callable[[Measure], float | None]:
    return lambda row: row.counts.get(name)


def _measures(found: AgreementEstimates) -> list[Measure]:
    kappas = (
        (_("Intra-annotator κ"), found.intra, has_only_ties(found, "intra")),
        (_("Inter-annotator κ"), found.inter, has_only_ties(found, "inter")),
    )
    alpha, taus = found.alpha, found.tau_b
    return [
        *(
            Measure(
                name,
                row.kappa,
                ngettext(
                    "agree on %(agree)s of %(compared)s pairs on one line",
                    "agree on %(agree)s of %(compared)s pairs on %(number)s lines",
                    row.sentences,
                    agree=row.agree,
                    compared=row.compared,
                ),
                {"agree": row.agree, "compared": row.compared},
                read=not ties,
            )
            for name, row, ties in kappas
        ),
        Measure(_("Krippendorff’s α"), alpha.estimate, candidates(alpha.units)),
        *(
            Measure(name, tau.estimate, pairs_of_judgements(tau.pairs))
            for name, tau in (
                (_("Intra-annotator τ-b"), taus.intra),
                (_("Inter-annotator τ-b"), taus.inter),
            )
        ),
    ]


def scale(figure: Estimate) -> tuple[float | None, float | None, float | None]:
    """Return the cell of a scale."""
    return figure.value, figure.low, figure.high


def pairs_of_judgements(pairs: int) -> Text:
    return ngettext("%(number)s pair of judgements", "%(number)s pairs of judgements", pairs)


def candidates(units: int) -> Text:
    return ngettext("%(number)s pair of candidates", "%(number)s pairs of candidates", units)


def tables(found: AgreementEstimates, biased: Sequence[Text]) -> list[Table]:
    """Return the measures of agreement; `biased` says that agreement was filtered, if it was."""
    expected = found.chance.expected
    return [
        measures_table(
            "agreement",
            _("Agreement of annotators with themselves (intra) and with each other (inter)."),
            _measures(found),
            (
                Column("agree", _("Agree"), Count(), may_be_empty=True),
                Column("compared", _("Compared"), Count(), may_be_empty=True),
            ),
            notes=(
                _(
                    "κ is 1 if two judgements always order two candidates the same way, and 0 if "
                    "they do so as often as by chance. Interpretation by Landis and Koch (1977): "
                    "up to 0.2 slight, 0.4 fair, 0.6 moderate, 0.8 substantial, above that almost "
                    "perfect. Krippendorff’s α takes all annotators together, each with the first "
                    "judgement, and counts all disagreements alike; Kendall’s τ-b compares whole "
                    "rankings."
                ),
                *(
                    []
                    if expected is None
                    else [
                        _(
                            "Agreement expected by chance: %(expected)s.",
                            expected=Quantity(expected, 4),
                        )
                    ]
                ),
                *biased,
            ),
            details=[found.signature],
            scaled=True,
        )
    ]


def disagreement_tables(found: Disagreements, biased: Sequence[Text]) -> list[Table]:
    intra, inter = found.intra, found.inter
    rows = []
    for kind, linear, quadratic in (
        (
            intra,
            _("Intra-annotator κ, linear weights"),
            _("Intra-annotator κ, quadratic weights"),
        ),
        (
            inter,
            _("Inter-annotator κ, linear weights"),
            _("Inter-annotator κ, quadratic weights"),
        ),
    ):
        basis = _(
            "%(agree)s agree, %(tied)s with one tie, %(reversed)s reversed",
            agree=kind.agree,
            tied=kind.one_tied,
            reversed=kind.reversed,
        )
        counts = {"agree": kind.agree, "one_tied": kind.one_tied, "reversed": kind.reversed}
        rows += [
            Measure(linear, kind.linear, basis, counts),
            Measure(quadratic, kind.quadratic, basis, counts),
        ]
    rows.append(
        Measure(_("Ordinal α (Krippendorff)"), found.ordinal_alpha, candidates(found.units))
    )
    rows += [
        Measure(
            label,
            kind.reversed_share,
            _(
                "%(reversed)s of %(disagree)s pairs",
                reversed=kind.reversed,
                disagree=kind.one_tied + kind.reversed,
            ),
        )
        for label, kind in (
            (_("Reversed, of intra-annotator disagreements"), intra),
            (_("Reversed, of inter-annotator disagreements"), inter),
        )
    ]
    return [
        measures_table(
            "disagreement",
            _(
                "Kinds of disagreement, and agreement that takes the order of outcomes into "
                "account."
            ),
            rows,
            (
                Column("agree", _("Agree"), Count()),
                Column("one_tied", _("One ties"), Count()),
                Column("reversed", _("Opposite"), Count()),
            ),
            notes=(
                _(
                    "Pairs of candidates: two judgements agree, one ties the two and the other "
                    "does not, or each prefers a different candidate (reversed). With weights, a "
                    "tie in one of them is half a disagreement (linear) or a quarter (quadratic, "
                    "and in ordinal α)."
                ),
                *biased,
            ),
            details=[found.signature],
        )
    ]


def pair_tables(found: AgreementEstimates, biased: Sequence[Text]) -> list[Table]:
    """Return the agreement of each pair of annotators."""
    return [
        Table.of(
            "pairs-of-annotators",
            _("Agreement of each pair of annotators who judged the same texts."),
            (
                Column("annotator", _("Annotator"), Name(), lambda pair: pair.annotator),
                Column("other", _("Other annotator"), Name(), lambda pair: pair.other),
                Column("agree", _("Agree"), Count(), lambda pair: pair.inter.agree),
                Column("compared", _("Compared"), Count(), lambda pair: pair.inter.compared),
                *estimate_columns("kappa", "κ", lambda pair: pair.inter.kappa)[:2],
                Column("sentences", _("Sentences"), Count(), lambda pair: pair.inter.sentences),
            ),
            found.pairs,
            notes=(
                *biased,
                *missing_figures(
                    (f"{pair.annotator} – {pair.other}", pair.inter.kappa) for pair in found.pairs
                ),
            ),
            details=[found.signature],
        )
    ]


def figures(found: AgreementEstimates) -> list[Figure]:
    return [
        Figure(
            "pairs-of-annotators",
            _("κ of pairs of annotators"),
            "pairs-of-annotators",
            lambda look, words: pairs_map(found.pairs, look, words),
        )
    ]


def excluded_by_kappa(options: ReportOptions, left_out: LeftOut) -> bool:
    """Tell whether annotators were excluded where there was a minimum of κ."""
    return options.minimum_kappa is not None and bool(left_out.annotators)


def bias_notes(options: ReportOptions, left_out: LeftOut) -> list[Text]:
    """Return what is to be said of agreement if annotators were excluded by κ."""
    if not excluded_by_kappa(options, left_out):
        return []
    return [
        _(
            "Annotators were excluded by their κ, some of whom disagreed by chance. The agreement "
            "of the others is biased upwards."
        )
    ]
