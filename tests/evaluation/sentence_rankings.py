"""Files with rankings of whole sentences, and their import."""

from io import StringIO

import pytest
from django.core.management import call_command

from evaluation.models import SentenceJudgement
from tests.evaluation.formats.wmt_files import write_five_way
from tests.factories import make_project

ROWS = [
    (1, "jana", "A 1 B 2 C 2"),
    (1, "petr", "C 5 A 4 B -1"),
    (3, "jana", "A+B 2 C 1"),
]


@pytest.fixture
def project():
    return make_project()


@pytest.fixture
def file(tmp_path):
    return write_five_way(tmp_path / "five.csv", ROWS)


def run(file, *arguments, project="houses", file_format="wmt-five"):
    out = StringIO()
    call_command(
        "import_sentence_judgements",
        project,
        str(file),
        *("--format", file_format),
        *map(str, arguments),
        stdout=out,
    )
    return out.getvalue().strip()


def stored():
    """Return sentence, judge, and ranks by system of all rankings, in the order of import."""
    return [
        (
            judgement.sentence.number,
            judgement.judge,
            {placed.system.name: placed.rank for placed in judgement.placements.all()},
        )
        for judgement in SentenceJudgement.objects.order_by("pk")
    ]
