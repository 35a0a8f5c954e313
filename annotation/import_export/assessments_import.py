"""Scores of systems' translations as judgements of the sentences of a project."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from annotation.formats.assessment_lines import (
    AssessmentLine,
    in_characters,
    numbers_lines,
    read_assessment_lines,
)
from annotation.formats.errors import InputError, OnError
from annotation.formats.judgement_lines import JudgementLine
from annotation.formats.span_notation import write_spans
from annotation.import_export.sentence_pages import (
    SENTENCES_PER_PAGE,
    LoadedSegment,
    load_sentences,
)
from annotation.kinds import kind_of
from annotation.models import Project, Projection, Sentence

# A line of the source and a system, and the number of the sentence and the candidate.
Producers = dict[tuple[int, str], tuple[int, int]]
# A row, the line of the source that it is about, and its candidate.
Placed = tuple[AssessmentLine, int, int]


def judgements_of_assessments(
    project: Project, path: Path, on_error: OnError
) -> tuple[list[JudgementLine], Mapping[str, int]]:
    """Return a judgement for what each annotator submitted of a sentence at one time.

    The second value counts what is left out, in the words of `left_out.LEFT_OUT`, such as control
    items, which judge no translation of the project. Items are sentences of the source, by number,
    or paragraphs of a document, in their order; then what an annotator judged of a document of a
    system was submitted together. Systems with the same translation need the same score. Calls
    `on_error` for each row that does not fit the project.
    """
    kind = kind_of(project)
    left_out: Counter[str] = Counter()
    rows: list[AssessmentLine] = []
    for row in read_assessment_lines(path, on_error):
        if row.is_control:
            left_out["controls"] += 1
        # The column of marked errors is that of the export "esa".
        elif row.spans and "esa" not in kind.exports:
            on_error(InputError("annotators of this project mark no errors.", row.where))
        else:
            rows.append(row)
    if numbers_lines(rows):
        with_lines = [(replace(row, sheet=""), row.item) for row in rows]
    elif kind.unit.compares_candidates:
        raise InputError(
            "the file has one system of a document at a time, and annotators of this project see "
            "several: import it into a project of another kind.",
            str(path),
        )
    else:
        with_lines = list(_lines_of_items(project, rows, left_out))
    texts, wholes = producers(project), producers(project, documents=True)
    groups: dict[tuple[str, int, bool, str, object], list[Placed]] = {}
    for row, line in with_lines:
        found = (wholes if row.is_document else texts).get((line, row.system))
        if found:
            number, candidate = found
            key = row.annotator, number, row.is_document, row.sheet, row.ended
            groups.setdefault(key, []).append((row, number, candidate))
            if row.unfinished:
                left_out["marks"] += row.unfinished
        elif row.is_document:
            left_out["wholes"] += 1
        elif row.sheet:
            left_out["systems"] += 1
        else:
            on_error(
                InputError(
                    f"the project has no translation of sentence {row.item} by {row.system!r}.",
                    row.where,
                )
            )
    judgements: list[JudgementLine] = []
    of_groups = sorted(groups.values(), key=lambda group: group[0][1])
    for start in range(0, len(of_groups), SENTENCES_PER_PAGE):
        page = of_groups[start : start + SENTENCES_PER_PAGE]
        sentences = load_sentences(project, {group[0][1] for group in page})
        for group in page:
            first, number, _candidate = group[0]
            segment = next(
                segment
                for segment in sentences[number].segments
                if segment.is_document == first.is_document
            )
            judgements.append(_judgement(number, segment, group, on_error))
    return sorted(judgements, key=lambda line: line.line), left_out


def _judgement(
    number: int, segment: LoadedSegment, group: list[Placed], on_error: OnError
) -> JudgementLine:
    first, *_place = group[0]
    texts = segment.candidates
    answers: dict[int, AssessmentLine] = {}
    systems: set[str] = set()
    details: dict[str, str] = {}
    for row, _number, candidate in group:
        earlier = answers.setdefault(candidate, row)
        if row.system in systems:
            on_error(
                InputError(
                    f"{row.system!r} has a score by the same annotator at the same time already.",
                    row.where,
                )
            )
        elif (earlier.score, earlier.spans) != (row.score, row.spans):
            on_error(
                InputError(
                    f"line {earlier.line} has another answer of the same annotator about the same "
                    "text.",
                    row.where,
                )
            )
        systems.add(row.system)
        if row is earlier and row.spans:
            try:
                spans = [in_characters(span, texts[candidate]) for span in row.spans]
                details[texts[candidate]] = write_spans(spans)
            except ValueError:
                on_error(InputError("a marked error is not within the translation.", row.where))
    return JudgementLine(
        where=first.where,
        line=first.line,
        sentence=number,
        segment=segment.words,
        indices=tuple(map(int, segment.indices.split())),
        annotator=first.annotator,
        created=first.ended,
        seconds=first.seconds,
        ranks=None,
        scores={texts[candidate]: row.score for candidate, row in answers.items()},
        details=None if first.spans is None else details,
        places={texts[candidate]: row.where for candidate, row in answers.items()},
        together=first.sheet,
    )


def producers(project: Project, *, documents: bool = False) -> Producers:
    """Return where each system's translation of each line of the source is judged. One query.

    With `documents`, where it is judged as a whole, by the line of the head of the sheet.
    """
    rows = Projection.objects.filter(
        segment__sentence__project=project,
        segment__sentence__purpose=Sentence.Purpose.JUDGE,
        segment__of_document=documents,
        candidate__isnull=False,
    ).values_list(
        "segment__sentence__source_line",
        "segment__sentence__number",
        "system__name",
        "candidate_id",
    )
    return {
        (line or number, system): (number, candidate)
        for line, number, system, candidate in rows
        if candidate is not None
    }


def _lines_of_items(
    project: Project, rows: Iterable[AssessmentLine], left_out: Counter[str]
) -> Iterator[tuple[AssessmentLine, int]]:
    """Yield the rows with the lines of the source that they are about.

    Of a document, these are known where an annotator judged as many items as it has lines; of the
    answers about one, the last one counts. What cannot be told is counted as `left_out`.
    """
    sheets: dict[tuple[str, str, str], dict[tuple[bool, int], AssessmentLine]] = {}
    for row in rows:
        items = sheets.setdefault((row.annotator, row.system, row.sheet), {})
        # All scores of whole documents are about the same.
        item = row.is_document, 0 if row.is_document else row.item
        if item in items:
            left_out["replaced"] += 1
        if item not in items or items[item].ended <= row.ended:
            items[item] = row
    lines_of = _lines_by_document(project)
    for items in sheets.values():
        first = next(iter(items.values()))
        paragraphs = [items[item] for item in sorted(items) if not items[item].is_document]
        lines = lines_of.get(first.document, [])
        if not lines:
            left_out["documents"] += len(items)
        elif len(paragraphs) not in (0, len(lines)):
            left_out["parts"] += len(items)
        else:
            yield from zip(paragraphs, lines, strict=False)
            yield from ((row, lines[0]) for row in items.values() if row.is_document)


def _lines_by_document(project: Project) -> dict[str, list[int]]:
    """Return the numbers of the lines with text of each document, in their order. One query."""
    found: dict[str, list[int]] = {}
    lines = project.sentences.filter(
        purpose=Sentence.Purpose.JUDGE, source_line=None, document__gt=""
    ).exclude(text="")
    for name, number in lines.order_by("number").values_list("document", "number"):
        found.setdefault(name, []).append(number)
    return found
