"""Errors that raters marked (MQM), from the TSV in which they are published.

The file says who rated a translation, and not when: new judgements have the time of the import.
"""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from django.db.models import Min

from annotation.formats.errors import InputError, OnError
from annotation.formats.judgement_lines import JudgementLine, annotator_name
from annotation.formats.mqm_lines import Rating, read_mqm
from annotation.formats.span_notation import (
    MISSING,
    SOURCE,
    TARGET,
    WHOLE,
    Span,
    in_order_of,
    write_spans,
)
from annotation.import_export.assessments_import import producers
from annotation.import_export.sentence_pages import SENTENCES_PER_PAGE, load_sentences
from annotation.kinds import kind_of
from annotation.kinds.marked_errors import ErrorsAlone
from annotation.kinds.typology import Typology
from annotation.models import Judgement, Project, Sentence
from annotation.process import clock
from annotation.projects.annotator_names import account_names

# What one rater marked in one translation, by system: several systems may have the same.
Rated = dict[str, list[Rating]]


def judgements_of_ratings(
    project: Project, path: Path, on_error: OnError
) -> tuple[list[JudgementLine], Mapping[str, int]]:
    """Return a judgement for what each rater marked in a translation, or in those side by side.

    The second value counts the lines that control raters, which are left out. Segments are
    sentences of the source, by number. Systems with the same translation need the same errors,
    unless each is judged by itself. Calls `on_error` for each row that does not fit the project.
    """
    answer = kind_of(project).answer
    assert isinstance(answer, ErrorsAlone)
    controls: list[str] = []
    produced = producers(project)
    # By rater and row, and by the candidates (ids) that stand beside each other there.
    groups: dict[tuple[str, int], dict[int, Rated]] = {}
    for rating in read_mqm(path, controls=controls, on_error=on_error):
        try:
            key = line_number(rating), rating.system
            if key not in produced:
                raise InputError(
                    f"the project has no translation of sentence {key[0]} by {key[1]!r}."
                )
            row, candidate = produced[key]
            group = annotator_name(rating.rater), row
        except InputError as problem:
            on_error(problem.at(rating.where))
        else:
            rated = groups.setdefault(group, {}).setdefault(candidate, {})
            rated.setdefault(rating.system, []).append(rating)
    times, now = _times(project), clock.now()
    judgements: list[JudgementLine] = []
    of_groups = list(groups.items())
    for start in range(0, len(of_groups), SENTENCES_PER_PAGE):
        page = of_groups[start : start + SENTENCES_PER_PAGE]
        sentences = load_sentences(project, {number for (_rater, number), _rated in page})
        for place, ((rater, number), by_candidate) in enumerate(page, start=start + 1):
            sentence = sentences[number]
            segment = next(one for one in sentence.segments if not one.is_document)
            first = next(iter(next(iter(by_candidate.values())).values()))[0]
            try:
                answers = {
                    text: _answer(by_candidate[pk], sentence.text, text, answer.typology)
                    for pk, text in segment.candidates.items()
                    if pk in by_candidate
                }
                comments = dict.fromkeys(comment for _detail, comment in answers.values())
                judgements.append(
                    JudgementLine(
                        where=first.where,
                        line=place,
                        sentence=number,
                        segment=segment.words,
                        indices=tuple(map(int, segment.indices.split())),
                        annotator=rater,
                        created=times.get((rater, number), now),
                        seconds=None,
                        ranks={
                            text: answer.rank_of_detail(detail)
                            for text, (detail, _comment) in answers.items()
                        },
                        details={text: detail for text, (detail, _comment) in answers.items()},
                        comment=_within_limit("\n".join(filter(None, comments)), first.where),
                    )
                )
            except InputError as problem:
                on_error(problem if problem.where else problem.at(first.where))
    return judgements, {"controls": len(controls)} if controls else {}


def line_number(rating: Rating) -> int:
    """Return the line of the source. Raise InputError for a segment that has no number."""
    if not (rating.segment.isascii() and rating.segment.isdecimal() and int(rating.segment)):
        raise InputError(
            f"seg_id is {rating.segment[:40]!r}: give the number of the segment in the source."
        )
    return int(rating.segment)


def _times(project: Project) -> dict[tuple[str, int], datetime]:
    """Return when each annotator first judged each sentence, by name and number."""
    names = account_names(project)
    rows = Judgement.objects.filter(
        submission__assignment__project=project,
        submission__current=True,
        segment__sentence__purpose=Sentence.Purpose.JUDGE,
    ).values_list("submission__assignment__annotator", "segment__sentence__number")
    return {
        (names[annotator], number): created
        for annotator, number, created in rows.annotate(first=Min("created"))
    }


def _answer(rated: Rated, source: str, target: str, typology: Typology) -> tuple[str, str]:
    """Return the errors in the notation of the project, and the comment: see `mqm_lines`.

    Raises InputError, with the line.
    """
    found: dict[str, tuple[str, str]] = {}
    for system, ratings in rated.items():
        marked: list[tuple[Span, str]] = []
        for rating in ratings:
            if rating.target != target or (rating.source and rating.source != source):
                raise InputError(
                    "the text is another one than in the project: give the texts from which the "
                    "project was created.",
                    rating.where,
                )
            if rating.broken_marks:
                raise InputError("<v> and </v> do not alternate: mend them.", rating.where)
            if span := _span(rating, typology):
                marked.append((span, rating.comment.strip()))
        in_order = sorted(marked, key=lambda each: in_order_of(each[0]))
        comments = [comment for _span, comment in in_order] or [ratings[0].comment.strip()]
        comment = _within_limit("\n".join(comments) if any(comments) else "", ratings[0].where)
        found[system] = write_spans(span for span, _comment in in_order), comment
    first, *others = found
    for system in others:
        if found[system] != found[first]:
            raise InputError(
                f"{first!r} has the same translation and other errors by the same rater: create "
                "the project so that each system is judged by itself (--each-system).",
                rated[system][0].where,
            )
    return found[first]


def _within_limit(comment: str, where: str) -> str:
    """Return the comment. Raise InputError if it is too long."""
    if len(comment) > Judgement.LONGEST_COMMENT:
        raise InputError(
            f"the comments on a translation have more than {Judgement.LONGEST_COMMENT} "
            "characters: shorten them.",
            where,
        )
    return comment


def _span(rating: Rating, typology: Typology) -> Span | None:
    """Return the error; None for a line that says that there is none.

    A piece that consists of several is taken from its beginning to its end. An error without any is
    something that is missing.
    """
    error = rating.error
    if error is None:
        return None
    spellings = {name.lower(): name for name in (*typology.categories, *typology.marks)}
    category = spellings.get(error.category.lower(), error.category)
    if category in typology.marks:
        return Span(None, None, error.severity, WHOLE, category)
    for side, places in ((TARGET, error.places), (SOURCE, error.source_places)):
        if places:
            return Span(places[0][0], places[-1][1], error.severity, side, category)
    return Span(None, None, error.severity, MISSING, category)
