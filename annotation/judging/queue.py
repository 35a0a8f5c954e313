"""The queue: which sentence an annotator judges next."""

import random
from collections.abc import Collection, Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, NamedTuple

from django.core.cache import cache
from django.db.models import Exists, F, FilteredRelation, Max, OuterRef, Q, QuerySet

from annotation.common.caching import CACHE_SECONDS, LARGE_PROJECT, project_key
from annotation.judging import repeats
from annotation.judging.annotator import DONE, ProjectAnnotator
from annotation.judging.judged_units import judged_unit
from annotation.judging.sheet_choice import sheets_in_order, without_documents_of
from annotation.kinds import kind_of
from annotation.models import (
    Assignment,
    Candidate,
    Project,
    Projection,
    Reservation,
    Sentence,
    ShownCandidate,
    User,
)
from annotation.models.project_counts import stored_counts
from annotation.models.texts import rows_of_sheet
from annotation.projects.added_systems import sampled_systems, segments_to_show
from annotation.projects.document_sheets import design_of, fill_sheet, not_chosen_yet
from annotation.projects.provenance import Decision
from annotation.projects.undecided_systems import (
    decision_in_force,
    decisions,
    visible_by,
    visible_candidates,
)

# How many sentences the queue looks at in the first query, and the most in one. Nearly all of them
# are free, unless many were assigned since a worker stored which of them the queue passes over.
FEW: Final = 20
WINDOW: Final = 200

# Translations of one line are so far from each other, when possible.
LINE_DISTANCE: Final = 5

# Blocks that are searched for one without annotators, and in one query.
MOST_BLOCKS: Final = 1000
BLOCKS: Final = 50

# Numbers in one query; SQLite allows 32,766 parameters.
MOST_NUMBERS: Final = 30_000


@dataclass(frozen=True)
class BatchProgress:
    """How many items of a batch its annotator has judged and has left, the open one included."""

    done: int
    left: int

    @property
    def total(self) -> int:
        return self.done + self.left


class Choice(NamedTuple):
    """What is assigned next, for a first judgement with its slot, in a batch with its progress."""

    kind: Assignment.Kind
    sentence: Sentence
    slot: int | None = None
    in_batch: BatchProgress | None = None


# A sentence and its lowest slot that is not taken.
FreeSentence = tuple[Sentence, int]


@dataclass(frozen=True)
class Avoided:
    """Sentences that come only where no other is left: these, and all of these lines."""

    ids: Collection[int]
    lines: Collection[int]

    def has(self, sentence: Sentence) -> bool:
        line = sentence.source_line or sentence.number
        return sentence.pk in self.ids or line in self.lines

    @property
    def condition(self) -> Q:
        """The same as a condition on the Sentence."""
        of_lines = Q(source_line__in=self.lines) | Q(source_line=None, number__in=self.lines)
        return Q(pk__in=self.ids) | of_lines


class NothingToJudge(Exception):
    """The sentence has no candidates to show."""


def choose_before_others(annotator: ProjectAnnotator, *, practise: bool) -> Choice | None:
    """Return the kind of the next assignment, its sentence, and for a first judgement its slot.

    Practice comes first where the project requires it, or with `practise`. Sentences that are
    reserved for the annotator come next, also those with enough judges. None if there are none.
    """
    user, project = annotator.user, annotator.project
    if practise or project.practice_required:
        practice = sentences_to_practise(user, project).first()
        if practice:
            return Choice(Assignment.Kind.PRACTICE, practice)
    if annotator.has_reserved and not practise:
        reserved = _unlocked(reserved_sentences(user, project)).first()
        if reserved:
            return Choice(Assignment.Kind.FIRST, reserved, next_slot(reserved))
    return None


def choose(annotator: ProjectAnnotator, *, in_batches: bool = False) -> Choice | None:
    """Return the next of the sentences that every annotator can get, or a repeat, as above.

    In a project with batches, which have repeats of their own, these are what no batch has. None
    when nothing is left for this annotator. A sampled sentence may have nothing to judge: then
    `choose_with_candidates` returns another.
    """
    user, project = annotator.user, annotator.project
    if in_batches:
        left_over = _free_sentence(annotator)
        return Choice(Assignment.Kind.FIRST, *left_over) if left_over else None
    given = annotator.history.given
    repeat = repeats.choose_repeat(
        user,
        project,
        given,
        excluded=annotator.history.excluded,
        has_free=lambda: is_any_free(user, project),
    )
    # Sentences without candidates to compare were judged before SegRanks left them out.
    if repeat and to_judge(on_sheet(repeat[1], project), [project]).exists():
        return Choice(*repeat)
    avoid = _avoided(annotator)
    if design_of(project).chooses:
        choice = _chosen_sheet(annotator, avoid)
        return Choice(Assignment.Kind.FIRST, *choice) if choice else None
    # Segments sampled to judge an added system come first.
    first = segments_to_show(project)
    choice = _free_sentence(annotator, avoid, among=first) if first else None
    if choice is None and project.queue_order == Project.QueueOrder.RANDOM:
        choice = _sampled_sentence(annotator, avoid)
    choice = choice or _free_sentence(annotator, avoid)
    return Choice(Assignment.Kind.FIRST, *choice) if choice else None


def choose_with_candidates(annotator: ProjectAnnotator) -> Choice | None:
    """Return a free sentence that has something to judge, locked; None if there is none."""
    avoid = _avoided(annotator)
    choice = _chosen_sheet(annotator, avoid) if design_of(annotator.project).chooses else None
    choice = choice or _free_sentence(annotator, avoid)
    return Choice(Assignment.Kind.FIRST, *choice) if choice else None


def _avoided(annotator: ProjectAnnotator) -> Avoided:
    """Return what would follow too soon: originals of control items, translations of recent lines.

    A control item looks like its original. At most one query.
    """
    given = annotator.history.given
    recent = [source for _kind, source in given[:LINE_DISTANCE]]
    lines = judged_unit(kind_of(annotator.project).unit).lines_of(recent)
    return Avoided(repeats.recent_controls(given), lines)


def sentences_to_judge(project: Project) -> QuerySet[Sentence]:
    """Return the sentences of the project that have something to judge."""
    return with_something_to_judge(project.sentences.all(), [project])


def sentences_with_candidates(project: Project) -> QuerySet[Sentence]:
    """Return the same without sheets whose systems are still to be chosen: nothing is on them."""
    later = not_chosen_yet([project])
    found = sentences_to_judge(project)
    return found.exclude(later) if later else found


def with_something_to_judge(
    sentences: QuerySet[Sentence], projects: Collection[Project]
) -> QuerySet[Sentence]:
    """Return the sentences, of these projects, that have a segment with candidates to compare.

    Further rows of sheets are left out, since the head is assigned; a sheet whose systems are still
    to be chosen has something to judge. What is excluded does not count. Where systems are decided,
    candidates that only these produced do not count. A sentence that is used for practice is left
    out, because annotators see its gold answers.
    """
    visible = visible_candidates(projects)

    def has_candidate(row: str) -> Exists:
        of_row = Candidate.objects.filter(**{f"segment__{row}": OuterRef("pk")})
        return Exists(to_judge(of_row, projects, visible))

    # Not one condition with "or": PostgreSQL would compare all candidates with each head.
    candidates: Any = has_candidate("sentence")
    if any(judged_unit(kind_of(one).unit).has_further_rows for one in projects):
        candidates |= has_candidate("sentence__sheet")
    if later := not_chosen_yet(projects):
        candidates |= later
    sentences = sentences.filter(
        candidates, purpose=Sentence.Purpose.JUDGE, sheet=None, excluded=False
    )
    return without_practice(sentences)


def on_sheet(head: Sentence, project: Project) -> QuerySet[Candidate]:
    """Return the candidates of all rows of the sheet, whether they are shown or not."""
    if not judged_unit(kind_of(project).unit).has_further_rows:
        return Candidate.objects.filter(segment__sentence=head)
    return Candidate.objects.filter(segment__sentence__in=rows_of_sheet(head.pk))


def to_judge(
    candidates: QuerySet[Candidate], projects: Collection[Project], visible: Q | None = None
) -> QuerySet[Candidate]:
    """Leave out excluded candidates, and those of segments that annotators do not see.

    These are excluded or not sampled, or have one candidate only, where the kind of their project
    compares candidates: a rank of a single candidate says nothing, and costs the annotator as much
    time as others. Candidates that are not `visible` are left out before they are counted.
    """
    seen = _seen(visible)
    others = Candidate.objects.filter(seen, segment=OuterRef("segment"))
    enough: Q | Exists = Exists(others.exclude(pk=OuterRef("pk")))
    if by_itself := [one.pk for one in projects if kind_of(one).answer.fewest_cards == 1]:
        enough |= Q(segment__sentence__project__in=by_itself)
    return candidates.filter(seen, enough)


def _seen(visible: Q | None) -> Q:
    """Return the condition on a visible Candidate that neither it nor its segment is left out."""
    left = Q(segment__sampled=True, segment__excluded=False, excluded=False)
    return visible & left if visible else left


def without_practice(sentences: QuerySet[Sentence]) -> QuerySet[Sentence]:
    """Leave out the sentences that are used for practice."""
    practice = Sentence.objects.filter(copy_of=OuterRef("pk"), purpose=Sentence.Purpose.PRACTICE)
    return sentences.filter(~Exists(practice))


def sentences_to_practise(annotator: User, project: Project) -> QuerySet[Sentence]:
    """Return the practice sentences that the annotator has neither judged nor skipped, in order."""
    return repeats.unseen(annotator, project, Sentence.Purpose.PRACTICE).order_by("number")


def practice_left(annotator: User) -> QuerySet[Sentence]:
    """Return the practice sentences, of all projects, that the annotator has not done.

    An open one is not done.
    """
    done = Assignment.objects.filter(sentence=OuterRef("pk"), annotator=annotator, state__in=DONE)
    return Sentence.objects.filter(
        ~Exists(done), purpose=Sentence.Purpose.PRACTICE, sheet=None, retired=False
    ).exclude(copy_of__excluded=True)


def free_sentences(annotator: User, project: Project) -> QuerySet[Sentence]:
    """Return the sentences that need another judge and that this annotator can still judge.

    A sentence that the annotator has, had or skipped is not free, unless it was returned or
    discarded, or a system has added candidates since. What another annotator has in a batch that is
    not finished is not free.
    """
    free = _needing_this_judge(annotator, project, Assignment.ACTIVE_STATES)
    return judged_unit(kind_of(project).unit).outside_batches_of_others(free, annotator, project)


def is_any_free(annotator: User, project: Project) -> bool:
    """Return whether a sentence is free for this annotator, as far as the queue looks."""
    free = free_sentences(annotator, project)
    return any(window.exists() for window in _windows(free, annotator, project))


def is_any_left(annotator: User, project: Project) -> bool:
    """Return whether a sentence is free or becomes free if another annotator returns it.

    Where nothing is left, all sentences are read: the caller takes this answer for final, and a
    worker may not have counted yet what an administrator has just changed.
    """
    unjudged = _needing_this_judge(annotator, project, (Assignment.State.SUBMITTED,))
    opened = Assignment.objects.filter(
        project=project, kind=Assignment.Kind.FIRST, state=Assignment.State.OPEN
    )
    if unjudged.filter(pk__in=opened.values("sentence")).exists():
        return True
    in_queue = any(window.exists() for window in _windows(unjudged, annotator, project))
    return in_queue or unjudged.exists()


def reserved_sentences(annotator: User, project: Project) -> QuerySet[Sentence]:
    """Return the sentences reserved for the annotator that they can still judge, in order.

    They may have enough judges.
    """
    reserved = Reservation.objects.filter(annotator=annotator, sentence__project=project)
    sentences = sentences_to_judge(project).filter(pk__in=reserved.values("sentence"))
    return sentences.filter(~Exists(_own(annotator))).order_by("number")


def needing_a_judge(
    project: Project, states: Iterable[Assignment.State] = Assignment.ACTIVE_STATES
) -> QuerySet[Sentence]:
    """Return the sentences with fewer judges than required; assignments in `states` are judges."""
    judges = Assignment.objects.filter(
        sentence=OuterRef("pk"),
        kind=Assignment.Kind.FIRST,
        state__in=states,
        candidate_version__gte=OuterRef("candidate_version"),
    )
    each = project.judges_per_sentence
    missing = Q(~Exists(judges[each - 1 :]))
    if project.has_further_judges:
        for more in (1, 2):
            missing |= Q(~Exists(judges[each - 1 + more :]), further_judges__gte=more)
    return sentences_to_judge(project).filter(missing)


def judges_of(project: Project, sentence: Sentence) -> int:
    """Return how many annotators are to judge the sentence. No query."""
    further = sentence.further_judges if project.has_further_judges else 0
    return project.judges_per_sentence + further


def _needing_this_judge(
    annotator: User, project: Project, states: Iterable[Assignment.State]
) -> QuerySet[Sentence]:
    needing = needing_a_judge(project, states).filter(~Exists(_own(annotator)))
    if design_of(project).chooses:
        needing = without_documents_of(annotator, project, needing)
    return needing


def _own(annotator: User) -> QuerySet[Assignment]:
    """Return the assignments by which the annotator cannot get the sentence of the outer query."""
    mine = Assignment.objects.filter(
        sentence=OuterRef("pk"),
        annotator=annotator,
        candidate_version__gte=OuterRef("candidate_version"),
    )
    return mine.exclude(state__in=Assignment.ENDED_STATES)


def reserved_by_project(annotator: User) -> QuerySet[Sentence]:
    """Return what is reserved for the annotator in all projects and that they have not had.

    Some of it may have nothing to judge, which is not asked here.
    """
    reserved = Reservation.objects.filter(annotator=annotator).values("sentence")
    return Sentence.objects.filter(~Exists(_own(annotator)), pk__in=reserved, excluded=False)


def free_slot(sentence: Sentence, slots: int, candidate_version: int) -> int | None:
    """Return the lowest free slot of the sentence in this version, from 1.

    None where it has as many judges as slots, some of whom may have slots beyond these.
    """
    taken = _taken_slots(sentence, candidate_version)
    return lowest_free(taken) if len(taken) < slots else None


def next_slot(sentence: Sentence, candidate_version: int | None = None) -> int:
    """Return the lowest free slot of the sentence, however many judges it has."""
    return lowest_free(_taken_slots(sentence, candidate_version or sentence.candidate_version))


def lowest_free(taken: Container[int | None]) -> int:
    """Return the lowest slot, from 1, that is not taken."""
    return next(slot for slot in count(1) if slot not in taken)


def _taken_slots(sentence: Sentence, candidate_version: int) -> set[int | None]:
    taken = Assignment.objects.filter(
        sentence=sentence,
        kind=Assignment.Kind.FIRST,
        state__in=Assignment.ACTIVE_STATES,
        candidate_version__gte=candidate_version,
    )
    return set(taken.values_list("slot", flat=True))


def decision_for(
    kind: Assignment.Kind, annotator: User, project: Project, sentence: Sentence
) -> Decision | None:
    """Return the decision by which an assignment is narrowed; None if it shows all systems.

    A repeat shows what was shown before, to the annotator or to another: agreement compares the
    same sheets. One query for a repeat, in a project with decisions.
    """
    if kind == Assignment.Kind.FIRST:
        return decision_in_force(project)
    made = {decision.number: decision for decision in decisions(project)}
    if not made or kind not in Assignment.COUNTED:
        return None
    number = _repeated(kind, annotator, sentence).values_list("decision", flat=True).first()
    return made.get(number) if number else None


def shown_before(kind: Assignment.Kind, annotator: User, sentence: Sentence) -> set[int]:
    """Return the ids of the candidates that a repeat is to show again. One query."""
    repeated = _repeated(kind, annotator, sentence).values("pk")[:1]
    shown = ShownCandidate.objects.filter(assignment__in=repeated)
    return set(shown.values_list("candidate", flat=True))


def _repeated(
    kind: Assignment.Kind, annotator: User, sentence: Sentence
) -> QuerySet[Assignment, Assignment]:
    """Return the submitted assignments that this one repeats, by id."""
    earlier = Assignment.objects.filter(
        sentence=sentence, kind__in=Assignment.COUNTED, state=Assignment.State.SUBMITTED
    )
    if kind == Assignment.Kind.INTRA:
        earlier = earlier.filter(annotator=annotator)
    return earlier.order_by("pk")


def new_candidates(
    project: Project, sentence: Sentence, slot: int | None, decision: Decision | None = None
) -> QuerySet[Candidate]:
    """Return the candidates to show; those of a segment may be too few to compare.

    Candidates that only systems with a sample have are shown in sampled segments only: judgements
    of others are no random sample, and would be used nowhere.
    After a system was added, a slot that had a judge before is shown only the segments that have
    changed since. Repeats, practice and control have no slot and show all candidates. With a
    decision, candidates that no undecided system produced are not shown.
    """
    candidates = on_sheet(sentence, project)
    if slot is not None and sentence.candidate_version > 1:
        earlier = Assignment.objects.filter(
            sentence=sentence,
            slot=slot,
            kind=Assignment.Kind.FIRST,
            state__in=Assignment.ACTIVE_STATES,
            candidate_version__lt=sentence.candidate_version,
        )
        latest = earlier.aggregate(latest=Max("candidate_version"))["latest"] or 0
        candidates = candidates.filter(segment__candidate_version__gt=latest)
    visible = Q()
    if names := sampled_systems(project):
        producers = Projection.objects.filter(candidate=OuterRef("pk"))
        of_others = producers.exclude(system__name__in=names)
        of_sampled = producers.filter(system__name__in=names)
        shown = segments_to_show(project).get(sentence.number, set())
        visible = Exists(of_others) | ~Exists(of_sampled) | Q(segment__token_indices__in=shown)
    if decision:
        visible &= visible_by(decision)
    return candidates.filter(_seen(visible))


def can_reopen(assignment: Assignment, project: Project) -> bool:
    """Return True if a returned assignment can become open or submitted again.

    A first judgement gets a free slot, or one more if its sentence is reserved, and its sentence
    stays locked until the transaction ends. False if all slots are taken, if the annotator has
    another assignment of the sentence, or if the annotator may have seen gold answers for it.
    """
    sentence = Sentence.objects.select_for_update(no_key=True).get(pk=assignment.sentence_id)
    others = Assignment.objects.filter(
        sentence=sentence, annotator=assignment.annotator_id
    ).exclude(pk=assignment.pk)
    if assignment.kind == Assignment.Kind.PRACTICE:
        return not others.exclude(state__in=Assignment.ENDED_STATES).exists()
    if assignment.kind == Assignment.Kind.CONTROL:
        if others.exclude(state=Assignment.State.RETURNED).exists():
            return False
        copies = Sentence.objects.filter(pk=sentence.pk)
        return repeats.without_practice_originals(copies).exists()
    same = Sentence.objects.filter(pk=sentence.pk, purpose=Sentence.Purpose.JUDGE)
    if not without_practice(same).exists():
        return False
    if assignment.kind != Assignment.Kind.FIRST:
        return True
    if others.filter(
        state__in=Assignment.ACTIVE_STATES, candidate_version__gte=assignment.candidate_version
    ).exists():
        return False
    slot = free_slot(sentence, judges_of(project, sentence), assignment.candidate_version)
    if slot is None:
        reserved = sentence.reservations.filter(annotator=assignment.annotator_id)
        if not reserved.exists():
            return False
        slot = next_slot(sentence, assignment.candidate_version)
    assignment.slot = slot
    return True


def _chosen_sheet(annotator: ProjectAnnotator, avoid: Avoided) -> FreeSentence | None:
    """Return the next sheet where systems are chosen for sheets, and its slot, locked.

    A sheet without systems gets them now, in the transaction of the caller.
    """
    user, project = annotator.user, annotator.project
    free = free_sentences(user, project)
    wanted = free.exclude(avoid.condition) if avoid.ids else free
    for sheets in (wanted, free) if avoid.ids else (free,):
        windows: Iterable[QuerySet[Sentence]] = [sheets.filter(passed_over=False)]
        if not design_of(project).is_dynamic:
            windows = _random_windows(sheets, user, project, WINDOW)
        for sheet in sheets_in_order(user, project, windows):
            heads = sheets.filter(pk=sheet.head)
            if sheet.systems:
                # Another annotator may have got it, with systems, meanwhile.
                heads = heads.filter(sheet_probability=None)
            head = _unlocked(heads).first()
            slot = head and free_slot(head, judges_of(project, head), head.candidate_version)
            if not head or not slot:
                continue
            if sheet.systems:
                fill_sheet(head, sheet.systems, of_document=sheet.of_document)
            return head, slot
    return None


def _sampled_sentence(annotator: ProjectAnnotator, avoid: Avoided) -> FreeSentence | None:
    """Return a sentence at random and its slot, locked; None unless it is free.

    Until many sentences are taken it is, and no others are read. Whether it has something to judge
    is not asked here.
    """
    project = annotator.project
    heads = project.sentences.filter(
        purpose=Sentence.Purpose.JUDGE,
        number__in=repeats.sampled_numbers(project, 1),
        sheet=None,
        excluded=False,
    )
    if found := locked_with_slots(_unlocked(without_practice(heads))):
        sentence, taken = found
        is_free = len(taken) < judges_of(project, sentence)
        if is_free and not annotator.history.has_had(sentence.pk) and not avoid.has(sentence):
            return sentence, lowest_free(taken)
    return None


def locked_with_slots(sentence: QuerySet[Sentence]) -> tuple[Sentence, set[int]] | None:
    """Return the one sentence of a locking query, and its slots that are taken; None for none."""
    judges = FilteredRelation(
        "assignments",
        condition=Q(
            assignments__kind=Assignment.Kind.FIRST,
            assignments__state__in=Assignment.ACTIVE_STATES,
        ),
    )
    # A row for each judge, or one.
    rows: list[Any] = list(
        sentence.annotate(
            judges=judges, slot=F("judges__slot"), judged_version=F("judges__candidate_version")
        )
    )
    if not rows:
        return None
    current = [row for row in rows if (row.judged_version or 0) >= row.candidate_version]
    return rows[0], {row.slot for row in current}


def _free_sentence(
    annotator: ProjectAnnotator,
    avoid: Avoided = Avoided((), ()),
    *,
    among: Collection[int] | None = None,
) -> FreeSentence | None:
    """Return the next free sentence in the project's order and its slot, locked.

    An avoided sentence is returned only where no other is left. With `among`, only sentences with
    these numbers that were assigned before are returned, in random order: what is judged of a
    sample must be a random sample too.
    """
    user, project = annotator.user, annotator.project
    free = _unlocked(free_sentences(user, project))
    wanted = [free.exclude(avoid.condition), free] if avoid.ids or avoid.lines else [free]
    if among is not None:
        of_sample = sorted(among)[:MOST_NUMBERS]
        again = {"number__in": of_sample, "candidate_version__gt": 1, "passed_over": False}
        found: Iterable[QuerySet[Sentence]] = (one.filter(**again).order_by("?") for one in wanted)
    elif project.queue_order == Project.QueueOrder.RANDOM:
        found = (
            window.order_by("?") for one in wanted for window in _random_windows(one, user, project)
        )
    else:
        found = (
            # Not by the column: PostgreSQL might look at all sentences, in the order of its index.
            window.order_by(F("number") + 0)
            for one in wanted
            for window in _windows_in_order(annotator, one)
        )
    sentence = next(filter(None, (one.first() for one in found)), None)
    if sentence is None:
        return None
    if project.queue_order == Project.QueueOrder.DOCUMENT and among is None:
        _store_first(annotator, sentence.number)
    slot = free_slot(sentence, judges_of(project, sentence), sentence.candidate_version)
    return (sentence, slot) if slot else None


def _unlocked(sentences: QuerySet[Sentence]) -> QuerySet[Sentence]:
    """Lock the sentences; PostgreSQL leaves out those that another transaction has locked."""
    return sentences.select_for_update(skip_locked=True, of=("self",), no_key=True)


def _queued(annotator: User, project: Project) -> QuerySet[Sentence]:
    """Return the sentences that the queue does not pass over and that the annotator has not had.

    In a project that no worker counts, it passes none over.
    """
    return project.sentences.filter(
        ~Exists(_own(annotator)), purpose=Sentence.Purpose.JUDGE, sheet=None, passed_over=False
    )


def _random_windows(
    free: QuerySet[Sentence], annotator: User, project: Project, size: int = FEW
) -> Iterator[QuerySet[Sentence]]:
    """Yield what is `free` of about `size` sentences of the queue at random, then of all windows.

    The random ones have numbers that follow each other, so that they are read from the index. The
    last number is followed by the first, and of the two parts that this makes one is taken, with a
    probability by its length: then no sentence is more probable than others.
    """
    last = repeats.last_numbers([project])[project.pk]
    counts = stored_counts(project)
    queued = counts.free if counts else last
    start = random.randint(1, max(last, 1))  # noqa: S311
    if queued <= WINDOW:
        yield from _windows(free, annotator, project)
        return
    end = start + size * last // queued
    some = _queued(annotator, project)
    if random.randrange(start, end) <= last:  # noqa: S311
        some = some.filter(number__range=(start, end - 1))
    else:
        some = some.filter(number__lt=end - last)
    yield free.filter(pk__in=some.values("pk")[: 2 * size])
    yield from _windows(free, annotator, project, start, size=size)


def _windows(
    free: QuerySet[Sentence],
    annotator: User,
    project: Project,
    start: int = 0,
    *,
    size: int = WINDOW,
    then_before: bool = True,
) -> Iterator[QuerySet[Sentence]]:
    """Yield what is `free` of the queue by windows, from the number `start` on, then before it.

    The first window has `size` sentences, the others have more, but at most WINDOW.
    """
    queued = _queued(annotator, project).order_by("number")
    parts = [queued.filter(number__gte=start)]
    if start > 1 and then_before:
        parts.append(queued.filter(number__lt=start))
    for part in parts:
        last: int | None = 0
        while last is not None:
            window = list(part.filter(number__gt=last).values_list("pk", "number")[:size])
            if window:
                yield free.filter(pk__in=[pk for pk, _number in window])
            last = window[-1][1] if len(window) == size else None
            size = min(2 * size, WINDOW)


def _windows_in_order(
    annotator: ProjectAnnotator, free: QuerySet[Sentence]
) -> Iterator[QuerySet[Sentence]]:
    """Yield the same, the windows that come first in the project's order first."""
    user, project = annotator.user, annotator.project
    if project.queue_order == Project.QueueOrder.DOCUMENT:
        yield from _windows(free, user, project, cache.get(_first_key(annotator), 0), size=FEW)
        return
    # Each annotator finishes the current block, then starts a block without annotators, and when
    # there is none helps with the others.
    size = project.block_size
    if last := _latest_number(annotator):
        first = last - (last - 1) % size
        yield free.filter(number__gte=first, number__lt=first + size)
    counts = stored_counts(project)
    if counts is None or counts.new_block:
        # What is before it waits for the next count.
        yield from _in_new_blocks(free, project, (counts and counts.new_block) or 1)
    yield from _windows(free, user, project, size=FEW)


def _in_new_blocks(
    free: QuerySet[Sentence], project: Project, first: int
) -> Iterator[QuerySet[Sentence]]:
    """Yield what is `free` in each block without annotators, from that of a number on.

    Of many blocks the first ones only, so that no request reads all assignments.
    """
    size = project.block_size
    last = repeats.last_numbers([project])[project.pk]
    starts = range(first - (first - 1) % size, last + 1, size)[:MOST_BLOCKS]
    for some in (starts[at : at + BLOCKS] for at in range(0, len(starts), BLOCKS)):
        begun = begun_blocks(project, range(some[0], some[-1] + size))
        for start in some:
            if (start - 1) // size not in begun:
                yield free.filter(number__gte=start, number__lt=start + size)


def begun_blocks(project: Project, numbers: range) -> set[int]:
    """Return the blocks with annotators, counted from 0, of sentences with these numbers."""
    assigned = Assignment.objects.filter(
        project=project,
        kind=Assignment.Kind.FIRST,
        state__in=Assignment.ACTIVE_STATES,
        sentence__number__range=(numbers[0], numbers[-1]),
    )
    of_sentences = assigned.order_by().values_list("sentence__number", flat=True).distinct()
    return {(number - 1) // project.block_size for number in of_sentences}


def _latest_number(annotator: ProjectAnnotator) -> int | None:
    """Return the number of the sentence that the annotator judged or was assigned last."""
    for row in annotator.history.rows:
        if row.kind == Assignment.Kind.FIRST and row.state in Assignment.ACTIVE_STATES:
            return Sentence.objects.values_list("number", flat=True).get(pk=row.sentence)
    return None


def _store_first(annotator: ProjectAnnotator, number: int) -> None:
    """Store from which number the annotator's next sentence is searched for, in a large project.

    A sentence before it that is returned meanwhile is found after a minute, or when nothing else is
    left.
    """
    if repeats.last_numbers([annotator.project])[annotator.project.pk] >= LARGE_PROJECT:
        cache.add(_first_key(annotator), number, CACHE_SECONDS)


def _first_key(annotator: ProjectAnnotator) -> str:
    return project_key(f"first-free-{annotator.user.pk}", annotator.project)
