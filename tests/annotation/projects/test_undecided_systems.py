"""Decisions that annotators see the candidates of undecided systems only."""

from collections.abc import Sequence

import pytest

from annotation.formats.errors import InputError
from annotation.models import Project
from annotation.projects.provenance import Shown
from annotation.projects.undecided_systems import (
    decision_in_force,
    decisions,
    decisions_to_use,
    propose,
    refuse_while_narrowed,
    set_undecided,
)
from tests.factories import make_project

pytestmark = pytest.mark.django_db

ANYTHING: list[object] = [
    None,
    5,
    {},
    [None],
    [{"decided": "C", "undecided": ["A", "B"], "when": "2026-01-01T00:00:00+00:00"}],
    [{"decided": ["C"], "undecided": [1, 2], "when": "2026-01-01T00:00:00+00:00"}],
    [{"decided": ["C"], "undecided": ["A", "B"], "when": "2026-01-01"}],
    [{"decided": ["C"], "undecided": ["A", "B"], "when": 5}],
]


def decide(project: Project, *names: str) -> Project:
    set_undecided(project=project, names=names, by="Jana")
    project.refresh_from_db()
    return project


def test_it_stores_who_decided_when_and_what_annotators_see() -> None:
    project = decide(make_project(), "B\u200b", " A")

    decision = decision_in_force(project)

    assert decision
    assert (decision.number, decision.by) == (1, "Jana")
    assert (decision.decided, decision.undecided) == (("C",), ("A", "B"))
    # Of two segments in each of three sentences, C has a candidate of its own in one.
    assert decision.shown == Shown(6, 15, 6, 12)
    assert (decision.shown.per_segment, decision.shown.narrowed_per_segment) == (2.5, 2.0)
    assert decisions(project) == [decision]


def test_all_systems_are_shown_again() -> None:
    project = decide(make_project(), "A", "B")

    decide(project, "A", "B", "C")

    assert decision_in_force(project) is None
    assert [each.decided for each in decisions(project)] == [("C",), ()]


def test_an_equal_decision_is_not_stored_twice() -> None:
    project = decide(make_project(), "A", "B")

    assert set_undecided(project=project, names=["B", "A"], by="Eva") is None
    assert set_undecided(project=make_project("other"), names=["A", "B", "C"], by="Eva") is None
    project.refresh_from_db()
    assert len(decisions(project)) == 1


@pytest.mark.parametrize(
    ("names", "problem"), [(["A"], "At least two"), ([], "At least two"), (["A", "X"], "'X'")]
)
def test_it_refuses_fewer_than_two_and_unknown_systems(names: Sequence[str], problem: str) -> None:
    project = make_project()

    with pytest.raises(InputError, match=problem):
        set_undecided(project=project, names=names, by="Jana")

    project.refresh_from_db()
    assert decisions(project) == []


def test_it_refuses_a_project_that_is_being_prepared() -> None:
    project = make_project()
    project.state = Project.State.PREPARING
    project.save()

    with pytest.raises(InputError, match="prepared"):
        set_undecided(project=project, names=["A", "B"], by="Jana")


@pytest.mark.parametrize("entry", [{"system": "C"}, {"system": "C", "counts": {}, "judge": 5}])
def test_it_refuses_while_a_system_is_added_or_judged_in_a_sample(entry: object) -> None:
    project = make_project(provenance={"added": [entry]})

    with pytest.raises(InputError, match="'C'"):
        propose(project=project, names=["A", "B"])


def test_no_system_can_be_added_while_a_decision_is_in_force() -> None:
    project = make_project()
    refuse_while_narrowed(project)

    with pytest.raises(InputError, match="again"):
        refuse_while_narrowed(decide(project, "A", "B"))


@pytest.mark.parametrize("stored", ANYTHING)
def test_what_a_restored_archive_has_narrows_nothing_unless_it_fits(stored: object) -> None:
    project = make_project(provenance={"decisions": stored})

    assert decision_in_force(project) is None
    assert decisions(project) == []


def test_judgements_that_lack_an_undecided_system_are_not_used() -> None:
    project = make_project()
    for names in ("AB", "ABC", "BC"):
        decide(project, *names)
    decision = decision_in_force(project)

    assert decision
    assert decisions_to_use(project, decision) == [2, 3]
