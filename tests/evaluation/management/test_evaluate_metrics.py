import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Project, Sentence, System, Translation
from evaluation.rendering.formats import WIDEST
from tests.evaluation.formats.wmt_files import write, write_five_way
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project, places


def run(*arguments: object) -> str:
    out = StringIO()
    call_command("evaluate_metrics", *map(str, arguments), stdout=out)
    return out.getvalue()


def evaluate(*arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json"))
    return found


def values(rows: list[dict[str, Any]], figure: str = "pearson") -> dict[str, float]:
    return {row["metric"]: row[figure]["value"] for row in rows}


def taus(row: dict[str, Any]) -> dict[str, float]:
    return {tau["rule"]: tau["estimate"]["value"] for tau in row["taus"]}


def agreeing(row: dict[str, Any]) -> tuple[int, int]:
    """How often people and the metric prefer the same translation, and opposite ones."""
    better, _equal, worse = row["outcomes"]
    return better[0] + worse[2], better[2] + worse[0]


def ties(row: dict[str, Any]) -> tuple[int, int]:
    """How often people prefer neither, and only the metric does."""
    better, equal, worse = row["outcomes"]
    return sum(equal), better[1] + worse[1]


def words_of(text: str) -> str:
    return " ".join(text.split())


# --- files ---


@pytest.mark.shared
def test_it_prints_what_wmt19_published(shared):
    """Mathur (2021), Table 6.3: en-de, with all systems and without two outliers."""
    folder = shared / "data" / "metrics" / "wmt19"

    found = evaluate("--gold-file", folder / "DA-newstest2019-ende-sys-nohy-scores.csv")

    (pair,) = found["pairs"]
    level = pair["system_level"]
    everything, rest = level["all_systems"], level["without_outliers"]
    assert (pair["pair"], pair["gold"]) == ("en-de", "HUMAN")
    assert level["outliers"]["names"] == ["en_de_task.6790", "online-X.0"]
    assert (len(everything["systems"]), len(rest["systems"])) == (22, 20)
    assert values(everything["metrics"])["BLEU"] == pytest.approx(0.920753, abs=1e-6)
    assert values(rest["metrics"])["BLEU"] == pytest.approx(0.419249, abs=1e-6)
    assert values(everything["metrics"])["YiSi-1"] == pytest.approx(0.991095, abs=1e-6)
    assert values(rest["metrics"])["YiSi-1"] == pytest.approx(0.916926, abs=1e-6)
    assert values(everything["metrics"], "accuracy")["BLEU"] == pytest.approx(0.761905, abs=1e-6)
    # Ranks by people 1 to 4; there are 22 - 3 such windows.
    windows = level["windows"]["windows"]
    assert (windows[-1]["first"], len(windows)) == (1, 19)
    names = everything["williams"]["metrics"]
    p = everything["williams"]["p"][names.index("YiSi-1")][names.index("BLEU")]
    assert p == pytest.approx(4.89e-07, abs=1e-6)
    r = values(rest["metrics"])
    by_r = sorted(rest["williams"]["winners"], key=lambda name: -r[name])
    assert by_r[:3] == ["ESIM", "YiSi-1", "YiSi-1_srl"]


@pytest.mark.shared
def test_uni_wins_de_en_only_without_the_outlier(shared):
    name = "DA-newstest2019-deen-sys-nohy-scores.csv"

    found = evaluate("--gold-file", shared / "data" / "metrics" / "wmt19" / name)

    level = found["pairs"][0]["system_level"]
    winners = [level[part]["williams"]["winners"] for part in ("all_systems", "without_outliers")]
    assert ["UNI" in names for names in winners] == [False, True]


@pytest.mark.shared
def test_rankings_of_wmt12_with_scores_of_sentences(shared, tmp_path):
    """Lengths of names as the metric: systems of names as long as each other are its ties."""
    rankings = shared / "data" / "judgements" / "wmt12" / "wmt12.RNK_results.csv.gz"
    names = ["cu-bojar", "jhu-heiro", "onlineA", "onlineB", "uedin-wmt12", "uk-dan-moses"]
    scores = write(
        tmp_path / "length.seg.score",
        (
            f"length\tcs-en\tnewstest2012\t{name}\t{number}\t{len(name)}"
            for name in names
            for number in range(1, 3004)
        ),
    )

    found = evaluate("--gold-file", rankings, "--scores", scores)

    (pair,) = found["pairs"]
    (segments,) = pair["segment_level"]
    (row,) = segments["taus"]
    assert (pair["pair"], pair["system_level"]) == ("cs-en", None)
    concordant, discordant = agreeing(row)
    assert concordant + discordant + 711 == row["untied"] == 11_021
    assert (*ties(row), row["missing"]) == (1754, 711, 0)
    difference = concordant - discordant
    assert {rule: tau for rule, tau in taus(row).items() if rule != "HTIES"} == pytest.approx(
        {
            "WMT12": (difference - 711) / 11_021,
            "WMT13": difference / (11_021 - 711),
            "WMT14": difference / 11_021,
        },
        abs=1e-6,
    )


def seg_scores(
    path: Path, metric: str, scores: Mapping[str, Sequence[float]], pair: str = "cs-en"
) -> Path:
    return write(
        path,
        (
            f"{metric}\t{pair}\ttest\t{system}\t{number}\t{score}"
            for system, of_system in scores.items()
            for number, score in enumerate(of_system, start=1)
        ),
    )


def sys_scores(path: Path, metric: str, scores: Mapping[str, float], pair: str = "cs-en") -> Path:
    lines = (f"{metric}\t{pair}\ttest\t{system}\t{score}" for system, score in scores.items())
    return write(path, lines)


def test_five_way_rankings(tmp_path):
    """A is better than B, equal to C; the metric has A over B, and C over A."""
    gold = write_five_way(tmp_path / "gold.csv", [(1, "jana", "A 1 B 2 C 1")])
    scores = seg_scores(tmp_path / "m.seg.score", "m", {"A": [2], "B": [1], "C": [3]})

    (pair,) = evaluate("--gold-file", gold, "--scores", scores)["pairs"]

    row = pair["segment_level"][0]["taus"][0]
    assert (*agreeing(row), ties(row)[0]) == (2, 0, 1)


def test_comparisons_that_no_metric_scores_whole_are_counted(tmp_path):
    gold = write_five_way(tmp_path / "gold.csv", [(1, "jana", "A 1 B 2 C 3")])
    one = seg_scores(tmp_path / "one.seg.score", "one", {"A": [2], "B": [1]})
    other = seg_scores(tmp_path / "other.seg.score", "other", {"B": [2], "C": [1]})

    text = run("--gold-file", gold, "--scores", one, "--scores", other)

    assert "in 3 comparisons" in text


def test_direct_assessments_are_pairs_from_25_points(tmp_path):
    """Systems are scored by means of z, A .5, B .25, C -.25; daRR has one pair, of A and B."""
    gold = write(
        tmp_path / "ad-seg-scores-cs-en.csv",
        [
            "SYS SID RAW.SCR Z.SCR N",
            *(
                "A 1 80 1 1",
                "A 2 50 0 1",
                "B 1 50 0 1",
                "B 2 60 .5 3",
                "C 1 70 .5 3",
                "C 2 40 -1 3",
            ),
        ],
    )
    of_segments = seg_scores(tmp_path / "m.seg.score", "m", {"A": [3, 2], "B": [1, 3], "C": [2, 1]})
    of_systems = sys_scores(tmp_path / "m.sys.score", "m", {"A": 3, "B": 2, "C": 1})

    (pair,) = evaluate("--gold-file", gold, "--scores", of_segments, of_systems)["pairs"]

    level, (segments,) = pair["system_level"], pair["segment_level"]
    assert pair["gold"] == "mean Z.SCR of segments"
    assert level["all_systems"]["metrics"][0]["agreeing"] == 3
    soft = level["all_systems"]["soft"]
    assert (soft["segments"], soft["left_out"]) == (2, 0)
    (row,) = segments["taus"]
    assert agreeing(row) == (1, 0)


def appraise(*judgements: tuple[str, str, str, int, int]) -> list[str]:
    """Lines of Appraise's direct assessments: user, system, type, segment, score."""
    return [
        f"{user},{system},{number},{kind},ces,eng,{score},1,2"
        for user, system, kind, number, score in judgements
    ]


def test_single_direct_assessments_are_segment_scores_of_annotators_who_pass(tmp_path):
    """jana prefers A and scores degraded outputs lower; petr does neither."""
    rows = [
        row
        for number in (1, 2, 3)
        for row in (
            ("jana", "A", "TGT", number, 90 + number),
            ("jana", "B", "TGT", number, 60),
            ("jana", "A", "BAD", number, 10 - number),
            ("petr", "A", "TGT", number, 10),
            ("petr", "B", "TGT", number, 99),
            ("petr", "A", "BAD", number, 90 + number),
        )
    ]
    gold = write(tmp_path / "scores.csv", appraise(*rows))
    of_segments = seg_scores(tmp_path / "m.seg.score", "m", {"A": [2, 2, 2], "B": [1, 1, 1]})
    of_systems = sys_scores(tmp_path / "m.sys.score", "m", {"A": 2, "B": 1})
    files = ["--gold-file", gold, "--scores", of_segments, of_systems]

    passed, everyone = evaluate(*files), evaluate(*files, "--all-annotators")

    def outcomes(found):
        (pair,) = found["pairs"]
        (row,) = pair["segment_level"][0]["taus"]
        (of_systems,) = pair["system_level"]["all_systems"]["metrics"]
        return pair["gold"], of_systems["agreeing"], *agreeing(row)

    assert passed["pairs"][0]["pair"] == "cs-en"
    assert outcomes(passed) == ("mean Z.SCR of segments", 1, 3, 0)
    # With petr, B is better by 27.5 to 28.5 points.
    assert outcomes(everyone)[2:] == (0, 3)
    assert len(passed["problems"]) == 1
    assert everyone["problems"] == []
    with pytest.raises(CommandError, match="as gold"):
        run("--gold-file", gold, "--scores", of_segments, wmt_assessments(tmp_path / "da"))


def wmt_assessments(path: Path) -> Path:
    heading = "HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time"
    return write(path, [heading, "H M cs en ad 4 A 1 SYSTEM 1 50 9"])


def test_raw_mqm_and_esa_are_gold_in_which_higher_is_better(tmp_path):
    heading = "system doc doc_id seg_id rater source target category severity comment"
    mqm = write(
        tmp_path / "cs-en.tsv",
        [
            line.replace(" ", "\t")
            for line in (
                heading,
                "A d 1 1 r1 s t No-error No-error ",
                "B d 1 1 r1 s t Style Minor ",
                "C d 1 1 r1 s t Style Major ",
            )
        ],
    )
    esa = write(
        tmp_path / "esa.csv",
        (
            f"u,{name},1,TGT,ces,eng,{score},d,False,[],1,2"
            for name, score in (("A", 90), ("B", 50))
        ),
    )
    scores = {"A": [3], "B": [2], "C": [1]}
    numbered = seg_scores(tmp_path / "m.seg.score", "m", scores)
    named = write(
        tmp_path / "n.seg.score",
        ("m\tcs-en\tt\tref\tA\td\t1\t3", "m\tcs-en\tt\tref\tB\td\t1\t2"),
    )

    for gold, of_metric, concordant in ((mqm, numbered, 3), (esa, named, 1)):
        (pair,) = evaluate("--gold-file", gold, "--scores", of_metric)["pairs"]
        (row,) = pair["segment_level"][0]["taus"]
        assert agreeing(row) == (concordant, 0), gold


def test_points_of_mqm_have_the_chosen_weights(tmp_path):
    heading = "system doc doc_id seg_id rater source target category severity comment"
    errors = ["A d 1 1 r1 s t Source+error Major +", "B d 1 1 r1 s t Style Minor +"]
    lines = [line.replace(" ", "\t").replace("+", " ") for line in (heading, *errors)]
    mqm = write(tmp_path / "cs-en.tsv", lines)
    scores = seg_scores(tmp_path / "m.seg.score", "m", {"A": [3], "B": [2]})
    for weights, concordant in (([], 0), (["--weights", "wmt24"], 1)):
        (pair,) = evaluate("--gold-file", mqm, "--scores", scores, *weights)["pairs"]
        assert agreeing(pair["segment_level"][0]["taus"][0])[0] == concordant


def test_judgements_that_cannot_be_gold_are_refused(tmp_path):
    form = write(tmp_path / "form", ["TASK,TYPE,ITEM_ID,ANNOTATOR_ID,TIME,SYSTEM_0"])
    scores = seg_scores(tmp_path / "m.seg.score", "m", {"A": [3]})

    with pytest.raises(CommandError, match=r"wmt-forms"):
        run("--gold-file", form, "--scores", scores)


def write_assessments(path: Path, rows: list[tuple[str, int, float, float]]) -> Path:
    heading = "SYS SID RAW.SCR Z.SCR N"
    return write(path, [heading, *(f"{name} {seg} {raw} {z} 1" for name, seg, raw, z in rows)])


def test_soft_accuracy_compares_the_human_score_of_the_systems(tmp_path):
    """By z, A is better than B than C in all segments, as by the metric; by raw scores, worse."""
    numbers = range(1, 13)
    gold = write_assessments(
        tmp_path / "ad-seg-scores-cs-en.csv",
        [
            (name, number, 90 - 30 * z - number, z + 0.01 * number)
            for name, z in (("A", 2), ("B", 1), ("C", 0))
            for number in numbers
        ],
    )
    scores = {"A": [3] * 12, "B": [2] * 12, "C": [1] * 12}
    of_segments = seg_scores(tmp_path / "m.seg.score", "m", scores)
    of_systems = sys_scores(tmp_path / "m.sys.score", "m", {"A": 3, "B": 2, "C": 1})
    files = ["--gold-file", gold, "--scores", of_segments, of_systems]

    (usual,) = evaluate(*files)["pairs"]
    (raw,) = evaluate(*files, "--gold", "RAW.SCR")["pairs"]

    found = [pair["system_level"]["all_systems"]["metrics"][0] for pair in (usual, raw)]
    assert [row["agreeing"] for row in found] == [3, 0]
    soft = [row["soft_accuracy"]["value"] for row in found]
    assert soft == pytest.approx([1, 0], abs=0.01)
    assert "compares 12 of 12 judged sentences" in words_of(run(*files))


def test_there_is_no_soft_accuracy_of_another_human_score(tmp_path):
    gold = write_assessments(
        tmp_path / "ad-seg-scores-cs-en.csv",
        [(name, number, 50, number) for name in "ABC" for number in range(1, 13)],
    )
    official = sys_scores(tmp_path / "human.sys.score", "human", {"A": 3, "B": 2, "C": 1})
    of_segments = seg_scores(tmp_path / "m.seg.score", "m", {name: [1] * 12 for name in "ABC"})
    of_systems = sys_scores(tmp_path / "m.sys.score", "m", {"A": 3, "B": 2, "C": 1})

    (pair,) = evaluate("--gold-file", official, gold, "--scores", of_segments, of_systems)["pairs"]

    assert pair["gold"] == "human"
    assert pair["system_level"]["all_systems"]["soft"] is None
    (problem,) = pair["problems"]
    assert "human" in problem
    assert "Z.SCR" in problem or "RAW.SCR" in problem


@pytest.mark.shared
def test_means_of_segments_are_the_official_scores(shared, tmp_path):
    """WMT21, Czech to English: the official scores, taken for a metric, are those of the gold."""
    folder = shared / "data" / "direct-assessment" / "wmt21-cs-en"
    heading, *rows = (folder / "ad-sys-scores-cs-en.csv").read_text().splitlines()
    columns = heading.split()
    official = [dict(zip(columns, row.split(), strict=True)) for row in rows]
    scores = sys_scores(
        tmp_path / "m.sys.score", "m", {row["SYS"]: float(row["Z.SCR"]) for row in official}
    )

    gold = folder / "ad-seg-scores-cs-en.csv"
    (pair,) = evaluate("--gold-file", gold, "--scores", scores)["pairs"]

    level = pair["system_level"]
    systems = level["all_systems"]["systems"]
    assert (pair["gold"], len(systems)) == ("mean Z.SCR of segments", 9)
    assert level["all_systems"]["metrics"][0]["pearson"]["value"] == 1.0


def test_mqm_averages_have_acc_eq_and_soft_accuracy(tmp_path):
    gold = write(
        tmp_path / "mqm_csen.avg_seg_scores.tsv",
        [
            "system mqm_avg_score seg_id",
            *(
                f"{name} {score} {number}"
                for number in range(1, 11)
                for name, score in (("A", 0 if number == 1 else -1), ("B", -1), ("C", -5 - number))
            ),
        ],
    )
    scores = {"A": [3] + [2] * 9, "B": [2] * 10, "C": [1] * 10}
    of_segments = seg_scores(tmp_path / "m.seg.score", "m", scores)
    of_systems = sys_scores(tmp_path / "m.sys.score", "m", {"A": 5, "B": 4, "C": 2})

    (pair,) = evaluate("--gold-file", gold, "--scores", of_segments, of_systems)["pairs"]

    calibrated = pair["segment_level"][0]["score_agreement"]["m"]["ties"]
    assert calibrated["uncalibrated"]["estimate"]["value"] == 1.0
    figures = pair["system_level"]["all_systems"]["metrics"][0]
    assert figures["soft_accuracy"]["value"] == 1.0
    assert figures["agreeing"] == 3


def test_a_metric_that_lacks_scores_has_no_figure(tmp_path):
    gold = sys_scores(tmp_path / "human.sys.score", "human", {"A": 3, "B": 2, "C": 1, "D": 0})
    scores = sys_scores(tmp_path / "m.sys.score", "m", {"A": 3, "B": 2, "C": 1, "E": 5})

    (pair,) = evaluate("--gold-file", gold, "--scores", scores)["pairs"]

    row = pair["system_level"]["all_systems"]["metrics"][0]
    assert row["pearson"]["value"] is None
    assert row["pearson"]["undefined"] == "the metric lacks a score of a compared system"
    assert any("unknown here" in problem and "E" in problem for problem in pair["problems"])


def test_windows_show_all_metrics(tmp_path):
    systems = {"A": 4, "B": 3, "C": 2, "D": 1}
    gold = sys_scores(tmp_path / "human.sys.score", "human", systems)
    names = [f"metric{number}" for number in range(11)]
    scores = [sys_scores(tmp_path / f"{name}.sys.score", name, systems) for name in names]

    text = run("--gold-file", gold, "--scores", *scores)

    _before, windows = text.split("with neighbouring ranks by people")
    shown = windows.split()
    assert [name for name in shown if name in names] == names
    assert max(map(len, windows.splitlines())) <= WIDEST


def test_outliers_may_be_listed_and_systems_left_out(tmp_path):
    gold = sys_scores(
        tmp_path / "human.sys.score", "human", {"A": 3, "B": 2, "C": 1, "D": -9, "Human": 99}
    )
    scores = sys_scores(tmp_path / "m.sys.score", "m", {"A": 3, "B": 2, "C": 1, "D": 0, "Human": 0})
    files = ["--gold-file", gold, "--scores", scores, "--without", "Human"]

    (listed,) = evaluate(*files, "--outliers", "A")["pairs"]
    (none,) = evaluate(*files, "--outliers", "none")["pairs"]

    level = listed["system_level"]
    assert level["all_systems"]["systems"] == ["A", "B", "C", "D"]
    assert level["without_outliers"]["systems"] == ["B", "C", "D"]
    assert none["system_level"]["without_outliers"] is None


def test_language_pairs_are_pooled(tmp_path):
    files: list[Path] = []
    for pair in ("cs-en", "de-en"):
        for name in ("human", "m"):
            path = tmp_path / f"{name}.{pair}.sys.score"
            files.append(sys_scores(path, name, {"A": 3, "B": 2, "C": 1}, pair))

    found = evaluate("--gold-file", *files[::2], "--scores", *files[1::2])

    assert [pair["pair"] for pair in found["pairs"]] == ["cs-en", "de-en"]
    assert found["pooled"] == [
        {"metric": "m", "agreeing": 6, "pairs": 6, "value": 1.0, "undefined": ""}
    ]
    assert len(evaluate(*arguments_of(files), "--pair", "de-en")["pairs"]) == 1


def test_decisions_about_systems_are_those_of_tests_of_segments(tmp_path):
    """People find A better than B and C; m prefers A to B, and C to A and to B.

    In the other language pair m decides as people do. Scores of H, a human translation, are not
    compared, and n lacks a segment.
    """
    noise = [0.01 * (number % 5) for number in range(12)]
    gold, scores = [], []
    for pair, of_c in (("cs-en", 9.0), ("de-en", 1.0)):
        means = {"A": 3.0, "B": 1.0, "C": 1.0, "H": 5.0}
        gold.append(
            write_assessments(
                tmp_path / f"ad-seg-scores-{pair}.csv",
                [
                    (name, number + 1, 50, mean + noise[number] - 0.03 * (number % 2))
                    for name, mean in means.items()
                    for number in range(12)
                ],
            )
        )
        by_m = {"A": 3.0, "B": 1.0, "C": of_c, "H": 5.0}
        path = tmp_path / f"m.{pair}.seg.score"
        values = {
            name: [mean + value * (place + 1) for value in noise]
            for place, (name, mean) in enumerate(by_m.items())
        }
        scores.append(seg_scores(path, "m", values, pair))
        values["A"] = values["A"][:11]
        path = tmp_path / f"n.{pair}.seg.score"
        scores.append(seg_scores(path, "n", values, pair))
    given = ["--gold-file", *gold, "--scores", *scores, "--without", "H"]

    found = evaluate(*given)

    def of_m(right: int, unseen: int, opposite: int) -> dict[str, object]:
        return {"m": {"right": right, "unseen": unseen, "opposite": opposite, "missed": 0}}

    assert [pair["decisions"] for pair in found["pairs"]] == [of_m(1, 1, 1), of_m(2, 1, 0)]
    assert found["decisions"] == of_m(3, 2, 1)
    assert "Pairs of systems of all language pairs" in run(*given)


def test_taus_are_averaged_over_language_pairs(tmp_path):
    """m is right in the one pair and wrong in the other."""
    gold, scores = [], []
    for pair, better, worse in (("cs-en", "A", "B"), ("de-en", "B", "A")):
        line = f"1\t{pair}\t{better}\t{pair}\t{worse}"
        gold.append(write(tmp_path / f"{pair}.rank", [line]))
        path = tmp_path / f"m.{pair}.seg.score"
        scores.append(seg_scores(path, "m", {"A": [2], "B": [1]}, pair))

    found = evaluate("--gold-file", *gold, "--scores", *scores)

    rows = [pair["segment_level"][0]["taus"][0] for pair in found["pairs"]]
    assert [taus(row)["WMT14"] for row in rows] == [1.0, -1.0]
    assert found["mean_taus"][0]["taus"]["WMT14"] == 0.0


def test_one_metric_with_two_references_has_two_names(tmp_path):
    gold = sys_scores(tmp_path / "human.sys.score", "human", {"A": 3, "B": 2})
    scores = write(
        tmp_path / "m.sys.score",
        (
            f"m\tcs-en\ttest\t{reference}\t{system}\t{score}"
            for reference in ("refA", "refB")
            for system, score in (("A", 3), ("B", 2))
        ),
    )

    (pair,) = evaluate("--gold-file", gold, "--scores", scores)["pairs"]

    rows = pair["system_level"]["all_systems"]["metrics"]
    assert sorted(row["metric"] for row in rows) == ["m-refA", "m-refB"]


def test_it_refuses_gold_of_an_unknown_language_pair(tmp_path):
    gold = write(tmp_path / "human", ["A 3", "B 2"])
    files = [
        sys_scores(tmp_path / f"m.{pair}.sys.score", "m", {"A": 3, "B": 2}, pair)
        for pair in ("cs-en", "de-en")
    ]

    assert evaluate("--gold-file", gold, "--scores", files[0])["pairs"][0]["system_level"]
    with pytest.raises(CommandError, match="does not say its language pair"):
        run("--gold-file", gold, "--scores", *files)


def arguments_of(files: list[Path]) -> list[object]:
    return ["--gold-file", *files[::2], "--scores", *files[1::2]]


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (["--gold", "nothing"], "no human score 'nothing'"),
        (["--outliers", "X"], "no judged system 'X'"),
        (["--without", "X"], "no judged system 'X'"),
        (["--pair", "fr-en"], "no language pair 'fr-en'"),
        (["--metric", "bleu"], "--metric is for another gold"),
        (["--outliers", "none", "A"], "none alone"),
        (["--resamples", "1"], "Resamples must be"),
    ],
)
def test_it_refuses_of_files(tmp_path, more, problem):
    gold = sys_scores(tmp_path / "human.sys.score", "human", {"A": 3, "B": 2})
    scores = sys_scores(tmp_path / "m.sys.score", "m", {"A": 3, "B": 2})

    with pytest.raises(CommandError, match=problem):
        run("--gold-file", gold, "--scores", scores, *more)


def test_names_with_other_additions_are_taken_for_the_same_and_others_mapped(tmp_path):
    gold = sys_scores(tmp_path / "human.sys.score", "human", {"Facebook-AI.7": 3, "B": 2, "C": 1})
    ids = {"newstest2021.Facebook-AI.cs-en.txt": 30, "old": 20, "C.2": 10}
    scores = sys_scores(tmp_path / "m.sys.score", "m", ids)
    names = write(tmp_path / "names.tsv", ["old\tB"])
    files = ("--gold-file", gold, "--scores", scores)

    (pair,) = evaluate(*files, "--map", names)["pairs"]

    taken = "Facebook-AI.7 = newstest2021.Facebook-AI.cs-en.txt, C = C.2."
    assert any(problem.endswith(f"taken for the same: {taken}") for problem in pair["problems"])
    (row,) = pair["system_level"]["all_systems"]["metrics"]
    assert row["accuracy"]["value"] == 1
    with pytest.raises(CommandError, match=r"line 1: there is no system 'X' here; there are B, C"):
        run(*files, "--map", write(tmp_path / "wrong.tsv", ["old\tX"]))


def test_rankings_that_two_files_have_are_gold_once(tmp_path):
    rows = [(1, "j", "A 1 B 2"), (1, "k", "A 1 B 2")]
    gold = [write_five_way(tmp_path / f"{name}.csv", rows) for name in ("one", "two")]
    scores = seg_scores(tmp_path / "m.seg.score", "m", {"A": [3], "B": [2]})

    found = evaluate("--gold-file", *gold, "--scores", scores)

    (row,) = found["pairs"][0]["segment_level"][0]["taus"]
    assert agreeing(row)[0] == 2
    assert ["count once: 2 (" in problem for problem in found["problems"]] == [True]


def test_it_refuses_gold_without_metrics_and_other_language_pairs(tmp_path):
    gold = sys_scores(tmp_path / "human.sys.score", "human", {"A": 3, "B": 2})
    scores = sys_scores(tmp_path / "m.sys.score", "m", {"A": 3, "B": 2}, "fr-en")

    with pytest.raises(CommandError, match="give --scores FILE"):
        run("--gold-file", gold)
    with pytest.raises(CommandError, match="the gold is of cs-en, the scores of fr-en"):
        run("--gold-file", gold, "--scores", scores)
    with pytest.raises(CommandError, match="but not both"):
        run("--scores", scores)


# --- projects ---


@pytest.fixture
def project(db: None) -> Project:
    """Three judged sentences; A is better than B, B than C."""
    project = make_project()
    jana = make_annotator(project)
    for number in (1, 2, 3):
        submit(project, jana, number, {"0 1 2": [1, 2, None], "4 5 6": [1, 2]})
    texts = {"A": "reference", "B": "reference too", "C": "another"}
    for sentence in Sentence.objects.filter(project=project):
        for name, text in texts.items():
            system = System.objects.get(project=project, name=name)
            Translation.objects.create(
                sentence=sentence, system=system, text=text, tokens=places(text)
            )
    return project


SIZE = ["--metric", "wer", "--resamples", "100"]


def test_a_project(project):
    found = evaluate("houses", *SIZE, "--outliers", "none")

    (metric,) = found["metrics"]
    assert metric["scores"] == {"A": 1.0, "B": 0.0, "C": 0.0}
    assert found["gold"]["method"] == "ratio_of_wins"
    assert taus(found["pairs"][0])["WMT14"] == pytest.approx(2 / 3, abs=1e-6)
    assert found["problems"] == []


def test_judgements_of_sentences_without_a_reference_are_left_out(project):
    Translation.objects.filter(sentence__number=3, system=None).delete()

    found = evaluate("houses", *SIZE)

    assert (found["judgements"], found["sentences_judged"]) == (4, 2)
    assert taus(found["pairs"][0])["WMT14"] == pytest.approx(2 / 3, abs=1e-6)
    assert found["score_agreement"]["wer"]["ties"]["calibrated"]["estimate"]["undefined"] == ""


def test_the_text_has_all_tables(project, tmp_path):
    text = run(
        *("houses", *SIZE, "--metric", "per", "--gold", "expected_wins"),
        *("--output", tmp_path / "out"),
    )

    for part in (
        "Pairs of systems: what the metric decides",
        "by permutations of systems and sentences",
        "Scores of systems by people and by metrics",
        "gold expected_wins",
        "outliers",
        "Comparisons of systems, a segment at a time",
        "acc_eq",
    ):
        assert part in text
    assert "the same annotator again" in text
    assert (tmp_path / "out" / "metrics.txt").read_text() == text
    assert json.loads((tmp_path / "out" / "metrics.json").read_text())["judgements"] == 6
    written = {path.name for path in (tmp_path / "out" / "tables").iterdir()}
    assert {"metric-scores.tex", "system-level.csv"} <= written
    assert (tmp_path / "out" / "figures" / "scatter-wer.vl.json").exists()


def test_lower_scores_can_be_better(project, tmp_path):
    scores = sys_scores(tmp_path / "M.sys.score", "M", {"A": 1, "B": 2, "C": 0}, "en-cs")
    given = [*SIZE, "--scores", scores, "--lower-is-better"]

    row = evaluate("houses", *given, "M")["metrics"][1]

    assert row["scores"] == {"A": -1.0, "B": -2.0, "C": 0.0}
    assert "negated" in row["signature"]
    with pytest.raises(CommandError, match="no metric 'N' in the files of scores; there are M"):
        run("houses", *given, "N")


def test_lower_scores_can_be_better_than_gold_of_files(tmp_path):
    gold = sys_scores(tmp_path / "human.sys.score", "human", {"A": 3, "B": 2})
    scores = sys_scores(tmp_path / "m.sys.score", "m", {"A": 2, "B": 3})

    given = ["--gold-file", gold, "--scores", scores, "--lower-is-better", "m"]
    (pair,) = evaluate(*given)["pairs"]

    assert pair["system_level"]["all_systems"]["metrics"][0]["agreeing"] == 1


def test_scores_of_other_metrics(project, tmp_path):
    of_systems = sys_scores(tmp_path / "M.sys.score", "M", {"A": 3, "B": 2, "C": 1}, "en-cs")
    of_segments = seg_scores(
        tmp_path / "M.seg.score", "M", {"A": [3] * 3, "B": [2] * 3, "C": [1] * 3}, "en-cs"
    )

    found = evaluate("houses", *SIZE, "--scores", of_systems, of_segments)

    row = found["metrics"][1]
    digest = sha256(of_systems.read_bytes()).hexdigest()
    assert (row["metric"], row["scores"]) == ("M", {"A": 3.0, "B": 2.0, "C": 1.0})
    assert f"M.sys.score SHA-256 {digest}" in row["provenance"]
    assert taus(found["pairs"][1])["WMT12"] == 1.0
    assert found["problems"] == []


def test_imported_means_of_sentence_scores_are_resampled(project, tmp_path):
    """The scores of systems are means in the first, rounded ones in the second, else another."""
    of_segments: dict[str, list[float]] = {"A": [3, 4, 2], "B": [2, 1, 2.5], "C": [1, 0.2, 0.1]}
    files = []
    for name, of_systems in (
        ("mean", {"A": 3, "B": 5.5 / 3, "C": 1.3 / 3}),
        ("rounded", {"A": 3, "B": 1.83, "C": 0.43}),
        ("corpus", {"A": 3, "B": 1.6, "C": 0.43}),
    ):
        files.append(seg_scores(tmp_path / f"{name}.seg.score", name, of_segments, "en-cs"))
        files.append(sys_scores(tmp_path / f"{name}.sys.score", name, of_systems, "en-cs"))
    found = evaluate("houses", *SIZE, "--scores", *files)

    assert {row["metric"]: row["resampled"] for row in found["metrics"]} == {
        "wer": True,
        "mean": True,
        "rounded": True,
        "corpus": False,
    }
    assert found["decisions"].keys() == {row["metric"] for row in found["metrics"]}
    assert {row["metric"]: row["decided_by"] for row in found["metrics"]} == {
        "wer": "bootstrap",
        "mean": "paired t-test",
        "rounded": "paired t-test",
        "corpus": "paired t-test",
    }
    text = words_of(run("houses", *SIZE, "--scores", *files))
    assert "does not resample the scores of corpus:" in text


def test_problems_of_scores_are_named(project, tmp_path):
    """C lacks its scores, a system and a sentence are unknown, a sentence is doubled."""
    scores = seg_scores(
        tmp_path / "M.seg.score", "M", {"A": [3] * 4, "B": [2] * 3, "X": [1] * 3}, "en-cs"
    )
    with scores.open("a") as file:
        file.write("M\ten-cs\ttest\tA\t1\t3\n")

    found = evaluate("houses", *SIZE, "--scores", scores)

    text = "\n".join(found["problems"])
    for part in (
        "given more than once (the first counts): 1",
        "systems that are unknown here, whose scores are left out: 1, such as X",
        "segments that are unknown here, whose scores are left out: 1, such as 4",
        "scores that are missing: 3, such as C 1",
        "give its file of systems too",
    ):
        assert part in text
    assert taus(found["pairs"][1])["WMT14"] is None
    calibrated = [found["score_agreement"][name]["ties"]["calibrated"] for name in ("wer", "M")]
    assert [each["estimate"]["undefined"] for each in calibrated] == [
        "",
        "the metric lacks a score of a segment",
    ]
    level = found["system_level"]["all_systems"]["metrics"]
    assert values(level)["M"] is None
    # It has no score of systems that would have to be resampled.
    assert "does not resample" not in run("houses", *SIZE, "--scores", scores)


def test_names_of_systems_may_be_mapped(project, tmp_path):
    scores = sys_scores(tmp_path / "M.sys.score", "M", {"a.1": 3, "b.2": 2, "c": 1}, "en-cs")
    names = write(tmp_path / "names.tsv", ["a.1\tA", "b.2\tB", "c\tC"])

    found = evaluate("houses", *SIZE, "--scores", scores, "--map", names)

    assert found["metrics"][1]["scores"] == {"A": 3.0, "B": 2.0, "C": 1.0}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["houses", "--gold", "best"], "The gold must be one of"),
        (["houses", "--outliers", "X"], "no judged system 'X'"),
        (["houses", "--without", "A"], "--without is for another gold"),
        (["houses", "--map", "x"], "add --scores FILE"),
        (["houses", "--lower-is-better", "x"], "add --scores FILE"),
        (["houses", "--seed", "-1"], "The seed must be"),
        (["houses", "--gold-file", "x"], "but not both"),
    ],
)
def test_it_refuses_of_projects(project, arguments, problem):
    with pytest.raises(CommandError, match=problem):
        run(*arguments)


def test_it_refuses_scores_of_another_language_pair(project, tmp_path):
    scores = sys_scores(tmp_path / "M.sys.score", "M", {"A": 3}, "fr-de")

    with pytest.raises(CommandError, match="no score of systems or sentences of en-cs"):
        run("houses", *SIZE, "--scores", scores)


# --- mt-metrics-eval ---


def test_an_exported_project_gives_the_same_figures(project, tmp_path):
    ours = evaluate("houses", *SIZE)

    call_command(
        "export_metrics_eval",
        "houses",
        "--metric",
        "wer",
        "--output",
        str(tmp_path),
        stdout=StringIO(),
    )
    (pair,) = evaluate("--gold-file", tmp_path / "houses")["pairs"]

    human = (tmp_path / "houses" / "human-scores" / "en-cs.segranks.sys.score").read_text()
    assert [line.split()[0] for line in human.splitlines()] == ["A", "B", "C"]
    figures = pair["system_level"]["all_systems"]["metrics"]
    assert values(figures) == values(ours["system_level"]["all_systems"]["metrics"])
    (of_file,) = pair["segment_level"][0]["score_agreement"].values()
    theirs, own = of_file["ties"], ours["score_agreement"]["wer"]["ties"]
    assert theirs["epsilon"] == own["epsilon"]
    assert theirs["uncalibrated"]["estimate"] == own["uncalibrated"]["estimate"]


def test_a_project_with_several_references_gives_the_same_figures(project, tmp_path):
    (sentence, *_others) = project.sentences.filter(purpose="judge").order_by("number")
    output = Translation.objects.get(sentence=sentence, system__name="C").text
    Translation.objects.create(sentence=sentence, reference=2, text=output)
    project.systems.filter(name="A").update(name="refA")
    ours = evaluate("houses", *SIZE)

    options = ("--metric", "wer", "--output", str(tmp_path))
    call_command("export_metrics_eval", "houses", *options, stdout=StringIO())
    (pair,) = evaluate("--gold-file", tmp_path / "houses")["pairs"]

    assert ours["metrics"][0]["signature"].startswith("WER|nrefs:var|")
    assert ours["texts"]["references"] == 2
    second, *missing = (tmp_path / "houses/references/en-cs.refB.txt").read_text().splitlines()
    assert second == output
    assert not any(missing)
    assert {path.name for path in (tmp_path / "houses/references").iterdir()} == {
        "en-cs.refA2.txt",
        "en-cs.refB.txt",
    }
    assert (tmp_path / "houses/metric-scores/en-cs/wer-all.sys.score").exists()
    figures = pair["system_level"]["all_systems"]["metrics"]
    assert values(figures) == values(ours["system_level"]["all_systems"]["metrics"])


def test_no_system_is_lost_in_an_exported_test_set(project, tmp_path):
    for name, other in {"A": "A B", "B": "A_B", "C": "ref"}.items():
        project.systems.filter(name=name).update(name=other)
    ours = evaluate("houses", *SIZE)

    options = ("--metric", "wer", "--output", str(tmp_path))
    call_command("export_metrics_eval", "houses", *options, stdout=(out := StringIO()))
    assert "system-names.tsv lists them" in out.getvalue()
    (pair,) = evaluate("--gold-file", tmp_path / "houses")["pairs"]

    assert sorted(pair["system_level"]["all_systems"]["systems"]) == ["A_B", "A_B--2", "ref"]
    figures = pair["system_level"]["all_systems"]["metrics"]
    assert values(figures) == values(ours["system_level"]["all_systems"]["metrics"])
    assert (tmp_path / "houses/system-names.tsv").read_text() == "A_B--2\tA B\n"


def test_a_sentence_that_was_not_judged_is_none(db, tmp_path):
    project = make_project()
    submit(project, make_annotator(project), 1, {"0 1 2": [1, 2, None]})
    for system in System.objects.filter(project=project):
        for sentence in Sentence.objects.filter(project=project):
            Translation.objects.create(sentence=sentence, system=system, text="reference")

    call_command("export_metrics_eval", "houses", "--output", str(tmp_path), stdout=StringIO())

    path = tmp_path / "houses" / "human-scores" / "en-cs.segranks.seg.score"
    assert path.read_text().splitlines()[:3] == ["A 1.0", "A None", "A None"]


def test_it_refuses_an_existing_folder(project, tmp_path):
    (tmp_path / "houses").mkdir()

    with pytest.raises(CommandError, match="exists already"):
        call_command("export_metrics_eval", "houses", "--output", str(tmp_path))
