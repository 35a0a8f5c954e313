"""Control items: sentences that show whether annotators read what they rank."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import singledispatch
from random import Random, SystemRandom
from typing import Any, ClassVar

from django.db.models import Count, Exists, F, OuterRef, Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.common.batches import CHUNK
from annotation.common.transactions import retried, writing
from annotation.formats.tokens import GAP, TokenizedText
from annotation.judging.errors import JudgingError
from annotation.judging.queue import sentences_with_candidates
from annotation.kinds import kind_of
from annotation.kinds.answers import Answer, Ranking, Score, Steps
from annotation.kinds.edited_text import EditedText
from annotation.kinds.marked_errors import ErrorsAlone
from annotation.kinds.units import (
    DocumentOfSystem,
    DocumentOfSystems,
    OneTranslation,
    SegmentsOfSentence,
    SentenceWithTranslations,
    Unit,
)
from annotation.models import (
    Assignment,
    Candidate,
    Control,
    Placement,
    Project,
    Projection,
    Segment,
    Sentence,
)
from annotation.models.texts import rows_of_sheet
from annotation.preparation.degradation import degrade, degrade_output
from annotation.projects.sentence_copies import copy_sentence
from annotation.projects.sheet_copies import store_control_sheet
from annotation.projects.single_controls import Output, changed_text, outputs_of, store_controls
from annotation.projects.tokens import target_tokenizer

MOST_AT_ONCE = 200
COPIES_OF_DOCUMENTS = gettext_lazy("They are copies of random documents.")
# Sentences that supply words for degraded candidates.
DONORS = 500
# Candidates of a segment that gets one more: ranks of two digits are slower to use.
FEWEST, MOST = 2, 9


class NoControls(JudgingError):
    """No control sentences can be created; the message is for the administrator."""


@dataclass(frozen=True)
class ControlOutcome:
    """One judgement of a control segment; ranks are None for the garbage bin.

    `by_itself` is True where a degraded candidate is not compared with its original: it passes
    unless it is on the best step.
    """

    annotator: int
    segment: int
    kind: str
    original: int | None
    changed: int | None
    by_itself: bool = False

    @property
    def passed(self) -> bool:
        """True if a duplicate ties with its original, or a degraded candidate is below it.

        Both in garbage is no mistake, because garbage has no order.
        """
        if self.original is None and self.changed is None:
            return True
        if self.kind == Control.Kind.DUPLICATE:
            return self.original == self.changed
        if self.by_itself:
            return self.changed != 1
        return self.original is not None and (self.changed is None or self.changed > self.original)


@dataclass(frozen=True)
class ControlItem:
    """A control sentence with how often it was judged and passed."""

    sentence: Sentence
    kind: str
    segment: str
    original: str
    changed: str
    judged: int
    passed: int


@retried
def make_controls(*, project: Project, count: int, seed: int | None = None) -> list[Sentence]:
    """Store control sentences, half with a degraded candidate and half with a duplicate.

    Where candidates get scores all are with a degraded one: equal scores are not to be expected of
    anyone. Each is a copy of a random sentence that has no such copy yet, with one more candidate
    in one of its segments. Raises NoControls if there are not so many; then nothing is stored.
    """
    rng = SystemRandom() if seed is None else Random(seed)  # noqa: S311
    if not 1 <= count <= MOST_AT_ONCE:
        raise NoControls(
            _("Between 1 and %(most)d controls can be created at once.") % {"most": MOST_AT_ONCE}
        )
    with writing():
        locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        if locked.state not in (Project.State.OPEN, Project.State.CLOSED):
            raise NoControls(_("The project is not prepared: there is nothing to copy yet."))
        return control_design(kind_of(locked).unit).new_controls(locked, count, rng)


def control_items(project: Project) -> list[ControlItem]:
    """Return the control sentences, retired ones last, with how they were judged."""
    judged: Counter[int] = Counter()
    passed: Counter[int] = Counter()
    for outcome in control_outcomes(project):
        judged[outcome.segment] += 1
        passed[outcome.segment] += outcome.passed
    controls = Control.objects.filter(segment__sentence__project=project).select_related(
        "segment__sentence__copy_of", "original", "changed"
    )
    return [
        ControlItem(
            sentence=control.segment.sentence,
            kind=control.kind,
            segment=control.segment.text,
            original=control.original.text,
            changed=control.changed.text,
            judged=judged[control.segment_id],
            passed=passed[control.segment_id],
        )
        for control in controls.order_by("segment__sentence__retired", "segment__sentence__number")
    ]


def control_outcomes(project: Project) -> Iterator[ControlOutcome]:
    """Yield one outcome for each judgement of a control segment, in order; also discarded ones."""
    return control_design(kind_of(project).unit).outcomes(project)


# --- by the unit ------------------------------------------------------------------------------


class ControlDesign:
    """How control sentences of a unit are made, and how judgements of them are compared."""

    # What controls are, for the administrator, and of what they are copies.
    explanation: ClassVar[Any]
    copied: ClassVar[Any]

    def new_controls(self, project: Project, count: int, rng: Random) -> list[Sentence]:
        """Store so many control sentences of a locked project. Raises NoControls."""
        raise NotImplementedError

    def outcomes(self, project: Project) -> Iterator[ControlOutcome]:
        raise NotImplementedError


class OneMoreCandidate(ControlDesign):
    """A copy of a sentence with a changed candidate beside its original."""

    explanation: ClassVar[Any] = gettext_lazy(
        "Control sentences reveal careless annotators. Each is a copy of a sentence with one more "
        "candidate: a degraded copy, which must rank below its original, or a duplicate, which "
        "must share its rank. They look like other sentences and never enter the results."
    )
    copied: ClassVar[Any] = gettext_lazy(
        "They are copies of random sentences with a segment of 2 to 9 candidates."
    )

    def new_controls(self, project: Project, count: int, rng: Random) -> list[Sentence]:
        by_sentence: dict[int, list[int]] = {}
        for segment, sentence in _suitable_segments(project):
            by_sentence.setdefault(sentence, []).append(segment)
        donors = _donors(project, rng)
        kinds = control_kinds(kind_of(project).answer)
        made: list[Sentence] = []
        for sentence in rng.sample(sorted(by_sentence), len(by_sentence)):
            kind = kinds[len(made) % len(kinds)]
            segment = rng.choice(by_sentence[sentence])
            control = _make(project, sentence, segment, kind, kinds, donors, rng)
            if control is None:
                continue
            made.append(control)
            if len(made) == count:
                return made
        raise NoControls(
            _(
                "Only %(possible)d more control sentences can be created: each needs a sentence of "
                "its own with a segment of %(fewest)d to %(most)d candidates."
            )
            % {"possible": len(made), "fewest": FEWEST, "most": MOST}
        )

    def outcomes(self, project: Project) -> Iterator[ControlOutcome]:
        pairs = {
            segment: (kind, original, changed)
            for segment, kind, original, changed in Control.objects.filter(
                segment__sentence__project=project
            ).values_list("segment", "kind", "original", "changed")
        }
        rows = Placement.objects.filter(
            judgement__submission__assignment__project=project,
            judgement__submission__assignment__state__in=Assignment.SUBMITTED_STATES,
            judgement__submission__current=True,
            judgement__segment__control__isnull=False,
        ).order_by("judgement", "pk")
        # On a scale, two candidates on the worst step are no mistake either, as in the garbage bin.
        worst = kind_of(project).answer.worst
        by_itself = is_passed_by_itself(kind_of(project).answer)
        ranks: dict[int, int | None] = {}
        last: tuple[int, int, int] | None = None
        for judgement, annotator, segment, candidate, rank in rows.values_list(
            "judgement",
            "judgement__submission__assignment__annotator",
            "judgement__segment",
            "candidate",
            "rank",
        ).iterator(CHUNK):
            if last and last[0] != judgement:
                yield _outcome(last, pairs, ranks, by_itself=by_itself)
                ranks = {}
            last = judgement, annotator, segment
            ranks[candidate] = None if rank == worst else rank
        if last:
            yield _outcome(last, pairs, ranks, by_itself=by_itself)


class ChangedTranslation(ControlDesign):
    """A degraded output, or the reference, in place of an output.

    Two judgements of the annotator are compared: of the degraded output, and the first of the same
    output undamaged.
    """

    explanation: ClassVar[Any] = gettext_lazy(
        "Control sentences reveal careless annotators. Each shows a degraded copy of a "
        "translation, which must get a lower score than the translation itself, or the reference "
        "in its place. They look like other sentences and never enter the results."
    )
    copied: ClassVar[Any] = gettext_lazy("They are copies of random translations.")

    def new_controls(self, project: Project, count: int, rng: Random) -> list[Sentence]:
        copied = Sentence.objects.filter(copy_of=OuterRef("pk"), purpose=Sentence.Purpose.CONTROL)
        free = sentences_with_candidates(project).filter(~Exists(copied)).order_by("pk")
        ids = list(free.values_list("pk", flat=True))
        pool = [text for _sentence, text in _donors(project, rng)]
        new: list[tuple[Output, Control.Kind, str]] = []
        in_random_order = rng.sample(ids, len(ids))
        for start in range(0, len(ids), MOST_AT_ONCE):
            chosen = in_random_order[start : start + MOST_AT_ONCE]
            outputs = outputs_of(list(Sentence.objects.filter(pk__in=chosen).order_by("pk")))
            for pk in chosen:
                kind = (Control.Kind.DEGRADED, Control.Kind.REFERENCE)[len(new) % 2]
                if kind == Control.Kind.REFERENCE and not outputs[pk].reference:
                    kind = Control.Kind.DEGRADED
                if text := changed_text(project, outputs[pk], kind, pool, rng):
                    new.append((outputs[pk], kind, text))
                if len(new) == count:
                    return store_controls(project, new)
        raise NoControls(
            _(
                "Only %(possible)d more control sentences can be created: each needs a translation "
                "of its own."
            )
            % {"possible": len(new)}
        )

    def outcomes(self, project: Project) -> Iterator[ControlOutcome]:
        placed = Placement.objects.filter(
            judgement__submission__assignment__project=project,
            judgement__submission__assignment__state__in=Assignment.SUBMITTED_STATES,
            judgement__submission__current=True,
        ).order_by("judgement")
        assignment = "judgement__submission__assignment"
        # A sheet of several translations, as projects of error spans have had, shows others as
        # well, and the original beside its degraded copy.
        degraded = placed.filter(
            judgement__segment__control__kind=Control.Kind.DEGRADED,
            judgement__segment__control__changed=F("candidate"),
        )
        sentence_of = "judgement__segment__sentence"
        copied = degraded.order_by().values(f"{sentence_of}__copy_of")
        outputs = placed.filter(
            Q(**{f"{sentence_of}__in": copied})
            | Q(judgement__segment__control__original=F("candidate"))
        )
        originals: dict[tuple[int, int, str], int | None] = {}
        for annotator, sentence, text, rank in outputs.values_list(
            f"{assignment}__annotator",
            Coalesce(f"{sentence_of}__copy_of", sentence_of),
            "candidate__text",
            "rank",
        ).iterator(CHUNK):
            originals.setdefault((annotator, sentence, text), rank)
        worst = kind_of(project).answer.worst
        for annotator, sentence, text, segment, rank in degraded.values_list(
            f"{assignment}__annotator",
            f"{sentence_of}__copy_of",
            "judgement__segment__control__original__text",
            "judgement__segment",
            "rank",
        ).iterator(CHUNK):
            if (annotator, sentence, text) in originals:
                original = originals[annotator, sentence, text]
                yield ControlOutcome(
                    annotator,
                    segment,
                    Control.Kind.DEGRADED,
                    None if original == worst else original,
                    None if rank == worst else rank,
                )


class DegradedParagraphs(ChangedTranslation):
    """A copy of a document in which some paragraphs are degraded, as WMT makes them."""

    explanation: ClassVar[Any] = gettext_lazy(
        "Control documents reveal careless annotators. Each is a copy of a document in which a "
        "third of the paragraphs is degraded: these must get a lower score than the paragraphs "
        "themselves. They look like other documents and never enter the results."
    )
    copied: ClassVar[Any] = COPIES_OF_DOCUMENTS

    def new_controls(self, project: Project, count: int, rng: Random) -> list[Sentence]:
        return _copies_of_documents(project, count, rng, self._make)

    def _make(
        self, project: Project, head: int, pool: Sequence[TokenizedText], rng: Random
    ) -> Sentence | None:
        """Store a control document; None, and nothing is stored, if no paragraph can be changed."""
        changed = {
            candidate.pk: text
            for candidate in _sample_of_paragraphs(project, head, rng)
            if (text := degrade_output(target_tokenizer(project)(candidate.text), pool, rng))
        }
        if not changed:
            return None
        # Annotators judge the originals elsewhere.
        return store_control_sheet(Sentence.objects.get(pk=head), changed, beside=False)


class OneMoreColumn(OneMoreCandidate):
    """A copy of a sheet with a degraded copy of one of the outputs in a column of its own."""

    explanation: ClassVar[Any] = gettext_lazy(
        "Control documents reveal careless annotators. Each is a copy of a sheet with one more "
        "translation: that of a system with other words in it, which must get less than the "
        "system’s own. It stands in a random place, and never enters the results."
    )
    copied: ClassVar[Any] = COPIES_OF_DOCUMENTS

    def new_controls(self, project: Project, count: int, rng: Random) -> list[Sentence]:
        return _copies_of_documents(project, count, rng, self._make)

    def _make(
        self, project: Project, head: int, pool: Sequence[TokenizedText], rng: Random
    ) -> Sentence | None:
        on_sheet = Projection.objects.filter(
            segment__sentence__in=rows_of_sheet(head).values("pk"),
            segment__of_document=False,
            segment__excluded=False,
            candidate__excluded=False,
        )
        systems = sorted(set(on_sheet.values_list("system", flat=True)))
        if not systems:
            return None
        system = rng.choice(systems)
        tokenize = target_tokenizer(project)
        texts = set(on_sheet.values_list("segment", "candidate__text"))
        changed = {
            row.candidate.pk: text
            for row in on_sheet.filter(system=system).select_related("candidate").order_by("pk")
            if row.candidate
            and (text := degrade_output(tokenize(row.candidate.text), pool, rng))
            # What another system has is no control.
            and (row.segment_id, text) not in texts
        }
        if not changed:
            return None
        return store_control_sheet(Sentence.objects.get(pk=head), changed, beside=True)


@singledispatch
def control_design(unit: Unit) -> ControlDesign:
    raise NotImplementedError(unit)


control_design.register(SegmentsOfSentence, lambda _unit: OneMoreCandidate())
control_design.register(SentenceWithTranslations, lambda _unit: OneMoreCandidate())
control_design.register(OneTranslation, lambda _unit: ChangedTranslation())
control_design.register(DocumentOfSystem, lambda _unit: DegradedParagraphs())
control_design.register(DocumentOfSystems, lambda _unit: OneMoreColumn())


# --- by the answer ----------------------------------------------------------------------------


@singledispatch
def control_kinds(answer: Answer) -> tuple[Control.Kind, ...]:
    """Return how a candidate beside its original is changed, in turn."""
    raise NotImplementedError(answer)


@control_kinds.register(Ranking)
@control_kinds.register(Steps)
def _both_kinds(answer: Answer) -> tuple[Control.Kind, ...]:
    return Control.Kind.DEGRADED, Control.Kind.DUPLICATE


@control_kinds.register(Score)
@control_kinds.register(ErrorsAlone)
def _only_degraded(answer: Answer) -> tuple[Control.Kind, ...]:
    # Equal scores or points are not to be expected of anyone.
    return (Control.Kind.DEGRADED,)


@singledispatch
def is_passed_by_itself(answer: Answer) -> bool:
    """Return whether a degraded candidate passes unless it is on the best step."""
    raise NotImplementedError(answer)


@is_passed_by_itself.register(Ranking)
@is_passed_by_itself.register(Steps)
@is_passed_by_itself.register(Score)
@is_passed_by_itself.register(ErrorsAlone)
def _is_compared(answer: Answer) -> bool:
    return False


@is_passed_by_itself.register
def _is_edited(answer: EditedText) -> bool:
    # A degraded output needs edits, and it may have needed some before.
    return True


# --- copies with one more candidate -----------------------------------------------------------


def _outcome(
    of: tuple[int, int, int],
    pairs: dict[int, tuple[str, int, int]],
    ranks: dict[int, int | None],
    *,
    by_itself: bool,
) -> ControlOutcome:
    _judgement, annotator, segment = of
    kind, original, changed = pairs[segment]
    return ControlOutcome(
        annotator, segment, kind, ranks[original], ranks[changed], by_itself=by_itself
    )


def _without_controls(project: Project) -> list[int]:
    """Return the ids of the documents to judge that have no control copy yet."""
    copied = Sentence.objects.filter(copy_of=OuterRef("pk"), purpose=Sentence.Purpose.CONTROL)
    free = sentences_with_candidates(project).filter(~Exists(copied)).order_by("pk")
    return list(free.values_list("pk", flat=True))


def _sample_of_paragraphs(project: Project, head: int, rng: Random) -> list[Candidate]:
    """Return the candidates of a third of the paragraphs of a document, of one at least."""
    candidates = list(
        Candidate.objects.filter(
            segment__sentence__in=rows_of_sheet(head).values("pk"),
            segment__of_document=False,
            segment__excluded=False,
            excluded=False,
        ).order_by("pk")
    )
    return rng.sample(candidates, -(-len(candidates) // 3))


def _copies_of_documents(
    project: Project,
    count: int,
    rng: Random,
    make: Callable[[Project, int, Sequence[TokenizedText], Random], Sentence | None],
) -> list[Sentence]:
    """Store control copies of so many documents, in random order. Raises NoControls.

    `make` takes the project, the id of the head, texts that supply words, and the source of
    randomness; it returns None, and stores nothing, if the document cannot be changed.
    """
    heads = _without_controls(project)
    pool = [text for _sentence, text in _donors(project, rng)]
    made: list[Sentence] = []
    for head in rng.sample(heads, len(heads)):
        if control := make(project, head, pool, rng):
            made.append(control)
        if len(made) == count:
            return made
    raise NoControls(
        _(
            "Only %(possible)d more control documents can be created: each needs a document of its "
            "own."
        )
        % {"possible": len(made)}
    )


def _suitable_segments(project: Project) -> list[tuple[int, int]]:
    """Return the ids of segments that a control item can be created from, and their sentences."""
    controls = Sentence.objects.filter(
        copy_of=OuterRef("sentence"), purpose=Sentence.Purpose.CONTROL
    )
    segments = (
        Segment.objects.filter(
            ~Exists(controls),
            sentence__in=sentences_with_candidates(project),
            sampled=True,
            excluded=False,
        )
        .annotate(candidate_count=Count("candidates", filter=Q(candidates__excluded=False)))
        .filter(candidate_count__gte=FEWEST, candidate_count__lte=MOST)
        .order_by("pk")
    )
    return list(segments.values_list("pk", "sentence"))


def _donors(project: Project, rng: Random) -> list[tuple[int, TokenizedText]]:
    """Return a stretch of a candidate of each segment of some sentences, with the sentence's id."""
    sentences = list(sentences_with_candidates(project).order_by("pk").values_list("pk", flat=True))
    some = rng.sample(sentences, min(DONORS, len(sentences)))
    shown = Candidate.objects.filter(segment__excluded=False, excluded=False)
    rows = shown.filter(segment__sentence__in=some).order_by("segment", "pk")
    first: dict[int, tuple[int, str]] = {}
    for segment, sentence, text in rows.values_list("segment", "segment__sentence", "text"):
        first.setdefault(segment, (sentence, max(text.split(GAP), key=len)))
    tokenize = target_tokenizer(project)
    return [(sentence, tokenize(text)) for sentence, text in first.values()]


def _make(
    project: Project,
    sentence_id: int,
    segment_id: int,
    kind: Control.Kind,
    kinds: Sequence[Control.Kind],
    donors: list[tuple[int, TokenizedText]],
    rng: Random,
) -> Sentence | None:
    """Store one control sentence; with a duplicate if the candidate cannot be degraded.

    Stores nothing and returns None if a duplicate is not among the `kinds`.
    """
    original = _most_common(segment_id, rng)
    texts = set(Candidate.objects.filter(segment=segment_id).values_list("text", flat=True))
    others = [text for sentence, text in donors if sentence != sentence_id]
    # One stretch of it, so that the gaps stay where they are.
    parts = original.text.split(GAP)
    longest = parts.index(max(parts, key=len))
    changed = degrade(target_tokenizer(project)(parts[longest]), others, rng)
    worse = GAP.join([*parts[:longest], changed, *parts[longest + 1 :]]) if changed else ""
    if not worse or worse in texts:
        kind = Control.Kind.DUPLICATE
    if kind not in kinds:
        return None
    changed = worse if kind == Control.Kind.DEGRADED else original.text
    copied = copy_sentence(Sentence.objects.get(pk=sentence_id), Sentence.Purpose.CONTROL)
    segment = copied.segments[segment_id]
    added = Candidate.objects.create(
        segment=segment, text=changed, is_duplicate=kind == Control.Kind.DUPLICATE
    )
    Control.objects.create(
        segment=segment, kind=kind, original=copied.candidates[original.pk], changed=added
    )
    return copied.sentence


def _most_common(segment_id: int, rng: Random) -> Candidate:
    """Return a candidate of most systems: likely a good one, so that a degraded one is worse."""
    made = Projection.objects.filter(segment=segment_id, candidate__isnull=False)
    times = Counter(made.values_list("candidate", flat=True))
    shown = Candidate.objects.filter(segment=segment_id, excluded=False)
    candidates = list(shown.order_by("pk"))
    most = max(times[candidate.pk] for candidate in candidates)
    return rng.choice([one for one in candidates if times[one.pk] == most])
