"""What finds the segments of source sentences: a parser, links, stored trees or given segments."""

from collections.abc import Iterable, Iterator
from itertools import chain, repeat

from django.conf import settings
from django.db.models import QuerySet

from annotation.formats.tokens import TokenizedText
from annotation.models import Project, Sentence, Translation
from annotation.pipeline.stages import Part
from annotation.preparation.linked_segments import LinkedSegments, Reference, are_linked
from annotation.preparation.parsers import (
    BracketsParser,
    ConlluParser,
    Parser,
    choose_parser,
    parser_of_language,
)
from annotation.preparation.phrase_chunker import SAMPLE_SENTENCES
from annotation.preparation.segmenters import (
    LINKED,
    Cutter,
    GivenSegments,
    ParsedSegments,
    check_coverage,
)
from annotation.preparation.tokens import plain_words
from annotation.preparation.trees import Node
from annotation.projects.options import PrepareOptions
from annotation.projects.provenance import provenance_of

# Parsers that read trees or segments from files of the project.
STORED = (BracketsParser.name, ConlluParser.name, GivenSegments.name)


def resolve_parser(project: Project, options: PrepareOptions) -> str:
    """Return the parser that "auto" stands for in this project.

    Raises InputError where the parser lacks what it needs.
    """
    if options.parser in STORED:
        return options.parser
    references = _references(project)
    if options.aligner == "pharaoh":
        references = references.exclude(alignment="")
    if are_linked(
        options.parser,
        project.source_language,
        chain.from_iterable(_first_sentences(project)),
        project.target_language,
        has_references=references.exists(),
        models=settings.STANZA_MODELS,
    ):
        check_coverage(options.coverage, LINKED)
        return LINKED
    return _choose(project, options).name


def cutter_of(part: Part, sentences: list[Sentence]) -> Cutter:
    """Return what cuts these sentences, which are all of the part."""
    project, options = part.project, part.options
    stored = (sentence.tree for sentence in sentences)
    if options.parser == GivenSegments.name:
        return GivenSegments(stored, provenance_of(project).files["segments"].name)
    if options.parser == LINKED:
        references = _linked_references(project, sentences)
        lengths = project.min_length, project.max_length
        beginning = _first_sentences(project)
        return LinkedSegments(project.source_language, *lengths, references, beginning)
    parser: Parser
    if options.parser in (BracketsParser.name, ConlluParser.name):
        from_trees = BracketsParser if options.parser == BracketsParser.name else ConlluParser
        numbers = (sentence.number for sentence in sentences)
        parser = from_trees(stored, provenance_of(project).files["trees"].name, numbers)
    else:
        # From the first sentences `phrases` learns for all chunks.
        parser = _choose(project, options, _first_sentences(project))
    return ParsedSegments(parser, project.min_length, project.max_length, options.coverage)


def _first_sentences(project: Project) -> Iterator[list[str]]:
    first = project.sentences.order_by("number").values_list("text", "tokens")
    for row in first[:SAMPLE_SENTENCES].iterator():
        yield plain_words(TokenizedText.stored(*row).words)


def _references(project: Project) -> QuerySet[Translation]:
    return Translation.objects.filter(sentence__project=project, reference__isnull=False)


def _linked_references(project: Project, sentences: list[Sentence]) -> list[list[Reference]] | None:
    """Return the references of each sentence that have links; None if none in the project has."""
    linked = _references(project).exclude(alignment="")
    if not linked.exists():
        return None
    rows = list(linked.filter(sentence__in=sentences).order_by("reference"))
    trees: Iterable[Node | None] = repeat(None)
    if name := parser_of_language(project.target_language, settings.STANZA_MODELS):
        parser = choose_parser(
            name, language=project.target_language, models=settings.STANZA_MODELS
        )
        trees = parser.parse(plain_words(row.tokenized.words) for row in rows)
    found: dict[int, list[Reference]] = {sentence.pk: [] for sentence in sentences}
    for row, tree in zip(rows, trees, strict=False):
        found[row.sentence_id].append(Reference(row.links, tree))
    return [found[sentence.pk] for sentence in sentences]


def _choose(
    project: Project, options: PrepareOptions, beginning: Iterable[list[str]] = ()
) -> Parser:
    return choose_parser(
        options.parser,
        language=project.source_language,
        lengths=(project.min_length, project.max_length),
        models=settings.STANZA_MODELS,
        beginning=beginning,
    )
