"""Translated texts of reports: what is sampled, reasons, words of figures, ages."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.kinds import kind_of
from annotation.models import Project
from evaluation.rendering.figures.style import Words
from evaluation.stats.units import UnitName

# What intervals and tests sample, by the name of the unit.
SAMPLED: Final[Mapping[UnitName, Any]] = {
    "sentence": gettext_lazy("single sentences"),
    "document": gettext_lazy("documents"),
    "block": gettext_lazy("blocks of sentences"),
}

SAMPLED_PARAGRAPHS: Final[Mapping[UnitName, Any]] = {
    **SAMPLED,
    "sentence": gettext_lazy("single paragraphs"),
    "block": gettext_lazy("blocks of paragraphs"),
}

# Reasons for undefined figures in `stats`, listed here for translation.
CLAUSES = (
    gettext_lazy("no time is known"),
    gettext_lazy("it is unknown who judged, or when"),
    gettext_lazy("the times of these segments cannot be told from those of others"),
    gettext_lazy("the times of sentences are not the sum of those of their segments"),
    gettext_lazy("no control sentence was judged"),
    gettext_lazy("no sentence was judged twice"),
    gettext_lazy("there were no two candidates to compare"),
    gettext_lazy("no sentence was judged by another annotator"),
    gettext_lazy("the other annotators of the same sentences are flagged"),
    gettext_lazy("all candidates are always tied"),
    gettext_lazy("no order of three or more candidates on the page is known"),
    gettext_lazy("no two judgements of the same candidates to compare"),
    gettext_lazy("the system has too few scores in common with the others"),
    gettext_lazy("fewer than two systems have scores"),
    gettext_lazy("no score is left after the filters"),
    gettext_lazy("the whole outputs of the systems are unknown"),
    gettext_lazy(
        "only a sample of the segments is judged, and predictions are for whole sentences"
    ),
    gettext_lazy("all candidates are always tied, so agreement is meaningless"),
    gettext_lazy("no two annotators judged the same candidates"),
    gettext_lazy("all compared pairs agree"),
    gettext_lazy("in each pair of judgements, one has only ties"),
    gettext_lazy("no judged segment has a candidate of the system"),
    gettext_lazy("the system was never judged together with another one"),
    gettext_lazy("the system tied in every comparison"),
    gettext_lazy(
        "some systems never lost or tied against the others, or were never compared with them, so "
        "their strengths have no finite estimate"
    ),
    gettext_lazy("too many ties to estimate strengths"),
    gettext_lazy("fewer than two sentences were judged"),
    gettext_lazy("fewer than two documents were judged"),
    gettext_lazy("fewer than two blocks were judged"),
    gettext_lazy("the figure comes from fewer than 10 sentences"),
    gettext_lazy("the figure comes from fewer than 10 documents"),
    gettext_lazy("the figure comes from fewer than 10 blocks"),
    gettext_lazy("the figure comes from fewer than 10 comparisons"),
    gettext_lazy("the figure is the same in all resamples"),
    gettext_lazy("the figure is undefined in all resamples"),
    gettext_lazy("too many resamples have no finite value on this side"),
    gettext_lazy("fewer than 3 annotators"),
    gettext_lazy("some annotators are unknown"),
    gettext_lazy("fewer than two annotators"),
    gettext_lazy("the system has no score"),
    gettext_lazy("the system has fewer than two documents in common with the others"),
    gettext_lazy("the system cannot be told from the annotators or from what stood beside it"),
    gettext_lazy("without one of the documents, the systems could not be compared"),
    gettext_lazy("the effect cannot be told from that of the systems"),
    gettext_lazy("all systems have the same score over all sentences"),
    gettext_lazy("the scores are undefined, or the same in all resamples"),
    gettext_lazy("no pair of systems has a winner in 10 sentences or more"),
    gettext_lazy("no pair of systems has a winner in 10 documents or more"),
    gettext_lazy("no pair of systems has a winner in 10 blocks or more"),
    gettext_lazy("the order in which sentences were judged is unknown"),
    gettext_lazy("the share is the same on all screens of each annotator"),
    gettext_lazy("the positions of candidates are unknown, or all candidates always tied"),
    gettext_lazy("fewer than 30 sentences have known times and order"),
    gettext_lazy("no sentence was judged both as a whole and by segments"),
    gettext_lazy("all comparisons of the segments of these sentences are ties"),
    # About scores of single translations.
    gettext_lazy("the annotator assessed no such control item"),
    gettext_lazy("the annotator assessed only one such control item"),
    gettext_lazy("all differences are equal"),
    gettext_lazy("degraded"),
    gettext_lazy("references"),
    gettext_lazy("low references"),
    gettext_lazy("hasty"),
    gettext_lazy("constant"),
    # About answers on a scale.
    gettext_lazy("no candidate of the system was judged"),
    gettext_lazy("all answers are the middle step of the scale"),
    gettext_lazy("the two systems were never judged together"),
    gettext_lazy("no output of the system was corrected or needed no corrections"),
    gettext_lazy("no judged text is identical to one of the system"),
    gettext_lazy("the system has no text where others were judged"),
    gettext_lazy("every text of the system is identical to one of another system"),
    gettext_lazy("no annotator judged an item twice"),
    gettext_lazy("no two annotators judged the same item"),
    # About scores and marked errors.
    gettext_lazy("all scores are equal"),
    gettext_lazy("no error was marked in any of them"),
    gettext_lazy("no sheet was judged in this way"),
    gettext_lazy("no times are known"),
    gettext_lazy("no error was marked"),
    gettext_lazy("no scores were given"),
    # About metrics.
    gettext_lazy(
        "at least half of the systems have the same score, so that all others are outliers"
    ),
    gettext_lazy("fewer than 10 systems: the test is weak, and metrics of little merit can win"),
    gettext_lazy("the metric lacks a score of a compared system"),
    gettext_lazy("the metric lacks a score of a segment"),
    gettext_lazy("fewer than 3 systems"),
    gettext_lazy("fewer than 2 systems"),
    gettext_lazy("the metric gives all systems the same score"),
    gettext_lazy("people give all systems the same score"),
    gettext_lazy("there are no segment scores"),
    gettext_lazy("people judged fewer than 10 sentences for all of these systems"),
    gettext_lazy("people compared no two translations"),
    gettext_lazy("the rule counts none of the comparisons"),
    gettext_lazy("the metric has no score of some of the compared translations"),
    gettext_lazy("no group has two scores of both people and the metric"),
    gettext_lazy("people or the metric tie everything in each group"),
)


def figure_words() -> Words:
    """Return the texts of figures in the reader's language."""
    return Words(
        decimal=str(get_format("DECIMAL_SEPARATOR")),
        system=_("System"),
        score=_("Score"),
        rank=_("Rank"),
        row=_("System"),
        column=_("Compared with"),
        share_of_wins=_("Share of wins"),
        p=_("p (Holm)"),
        annotator=_("Annotator"),
        other=_("Other annotator"),
        kappa="κ",
        pairs=_("Pairs compared"),
        sentences=_("Sentences judged"),
        tau=_("τ to the ranking of all"),
        width=_("Width of the interval"),
        change=_("Change of the time for a judgement, per 100 sentences"),
        together=_("Together"),
        people=_("Score by people"),
        outlier=_("Outlier"),
        outlier_or_not=_("Mark"),
    )


def sampled_units(project: Project) -> Mapping[UnitName, Any]:
    """Return what the reports of the project call the units that they sample."""
    return SAMPLED_PARAGRAPHS if kind_of(project).unit.is_document else SAMPLED


def age(passed: timedelta) -> str:
    """Return the age in its largest unit."""
    minutes = int(passed.total_seconds() // 60)
    if minutes < 1:
        return _("just now")
    if minutes < 60:
        return ngettext("%(n)d minute ago", "%(n)d minutes ago", minutes) % {"n": minutes}
    hours = minutes // 60
    if hours < 48:
        return ngettext("%(n)d hour ago", "%(n)d hours ago", hours) % {"n": hours}
    days = hours // 24
    return ngettext("%(n)d day ago", "%(n)d days ago", days) % {"n": days}
