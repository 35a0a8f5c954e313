from typing import Any

import pytest

from annotation.models import Project
from annotation.preparation.quality import Quality
from annotation.quality import preparation_quality


def test_it_is_what_the_preparation_counted() -> None:
    quality = Quality(projections=10, projected=9, segments=5, sentences=2, uncut=1)
    project = Project(provenance={"quality": quality.to_json()})
    found = preparation_quality(project)
    assert found == quality
    assert found
    assert found.empty_projections == pytest.approx(0.1)
    assert found.sentences_without_segments == pytest.approx(0.5)


@pytest.mark.parametrize("stored", [{}, {"quality": "good"}, {"quality": {"better": 1}}])
def test_it_is_none_where_nothing_was_counted(stored: dict[str, Any]) -> None:
    assert preparation_quality(Project(provenance=stored)) is None
