import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation.stats.ranking.systems import METHODS
from tests.annotation.import_export.exchange_files import (
    SEGMENT_ROWS,
    SYSTEM_ROWS,
    write_json,
    write_rows,
)
from tests.evaluation.formats.wmt_files import write_five_way, write_pairwise


def run(*arguments: object) -> str:
    out = StringIO()
    call_command("rank_judgements", *map(str, arguments), stdout=out)
    return out.getvalue()


@pytest.fixture
def five_way(tmp_path):
    return write_five_way(
        tmp_path / "five.csv",
        [
            (1, "jana", "A+B 1 C 2 D -1"),
            (1, "petr", "C 1 A+B 2"),
            (2, "jana", "A 1 C 1"),
            (2, "jana", "A 1 C 2"),
        ],
    )


def test_systems_and_agreement_as_json_without_a_database(five_way):
    report = json.loads(run(five_way, "--format", "wmt-five", "--json"))

    counts = ("system", "wins", "losses", "ties_of_different_texts", "same_text", "ties")
    systems = report["ranking"]["systems"]
    assert [[*(row[key] for key in counts), row["score"]["value"]] for row in systems] == [
        ["A", 2, 1, 1, 2, 3, 0.666667],
        ["B", 1, 1, 0, 2, 2, 0.5],
        ["C", 2, 3, 1, 0, 1, 0.4],
        ["D", 0, 0, 0, 0, 0, None],
    ]
    # One tie of four comparisons; those of jana in sentence 2 are two, one of them a tie.
    expected, of_intra = 1 / 16 + 2 * (3 / 8) ** 2, 1 / 4 + 2 * (1 / 4) ** 2
    found = report["agreement"]
    assert agreement_of(found["intra"]) == figures(0, 1, expected)
    assert agreement_of(found["inter"]) == figures(0, 1, expected)
    assert report["intra_published"] == figures(0, 1, of_intra)
    # In sentence 1 the two texts were shown in another order.
    assert report["inter_published"] == figures(0, 1, expected)
    assert report["ranking"]["signature"].startswith("ratio of wins|ties ignored|")


def agreement_of(row):
    """Return the figures of an estimate as published agreement has them."""
    counts = {key: row[key] for key in ("agree", "compared", "observed", "expected")}
    return counts | {"kappa": row["kappa"]["value"], "undefined": row["kappa"]["undefined"]}


def figures(agree, compared, expected):
    observed = agree / compared
    return {
        "agree": agree,
        "compared": compared,
        "observed": observed,
        "expected": round(expected, 6),
        "kappa": round((observed - expected) / (1 - expected), 6),
        "undefined": "",
    }


def test_systems_and_agreement_as_tables(five_way):
    printed = run(five_way, "--format", "wmt-five", "--without", "D", "B")

    rows = [line.split() for line in printed.splitlines()]
    assert any(row[:3] == ["1", "A", "0.667"] for row in rows)
    assert ["A", "2", "1", "1", "0", "0.6667", "2"] in rows
    assert ["A", "C", "0.667", "1.0000", "1.0000"] in rows
    kappa = ["Intra-annotator", "κ", "0", "1", "0.000", "0.344", "-0.524"]
    assert kappa in [row[: len(kappa)] for row in rows]
    assert "Inter-annotator κ, as published" in printed
    assert "judgements 4|sentences 2" in printed


@pytest.fixture
def judged_by_three(tmp_path):
    """Twelve sentences: A is mostly better than B, and C is one text with A or B."""
    rows = [
        (number, judge, f"{'A+C' if number % 2 else 'A'} {first} {'B' if number % 2 else 'B+C'} 2")
        for number in range(1, 13)
        for judge, first in (("jana", 1), ("petr", 1 + (number % 4 == 0)), ("eva", 1))
    ]
    return write_five_way(tmp_path / "three.csv", rows)


def test_scores_have_intervals_ranks_and_clusters(judged_by_three):
    found = json.loads(run(judged_by_three, "--format", "wmt-five", "--json"))

    ranking = found["ranking"]
    first = ranking["systems"][0]
    assert (first["system"], first["rank"], first["sentences"]) == ("A", 1, 12)
    score = first["score"]
    assert score["low"] <= score["value"] <= score["high"]
    assert score["wide_low"] <= score["value"] <= score["wide_high"]
    assert 1 == first["best_rank"] <= first["worst_rank"]
    assert first["cluster"] == 1
    assert 0 <= first["first"] <= 1
    # A and C are one text in half of the sentences.
    assert (first["same_text"], first["ties_of_different_texts"]) == (18, 6)
    assert ranking["only_sentences"] == ""
    assert ranking["signature"].startswith("ratio of wins|ties ignored|repeats included|1000 ")
    assert "|file three.csv sha256 " in ranking["signature"]


def test_pairs_have_win_rates_and_p_for_both_questions(judged_by_three):
    part = json.loads(run(judged_by_three, "--format", "wmt-five", "--json"))["significance"]

    a, b = (part["systems"].index(name) for name in "AB")
    assert part["win_rate"][a][b] == 1
    # All twelve sentences favour A: 2 of the 2 ** 12 choices of signs are as far.
    assert part["p"][a][b] == pytest.approx(2 / 2**12, abs=5e-7)
    assert part["p_holm"][a][b] >= part["p"][a][b]
    assert part["wide_p"][a][b] >= part["p"][a][b]
    assert part["wide_p_holm"][a][b] is not None


def test_agreement_has_both_intervals(judged_by_three):
    found = json.loads(run(judged_by_three, "--format", "wmt-five", "--json"))

    kappa = found["agreement"]["inter"]["kappa"]
    assert kappa["low"] <= kappa["value"] <= kappa["high"]
    assert kappa["wide_low"] <= kappa["value"] <= kappa["wide_high"]
    assert found["agreement"]["signature"].startswith("agreement of unordered pairs")


@pytest.mark.parametrize("method", METHODS)
def test_each_method_is_that_of_the_report(judged_by_three, tmp_path, method):
    options = (judged_by_three, "--format", "wmt-five", "--seed", "3", "--resamples", "100")
    found = json.loads(run(*options, "--method", method, "--json"))
    call_command("report", "--from", *map(str, options), "--output", str(tmp_path / "report"))
    report = json.loads((tmp_path / "report" / "report.json").read_text())

    assert found["ranking"] == report["rankings"][method]
    assert found["significance"] == report["significance"]


def test_abilities_rank_as_well(judged_by_three):
    options = (judged_by_three, "--format", "wmt-five", "--resamples", "100")

    found = json.loads(run(*options, "--method", "hopkins_may", "--json"))

    assert found["ranking"]["signature"].startswith("Hopkins-May|")
    systems = found["ranking"]["systems"]
    assert [row["rank"] for row in systems] == sorted(row["rank"] for row in systems)
    # The prior keeps them around 0.
    assert sum(row["score"]["value"] for row in systems) == pytest.approx(0, abs=1e-5)
    assert "Hopkins and May" in run(*options, "--method", "hopkins_may")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--resamples", "99"], "Resamples must be from 100 to 100000, not 99"),
        (["--seed", "-1"], "The seed must be from 0"),
    ],
)
def test_too_few_resamples_and_odd_seeds_are_refused(five_way, options, message):
    with pytest.raises(CommandError, match=message):
        run(five_way, "--format", "wmt-five", *options)


def test_a_longer_file_beside_its_part_changes_nothing_but_the_count(five_way, tmp_path):
    part = tmp_path / "part.csv"
    part.write_text("".join(five_way.read_text().splitlines(keepends=True)[:3]))

    both, alone = (json.loads(run(*files, "--json")) for files in ([part, five_way], [five_way]))

    assert (both["repeated"], alone["repeated"]) == (2, 0)
    assert both["judgements"] == alone["judgements"]
    for kind in ("intra", "inter"):
        assert both["agreement"][kind] == alone["agreement"][kind]
        assert both[f"{kind}_published"] == alone[f"{kind}_published"]
    systems = ([row["score"] for row in each["ranking"]["systems"]] for each in (both, alone))
    assert next(systems) == next(systems)
    assert both["ranking"]["signature"].endswith("|given again, counted once 2")
    assert "Given again, counted once: 2." in run(part, five_way)


def test_files_of_wmt_are_recognised(five_way, tmp_path):
    pairs = write_pairwise(tmp_path / "pairs.csv", [(1, "jana", "A 1 B 2", "1")])
    for path, name in ((five_way, "wmt-five"), (pairs, "wmt-pairs")):
        assert run(path, "--json") == run(path, "--format", name, "--json")
    with pytest.raises(CommandError, match="add --format with one of thesis, lines"):
        run(five_way, pairs)


def test_a_format_is_needed_for_other_files(tmp_path):
    (tmp_path / "lines").write_text('{"sentence": 1}\n{"sentence": 2}\n')
    with pytest.raises(CommandError, match="add --format with one of thesis, lines"):
        run(tmp_path / "lines")
    (tmp_path / "mqm").write_text("system\tseg_id\trater\ttarget\tcategory\tseverity\n")
    with pytest.raises(CommandError, match="use score_error_spans"):
        run(tmp_path / "mqm")
    with pytest.raises(CommandError, match="absent"):
        run(tmp_path / "absent")


def test_missing_figures_are_explained(tmp_path):
    file = write_pairwise(tmp_path / "pairs.csv", [(1, "jana", "A 1 B 1", "1")])

    printed = run(file, "--format", "wmt-pairs")
    report = json.loads(run(file, "--format", "wmt-pairs", "--json"))

    reason = "no two judgements of the same candidates to compare"
    assert reason in printed
    inter = agreement_of(report["agreement"]["inter"])
    assert [*inter.values()] == [0, 0, None, 1.0, None, reason]
    assert report["ranking"]["systems"][0]["score"]["value"] is None


def test_only_ties_are_explained(tmp_path):
    rows = [(1, "jana", "A 1 B 1", "1"), (1, "petr", "A 2 B 2", "2")]

    printed = run(write_pairwise(tmp_path / "pairs.csv", rows), "--format", "wmt-pairs")

    assert "all candidates are always tied" in printed


def test_missing_annotators_and_systems_are_explained(tmp_path):
    ranks = {"kočka": 100, "malá kočka": 2, "malý kočka": 2}
    file = write_json(tmp_path / "thesis.json", {"7,small cat": [ranks, ranks]})
    segments = write_rows(tmp_path / "segments.tsv", SEGMENT_ROWS)

    printed = run(file, "--format", "thesis", "--segments", segments)

    assert "Annotators: unknown." in printed
    assert "add --systems FILE" in printed
    systems = write_rows(tmp_path / "systems.tsv", SYSTEM_ROWS)
    assert "B+C" in run(file, "--format", "thesis", "--segments", segments, "--systems", systems)


def test_an_unknown_system_to_exclude_is_refused(five_way):
    with pytest.raises(CommandError, match="no system 'X' to leave out; known here: A, B, C, D"):
        run(five_way, "--format", "wmt-five", "--without", "X")


def test_an_invalid_file_is_refused_with_its_line(tmp_path):
    file = write_five_way(tmp_path / "five.csv", [(1, "jana", "A 1 B 6")])

    with pytest.raises(CommandError, match=r"five\.csv, line 2: the rank '6' of 'B' is neither"):
        run(file, "--format", "wmt-five")
