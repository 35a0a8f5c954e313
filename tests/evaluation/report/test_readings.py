from typing import Any

import pytest

from evaluation.report.readings import (
    Headline,
    NoLeader,
    Reading,
    headline,
    mean_leader,
    read_kappa,
    significant_pairs,
)
from tests.evaluation.report.sample import NAMES, sample, system


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


def ranked(*systems):
    return sample(rankings={"ratio_of_wins": {"systems": list(systems), "signature": ""}})


def compared(names, p, *, wins=3, losses=1):
    """Pairs of systems with their p; the first of each pair won more often."""
    size = range(len(names))
    by_pair = {(names.index(x), names.index(y)): value for (x, y), value in p.items()}
    known = by_pair | {(y, x): value for (x, y), value in by_pair.items()}

    def table(first, second, none):
        return [
            [first if pair in by_pair else second if pair in known else none for pair in row]
            for row in ([(x, y) for y in size] for x in size)
        ]

    return {
        "systems": list(names),
        "wins": table(wins, losses, 0),
        "losses": table(losses, wins, 0),
        "ties": table(0, 0, 0),
        "win_rate": table(0.75, 0.25, None),
        "p": [[known.get((x, y)) for y in size] for x in size],
        "p_holm": [[known.get((x, y)) for y in size] for x in size],
        "wide_p_holm": [[known.get((x, y)) for y in size] for x in size],
        "only_sentences": "",
        "signature": "",
    }


def lead_of(systems, p):
    names = [row["system"] for row in systems]
    report = ranked(*systems) | {"significance": compared(names, p)}
    lead = headline(report, "ratio_of_wins")
    assert isinstance(lead, Headline)
    return lead


def test_a_system_that_beats_all_is_best_also_where_another_is_in_its_cluster():
    systems = system("A", 0.8, 1, 1), system("B", 0.5, 2, 1), system("C", 0.2, 3, 3)

    lead = lead_of(systems, {("A", "B"): 0.01, ("A", "C"): 0.04, ("B", "C"): 0.5})

    assert (lead.leader["system"], lead.level, lead.doubted, lead.unmet) == ("A", (), (), ())
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


def test_scores_have_a_leader_by_their_own_tests():
    means = {"A": 70.0, "B": 60.0, "C": 60.0}
    rows: list[dict[str, Any]] = [
        {"system": name, "value": means[name], "worst_rank": worst}
        for name, worst in (("A", 2), ("B", 3), ("C", 3))
    ]

    lead = mean_leader(sample(marked_errors={"systems": rows}))

    assert lead is not None
    assert (lead.row["system"], lead.level, lead.wins, lead.others) == ("A", (), 1, 2)
    assert (lead.different, lead.tested) == (1, 3)
    rows = [
        {"system": name, "value": means[name], "wins": wins}
        for name, wins in (("A", 2), ("B", 0), ("C", 0))
    ]
    lead = mean_leader(sample(assessments={"systems": rows}))
    assert lead is not None
    assert (lead.wins, lead.others, lead.different) == (2, 2, 2)
    lead = mean_leader(sample(assessments={"systems": rows[1:]}))
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
        (sample(judged={**sample()["judged"], "judgements": 0}), NoLeader.NOTHING_JUDGED),
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
