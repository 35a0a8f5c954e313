"""The provenance of added systems: a restored archive may have anything there."""

import pytest

from annotation.models import Project
from annotation.projects.added_systems import sampled_systems, segments_to_show
from tests.factories import make_project

ANYTHING: list[object] = [
    None,
    5,
    [],
    {},
    [None, 7, {"system": 3}],
    [{"system": "X", "judge": 5}],
    [{"system": "A", "judge": True}],
    [{"system": "A", "judge": "5", "sampled": 5}],
    [{"system": "A", "sampled": [[1, ["0"]], [2**63, "0"], [True, "0"], [0, "0"], "10", [1]]}],
]


@pytest.mark.parametrize("added", ANYTHING)
@pytest.mark.django_db
def test_what_does_not_fit_is_left_out(added: object) -> None:
    project = make_project()
    Project.objects.update(provenance={"added": added})
    project.refresh_from_db()

    assert sampled_systems(project) == []
    assert segments_to_show(project) == {}
