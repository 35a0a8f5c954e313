"""Ranks by sentence and segment, as the thesis exports them (appendix B.5)."""

from collections.abc import Iterator

from annotation.common.snapshot import snapshot
from annotation.formats.thesis import Entry, json_pieces, pickle_pieces
from annotation.import_export.exports.placement_rows import load_judgements, ranks_by_text
from annotation.import_export.sentence_pages import sentence_pages
from annotation.models import Project


def thesis_json(project: Project) -> Iterator[str]:
    """Yield the pieces of the thesis' JSON of all judgements that hold.

    By sentence and segment; 100 stands for garbage. Holds a page of sentences at once. Raises
    InputError for a rank of 100 or more.
    """
    with snapshot():
        yield from json_pieces(_entries(project))


def thesis_pickle(project: Project) -> Iterator[bytes]:
    """Yield the pieces of the thesis' pickle; otherwise like `thesis_json`."""
    with snapshot():
        yield from pickle_pieces(_entries(project))


def _entries(project: Project) -> Iterator[Entry]:
    for page in sentence_pages(project):
        judgements = load_judgements(page)
        for sentence in page:
            # Segments with the same words share a key.
            by_words: dict[str, list[dict[str, int | None]]] = {}
            for segment in sentence.segments:
                for judgement in judgements.get(segment.id, ()):
                    ranks = ranks_by_text(judgement, segment)
                    by_words.setdefault(segment.words, []).append(ranks)
            for words, all_ranks in by_words.items():
                yield (sentence.number, words), all_ranks
