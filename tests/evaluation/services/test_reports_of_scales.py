"""Reports of projects whose annotators answer on a scale."""

import pytest

from annotation.kinds import KINDS, Kind, kind_of
from annotation.kinds.answers import Steps
from annotation.models import Candidate, Project, Projection
from annotation.preparation.tokens import VERSION
from evaluation.findings.headline import Headline, headline
from evaluation.findings.options import ReportOptions
from evaluation.findings.report import Report, table, tables
from evaluation.rendering.formats import as_object
from evaluation.services.human_scores import step_values
from evaluation.services.own_ranking import own_ranking
from evaluation.services.report_kinds import make_report
from tests.annotation.kinds.edited_project import edited_project
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db

FEW = ReportOptions(resamples=100)
SCALES = [kind for kind in KINDS.values() if isinstance(kind.answer, Steps)]
SENTENCES = 10


def judged_on(kind: Kind) -> Project:
    """Return a judged project: system A has the best step, or the second; B the worst; C none."""
    project = make_project(
        kind=kind.name, sentences=SENTENCES, segments={"0 1 2": ("starý dům", "dům")}
    )
    steps = len(kind_of(project).answer.labels)
    for name, of_a in (("jana", 1), ("petr", 1), ("zuzana", 2)):
        annotator = make_annotator(project, name)
        for number in range(1, SENTENCES + 1):
            submit(project, annotator, number, {"0 1 2": [of_a, steps]}, steps=steps)
    return project


def report_of(project: Project) -> Report:
    return make_report(project, FEW).data


@pytest.mark.parametrize("kind", SCALES, ids=[kind.name for kind in SCALES])
def test_answers_are_counted_and_compared(kind: Kind) -> None:
    project = judged_on(kind)
    answer = kind_of(project).answer
    assert isinstance(answer, Steps)
    steps = len(answer.steps)

    report = report_of(project)

    part = report.answers
    assert part is not None
    assert part.steps == tuple(str(label) for label in answer.steps)
    assert part.own_labels == bool(answer.own_options)
    a, b, c = part.by_system.systems
    assert (a.system, b.system, c.system) == ("A", "B", "C")
    assert a.counts[:2] == (20, 10)
    assert a.grade.value == pytest.approx(steps - 1 / 3)
    assert a.grade.wide_low is not None
    assert (b.grade.value, sum(b.counts)) == (1, 30)
    assert c.grade.value is None
    assert c.grade.undefined
    assert [row.score for row in report.rankings["mean_grade"].systems] == [
        row.grade for row in part.by_system.systems
    ]
    assert report.ordered_rankings[0].method == "mean_grade"
    difference = part.pairs.pairs[0]
    assert (difference.system, difference.other, difference.compared) == ("A", "B", 30)
    assert difference.difference.value == pytest.approx(steps - 4 / 3)
    lead = headline(report, "mean_grade")
    assert isinstance(lead, Headline)
    # Of two steps, one of the three annotators says the same of A and B.
    assert (lead.leader.system, lead.beaten, lead.unmet) == ("A", int(steps > 2), ("C",))
    # Of each sentence, one pair of annotators of three agrees about A, and all about B.
    inter = part.agreement.inter
    assert (inter.agree, inter.compared) == (4 * SENTENCES, 6 * SENTENCES)
    assert inter.kappa.value == pytest.approx((4 / 6 - 1 / steps) / (1 - 1 / steps))
    if answer.undecided:
        assert a.decided is not None
        assert part.decided_agreement is not None
        assert a.decided.value == 1
        assert part.decided_agreement.expected == 0.5
    else:
        assert (a.decided, part.decided_agreement) == (None, None)


def test_tables_have_both_denominators_if_a_step_is_undecided() -> None:
    report = report_of(judged_on(KINDS["acceptability"]))

    sequence = table(report, "sequence")
    answers = table(report, "answers")
    agreement = table(report, "agreement-of-answers")

    assert answers is not None
    assert agreement is not None
    assert sequence is not None
    # There is no garbage on a scale.
    assert len(sequence.rows) == 2
    row = as_object(answers)["rows"][0]
    assert (row["share_1"], row["decided"]) == (pytest.approx(2 / 3), 1)
    assert row["best_low"] < row["best"] == row["share_1"] < row["best_high"]
    assert "Yes / (Yes + No)" in [str(column.heading) for column in answers.columns]
    left_out = [list(map(str, row[0].values.values())) for row in agreement.rows]
    assert left_out == [[], [], ["Not sure"], ["Not sure"]]
    assert report.answers is not None
    decided = report.answers.decided_agreement
    assert decided is not None
    assert [(row["agree"], row["compared"]) for row in as_object(agreement)["rows"][2:]] == [
        (each.agree, each.compared) for each in (decided.intra, decided.inter)
    ]


def test_the_share_of_yes_has_intervals() -> None:
    answers = table(report_of(judged_on(KINDS["edit_acceptance"])), "answers")

    assert answers is not None
    row = as_object(answers)["rows"][0]
    assert row["share_1"] == pytest.approx(2 / 3)
    assert row["best_low"] < row["best"] == row["share_1"] < row["best_high"]
    assert "decided" not in row


def test_edits_of_a_system_count_each_time_they_were_accepted_or_not() -> None:
    # Two different edits of A's output, and one of B's.
    project = make_project(
        kind="edit_acceptance", sentences=1, segments={"0 1 2": ("starý dům", "domek", "dům")}
    )
    _first, second, third = Candidate.objects.order_by("pk")
    Projection.objects.filter(candidate=second).update(system=project.systems.get(name="A"))
    Projection.objects.filter(candidate=third).update(system=project.systems.get(name="B"))
    submit(project, make_annotator(project), 1, {"0 1 2": [1, 2, 2]}, steps=2)

    part = report_of(project).answers

    assert part is not None
    counts = {row.system: row.counts for row in part.by_system.systems}
    assert counts == {"A": (1, 1), "B": (0, 1), "C": (0, 0)}


def test_hter_of_systems_and_sentences() -> None:
    report = report_of(edited_project(sentences=SENTENCES))

    part = report.edit_rates
    assert part is not None
    # In words: nothing of 3 and 1 of 3; 1 of 3 and 2 of 4; 3 of 3, and once no text.
    rates = {row.system: row.rate.value for row in part.systems}
    assert rates == {
        "A": pytest.approx(1 / 6, abs=1e-6),
        "B": pytest.approx(3 / 7, abs=1e-6),
        "C": 1,
    }
    assert [row.outputs for row in part.systems] == [20, 20, 10]
    assert f"TER|case:mixed|tok:{VERSION}" in part.signature
    assert part.sentence_numbers == tuple(range(1, SENTENCES + 1))
    assert part.by_sentence[0] == pytest.approx(tuple(rates.values()))
    answers = report.answers
    assert answers is not None
    assert {row.system: row.shares[-1].value for row in answers.by_system.systems} == {
        "A": 0,
        "B": 0,
        "C": 0.5,
    }
    names = {each.name for each in tables(report)}
    assert {"edit-rates", "edit-rates-by-sentence"} <= names


def test_a_ranking_has_no_answers() -> None:
    project = make_project()
    submit(project, make_annotator(project), 1, {"0 1 2": [1, 2, None], "4 5 6": [1, 1]})

    report = report_of(project)

    assert report.answers is None
    without = {"answers", "grade-differences", "ranking-mean_grade", "agreement-of-answers"}
    assert not without & {each.name for each in tables(report)}
    assert report.edit_rates is None
    assert not {"answers", "agreement-of-answers", "edit-rates"} & {
        each.name for each in tables(report)
    }


def test_means_are_of_labels_that_are_numbers() -> None:
    project = make_project(
        kind="grades",
        answer_options="10\n5\n0",
        sentences=SENTENCES,
        segments={"0 1 2": ("starý dům", "dům")},
    )
    annotator = make_annotator(project)
    for number in range(1, SENTENCES + 1):
        # A has 10 twice and 5 eight times, B 0.
        submit(project, annotator, number, {"0 1 2": [1 if number < 3 else 2, 3]}, steps=3)

    report = report_of(project)

    part = report.answers
    assert part is not None
    assert part.grades == (10, 5, 0)
    a, b = part.by_system.systems[:2]
    assert (a.grade.value, b.grade.value) == (6, 0)
    assert part.pairs.pairs[0].difference.value == 6
    ranked = report.rankings["mean_grade"].systems
    assert [row.score.value for row in ranked[:2]] == [6, 0]
    own = own_ranking(project, FEW)
    assert own is not None
    assert [row.score.value for row in own.systems[:2]] == [6, 0]
    values = step_values(project)
    assert values is not None
    assert values.values == (10, 5, 0)
