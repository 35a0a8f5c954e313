"""Errors that were marked before, as the details with which the sheet of an assignment begins."""

from collections.abc import Collection
from random import SystemRandom
from typing import Final

from django.db.models import QuerySet
from rapidfuzz.distance import Indel

from annotation.formats.span_notation import carried, parse_spans, write_spans
from annotation.judging.sheet import Cards
from annotation.kinds import kind_of
from annotation.models import Assignment, Candidate, GivenErrors, GivenOrigin, Project

_random: Final = SystemRandom()


def draw_origin(
    project: Project, kind: Assignment.Kind, candidates: Collection[int]
) -> GivenOrigin | None:
    """Return whose errors a new assignment shows with these candidates (ids), or None.

    It is drawn at random whether it shows any, and which of those that there are. One query, none
    where errors are not marked. A control sentence shows those of its original, from which it must
    not differ; practice shows none.
    """
    if not kind_of(project).answer.takes_given_errors or kind == Assignment.Kind.PRACTICE:
        return None
    marked = GivenErrors.objects.filter(**{_marked_for(kind): candidates})
    origins = project.given_origins.filter(pk__in=marked.values("origin"))
    found = list(origins.order_by("pk"))
    if not found or _random.random() >= project.given_share:
        return None
    return _random.choice(found)


def _marked_for(kind: str) -> str:
    """Return the lookup from given errors to the candidates for which they are shown."""
    if kind == Assignment.Kind.CONTROL:
        return "candidate__segment__sentence__copies__segments__candidates__in"
    return "candidate__in"


def given_details(assignment: Assignment, cards: Cards) -> dict[str, str]:
    """Return the errors that the assignment shows by card key, without empty ones.

    One query, none where it shows none; two for a control sentence.
    """
    if assignment.given_id is None:
        return {}
    shown = [candidate for card in cards.values() for candidate in card.candidate_ids]
    rows = GivenErrors.objects.filter(
        origin=assignment.given_id, **{_marked_for(assignment.kind): shown}
    )
    given = (
        _of_copies(rows, shown)
        if assignment.kind == Assignment.Kind.CONTROL
        else dict(rows.values_list("candidate", "detail"))
    )
    found = {
        key: next(filter(None, map(given.get, card.candidate_ids)), "")
        for key, card in cards.items()
    }
    return {key: detail for key, detail in found.items() if detail}


def _of_copies(of_originals: QuerySet[GivenErrors], shown: Collection[int]) -> dict[int, str]:
    """Return by candidate of a control sentence what is given of its original.

    A degraded candidate shows what was marked in the text that is most like it, but for the part
    that was degraded.
    """
    columns = "pk", "text", "segment__sentence", "segment__of_document"
    copies = Candidate.objects.filter(pk__in=shown).values_list(
        "pk", "text", "segment__sentence__copy_of", "segment__of_document"
    )
    rows = {row for _pk, _text, row, _of_document in copies}
    texts: dict[tuple[int | None, bool], dict[str, int]] = {}
    for pk, text, row, of_document in Candidate.objects.filter(
        segment__sentence__in=rows
    ).values_list(*columns):
        texts.setdefault((row, of_document), {})[text] = pk
    given = dict(of_originals.values_list("candidate", "detail"))
    found = {}
    for pk, text, row, of_document in copies:
        if same := texts.get((row, of_document)):
            before = max(same, key=lambda one: Indel.normalized_similarity(one, text))
            if detail := given.get(same[before]):
                found[pk] = write_spans(carried(parse_spans(detail), before, text))
    return found
