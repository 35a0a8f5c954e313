from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import pytest

from evaluation.findings.agreement import Reading, read_kappa
from evaluation.findings.headline import (
    Headline,
    NoLeader,
    headline,
    mean_leader,
    significant_pairs,
)
from evaluation.findings.report import Report
from evaluation.stats.ranking.significance import Significance
from evaluation.stats.ranking.systems import RankedSystem
from tests.evaluation.report.sample import (
    NAMES,
    assessed_system,
    assessments,
    marked_errors,
    marked_system,
    ranking,
    sample,
    system,
)

T = TypeVar("T")


@pytest.mark.parametrize(
    ("kappa", "reading"),
    [
        (-0.01, Reading.POOR),
        (0.0, Reading.SLIGHT),
        (0.2, Reading.SLIGHT),
        (0.21, Reading.FAIR),
        (0.4, Reading.FAIR),
        (0.5, Reading.MODERATE),
        (0.8, Reading.SUBSTANTIAL),
        (0.81, Reading.ALMOST_PERFECT),
        (1.0, Reading.ALMOST_PERFECT),
        (None, None),
    ],
)
def test_kappa_is_read_as_by_landis_and_koch(kappa, reading):
    assert read_kappa(kappa) == reading


def ranked(*systems: RankedSystem) -> Report:
    return sample(rankings={"ratio_of_wins": ranking(*systems)})


def compared(names: Sequence[str], p: Mapping[tuple[str, str], float]) -> Significance:
    """Pairs of systems with their p; the first of each pair won more often."""
    size = range(len(names))
    wins, losses = 3, 1
    by_pair = {(names.index(x), names.index(y)): value for (x, y), value in p.items()}
    known = by_pair | {(y, x): value for (x, y), value in by_pair.items()}

    def table(first: T, second: T, none: T) -> tuple[tuple[T, ...], ...]:
        return tuple(
            tuple(first if pair in by_pair else second if pair in known else none for pair in row)
            for row in ([(x, y) for y in size] for x in size)
        )

    tested = tuple(tuple(known.get((x, y)) for y in size) for x in size)
    rates: tuple[tuple[float | None, ...], ...] = table(0.75, 0.25, None)
    return Significance(
        systems=tuple(names),
        wins=table(wins, losses, 0),
        losses=table(losses, wins, 0),
        ties=table(0, 0, 0),
        same_text=table(0, 0, 0),
        ties_of_different_texts=table(0, 0, 0),
        win_rate=rates,
        p=tested,
        p_holm=tested,
        wide_p=tested,
        wide_p_holm=tested,
        better=rates,
        only_sentences="",
        undefined=table("", "", ""),
        signature="",
    )


def lead_of(systems: Sequence[RankedSystem], p: Mapping[tuple[str, str], float]) -> Headline:
    names = [row.system for row in systems]
    report = replace(ranked(*systems), significance=compared(names, p))
    lead = headline(report, "ratio_of_wins")
    assert isinstance(lead, Headline)
    return lead


def test_a_system_that_beats_all_is_best_also_where_another_is_in_its_cluster():
    systems = system("A", 0.8, 1, 1), system("B", 0.5, 2, 1), system("C", 0.2, 3, 3)

    lead = lead_of(systems, {("A", "B"): 0.01, ("A", "C"): 0.04, ("B", "C"): 0.5})

    assert (lead.leader.system, lead.level, lead.doubted, lead.unmet) == ("A", (), (), ())
    assert (lead.beaten, lead.others, lead.sure) == (2, 2, True)


def test_systems_not_beaten_significantly_may_be_as_good():
    systems = system("A", 0.8, 1, 1), system("B", 0.5, 2, 2), system("C", 0.2, 3, 2)

    lead = lead_of(systems, {("A", "B"): 0.05, ("A", "C"): 0.01})

    assert (lead.doubted, lead.in_doubt, lead.sure) == (("B",), 1, False)


def test_systems_never_met_may_be_as_good():
    systems = (
        *(system("A", 0.9, 1, 1), system("C", 0.8, 2, 2)),
        *(system("D", 0.2, 3, 3), system("B", 0.1, 4, 4)),
    )

    lead = lead_of(systems, {("A", "B"): 0.01, ("C", "D"): 0.01})

    assert (lead.doubted, lead.unmet, lead.in_doubt) == ((), ("C", "D"), 2)
    assert not lead.sure


def test_a_system_without_a_score_is_not_beaten():
    lead = headline(sample(), "ratio_of_wins")

    assert isinstance(lead, Headline)
    assert (lead.doubted, lead.beaten, lead.others, lead.sure) == ((NAMES[2],), 1, 2, False)


def test_without_clusters_no_lead_is_certain():
    systems = system("A", 0.8, 1, None), system("B", 0.5, 2, None)

    lead = lead_of(systems, {("A", "B"): 0.01})

    assert (lead.clustered, lead.beaten, lead.sure) == (False, 0, False)


# Worst ranks of systems by marked errors, and over how many systems those by assessments win.
BY_MARKS = (("A", 2), ("B", 3), ("C", 3))
BY_ASSESSMENTS = (("A", 2), ("B", 0), ("C", 0))


def test_scores_have_a_leader_by_their_own_tests():
    means = {"A": 70.0, "B": 60.0, "C": 60.0}
    marked = (marked_system(name, means[name], worst) for name, worst in BY_MARKS)

    lead = mean_leader(sample(marked_errors=marked_errors(*marked)))

    assert lead is not None
    assert (lead.system, lead.level, lead.wins, lead.others) == ("A", (), 1, 2)
    assert (lead.different, lead.tested) == (1, 3)
    assessed = [assessed_system(name, means[name], wins) for name, wins in BY_ASSESSMENTS]
    lead = mean_leader(sample(assessments=assessments(*assessed)))
    assert lead is not None
    assert (lead.wins, lead.others, lead.different) == (2, 2, 2)
    lead = mean_leader(sample(assessments=assessments(*assessed[1:])))
    assert lead is not None
    assert lead.level == ("B", "C")
    assert mean_leader(sample()) is None


def test_equal_scores_are_level():
    systems = system("A", 0.6, 1, 1), system("B", 0.6, 1, 1), system("C", 0.2, 3, 2)

    lead = lead_of(systems, {("A", "B"): 1.0, ("A", "C"): 0.01, ("B", "C"): 0.01})

    assert (lead.level, lead.sure) == (("A", "B"), False)


@pytest.mark.parametrize(
    ("report", "why"),
    [
        (sample(judged=replace(sample().judged, judgements=0)), NoLeader.NOTHING_JUDGED),
        (ranked(), NoLeader.NO_SYSTEMS),
        (ranked(system("A", None, None, None)), NoLeader.ONE_SYSTEM),
        (
            ranked(system("A", None, None, None), system("B", None, None, None)),
            NoLeader.NO_SCORES,
        ),
    ],
)
def test_it_says_why_no_system_leads(report, why):
    assert headline(report, "ratio_of_wins") == why


def test_it_counts_the_pairs_that_differ():
    assert significant_pairs(sample()) == (1, 1)
