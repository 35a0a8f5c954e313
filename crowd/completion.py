"""The end of a participant's work: when it is reached, and that it is written down."""

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from annotation.judging.completion import AnnotatorStatus
from annotation.judging.queue import free_sentences, unjudged_sentences
from annotation.models import Project, User
from annotation.selectors.annotator_progress import load_status
from crowd.models import Participant, StartLink
from crowd.return_urls import is_allowed


def ending(annotator: User, progress: AnnotatorStatus) -> str | None:
    """Return where a participant is told that he is done, who is given nothing more.

    That is when he has judged as many sentences as he was asked for; or some at least, and none is
    left for him, nor can come back from the hands of others. It is written down the first time, and
    then stays. None for all others, and while judging is paused.
    """
    participant = participation(annotator, progress.project)
    if participant is None:
        return None
    if participant.completed is None and not _is_done(annotator, progress):
        return None
    # Of two requests at once the first one says when.
    Participant.objects.filter(pk=participant.pk, completed=None).update(
        completed=timezone.now(), code=participant.link.code
    )
    return reverse("crowd-done", args=[progress.project.pk])


def _is_done(annotator: User, progress: AnnotatorStatus) -> bool:
    if progress.most_left == 0:
        return True
    if progress.project.state != Project.State.OPEN or not progress.judged_by_me:
        return False
    return not unjudged_sentences(annotator, progress.project).exists()


def has_more(participant: Participant) -> bool:
    """Tell whether somebody can go on who was done because nothing was left, and now there is."""
    project = participant.link.project
    progress = load_status(participant.user, project.pk)
    if progress is None or not progress.may_judge_now or progress.most_left == 0:
        return False
    return free_sentences(participant.user, project).exists()


def participation(annotator: User, project: Project) -> Participant | None:
    """Return the annotator as he came to the project by a start link, or None. One query."""
    found = Participant.objects.select_related("link__project", "user")
    return found.filter(user=annotator, link__project=project).first()


def address_at_the_end(link: StartLink) -> str:
    """Return where people are sent back to; "" where that is nowhere, or not allowed any more."""
    return link.address if is_allowed(link.address, settings.CROWD_HOSTS) else ""
