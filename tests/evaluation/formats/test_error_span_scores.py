import json

import numpy as np
import pytest

from annotation.formats.errors import InputError
from annotation.formats.marked_errors import MISSING, MarkedError
from evaluation.formats.error_span_scores import counted, read_span_scores, segment_means
from evaluation.formats.file_kinds import kind_of
from evaluation.stats.domain_means import rank_by_domains
from tests.evaluation.formats.wmt_files import write

NEWS, SPEECH = "test-en-news_a.1", "test-en-speech_b_000"


def line(
    user="u1",
    system="A",
    segment="7",
    kind="TGT",
    score="90",
    document=NEWS,
    whole="False",
    spans="[]",
    start="100.5",
    end="101",
):
    if not isinstance(spans, str):
        spans = '"' + json.dumps(spans).replace('"', '""') + '"'
    return ",".join(
        [user, system, segment, kind, "eng", "jpn", score, document, whole, spans, start, end]
    )


def read(tmp_path, *lines, **options):
    return list(read_span_scores(write(tmp_path / "wave.csv", lines), **options))


def test_a_line_is_a_score_with_marked_errors(tmp_path):
    spans = [
        {"start_i": 8, "end_i": 11, "severity": "minor", "error_type": None},
        {"start_i": 5, "end_i": 5, "severity": "major"},
        {"start_i": "missing", "end_i": "missing", "severity": "minor"},
        {"start_i": 0, "end_i": 1, "severity": "major", "error_type": ["Accuracy", "Addition"]},
    ]

    (one,) = read(tmp_path, line(spans=spans))

    assert (one.user, one.system, one.segment, one.type) == ("u1", "A", 7, "TGT")
    assert (one.pair, one.document, one.whole_document) == ("eng-jpn", NEWS, False)
    assert (one.score, one.started, one.ended) == (90, 100.5, 101)
    assert one.errors == (
        MarkedError("minor", places=((8, 12),)),
        MarkedError("major", places=((5, 6),)),
        MarkedError("minor", token=MISSING),
        MarkedError("major", "Accuracy/Addition", ((0, 2),)),
    )


def test_a_heading_is_skipped(tmp_path):
    heading = "User,System,SegmentID,ItemType,src,tgt,score,doc,isDoc,spans,start,end"

    assert len(read(tmp_path, heading, line())) == 1


def test_all_problems_of_a_file_are_reported(tmp_path):
    bad = {
        line(score="101"): "the score 101 is not from 0 to 100",
        line(score="nan"): "the column score is 'nan', which is not a number from 0",
        line(kind="TXT"): "the type 'TXT' is none of TGT, BAD, REF, CHK",
        line(whole="0"): "is_document is '0'",
        line(segment="1.5"): "segment is '1.5', which is not a whole number",
        line(user=" "): "the column user is empty",
        line(start="-1"): "the column start is '-1'",
        line() + ",": "13 columns where 12 are needed",
        line(spans="{}"): "Expected `array`, got `object`",
        line(spans=[{"start_i": 5, "end_i": 4}]): "ends at 4, before its start at 5",
        line(spans=[{"start_i": 5, "end_i": "missing"}]): "a place at one end",
        line(spans=[{"start_i": 0, "end_i": 4, "severity": "huge"}]): "the severity 'huge' is",
        line(spans=[{"start_i": -1, "end_i": 4}]): "Expected `int` >= 0",
        line(spans='"[{""start_i"":1,""start_i"":2,""end_i"":3}]"'): "'start_i' is given twice",
    }
    problems: list[InputError] = []

    judgements = read(tmp_path, *bad, line(), on_error=problems.append)

    assert len(judgements) == 1
    assert [one.place[1] for one in problems] == list(range(1, len(bad) + 1))
    for problem, part in zip(problems, bad.values(), strict=True):
        assert part in str(problem)


def test_what_does_not_count_for_wmt24_is_left_out(tmp_path):
    judgements = read(
        tmp_path,
        line(score="10", end="300"),
        line(score="20", end="200"),
        # From another file, which is a longer export.
        line(score="10", end="300"),
        line(score="30", user="u2", end="100"),
        line(kind="BAD", document=f"{NEWS}#bad"),
        line(system="ende-tutorial1", document="ende-tutorial1"),
        line(document=f"{NEWS}#incomplete"),
        line(document=f"{NEWS}#dup1"),
        line(whole="True"),
    )

    found = counted(judgements)

    assert [(one.user, one.score) for one in found.judgements] == [("u1", 10), ("u2", 30)]
    assert found.left_out == {
        "control": 1,
        "tutorial": 1,
        "#incomplete": 1,
        "#dup": 1,
        "whole document": 1,
        "earlier answer": 1,
        "same answer again": 1,
    }


def test_scores_are_averaged_over_users_by_segment_and_ranked_by_domain(tmp_path):
    judgements = read(
        tmp_path,
        line(score="10"),
        line(score="30", user="u2"),
        line(score="60", document=SPEECH, segment="1"),
        line(score="35", system="B"),
    )

    means = segment_means(judgements)["eng-jpn"]

    assert (means.systems, means.domains) == (("A", "B"), ("news", "speech"))
    assert means.segments == (f"{NEWS}::7", f"{SPEECH}::1")
    np.testing.assert_array_equal(means.scores, [[20, 60], [35, np.nan]])
    assert means.counts.tolist() == [[2, 1], [1, 0]]
    ranking = rank_by_domains(
        means.scores,
        means.domains_of,
        systems=means.systems,
        domains=means.domains,
        judgements=int(means.counts.sum()),
    )
    assert (ranking.systems, ranking.means.tolist()) == (("A", "B"), [40, 35])


def test_batch_information_may_follow_and_a_severity_may_be_undecided(tmp_path):
    path = write(
        tmp_path / "esa",
        [line(spans=[{"start_i": 1, "end_i": 2, "severity": "undecided"}]) + ",3,501"],
    )

    (one,) = read_span_scores(path)

    assert kind_of(path).kind == "esa"
    assert (one.ended, one.errors) == (101, (MarkedError("", places=((1, 3),)),))


def test_systems_share_the_segments_of_a_document(tmp_path):
    """As in WMT23: documents have their systems behind them, segments the numbers of a batch."""
    lines = [
        line(user, f"wmt23.{system}", str(number), document=f"talk_#_1#{system}", score=score)
        for user, system, numbers in (
            ("u1", "A", (99, 100)),
            ("u1", "B", (12, 13)),
            ("u2", "C", (100,)),
            ("u3", "C", (1,)),
        )
        for number, score in zip(numbers, ("10", "20"), strict=False)
    ]

    means = segment_means(read(tmp_path, *lines))["eng-jpn"]

    assert means.systems == ("wmt23.A", "wmt23.B", "wmt23.C")
    # Which part of the document C's segments are is unknown.
    assert means.segments == (
        *("talk_#_1::1", "talk_#_1::1 (u3)", "talk_#_1::2", "talk_#_1::100 (u2)"),
    )
    assert means.counts.tolist() == [[1, 0, 1, 0], [1, 0, 1, 0], [0, 1, 0, 1]]


def test_numbers_of_segments_stay_where_documents_have_them(tmp_path):
    lines = [
        line(user, system, number, document=document)
        for document in ("a", "b")
        for user, system in (("u1", "A"), ("u1", "B"), ("u2", "B"))
        for number in (("1", "2") if user == "u1" else ("2", "3"))
    ]

    means = segment_means(read(tmp_path, *lines))["eng-jpn"]

    assert means.segments == tuple(f"{name}::{n}" for name in "ab" for n in (1, 2, 3))


@pytest.mark.shared
@pytest.mark.parametrize(("name", "control"), [("esa-1", 398), ("esa-ai-1", 397)])
def test_published_files_of_wmt23_are_read_as_they_are(shared, name, control):
    rows = list(read_span_scores(shared / f"data/wmt23-en-de/esa/{name}.csv.gz"))

    found = counted(rows)
    means = segment_means(found.judgements)["eng-deu"]

    assert (found.left_out["control"], found.left_out["#dup"]) == (control, 14)
    # Each of 13 systems has 207 segments. Documents of a system that two batches
    # share cannot be put together with the others.
    assert means.scores.shape == (13, 292)
    assert (~np.isnan(means.scores)).sum() == 2691
    assert (~np.isnan(means.scores)).all(axis=0).sum() == 132


@pytest.mark.parametrize(
    ("document", "domains", "expected"),
    [("talk", None, "all"), (NEWS, {NEWS: "web"}, "web"), ("talk", {NEWS: "web"}, "all")],
)
def test_domains_are_given_or_in_the_names_of_documents(tmp_path, document, domains, expected):
    judgements = read(tmp_path, line(document=document))

    assert segment_means(judgements, domains)["eng-jpn"].domains == (expected,)
