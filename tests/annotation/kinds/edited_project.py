"""A project of post-editing in which two annotators have edited the outputs of sentences."""

import uuid
from collections.abc import Mapping

from annotation.judging.sheet import sheet
from annotation.judging.submission import submit
from annotation.kinds.edited_text import EDITED, NO_CORRECTIONS, UNABLE
from annotation.models import Assignment, Project
from tests.factories import assign_next, make_annotator, make_project

OUTPUTS = ("Starý dům.", "Stará dům.", "Dům dům dům.")
# What an annotator makes of each output: the same text needs no corrections, "" is unable.
Made = Mapping[str, str]
JANA: Made = {"Starý dům.": "Starý dům.", "Stará dům.": "Starý dům.", "Dům dům dům.": ""}
PETR: Made = {
    "Starý dům.": "Starý domek.",
    "Stará dům.": "Starý dům stojí.",
    "Dům dům dům.": "Tři domy.",
}


def edit(assignment: Assignment, made: Made) -> None:
    """Submit what the annotator makes of each output."""
    [segment] = sheet(assignment).segments
    texts = {card.key: made[card.text] for card in segment.cards}
    steps = {
        card.key: (
            UNABLE
            if not made[card.text]
            else NO_CORRECTIONS
            if made[card.text] == card.text
            else EDITED
        )
        for card in segment.cards
    }
    submit(
        annotator=assignment.annotator,
        project=assignment.project,
        assignment_id=assignment.pk,
        token=str(uuid.uuid4()),
        choices=steps,
        details={key: texts[key] for key in texts if steps[key] == EDITED},
    )


def edited_project(name: str = "houses", *, sentences: int = 1) -> Project:
    """Return a project whose sentences jana and petr have edited; systems A, B and C made one."""
    project = make_project(
        name,
        kind="post_editing",
        sentences=sentences,
        segments={"0 1 2 3 4 5 6": OUTPUTS},
        judges_per_sentence=2,
    )
    for name, made in (("jana", JANA), ("petr", PETR)):
        annotator = make_annotator(project, name)
        for _sentence in range(sentences):
            edit(assign_next(annotator, project), made)
    return project
