"""The segments of source sentences, cut out of their trees."""

import re

from msgspec import to_builtins

from annotation.common.batches import ROWS_PER_BATCH, update_rows
from annotation.formats.sentence_limits import check_segments
from annotation.models import Candidate, Projection, Segment
from annotation.pipeline.stages import Part, StageResult
from annotation.pipeline.unit_preparation import preparation_of
from annotation.preparation.parsers import PhrasesParser
from annotation.preparation.predicates import VERB_LABEL
from annotation.preparation.segmenters import LINKED
from annotation.preparation.trees import to_bracketed
from annotation.projects.preparation_quality import VERBLESS
from annotation.projects.provenance import Program

# Sentences of a chunk, which a worker parses within a minute, or the references of so many by
# stanza. `phrases` reads its sample of the text for each chunk.
CHUNK_SIZES = {"stanza": 100, LINKED: 100, PhrasesParser.name: 5000}
CHUNK_SIZE = 500


def cut_segments(part: Part) -> StageResult:
    """Store the segments of each source sentence, and its tree if it has one."""
    sentences = list(part.sentences.order_by("number"))
    cutter = preparation_of(part.project).cutter(part, sentences)
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
