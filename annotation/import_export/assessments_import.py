"""Scores of systems' translations as judgements of the sentences of a project."""

from pathlib import Path

from annotation.formats.assessment_lines import AssessmentLine, in_characters, read_assessment_lines
from annotation.formats.errors import InputError, OnError
from annotation.formats.judgement_lines import JudgementLine
from annotation.formats.span_notation import write_spans
from annotation.import_export.sentence_pages import SENTENCES_PER_PAGE, load_sentences
from annotation.kinds import kind_of
from annotation.models import Project, Projection, Sentence

# A line of the source and a system, and the number of the sentence and the candidate.
Producers = dict[tuple[int, str], tuple[int, int]]


def judgements_of_assessments(
    project: Project, path: Path, on_error: OnError
) -> tuple[list[JudgementLine], int]:
    """Return a judgement for what each annotator submitted of a sentence at one time.

    The second value is the number of control items in the file. Items are sentences of the source,
    by number. Control items, which judge no translation of the project, are left out. Systems with
    the same translation need the same score. Calls `on_error` for each row that does not fit the
    project.
    """
    kind = kind_of(project)
    rows = list(read_assessment_lines(path, on_error))
    produced = producers(project)
    groups: dict[tuple[str, int, object], list[tuple[AssessmentLine, int]]] = {}
    for row in rows:
        if row.is_control:
            continue
        # The column of marked errors is that of the export "esa".
        if row.spans and "esa" not in kind.exports:
            on_error(InputError("annotators of this project mark no errors.", row.where))
        elif (found := produced.get((row.item, row.system))) is None:
            on_error(
                InputError(
                    f"the project has no translation of sentence {row.item} by {row.system!r}.",
                    row.where,
                )
            )
        else:
            number, candidate = found
            groups.setdefault((row.annotator, number, row.ended), []).append((row, candidate))
    judgements: list[JudgementLine] = []
    of_groups = sorted(groups.items(), key=lambda group: group[0][1])
    for start in range(0, len(of_groups), SENTENCES_PER_PAGE):
        page = of_groups[start : start + SENTENCES_PER_PAGE]
        sentences = load_sentences(project, {number for (_who, number, _when), _rows in page})
        for (_who, number, _when), group in page:
            [segment] = sentences[number].segments
            judgements.append(
                _judgement(
                    project,
                    number,
                    segment.indices,
                    segment.words,
                    group,
                    segment.candidates,
                    on_error,
                )
            )
    controls = sum(row.is_control for row in rows)
    return sorted(judgements, key=lambda line: line.line), controls


def _judgement(
    project: Project,
    number: int,
    indices: str,
    words: str,
    group: list[tuple[AssessmentLine, int]],
    texts: dict[int, str],
    on_error: OnError,
) -> JudgementLine:
    first, _candidate = group[0]
    answers: dict[int, AssessmentLine] = {}
    systems: set[str] = set()
    details: dict[str, str] = {}
    for row, candidate in group:
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
        segment=words,
        indices=tuple(map(int, indices.split())),
        annotator=first.annotator,
        created=first.ended,
        seconds=first.seconds,
        ranks=None,
        scores={texts[candidate]: row.score for candidate, row in answers.items()},
        details=None if first.spans is None else details,
        places={texts[candidate]: row.where for candidate, row in answers.items()},
    )


def producers(project: Project) -> Producers:
    """Return where each system's translation of each line of the source is judged. One query."""
    rows = Projection.objects.filter(
        segment__sentence__project=project,
        segment__sentence__purpose=Sentence.Purpose.JUDGE,
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
