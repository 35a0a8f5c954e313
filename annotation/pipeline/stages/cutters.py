"""What finds the segments of source sentences: a parser, stored trees or given segments."""

from collections.abc import Iterable

from django.conf import settings

from annotation.formats.tokens import TokenizedText
from annotation.models import Project, Sentence
from annotation.pipeline.stages import Part
from annotation.preparation.parsers import (
    BracketsParser,
    ConlluParser,
    Parser,
    choose_parser,
)
from annotation.preparation.phrase_chunker import SAMPLE_SENTENCES
from annotation.preparation.segmenters import Cutter, GivenSegments, ParsedSegments
from annotation.preparation.tokens import plain_words
from annotation.projects.options import PrepareOptions
from annotation.projects.provenance import provenance_of

# Parsers that read trees or segments from files of the project.
STORED = (BracketsParser.name, ConlluParser.name, GivenSegments.name)


def resolve_parser(project: Project, options: PrepareOptions) -> str:
    """Return the parser that "auto" stands for in this project.

    Raises InputError where the parser lacks what it needs.
    """
    return options.parser if options.parser in STORED else _choose(project, options).name


def cutter_of(part: Part, sentences: list[Sentence]) -> Cutter:
    """Return what cuts these sentences, which are all of the part."""
    project, options = part.project, part.options
    stored = (sentence.tree for sentence in sentences)
    if options.parser == GivenSegments.name:
        return GivenSegments(stored, provenance_of(project).files["segments"].name)
    parser: Parser
    if options.parser in (BracketsParser.name, ConlluParser.name):
        from_trees = BracketsParser if options.parser == BracketsParser.name else ConlluParser
        numbers = (sentence.number for sentence in sentences)
        parser = from_trees(stored, provenance_of(project).files["trees"].name, numbers)
    else:
        # From the first sentences `phrases` learns for all chunks.
        first = project.sentences.order_by("number").values_list("text", "tokens")
        beginning = (
            plain_words(TokenizedText.stored(*row).words)
            for row in first[:SAMPLE_SENTENCES].iterator()
        )
        parser = _choose(project, options, beginning)
    return ParsedSegments(parser, project.min_length, project.max_length, options.coverage)


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
