"""What the filters of a report excluded."""

from evaluation.rendering.tables import Column, Count, Name, Number, Table
from evaluation.rendering.text import _
from evaluation.stats.annotators.exclusion import LeftOut


def tables(found: LeftOut, signature: str) -> list[Table]:
    """Return the excluded annotators, with the figures that the filters use."""
    if not found.annotators:
        return []
    return [
        Table.of(
            "excluded-annotators",
            _("Excluded annotators"),
            (
                Column("annotator", _("Annotator"), Name()),
                Column("judgements", _("Judgements"), Count()),
                Column("kappa_intra", _("κ intra"), may_be_empty=True),
                Column("sentences_intra", _("Sentences"), Count()),
                Column("kappa_inter", _("κ inter"), may_be_empty=True),
                Column("sentences_inter", _("Sentences"), Count()),
                Column("controls", _("Share of controls passed"), Number(2), may_be_empty=True),
            ),
            found.annotators,
            details=[signature],
        )
    ]
