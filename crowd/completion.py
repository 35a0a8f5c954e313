"""Completion: when a participant is done, and where they go then."""

from django.conf import settings
from django.urls import reverse

from annotation.judging.practice_tries import failed_practice
from annotation.judging.queue import is_any_free, is_any_left, reserved_sentences
from annotation.models import Membership, Project, User
from annotation.process import clock
from annotation.selectors.annotator_progress import AnnotatorStatus, load_status
from crowd.models import Participant
from crowd.start_links import is_allowed
from evaluation.services.quality import check_if_small, has_open_flag


def complete(*, user: User, status: AnnotatorStatus, **_signal: object) -> str | None:
    """Return the path of the completion page if the user is a participant and done; else None.

    They are done when they have judged the requested number of sentences; or at least one, and no
    sentence is left for them or can be returned by others. The first time is recorded and final.
    While judging, or the participant, is paused, only the first condition counts. Where the link
    has a code for flagged participants, those whom a rule has flagged get it, and those whom it has
    paused are done.
    """
    participant = participation(user, status.project)
    if participant is None:
        return None
    if participant.completed is None:
        if not (_is_done(user, status) or _is_stopped(participant, status)):
            return None
        # Of two requests at once, the first one counts.
        Participant.objects.filter(pk=participant.pk, completed=None).update(
            completed=clock.now(), code=_code_for(participant)
        )
    return reverse("crowd-done", args=[status.project.pk])


def _is_done(user: User, status: AnnotatorStatus) -> bool:
    if status.most_left == 0:
        return True
    if status.project.state != Project.State.OPEN or status.paused or not status.assignments:
        return False
    return not is_any_left(user, status.project)


def _is_stopped(participant: Participant, status: AnnotatorStatus) -> bool:
    """Tell whether a rule has paused the participant, who gets the code for flagged ones."""
    if not participant.link.flagged_code or not status.assignments:
        return False
    project = status.project
    return is_paused(participant) and has_open_flag(project, participant.user)


def _code_for(participant: Participant) -> str:
    link = participant.link
    if not link.flagged_code:
        return link.code
    # The last check was before the last sentences.
    check_if_small(link.project)
    return link.flagged_code if has_open_flag(link.project, participant.user) else link.code


def is_paused(participant: Participant) -> bool:
    of_project = Membership.objects.filter(project=participant.link.project_id)
    return of_project.filter(user=participant.user_id, paused=True).exists()


def has_more(participant: Participant) -> bool:
    """Tell whether a participant who was done because nothing was left can now go on."""
    project = participant.link.project
    progress = load_status(participant.user, project.pk)
    if progress is None or not progress.may_judge_now or progress.most_left == 0:
        return False
    user = participant.user
    if is_paused(participant) or failed_practice(user, project):
        return False
    return is_any_free(user, project) or reserved_sentences(user, project).exists()


def participation(annotator: User, project: Project) -> Participant | None:
    """Return the annotator as participant in this project, or None. One query."""
    found = Participant.objects.select_related("link__project", "user")
    return found.filter(user=annotator, link__project=project).first()


def address_at_the_end(participant: Participant) -> str:
    """Return the return URL; "" if there is none or it is no longer allowed.

    Participants with the code for flagged ones have none, because a URL may have the other code.
    """
    link = participant.link
    if link.flagged_code and participant.code == link.flagged_code:
        return ""
    return link.address if is_allowed(link.address, settings.CROWD_HOSTS) else ""
