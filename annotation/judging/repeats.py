"""Sentences that come again: to the same annotator, to another, or as a copy for control."""

import math
import random
from collections import Counter
from collections.abc import Callable, Collection, Container, Sequence
from typing import Final

from django.core.cache import cache
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.common.caching import CACHE_SECONDS, project_key
from annotation.models import Assignment, Project, Sentence, User

# An intra repeat comes after at least so many other sentences, when possible.
INTRA_DISTANCE: Final = 20
# How many sentences are sampled for an inter repeat, and how many control sentences.
SAMPLE_SIZE: Final = 60

# Kind and source of past assignments, latest first, as in `History.given`.
Given = Sequence[tuple[str, int]]


def choose_repeat(
    annotator: User,
    project: Project,
    given: Given,
    *,
    excluded: Container[int],
    has_free: Callable[[], bool],
) -> tuple[Assignment.Kind, Sentence] | None:
    """Return the kind and the sentence of a repeat or control item if one is due and exists.

    The `excluded` sentences are not repeated.
    """
    if is_due(Assignment.Kind.CONTROL, project, given) and has_free():
        sentence = _sentence_for_control(annotator, project, given)
        if sentence:
            return Assignment.Kind.CONTROL, sentence
    if is_due(Assignment.Kind.INTRA, project, given):
        sentence = _sentence_judged_before(given, excluded)
        if sentence:
            return Assignment.Kind.INTRA, sentence
    if is_due(Assignment.Kind.INTER, project, given):
        sentence = _sentence_judged_by_others(annotator, project)
        if sentence:
            return Assignment.Kind.INTER, sentence
    return None


def is_due(kind: Assignment.Kind, project: Project, given: Given) -> bool:
    """Decide at random whether the next sentence is of this kind, by the project's rate."""
    rate = {
        Assignment.Kind.CONTROL: project.control_rate,
        Assignment.Kind.INTRA: project.intra_rate,
        Assignment.Kind.INTER: project.inter_rate,
    }[kind]
    count = sum(of_kind == kind for of_kind, _source in given)
    if kind != Assignment.Kind.CONTROL:
        return _is_due(count, len(given), rate)
    # Two control items in a row would be noticed, and so would many of them when the rate was
    # raised after judging began.
    follows_another = bool(given) and given[0][0] == kind
    return not follows_another and _is_due(count, len(given), rate, catch_up=2 * rate)


def _is_due(repeats: int, total: int, rate: float, *, catch_up: float = 1.0) -> bool:
    """Decide at random whether to repeat, after `repeats` repeats among `total` sentences.

    Each block of 1/rate sentences has one repeat, at any place with the same probability: no
    annotator can tell which sentence it is, and after every block the share equals the rate. A
    repeat that is late comes with the probability `catch_up`.
    """
    if not rate:
        return False
    block = int(total * rate) + 1
    if repeats >= block:
        return False
    if repeats < block - 1:
        return random.random() < catch_up  # noqa: S311
    left_in_block = max(math.ceil(block / rate - total), 1)
    return random.random() * left_in_block < 1  # noqa: S311


def recent_controls(given: Given) -> list[int]:
    """Return the originals of the control items that the annotator may still remember."""
    recent = given[:INTRA_DISTANCE]
    return [source for kind, source in recent if kind == Assignment.Kind.CONTROL]


def unseen(annotator: User, project: Project, purpose: Sentence.Purpose) -> QuerySet[Sentence]:
    """Return the sentences for this purpose that the annotator has neither judged nor skipped.

    Copies of excluded sentences are left out. A discarded try at practice does not count, but a
    discarded control item does: the annotator would recognise it.
    """
    unseen_in = (
        Assignment.ENDED_STATES
        if purpose == Sentence.Purpose.PRACTICE
        else (Assignment.State.RETURNED,)
    )
    seen = Assignment.objects.filter(sentence=OuterRef("pk"), annotator=annotator).exclude(
        state__in=unseen_in
    )
    return project.sentences.filter(
        ~Exists(seen), purpose=purpose, sheet=None, retired=False
    ).exclude(copy_of__excluded=True)


def without_practice_originals(sentences: QuerySet[Sentence]) -> QuerySet[Sentence]:
    """Leave out copies of sentences used for practice: annotators see their gold answers there."""
    practice = Sentence.objects.filter(
        copy_of=OuterRef("copy_of"), purpose=Sentence.Purpose.PRACTICE
    )
    return sentences.filter(~Exists(practice))


def sampled_numbers(project: Project, size: int) -> list[int]:
    """Return so many different numbers of sentences at random, or all; some may be of none."""
    last = last_numbers([project])[project.pk]
    return random.sample(range(1, last + 1), min(size, last))


def last_numbers(projects: Collection[Project]) -> dict[int, int]:
    """Return the number of the last sentence to judge by project id. One query at most.

    Cached: new sentences are not sampled at once.
    """
    keys = {project.pk: project_key("last-number", project) for project in projects}
    cached = cache.get_many(keys.values())
    found = {pk: cached[key] for pk, key in keys.items() if key in cached}
    if missing := [pk for pk in keys if pk not in found]:
        to_judge = Sentence.objects.filter(project=OuterRef("pk"), purpose=Sentence.Purpose.JUDGE)
        last = Subquery(to_judge.order_by("-number").values("number")[:1])
        # Of all projects: one that is being stored is hidden.
        read = Project.with_hidden.filter(pk__in=missing).values_list("pk", Coalesce(last, 0))
        found |= dict.fromkeys(missing, 0) | dict(read)
        cache.set_many({keys[pk]: found[pk] for pk in missing}, CACHE_SECONDS)
    return found


def _sentence_for_control(annotator: User, project: Project, given: Given) -> Sentence | None:
    """Return an unseen control sentence, if possible one whose original was not seen lately."""
    unseen_ones = unseen(annotator, project, Sentence.Purpose.CONTROL)
    recent = [source for _kind, source in given[:INTRA_DISTANCE]]
    in_order = project.sentences.filter(purpose=Sentence.Purpose.CONTROL).order_by("number")
    last = in_order.values_list("number", flat=True).last() or 0
    start = random.randint(1, last) if last > SAMPLE_SIZE else 1  # noqa: S311
    # There is none this time where the annotator has seen all of so many.
    sample = in_order.filter(number__gte=start).values("pk")[:SAMPLE_SIZE]
    controls = without_practice_originals(unseen_ones.filter(pk__in=sample)).order_by("?")
    return controls.exclude(copy_of__in=recent).first() or controls.first()


def _sentence_judged_before(given: Given, excluded: Container[int]) -> Sentence | None:
    """Return the least repeated sentence that lies far enough in the annotator's past."""
    judged = [source for kind, source in given if kind in Assignment.COUNTED]
    recent = {
        *judged[: min(INTRA_DISTANCE, (len(judged) + 1) // 2)],
        *recent_controls(given),
    }
    times = Counter(source for source in judged if source not in recent and source not in excluded)
    if not times:
        return None
    fewest = min(times.values())
    chosen = random.choice([source for source in times if times[source] == fewest])  # noqa: S311
    return Sentence.objects.get(pk=chosen)


def _sentence_judged_by_others(annotator: User, project: Project) -> Sentence | None:
    """Return a sentence that has all its judges, this annotator not among them.

    It is the least repeated of a sample: of the sentences whose last judge has submitted, those
    that follow a random one. Where none of them qualifies, there is no repeat this time.
    """
    last_judges = Assignment.objects.filter(
        project=project,
        kind=Assignment.Kind.FIRST,
        state=Assignment.State.SUBMITTED,
        slot=project.judges_per_sentence,
    )
    ids = last_judges.order_by("sentence").values_list("sentence", flat=True)
    numbers = sampled_numbers(project, 1)
    random_one = project.sentences.filter(purpose=Sentence.Purpose.JUDGE, number__in=numbers)
    sample = list(ids.filter(sentence__gte=random_one.values("pk")[:1])[:SAMPLE_SIZE])
    if len(sample) < SAMPLE_SIZE:
        sample += ids[: SAMPLE_SIZE - len(sample)]
    return _least_repeated(annotator, project, sample) if sample else None


def _least_repeated(
    annotator: User, project: Project, sentences: Collection[int]
) -> Sentence | None:
    """Return the least repeated of these sentences that others have judged completely."""
    seen = Assignment.objects.filter(annotator=annotator, sentence=OuterRef("pk")).exclude(
        state=Assignment.State.DISCARDED
    )
    submitted = Q(
        assignments__state=Assignment.State.SUBMITTED, assignments__kind__in=Assignment.COUNTED
    )
    firsts = submitted & Q(
        assignments__kind=Assignment.Kind.FIRST,
        assignments__candidate_version__gte=F("candidate_version"),
    )
    # From the sentences: from their assignments, PostgreSQL might read all sentences.
    return (
        Sentence.objects.filter(~Exists(seen), pk__in=sentences, excluded=False)
        .annotate(
            times=Count("assignments", filter=submitted),
            firsts=Count("assignments", filter=firsts),
        )
        .filter(
            firsts__gte=F("further_judges") + project.judges_per_sentence
            if project.has_further_judges
            else project.judges_per_sentence
        )
        .order_by("times", "?")
        .first()
    )
