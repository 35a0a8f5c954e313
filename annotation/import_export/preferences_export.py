"""Which of two translations annotators preferred: from rankings, answers on scales, and scores."""

from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from itertools import groupby
from operator import attrgetter

from annotation.common.transactions import snapshot
from annotation.formats.preference_pairs import JudgedTexts, pair_line, preference_pairs
from annotation.import_export.judgement_pages import (
    by_candidate,
    load_judgements,
    load_projections,
)
from annotation.import_export.kinds_in_files import compared_value
from annotation.import_export.sentence_pages import pages_of_lines
from annotation.kinds import kind_of
from annotation.kinds.answers import Ranking
from annotation.models import Project

Where = Mapping[str, object]
_line_of = attrgetter("source_number")


def preferences(project: Project, *, minimum_margin: float = 0) -> Generator[str, None, None]:
    """Yield JSON lines with the pairs, by line of the source and segment.

    Pairs of the same text are none. Ties are left out, and pairs that no annotator judged both of,
    or with a smaller margin.
    """
    with snapshot():
        # The first piece, so that a project without judgements is an empty file.
        yield ""
        for texts, where in _judged_texts(project):
            for pair in preference_pairs(texts, Counter(), minimum_margin=minimum_margin):
                yield pair_line(pair, texts, where)


def count_preferences(
    project: Project, *, minimum_margin: float = 0
) -> tuple[int, Mapping[str, int]]:
    """Return how many pairs there are, and by reason how many are left out."""
    left_out: Counter[str] = Counter()
    with snapshot():
        pairs = sum(
            1
            for texts, _where in _judged_texts(project)
            for _pair in preference_pairs(texts, left_out, minimum_margin=minimum_margin)
        )
    return pairs, dict(+left_out)


def _judged_texts(project: Project) -> Iterator[tuple[JudgedTexts, Where]]:
    """Yield the translations of each segment or whole line, and what says which one it is."""
    answer = kind_of(project).answer
    for page in pages_of_lines(project):
        judgements = load_judgements(page, answer)
        projections = load_projections(page)
        page.sort(key=_line_of)
        for line, rows in groupby(page, key=_line_of):
            found: dict[str, tuple[JudgedTexts, Where]] = {}
            for sentence in rows:
                for segment in sentence.segments:
                    if segment.of_document:
                        continue
                    systems = by_candidate(projections.get(segment.id, ()))
                    texts, _where = found.setdefault(
                        segment.indices,
                        (
                            JudgedTexts(segment.words, isinstance(answer, Ranking)),
                            {
                                "document": sentence.document or None,
                                "line": line,
                                # Of a segment, what it is a part of.
                                **(
                                    {"indices": segment.indices, "context": sentence.text}
                                    if segment.words != sentence.text.strip()
                                    else {}
                                ),
                                "source_language": project.source_language,
                                "target_language": project.target_language,
                            },
                        ),
                    )
                    for pk, text in segment.candidates.items():
                        texts.systems.setdefault(text, []).extend(systems.get(pk, ()))
                    texts.judgements += [
                        (
                            judgement.annotator_id,
                            {
                                segment.candidates[pk]: value
                                for pk, rank in judgement.ranks.items()
                                if (value := compared_value(answer, rank)) is not None
                            },
                        )
                        for judgement in judgements.get(segment.id, ())
                    ]
            yield from found.values()
