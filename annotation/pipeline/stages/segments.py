"""The segments of source sentences, cut out of their trees."""

import re
from collections.abc import Iterable, Iterator

from django.conf import settings

from annotation.common.batches import ROWS_PER_BATCH, update_rows
from annotation.formats.tokens import split_tokens
from annotation.models import Candidate, Project, Projection, Segment, Sentence
from annotation.pipeline.stages.part import Part, StageResult
from annotation.preparation.parsers import (
    BracketsParser,
    ConlluParser,
    Parser,
    PhrasesParser,
    choose_parser,
)
from annotation.preparation.phrase_chunker import SAMPLE_SENTENCES
from annotation.preparation.predicates import VERB_LABEL
from annotation.preparation.segmenters import Cutter, GivenSegments, ParsedSegments
from annotation.preparation.trees import to_bracketed
from annotation.projects.options import PrepareOptions
from annotation.projects.preparation_quality import VERBLESS

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
    return options.parser if options.parser in STORED else _choose(project, options).name


def cut_segments(part: Part) -> StageResult:
    """Store the segments of each source sentence, and its tree if it has one."""
    sentences = list(part.sentences.order_by("number"))
    cutter = _cutter(part, sentences)
    segments: list[Segment] = []
    cuts = cutter.cut(sentence.token_list for sentence in sentences)
    for done, (sentence, (tree, of_sentence)) in enumerate(zip(sentences, cuts, strict=True)):
        if tree:
            sentence.tree = to_bracketed(tree, sentence.token_list)
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
        "parser": {"name": cutter.name, "version": cutter.version},
        "coverage": cutter.coverage,
    }
    return result | ({VERBLESS: _verbless(sentences)} if cutter.coverage == "predicates" else {})


def _verbless(sentences: Iterable[Sentence]) -> int:
    return sum(bool(row.tokens) and not re.search(VERB_LABEL, row.tree) for row in sentences)


def _cutter(part: Part, sentences: list[Sentence]) -> Cutter:
    stored = (sentence.tree for sentence in sentences)
    if part.options.parser == GivenSegments.name:
        return GivenSegments(stored, _file_name(part.project, "segments"))
    project, options = part.project, part.options
    parser = _stored_trees(part, stored, (sentence.number for sentence in sentences))
    return ParsedSegments(
        parser or _choose(project, options, _beginning(project)),
        project.min_length,
        project.max_length,
        options.coverage,
    )


def _stored_trees(part: Part, stored: Iterable[str], numbers: Iterable[int]) -> Parser | None:
    if part.options.parser == BracketsParser.name:
        return BracketsParser(stored, _file_name(part.project, "trees"), numbers)
    if part.options.parser == ConlluParser.name:
        return ConlluParser(stored, _file_name(part.project, "trees"), numbers)
    return None


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


def _beginning(project: Project) -> Iterator[list[str]]:
    """Yield the tokens of the first sentences, from which `phrases` learns for all chunks."""
    first = project.sentences.order_by("number").values_list("tokens", flat=True)[:SAMPLE_SENTENCES]
    return (split_tokens(tokens) for tokens in first.iterator())


def _file_name(project: Project, part: str) -> str:
    return str(project.provenance["files"][part]["name"])
