"""What judging does by what a sheet is about: a class for each unit.

How control sentences are made of it is in `control_items`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import ClassVar

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.kinds.shown import Shown
from annotation.kinds.units import (
    DocumentOfSystem,
    DocumentOfSystems,
    OneTranslation,
    SegmentsOfSentence,
    SentenceWithTranslations,
    Unit,
)
from annotation.models import (
    AssessmentBatch,
    Assignment,
    BatchItem,
    BatchTurn,
    Project,
    Sentence,
    User,
)
from annotation.projects.single_controls import Output, outputs_of

# A text in pieces; True = in the segment.
Pieces = list[tuple[str, bool]]


@dataclass(frozen=True)
class JudgedUnit:
    """What judging does with a sheet that is a sentence: it is in no batch.

    Its subclasses change what differs for their units.
    """

    unit: Unit
    # A sheet can have further rows than its head.
    has_further_rows: ClassVar[bool] = False
    # Candidates stand in the columns of their systems, instead of in an order of their segment.
    has_columns: ClassVar[bool] = False

    # --- the sheet ---

    def to_mark(self, positions: list[list[int]]) -> list[list[int]]:
        """Return the positions of segments to mark in the source; [] if each is all of it."""
        return []

    def source_of(self, pieces: Pieces) -> Pieces:
        """Return the source to show above a segment; [] if the segment is all of it."""
        return []

    def opens_whole_translations(self, shown: Shown) -> bool:
        """Return whether candidates can be parts of translations that annotators do not see."""
        return False

    def words_of_candidate(self, words: int, linked: Collection[int]) -> Sequence[int]:
        """Return the positions that a candidate has of a translation of so many `words`.

        Those that are `linked` to the segment are known.
        """
        return range(words)

    @property
    def most_in_preview(self) -> int | None:
        """How many texts of a segment a sheet of a new project shows; None is all."""
        return self.unit.most_cards

    def outputs(self, sentences: Sequence[Sentence]) -> dict[int, Output]:
        """Return by sentence id what has to be shown beside the source to tell them apart."""
        return {}

    # --- the queue ---

    def lines_of(self, recent: Sequence[int]) -> list[int]:
        """Return the lines of these sentences, if other translations of them are sheets, too.

        At most one query.
        """
        return []

    def has_batches(self, project: Project) -> bool:
        """Return whether the sheets of the project are divided into batches. At most one query."""
        return False

    def open_turn(self, annotator: User, project: Project) -> BatchTurn | None:
        """Return the annotator's turn at a batch that is not finished. At most one query."""
        return None

    def outside_batches_of_others(
        self, sentences: QuerySet[Sentence], annotator: User, project: Project
    ) -> QuerySet[Sentence]:
        """Leave out what another annotator has in a batch that is not finished."""
        return sentences

    def is_taken_over(self, assignment: Assignment) -> bool:
        """Return whether another annotator has taken over the batch that the sentence is in.

        That is the case until the other one has finished, or this one has the batch again. At most
        one query.
        """
        return False


class JudgedSegments(JudgedUnit):
    def to_mark(self, positions: list[list[int]]) -> list[list[int]]:
        return positions

    def source_of(self, pieces: Pieces) -> Pieces:
        return pieces

    def opens_whole_translations(self, shown: Shown) -> bool:
        return not shown.context

    def words_of_candidate(self, words: int, linked: Collection[int]) -> Sequence[int]:
        return sorted(linked)


class JudgedTranslation(JudgedUnit):
    @property
    def most_in_preview(self) -> int:
        # Each different translation becomes a sheet of its own.
        return 1

    def outputs(self, sentences: Sequence[Sentence]) -> dict[int, Output]:
        return outputs_of(sentences)

    def lines_of(self, recent: Sequence[int]) -> list[int]:
        return list(Sentence.objects.filter(pk__in=recent).values_list(Sentence.LINE, flat=True))

    def has_batches(self, project: Project) -> bool:
        return AssessmentBatch.objects.filter(project=project).exists()

    def open_turn(self, annotator: User, project: Project) -> BatchTurn | None:
        turns = BatchTurn.objects.filter(
            batch__project=project, annotator=annotator, state=BatchTurn.State.OPEN
        )
        earlier = BatchTurn.objects.filter(
            Q(slot=OuterRef("slot")) | Q(annotator=OuterRef("annotator")),
            batch=OuterRef("batch"),
            state=BatchTurn.State.RELEASED,
        )
        turn = turns.annotate(follows=Exists(earlier)).order_by("pk").first()
        if turn:
            turn.is_first = not turn.follows
        return turn

    def outside_batches_of_others(
        self, sentences: QuerySet[Sentence], annotator: User, project: Project
    ) -> QuerySet[Sentence]:
        others = BatchTurn.objects.filter(state=BatchTurn.State.OPEN).exclude(annotator=annotator)
        in_batches = BatchItem.objects.filter(
            batch__project=project, batch__turns__in=others, original=None
        )
        return sentences.exclude(pk__in=in_batches.values("sentence"))

    def is_taken_over(self, assignment: Assignment) -> bool:
        released = BatchTurn.objects.filter(
            batch=OuterRef("batch"),
            slot=OuterRef("slot"),
            annotator=assignment.annotator_id,
            state=BatchTurn.State.RELEASED,
        )
        others = BatchTurn.objects.exclude(annotator=assignment.annotator_id).filter(
            Exists(released),
            batch__items__sentence=assignment.sentence_id,
            state=BatchTurn.State.OPEN,
        )
        return others.exists()


class JudgedDocument(JudgedUnit):
    has_further_rows = True

    def lines_of(self, recent: Sequence[int]) -> list[int]:
        return list(Sentence.objects.filter(pk__in=recent).values_list(Sentence.LINE, flat=True))


class JudgedDocuments(JudgedDocument):
    has_columns = True


@singledispatch
def judged_unit(unit: Unit) -> JudgedUnit:
    raise NotImplementedError(unit)


judged_unit.register(SegmentsOfSentence, JudgedSegments)
judged_unit.register(SentenceWithTranslations, JudgedUnit)
judged_unit.register(OneTranslation, JudgedTranslation)
judged_unit.register(DocumentOfSystem, JudgedDocument)
judged_unit.register(DocumentOfSystems, JudgedDocuments)
