"""Who judges which sentence next."""

import math
import random
from collections import defaultdict

from django.db import IntegrityError, transaction
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils import timezone

from annotation.access import may_judge
from annotation.models import Assignment, Candidate, Project, Sentence, ShownCandidate, User
from annotation.models.texts import split_tokens
from annotation.preparation.tokens import detokenize

# An intra repeat comes after at least so many other sentences, when it can be helped.
INTRA_DISTANCE = 20
# Lost races for a sentence are rare; so many in a row mean that something is wrong.
ATTEMPTS = 20


class NotAMember(Exception):
    """The user may not judge in this project."""


class ProjectNotOpen(Exception):
    """The project is still being prepared, or is closed."""


def next_assignment(*, annotator: User, project: Project) -> Assignment | None:
    """Return the annotator's open assignment, else a new one, or None when nothing is left.

    A new one has its candidates in a random order, which is stored and stays. It is a repeat
    when one is due (`_is_due`), otherwise a sentence that nobody has (`method.md`, "A
    judgement"). Raises NotAMember and ProjectNotOpen.
    """
    if not may_judge(annotator, project):
        raise NotAMember
    for _attempt in range(ATTEMPTS):
        open_one = Assignment.objects.filter(
            annotator=annotator, project=project, state=Assignment.State.OPEN
        ).first()
        if open_one:
            return open_one
        if project.state != Project.State.OPEN:
            raise ProjectNotOpen
        try:
            with transaction.atomic():
                return _assign(annotator, project)
        except IntegrityError:
            # Another annotator, or this one in another tab, was faster: look again.
            continue
    raise RuntimeError(f"No sentence could be assigned in {ATTEMPTS} attempts.")


def _assign(annotator: User, project: Project) -> Assignment | None:
    choice = _choose_sentence(annotator, project)
    if choice is None:
        return None
    kind, sentence = choice
    now = timezone.now()
    assignment = Assignment.objects.create(
        project=project,
        sentence=sentence,
        annotator=annotator,
        kind=kind,
        created=now,
        shown=now,
    )
    _store_shown_order(assignment, project.target_language)
    return assignment


def _choose_sentence(annotator: User, project: Project) -> tuple[Assignment.Kind, Sentence] | None:
    own = Assignment.objects.filter(annotator=annotator, project=project)
    given = dict.fromkeys(Assignment.Kind.values, 0)
    given.update(own.values_list("kind").annotate(Count("pk")))
    total = sum(given.values())
    if _is_due(given["intra"], total, project.intra_rate):
        sentence = _sentence_judged_before(own)
        if sentence:
            return Assignment.Kind.INTRA, sentence
    if _is_due(given["inter"], total, project.inter_rate):
        sentence = _sentence_judged_by_others(annotator, project)
        if sentence:
            return Assignment.Kind.INTER, sentence
    sentence = _sentence_of_nobody(project)
    return (Assignment.Kind.FIRST, sentence) if sentence else None


def _is_due(repeats: int, total: int, rate: float) -> bool:
    """Draw whether to give a repeat to an annotator who had `repeats` among `total` sentences.

    Each block of 1/rate sentences has one, at any place with the same probability: nobody can
    tell which sentence it is, and the share is the rate after every block.
    """
    if not rate:
        return False
    block = int(total * rate) + 1
    if repeats >= block:
        return False
    left_in_block = max(math.ceil(block / rate - total), 1)
    late = repeats < block - 1
    return late or random.random() * left_in_block < 1  # noqa: S311


def _sentence_judged_before(own: QuerySet[Assignment]) -> Sentence | None:
    """Return one that lies as far back as the rule asks, the least repeated of them."""
    judged = list(own.order_by("-created", "-pk").values_list("sentence_id", flat=True))
    recent = set(judged[: min(INTRA_DISTANCE, (len(judged) + 1) // 2)])
    times: dict[int, int] = defaultdict(int)
    for sentence_id in judged:
        times[sentence_id] += 1
    eligible = [sentence_id for sentence_id in times if sentence_id not in recent]
    if not eligible:
        return None
    fewest = min(times[sentence_id] for sentence_id in eligible)
    chosen = random.choice([s for s in eligible if times[s] == fewest])  # noqa: S311
    return Sentence.objects.get(pk=chosen)


def _sentence_judged_by_others(annotator: User, project: Project) -> Sentence | None:
    """Return a sentence that others have submitted and this annotator never had."""
    judged = (
        Assignment.objects.filter(project=project, state=Assignment.State.SUBMITTED)
        .exclude(sentence__in=Assignment.objects.filter(annotator=annotator).values("sentence"))
        .values("sentence")
        .annotate(times=Count("pk"))
        .order_by("times", "?")
        .first()
    )
    return Sentence.objects.get(pk=judged["sentence"]) if judged else None


def _sentence_of_nobody(project: Project) -> Sentence | None:
    taken = Assignment.objects.filter(sentence=OuterRef("pk"))
    return (
        # Locked rows are being given to somebody else at this moment (PostgreSQL).
        sentences_to_judge(project)
        .select_for_update(skip_locked=True, of=("self",))
        .filter(~Exists(taken))
        .order_by("?")
        .first()
    )


def sentences_to_judge(project: Project) -> QuerySet[Sentence]:
    """Return the sentences of the project that have something to judge."""
    candidates = Candidate.objects.filter(segment__sentence=OuterRef("pk"))
    return project.sentences.filter(Exists(candidates))


def _store_shown_order(assignment: Assignment, language: str) -> None:
    """Shuffle the candidates of each segment; those that look alike share one position."""
    cards: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    candidates = Candidate.objects.filter(segment__sentence_id=assignment.sentence_id)
    for candidate in candidates.order_by("pk"):
        look = detokenize(split_tokens(candidate.text), language)
        cards[candidate.segment_id][look].append(candidate.pk)
    rows = []
    for of_segment in cards.values():
        groups = list(of_segment.values())
        random.shuffle(groups)
        rows += [
            ShownCandidate(assignment=assignment, candidate_id=candidate_id, position=position)
            for position, group in enumerate(groups, start=1)
            for candidate_id in group
        ]
    ShownCandidate.objects.bulk_create(rows)
