"""`manage.py sample_segments`."""

from io import StringIO

import pytest
from django.core.management import call_command

from annotation.common.commands import Error
from annotation.models import Segment
from tests.factories import make_project

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    printed = StringIO()
    call_command("sample_segments", "houses", *arguments, stdout=printed)
    return printed.getvalue()


def test_it_samples_segments_of_the_project() -> None:
    make_project(sentences=6)
    assert "sampled: 3." in run("3")
    sampled = Segment.objects.filter(sampled=True, candidates__isnull=False).distinct()
    assert 3 <= sampled.count() < Segment.objects.count()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("0",), "at least 1"),
        (("3", "--system", "X"), "no system 'X'"),
        (("3", "--system", "A", "--seed", "1"), "seed with which the system was added"),
    ],
)
def test_it_refuses(arguments: tuple[str, ...], message: str) -> None:
    make_project()
    with pytest.raises(Error, match=message):
        run(*arguments)
    assert not Segment.objects.filter(sampled=False).exists()
