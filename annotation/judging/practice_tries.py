"""Tries at practice, where a project asks for a share of right answers before other sentences."""

from dataclasses import dataclass
from logging import getLogger

from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.common.transactions import locked_by_id, retried, writing
from annotation.judging.practice_comparisons import Agreed
from annotation.judging.practice_results import practice_result, practised
from annotation.judging.queue import practice_left
from annotation.models import Assignment, Membership, Project, User

log = getLogger(__name__)


@dataclass(frozen=True)
class FailedPractice:
    """A finished practice round with fewer right answers than the project asks for, in percent."""

    result: Agreed
    asked: int
    tries_left: int

    def __str__(self) -> str:
        words = _("You had %(right)d of %(all)d right; this project asks for %(asked)d %%.") % {
            "right": self.result.agreed,
            "all": self.result.pairs,
            "asked": self.asked,
        }
        if self.tries_left:
            then = ngettext(
                "You can practise again (%(tries)d try left).",
                "You can practise again (%(tries)d tries left).",
                self.tries_left,
            ) % {"tries": self.tries_left}
        else:
            then = _("An administrator of the project can let you practise again.")
        return f"{words} {then}"


def failed_practice(annotator: User, project: Project) -> FailedPractice | None:
    """Return the annotator's round if it keeps them from other sentences; else None.

    No query where the project asks for no share of right answers, at most six elsewhere.
    """
    asked = project.share_asked
    if asked is None or practice_left(annotator).filter(project=project).exists():
        return None
    result = practice_result(annotator, project)
    if result.agreed * 100 >= asked * result.pairs:
        return None
    used = 1 + _former_tries(annotator, project)
    return FailedPractice(result, asked, max(project.practice_tries - used, 0))


@retried
def practise_again(*, annotator: User, project: Project, by: User | None = None) -> bool:
    """Discard a round that failed, so that its sentences come again; return False if none did.

    The annotator needs a try that is left, unless an administrator, `by`, gives them one.
    """
    with writing():
        # Of two requests at once, the second one finds a round that is not finished.
        locked_by_id(Membership.objects.filter(user=annotator, project=project))
        failed = failed_practice(annotator, project)
        if failed is None or not (failed.tries_left or by):
            return False
        discarded = practised(annotator, project).update(
            state=Assignment.State.DISCARDED, discarded_with_sentence=True
        )
    log.info(
        "User %s practises again in project %s: %s assignments discarded by user %s.",
        annotator.pk,
        project.pk,
        discarded,
        (by or annotator).pk,
    )
    return True


def _former_tries(annotator: User, project: Project) -> int:
    """Return how often the annotator's rounds were discarded: a new sentence has fewer tries."""
    discarded = Assignment.objects.filter(
        annotator=annotator,
        project=project,
        kind=Assignment.Kind.PRACTICE,
        state=Assignment.State.DISCARDED,
    )
    times = discarded.values("sentence").annotate(times=Count("pk")).order_by("-times")
    return times.values_list("times", flat=True).first() or 0
