"""What WMT published of its own judgements, reproduced from the files, by API and command."""

import csv
import json
from collections import Counter, defaultdict
from functools import cache
from io import StringIO
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from evaluation.formats.judgement_files import Choice, read_judgements
from evaluation.formats.wmt import read_pairwise
from evaluation.stats.agreement.agreement import Agreement, measure_agreement
from evaluation.stats.ranking.published import measure_as_published
from evaluation.stats.ranking.ranking import count_pairs, rank_by_ratio_of_wins
from tests.evaluation.files import first_half

pytestmark = pytest.mark.shared

FILES_2016 = {
    "Czech-English": "cze-eng",
    "English-Czech": "eng-cze",
    "English-German": "eng-deu",
    "English-Turkish": "eng-tur",
}
PAIRS_2012 = [
    "Czech-English",
    "English-Czech",
    "English-French",
    "English-German",
    "English-Spanish",
    "French-English",
    "German-English",
    "Spanish-English",
]


def command(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command("rank_judgements", *arguments, "--json", stdout=out)
    report: dict[str, Any] = json.loads(out.getvalue())
    return report


@cache
def file_2016(shared: Path, pair: str) -> Path:
    return shared / "data/judgements/wmt16" / f"wmt16.collapsed.{FILES_2016[pair]}.csv.gz"


def rows_2016(shared: Path, pair: str) -> list[dict[str, str]]:
    with (shared / "data/judgements/wmt16/published_agreement.csv").open() as file:
        return [row for row in csv.DictReader(file) if row["pair"] == pair]


@pytest.mark.parametrize("pair", FILES_2016)
def test_agreement_of_2016_as_published(shared, pair):
    published = measure_as_published(
        read_judgements(Choice("wmt-pairs", [file_2016(shared, pair)]))
    )

    rows = rows_2016(shared, pair)
    assert [row["kind"] for row in rows] == ["inter", "intra"]
    for row in rows:
        assert row["data"] == "collapsed"
        found: Agreement = getattr(published, row["kind"])
        ties, total = found.chance.tied, found.chance.tied + found.chance.untied
        counts = [found.agree, found.compared, ties, total]
        assert counts == [int(row[key]) for key in ("agree", "comparable", "ties", "total")]
        figures = [found.observed, found.chance.expected, found.kappa]
        assert [f"{figure:.3f}" for figure in figures] == [row[k] for k in ("pA", "pE", "kappa")]


@pytest.mark.parametrize("pair", FILES_2016)
def test_the_command_prints_it_beside_the_clean_figure(shared, pair):
    path = file_2016(shared, pair)

    agreement = command(str(path), "--format", "wmt-pairs")["agreement"]

    for row in rows_2016(shared, pair):
        found = agreement[f"{row['kind']}_published"]
        assert (found["agree"], found["compared"]) == (int(row["agree"]), int(row["comparable"]))
        assert f"{found['kappa']:.3f}" == row["kappa"]
    for kind, counts in clean_by_loops(path).items():
        assert (agreement[kind]["agree"], agreement[kind]["compared"]) == counts


def clean_by_loops(path: Path) -> dict[str, tuple[int, int]]:
    """Agreement of unordered pairs of texts, by one judge and by two, by plain loops."""
    outcomes: dict[tuple[int, frozenset[tuple[str, ...]]], list[tuple[str, int]]]
    outcomes = defaultdict(list)
    for ranking in read_pairwise(path):
        for one, other in combinations(sorted(ranking.ranked), 2):
            sign = (one.rank > other.rank) - (one.rank < other.rank)
            key = ranking.sentence, frozenset((one.systems, other.systems))
            outcomes[key].append((ranking.judge, sign))
    counts: dict[str, Counter[bool]] = {"intra": Counter(), "inter": Counter()}
    for judged in outcomes.values():
        for (judge, sign), (other_judge, other_sign) in combinations(judged, 2):
            counts["intra" if judge == other_judge else "inter"][sign == other_sign] += 1
    return {kind: (counted[True], counted.total()) for kind, counted in counts.items()}


@pytest.mark.parametrize("pair", FILES_2016)
def test_every_line_of_a_file_is_compared_once_however_rankings_are_joined(shared, pair):
    judgements = read_judgements(Choice("wmt-pairs", [file_2016(shared, pair)]))

    chance = measure_agreement(judgements).chance

    assert chance.tied + chance.untied == int(rows_2016(shared, pair)[0]["total"])


@pytest.mark.parametrize("pair", FILES_2016)
def test_plain_files_give_the_systems_the_same_wins_as_the_collapsed_ones(shared, pair):
    collapsed = file_2016(shared, pair)
    plain = collapsed.with_name(collapsed.name.replace("collapsed.", ""))

    found, expected = (
        rank_by_ratio_of_wins(read_judgements(Choice("wmt-pairs", [path])))
        for path in (collapsed, plain)
    )

    assert [(row.system, row.wins, row.losses) for row in found.systems] == [
        (row.system, row.wins, row.losses) for row in expected.systems
    ]


def published_2012(shared: Path, what: str, pair: str) -> list[list[str]]:
    path = shared / "data/judgements/wmt12/published" / what / f"wmt12.{pair}"
    return [line.split() for line in path.read_text().splitlines()]


def file_2012(shared: Path) -> Path:
    return shared / "data/judgements/wmt12/wmt12.RNK_results.csv.gz"


@pytest.mark.parametrize("pair", PAIRS_2012)
def test_all_pairwise_counts_of_2012(shared, pair):
    judgements = read_judgements(Choice("wmt-five", [file_2012(shared)], pair=pair))

    counted = count_pairs(judgements.system_ranks)

    names = judgements.system_names
    found = {
        (names[x], names[y]): [counted.wins[x, y], counted.ties[x, y], counted.wins[y, x]]
        for x in range(len(names))
        for y in range(len(names))
        if counted.wins[x, y] + counted.ties[x, y] + counted.wins[y, x]
    }
    assert found == {
        (one, other): [int(count) for count in counts]
        for one, other, *counts in published_2012(shared, "pairwise", pair)
    }


@pytest.mark.parametrize("pair", PAIRS_2012)
def test_both_rankings_of_2012(shared, pair):
    arguments = [str(file_2012(shared)), "--format", "wmt-five", "--pair", pair]
    everything = command(*arguments)["systems"]
    has_reference = any(row["system"] == "_ref" for row in everything)

    without = command(*arguments, "--without", "_ref")["systems"] if has_reference else everything

    official = published_2012(shared, "ranking_new_wmt_official", pair)
    assert [row["system"] for row in without] == [system for system, _ in official]
    for row, (_, score) in zip(without, official, strict=True):
        assert 100 * row["ratio_of_wins"] == pytest.approx(float(score), abs=1e-4)
    with_ties = {
        row["system"]: 100
        * (row["wins"] + row["ties"])
        / (row["wins"] + row["ties"] + row["losses"])
        for row in everything
    }
    assert with_ties == {
        system: pytest.approx(float(score), abs=1e-4)
        for system, score in published_2012(shared, "ranking_old_wmt_official", pair)
    }


def test_the_first_half_of_the_thesis(shared):
    folder = first_half(shared)
    expected = json.loads((folder / "expected.json").read_text())

    report = command(
        *(str(folder / "annotations.jsonl"), "--format", "lines"),
        *("--segments", str(folder / "segments.tsv"), "--systems", str(folder / "systems.tsv")),
    )

    systems = {row.pop("system"): row for row in report["systems"]}
    assert list(systems.items()) == list(expected["systems"].items())
    agreement = report["agreement"]
    for kind in ("intra", "inter"):
        assert agreement[kind]["expected"] == expected["expected_agreement"]
        assert agreement[kind]["kappa"] == pytest.approx(expected[f"kappa_{kind}"], abs=5.1e-5)
