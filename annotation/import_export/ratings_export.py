"""Scores and marked errors for a shared task of metrics: one rating a line, without names."""

from collections.abc import Generator, Iterator

from annotation.common.transactions import snapshot
from annotation.formats.ratings import Rating, rating_line
from annotation.formats.span_notation import parse_spans
from annotation.import_export.judgement_pages import (
    by_candidate,
    ids,
    is_repeat,
    load_judgements,
    load_projections,
)
from annotation.import_export.sentence_pages import pages_of_lines
from annotation.kinds import kind_of
from annotation.kinds.marked_errors import ErrorsAlone
from annotation.models import Project, Sentence
from annotation.projects.annotator_names import annotator_numbers
from annotation.projects.instructions import domains_of
from annotation.projects.references import references_of


def ratings(project: Project) -> Generator[str, None, None]:
    """Yield JSON lines with the ratings of translations, by line of the source and system.

    Of an annotator who judged a translation several times, they have the first judgement. Those of
    documents as a whole are left out, and candidates of no known system.
    """
    with snapshot():
        # The first piece, so that a project without judgements is an empty file.
        yield ""
        for rating in ratings_of(project):
            yield rating_line(rating, project.source_language, project.target_language)


def ratings_of(project: Project) -> Iterator[Rating]:
    """Yield the ratings; call it in a snapshot."""
    answer, numbers = kind_of(project).answer, annotator_numbers(project)
    weights = answer.typology.weights() if isinstance(answer, ErrorsAlone) else None
    named = Sentence.objects.filter(project=project, document__gt="").order_by()
    domains = domains_of(project, named.values_list("document", flat=True).distinct())
    for page in pages_of_lines(project):
        judgements = load_judgements(page, answer)
        projections = load_projections(page)
        references = references_of(ids(page))
        rated: list[Rating] = []
        for sentence in page:
            for segment in sentence.segments:
                if segment.of_document:
                    continue
                systems = by_candidate(projections.get(segment.id, ()))
                seen: set[tuple[int, int]] = set()
                rated += [
                    Rating(
                        line=sentence.source_number,
                        document=sentence.document,
                        domain=domains.get(sentence.document, ""),
                        source=sentence.text,
                        references=[one.text for one in references.get(sentence.id, ())],
                        system=system,
                        translation=segment.candidates[pk],
                        annotator=numbers[judgement.annotator_id],
                        score=answer.score_of(rank),
                        spans=() if parts else parse_spans(detail),
                        scores={part.scale.name: part.score for part in parts},
                        weights=weights,
                    )
                    for judgement in judgements.get(segment.id, ())
                    for pk, rank in judgement.ranks.items()
                    if not is_repeat(judgement, pk, seen)
                    for detail in [judgement.details.get(pk, "")]
                    for parts in [answer.parts_of(detail)]
                    for system in systems.get(pk, ())
                ]
        yield from sorted(rated, key=lambda one: (one.line, one.system, one.annotator))
