"""Sentences, their translations, and their segments and candidates.

Texts are stored as they were uploaded, and tokens as places in them: "0-5 6-11". What people see of
segments and candidates are slices of these texts.
"""

from collections.abc import Sequence
from typing import ClassVar

from django.db import models
from django.db.models.functions import MD5, Coalesce
from django.utils.translation import gettext_lazy as _

from annotation.formats.documents import LONGEST_DOCUMENT_NAME, LONGEST_ITEM_ID
from annotation.formats.pharaoh import Links
from annotation.formats.tokens import TokenizedText
from annotation.models.names import NameField


class Sentence(models.Model):
    """A source sentence; `number` is its line in the source file, from 1.

    Sentences for practice and control are copies with their own numbers, and never results. Those
    of a tutorial are for practice, have texts of their own, and copy none: no line is theirs. Where
    one translation is judged at a time, a row has one of the different translations of a line; the
    first of these rows has the number of the line, and the texts of all systems.

    A sheet is what annotators judge at once. It is headed by one row, to which its further rows
    refer by `sheet`. Assignments are of the head, segments and candidates of each row: texts are
    found by the sentence of the segment, work by the sentence of the assignment.
    """

    class Purpose(models.TextChoices):
        JUDGE = "judge", _("to be judged")
        PRACTICE = "practice", _("for practice")
        CONTROL = "control", _("for control")

    # The line in the source of a row that is to be judged.
    LINE: ClassVar = Coalesce("source_line", "number")
    # The condition that a row is of no line of the source: it is of a tutorial.
    OF_NO_LINE: ClassVar = models.Q(purpose=Purpose.PRACTICE, copy_of=None)

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.PROTECT, related_name="sentences"
    )
    purpose = models.CharField(max_length=10, choices=Purpose.choices, default=Purpose.JUDGE)
    number = models.PositiveIntegerField()
    # The line of a row with a further translation of it; null where `number` is the line, and for
    # copies.
    source_line = models.PositiveIntegerField(null=True, blank=True)
    # The name of the document that it is from; blank if unknown, and for copies.
    document = NameField(max_length=LONGEST_DOCUMENT_NAME, blank=True)
    # What the file of another program, from which the texts are, calls the line; "" for copies.
    item_id = NameField(max_length=LONGEST_ITEM_ID, blank=True, default="")
    copy_of = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.DO_NOTHING,
        related_name="copies",
        # Its index has only copies: with one of all rows, SQLite would rather read the whole table.
        db_index=False,
    )
    # The head of the sheet on which a further row stands; null for heads.
    sheet = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.DO_NOTHING,
        related_name="further_rows",
        # Its index has only the rows that refer to a head.
        db_index=False,
    )
    # A retired copy is not assigned any more; its judgements stay.
    retired = models.BooleanField(default=False)
    # An excluded sentence is stored, is not assigned any more, and counts nowhere; nor are its
    # copies for practice and control assigned. The rows of a sheet are excluded together.
    excluded = models.BooleanField(default=False)
    # The judges of the sheet that the sentence heads beyond those of the project's setting: one
    # where its document is judged twice, one more where two answers differ by too much.
    further_judges = models.PositiveSmallIntegerField(default=0)
    # Of the head of a sheet whose systems were chosen: the probability that these systems and this
    # document were, given all that was assigned and judged before.
    sheet_probability = models.FloatField(null=True, blank=True)
    # A worker has seen that it needs no further judge, so the queue does not look at it. This is a
    # hint that may be out of date: see `judging.project_counts`.
    passed_over = models.BooleanField(default=False, db_default=False)
    # Starts at 1 and grows when a system adds candidates after the sentence was assigned.
    candidate_version = models.PositiveSmallIntegerField(default=1)
    text = models.TextField()
    tokens = models.TextField(blank=True)
    # The bracketed parse from which the segments were taken; empty if segments were imported.
    # During preparation, what the imported file has for the sentence: a tree or segments.
    tree = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "purpose", "number"], name="sentence_number_is_unique"
            ),
            models.CheckConstraint(
                condition=models.Q(number__gte=1), name="sentence_number_is_positive"
            ),
            models.CheckConstraint(
                condition=models.Q(source_line__isnull=True)
                | models.Q(purpose="judge", source_line__gte=1, source_line__lt=models.F("number")),
                name="further_translations_follow_their_line",
            ),
            models.CheckConstraint(
                condition=~models.Q(sheet=models.F("pk")), name="heads_of_sheets_have_no_head"
            ),
            models.CheckConstraint(
                condition=models.Q(candidate_version__gte=1),
                name="sentence_candidate_version_starts_at_one",
            ),
            models.CheckConstraint(
                condition=models.Q(purpose="judge", copy_of__isnull=True, retired=False)
                | models.Q(purpose="practice")
                | models.Q(purpose="control", copy_of__isnull=False),
                name="control_copies_a_sentence_and_practice_copies_one_or_none",
            ),
            models.CheckConstraint(
                condition=models.Q(purpose="judge") | models.Q(excluded=False),
                name="only_sentences_to_judge_are_excluded",
            ),
            models.CheckConstraint(
                condition=models.Q(further_judges=0)
                | models.Q(purpose="judge", sheet__isnull=True, further_judges__lte=2),
                name="heads_of_sheets_have_at_most_two_further_judges",
            ),
            models.CheckConstraint(
                condition=models.Q(sheet_probability__isnull=True)
                | models.Q(
                    purpose="judge",
                    sheet__isnull=True,
                    sheet_probability__gt=0,
                    sheet_probability__lte=1,
                ),
                name="heads_of_sheets_have_a_probability",
            ),
            models.CheckConstraint(
                condition=models.Q(purpose="judge") | models.Q(document=""),
                name="copies_of_sentences_have_no_document",
            ),
            models.CheckConstraint(
                condition=models.Q(purpose="judge") | models.Q(item_id=""),
                name="copies_of_sentences_have_no_item_id",
            ),
        ]
        indexes = [
            # Most projects have no documents: then it is empty, and says so at once.
            models.Index(
                fields=["project"],
                condition=models.Q(document__gt=""),
                name="sentences_with_a_document",
            ),
            # Empty in most projects, too.
            models.Index(
                fields=["project", "source_line"],
                condition=models.Q(source_line__isnull=False),
                name="further_translations",
            ),
            # Copies are few.
            models.Index(
                fields=["copy_of"],
                condition=models.Q(copy_of__isnull=False),
                name="copies_of_sentences",
            ),
            # Empty but where a sheet has several rows.
            models.Index(
                fields=["sheet"],
                condition=models.Q(sheet__isnull=False),
                name="further_rows_of_sheets",
            ),
            # What the queue looks at. It gets shorter as sentences get their judges.
            models.Index(
                fields=["project", "number"],
                condition=models.Q(purpose="judge", sheet__isnull=True, passed_over=False),
                name="sentences_in_the_queue",
            ),
            models.Index(
                fields=["project"],
                condition=models.Q(excluded=True),
                name="excluded_sentences",
            ),
        ]

    def __str__(self) -> str:
        return f"sentence {self.number}"

    @property
    def head(self) -> "Sentence":
        """The head of its sheet; in most projects the row itself (may read the head)."""
        return self.sheet or self

    @property
    def is_of_tutorial(self) -> bool:
        """Whether it is for practice and has texts of its own, which are of no line."""
        return self.purpose == self.Purpose.PRACTICE and self.copy_of_id is None

    @property
    def source_number(self) -> int:
        """The line in the source file, for a copy that of its original (reads the original).

        A sentence of a tutorial has its own number.
        """
        judged = self.copy_of or self
        return judged.source_line or judged.number

    @property
    def tokenized(self) -> TokenizedText:
        return TokenizedText.stored(self.text, self.tokens)


def rows_of_sheet(head: int) -> models.QuerySet[Sentence]:
    """Return the rows of the sheet that a sentence (id) heads, to be found by their ids.

    Conditions on rows of other tables name them by this query: an "or" over two tables would read
    all of both.
    """
    return Sentence.objects.filter(models.Q(pk=head) | models.Q(sheet=head))


def look_at_again(assignments: Sequence[int]) -> None:
    """Let the queue look at the sentences of assignments (ids) that have ended.

    After other changes, such as more judges, they wait until a worker counts the project again:
    about a minute.
    """
    for first in range(0, len(assignments), 1000):
        some = assignments[first : first + 1000]
        passed = Sentence.objects.filter(assignments__in=some, passed_over=True)
        passed.update(passed_over=False)


class ChosenSystem(models.Model):
    """A system that was chosen for a sheet, where not every system is on a sheet of each document.

    `sheet` is the head of the sheet.
    """

    sheet = models.ForeignKey(Sentence, on_delete=models.DO_NOTHING, related_name="chosen_systems")
    system = models.ForeignKey(
        "annotation.System", on_delete=models.PROTECT, related_name="choices"
    )
    # From 1: systems are chosen for a sheet once.
    place = models.PositiveSmallIntegerField()
    # That the system is among those of the sheet, given all that was assigned and judged before.
    probability = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["sheet", "system"], name="a_system_is_chosen_once_for_a_sheet"
            ),
            models.UniqueConstraint(
                fields=["sheet", "place"], name="systems_are_chosen_once_for_a_sheet"
            ),
            models.CheckConstraint(
                condition=models.Q(place__gte=1), name="places_of_chosen_systems_start_at_one"
            ),
            models.CheckConstraint(
                condition=models.Q(probability__gt=0, probability__lte=1),
                name="a_chosen_system_has_a_probability",
            ),
        ]

    def __str__(self) -> str:
        return f"system {self.system_id} chosen for sheet {self.sheet_id}"


class Translation(models.Model):
    """A system's output for a sentence, or a reference of it if `system` is null."""

    sentence = models.ForeignKey(Sentence, on_delete=models.DO_NOTHING, related_name="translations")
    system = models.ForeignKey(
        "annotation.System",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="translations",
    )
    # The number of the reference in the project, from 1; null for a system's output. A sentence may
    # lack some of the references.
    reference = models.PositiveSmallIntegerField(null=True, blank=True)
    text = models.TextField()
    tokens = models.TextField(blank=True)
    # The text of `links`: 0-based token positions, "0-0 1>1 2<0".
    alignment = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["sentence", "system"], name="one_translation_per_system"
            ),
            models.UniqueConstraint(
                fields=["sentence", "reference"], name="one_translation_per_reference"
            ),
            models.CheckConstraint(
                condition=models.Q(system__isnull=False, reference__isnull=True)
                | models.Q(system__isnull=True, reference__isnull=False, reference__gte=1),
                name="translation_has_a_system_or_is_a_numbered_reference",
            ),
        ]

    def __str__(self) -> str:
        return f"translation {self.pk}"

    @property
    def tokenized(self) -> TokenizedText:
        return TokenizedText.stored(self.text, self.tokens)

    @property
    def links(self) -> Links:
        """The links of its words to those of the source. Raises ValueError for other texts."""
        return Links.stored(self.alignment)


class Segment(models.Model):
    """A few tokens of a source sentence whose translations are ranked."""

    sentence = models.ForeignKey(Sentence, on_delete=models.DO_NOTHING, related_name="segments")
    # 0-based token positions, ascending, joined by spaces: "6 7 8 9 10".
    token_indices = models.TextField()
    # The sentence's version in which the segment got its latest candidate. Earlier judgements
    # did not see all of its candidates.
    candidate_version = models.PositiveSmallIntegerField(default=1)
    # The document of the sheet that the sentence heads, without tokens: each candidate is all that
    # a system has on the sheet, and is judged beside its paragraphs.
    of_document = models.BooleanField(default=False)
    # False where the project judges a sample of its segments, and this one is not in it.
    sampled = models.BooleanField(default=True)
    # An excluded segment is stored, is not shown any more, and counts nowhere.
    excluded = models.BooleanField(default=False)

    class Meta:
        indexes = [
            # Most projects have none: then it is empty, and says so at once.
            models.Index(
                fields=["sentence"],
                condition=models.Q(excluded=True),
                name="excluded_segments",
            ),
            # Empty but where documents are judged as a whole, too.
            models.Index(
                fields=["sentence"],
                condition=models.Q(of_document=True),
                name="segments_of_whole_documents",
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(candidate_version__gte=1),
                name="segment_candidate_version_starts_at_one",
            ),
            # An index of PostgreSQL holds no longer texts than 2,700 bytes.
            models.UniqueConstraint(
                "sentence", MD5("token_indices"), name="segment_is_unique_in_sentence"
            ),
            models.CheckConstraint(
                condition=models.Q(of_document=False) | models.Q(token_indices=""),
                name="documents_have_no_tokens",
            ),
        ]

    def __str__(self) -> str:
        return f"segment {self.token_indices}"

    @property
    def indices(self) -> list[int]:
        return [int(index) for index in self.token_indices.split()]

    @property
    def text(self) -> str:
        """The slice of the source that the segment is (reads its sentence)."""
        return self.sentence.tokenized.slice(self.indices)


class Candidate(models.Model):
    """A translation of a segment; identical translations of several systems are one candidate."""

    segment = models.ForeignKey(Segment, on_delete=models.DO_NOTHING, related_name="candidates")
    text = models.TextField()
    # A duplicate for control: the same text on a card of its own.
    is_duplicate = models.BooleanField(default=False)
    # An excluded candidate is stored, is not shown any more, and counts nowhere.
    excluded = models.BooleanField(default=False)

    class Meta:
        indexes = [
            models.Index(
                fields=["segment"],
                condition=models.Q(excluded=True),
                name="excluded_candidates",
            ),
        ]
        constraints = [
            # An index of PostgreSQL holds no longer texts than 2,700 bytes.
            models.UniqueConstraint(
                "segment", MD5("text"), "is_duplicate", name="candidate_is_unique_in_segment"
            ),
            models.CheckConstraint(condition=~models.Q(text=""), name="candidate_is_not_empty"),
        ]

    def __str__(self) -> str:
        return self.text


class Projection(models.Model):
    """Which candidate a system produced for a segment; null if no token was aligned to it.

    A system has several where candidates are edits of its outputs: one for each different edit.
    """

    segment = models.ForeignKey(Segment, on_delete=models.DO_NOTHING, related_name="projections")
    system = models.ForeignKey(
        "annotation.System", on_delete=models.PROTECT, related_name="projections"
    )
    candidate = models.ForeignKey(
        Candidate, null=True, blank=True, on_delete=models.DO_NOTHING, related_name="projections"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["segment", "system", "candidate"],
                name="a_system_produces_a_candidate_once",
            ),
            models.UniqueConstraint(
                fields=["segment", "system"],
                condition=models.Q(candidate__isnull=True),
                name="a_system_lacks_a_candidate_once",
            ),
        ]

    def __str__(self) -> str:
        return f"projection {self.pk}"
