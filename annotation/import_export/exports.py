"""Exports of a project's judgements, candidates and segments; all of them stream.

`export_formats` says which there are.
"""

import json
from collections import Counter
from collections.abc import Generator, Iterator
from itertools import groupby
from typing import Any

from msgspec.json import encode

from annotation.common.transactions import snapshot
from annotation.formats.csv_escaping import csv_line, csv_lines, without_formulas
from annotation.formats.error_span_files import (
    ScoredSentence,
    ScoredText,
    appraise_rows,
    pearmut_line,
)
from annotation.formats.judgement_lines import GARBAGE, JudgementLine, written_line
from annotation.formats.mqm_lines import HEADING, RatedTranslation, mqm_lines
from annotation.formats.segment_files import segment_lines, source_segment_line, system_line
from annotation.formats.shared_task_files import REPEAT, TRANSLATION
from annotation.formats.span_notation import parse_spans
from annotation.formats.tab_separated import join_columns
from annotation.formats.thesis import Entry, json_pieces, pickle_pieces
from annotation.import_export.control_answers import control_answers
from annotation.import_export.judgement_pages import (
    LoadedJudgement,
    SheetChoice,
    by_candidate,
    ids,
    is_repeat,
    load_choices,
    load_judgements,
    load_positions,
    load_projections,
    load_settled,
)
from annotation.import_export.kinds_in_files import files_of
from annotation.import_export.sentence_pages import (
    LoadedSegment,
    LoadedSentence,
    pages_of_lines,
    sentence_pages,
)
from annotation.kinds import kind_of
from annotation.kinds.answers import Answer
from annotation.models import Candidate, Project, Sentence, Translation
from annotation.projects.annotator_names import account_names
from annotation.projects.pearmut_categories import special_tokens
from annotation.projects.references import references_of

PLACEMENT_COLUMNS = (
    "project",
    "sentence",
    "segment",
    "indices",
    "annotator",
    "assignment_kind",
    "submitted",
    "seconds",
    "candidate",
    "systems",
    "order_shown",
    "rank",
    "garbage",
    "document",
    "narrowed",
    "comment",
    "score",
    "detail",
    "source_line",
    "aids",
    "media",
    "sheet_probability",
    "system_probabilities",
    "settled",
)


def segments(project: Project) -> Generator[str, None, None]:
    """Yield the thesis' six-column file, a line for each candidate. Raise InputError for tabs.

    Its reference is the first of the sentence.
    """
    with snapshot():
        _refuse_tabs(project)
        for page in sentence_pages(project):
            references = references_of(ids(page))
            for sentence in page:
                yield from segment_lines(
                    sentence.number,
                    sentence.text,
                    references[sentence.id][0].text if sentence.id in references else "",
                    (
                        (segment.words, segment.indices, list(segment.candidates.values()))
                        for segment in sentence.segments
                    ),
                )


def systems(project: Project) -> Generator[str, None, None]:
    """Yield the file of systems, a line for each projection. Raise InputError for tabs."""
    with snapshot():
        _refuse_tabs(project)
        for page in sentence_pages(project):
            projections = load_projections(page)
            for sentence in page:
                for segment in sentence.segments:
                    for system, candidate_id in projections.get(segment.id, ()):
                        candidate = segment.candidates[candidate_id]
                        yield system_line(
                            sentence.number, segment.words, system, candidate, segment.indices
                        )


def source_segments(project: Project) -> Generator[str, None, None]:
    """Yield a line for each segment, with candidates or without. Raise InputError for tabs."""
    with snapshot():
        _refuse_tabs(project)
        for page in sentence_pages(project):
            for sentence in page:
                for segment in sentence.segments:
                    yield source_segment_line(sentence.number, segment.words, segment.indices)


def _refuse_tabs(project: Project) -> None:
    """Raise InputError, before anything is written, for texts that columns cannot have."""
    sentences = project.sentences.filter(purpose=Sentence.Purpose.JUDGE)
    for texts in (
        sentences,
        Translation.objects.filter(sentence__in=sentences, reference__isnull=False),
        Candidate.objects.filter(segment__sentence__in=sentences),
    ):
        join_columns(list(texts.filter(text__contains="\t").values_list("text", flat=True)[:1]))


def placements(project: Project) -> Generator[str, None, None]:
    """Yield a CSV table of all current placements, in pieces of whole lines, column names first.

    `systems` is a JSON list, since the name of a system may contain any character. `rank` is empty
    for garbage; `seconds` and `order_shown` are empty where they were not recorded, and
    `document` where it is unknown. `narrowed` is true where candidates of decided systems were not
    shown. `score` and `detail` are empty where the project's kind has none; the last columns are
    `score NAME` of each scale that the project names. `source_line` is the line of the source, also
    of further translations. `aids` are what the page had to help the annotator, as JSON, empty
    where it had nothing; `media` is a JSON list of what was played before the submission, empty if
    nothing was. `sheet_probability` is that of the systems and the document of the sheet together,
    and `system_probabilities` a JSON object with that of each system; empty where every system is
    on a sheet of each document. `settled` is the score or rank by which a curator settled the
    sheet, "garbage" for that, and empty where none did. Texts that a spreadsheet would take for a
    formula get an apostrophe before it.
    """
    with snapshot():
        names = {pk: without_formulas(name) for pk, name in account_names(project).items()}
        name, answer = without_formulas(project.name), kind_of(project).answer
        of_answer = map(without_formulas, answer.columns_of(""))
        yield csv_lines([(*PLACEMENT_COLUMNS, *of_answer)])
        for page in sentence_pages(project):
            judgements = load_judgements(page, answer)
            makers = _makers(page)
            shown = load_positions(page)
            choices, settled = load_choices(page, project), load_settled(page, project)
            for sentence in page:
                rows = _placement_rows(
                    sentence,
                    answer,
                    names,
                    judgements,
                    makers,
                    shown,
                    choices.get(sentence.id),
                    settled,
                )
                yield csv_lines((name, *row) for row in rows)


def _placement_rows(
    sentence: LoadedSentence,
    answer: Answer,
    names: dict[int, str],
    judgements: dict[int, list[LoadedJudgement]],
    makers: dict[int, str],
    shown: dict[tuple[int, int], int],
    choice: SheetChoice | None,
    settled: dict[int, int | None],
) -> Iterator[tuple[object, ...]]:
    """Yield the placements of a sentence, with formulas escaped."""
    of_sheet = ("", "")
    if choice:
        systems = json.dumps(choice.systems, ensure_ascii=False)
        of_sheet = (str(choice.together), without_formulas(systems))
    for segment in sentence.segments:
        # Escaped once here, although each text is written once for each judge.
        words, indices = without_formulas(segment.words), without_formulas(segment.indices)
        texts = {pk: without_formulas(text) for pk, text in segment.candidates.items()}
        document = without_formulas(sentence.document)
        for judgement in judgements.get(segment.id, ()):
            comment = without_formulas(judgement.comment)
            media = encode(judgement.media).decode() if judgement.media else ""
            head = (
                sentence.number,
                words,
                indices,
                names[judgement.annotator_id],
                judgement.kind,
                judgement.submitted.isoformat(timespec="microseconds"),
                judgement.seconds,
            )
            for candidate_id, rank in judgement.ranks.items():
                yield (
                    *head,
                    texts[candidate_id],
                    makers.get(candidate_id, "[]"),
                    shown.get((judgement.assignment_id, candidate_id)),
                    rank,
                    "true" if rank is None else "false",
                    document,
                    "false" if judgement.decision is None else "true",
                    comment,
                    answer.score_of(rank),
                    without_formulas(detail := judgement.details.get(candidate_id, "")),
                    sentence.source_number,
                    json.dumps(judgement.aids, sort_keys=True) if judgement.aids else "",
                    media,
                    *of_sheet,
                    _settled(answer, settled[candidate_id]) if candidate_id in settled else "",
                    *answer.columns_of(detail).values(),
                )


def _settled(answer: Answer, rank: int | None) -> object:
    if rank is None:
        return GARBAGE
    score = answer.score_of(rank)
    return rank if score is None else score


def judgements(project: Project) -> Generator[str, None, None]:
    """Yield the JSON lines that `import_judgements` reads, one judgement of one segment a line."""
    with snapshot():
        names, answer = account_names(project), kind_of(project).answer
        for page in sentence_pages(project):
            by_segment = load_judgements(page, answer)
            for sentence in page:
                for segment in sentence.segments:
                    for judgement in by_segment.get(segment.id, ()):
                        if judgement.ranks:
                            name = names[judgement.annotator_id]
                            yield written_line(_line(sentence, segment, judgement, name, answer))


def _line(
    sentence: LoadedSentence,
    segment: LoadedSegment,
    judgement: LoadedJudgement,
    annotator: str,
    answer: Answer,
) -> JudgementLine:
    ranks = {segment.candidates[pk]: rank for pk, rank in judgement.ranks.items()}
    scores = {
        text: score for text, rank in ranks.items() if (score := answer.score_of(rank)) is not None
    }
    return JudgementLine(
        where="",
        line=0,
        sentence=sentence.number,
        segment=segment.words,
        indices=tuple(map(int, segment.indices.split())),
        annotator=annotator,
        created=judgement.created,
        seconds=judgement.seconds,
        ranks=None if scores else ranks,
        scores=scores or None,
        details={segment.candidates[pk]: one for pk, one in judgement.details.items()},
        aids=dict(sorted(judgement.aids.items())),
        media=judgement.media,
    )


def _makers(page: list[LoadedSentence]) -> dict[int, str]:
    """Return by candidate id the systems that produced it, as a JSON list."""
    makers: dict[int, list[str]] = {}
    for of_segment in load_projections(page).values():
        for system, candidate_id in of_segment:
            makers.setdefault(candidate_id, []).append(system)
    return {
        candidate_id: without_formulas(json.dumps(systems, ensure_ascii=False))
        for candidate_id, systems in makers.items()
    }


def thesis_json(project: Project) -> Generator[str, None, None]:
    """Yield the pieces of the thesis' JSON (appendix B.5) of all current judgements.

    By sentence and segment; 100 stands for garbage. Raises InputError for a rank of 100 or more.
    """
    with snapshot():
        yield from json_pieces(_entries(project))


def thesis_pickle(project: Project) -> Generator[bytes, None, None]:
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
                    by_words.setdefault(segment.words, []).append(
                        {segment.candidates[pk]: rank for pk, rank in judgement.ranks.items()}
                    )
            for words, all_ranks in by_words.items():
                yield (sentence.number, words), all_ranks


def appraise(project: Project) -> Generator[str, None, None]:
    """Yield the CSV of ESA in which Appraise has scores and marked errors, without a heading.

    Places are those in the translation as annotators see it.
    """
    with snapshot():
        for sentences in (_scored_sentences(project), _scored_controls(project)):
            for sentence in sentences:
                rows = appraise_rows(sentence, project.source_language, project.target_language)
                yield "".join(map(csv_line, rows))


def pearmut(project: Project) -> Generator[str, None, None]:
    """Yield Pearmut's annotations, a line of JSON for each sentence or document that was judged.

    Scores of documents as a whole are left out.
    """
    documents: Counter[str] = Counter()
    with snapshot():
        scored = (one for one in _scored_sentences(project) if not one.is_document)
        # The rows of a sheet follow each other, and are of one document.
        has_sheets = files_of(kind_of(project).unit).has_sheets
        tokens = special_tokens(kind_of(project).answer)
        for _document, of_document in groupby(
            scored, lambda one: one.document if has_sheets else one.number
        ):
            sheets: dict[int, list[ScoredSentence]] = {}
            for one in of_document:
                sheets.setdefault(one.assignment, []).append(one)
            for items in sheets.values():
                yield pearmut_line(items, documents[items[0].annotator], tokens)
                documents[items[0].annotator] += 1


def mqm(project: Project) -> Generator[str, None, None]:
    """Yield the TSV of MQM, a line for each error, by the line of the source and by system.

    Of an annotator who judged a translation several times, it has the first judgement. Raises
    InputError for tabs.
    """
    with snapshot():
        names, answer = account_names(project), kind_of(project).answer
        places = _places_in_documents(project)
        yield join_columns(HEADING)
        for page in pages_of_lines(project):
            judgements = load_judgements(page, answer)
            projections = load_projections(page)
            rated: list[RatedTranslation] = []
            for sentence in page:
                for segment in sentence.segments:
                    if segment.of_document:
                        continue
                    systems = by_candidate(projections.get(segment.id, ()))
                    seen: set[tuple[int, int]] = set()
                    rated += [
                        RatedTranslation(
                            system=system,
                            document=sentence.document,
                            document_segment=places[sentence.source_number],
                            segment=sentence.source_number,
                            rater=names[judgement.annotator_id],
                            source=sentence.text,
                            target=segment.candidates[pk],
                            spans=parse_spans(judgement.details.get(pk, "")),
                            comment=judgement.comment,
                        )
                        for judgement in judgements.get(segment.id, ())
                        for pk in judgement.ranks
                        if not is_repeat(judgement, pk, seen)
                        for system in systems.get(pk, ())
                    ]
            rated.sort(key=lambda one: (one.segment, one.system))
            yield "".join(line for one in rated for line in mqm_lines(one))


def _places_in_documents(project: Project) -> dict[int, int]:
    """Return by line of the source which sentence of its document it is, from 1."""
    lines = project.sentences.filter(purpose=Sentence.Purpose.JUDGE, source_line=None)
    counts: Counter[str] = Counter()
    places: dict[int, int] = {}
    for number, document in lines.order_by("number").values_list("number", "document"):
        counts[document] += 1
        places[number] = counts[document]
    return places


def _scored_sentences(project: Project) -> Iterator[ScoredSentence]:
    """Yield what each annotator answered about a whole sentence, by sentence and time."""
    names, answer = account_names(project), kind_of(project).answer
    for page in sentence_pages(project):
        judgements = load_judgements(page, answer)
        systems = {
            segment: by_candidate(produced) for segment, produced in load_projections(page).items()
        }
        for sentence in page:
            for segment in sentence.segments:
                seen: set[tuple[int, int]] = set()
                for judgement in judgements.get(segment.id, ()):
                    yield ScoredSentence(
                        annotator=names[judgement.annotator_id],
                        number=sentence.source_number,
                        document=sentence.document or project.name,
                        source=sentence.text,
                        submitted=judgement.submitted,
                        seconds=judgement.seconds,
                        translations=[
                            ScoredText(
                                systems=systems.get(segment.id, {}).get(pk, []),
                                text=segment.candidates[pk],
                                score=answer.score_of(rank),
                                **_detail(answer, judgement.details.get(pk, "")),
                                type=REPEAT if is_repeat(judgement, pk, seen) else TRANSLATION,
                            )
                            for pk, rank in judgement.ranks.items()
                        ],
                        is_document=segment.is_document,
                        assignment=judgement.assignment_id,
                        item_id=sentence.item_id,
                    )


def _detail(answer: Answer, detail: str) -> dict[str, Any]:
    """Return what a detail says, as a field of ScoredText: scores of scales, or marked errors."""
    if parts := answer.parts_of(detail):
        return {"spans": (), "sliders": {part.scale.name: part.score for part in parts}}
    return {"spans": parse_spans(detail)}


def _scored_controls(project: Project) -> Iterator[ScoredSentence]:
    """Yield what each annotator answered about control items of single translations."""
    names, answer = account_names(project), kind_of(project).answer
    for given in control_answers(project):
        yield ScoredSentence(
            annotator=names[given.judgement.annotator_id],
            number=given.source_number,
            document=given.document or project.name,
            source=given.source,
            submitted=given.judgement.submitted,
            seconds=given.judgement.seconds,
            translations=[
                ScoredText(
                    systems=given.systems,
                    text=given.text,
                    score=answer.score_of(given.rank) or 0,
                    spans=parse_spans(given.detail),
                    type=given.type,
                )
            ],
        )
