"""One annotator in one project: membership, settings and history, read once per request."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from django.db.models import Exists

from annotation.kinds import kind_of
from annotation.models import Assignment, Membership, Project, Reservation, User
from annotation.projects.permissions import LARGEST_ID, Rights

# Practice in these states is over: the annotator never gets that sentence again.
DONE = (Assignment.State.SUBMITTED, Assignment.State.SKIPPED)

KIND_AND_STATE = attrgetter("kind", "state")


class PastAssignment(NamedTuple):
    """One assignment, with columns of its sentence; `is_excluded` is never True for a copy.

    `created` is there in projects whose sheets can be in batches. Times are slow to read.
    """

    pk: int
    kind: str
    state: str
    version: int
    sentence: int
    current_version: int
    copy_of: int | None
    is_excluded: bool
    created: datetime | None = None

    @property
    def source(self) -> int:
        """The sentence, or the one that it copies."""
        return self.copy_of or self.sentence

    @property
    def is_copy(self) -> bool:
        return self.copy_of is not None

    @property
    def is_current(self) -> bool:
        """Whether no system has added candidates to the sentence since."""
        return self.version >= self.current_version


@dataclass(frozen=True)
class History:
    """All assignments of one annotator in one project, latest first."""

    rows: list[PastAssignment]

    @cached_property
    def given(self) -> list[tuple[str, int]]:
        """Kind and source of the assignments that are open or submitted, without practice."""
        return [
            (row.kind, row.source)
            for row in self.rows
            if row.state in Assignment.ACTIVE_STATES and row.kind != Assignment.Kind.PRACTICE
        ]

    @property
    def has_open(self) -> bool:
        return any(state == Assignment.State.OPEN for _kind, state in self._counts)

    @property
    def has_returned(self) -> bool:
        return any(state == Assignment.State.RETURNED for _kind, state in self._counts)

    @property
    def submitted(self) -> int:
        """The submitted assignments, without practice."""
        return self._without_practice((Assignment.State.SUBMITTED,))

    def finished_before(self, current: int) -> list[tuple[int, int]]:
        """Return number and id of what was submitted, without practice, in the order of assignment.

        Numbers begin with 1. The assignment `current` is left out.
        """
        in_order = [
            row.pk
            for row in reversed(self.rows)
            if row.state == Assignment.State.SUBMITTED
            and row.kind != Assignment.Kind.PRACTICE
            and row.pk != current
        ]
        return list(enumerate(in_order, start=1))

    def latest_submitted(self, most: int) -> list[int]:
        """Return the ids of so many assignments, without practice, that were submitted."""
        submitted = (
            row.pk
            for row in self.rows
            if row.state == Assignment.State.SUBMITTED and row.kind != Assignment.Kind.PRACTICE
        )
        return list(islice(submitted, most))

    @property
    def limited(self) -> int:
        """What a sentence limit counts: the same, and what was discarded, which took as long."""
        return self._without_practice(Assignment.SUBMITTED_STATES)

    @property
    def practised(self) -> int:
        """How many practice sentences the annotator has submitted or skipped."""
        return sum(self._counts[Assignment.Kind.PRACTICE, state] for state in DONE)

    @property
    def excluded(self) -> set[int]:
        """Sources that were excluded since they were assigned."""
        return {row.source for row in self.rows if row.is_excluded}

    def has_had(self, sentence: int) -> bool:
        """Return whether the sentence, which is no copy, cannot be assigned again."""
        return any(
            row.sentence == sentence and row.is_current and row.state not in Assignment.ENDED_STATES
            for row in self.rows
        )

    @property
    def judged_directly(self) -> set[int]:
        """Sentences that the annotator has judged with their present candidates, copies apart."""
        return {
            row.sentence
            for row in self.rows
            if row.state == Assignment.State.SUBMITTED
            and row.kind != Assignment.Kind.PRACTICE
            and row.is_current
            and not row.is_copy
        }

    @cached_property
    def taken(self) -> set[int]:
        """Sources that the annotator judges, has judged or has skipped.

        A sentence that was seen as a copy for control counts only while it is open or submitted.
        """
        return {
            row.source
            for row in self.rows
            if row.state not in Assignment.ENDED_STATES
            and row.kind != Assignment.Kind.PRACTICE
            and (row.state in Assignment.ACTIVE_STATES if row.is_copy else row.is_current)
        }

    def _without_practice(self, states: Collection[str]) -> int:
        return sum(
            number
            for (kind, state), number in self._counts.items()
            if state in states and kind != Assignment.Kind.PRACTICE
        )

    @cached_property
    def _counts(self) -> Counter[tuple[str, str]]:
        """How many assignments are of each kind in each state."""
        return Counter(map(KIND_AND_STATE, self.rows))


@dataclass(frozen=True)
class ProjectAnnotator:
    """An annotator with what the page and the next assignment depend on.

    `has_reserved`: sentences are reserved for them, which they may have judged.
    """

    user: User
    membership: Membership
    has_reserved: bool = False

    @property
    def project(self) -> Project:
        return self.membership.project

    @property
    def rights(self) -> Rights:
        return Rights(self.membership.role, self.user.is_superuser)

    @property
    def may_submit(self) -> bool:
        """Whether what is assigned to the annotator is accepted."""
        return self.rights.may_judge and self.project.state != Project.State.ARCHIVED

    @cached_property
    def history(self) -> History:
        """What the annotator had been assigned when this was first asked. One query."""
        with_times = kind_of(self.project).unit.has_batches
        pk = self.project.pk
        return load_histories(self.user, [pk], with_times=with_times)[pk]

    @property
    def questionnaire_is_due(self) -> bool:
        """Whether the annotator answers the project's questionnaire before they judge."""
        return self.project.state == Project.State.OPEN and self.membership.questionnaire_is_due


def load_annotator(user: User, project_id: int, *, locked: bool = False) -> ProjectAnnotator | None:
    """Return the member of the project, None if the user is no member. One query.

    With `locked`, the membership is locked until the transaction of the caller ends: a member who
    is being removed is removed before, and gets no sentence, or after, and returns it.
    """
    if project_id > LARGEST_ID:
        return None
    reserved = Reservation.objects.filter(annotator=user.pk, sentence__project=project_id)
    memberships = (
        Membership.objects.filter(user=user.pk, project=project_id)
        .select_related("project__stored_counts")
        .annotate(has_reserved=Exists(reserved))
    )
    if locked:
        memberships = memberships.select_for_update(of=("self",), no_key=True)
    membership = next(iter(memberships), None)
    if membership is None or membership.project.delete_after is not None:
        return None
    return ProjectAnnotator(user, membership, membership.has_reserved)


def load_histories(
    user: User, project_ids: Collection[int], *, with_times: bool = False
) -> dict[int, History]:
    """Return the user's history in each of the projects. One query."""
    histories: dict[int, History] = {pk: History([]) for pk in project_ids}
    rows = Assignment.objects.filter(annotator=user.pk, project__in=project_ids)
    columns = (
        "project",
        "pk",
        "kind",
        "state",
        "candidate_version",
        "sentence",
        "sentence__candidate_version",
        "sentence__copy_of",
        "sentence__excluded",
        *(["created"] if with_times else []),
    )
    for project_id, *columns_of in rows.order_by("-created", "-pk").values_list(*columns):
        histories[project_id].rows.append(PastAssignment(*columns_of))
    return histories
