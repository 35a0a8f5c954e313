"""One annotator in one project: membership, settings and history, read once per request."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from django.db.models import Exists

from annotation.models import Assignment, Membership, Project, Reservation, User
from annotation.projects.permissions import LARGEST_ID, Rights

# Practice in these states is over: the annotator never gets that sentence again.
DONE = (Assignment.State.SUBMITTED, Assignment.State.SKIPPED)


class PastAssignment(NamedTuple):
    """One assignment: `source` is its sentence, or the sentence that its sentence copies.

    It is current unless a system has added candidates to the sentence since. `is_excluded` says
    whether its sentence is; a copy never is. `submitted` is when, None for what was not submitted.
    """

    pk: int
    kind: str
    state: str
    source: int
    is_copy: bool
    is_current: bool
    is_excluded: bool
    submitted: datetime | None


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
        return any(row.state == Assignment.State.OPEN for row in self.rows)

    @property
    def has_returned(self) -> bool:
        return any(row.state == Assignment.State.RETURNED for row in self.rows)

    @property
    def submitted(self) -> int:
        """The submitted assignments, without practice."""
        return sum(row.state == Assignment.State.SUBMITTED for row in self._without_practice())

    @property
    def limited(self) -> int:
        """What a sentence limit counts: the same, and what was discarded, which took as long."""
        return sum(row.state in Assignment.SUBMITTED_STATES for row in self._without_practice())

    @property
    def excluded(self) -> set[int]:
        """Sources that were excluded since they were assigned."""
        return {row.source for row in self.rows if row.is_excluded}

    @property
    def last_submitted(self) -> PastAssignment | None:
        """The latest submitted assignment, without practice."""
        submitted = [
            row for row in self._without_practice() if row.state == Assignment.State.SUBMITTED
        ]
        return max(submitted, key=lambda row: (row.submitted, row.pk), default=None)

    @property
    def own(self) -> set[int]:
        """Sentences that cannot be assigned again, copies apart."""
        return {
            row.source
            for row in self.rows
            if not row.is_copy and row.is_current and row.state not in Assignment.ENDED_STATES
        }

    @property
    def judged(self) -> set[int]:
        """Sources that the annotator has judged with their present candidates."""
        return {
            row.source
            for row in self._without_practice()
            if row.state == Assignment.State.SUBMITTED and row.is_current
        }

    @property
    def judged_directly(self) -> set[int]:
        """The same without those that were judged only as a copy for control."""
        return {
            row.source
            for row in self._without_practice()
            if row.state == Assignment.State.SUBMITTED and row.is_current and not row.is_copy
        }

    @property
    def taken(self) -> set[int]:
        """Sources that the annotator judges, has judged or has skipped.

        A sentence that was seen as a copy for control counts only while it is open or submitted.
        """
        return {
            row.source
            for row in self._without_practice()
            if (row.state in Assignment.ACTIVE_STATES if row.is_copy else row.is_current)
            and row.state not in Assignment.ENDED_STATES
        }

    @property
    def practised(self) -> int:
        """How many practice sentences the annotator has submitted or skipped."""
        practice = Assignment.Kind.PRACTICE
        return sum(row.kind == practice and row.state in DONE for row in self.rows)

    def _without_practice(self) -> Iterable[PastAssignment]:
        return (row for row in self.rows if row.kind != Assignment.Kind.PRACTICE)


@dataclass(frozen=True)
class ProjectAnnotator:
    """An annotator with what the page and the next assignment depend on.

    `has_reserved`: sentences are reserved for them, which they may have judged.
    """

    user: User
    project: Project
    membership: Membership
    history: History
    has_reserved: bool = False

    @property
    def rights(self) -> Rights:
        return Rights(self.membership.role, self.user.is_superuser)


def load_annotator(user: User, project_id: int) -> ProjectAnnotator | None:
    """Return the member of the project, None if the user is no member. Two queries."""
    if project_id > LARGEST_ID:
        return None
    of_project = Membership.objects.filter(
        user=user, project=project_id, project__delete_after=None
    )
    reserved = Reservation.objects.filter(annotator=user, sentence__project=project_id)
    membership = (
        of_project.select_related("project").annotate(has_reserved=Exists(reserved)).first()
    )
    if membership is None:
        return None
    return ProjectAnnotator(
        user=user,
        project=membership.project,
        membership=membership,
        history=load_histories(user, [project_id])[project_id],
        has_reserved=membership.has_reserved,
    )


def load_histories(user: User, project_ids: Collection[int]) -> dict[int, History]:
    """Return the user's history in each of the projects. One query."""
    histories: dict[int, History] = {pk: History([]) for pk in project_ids}
    rows = Assignment.objects.filter(annotator=user, project__in=project_ids).order_by(
        "-created", "-pk"
    )
    for (
        project_id,
        pk,
        kind,
        state,
        version,
        sentence_id,
        current,
        copy_of,
        excluded,
        submitted,
    ) in rows.values_list(
        "project",
        "pk",
        "kind",
        "state",
        "candidate_version",
        "sentence",
        "sentence__candidate_version",
        "sentence__copy_of",
        "sentence__excluded",
        "submitted",
    ):
        source, is_copy = copy_of or sentence_id, copy_of is not None
        histories[project_id].rows.append(
            PastAssignment(
                pk,
                kind,
                state,
                source,
                is_copy,
                version >= current,
                excluded,
                submitted,
            )
        )
    return histories
