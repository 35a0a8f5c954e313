"""Export of the personal data of a user as JSON."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils import timezone

from annotation.common.batches import pages
from annotation.formats.judgement_lines import GARBAGE
from annotation.models import (
    Assignment,
    Draft,
    Instructions,
    Judgement,
    Skip,
    Submission,
    Upload,
    User,
)
from annotation.preparation.tokens import detokenize
from crowd.models import Participant
from people.models import NewAddress


def personal_data(user: User, *, project_id: int | None = None) -> Iterator[str]:
    """Yield a JSON object in pieces, in constant memory.

    With a project, it is for the project's administrators: only what belongs to it, without email
    and sign-in times; but with the kind of each assignment, which annotators must not learn.
    """
    head = _account(user, is_own=project_id is None) | {
        "memberships": [
            {
                "project": row.project.name,
                "role": row.role,
                "most_sentences": row.most_sentences,
            }
            for row in _within(user.memberships.select_related("project"), project_id)
        ],
        "crowd": [_crowd(row) for row in _participations(user, project_id)],
        "instructions_written": [
            {"project": row.project.name, "version": row.version, "created": _time(row.created)}
            for row in _within(
                Instructions.objects.filter(author=user).select_related("project"), project_id
            )
        ],
    }
    if project_id is None:
        head |= {"sign_in_links": _links(user), "unfinished_projects": _uploads(user)}
    yield json.dumps(head, ensure_ascii=False, indent=1)[:-2] + ',\n "assignments": ['
    separator = "\n"
    given = _within(_given(user), project_id)
    for page in pages(given):
        for assignment in page:
            record = _assignment(assignment, tell_kind=project_id is not None)
            yield separator + json.dumps(record, ensure_ascii=False)
            separator = ",\n"
    yield "\n ]\n}\n"


def _within(rows: QuerySet[Any], project_id: int | None) -> QuerySet[Any]:
    return rows if project_id is None else rows.filter(project=project_id)


def _account(user: User, *, is_own: bool) -> dict[str, Any]:
    known: dict[str, Any] = {
        "made": _time(timezone.now()),
        "user_name": user.username,
        "display_name": user.display_name,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "joined": _time(user.date_joined),
        "may_sign_in": user.is_active,
    }
    if is_own:
        known |= {
            "mail": user.email,
            "mail_to_confirm": _to_confirm(user),
            "last_signed_in": _time(user.last_login),
            "has_password": user.has_usable_password(),
            "runs_installation": user.is_superuser,
        }
    return known


def _to_confirm(user: User) -> str | None:
    wanted = NewAddress.objects.filter(user=user).first()
    return wanted.email if wanted else None


def _participations(user: User, project_id: int | None) -> QuerySet[Participant]:
    rows = Participant.objects.filter(user=user).select_related("link__project")
    return rows if project_id is None else rows.filter(link__project=project_id)


def _crowd(row: Participant) -> dict[str, Any]:
    return {
        "project": row.link.project.name,
        "platform": row.link.platform,
        "participant_id": row.participant_id,
        "visit_id": row.visit,
        "started": _time(row.started),
        "completed": _time(row.completed),
        "completion_code": row.code,
    }


def _links(user: User) -> list[dict[str, Any]]:
    """Return the times of sign-in links; their tokens are not stored."""
    return [
        {"created": _time(row.created), "expires": _time(row.expires), "used": _time(row.used)}
        for row in user.sign_in_links.order_by("pk")
    ]


def _uploads(user: User) -> list[dict[str, Any]]:
    rows = Upload.objects.filter(owner=user).prefetch_related("files").order_by("pk")
    return [
        {
            "created": _time(row.created),
            "settings": row.settings,
            "files": [file.name for file in row.files.all()],
        }
        for row in rows
    ]


def _given(user: User) -> QuerySet[Assignment]:
    judgements = Judgement.objects.select_related("segment").prefetch_related(
        "placements__candidate"
    )
    submissions = Submission.objects.order_by("number").prefetch_related(
        Prefetch("judgements", judgements.order_by("pk"))
    )
    return (
        Assignment.objects.filter(annotator=user)
        .select_related("project", "sentence__copy_of", "instructions", "skip", "draft")
        .prefetch_related(Prefetch("submissions", submissions))
    )


def _assignment(row: Assignment, *, tell_kind: bool) -> dict[str, Any]:
    language = row.project.source_language
    skip: Skip | None = getattr(row, "skip", None)
    draft: Draft | None = getattr(row, "draft", None)
    return {
        "project": row.project.name,
        "sentence": row.sentence.source_number,
        "text": detokenize(row.sentence.token_list, language),
        "practice": row.kind == Assignment.Kind.PRACTICE,
        **({"kind": row.kind} if tell_kind else {}),
        "state": row.state,
        "given": _time(row.created),
        "shown": _time(row.shown),
        "submitted": _time(row.submitted),
        "instructions": row.instructions.version if row.instructions else None,
        "skipped": skip and {"reason": skip.reason, "comment": skip.comment},
        "draft": draft
        and {
            "saved": _time(draft.saved),
            "active_seconds": draft.active_seconds,
            "choices": draft.choices,
        },
        "submissions": [_submission(row, submission) for submission in row.submissions.all()],
    }


def _submission(assignment: Assignment, row: Submission) -> dict[str, Any]:
    tokens = assignment.sentence.token_list
    return {
        "number": row.number,
        "created": _time(row.created),
        "active_seconds": row.active_seconds,
        "judgements": [
            {
                "segment": " ".join(tokens[index] for index in judgement.segment.indices),
                "seconds": judgement.seconds,
                "ranks": [
                    [placed.candidate.text, GARBAGE if placed.rank is None else placed.rank]
                    for placed in judgement.placements.all()
                ],
            }
            for judgement in row.judgements.all()
        ],
    }


def _time(moment: datetime | None) -> str | None:
    return moment.isoformat(timespec="seconds") if moment else None
