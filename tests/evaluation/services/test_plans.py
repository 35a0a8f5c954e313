from typing import Any

import pytest

from annotation.formats.errors import InputError
from annotation.kinds import KINDS
from evaluation.findings.plan import PlanOptions, lengths_of
from evaluation.services.plans import assumptions_from, plan_campaign
from evaluation.stats.variance_components import EFFECTS
from tests.annotation.kinds.document_project import judge_all, prepared
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db

TEXTS: dict[str, Any] = {"documents": 40, "lines": 2.5, "words": 20}


def test_lengths_have_the_mean_that_was_asked_for():
    assert lengths_of(4, 2.5) == (3, 2, 3, 2)
    assert sum(lengths_of(190, 2.4)) == 456


def test_fewer_hours_are_fewer_documents():
    whole = plan_campaign(
        PlanOptions(systems=3, annotators=5, **TEXTS), kind="document_error_spans"
    )
    assert whole.needed.hours is not None
    # 32.2 + 20 · 0.33 seconds for each of 40 · 2.5 · 3 translations.
    assert whole.needed.hours == pytest.approx(300 * 38.8 / 3600)
    half = plan_campaign(
        PlanOptions(systems=3, annotators=5, hours=whole.needed.hours / 2, pay=10, **TEXTS),
        kind="document_error_spans",
    )
    effort = half.efforts[1]
    assert effort.documents == pytest.approx(20, abs=1)
    assert effort.hours is not None
    assert effort.cost == pytest.approx(10 * effort.hours)
    assert effort.precision.found > whole.efforts[1].precision.found
    assert [row.judges for row in half.judges] == [1, 2, 3]


def test_all_published_figures_name_effects_of_the_model():
    for kind in KINDS.values():
        if kind.experience:
            assert set(kind.experience.variances) <= set(EFFECTS)


def test_an_earlier_project_says_times_lengths_and_variances(tmp_path):
    documents = tuple(f"talk {line // 2}" for line in range(24))
    project = prepared(tmp_path, documents=documents)
    place = {"A": 90, "B": 70, "C": 40}
    for name in ("jana", "petr"):
        judge_all(make_annotator(project, name), project, lambda text, _whole: place[text[0]])
    found = assumptions_from(project)
    assert found.lengths == (2,) * 12
    assert found.source == "Documents"
    # All annotators gave a system the same score.
    assert found.components.deviation == pytest.approx(0, abs=1e-6)
    plan = plan_campaign(PlanOptions(systems=3, annotators=4), project=project)
    assert plan.kind == "document_error_spans"
    assert plan.needed.documents == 12
    with pytest.raises(InputError, match="other answers"):
        plan_campaign(PlanOptions(systems=3, annotators=4), kind="mqm", project=project)


def test_too_few_judgements_are_refused():
    project = make_project()
    submit(project, make_annotator(project), 1, {"0 1 2": [1, 2, None], "4 5 6": [1, 1]})
    with pytest.raises(InputError, match="at least 10"):
        plan_campaign(PlanOptions(systems=3, annotators=4), project=project)


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"systems": 2, "annotators": 2}, "document_error_spans", "how many documents"),
        (TEXTS | {"systems": 2, "annotators": 2}, "grades", "No figures are published"),
        (TEXTS | {"systems": 2, "annotators": 2, "hours": 3}, "mqm", "How long a text takes"),
        (
            TEXTS | {"systems": 5, "annotators": 2, "hours": 0.01},
            "document_error_spans",
            "not enough for two documents",
        ),
        (TEXTS | {"systems": 9, "annotators": 2, "of_document": 1}, "mqm", "in common"),
        (TEXTS | {"systems": 2, "annotators": 2}, "", "Choose the kind"),
        (TEXTS | {"systems": 100, "annotators": 2, "documents": 9999}, "mqm", "judged texts"),
    ],
)
def test_what_a_plan_cannot_be_made_of_is_said(options, kind, words):
    with pytest.raises(InputError, match=words):
        plan_campaign(PlanOptions(**options), kind=kind)


@pytest.mark.parametrize("wrong", [{"systems": 1}, {"judges": 5}, {"beside": 9}, {"words": 0}])
def test_numbers_out_of_range_are_refused(wrong):
    with pytest.raises(InputError, match="use a number from"):
        PlanOptions(**{"systems": 3, "annotators": 4} | wrong)
