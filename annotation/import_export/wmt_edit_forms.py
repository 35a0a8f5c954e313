"""Edits and their acceptance in the forms of WMT09 (Callison-Burch et al. 2009)."""

from collections.abc import Iterator
from functools import singledispatch

from annotation.common.transactions import snapshot
from annotation.formats.csv_escaping import without_formulas
from annotation.formats.languages import pair_name
from annotation.formats.tab_separated import join_columns
from annotation.import_export.judgement_pages import (
    LoadedJudgement,
    load_judgements,
    load_projections,
)
from annotation.import_export.sentence_pages import LoadedSentence, sentence_pages
from annotation.kinds import kind_of
from annotation.kinds.answers import Answer, Steps
from annotation.kinds.edited_text import EDITED, NO_CORRECTIONS, UNABLE, EditedText
from annotation.models import Project
from annotation.projects.annotator_names import account_names

# Of the forms of WMT09: outputs on a screen, columns, and what annotators did with an output.
MOST_ON_SCREEN = 5
WMT_COLUMNS = (
    *("TASK", "TYPE", "ITEM_ID", "ANNOTATOR_ID", "TIME"),
    *(
        name
        for place in range(MOST_ON_SCREEN)
        for name in (f"SYSTEM_{place}", f"SCORE_{place}_A", f"SCORE_{place}_B")
    ),
    "EXTRA",
)
WMT_STATUSES = {NO_CORRECTIONS: "OK", EDITED: "EDIT", UNABLE: "BAD"}


def edit_forms(project: Project) -> Iterator[str]:
    """Yield the forms EDIT or EDIT_ACCEPT of WMT09 (Callison-Burch et al. 2009), a screen a line.

    An edited output is a screen for each system that produced it. A sheet on which edits are
    accepted is one, or several of MOST_ON_SCREEN.
    """
    answer = kind_of(project).answer
    pair = pair_name(project.source_language, project.target_language)
    task = without_formulas(f"{pair} {project.name}")
    with snapshot():
        names = account_names(project)
        # A name with a tab is refused before anything is written.
        join_columns(list(names.values()))
        yield join_columns(WMT_COLUMNS)
        for page in sentence_pages(project):
            judgements, producers = load_judgements(page, answer), _systems_of(page)
            for sentence in page:
                for segment in sentence.segments:
                    for judgement in judgements.get(segment.id, ()):
                        annotator = without_formulas(names[judgement.annotator_id])
                        for form, *screen in screens(answer, judgement, producers):
                            columns = (task, form, sentence.number, annotator, *screen)
                            yield join_columns(list(map(str, columns)))


@singledispatch
def screens(
    answer: Answer, judgement: LoadedJudgement, producers: dict[int, list[str]]
) -> Iterator[tuple[object, ...]]:
    """Yield the columns of each screen, from its type, except for item and annotator."""
    raise NotImplementedError(answer)


@screens.register
def _edit_screens(
    answer: EditedText, judgement: LoadedJudgement, producers: dict[int, list[str]]
) -> Iterator[tuple[object, ...]]:
    """Yield type, time, system, status and text of each output, with empty columns between."""
    rest = [""] * 3 * (MOST_ON_SCREEN - 1)
    for candidate, rank in judgement.ranks.items():
        assert rank is not None, "a scale has no garbage bin"
        text = judgement.details.get(candidate, "")
        for system in producers.get(candidate, ()):
            yield (
                "EDIT",
                "",
                without_formulas(system),
                WMT_STATUSES[rank],
                "",
                *rest,
                # A column cannot have a tab.
                without_formulas(text.replace("\t", " ")),
            )


@screens.register
def _acceptance_screens(
    answer: Steps, judgement: LoadedJudgement, producers: dict[int, list[str]]
) -> Iterator[tuple[object, ...]]:
    """Yield type, time, and system, answer and edit of each edited output."""
    answers = [
        (without_formulas(system), "1" if rank == 1 else "0", candidate)
        for candidate, rank in judgement.ranks.items()
        for system in producers.get(candidate, ())
    ]
    for start in range(0, len(answers), MOST_ON_SCREEN):
        screen = [cell for one in answers[start : start + MOST_ON_SCREEN] for cell in one]
        seconds = "" if judgement.seconds is None or start else round(judgement.seconds)
        missing = 3 * MOST_ON_SCREEN - len(screen)
        yield "EDIT_ACCEPT", seconds, *screen, *[""] * missing, ""


def _systems_of(page: list[LoadedSentence]) -> dict[int, list[str]]:
    """Return by candidate id the systems that produced it."""
    found: dict[int, list[str]] = {}
    for of_segment in load_projections(page).values():
        for system, candidate_id in of_segment:
            found.setdefault(candidate_id, []).append(system)
    return found
