"""Export of the personal data of a user as JSON."""

import json
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Prefetch, Q, QuerySet

from annotation.common.batches import pages
from annotation.formats.judgement_lines import GARBAGE
from annotation.formats.tokens import TokenizedText
from annotation.kinds import kind_of
from annotation.models import (
    Assignment,
    Instructions,
    Judgement,
    MediaPlay,
    Membership,
    Project,
    Skip,
    Submission,
    Upload,
    User,
)
from annotation.process import clock
from crowd.models import Participant
from evaluation.models import QualityFlag, StoredReport
from people.models import Answer, NewAddress, Reminder, Response

as_json: Final = partial(json.dumps, ensure_ascii=False, cls=DjangoJSONEncoder)


def personal_data(user: User, *, project_id: int | None = None) -> Iterator[str]:
    """Yield a JSON object in pieces, in constant memory.

    With a project, it is for the project's administrators: only what belongs to it, and of the
    account only the user name and whether it may sign in; but with the kind of each assignment,
    which annotators must not learn.
    """

    def rows(queryset: QuerySet[Any], project: str = "project") -> QuerySet[Any]:
        queryset = queryset.filter(**{f"{project}__delete_after": None})
        queryset = queryset.select_related(project).order_by("pk")
        return queryset if project_id is None else queryset.filter(**{project: project_id})

    own = Q(created_by=user) | Q(requested_by=user)
    head: dict[str, Any] = {
        "made": clock.now(),
        "user_name": user.username,
        "may_sign_in": user.is_active,
        "memberships": [
            {"project": row.project.name, "role": row.role, "sentence_limit": row.sentence_limit}
            for row in rows(Membership.objects.filter(user=user))
        ],
        "crowd": [
            {
                "project": row.link.project.name,
                "platform": row.link.platform,
                "participant_id": row.participant_id,
                "visit_id": row.visit,
                "started": row.started,
                "completed": row.completed,
                "completion_code": row.code,
            }
            for row in rows(Participant.objects.filter(user=user), "link__project")
        ],
        "instructions_written": [
            {"project": row.project.name, "version": row.version, "created": row.created}
            for row in rows(Instructions.objects.filter(author=user))
        ],
        "questionnaires": [
            {
                "project": row.questionnaire.project.name,
                "version": row.questionnaire.version,
                "consent": row.questionnaire.consent,
                "answered": row.created,
                "answers": [
                    {"question": answer.question.text, "answer": answer.value}
                    for answer in row.answers.all()
                ],
            }
            for row in rows(
                Response.objects.filter(user=user).prefetch_related(
                    Prefetch("answers", Answer.objects.select_related("question").order_by("pk"))
                ),
                "questionnaire__project",
            )
        ],
        "reminders": [
            {"project": row.project.name, "requested": row.requested, "sent": row.sent}
            for row in rows(Reminder.objects.filter(user=user))
        ],
        "reports_requested": [
            {
                "project": row.project.name,
                "kind": row.kind,
                "options": row.options,
                "requested": row.requested,
            }
            for row in rows(StoredReport.objects.filter(own).defer("data"))
        ],
        "quality_flags": [
            {
                "project": row.project.name,
                "rule": row.kind,
                "value": row.value,
                "limit": row.limit,
                "sentences": row.sentences,
                "raised": row.raised,
                "dismissed": row.dismissed,
            }
            for row in rows(QualityFlag.objects.filter(user=user))
        ],
    }
    if project_id is None:
        head |= _account(user)
    yield as_json(head, indent=1)[:-2] + ',\n "assignments": ['
    separator = "\n"
    for page in pages(rows(_assignments(user)).order_by()):
        for assignment in page:
            yield separator + as_json(_assignment(assignment, with_kind=project_id is not None))
            separator = ",\n"
    yield "\n ]\n}\n"


def _account(user: User) -> dict[str, Any]:
    """Return what is the user's own, and of no project."""
    requested = NewAddress.objects.filter(user=user).first()
    links = list(user.sign_in_links.order_by("pk").values("created", "expires", "ended"))
    uploads = Upload.objects.filter(owner=user).prefetch_related("files").order_by("pk")
    return {
        "display_name": user.display_name,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "joined": user.date_joined,
        "mail": user.email,
        "mail_to_confirm": requested.email if requested else None,
        "last_signed_in": user.last_login,
        "has_password": user.has_usable_password(),
        "wants_reminders": user.wants_reminders,
        "runs_installation": user.is_superuser,
        "sign_in_links": links,
        "unfinished_projects": [
            {
                "created": upload.created,
                "settings": upload.settings,
                "files": [file.name for file in upload.files.all()],
            }
            for upload in uploads
        ],
    }


def _assignments(user: User) -> QuerySet[Assignment]:
    judgements = Judgement.objects.select_related("segment").prefetch_related(
        "placements__candidate"
    )
    submissions = Submission.objects.order_by("number").prefetch_related(
        Prefetch("judgements", judgements.order_by("pk")),
        Prefetch("media_plays", MediaPlay.objects.order_by("name", "pk")),
    )
    return (
        Assignment.objects.filter(annotator=user)
        .select_related("sentence__copy_of", "instructions", "skip")
        .prefetch_related(Prefetch("submissions", submissions))
    )


def _assignment(row: Assignment, *, with_kind: bool) -> dict[str, Any]:
    skip: Skip | None = getattr(row, "skip", None)
    source = row.sentence.tokenized
    return {
        "project": row.project.name,
        "sentence": row.sentence.source_number,
        "text": source.text,
        "practice": row.kind == Assignment.Kind.PRACTICE,
        **({"kind": row.kind} if with_kind else {}),
        "state": row.state,
        "given": row.created,
        "shown": row.shown,
        "submitted": row.submitted,
        "instructions": row.instructions.version if row.instructions else None,
        "skipped": skip and {"reason": skip.reason, "comment": skip.comment},
        "draft": {
            "saved": row.draft_saved,
            "active_seconds": row.draft_active_seconds,
            "choices": row.draft_choices,
            "comments": row.draft_comments,
            "details": row.draft_details,
        }
        if row.draft_version
        else None,
        "submissions": [
            {
                "number": submission.number,
                "created": submission.created,
                "active_seconds": submission.active_seconds,
                "media": [
                    {"name": one.name, "seconds": one.seconds, "plays": one.plays}
                    for one in submission.media_plays.all()
                ],
                "judgements": [
                    _judgement(one, source, row.project) for one in submission.judgements.all()
                ],
            }
            for submission in row.submissions.all()
        ],
    }


def _judgement(row: Judgement, source: TokenizedText, project: Project) -> dict[str, Any]:
    details = kind_of(project).answer.read_details(row.placements.all())
    return {
        "segment": source.slice(row.segment.indices),
        "seconds": row.seconds,
        "comment": row.comment,
        "ranks": [
            [placed.candidate.text, GARBAGE if placed.rank is None else placed.rank]
            for placed in row.placements.all()
        ],
        "details": [
            [placed.candidate.text, details[placed.pk]]
            for placed in row.placements.all()
            if placed.pk in details
        ],
    }
