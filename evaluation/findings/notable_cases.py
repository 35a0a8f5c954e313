"""Notable cases: the segments with the least agreement, the sentences that separate systems."""

from collections.abc import Sequence
from dataclasses import replace

from evaluation.findings.evidence import Evidence
from evaluation.rendering.tables import Column, Count, Name, Number, OutOf, SentenceLink, Table
from evaluation.rendering.text import _
from evaluation.stats.agreement.disputes import Contrast, Dispute, most_contrasting, most_disputed


def compute_disputed(evidence: Evidence) -> tuple[Dispute, ...]:
    disputed = most_disputed(evidence.judgements)
    words = evidence.words([dispute.segment for dispute in disputed])
    return tuple(replace(each, words=words.get(each.segment, "")) for each in disputed)


def compute_contrasts(evidence: Evidence) -> tuple[Contrast, ...]:
    return tuple(most_contrasting(evidence.judgements, cells=evidence.cells))


def disputed_tables(found: Sequence[Dispute], signature: str) -> list[Table]:
    return [
        Table.of(
            "disputed-segments",
            _("Segments or sentences with the least agreement."),
            (
                Column("sentence", _("Sentence"), Count()),
                Column(
                    "words",
                    _("Source"),
                    SentenceLink(),
                    lambda row: (row.words, row.sentence, row.segment),
                ),
                Column("judgements", _("Judgements"), Count()),
                Column("annotators", _("Annotators"), Count()),
                Column("agree compared", _("Agree"), OutOf()),
                Column("reversed", _("Opposite"), Count()),
            ),
            found,
            notes=(
                _(
                    "“Agree” counts pairs of candidates that two judgements order the same way; "
                    "“Opposite” counts pairs where one judgement prefers the first candidate and "
                    "the other the second."
                ),
                *(
                    [_("The words of the segments are unknown.")]
                    if found and not any(row.words for row in found)
                    else []
                ),
            ),
            details=[signature],
        )
    ]


def contrast_tables(found: Sequence[Contrast], signature: str) -> list[Table]:
    return [
        Table.of(
            "contrasting-sentences",
            _("Sentences with the largest difference between systems."),
            (
                Column(
                    "sentence",
                    _("Sentence"),
                    SentenceLink(),
                    lambda row: (row.sentence, row.sentence, None),
                ),
                Column("judgements", _("Judgements"), Count()),
                Column("best", _("Best"), Name()),
                Column("best_score", _("Net wins"), Number(2)),
                Column("worst", _("Worst"), Name()),
                Column("worst_score", _("Net wins"), Number(2)),
                Column("spread", _("Difference"), Number(2)),
            ),
            found,
            notes=[
                _(
                    "The difference is that between the net wins of the best and the worst system, "
                    "smoothed by one judgement in which all systems tie. Net wins: from −1 (all "
                    "comparisons lost) to 1 (all won)."
                )
            ],
            details=[signature],
        )
    ]
