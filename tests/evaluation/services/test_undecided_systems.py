"""Narrowed judgements: in the ranking of the undecided systems, and in no other figure."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Project, User
from annotation.projects.undecided_systems import set_undecided
from evaluation.findings.options import ReportOptions
from evaluation.findings.report import table
from evaluation.rendering.formats import as_object
from evaluation.rendering.text import Listed, Text
from evaluation.services.loading import load
from evaluation.services.report_kinds import make_report
from evaluation.services.undecided_systems import comparing, undecided_ranking
from tests.annotation.judging.judged_next import judge
from tests.factories import make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

# Annotators rank by the alphabet: dům (of C), stará dům (B), starý dům (A); blízko řeky (B), u (A).
FULL, NARROWED = 4, 6


@pytest.fixture
def annotator() -> User:
    return make_annotator(make_project(sentences=FULL + NARROWED), "jana")


@pytest.fixture
def project(annotator: User) -> Project:
    """Ten judged sentences: four with all systems, then six with A and B."""
    project = Project.objects.get()
    for _time in range(FULL):
        assert judge(annotator, project)
    decide(project, "AB")
    for _time in range(NARROWED):
        assert judge(annotator, project)
    assert judge(annotator, project) is None
    return project


def decide(project: Project, names: str) -> None:
    set_undecided(project=project, names=list(names), by="Eva")
    project.refresh_from_db()


def test_no_other_figure_has_narrowed_judgements(project: Project) -> None:
    judgements = load(project)

    assert (len(judgements), judgements.sentences_judged) == (2 * FULL, FULL)
    assert len(load(project, narrowed_by=[1])) == 2 * (FULL + NARROWED)


def test_the_undecided_systems_are_ranked_from_all_judgements(project: Project) -> None:
    part = undecided_ranking(project, ["parser P"], resamples=100)

    assert part
    assert part.estimand.endswith("against the other undecided systems: A, B")
    assert (part.systems, part.decided, part.by) == (("A", "B"), ("C",), "Eva")
    assert (part.judgements, part.narrowed, part.unused) == (20, 12, 0)
    assert [(row.system, row.score.value, row.wins) for row in part.ranking.systems] == [
        ("B", 1.0, 20),
        ("A", 0.0, 0),
    ]
    assert part.significance.wins == ((0, 0), (20, 0))
    assert part.significance.p[0][1] == pytest.approx(2 / 2**10, abs=1e-6)
    assert "|among A, B only|parser P" in part.ranking.signature


def test_segments_that_cannot_compare_them_do_not_count(project: Project) -> None:
    decide(project, "ABC")
    decide(project, "AC")

    part = undecided_ranking(project, [], resamples=100)

    # A and C differ in the first segment of the sentences that were judged with all systems. The
    # narrowed judgements lack C.
    assert part
    assert (part.judgements, part.narrowed, part.unused) == (FULL, 0, 2 * NARROWED)


def test_the_report_shows_it_apart(project: Project) -> None:
    data = make_report(project, ReportOptions(resamples=100)).data

    assert data.undecided
    assert data.undecided.narrowed == 2 * NARROWED
    judged = data.judged
    assert (judged.judgements, judged.narrowed) == (2 * FULL, 2 * NARROWED)
    assert (judged.sentences, judged.sentences_judged, judged.sentences_left) == (10, 4, 0)
    ranked = data.rankings["ratio_of_wins"].systems
    assert [(row.system, row.sentences) for row in ranked] == [
        (name, FULL) for name in ("C", "B", "A")
    ]


def test_tables_and_command_have_it(project: Project) -> None:
    data = make_report(project, ReportOptions(resamples=100)).data

    systems, pairs = table(data, "undecided-systems"), table(data, "undecided-pairs")

    assert systems
    assert [row["system"] for row in as_object(systems)["rows"]] == ["B", "A"]
    of_all = table(data, "ranking-ratio_of_wins")
    assert of_all
    assert systems.caption != of_all.caption
    judged, decided = systems.notes[:2]
    assert isinstance(judged, Text)
    assert judged.values == {"number": 20, "narrowed": 12}
    assert isinstance(decided, Text)
    assert (decided.values["who"], decided.values["systems"]) == ("Eva", Listed(("C",)))
    assert pairs
    assert [row[:4] for row in pairs.rows] == [("A", "B", 0, 20)]
    printed = StringIO()
    call_command("rank_systems", str(project.pk), stdout=printed)
    assert str(systems.caption).rstrip(".") in printed.getvalue()


def test_after_a_reversal_the_report_counts_what_it_leaves_out(project: Project) -> None:
    decide(project, "ABC")

    data = make_report(project, ReportOptions(resamples=100)).data

    assert data.undecided is None
    assert data.judged.narrowed == 2 * NARROWED


def test_it_costs_no_query_where_no_system_is_decided(annotator: User) -> None:
    project = Project.objects.get()

    with CaptureQueriesContext(connection) as captured:
        assert undecided_ranking(project, []) is None

    assert len(captured) == 0


def test_comparing_needs_two_different_ranked_candidates(project: Project) -> None:
    whole = load(project)

    assert len(comparing(whole)) == 2 * FULL
    assert len(comparing(whole.without_systems("B"))) == FULL
    assert len(comparing(whole.without_systems("BC"))) == 0
    assert len(comparing(whole.without_systems("ABC"))) == 0
