"""What is said of a report in the reader's language."""

from datetime import timedelta

from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from evaluation.report.figures.style import Words

METHODS = {
    "ratio_of_wins": gettext_lazy("Ratio of wins"),
    "ratio_with_ties": gettext_lazy("Ratio with ties"),
    "expected_wins": gettext_lazy("Expected wins"),
    "bradley_terry": gettext_lazy("Bradley–Terry"),
    "skill": gettext_lazy("Skill"),
}
METHODS_EXPLAINED = {
    "ratio_of_wins": gettext_lazy(
        "Wins / (wins + losses) over all comparisons with other systems; ties do not count. One "
        "half means as often better as worse."
    ),
    "ratio_with_ties": gettext_lazy(
        "(Wins + ties) / all comparisons, as at WMT until 2011. Whoever is like many others "
        "gains by it."
    ),
    "expected_wins": gettext_lazy(
        "The share of wins against each other system, averaged over them: how likely the system "
        "is to win against one drawn at random. Every opponent weighs the same."
    ),
    "bradley_terry": gettext_lazy(
        "The strength that explains best who won against whom, ties included; 0 is the middle of "
        "all systems. It allows for the strength of the opponents."
    ),
    "skill": gettext_lazy(
        "A rating updated judgement by judgement, as TrueSkill does it for games. σ is its own "
        "uncertainty: it takes the comparisons of one judgement for independent, so it is smaller "
        "than it honestly is."
    ),
}

# Why a figure is undefined, as those who compute it say: named here so that they are translated.
CLAUSES = (
    gettext_lazy("no two judgements of the same candidates to compare"),
    gettext_lazy("all candidates are always tied, so that agreement means nothing"),
    gettext_lazy("no two annotators judged the same candidates"),
    gettext_lazy("in every two judgements to compare, one has only ties"),
    gettext_lazy("the system was never judged together with another one"),
    gettext_lazy("the system tied in every comparison"),
    gettext_lazy(
        "some systems never lost or tied against the others, or were never compared with them, "
        "so that no finite strengths fit best"
    ),
    gettext_lazy("too few comparisons without a tie contradict each other to estimate strengths"),
    gettext_lazy("fewer than two sentences were judged"),
    gettext_lazy("fewer than 10 sentences"),
    gettext_lazy("no system is better than another one over all sentences"),
    gettext_lazy("the scores are undefined, or the same in all resamples"),
    gettext_lazy("nobody is known to have judged one sentence after another"),
    gettext_lazy("it is the same on all screens of each annotator"),
    gettext_lazy("it is not known where candidates stood, or none was ever better"),
    gettext_lazy("it is known of fewer than 30 sentences that were judged one after another"),
    gettext_lazy("no sentence was judged both as a whole and by its segments"),
    gettext_lazy("no comparison of whole sentences meets one of their segments that is no tie"),
)


def figure_words() -> Words:
    """Return what stands in figures."""
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
        change=_("Change of the time for a segment, per 100 sentences"),
        together=_("Together"),
    )


def age(passed: timedelta) -> str:
    """Return how long ago something was, in its largest unit."""
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
