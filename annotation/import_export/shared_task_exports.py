"""Exports in the formats of WMT's campaigns, for projects of the kinds that these had.

Candidates of no known system are left out. As in all exports but the archive, so are judgements for
practice, those that were discarded, and what is excluded. Only the CSV of Appraise has control
items.
"""

from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Final

from annotation.common.transactions import snapshot
from annotation.formats.csv_escaping import csv_line
from annotation.formats.file_names import distinct_names
from annotation.formats.shared_task_files import (
    AFTER_DOCUMENT,
    RANKING_COLUMNS,
    REPEAT,
    TRANSLATION,
    JudgedText,
    Screen,
    assessment_rows,
    check_ranking_names,
    form_heading,
    form_line,
    ranking_row,
)
from annotation.formats.tab_separated import join_columns
from annotation.import_export.control_answers import control_answers
from annotation.import_export.judgement_pages import (
    LoadedJudgement,
    is_repeat,
    load_judgements,
    load_positions,
    load_projections,
)
from annotation.import_export.kinds_in_files import files_of
from annotation.import_export.sentence_pages import sentence_pages
from annotation.import_export.wmt_edit_forms import edit_forms
from annotation.kinds import kind_of
from annotation.models import Project, Sentence, System
from annotation.projects.annotator_names import account_names

# A place on the screen behind all known ones.
LAST: Final = 1 << 30


def wmt_forms(project: Project) -> Generator[str, None, None]:
    """Yield forms as those of WMT09, a line for each judgement of a segment, columns first.

    Raises InputError for an annotator whose name has a tab.
    """
    form = kind_of(project).wmt_form
    if form is None:
        yield from edit_forms(project)
        return
    with snapshot():
        # A name with a tab is refused before anything is written.
        join_columns(list(account_names(project).values()))
        yield form_heading(max(1, System.objects.filter(project=project).count()))
        for screen in _screens(project):
            if screen.texts:
                yield form_line(screen, form)


def five_way_rankings(project: Project) -> Generator[str, None, None]:
    """Yield rankings of up to five texts as those of WMT12, columns first.

    Raises InputError for more texts, and for a system whose name the format cannot have.
    """
    with snapshot():
        check_ranking_names(project.systems.values_list("name", flat=True))
        yield csv_line(RANKING_COLUMNS)
        for screen in _screens(project):
            if screen.texts:
                yield csv_line(ranking_row(screen))


def assessments(project: Project) -> Generator[str, None, None]:
    """Yield the CSV of Appraise without a heading, a line for each score of a system.

    In names of documents, what would begin the name of a copy is a dash; they stay different.
    """
    answer = kind_of(project).answer
    scores = {rank: answer.score_of(rank) or 0 for rank in range(1, answer.ranks(1) + 1)}
    with snapshot():
        # The first piece, so that a project without judgements is an empty file.
        yield ""
        documents = _documents(project)
        for screens in (_screens(project, document=project.name), _control_screens(project)):
            for screen in screens:
                written = replace(screen, document=documents[screen.document])
                yield "".join(map(csv_line, assessment_rows(written, scores)))


def _documents(project: Project) -> dict[str, str]:
    """Return what Appraise has for the name of each document, and for sentences without one."""
    named = Sentence.objects.filter(project=project, document__gt="").order_by()
    names = list(
        dict.fromkeys([project.name, *named.values_list("document", flat=True).distinct()])
    )
    written = distinct_names(names, lambda name: name.replace(AFTER_DOCUMENT, "-"), str)
    return dict(zip(names, written, strict=True))


def _screens(project: Project, document: str = "") -> Iterator[Screen]:
    """Yield what was answered about each segment, by sentence and time.

    An item is a sentence, or a segment by its number among all of the project. `document` is the
    name for sentences without one.
    """
    names, files = account_names(project), files_of(kind_of(project).unit)
    segments = 0
    for page in sentence_pages(project):
        judgements = load_judgements(page)
        produced = load_projections(page)
        shown = load_positions(page)
        for sentence in page:
            for segment in sentence.segments:
                segments += 1
                systems: dict[int, list[str]] = {}
                for system, candidate in produced.get(segment.id, ()):
                    systems.setdefault(candidate, []).append(system)
                seen: set[tuple[int, int]] = set()
                for judgement in judgements.get(segment.id, ()):
                    yield Screen(
                        source_language=project.source_language,
                        target_language=project.target_language,
                        document=sentence.document or document,
                        item=files.item(sentence, segments),
                        annotator=names[judgement.annotator_id],
                        submitted=judgement.submitted,
                        seconds=judgement.seconds,
                        texts=_texts(judgement, systems, shown, seen),
                        is_document=segment.is_document,
                    )


def _control_screens(project: Project) -> Iterator[Screen]:
    """Yield what was answered about control items of single translations."""
    names = account_names(project)
    for answer in control_answers(project):
        yield Screen(
            source_language=project.source_language,
            target_language=project.target_language,
            document=answer.document or project.name,
            item=answer.source_number,
            annotator=names[answer.judgement.annotator_id],
            submitted=answer.judgement.submitted,
            seconds=answer.judgement.seconds,
            texts=[JudgedText(answer.systems, answer.rank, answer.type)],
        )


def _texts(
    judgement: LoadedJudgement,
    systems: dict[int, list[str]],
    shown: dict[tuple[int, int], int],
    seen: set[tuple[int, int]],
) -> list[JudgedText]:
    """Return the judged candidates in the order in which they were shown, as far as it is known."""
    known = [pk for pk in judgement.ranks if pk in systems]
    known.sort(key=lambda pk: shown.get((judgement.assignment_id, pk), LAST))
    return [
        JudgedText(
            systems[pk],
            judgement.ranks[pk],
            REPEAT if is_repeat(judgement, pk, seen) else TRANSLATION,
        )
        for pk in known
    ]
