"""Answers on a scale: systems by grade, the share of each answer, agreement about answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.findings.agreement import Measure, measures_table
from evaluation.findings.evidence import Evidence
from evaluation.rendering.tables import (
    Column,
    Count,
    CountedShare,
    Name,
    P,
    Table,
    estimate_columns,
    missing_figures,
)
from evaluation.rendering.text import Listed, Quantity, Text, _
from evaluation.stats.agreement.labels import (
    LabelAgreement,
    LabelAgreementReport,
    label_candidates,
    measure_labels,
)
from evaluation.stats.ranking.mean_grades import GradeDifferences, compare_grades
from evaluation.stats.ranking.scale_answers import AnsweredSystem, ScaleAnswers


@dataclass(frozen=True)
class Answers:
    """Answers on a scale, whose `steps` are labels from the best, and `grades` what they count as.

    The labels are English, and translated where they are shown, unless they are the project's own.
    `pairs` are by mean grades. `undecided` is the step that says neither yes nor no, and
    `decided_agreement` leaves it out; both are None if there is no such step.
    """

    steps: tuple[str, ...]
    grades: tuple[float, ...]
    own_labels: bool
    undecided: int | None
    by_system: ScaleAnswers
    pairs: GradeDifferences
    agreement: LabelAgreementReport
    decided_agreement: LabelAgreementReport | None

    @property
    def labels(self) -> list[Text | str]:
        """The labels of the steps, as texts if they are to be translated."""
        return [label if self.own_labels else Text(label) for label in self.steps]


def graded(grades: Sequence[float], labels: Sequence[Text | str]) -> Listed:
    """Return each grade with the label of its step; only the label where it is the grade."""
    return Listed(
        [
            label
            if str(label) == f"{grade:g}"
            else Text("%(grade)s – %(label)s", {"grade": _grade(grade), "label": label})
            for grade, label in zip(grades, labels, strict=True)
        ]
    )


def _grade(grade: float) -> Quantity:
    """Return the grade with the decimals that it has."""
    return Quantity(grade, len(f"{grade:g}".partition(".")[2]))


def compute(evidence: Evidence) -> Answers | None:
    """Return the answers; None if candidates were ranked or got scores."""
    if evidence.answers is None:
        return None
    scale, judgements = evidence.scale, evidence.judgements
    judged, labels = label_candidates(judgements)

    def agreement(*left_out: int) -> LabelAgreementReport:
        return measure_labels(
            judged, labels, count=len(scale.grades), left_out=left_out, **evidence.again
        )

    return Answers(
        steps=tuple(scale.steps),
        grades=tuple(scale.grades),
        own_labels=scale.own_labels,
        undecided=scale.undecided,
        by_system=evidence.answers,
        pairs=compare_grades(judgements, scale.grades, **evidence.again),
        agreement=agreement(),
        decided_agreement=None if scale.undecided is None else agreement(scale.undecided - 1),
    )


def tables(found: Answers | None) -> list[Table]:
    if found is None:
        return []
    return [answers_table(found), differences_table(found), agreement_table(found)]


def answers_table(found: Answers) -> Table:
    labels, systems = found.labels, found.by_system.systems
    has_decided = any(row.decided for row in systems)
    # Of two steps, the share of the better one says everything.
    has_interval = has_decided or len(labels) == 2

    def share(step: int) -> Callable[[AnsweredSystem], Any]:
        return lambda row: row.shares[step]

    def counted(step: int) -> Callable[[AnsweredSystem], Any]:
        return lambda row: (row.shares[step].value, row.counts[step])

    best = estimate_columns(
        "best", _("%(answer)s / all", answer=labels[0]), share(0), prefix="best_", is_main=False
    )
    decided = estimate_columns(
        "decided",
        Text("%(best)s / (%(best)s + %(worst)s)", {"best": labels[0], "worst": labels[-1]}),
        lambda row: row.decided,
        prefix="decided_",
        is_main=False,
    )
    return Table.of(
        "answers",
        _("Systems by the mean grade of their candidates, and the share of each answer."),
        (
            Column("system", _("System"), Name()),
            Column("sentences", _("Sentences"), Count()),
            Column("answers", _("Answers"), Count(), lambda row: sum(row.counts)),
            *estimate_columns("grade", _("Grade"), lambda row: row.grade, prefix="grade_"),
            *(
                Column(f"share_{step} count_{step}", label, CountedShare(), counted(step - 1))
                for step, label in enumerate(labels, 1)
            ),
            *(decided if has_decided else ()),
            *(best if has_interval else ()),
        ),
        systems,
        notes=(
            _(
                "Each answer has a grade: %(grades)s. A candidate counts for each system that "
                "produced it, every time it was judged.",
                grades=graded(found.grades, labels),
            ),
            *only_these_annotators(found.by_system.only_sentences),
            *missing_figures(
                (row.system, figure)
                for row in systems
                for figure in (row.grade, *([row.decided] if has_decided else []))
            ),
        ),
        details=[found.by_system.signature],
    )


def only_these_annotators(why: str) -> list[Text]:
    """Return what intervals cannot say; nothing if there are some for other annotators too."""
    if not why:
        return []
    return [
        _(
            "Intervals say what other sentences judged by the same annotators would give. They "
            "cannot say what other annotators would find: %(why)s.",
            why=Text(why),
        )
    ]


def differences_table(found: Answers) -> Table:
    pairs = found.pairs
    return Table.of(
        "grade-differences",
        _(
            "By how much the mean grade of the system in the first column is above that of the "
            "other."
        ),
        (
            Column("system", _("System"), Name()),
            Column("other", _("Compared with"), Name()),
            Column("compared", _("Judgements"), Count()),
            *estimate_columns("value", _("Difference"), lambda pair: pair.difference),
            Column("p", _("p, other sentences"), P()),
            Column("p_holm", _("p (Holm)"), P()),
            Column("wide_p_holm", _("p (Holm), other annotators too"), P(), may_be_empty=True),
        ),
        pairs.pairs,
        notes=(
            _(
                "The grade of the first system less that of the other, over the judgements that "
                "graded both. p is that of an exact sign-flip test, corrected for the number of "
                "pairs (Holm)."
            ),
            *(
                []
                if pairs.only_sentences
                else [
                    _(
                        "For other annotators too, it is not below that of Student’s t that takes "
                        "annotators for a sample."
                    )
                ]
            ),
            *missing_figures(
                (f"{pair.system} – {pair.other}", pair.difference) for pair in pairs.pairs
            ),
        ),
        details=[pairs.signature],
    )


def agreement_table(found: Answers) -> Table:
    parts = [
        (_("Intra-annotator κ"), _("Inter-annotator κ"), found.agreement),
    ]
    if found.decided_agreement and found.undecided:
        middle = found.labels[found.undecided - 1]
        parts.append(
            (
                _("Intra-annotator κ without “%(answer)s”", answer=middle),
                _("Inter-annotator κ without “%(answer)s”", answer=middle),
                found.decided_agreement,
            )
        )
    rows = [
        _measure(name, each.expected, of)
        for intra, inter, each in parts
        for name, of in ((intra, each.intra), (inter, each.inter))
    ]
    return measures_table(
        "agreement-of-answers",
        _(
            "Agreement of annotators with themselves (intra) and with each other (inter) about the "
            "answer for a candidate."
        ),
        rows,
        (
            Column("agree", _("Agree"), Count()),
            Column("compared", _("Compared"), Count()),
            Column("observed", "P(A)"),
            Column("expected", "P(E)"),
        ),
        notes=[
            _(
                "κ is 1 if two judgements of a candidate always give the same answer, and 0 if "
                "they do so as often as by chance. By chance all answers are equally likely."
            )
        ],
        details=[each.signature for _intra, _inter, each in parts],
        scaled=True,
    )


def _measure(name: Text, expected: float, found: LabelAgreement) -> Measure:
    return Measure(
        name,
        found.kappa,
        _(
            "agree on %(agree)s of %(compared)s pairs",
            agree=found.agree,
            compared=found.compared,
        ),
        {
            "agree": found.agree,
            "compared": found.compared,
            "observed": found.observed,
            "expected": expected,
        },
        read=True,
    )
