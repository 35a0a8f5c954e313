"""A new project with the texts of another one, and none of its judgements."""

from collections.abc import Callable
from typing import Any, Final

from django.db.models import Model
from django.utils.translation import gettext
from msgspec.structs import replace

from annotation.common.exceptions import NotPossible
from annotation.common.transactions import Writing, let_others_write, retried
from annotation.formats.archive_records import SentenceRecord
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.models import (
    AlignmentPriors,
    AssessmentBatch,
    BatchItem,
    GivenOrigin,
    Job,
    Project,
    Sentence,
    System,
    User,
)
from annotation.pipeline.derived_project import derived_project, original_of
from annotation.projects.administration import JUDGING_SETTINGS
from annotation.projects.document_sheets import design_of
from annotation.projects.instructions import current_instructions, write_instructions
from annotation.projects.media import copy_media
from annotation.projects.overlap import mark_overlap
from annotation.projects.texts import delete_texts, sentence_pages, store_sentences
from annotation.projects.undecided_systems import KEY as DECISIONS
from annotation.signals import project_copied

# The name of the only stage of a job that copies.
STAGE: Final = "copy"
SENTENCES_PER_PAGE: Final = 50
_CHANGED = _("The project that is copied was changed or deleted meanwhile. Try again.")


@retried
def new_copy(*, project: Project, name: str, by: User) -> Job:
    """Create a project with the instructions of this one, and the job of its texts.

    It has the settings of judging of this one. `by` becomes its owner and only member. Other apps
    copy their settings when they receive `project_copied`. It has no judgements, and is paused once
    it is copied.
    The caller has trimmed the name, and enqueues the job. Raises NotPossible if the name is taken,
    or the texts are not complete.
    """
    at_work = Job.objects.filter(project=project, state__in=Job.AT_WORK).exists()
    if at_work or project.state in (Project.State.PREPARING, Project.State.FAILED):
        raise NotPossible(gettext("The project is being prepared. Copy it when that is finished."))
    fields = ("kind", "answer_options", "min_length", "max_length", *JUDGING_SETTINGS)
    # Decisions on systems rest on judgements, which the copy does not have.
    provenance = {key: value for key, value in project.provenance.items() if key != DECISIONS}
    provenance["copy_of"] = {"id": project.pk, "name": project.name}
    with derived_project(
        project,
        Job.Task.COPY,
        by=by,
        name=name,
        provenance=provenance,
        **{field: getattr(project, field) for field in fields},
    ) as job:
        if current := current_instructions(project):
            write_instructions(project=job.project, author=by, text=current.text)
        project_copied.send(Project, original=project, copy=job.project, by=by)
    return job


def copy_texts(job: Job, *, progress: Callable[[str, int, int], None], writing: Writing) -> None:
    """Copy sentences, segments, candidates, practice and control a page at a time.

    Copies that are disabled are left out. What an earlier try has stored is replaced, unless it
    has stored everything. `progress` and `writing` are as in Part. Raises InputError if the other
    project was changed or deleted meanwhile.
    """
    made = job.project
    if made.state != Project.State.PREPARING:
        return
    original = original_of(job)
    if original is None:
        raise InputError(_CHANGED)
    _delete_stored(made, writing)
    names = _systems(original)
    with writing():
        systems = {name: System.objects.create(project=made, name=name) for name in names.values()}
        for origin in original.given_origins.order_by("pk"):
            GivenOrigin.objects.create(**_values(origin, project=made))
    sentences = Sentence.objects.filter(project=original, retired=False)
    total, done = sentences.count(), 0
    copied: dict[tuple[str, int], int] = {}
    later = design_of(original).is_dynamic
    for page in sentence_pages(sentences, size=SENTENCES_PER_PAGE):
        with writing():
            unassigned = (_first_version(record, systems_come_later=later) for record in page)
            stored = store_sentences(made, unassigned, systems)
        copied |= {(row.purpose, row.number): row.pk for row in stored}
        let_others_write()
        done += len(page)
        progress(STAGE, done, total)
    _copy_batches(original, made, copied, writing)
    with writing():
        at_work = Job.objects.filter(project=original, state__in=Job.AT_WORK).exists()
        if at_work or _systems(original) != names or sentences.count() != total:
            raise InputError(_CHANGED)
        for priors in AlignmentPriors.objects.filter(project=original):
            AlignmentPriors.objects.create(**_values(priors, project=made))
        copy_media(original, made)
        # What is excluded was copied too.
        original.refresh_from_db(fields=["counts_changed"])
        made.counts_changed = original.counts_changed
        made.state = Project.State.CLOSED
        made.save(update_fields=["counts_changed", "state"])
        mark_overlap(made)


def _systems(project: Project) -> dict[int, str]:
    return dict(project.systems.order_by("pk").values_list("pk", "name"))


def _delete_stored(project: Project, writing: Writing) -> None:
    """Delete what an earlier try has stored."""
    with writing():
        items = BatchItem.objects.filter(batch__project=project)
        items.exclude(original=None).delete()
        items.delete()
        AssessmentBatch.objects.filter(project=project).delete()
        AlignmentPriors.objects.filter(project=project).delete()
    delete_texts(project, size=SENTENCES_PER_PAGE, writing=writing)


def _first_version(record: SentenceRecord, *, systems_come_later: bool) -> SentenceRecord:
    """Return the sentence as it is before it is assigned.

    Where the `systems_come_later`, it loses those that were chosen when it was.
    """
    segments = [replace(segment, candidate_version=1) for segment in record.segments]
    if systems_come_later and record.purpose == "judge":
        segments = [
            replace(one, candidates=[], projections=[], excluded_candidates=[], given_errors={})
            for one in segments
        ]
        record = replace(record, chosen_systems=[], sheet_probability=None)
    return replace(record, candidate_version=1, further_judges=0, segments=segments)


def _copy_batches(
    original: Project, made: Project, copied: dict[tuple[str, int], int], writing: Writing
) -> None:
    """Copy the batches of direct assessment, without items whose sentences are disabled.

    `copied` are the ids of the new sentences by purpose and number.
    """
    for batch in AssessmentBatch.objects.filter(project=original).order_by("number"):
        new: dict[int, BatchItem] = {}
        rows = batch.items.exclude(sentence__retired=True).select_related("sentence")
        rows = rows.order_by("position")
        with writing():
            of_copy = AssessmentBatch.objects.create(project=made, number=batch.number)
            for of_kind in (rows.filter(original=None), rows.exclude(original=None)):
                items = {
                    old.pk: BatchItem(
                        batch=of_copy,
                        position=old.position,
                        role=old.role,
                        sentence_id=copied[old.sentence.purpose, old.sentence.number],
                        original=new[old.original_id] if old.original_id else None,
                    )
                    for old in of_kind
                }
                BatchItem.objects.bulk_create(items.values())
                new |= items
        let_others_write()


def _values(row: Model, **changed: Any) -> dict[str, Any]:
    """Return the values of the row's own columns, with other references than those of the row."""
    own = [field for field in row._meta.concrete_fields if not field.primary_key]
    plain = {field.name: getattr(row, field.attname) for field in own if not field.is_relation}
    return plain | changed
