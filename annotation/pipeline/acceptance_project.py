"""A new project in which people accept or refuse the edits of a project of post-editing.

Its sentences are those of the other project, with their references and the systems' outputs, with
which metrics compare what people say of the edits. Its candidates are the
different texts that annotators made of the outputs of a sentence, as they are at that moment; an
output that needed no corrections is one itself. Each stands for the systems whose outputs it is an
edit of, so that a system has as many as its output was edited differently.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext

from annotation.common.exceptions import NotPossible
from annotation.common.transactions import Writing, let_others_write, retried
from annotation.formats.archive_records import SegmentPart, SentenceRecord, TranslationPart
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.kinds import kind_of
from annotation.kinds.edited_text import UNABLE
from annotation.models import (
    Job,
    Placement,
    Project,
    Projection,
    Sentence,
    System,
    Translation,
    User,
)
from annotation.models.results import candidate_counts, judgement_counts
from annotation.pipeline.derived_project import derived_project, original_of
from annotation.preparation.projection import visible
from annotation.projects.provenance import record
from annotation.projects.texts import delete_texts, new_segment, new_sentence, store_sentences

# The name of the only stage of the job.
STAGE: Final = "edits"
SENTENCES_PER_PAGE: Final = 50


@retried
def new_acceptance_project(*, project: Project, name: str, by: User | None = None) -> Job:
    """Create the project, and the job that stores its texts and pauses it.

    `by` becomes its owner and only member. The caller has trimmed the name, and enqueues the job.
    Raises NotPossible if the name is taken, or nothing was edited.
    """
    kind = kind_of(project).answer.accepted_as
    if not kind:
        raise NotPossible(gettext("Only edits can be accepted, and this project has none."))
    if not _edits(project).exists():
        raise NotPossible(gettext("Nothing has been edited yet."))
    with derived_project(
        project,
        Job.Task.COLLECT_EDITS,
        by=by,
        name=name,
        kind=kind,
        show_neighbours=True,
        provenance={
            "command": "create_acceptance_project",
            "edits_of": {"id": project.pk, "name": project.name},
        },
    ) as job:
        return job


def store_edits(job: Job, *, progress: Callable[[str, int, int], None], writing: Writing) -> None:
    """Store the sentences and the edits of their outputs a page at a time.

    What an earlier try has stored is replaced, unless it has stored everything. `progress` and
    `writing` are as in Part. Raises InputError if the other project was deleted meanwhile.
    """
    made = job.project
    if made.state != Project.State.PREPARING:
        return
    original = original_of(job)
    if original is None:
        raise InputError(_("The project with the edits was deleted meanwhile."))
    delete_texts(made, size=SENTENCES_PER_PAGE, writing=writing)
    with writing():
        names = dict(original.systems.order_by("pk").values_list("pk", "name"))
        systems = {name: System.objects.create(project=made, name=name) for name in names.values()}
    sentences = original.sentences.filter(purpose=Sentence.Purpose.JUDGE).order_by("number")
    total, counts, last = sentences.count(), Counts(), 0
    while page := list(sentences.filter(number__gt=last)[:SENTENCES_PER_PAGE]):
        last = page[-1].number
        records = _records(page, _edited_texts(original, page), names)
        with writing():
            store_sentences(made, records, systems)
        let_others_write()
        counts.add(records)
        progress(STAGE, counts.sentences, total)
    with writing():
        record(made, segranks=settings.VERSION, counts=vars(counts) | {"systems": len(systems)})
        made.state = Project.State.CLOSED
        made.save(update_fields=["provenance", "state"])


@dataclass
class Counts:
    """What is stored."""

    sentences: int = 0
    segments: int = 0
    projected: int = 0
    candidates: int = 0

    def add(self, page: list[SentenceRecord]) -> None:
        segments = [segment for record in page for segment in record.segments]
        self.sentences += len(page)
        self.segments += len(segments)
        self.projected += sum(len(segment.projections) for segment in segments)
        self.candidates += sum(len(segment.candidates) for segment in segments)


# The systems (ids) of each different edit of a sentence, in the order of the edits.
Edited = dict[str, set[int]]


def _edits(project: Project) -> QuerySet[Placement]:
    """Return the placements that count and have a text: the output itself, or an edit of it."""
    return Placement.objects.filter(
        judgement_counts("judgement"),
        candidate_counts(),
        judgement__submission__assignment__project=project,
    ).exclude(rank=UNABLE)


def _edited_texts(project: Project, page: list[Sentence]) -> dict[int, Edited]:
    """Return by sentence id what annotators made of its outputs."""
    producers: dict[int | None, set[int]] = {}
    for system, candidate in Projection.objects.filter(
        segment__sentence__in=page, candidate__isnull=False
    ).values_list("system", "candidate"):
        producers.setdefault(candidate, set()).add(system)
    found: dict[int, Edited] = {}
    rows = _edits(project).filter(judgement__segment__sentence__in=page).order_by("pk")
    for sentence, candidate, output, edit in rows.values_list(
        "judgement__segment__sentence", "candidate", "candidate__text", "edit__text"
    ):
        if text := visible(output if edit is None else edit):
            of_sentence = found.setdefault(sentence, {})
            of_sentence.setdefault(text, set()).update(producers.get(candidate, ()))
    return found


def _records(
    page: list[Sentence], edited: dict[int, Edited], systems: dict[int, str]
) -> list[SentenceRecord]:
    """Return the sentences, all for context, with the edits of those that were edited."""
    translations: dict[int, list[TranslationPart]] = {}
    rows = Translation.objects.filter(sentence__in=page).order_by("pk")
    for sentence, system, reference, text, tokens in rows.values_list(
        "sentence", "system", "reference", "text", "tokens"
    ):
        if system is None or system in systems:
            name = None if system is None else systems[system]
            part = TranslationPart(name, reference, text, tokens, "")
            translations.setdefault(sentence, []).append(part)
    return [
        new_sentence(
            old.number,
            old.tokenized,
            document=old.document,
            translations=translations.get(old.pk, []),
            segments=[_segment(old, edited[old.pk], systems)] if old.pk in edited else [],
        )
        for old in page
    ]


def _segment(old: Sentence, edited: Edited, systems: dict[int, str]) -> SegmentPart:
    projections = [
        (systems[system], position)
        for position, producers in enumerate(edited.values())
        for system in sorted(producers & systems.keys())
    ]
    return new_segment(range(len(old.tokenized)), list(edited), projections)
