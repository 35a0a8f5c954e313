"""Another choice of the systems that stand on sheets of documents, before the first is assigned."""

from dataclasses import asdict, replace

from django.utils.translation import gettext_lazy as _

from annotation.common.exceptions import NotPossible
from annotation.common.transactions import locked_by_id, retried, writing
from annotation.kinds import kind_of
from annotation.models import (
    Assignment,
    GivenOrigin,
    Job,
    Membership,
    Project,
    Reservation,
    Sentence,
)
from annotation.pipeline.jobs import enqueue, queued_fields
from annotation.pipeline.stages.plan import options_of
from annotation.projects.creation import check_sheet_choice

SYSTEMS_ARE_CHOSEN = _(
    "Sheets are assigned, reserved or used for practice or control, or the project was not "
    "prepared here: which systems stand on them cannot be changed any more."
)


@retried
def choose_systems_again(project: Project, *, choice: str, sheets: int, first: int) -> None:
    """Queue the preparation again, with another choice of the systems on sheets of documents.

    Raises NotPossible once a sheet was assigned or copied, for a project that was not prepared
    here, and while a job is at work; InputError for a choice that does not exist.
    """
    with writing():
        # No sentence is assigned meanwhile.
        locked_by_id(Membership.objects.filter(project=project))
        if not can_choose_systems(project):
            raise NotPossible(str(SYSTEMS_ARE_CHOSEN))
        job = Job.objects.select_for_update().get(project=project)
        options = replace(
            options_of(job),
            sheet_choice=choice,
            sheets_of_document=sheets,
            first_documents=first,
            open_at_once=Project.objects.get(pk=project.pk).state == Project.State.OPEN,
        )
        check_sheet_choice(options)
        Job.objects.filter(pk=job.pk).update(**queued_fields(), options=asdict(options))
        Project.objects.filter(pk=project.pk).update(state=Project.State.PREPARING)
        enqueue(job.pk)


def can_choose_systems(project: Project) -> bool:
    """Return whether the systems on sheets of documents can be chosen again. Five queries."""
    prepared = Job.objects.filter(
        project=project, task=Job.Task.PREPARE, state=Job.State.DONE
    ).exclude(project__state=Project.State.ARCHIVED)
    # A tutorial, practice and controls would be lost, and errors that were marked before.
    others = project.sentences.exclude(purpose=Sentence.Purpose.JUDGE)
    return (
        kind_of(project).unit.is_document
        and prepared.exists()
        and not Assignment.objects.filter(project=project).exists()
        and not Reservation.objects.filter(sentence__project=project).exists()
        and not others.exists()
        and not GivenOrigin.objects.filter(project=project).exists()
    )
