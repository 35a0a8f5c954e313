import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command


def run(*arguments: object) -> str:
    out = StringIO()
    call_command("score_assessments", *map(str, arguments), stdout=out)
    return out.getvalue()


def rows_of(folder, name):
    return json.loads((folder / "tables" / f"{name}.json").read_text())["rows"]


@pytest.fixture
def export(tmp_path):
    """An export of Appraise: A is better than B; jana sees degraded outputs, petr does not."""
    rows = []
    for user, shift, degraded in (("jana", 0, (40, 30, 35, 20)), ("petr", 5, (90, 80, 95, 85))):
        for place in range(12):
            began = 6 * place
            for system, score in (("A", 80 + place % 4), ("B", 60 + place % 5)):
                row = f"{user},{system},{place},TGT,eng,ces,{score + shift},{began},{began + 5}"
                rows.append(row)
            if place < 4:
                rows.append(f"{user},A,{place},BAD,eng,ces,{degraded[place]},{began},{began + 5}")
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def test_annotators_who_pass_decide_unless_all_are_wanted(export, tmp_path):
    printed = run(export, "--output", tmp_path / "passed")
    run(export, "--all-annotators", "--output", tmp_path / "all")

    jana, petr = rows_of(tmp_path / "passed", "annotators")
    assert (jana["annotator"], jana["passes"], jana["pairs"]) == ("jana", "yes", 4)
    assert jana["outputs"] == pytest.approx((81.5 * 12 + 60 * 12 + 21) / 24)
    assert jana["flags"] == "hasty"
    assert petr["passes"] == "no"
    a, b = rows_of(tmp_path / "passed", "systems-eng-ces")
    assert (a["system"], a["wins"], a["cluster"], a["published_cluster"]) == ("A", 1, 1, 1)
    assert (b["system"], b["segments"], b["assessments"], b["cluster"]) == ("B", 12, 12, 2)
    assert [row["assessments"] for row in rows_of(tmp_path / "all", "systems-eng-ces")] == [24, 24]
    assert [row["annotator"] for row in rows_of(tmp_path / "passed", "scales-eng-ces")] == ["jana"]
    segments = rows_of(tmp_path / "all", "segment-scores-eng-ces")
    assert segments[0] == {**segments[0], "SYS": "A", "SID": "0", "RAW.SCR": 82.5, "N": 2}
    assert (tmp_path / "passed" / "assessments.txt").read_text() == printed
    assert "|annotators who pass|file scores.csv sha256 " in printed.replace("\n", "|")


def test_the_model_of_annotators_is_beside_the_ranking(export, tmp_path):
    printed = run(export, "--all-annotators", "--model", "--output", tmp_path)

    jana, petr = rows_of(tmp_path, "model-annotators-eng-ces")
    # Degraded outputs are not shared: they are other ones in each batch.
    assert {row["annotator"]: row["shared"] for row in (jana, petr)} == {"jana": 24, "petr": 24}
    assert jana["low"] < jana["precision"] < jana["high"]
    a, b = rows_of(tmp_path, "model-systems-eng-ces")
    assert (a["system"], a["segments"], a["z_place"], b["z_place"]) == ("A", 12, 1, 2)
    assert a["z"] == rows_of(tmp_path, "systems-eng-ces")[0]["z"]
    agreement = {row["measure"]: row for row in rows_of(tmp_path, "score-agreement-eng-ces")}
    assert agreement["Scores by one annotator (r)"]["value"] is None
    assert agreement["Scores by two annotators (r)"]["units"] == 24
    sequence = rows_of(tmp_path, "score-sequence-eng-ces")
    assert {(row["part"], row["others"]): row["items"] for row in sequence[::4]} == {
        ("all", "no"): 54,
        # Only outputs have scores of both.
        ("all", "yes"): 46,
    }
    assert "model-" not in run(export)
    assert "fewer than 3 systems" in printed


def test_what_a_model_lacks_is_said(tmp_path):
    heading = "HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time"
    rows = [f"H M cs en ad 4 {name} 1 SYSTEM {n} {n} 9" for n in range(9) for name in "AB"]
    path = tmp_path / "raw"
    path.write_text("\n".join([heading, *rows]) + "\n")

    printed = run(path, "--model", "--output", tmp_path / "out").replace("\n", " ")

    (row,) = rows_of(tmp_path / "out", "model-annotators-cs-en")
    assert (row["annotator"], row["shared"], row["precision"]) == ("M", 0, None)
    assert rows_of(tmp_path / "out", "score-sequence-cs-en") == []
    assert "no item has two scores" in printed
    assert "in which order the items were shown" in printed


def test_lines_of_latex_separate_the_clusters(export, tmp_path):
    run(export, "--output", tmp_path)

    lines = (tmp_path / "tables" / "systems-eng-ces.tex").read_text().splitlines()
    rules = [place for place, line in enumerate(lines) if r"\midrule" in line]
    assert [lines[place + 1].split(" & ")[0].strip() for place in rules] == ["A", "B"]


def test_a_file_of_another_kind_is_refused_with_its_command(tmp_path):
    path = tmp_path / "marked.csv"
    path.write_text("u,A,1,TGT,eng,ces,80,d,False,[],1,2\n")
    with pytest.raises(CommandError, match="use score_error_spans"):
        run(path)


def test_all_problems_of_files_are_one_error(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("u,A,1,TGT,eng,ces,155,1,2\nu,A,1,TGT,eng\n")

    with pytest.raises(CommandError) as problem:
        run(path)

    first, *lines = str(problem.value).splitlines()
    assert first.startswith("2 ")
    assert [line.partition(":")[0] for line in lines] == [f"{path}, line 1", f"{path}, line 2"]


@pytest.mark.shared
def test_documents_whose_names_have_a_hash_are_several(shared, tmp_path):
    folder = shared / "cases/appraise"

    printed = run(folder / "01-document-with-hash-one-user.csv", "--output", tmp_path)

    assert "Assessments: 32." in printed
    assert "revised" not in printed
    best = rows_of(tmp_path, "systems-eng-ces")[0]
    assert (best["system"], round(best["raw"], 1), best["assessments"]) == ("Y", 56.9, 16)


@pytest.mark.shared
def test_an_answer_in_two_exports_counts_once(shared, tmp_path):
    days = [shared / f"cases/appraise/02-export-of-day-{day}.csv" for day in (1, 2)]

    printed = run(*days, *days, "--output", tmp_path)

    assert "Assessments: 72." in printed
    assert "given again, and count once: 151" in printed
    first, _second = rows_of(tmp_path, "annotators")
    assert (first["annotator"], first["passes"]) == ("u1", "no")
    assert first["p"] == pytest.approx(0.2530, abs=5e-5)


def test_systems_are_compared_by_documents_where_these_are_known(tmp_path):
    lines = [
        f"u{number % 3},{system},{segment},TGT,eng,ces,{score + number},d{number},False,1,2"
        for number in range(12)
        for system, score in (("A", 80), ("B", 60 - number % 2))
        for segment in (1, 2)
    ]
    (tmp_path / "appraise.csv").write_text("\n".join(lines) + "\n")

    run(tmp_path / "appraise.csv", "--output", tmp_path / "out")

    rows = rows_of(tmp_path / "out", "conclusions-eng-ces")
    assert [(row["system"], row["documents"]) for row in rows] == [("A", 12), ("B", 12)]
    assert [row["value"] for row in rows] == pytest.approx([85.5, 65])
