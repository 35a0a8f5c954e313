"""Errors that were marked before, as the details with which the sheet of an assignment begins."""

from collections.abc import Collection, Mapping
from random import SystemRandom
from typing import Final

from rapidfuzz.distance import Indel

from annotation.formats.span_notation import carried, parse_spans, write_spans
from annotation.judging.sheet import Cards
from annotation.kinds import kind_of
from annotation.models import Assignment, Candidate, GivenErrors, GivenOrigin, Project, Sentence

_random: Final = SystemRandom()


def draw_origin(
    project: Project, kind: Assignment.Kind, sentence: Sentence, candidates: Collection[int]
) -> GivenOrigin | None:
    """Return whose errors a new assignment shows with these candidates (ids), or None.

    It is drawn at random whether it shows any, and which of those that there are. One query, none
    where errors are not marked. A control sentence shows those of its original, from which it must
    not differ; practice shows none.
    """
    if not kind_of(project).answer.takes_given_errors or kind == Assignment.Kind.PRACTICE:
        return None
    of_texts = (
        {"candidate__segment__sentence": sentence.copy_of_id}
        if sentence.purpose == Sentence.Purpose.CONTROL
        else {"candidate__in": candidates}
    )
    origins = project.given_origins.filter(
        pk__in=GivenErrors.objects.filter(**of_texts).values("origin")
    )
    found = list(origins.order_by("pk"))
    if not found or _random.random() >= project.given_share:
        return None
    return _random.choice(found)


def given_details(assignment: Assignment, cards: Cards) -> dict[str, str]:
    """Return the errors that the assignment shows by card key, without empty ones.

    One query, none where it shows none; two for a control sentence.
    """
    if assignment.given_id is None:
        return {}
    rows = GivenErrors.objects.filter(origin=assignment.given_id)
    if assignment.kind == Assignment.Kind.CONTROL:
        of_original = rows.filter(candidate__segment__sentence=assignment.sentence.copy_of_id)
        return _of_copy(dict(of_original.values_list("candidate__text", "detail")), cards)
    shown = [candidate for card in cards.values() for candidate in card.candidate_ids]
    given = dict(rows.filter(candidate__in=shown).values_list("candidate", "detail"))
    found = {
        key: next(filter(None, map(given.get, card.candidate_ids)), "")
        for key, card in cards.items()
    }
    return {key: detail for key, detail in found.items() if detail}


def _of_copy(of_original: Mapping[str, str], cards: Cards) -> dict[str, str]:
    """Return the details of a control sentence; `of_original` are those of its original by text.

    A degraded candidate shows what was marked in the text that is most like it, but for the part
    that was degraded.
    """
    shown = {key: card.candidate_ids[0] for key, card in cards.items()}
    texts = dict(Candidate.objects.filter(pk__in=shown.values()).values_list("pk", "text"))
    found = {}
    for key, pk in shown.items():
        text = texts[pk]
        before = max(of_original, key=lambda one: Indel.normalized_similarity(one, text))
        found[key] = write_spans(carried(parse_spans(of_original[before]), before, text))
    return {key: detail for key, detail in found.items() if detail}
