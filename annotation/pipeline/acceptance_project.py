"""A new project in which people accept or refuse the edits of a project of post-editing.

Its sentences are those of the other project, with their references and the systems' outputs, with
which metrics compare what people say of the edits. Its candidates are the
different texts that annotators made of the outputs of a sentence, as they are at that moment; an
output that needed no corrections is one itself. Each stands for the systems whose outputs it is an
edit of, so that a system has as many as its output was edited differently.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.db import IntegrityError
from django.db.models import QuerySet
from django.utils.translation import gettext

from annotation.common.exceptions import NotPossible
from annotation.common.transactions import let_others_write, retried, writing
from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.kinds import edit_acceptance, kind_of
from annotation.kinds.post_editing.edits import UNABLE
from annotation.models import (
    Candidate,
    Job,
    Membership,
    Placement,
    Project,
    Projection,
    Segment,
    Sentence,
    System,
    Translation,
    User,
)
from annotation.models.results import candidate_counts, judgement_counts
from annotation.pipeline.ready_made_segments import delete_texts
from annotation.preparation.projection import visible
from annotation.projects.administration import NAME_IS_TAKEN

# The name of the only stage of the job.
STAGE: Final = "edits"
SENTENCES_PER_PAGE: Final = 50
Writing = Callable[[], AbstractContextManager[None]]


@retried
def new_acceptance_project(*, project: Project, name: str, by: User | None = None) -> Job:
    """Create the project, and the job that stores its texts and pauses it.

    `by` becomes its owner and only member. The caller has trimmed the name, and enqueues the job.
    Raises NotPossible if the name is taken, or nothing was edited.
    """
    if not kind_of(project).edits_texts:
        raise NotPossible(gettext("Only edits can be accepted, and this project has none."))
    if not _edits(project).exists():
        raise NotPossible(gettext("Nothing has been edited yet."))
    try:
        with writing():
            made = Project.objects.create(
                name=name,
                kind=edit_acceptance.KIND.name,
                show_neighbours=True,
                source_language=project.source_language,
                target_language=project.target_language,
                state=Project.State.PREPARING,
                provenance={
                    "command": "create_acceptance_project",
                    "edits_of": {"id": project.pk, "name": project.name},
                },
            )
            if by:
                Membership.objects.create(project=made, user=by, role=Membership.Role.OWNER)
            return Job.objects.create(project=made, options={Job.EDITS_OF: project.pk})
    except IntegrityError:
        raise NotPossible(str(NAME_IS_TAKEN)) from None


def store_edits(job: Job, *, progress: Callable[[str, int, int], None], writing: Writing) -> None:
    """Store the sentences and the edits of their outputs a page at a time.

    What an earlier try has stored is replaced, unless it has stored everything. `progress` and
    `writing` are as in Part. Raises InputError if the other project was deleted meanwhile.
    """
    made = job.project
    if made.state != Project.State.PREPARING:
        return
    original = Project.objects.filter(pk=job.options[Job.EDITS_OF]).first()
    if original is None:
        raise InputError(_("The project with the edits was deleted meanwhile."))
    delete_texts(made, writing)
    with writing():
        systems = {
            pk: System.objects.create(project=made, name=name)
            for pk, name in original.systems.order_by("pk").values_list("pk", "name")
        }
    sentences = original.sentences.filter(purpose=Sentence.Purpose.JUDGE).order_by("number")
    total, counts, last = sentences.count(), Counts(), 0
    while page := list(sentences.filter(number__gt=last)[:SENTENCES_PER_PAGE]):
        last = page[-1].number
        edited = _edited_texts(original, page)
        with writing():
            _store_page(made, page, edited, systems, counts)
        let_others_write()
        counts.sentences += len(page)
        progress(STAGE, counts.sentences, total)
    with writing():
        made.provenance |= {
            "segranks": settings.VERSION,
            "counts": vars(counts) | {"systems": len(systems)},
        }
        made.state = Project.State.CLOSED
        made.save(update_fields=["provenance", "state"])


@dataclass
class Counts:
    """What is stored."""

    sentences: int = 0
    segments: int = 0
    projected: int = 0
    candidates: int = 0


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


def _store_page(
    made: Project,
    page: list[Sentence],
    edited: dict[int, Edited],
    systems: dict[int, System],
    counts: Counts,
) -> None:
    """Store the sentences, all for context, and the edits of those that were edited."""
    sentences = {
        old.pk: Sentence(
            project=made,
            number=old.number,
            document=old.document,
            text=old.text,
            tokens=old.tokens,
        )
        for old in page
    }
    Sentence.objects.bulk_create(sentences.values())
    Translation.objects.bulk_create(
        Translation(
            sentence=sentences[sentence],
            system=None if system is None else systems[system],
            reference=reference,
            text=text,
            tokens=tokens,
        )
        for sentence, system, reference, text, tokens in Translation.objects.filter(
            sentence__in=page
        )
        .order_by("pk")
        .values_list("sentence", "system", "reference", "text", "tokens")
        if system is None or system in systems
    )
    segments = {
        old.pk: Segment(
            sentence=sentences[old.pk],
            token_indices=" ".join(map(str, range(len(old.tokenized)))),
        )
        for old in page
        if old.pk in edited
    }
    Segment.objects.bulk_create(segments.values())
    candidates = [
        (Candidate(segment=segment, text=text), producers)
        for pk, segment in segments.items()
        for text, producers in edited[pk].items()
    ]
    Candidate.objects.bulk_create(candidate for candidate, _producers in candidates)
    projections = [
        Projection(segment=candidate.segment, system=systems[system], candidate=candidate)
        for candidate, producers in candidates
        for system in sorted(producers & systems.keys())
    ]
    Projection.objects.bulk_create(projections)
    counts.segments += len(segments)
    counts.candidates += len(candidates)
    counts.projected += len(projections)
