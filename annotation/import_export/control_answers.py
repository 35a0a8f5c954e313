"""What annotators said of the control items of single translations, for exports."""

from collections.abc import Iterator
from dataclasses import dataclass

from annotation.formats.shared_task_files import DEGRADED, REFERENCE
from annotation.import_export.judgement_pages import LoadedJudgement, ids, load_judgements
from annotation.import_export.sentence_pages import LoadedSentence, sentence_pages
from annotation.kinds import kind_of
from annotation.models import Assignment, Control, Project, Projection, Sentence
from annotation.models.results import candidate_counts

# What Appraise calls them.
TYPES = {Control.Kind.DEGRADED.value: DEGRADED, Control.Kind.REFERENCE.value: REFERENCE}


@dataclass(frozen=True, slots=True)
class ControlAnswer:
    """A judgement of a control item, in the place of a translation that `systems` produced.

    `text` is what it shows, and `source_number` the line of that translation.
    """

    type: str
    judgement: LoadedJudgement
    systems: list[str]
    text: str
    rank: int
    detail: str
    source: str
    source_number: int
    document: str


def control_answers(project: Project) -> Iterator[ControlAnswer]:
    """Yield the current judgements of degraded translations and references, by number and time.

    Those of what is excluded or discarded are left out. Seven queries a page.
    """
    answer = kind_of(project).answer
    for page in sentence_pages(project, Sentence.Purpose.CONTROL):
        judgements = load_judgements(page, answer)
        sentences = {segment.id: sentence for sentence in page for segment in sentence.segments}
        controls = list(
            Control.objects.filter(
                segment__in=sentences, segment__sentence__copy_of__excluded=False, kind__in=TYPES
            )
            .select_related("segment__sentence__copy_of", "original")
            .order_by("segment__sentence__number", "segment")
        )
        systems = _systems(page)
        for control in controls:
            copied = control.segment.sentence.copy_of
            assert copied is not None, "a control sentence is a copy"
            sentence = sentences[control.segment_id]
            of_segment = next(one for one in sentence.segments if one.id == control.segment_id)
            for judgement in judgements.get(control.segment_id, ()):
                rank = judgement.ranks.get(control.changed_id)
                if judgement.kind == Assignment.Kind.CONTROL and rank is not None:
                    yield ControlAnswer(
                        type=TYPES[control.kind],
                        judgement=judgement,
                        systems=systems.get((copied.pk, control.original.text), []),
                        text=of_segment.candidates[control.changed_id],
                        rank=rank,
                        detail=judgement.details.get(control.changed_id, ""),
                        source=sentence.text,
                        source_number=copied.source_number,
                        document=copied.document,
                    )


def _systems(page: list[LoadedSentence]) -> dict[tuple[int, str], list[str]]:
    """Return the systems by the sentence that is copied, and what they produced there."""
    copied = Sentence.objects.filter(pk__in=ids(page)).values("copy_of")
    found: dict[tuple[int, str], list[str]] = {}
    rows = Projection.objects.filter(
        candidate_counts(), segment__sentence__in=copied, candidate__isnull=False
    ).order_by("pk")
    for sentence, text, system in rows.values_list(
        "segment__sentence", "candidate__text", "system__name"
    ):
        # The filter leaves out null, which the type does not know.
        assert text is not None
        found.setdefault((sentence, text), []).append(system)
    return found
