"""Assign sentences to annotators as leases, and return, release or skip them."""

import random
import time
from datetime import timedelta
from typing import NamedTuple

from django.core.cache import cache
from django.db import IntegrityError
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.common.caching import project_key
from annotation.common.transactions import retried, writing
from annotation.judging import queue
from annotation.judging.aids import aids_of
from annotation.judging.annotator import ProjectAnnotator, load_annotator
from annotation.judging.batches import choose_in_batch, has_batches
from annotation.judging.errors import NotAssigned, NotAvailable
from annotation.judging.given_errors import draw_origin
from annotation.judging.judged_units import judged_unit
from annotation.judging.practice_tries import failed_practice
from annotation.judging.sheet import CandidateText, arrange, candidate_texts, comparable
from annotation.judging.sheet_choice import draw_systems
from annotation.kinds import kind_of
from annotation.models import (
    Assignment,
    Membership,
    Project,
    Sentence,
    ShownCandidate,
    ShownSystem,
    Skip,
    User,
)
from annotation.models.texts import look_at_again
from annotation.process import clock
from annotation.projects.administration import return_open_assignments
from annotation.projects.document_sheets import design_of, fill_sheet
from annotation.projects.instructions import current_instructions_id

# Two annotators rarely want the same sentence. So many failures in a row mean a bug.
ATTEMPTS = 50
# Seconds between two searches for expired leases by one process, unless nothing else is left.
LOOK_FOR_EXPIRED = 10
# Seconds between attempts while other transactions hold all free sentences.
WAIT = 0.05


class NotAMember(Exception):
    """The user may not judge in this project."""


class ProjectNotOpen(Exception):
    """The project is being prepared or is closed."""


@retried
def assign_next(annotator: ProjectAnnotator, *, practise: bool = False) -> Assignment | None:
    """Return the annotator's open assignment, else a new one, or None when nothing is left.

    A new assignment is for practice only with `practise`. It shows its candidates in a random
    order, which is stored. Expired leases of all annotators are returned first; a sentence that
    this annotator had begun is reopened if it is still free. An annotator who is paused, has
    reached the sentence limit, or has had too few right answers in practice, gets None. Raises
    NotAMember and ProjectNotOpen.
    """
    user, project = annotator.user, annotator.project
    for attempt in range(ATTEMPTS):
        if attempt:
            reloaded = load_annotator(user, project.pk)
            if reloaded is None:
                raise NotAMember
            annotator, project = reloaded, reloaded.project
        if not annotator.rights.may_judge:
            raise NotAMember
        if annotator.history.has_open:
            open_one = open_assignment(user, project)
            if open_one is None:
                # It was returned or released a moment ago.
                continue
            renew_lease(open_one)
            return open_one
        if project.state != Project.State.OPEN:
            raise ProjectNotOpen
        try:
            with writing():
                locked = load_annotator(user, project.pk, locked=True)
                if locked is None or not locked.rights.may_judge:
                    raise NotAMember
                if locked.project.state != Project.State.OPEN:
                    raise ProjectNotOpen
                if is_kept_from_more(user, locked.membership, practise=practise):
                    return None
                # What another window of theirs was assigned meanwhile is in the history.
                assignment = _assign(locked, practise=practise)
        except (IntegrityError, Sentence.DoesNotExist):
            # Another annotator, or this one in another tab, was faster; or the project was deleted.
            continue
        if assignment or practise or not queue.is_any_free(user, project):
            return assignment
        # Another transaction holds what is left, to assign it or to add a system.
        time.sleep(WAIT)
    raise RuntimeError(f"No sentence could be assigned in {ATTEMPTS} attempts.")


def open_assignment(annotator: User, project: Project) -> Assignment | None:
    """Return the open assignment with all that its page needs. One query."""
    return (
        Assignment.objects.filter(
            annotator=annotator,
            project=project,
            state=Assignment.State.OPEN,
            project__memberships__user=annotator,
            project__memberships__role__in=Membership.JUDGING,
        )
        .select_related("project", "sentence__copy_of", "instructions", "given")
        .first()
    )


def locked_membership(annotator: User, project: Project) -> Membership | None:
    """Return the membership, locked until the transaction ends; None if they may not judge.

    It has its project as it is now, which is not locked.
    A member who is being removed is removed before, and gets no sentence, or after, and returns it.
    """
    of_project = Membership.objects.filter(user=annotator, project=project)
    judging = of_project.filter(role__in=Membership.JUDGING)
    locked = judging.select_for_update(of=("self",), no_key=True)
    return locked.select_related("project").first()


class Following(NamedTuple):
    """What follows a sentence: the annotator as they are then, and their next assignment."""

    annotator: ProjectAnnotator
    assignment: Assignment


def assign_after_submission(annotator: ProjectAnnotator) -> Following | None:
    """Return what `assign_next` would; None also where a request of its own has to find it.

    The caller is in a transaction, has loaded the annotator with the membership locked, and stored
    a submission. A database error ends that transaction.
    """
    if annotator.project.state != Project.State.OPEN or annotator.questionnaire_is_due:
        return None
    if annotator.history.has_open:
        assignment = open_assignment(annotator.user, annotator.project)
        if assignment:
            renew_lease(assignment)
    elif is_kept_from_more(annotator.user, annotator.membership):
        return None
    else:
        assignment = _assign(annotator, practise=False)
    return Following(annotator, assignment) if assignment else None


def assign_after_skip(annotator: User, project: Project) -> Following | None:
    """Return the same after a sentence was skipped, in a transaction of its own."""
    member = load_annotator(annotator, project.pk)
    if member is None or member.questionnaire_is_due:
        return None
    try:
        assignment = assign_next(member)
    except (NotAMember, ProjectNotOpen):
        return None
    return Following(member, assignment) if assignment else None


def is_kept_from_more(annotator: User, membership: Membership, *, practise: bool = False) -> bool:
    """Return whether the member, whose membership is locked, gets no new sentence."""
    return (
        membership.paused
        or (not practise and has_reached_limit(membership))
        or failed_practice(annotator, membership.project) is not None
    )


def has_reached_limit(membership: Membership) -> bool:
    """Return True if the member, whose membership is locked, has as many sentences as allowed."""
    if membership.sentence_limit is None:
        return False
    assigned = counted_for_limits(membership.project_id).filter(annotator=membership.user_id)
    return assigned.count() >= membership.sentence_limit


def counted_for_limits(project_id: int) -> QuerySet[Assignment]:
    """Return the assignments of the project that count for the sentence limits of members.

    Open, submitted and discarded assignments count, repeats and control items included: they cost
    the same time, and must not be distinguishable. Practice and skipped sentences do not count.
    """
    return Assignment.objects.filter(
        project=project_id, state__in=(Assignment.State.OPEN, *Assignment.SUBMITTED_STATES)
    ).exclude(kind=Assignment.Kind.PRACTICE)


def renew_lease(assignment: Assignment) -> None:
    """Renew the lease of an annotator who opens the page, if less than half is left."""
    now, lease = clock.now(), lease_of(assignment.project)
    if assignment.lease_until is not None and assignment.lease_until - now >= lease / 2:
        return
    assignment.lease_until = now + lease
    Assignment.objects.filter(pk=assignment.pk, state=Assignment.State.OPEN).update(
        lease_until=assignment.lease_until
    )


def lease_of(project: Project) -> timedelta:
    return timedelta(minutes=project.lease_minutes)


def return_expired(project: Project) -> int:
    """Return assignments whose lease has expired to the queue, and return how many.

    The caller is in a transaction. One that another transaction has locked is being submitted or
    returned, so it is left out.
    """
    expired = Assignment.objects.filter(
        project=project, state=Assignment.State.OPEN, lease_until__lt=clock.now()
    )
    unlocked = list(
        expired.select_for_update(skip_locked=True, no_key=True).values_list("pk", flat=True)
    )
    if not unlocked:
        return 0
    returned = Assignment.objects.filter(pk__in=unlocked).update(
        state=Assignment.State.RETURNED, lease_until=None
    )
    look_at_again(unlocked)
    return returned


def put_back_untouched(annotator: ProjectAnnotator) -> None:
    """Return the annotator's open sentence to the queue if practice can take its place.

    A sentence with a draft stays open, and so does practice itself.
    """
    user, project = annotator.user, annotator.project
    if project.state != Project.State.OPEN:
        return
    if queue.sentences_to_practise(user, project).exists():
        untouched = Assignment.objects.filter(
            annotator=user, project=project, state=Assignment.State.OPEN, draft_version=0
        ).exclude(kind=Assignment.Kind.PRACTICE)
        with writing():
            return_open_assignments(untouched)


def release(*, project: Project, assignment_id: int) -> None:
    """Return an open assignment to the queue for the administrator.

    Raises NotAssigned if the project has no such assignment, and NotAvailable if it is not open.
    """
    of_project = Assignment.objects.filter(pk=assignment_id, project=project)
    with writing():
        released = of_project.filter(state=Assignment.State.OPEN).update(
            state=Assignment.State.RETURNED, lease_until=None
        )
        if not released:
            error = NotAvailable if of_project.exists() else NotAssigned
            raise error(_("This assignment is not open any more."))
        look_at_again([assignment_id])


@retried
def skip(
    *, annotator: User, project: Project, assignment_id: int, reason: str, comment: str = ""
) -> None:
    """Return the sentence to the queue, never to be assigned to this annotator again.

    Raises NotAssigned and NotAvailable: what was skipped would not count in the share of right
    answers in practice, so that nothing is skipped where the project asks for one.
    """
    with writing():
        mine = Assignment.objects.filter(pk=assignment_id, project=project, annotator=annotator)
        still_open = mine.filter(state=Assignment.State.OPEN)
        skipped = still_open.exclude(
            kind=Assignment.Kind.PRACTICE,
            project__practice_required=True,
            project__practice_share__isnull=False,
        ).update(state=Assignment.State.SKIPPED, lease_until=None)
        if not skipped:
            if still_open.exists():
                raise NotAvailable(
                    _("Practice cannot be skipped here: the project asks for right answers.")
                )
            error = NotAvailable if mine.exists() else NotAssigned
            raise error(_("This assignment is not open any more."))
        look_at_again([assignment_id])
        Skip.objects.create(
            assignment_id=assignment_id,
            reason=Skip.Reason(reason),
            comment=comment.strip(),
            created=clock.now(),
        )


def create_assignment(
    annotator: User,
    project: Project,
    kind: Assignment.Kind,
    sentence: Sentence,
    slot: int | None = None,
) -> Assignment:
    """Store the assignment of this sentence with the candidates it shows, in random order.

    A sheet that has no systems yet, such as one that was reserved, gets them now. Raises
    NothingToJudge if there are none.
    """
    if _lacks_systems(project, sentence):
        fill_sheet(sentence, draw_systems(project))
    decision = queue.decision_for(kind, annotator, project, sentence)
    answer = kind_of(project).answer
    new = queue.new_candidates(project, sentence, slot, decision)
    candidates = comparable(candidate_texts(new), answer)
    if not candidates:
        # What added systems changed in the sentence may be candidates of decided systems, or one
        # candidate a segment beside those of systems with a sample.
        this = Sentence.objects.filter(pk=sentence.pk)
        if decision and not queue.with_something_to_judge(this, [project]).exists():
            raise queue.NothingToJudge
        decision = None
        candidates = candidate_texts(queue.to_judge(queue.on_sheet(sentence, project), [project]))
        if not candidates:
            raise queue.NothingToJudge
    candidates = _at_once(candidates, kind, annotator, project, sentence)
    now = clock.now()
    assignment = Assignment(
        project=project,
        sentence=sentence,
        annotator=annotator,
        kind=kind,
        slot=slot,
        candidate_version=sentence.candidate_version,
        decision=decision.number if decision else None,
        given=draw_origin(project, kind, [one.candidate_id for one in candidates]),
        created=now,
        shown=now,
        lease_until=now + lease_of(project),
        instructions_id=current_instructions_id(project),
        aids=aids_of(project),
    )
    assignment.save(force_insert=True)
    arranged = arrange(candidates, kind_of(project), sentence, random.SystemRandom())
    ShownCandidate.objects.bulk_create(
        ShownCandidate(assignment=assignment, candidate_id=one.candidate_id, position=one.position)
        for one in arranged.shown
    )
    if arranged.columns:
        ShownSystem.objects.bulk_create(
            ShownSystem(assignment=assignment, system_id=system, column=column)
            for system, column in arranged.columns.of_system.items()
        )
    # The page follows at once and need not read them again.
    assignment.just_shown = arranged
    return assignment


def _lacks_systems(project: Project, sentence: Sentence) -> bool:
    return (
        design_of(project).is_dynamic
        and sentence.purpose == Sentence.Purpose.JUDGE
        and sentence.sheet_probability is None
    )


def _at_once(
    candidates: list[CandidateText],
    kind: Assignment.Kind,
    annotator: User,
    project: Project,
    sentence: Sentence,
) -> list[CandidateText]:
    """Return those that one sheet shows: all, or as many of each segment as the unit has.

    They are a random sample. A repeat shows what was shown before, as far as it is still shown to
    annotators, and a copy for practice or control shows everything.
    """
    most = kind_of(project).unit.most_cards
    if most is None or kind not in Assignment.COUNTED:
        return candidates
    if kind != Assignment.Kind.FIRST:
        before = queue.shown_before(kind, annotator, sentence)
        again = [one for one in candidates if one.candidate_id in before]
        if len(again) > 1:
            return again
    of_segment: dict[int, list[CandidateText]] = {}
    for one in candidates:
        of_segment.setdefault(one.segment_id, []).append(one)
    random_order = random.SystemRandom()
    sampled: list[CandidateText] = []
    for of_one in of_segment.values():
        chosen = set(random_order.sample(range(len(of_one)), min(most, len(of_one))))
        sampled += [one for place, one in enumerate(of_one) if place in chosen]
    return sampled


def _assign(annotator: ProjectAnnotator, *, practise: bool) -> Assignment | None:
    # Looking every time would find nothing most of the time.
    if cache.add(project_key("expired", annotator.project), True, LOOK_FOR_EXPIRED):
        return_expired(annotator.project)
    if annotator.history.has_returned:
        reopened = _reopen(annotator.user, annotator.project)
        if reopened:
            return reopened
    choice = _choose(annotator, practise=practise)
    if choice is None and return_expired(annotator.project):
        choice = _choose(annotator, practise=practise)
    try:
        return _create(annotator, choice)
    except queue.NothingToJudge:
        # Not all is chosen again: a repeat was due or not.
        return _create(annotator, queue.choose_with_candidates(annotator))


def _create(annotator: ProjectAnnotator, choice: queue.Choice | None) -> Assignment | None:
    """Store the assignment of what was chosen, with its progress in a batch."""
    if choice is None:
        return None
    assignment = create_assignment(
        annotator.user, annotator.project, choice.kind, choice.sentence, choice.slot
    )
    assignment.just_in_batch = choice.in_batch
    return assignment


def _choose(annotator: ProjectAnnotator, *, practise: bool) -> queue.Choice | None:
    """Return what is assigned next, None when nothing is left; with `practise` only practice."""
    choice = queue.choose_before_others(annotator, practise=practise)
    if choice or practise:
        return choice
    if has_batches(annotator.project):
        return choose_in_batch(annotator) or queue.choose(annotator, in_batches=True)
    return queue.choose(annotator)


def _reopen(annotator: User, project: Project) -> Assignment | None:
    """Reopen the latest returned assignment that the annotator had begun and that is still free."""
    only_practice = (
        project.practice_required and queue.sentences_to_practise(annotator, project).exists()
    )
    begun = Assignment.objects.filter(
        annotator=annotator,
        project=project,
        state=Assignment.State.RETURNED,
        draft_version__gt=0,
        sentence__retired=False,
        sentence__excluded=False,
    ).order_by("-created")
    # A locked one is being submitted at this moment: PostgreSQL skips it.
    for assignment in begun.select_for_update(skip_locked=True, of=("self",), no_key=True):
        if only_practice and assignment.kind != Assignment.Kind.PRACTICE:
            continue
        if judged_unit(kind_of(project).unit).is_taken_over(assignment):
            continue
        if queue.can_reopen(assignment, project):
            assignment.state = Assignment.State.OPEN
            assignment.lease_until = clock.now() + lease_of(project)
            assignment.save(update_fields=["state", "slot", "lease_until"])
            return assignment
    return None
