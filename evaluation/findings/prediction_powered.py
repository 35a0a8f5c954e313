"""The ranking by ratio of wins with predictions from the texts of all sentences."""

from evaluation.rendering.tables import (
    Column,
    Count,
    Name,
    Number,
    P,
    Ranks,
    Table,
    interval_column,
)
from evaluation.rendering.text import Quantity, Text, _
from evaluation.reuse.prediction_powered import PoweredRanking


def tables(found: PoweredRanking | None) -> list[Table]:
    return [] if found is None else [systems_table(found), pairs_table(found)]


def systems_table(found: PoweredRanking) -> Table:
    return Table.of(
        "prediction-powered",
        _(
            "Ratio of wins for all %(sentences)s sentences of the project; %(judged)s are judged",
            sentences=found.sentences,
            judged=found.judged,
        ),
        (
            Column("rank", _("Rank"), Count()),
            Column("system", _("System"), Name()),
            Column("plain", _("By judgements"), value=lambda row: row.plain.value),
            interval_column("plain", prefix="plain_"),
            Column("score", _("With predictions"), value=lambda row: row.score.value, is_main=True),
            interval_column("score"),
            Column("best_rank worst_rank", _("Ranks"), Ranks()),
            Column("cluster", _("Cluster"), Count()),
            Column("weight", "λ", Number(2)),
            Column("after_100", _("Width after 100 more")),
            Column("after_1000", _("Width after 1000 more")),
        ),
        found.systems,
        groups=lambda row: row.cluster,
        notes=notes(found),
        details=[found.signature],
    )


def notes(found: PoweredRanking) -> list[Text]:
    if found.undefined:
        return [Text("%(why)s.", {"why": Text(found.undefined)})]
    ratio = Quantity(found.width_ratio, 2)
    return [
        _(
            "A regression learns from the judged sentences how texts tell which candidates win, "
            "and predicts all sentences. The difference between its predictions for all and for "
            "the judged sentences corrects the scores by judgements. This is unbiased if the "
            "judged sentences are a random sample. Intervals are for the sentences of this project "
            "and these annotators, so that nothing is uncertain once all are judged. The ranking "
            "above does not use predictions."
        ),
        *(
            [_("The intervals are %(ratio)s times as wide as those by judgements.", ratio=ratio)]
            if found.width_ratio
            else []
        ),
    ]


def pairs_table(found: PoweredRanking) -> Table:
    return Table.of(
        "prediction-powered-pairs",
        _("How often a system was better than another, with predictions."),
        (
            Column("system", _("System"), Name()),
            Column("other", _("Compared with"), Name()),
            Column("win_rate", _("Share of wins"), value=lambda row: row.win_rate.value),
            interval_column("win_rate"),
            Column("p", "p", P()),
            Column("p_holm", _("p (Holm)"), P()),
        ),
        found.pairs,
        details=[found.signature],
    )
