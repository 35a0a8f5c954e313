import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.evaluation.formats.wmt_files import write

MQM = "system doc doc_id seg_id rater source target category severity comment"
NEWS, SPEECH = "test-en-news_a", "test-en-speech_b"


def run(*arguments: object) -> str:
    out = StringIO()
    call_command("score_error_spans", *map(str, arguments), stdout=out)
    return out.getvalue()


def rows_of(folder, name):
    return json.loads((folder / "tables" / f"{name}.json").read_text())["rows"]


def mqm(path, *lines):
    """Write lines whose columns are separated by blanks, and in which + is a blank."""
    return write(path, [line.replace(" ", "\t").replace("+", " ") for line in (MQM, *lines)])


def esa(user="u1", system="A", segment=1, kind="TGT", score=90, document=NEWS, spans="[]"):
    row = (user, system, segment, kind, "eng", "ces", score, document, False, spans, 1, 2)
    return ",".join(map(str, row))


def answer(system="A", score=None, errors=(), source="Hello!", user="jana", item_i=0, **item):
    spans = [{"start_i": 0, "end_i": 1, "severity": s, "category": c} for s, c in errors]
    return {
        "annotation": [{system: {"score": score, "error_spans": spans}}],
        "item": [{"src": source, "tgt": {system: "Ahoj!"}, "item_id": "1"} | item],
        "user_id": user,
        "item_i": item_i,
    }


def pearmut(path, *answers):
    return write(path, map(json.dumps, answers))


def test_systems_with_fewer_error_points_are_first(tmp_path):
    lines = [
        *(f"A d {n} {n} r1 s t No-error No-error " for n in range(12)),
        *(f"B d {n} {n} r1 s t Accuracy/Omission Major " for n in range(11)),
        "B d 11 11 r1 s t Source+error Minor ",
        # Of another rater: the segment has the mean.
        "A d 0 0 r2 s t Style Minor ",
        "A d 0 0 r2 s t Found HOTW-test ",
    ]
    path = mqm(tmp_path / "en-cs.tsv", *lines)

    printed = run(path, "--output", tmp_path / "out")
    run(path, "--weights", "wmt24", "--output", tmp_path / "wmt24")

    a, b = rows_of(tmp_path / "out", "systems-en-cs.tsv")
    assert (a["system"], a["segments"], a["judgements"]) == ("A", 12, 13)
    assert (a["points"], b["points"]) == pytest.approx((0.5 / 12, 56 / 12))
    assert b["low"] < b["points"] < b["high"]
    assert (a["best_rank"], a["worst_rank"], a["cluster"], b["cluster"]) == (1, 1, 1, 2)
    assert a["errors"] == pytest.approx(1 / 13)
    assert rows_of(tmp_path / "wmt24", "systems-en-cs.tsv")[1]["points"] == pytest.approx(55 / 12)
    segments = rows_of(tmp_path / "out", "segment-scores-en-cs.tsv")
    assert segments[0] == {"system": "A", "seg_id": "0", "mqm_avg_score": 0.5, "N": 2}
    assert (tmp_path / "out" / "error-spans.txt").read_text() == printed
    assert "left out control 1|" in printed.replace("\n", " ")


def test_domains_count_alike_in_esa(tmp_path):
    spans = '"[{""start_i"":0,""end_i"":1,""severity"":""minor""}]"'
    path = write(
        tmp_path / "wave.csv",
        [
            esa(score=90, spans=spans),
            esa(score=70, user="u2"),
            esa(score=40, segment=2),
            esa(score=20, document=SPEECH),
            esa(score=50, system="B"),
            esa(kind="BAD", document=f"{NEWS}#bad"),
        ],
    )

    run(path, "--output", tmp_path)

    b, a = rows_of(tmp_path, "systems-eng-ces")
    assert (a["system"], a["score"], a["segments"], a["judgements"]) == ("A", 40, 3, 4)
    assert (a["errors"], b["score"]) == (0.25, 50)
    news = rows_of(tmp_path, "domains-eng-ces")[1]
    assert news == {"system": "A", "mean_news": 60, "mean_speech": 20}
    assert rows_of(tmp_path, "segment-scores-eng-ces")[0]["RAW.SCR"] == 80


def test_answers_of_pearmut_have_scores_or_error_points(tmp_path):
    minor, style = ("Minor", "Accuracy"), ("Minor", "Fluency/Punctuation")
    scores = pearmut(
        tmp_path / "scores.jsonl",
        answer(score=70, errors=[minor]),
        # Another text of the same id, and the first one again.
        answer(score=30, source="Bye!", item_i=1),
        answer(score=50, user="petr", item_i=1),
        answer(score=1, user="eva", validation={"A": {"score": [0, 20]}}),
        answer(score=1, item_i="welcome_0"),
        answer(user="eva", item_i=3),
    )
    points = pearmut(
        tmp_path / "points.jsonl",
        answer(errors=[minor, style]),
        answer("B", item_i=1),
        answer(errors=[("Major", "")], user="petr"),
    )

    printed = run(scores, points, "--output", tmp_path)

    (a,) = rows_of(tmp_path, "systems-scores.jsonl")
    assert (a["score"], a["segments"], a["judgements"]) == (45, 2, 3)
    for reason in ("checked answers 1", "welcome documents 1", "without a score 1"):
        assert reason in printed
    b, a = rows_of(tmp_path, "systems-points.jsonl")
    assert (b["points"], a["points"]) == pytest.approx((0, 3.05))


def test_answers_that_two_downloads_of_pearmut_have_count_once(tmp_path):
    before, after = [{"time": 1}, {"time": 5}], [{"time": 1}, {"time": 9}]
    first = [answer(score=70) | {"actions": before}, answer(score=50, item_i=1)]
    second = [answer(score=90) | {"actions": after}, *first[1:], answer(score=40, user="petr")]
    files = [
        write(tmp_path / name, [json.dumps({"campaign": answers})])
        for name, answers in (("day-1.json", first), ("day-2.json", second))
    ]

    printed = [run(*order, "--output", tmp_path / "out") for order in (files, files[::-1])]

    assert all("3 judgements. Left out: in another file 2." in text for text in printed)
    (row,) = rows_of(tmp_path / "out", "systems-campaign")
    assert row["score"] == 60


def test_files_that_cannot_be_ranked_are_refused_in_one_sentence(tmp_path):
    good = mqm(tmp_path / "mqm.tsv", "A d 1 1 r1 s t No-error No-error ")
    scores = write(tmp_path / "scores.csv", [esa()])
    sliders = answer()
    sliders["annotation"] = [{"A": {"sliders": {"Fluency": 3}}}]
    refused = [
        ([scores, good], "several kinds"),
        ([scores, "--weights", "wmt24"], "leave out --weights"),
        ([write(tmp_path / "da.csv", ["u,A,7,TGT,eng,ces,55,1,2"])], "score_assessments"),
        ([write(tmp_path / "campaign", ['{"campaign_id": "x", "data": []}'])], "its annotations"),
        ([write(tmp_path / "bad.csv", [esa(kind="BAD")])], "No judgement counts"),
        ([pearmut(tmp_path / "sliders", sliders)], "sliders but no score"),
        ([pearmut(tmp_path / "huge", answer(errors=[("Huge", "")]))], "severity 'huge' is unknown"),
    ]
    for arguments, part in refused:
        with pytest.raises(CommandError, match=part) as problem:
            run(*arguments)
        assert "\n" not in str(problem.value)


def test_systems_of_esa_are_compared_by_documents(tmp_path):
    lines = [
        esa(f"u{number % 3}", system, segment, score=score + number, document=f"d{number}")
        for number in range(12)
        for system, score in (("A", 80), ("B", 60 - number % 2))
        for segment in (1, 2)
    ]
    path = write(tmp_path / "wave.csv", lines)

    run(path, "--output", tmp_path / "out")

    first, second = rows_of(tmp_path / "out", "conclusions-eng-ces")
    assert (first["system"], first["documents"]) == ("A", 12)
    assert first["value"] == pytest.approx(85.5)
    assert (first["cluster"], second["cluster"]) == (1, 2)
    assert [second["value"], second["wmt_score"]] == pytest.approx([65, 65])
    (pair,) = rows_of(tmp_path / "out", "concluded-pairs-eng-ces")
    assert pair["value"] == pytest.approx(20.5)
    assert pair["p"] < 0.001


def test_sheets_of_pearmut_share_a_document_whoever_judged_it(tmp_path):
    answers = []
    for number in range(24):
        one = answer(item_i=number // 2, user=f"u{number % 2}", item_id=str(number // 2))
        shown = ("A", "B") if number % 2 else ("B", "C")
        one["annotation"] = [{name: {"score": 90 - 10 * ord(name) % 7} for name in shown}]
        one["item"][0]["tgt"] = dict.fromkeys(shown, "Ahoj!")
        answers.append(one)
    path = pearmut(tmp_path / "campaign.jsonl", *answers)

    run(path, "--output", tmp_path / "out")

    rows = rows_of(tmp_path / "out", "conclusions-campaign.jsonl")
    assert {row["system"]: row["documents"] for row in rows} == {"A": 12, "B": 12, "C": 12}
