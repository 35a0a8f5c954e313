"""How a project is prepared, and a system added to it, by what is judged at a time.

The room's table of units: what the stages and a system that is added do differently.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any, ClassVar

from django.db.models import Exists, OuterRef, QuerySet

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.kinds import kind_of
from annotation.kinds.units import (
    DocumentOfSystem,
    OneTranslation,
    SegmentsOfSentence,
    SentenceWithTranslations,
    Unit,
)
from annotation.models import Project, Projection, Segment, Sentence, System
from annotation.pipeline.document_sheets import (
    add_to_documents,
    delete_sheets,
    divide_documents,
    first_lines,
    whole_documents,
)
from annotation.pipeline.merged_candidates import merge_system, store_merged
from annotation.pipeline.reassignment import assign_again
from annotation.pipeline.single_translations import add_system, delete_further, divide, line_count
from annotation.pipeline.stages import Part
from annotation.pipeline.stages.alignment import resolve_aligner
from annotation.pipeline.stages.batches import delete_batches
from annotation.pipeline.stages.campaign import delete_campaign_parts
from annotation.pipeline.stages.cutters import cutter_of, resolve_parser
from annotation.pipeline.word_alignment import (
    Progress,
    align_system,
    aligner_of,
    aligner_provenance,
)
from annotation.preparation.projection import AlignedPair, Projected, ProjectionRule, visible
from annotation.preparation.segmenters import Cutter, WholeSentences
from annotation.projects.added_systems import entry_of
from annotation.projects.options import PrepareOptions
from annotation.projects.provenance import (
    NO_ALIGNER,
    MergeCounts,
    Program,
    SheetDesign,
    is_aligned,
    provenance_of,
)


@dataclass(frozen=True)
class AddedTexts:
    """What a system that is added has for segments of some sentences, by the ids of both.

    With `every`, all segments with a new candidate are assigned again.
    """

    project: Project
    system: System
    sentences: Mapping[int, Sentence]
    segments: Sequence[Segment]
    texts: Mapping[int, str]
    every: bool


class Preparation:
    """What all units have in common: identical candidates of a segment are one."""

    # Segments can be imported from a file instead of being cut.
    takes_segments: ClassVar[bool] = False

    # --- stages ---

    def first_lines(self, project: Project, starts: Iterable[int]) -> list[int]:
        """Return the lines at which parts of the text can start: these, or some before them."""
        return list(starts)

    def delete_earlier(self, project: Project) -> None:
        """Delete what an earlier try has stored and no stage replaces."""

    def parser(self, project: Project, options: PrepareOptions) -> str:
        """Return the parser that "auto" stands for. Raise InputError if it lacks what it needs."""
        raise NotImplementedError

    def cutter(self, part: Part, sentences: list[Sentence]) -> Cutter:
        """Return what cuts the sentences of the part into segments."""
        raise NotImplementedError

    def aligner(self, options: PrepareOptions) -> str | None:
        """Return the aligner that "auto" stands for; None if no stage aligns words.

        Raises InputError where it is not installed.
        """
        raise NotImplementedError

    def candidate(
        self, indices: Collection[int], pair: AlignedPair, rule: ProjectionRule
    ) -> Projected:
        """Return what a translation has for a segment of the source."""
        raise NotImplementedError

    def without_aligner(self, options: PrepareOptions) -> dict[str, Any]:
        """Return what the stage of the candidates reports where no stage aligns words."""
        return {}

    def chooses_later(self, options: PrepareOptions) -> bool:
        """Return whether nothing has candidates before it is assigned."""
        return False

    def store(
        self,
        part: Part,
        segments: Iterable[Segment],
        texts: Mapping[int, Mapping[str, str]],
        systems: Mapping[str, System],
    ) -> None:
        """Store the candidates of the part, which has none, and the systems that produced them.

        `texts` are by segment id and system. The caller is in a transaction.
        """
        store_merged(segments, texts, systems)

    def provenance(self, options: PrepareOptions) -> dict[str, Any]:
        """Return what the project's provenance says besides of its preparation."""
        return {}

    # --- systems that are added ---

    def next_page(self, unfinished: QuerySet[Sentence], size: int) -> list[int]:
        """Return the ids of the next sentences of `unfinished`, about `size`, in their order."""
        return list(unfinished.values_list("pk", flat=True)[:size])

    def check_added(self, project: Project) -> None:
        """Raise InputError if nothing of a system that is added could be judged."""

    def check_judge(self) -> None:
        """Raise InputError if a sample of the segments cannot be judged again."""

    def align(
        self, project: Project, system: System, *, effort: str, progress: Progress
    ) -> Program | None:
        """Align the system's translations that have no links; return the aligner that was used.

        None where none was needed.
        """
        if entry_of(project, system.name).aligner is not None:
            return None
        aligner = aligner_of(project, effort)
        progress("alignment", 0, system.translations.count())
        align_system(project, system, effort=effort, progress=progress)
        return aligner_provenance(aligner)

    def unfinished(self, project: Project, system: System) -> QuerySet[Sentence]:
        """Return the sentences for which nothing of the system is stored."""
        return project.sentences.filter(
            Exists(segments_without(system).filter(sentence=OuterRef("pk"))),
            purpose=Sentence.Purpose.JUDGE,
        )

    def add(self, added: AddedTexts) -> MergeCounts:
        """Store what the system has. The caller is in a transaction that locked the sentences."""
        new = merge_system(added.system, added.segments, added.texts)
        again = 0
        if added.every:
            again = assign_again(added.sentences, [candidate.segment for candidate in new])
        missing = sum(not text for text in added.texts.values())
        return MergeCounts(len(added.segments) - missing - len(new), len(new), missing, again)


class SegmentPreparation(Preparation):
    """Segments are cut out of the source, and candidates out of translations by word links."""

    takes_segments = True

    def parser(self, project: Project, options: PrepareOptions) -> str:
        return resolve_parser(project, options)

    def cutter(self, part: Part, sentences: list[Sentence]) -> Cutter:
        return cutter_of(part, sentences)

    def aligner(self, options: PrepareOptions) -> str | None:
        return resolve_aligner(options)

    def candidate(
        self, indices: Collection[int], pair: AlignedPair, rule: ProjectionRule
    ) -> Projected:
        return rule.project(indices, pair)


class SentencePreparation(Preparation):
    """The whole sentence is the segment, and whole translations are its candidates.

    Their words are aligned only to mark those that belong together.
    """

    def parser(self, project: Project, options: PrepareOptions) -> str:
        return options.parser

    def cutter(self, part: Part, sentences: list[Sentence]) -> Cutter:
        return WholeSentences()

    def aligner(self, options: PrepareOptions) -> str | None:
        return resolve_aligner(options) if options.highlights else None

    def without_aligner(self, options: PrepareOptions) -> dict[str, Any]:
        whole = {"name": NO_ALIGNER, "version": "whole sentences"}
        return {} if options.highlights else {"aligner": whole}

    def candidate(
        self, indices: Collection[int], pair: AlignedPair, rule: ProjectionRule
    ) -> Projected:
        return Projected(visible(pair.target.text))

    def align(
        self, project: Project, system: System, *, effort: str, progress: Progress
    ) -> Program | None:
        if not is_aligned(project):
            return None
        return super().align(project, system, effort=effort, progress=progress)


class TranslationPreparation(SentencePreparation):
    """Each different translation of a sentence is a row of its own: see `single_translations`."""

    def delete_earlier(self, project: Project) -> None:
        # Their control sentences would be prepared like those to judge.
        delete_batches(project)
        delete_campaign_parts(project)

    def store(
        self,
        part: Part,
        segments: Iterable[Segment],
        texts: Mapping[int, Mapping[str, str]],
        systems: Mapping[str, System],
    ) -> None:
        delete_further(part.project, part.first, part.last)
        lines = line_count(part.project)
        divide(segments, texts, systems, lines, each_system=part.options.each_system)

    def check_judge(self) -> None:
        raise InputError(
            _(
                "In this project each new translation is judged by itself, and nothing is judged "
                "again: leave out the number of segments to judge."
            )
        )

    def unfinished(self, project: Project, system: System) -> QuerySet[Sentence]:
        # Any sentence of a line may have the system's translation.
        of_line = Projection.objects.filter(
            system=system,
            segment__sentence__project=project,
            segment__sentence__source_line=OuterRef("number"),
        )
        return super().unfinished(project, system).filter(~Exists(of_line), source_line=None)

    def add(self, added: AddedTexts) -> MergeCounts:
        """Store the translations. Nothing is assigned again: a new one is a row of its own."""
        of_sentence = {one.sentence_id: added.texts[one.pk] for one in added.segments}
        known, new = add_system(added.project, added.system, of_sentence)
        return MergeCounts(known, new, len(of_sentence) - known - new)


class DocumentPreparation(TranslationPreparation):
    """Documents have rows of their own for each group of systems: see `document_sheets`."""

    def __init__(self, *, side_by_side: bool) -> None:
        self.side_by_side = side_by_side

    def first_lines(self, project: Project, starts: Iterable[int]) -> list[int]:
        return first_lines(project, starts)

    def store(
        self,
        part: Part,
        segments: Iterable[Segment],
        texts: Mapping[int, Mapping[str, str]],
        systems: Mapping[str, System],
    ) -> None:
        delete_sheets(part.project, part.first, part.last)
        design = self.sheets(part.options)
        seed, given = part.options.seed, part.options.given_sheets
        divide_documents(part.project, segments, texts, systems, design, seed, given)

    def provenance(self, options: PrepareOptions) -> dict[str, Any]:
        return {"sheets": self.sheets(options), "seed": options.seed}

    def sheets(self, options: PrepareOptions) -> SheetDesign:
        return SheetDesign(
            options.sheet_paragraphs,
            options.sheet_systems if self.side_by_side else 1,
            options.rate_documents,
            options.sheet_choice,  # type: ignore[arg-type]  # checked when it was created
            options.sheets_of_document,
            options.first_documents,
        )

    def chooses_later(self, options: PrepareOptions) -> bool:
        return self.sheets(options).is_dynamic

    def check_added(self, project: Project) -> None:
        if provenance_of(project).sheets.chooses:
            raise InputError(
                _(
                    "In this project some systems are chosen for each document, and one that is "
                    "added could not be: create a project with all systems."
                )
            )
        if kind_of(project).answer.fewest_cards > 1:
            raise InputError(
                _(
                    "A system that is added to documents stands on sheets of its own, where there "
                    "is nothing to rank: create a project with all systems."
                )
            )

    def next_page(self, unfinished: QuerySet[Sentence], size: int) -> list[int]:
        return whole_documents(unfinished, size)

    def add(self, added: AddedTexts) -> MergeCounts:
        """Store sheets of the system alone. Nothing is assigned again."""
        of_lines = [segment for segment in added.segments if not segment.of_document]
        design = provenance_of(added.project).sheets
        new = add_to_documents(added.project, added.system, of_lines, added.texts, design)
        return MergeCounts(0, new, len(of_lines) - new)


def preparation_of(project: Project) -> Preparation:
    """Return how the project is prepared. No query."""
    return preparation_by(kind_of(project).unit)


@singledispatch
def preparation_by(unit: Unit) -> Preparation:
    """Return how projects of the unit are prepared."""
    raise NotImplementedError(unit)


@preparation_by.register
def _segments(unit: SegmentsOfSentence) -> Preparation:
    return SegmentPreparation()


@preparation_by.register
def _sentences(unit: SentenceWithTranslations) -> Preparation:
    return SentencePreparation()


@preparation_by.register
def _translations(unit: OneTranslation) -> Preparation:
    return TranslationPreparation()


@preparation_by.register
def _documents(unit: DocumentOfSystem) -> Preparation:
    return DocumentPreparation(side_by_side=unit.compares_candidates)


def segments_without(system: System) -> QuerySet[Segment]:
    """Return the segments for which nothing of the system is stored."""
    has = Projection.objects.filter(segment=OuterRef("pk"), system=system)
    return Segment.objects.filter(~Exists(has))
