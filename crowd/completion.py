"""Completion: when a participant is done, and where they go then."""

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from annotation.judging.queue import free_sentences, reserved_sentences, unjudged_sentences
from annotation.models import Project, User
from annotation.selectors.annotator_progress import AnnotatorStatus, load_status
from crowd.models import Participant, StartLink
from crowd.start_links import is_allowed


def complete(*, user: User, status: AnnotatorStatus, **_signal: object) -> str | None:
    """Return the path of the completion page if the user is a participant and done; else None.

    They are done when they have judged the requested number of sentences; or at least one, and no
    sentence is left for them or can be returned by others. The first time is recorded and final.
    While judging, or the participant, is paused, only the first condition counts.
    """
    participant = participation(user, status.project)
    if participant is None:
        return None
    if participant.completed is None and not _is_done(user, status):
        return None
    # Of two requests at once, the first one counts.
    Participant.objects.filter(pk=participant.pk, completed=None).update(
        completed=timezone.now(), code=participant.link.code
    )
    return reverse("crowd-done", args=[status.project.pk])


def _is_done(user: User, status: AnnotatorStatus) -> bool:
    if status.most_left == 0:
        return True
    if status.project.state != Project.State.OPEN or status.paused or not status.assignments:
        return False
    return not unjudged_sentences(user, status.project).exists()


def has_more(participant: Participant) -> bool:
    """Tell whether a participant who was done because nothing was left can now go on."""
    project = participant.link.project
    progress = load_status(participant.user, project.pk)
    if progress is None or not progress.may_judge_now or progress.most_left == 0:
        return False
    user = participant.user
    return free_sentences(user, project).exists() or reserved_sentences(user, project).exists()


def participation(annotator: User, project: Project) -> Participant | None:
    """Return the annotator as participant in this project, or None. One query."""
    found = Participant.objects.select_related("link__project", "user")
    return found.filter(user=annotator, link__project=project).first()


def address_at_the_end(link: StartLink) -> str:
    """Return the return URL; "" if there is none or it is no longer allowed."""
    return link.address if is_allowed(link.address, settings.CROWD_HOSTS) else ""
