"""The segments of source sentences, cut out of their trees."""

import re
from collections.abc import Iterable

from django.conf import settings
from msgspec import to_builtins

from annotation.common.batches import ROWS_PER_BATCH, update_rows
from annotation.formats.sentence_limits import check_segments
from annotation.formats.tokens import TokenizedText
from annotation.kinds import kind_of
from annotation.models import Candidate, Project, Projection, Segment, Sentence
from annotation.pipeline.stages import Part, StageResult
from annotation.preparation.parsers import (
    BracketsParser,
    ConlluParser,
    Parser,
    PhrasesParser,
    choose_parser,
)
from annotation.preparation.phrase_chunker import SAMPLE_SENTENCES
from annotation.preparation.predicates import VERB_LABEL
from annotation.preparation.segmenters import (
    Cutter,
    GivenSegments,
    ParsedSegments,
    WholeSentences,
)
from annotation.preparation.tokens import plain_words
from annotation.preparation.trees import to_bracketed
from annotation.projects.options import PrepareOptions
from annotation.projects.preparation_quality import VERBLESS
from annotation.projects.provenance import Program, provenance_of

# Parsers that read trees or segments from files of the project.
STORED = (BracketsParser.name, ConlluParser.name, GivenSegments.name)
# Sentences of a chunk, which a worker parses within a minute. `phrases` reads its sample of the
# text for each chunk.
CHUNK_SIZES = {"stanza": 100, PhrasesParser.name: 5000}
CHUNK_SIZE = 500


def resolve_parser(project: Project, options: PrepareOptions) -> str:
    """Return the parser that "auto" stands for in this project.

    Raises InputError where the parser lacks what it needs.
    """
    if options.parser in STORED or kind_of(project).whole_sentences:
        return options.parser
    return _choose(project, options).name


def cut_segments(part: Part) -> StageResult:
    """Store the segments of each source sentence, and its tree if it has one."""
    sentences = list(part.sentences.order_by("number"))
    cutter = _cutter(part, sentences)
    segments: list[Segment] = []
    cuts = cutter.cut(sentence.tokenized for sentence in sentences)
    for done, (sentence, (tree, of_sentence)) in enumerate(zip(sentences, cuts, strict=True)):
        if tree:
            sentence.tree = to_bracketed(tree, sentence.tokenized.words)
        check_segments(len(of_sentence), sentence.number)
        segments += [
            Segment(sentence=sentence, token_indices=" ".join(map(str, indices)))
            for indices in of_sentence
        ]
        part.progress(done + 1, len(sentences))
    with part.writing():
        # What an earlier try has stored.
        Projection.objects.filter(segment__sentence__in=part.sentences).delete()
        Candidate.objects.filter(segment__sentence__in=part.sentences).delete()
        Segment.objects.filter(sentence__in=part.sentences).delete()
        update_rows(sentences, "tree")
        Segment.objects.bulk_create(segments, batch_size=ROWS_PER_BATCH)
    result: StageResult = {
        "parser": to_builtins(Program(cutter.name, cutter.version)),
        "coverage": cutter.coverage,
    }
    if cutter.coverage == "predicates":
        result[VERBLESS] = sum(
            bool(row.tokens) and not re.search(VERB_LABEL, row.tree) for row in sentences
        )
    return result


def _cutter(part: Part, sentences: list[Sentence]) -> Cutter:
    project, options = part.project, part.options
    if kind_of(project).whole_sentences:
        return WholeSentences()
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
