"""Judgements of whole sentences and of their segments, in memory and in projects."""

from collections.abc import Sequence
from io import StringIO
from pathlib import Path

from django.core.management import call_command

from annotation.models import Project
from evaluation.stats.judgements import Judgements
from evaluation.stats.sentence_level import SentenceLevel
from tests.evaluation.formats.wmt_files import write_five_way
from tests.evaluation.projects import submit
from tests.evaluation.tables import Row, judged
from tests.factories import make_annotator, make_project

SYSTEMS = ("A", "B", "C")
SENTENCES = {"1": 1, "2": 2, "8": 8, "1a": 1, "1b": 1, "2a": 2, "9a": 9}


def levels(whole: Sequence[Row], parts: Sequence[Row]) -> tuple[Judgements, Judgements]:
    return (
        judged(whole, systems=SYSTEMS, sentences=SENTENCES),
        judged(parts, systems=SYSTEMS, sentences=SENTENCES),
    )


def counts(compared: SentenceLevel) -> dict[str, list[tuple[int, int]]]:
    return {
        row.system: [(tau.concordant, tau.discordant) for tau in (row.better, row.worse, row.all)]
        for row in compared.systems
    }


# A and B have both candidates, C only the first; the ranks of segment 2 are of A and B.
RANKS: dict[str, list[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [2, 1]}
ROWS = [(1, "judge", "A 1 B 2 C 3"), (2, "judge", "B 1 A 2"), (3, "judge", "A 1 B 1")]


def judged_project() -> Project:
    """Return a project with judgements of its segments."""
    project = make_project()
    jana = make_annotator(project)
    for number in (1, 2, 3):
        submit(project, jana, number, RANKS)
    return project


def import_rankings(
    folder: Path, rows: Sequence[tuple[int, str, str]], project: str = "houses"
) -> None:
    file = write_five_way(folder / "five.csv", rows)
    call_command(
        "import_sentence_judgements", project, str(file), format="wmt-five", stdout=StringIO()
    )
