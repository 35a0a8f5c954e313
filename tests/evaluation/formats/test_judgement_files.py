import math
from dataclasses import replace

import pytest

from annotation.formats.errors import InputError
from evaluation.formats.judgement_files import Choice, read_judgements
from evaluation.stats.judgements import GARBAGE, MISSING, UNIDENTIFIED
from tests.annotation.import_export.exchange_files import (
    JUDGEMENT,
    SEGMENT_ROWS,
    SYSTEM_ROWS,
    write_json,
    write_lines,
    write_rows,
)
from tests.evaluation.formats.wmt_files import write_five_way, write_pairwise

LATER = "2014-05-21 07:15:58+00"
OF_PETR = JUDGEMENT | {"annotator": "petr", "created": LATER, "seconds": None}


def segment_files(folder, file_format, file, *, without=(), systems=True):
    return Choice(
        format=file_format,
        files=[file],
        segments=write_rows(folder / "segments.tsv", SEGMENT_ROWS),
        systems=write_rows(folder / "systems.tsv", SYSTEM_ROWS) if systems else None,
        without=without,
    )


def test_json_lines(tmp_path):
    file = write_lines(tmp_path / "judgements.jsonl", [OF_PETR, JUDGEMENT])

    judgements = read_judgements(segment_files(tmp_path, "lines", file)).judgements

    assert judgements.candidate_ranks.tolist() == [[1, 3, GARBAGE]] * 2
    assert judgements.system_names == ("A", "B", "B+C")
    assert judgements.system_ranks.tolist() == [[1, MISSING, 1]] * 2
    assert judgements.annotator_names == ("petr", "jana")
    assert math.isnan(judgements.seconds[0])
    assert judgements.seconds[1] == 98
    assert judgements.created.tolist() == [1400656558, 1400570158.43353]
    assert judgements.repeats.tolist() == [True, False]
    assert judgements.sentence_numbers.tolist() == [7]
    assert not judgements.shown.any()


def test_without_the_file_of_systems_there_are_none(tmp_path):
    file = write_lines(tmp_path / "judgements.jsonl", [JUDGEMENT])

    judgements = read_judgements(segment_files(tmp_path, "lines", file, systems=False)).judgements

    assert judgements.system_names == ()
    assert judgements.candidate_ranks.tolist() == [[1, 3, GARBAGE]]


def test_the_thesis_json_has_no_annotators(tmp_path):
    ranks = {"kočka": 100, "malá kočka": 2, "malý kočka": 2}
    file = write_json(tmp_path / "thesis.json", {"7,small cat": [ranks, ranks | {"kočka": 1}]})

    judgements = read_judgements(segment_files(tmp_path, "thesis", file)).judgements

    assert judgements.candidate_ranks.tolist() == [[2, 2, GARBAGE], [2, 2, 1]]
    assert judgements.annotators.tolist() == [UNIDENTIFIED] * 2
    assert judgements.system_ranks.tolist() == [[2, MISSING, 2]] * 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sentence": 2}, "line 2: {folder}/segments.tsv has no sentence 2"),
        (
            {"indices": [0, 1]},
            "line 2: sentence 7 has no segment 'small cat' at the indices 0 1 in",
        ),
        ({"segment": "cat"}, "line 2: sentence 7 has no segment 'cat' at the indices 1 2 in"),
        ({"ranks": {"kočka": 4}}, "line 2: the rank 4 of the candidate 'kočka' is not from 1 to 3"),
        (
            {"ranks": JUDGEMENT["ranks"] | {"kočka": 3}},
            "line 2: {folder}/judgements.jsonl, line 1 has this judgement of 'jana' with other",
        ),
    ],
)
def test_it_refuses_json_lines_that_do_not_fit_the_segments(tmp_path, change, message):
    file = write_lines(tmp_path / "judgements.jsonl", [JUDGEMENT, JUDGEMENT | change])

    with pytest.raises(InputError) as caught:
        read_judgements(segment_files(tmp_path, "lines", file))

    assert message.format(folder=tmp_path) in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"2,small cat": []}, "segments.tsv has no sentence 2"),
        ({"7,cat": [{}]}, "key '7,cat': sentence 7 has no segment 'cat' in"),
        ({"7,small cat": [{"kočka": 1}]}, "key '7,small cat': the candidate 'malá kočka'"),
    ],
)
def test_it_refuses_a_thesis_file_that_does_not_fit_the_segments(tmp_path, content, message):
    file = write_json(tmp_path / "thesis.json", content)

    with pytest.raises(InputError) as caught:
        read_judgements(segment_files(tmp_path, "thesis", file))

    assert message in str(caught.value)


def test_it_finds_the_segment_by_its_candidates(tmp_path):
    rows = [
        *SEGMENT_ROWS,
        ("3", "a cat a cat", "", "a cat", "kočka", "0 1"),
        ("3", "a cat a cat", "", "a cat", "ta kočka", "2 3"),
    ]
    segments = write_rows(tmp_path / "more.tsv", rows)
    file = write_json(tmp_path / "thesis.json", {"3,a cat": [{"ta kočka": 1}]})

    judgements = read_judgements(Choice("thesis", [file], segments=segments)).judgements

    assert len(judgements) == 1
    file = write_json(tmp_path / "thesis.json", {"3,a cat": [{"a": 1}]})
    with pytest.raises(InputError, match="2 segments of the sentence have these words, and none"):
        read_judgements(Choice("thesis", [file], segments=segments))


def test_without_a_system_its_own_candidates_are_left_out(tmp_path):
    file = write_lines(tmp_path / "judgements.jsonl", [JUDGEMENT])

    without_b = read_judgements(segment_files(tmp_path, "lines", file, without=["B"])).judgements
    without = segment_files(tmp_path, "lines", file, without=["A", "B+C"])
    without_both = read_judgements(without).judgements

    assert without_b.candidate_ranks.tolist() == [[1, 3, GARBAGE]]
    # "malý kočka" and "kočka" have no known systems, and stay.
    assert without_both.candidate_ranks.tolist() == [[3, GARBAGE]]
    assert without_both.system_names == ("B",)


def test_five_way_rankings_are_judgements_of_the_sentence(tmp_path):
    file = write_five_way(
        tmp_path / "five.csv", [(7, "j", "C 2 A 1 E -1"), (7, "k", "B 3 A+C 1"), (9, "j", "A 1")]
    )

    judgements = read_judgements(Choice("wmt-five", [file])).judgements

    assert judgements.system_names == ("A", "B", "C", "E")
    assert judgements.system_ranks.tolist() == [[1, 0, 2, 0], [1, 3, 1, 0], [1, 0, 0, 0]]
    assert judgements.candidate_ranks.tolist() == [[2, 1, 0, 0], [0, 0, 3, 1], [1, 0, 0, 0]]
    assert judgements.shown.tolist() == [[1, 2, 0, 0], [0, 0, 1, 2], [1, 0, 0, 0]]
    assert judgements.segments.tolist() == judgements.sentences.tolist() == [0, 0, 1]
    assert judgements.sentence_numbers.tolist() == [7, 9]
    assert not judgements.repeats.any()


def test_only_a_ranking_of_the_same_translations_is_a_repeat(tmp_path):
    ranked = ("A 1 B 2", "A 1 C 2", "B 1 A 1")
    rows = [(7, judge, ranks) for judge, ranks in zip("jkl", ranked, strict=True)]
    file = write_five_way(tmp_path / "five.csv", rows)

    assert read_judgements(Choice("wmt-five", [file])).judgements.repeats.tolist() == [
        False,
        False,
        True,
    ]


def test_sentences_are_in_the_order_of_their_numbers(tmp_path):
    file = write_five_way(tmp_path / "five.csv", [(n, "j", "A 1 B 2") for n in (9, 11, 9, 2)])

    judgements = read_judgements(Choice("wmt-five", [file])).judgements

    assert judgements.sentence_numbers.tolist() == [2, 9, 11]
    assert judgements.sentences.tolist() == [1, 2, 1, 0]


def test_it_counts_what_there_was_to_judge(tmp_path):
    file = write_lines(tmp_path / "judgements.jsonl", [JUDGEMENT])

    everything = read_judgements(segment_files(tmp_path, "lines", file))
    without_b = read_judgements(segment_files(tmp_path, "lines", file, without=["B"]))

    assert [everything.sentences, everything.segments, everything.candidates] == [2, 3, 6]
    # B alone produced a candidate of one segment, and the only one of another.
    assert [without_b.sentences, without_b.segments, without_b.candidates] == [2, 2, 4]
    assert everything.words == {0: "small cat"}


def test_a_ranking_without_ranks_is_no_judgement(tmp_path):
    file = write_five_way(tmp_path / "five.csv", [(7, "j", "C -1 A -1"), (7, "k", "A 1 B 1")])

    judgements = read_judgements(Choice("wmt-five", [file])).judgements

    assert judgements.annotator_names == ("k",)
    assert judgements.system_names == ("A", "B", "C")


def test_without_one_of_its_systems_a_text_belongs_to_the_others(tmp_path):
    file = write_five_way(tmp_path / "five.csv", [(7, "j", "A+B 1 C 2"), (7, "k", "A 2 C 1")])

    judgements = read_judgements(Choice("wmt-five", [file], without=["B"])).judgements

    assert judgements.candidate_ranks.tolist() == [[1, 2], [2, 1]]
    assert judgements.system_names == ("A", "C")


def test_it_reads_several_files(tmp_path):
    one = write_pairwise(tmp_path / "one.csv", [(7, "j", "A 1 B 2", "1")])
    two = write_pairwise(tmp_path / "two.csv", [(7, "k", "B 2 A 1", "1")])

    judgements = read_judgements(Choice("wmt-pairs", [one, two])).judgements

    assert judgements.candidate_ranks.tolist() == [[1, 2], [1, 2]]
    assert judgements.shown.tolist() == [[1, 2], [2, 1]]


def test_one_of_several_language_pairs_must_be_chosen(tmp_path):
    one = write_pairwise(tmp_path / "one.csv", [(7, "j", "A 1 B 2", "1")])
    two = write_pairwise(tmp_path / "two.csv", [(7, "j", "D 1 E 2", "1")], pair="eng-cze")

    for pair in ("eng-cze", "en-cs", "English-Czech"):
        chosen = read_judgements(Choice("wmt-pairs", [one, two], pair=pair)).judgements
        assert chosen.system_names == ("D", "E")
    with pytest.raises(
        InputError, match=r"2 language pairs here: .* by --pair: cze-eng, eng-cze\."
    ):
        read_judgements(Choice("wmt-pairs", [one, two]))
    with pytest.raises(
        InputError, match="no language pair 'eng-deu' here; there is cze-eng, eng-c"
    ):
        read_judgements(Choice("wmt-pairs", [one, two], pair="eng-deu"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"without": ["A", "Z"]}, "There is no system 'Z' to leave out; known here: A, B."),
        ({"segments": "x"}, "--segments and --systems cannot be used with --format wmt-pairs"),
        ({"format": "lines", "pair": "x"}, "--pair cannot be used with --format lines"),
        ({"format": "lines"}, "The format lines needs the file of segments"),
    ],
)
def test_it_refuses_options_of_other_formats(tmp_path, options, message):
    file = write_pairwise(tmp_path / "pairs.csv", [(7, "j", "A 1 B 2", "1")])

    with pytest.raises(InputError) as caught:
        read_judgements(Choice(**({"format": "wmt-pairs", "files": [file]} | options)))

    assert message in str(caught.value)


def test_it_refuses_a_file_without_rankings(tmp_path):
    file = write_pairwise(tmp_path / "pairs.csv", [])

    with pytest.raises(InputError, match=r"pairs\.csv has a heading and no rankings"):
        read_judgements(Choice("wmt-pairs", [file]))


def test_it_names_all_problems_of_rankings_with_their_lines(tmp_path):
    rows = [(7, "", "A 1 B 2"), (8, "j", "A 1 B 2"), (9, "j", "A 6 B 2"), (10, "j", "A 1 A 2")]
    file = write_five_way(tmp_path / "five.csv", rows)

    with pytest.raises(InputError, match="3 problems") as caught:
        read_judgements(Choice("wmt-five", [file]))

    assert [f"line {n}:" in str(caught.value) for n in (2, 3, 4, 5)] == [True, False, True, True]


def test_it_names_all_problems_of_json_lines(tmp_path):
    wrong = [JUDGEMENT | {"sentence": 99}, OF_PETR | {"created": "yesterday"}]
    file = write_lines(tmp_path / "judgements.jsonl", [wrong[0], JUDGEMENT, wrong[1]])

    with pytest.raises(InputError) as problem:
        read_judgements(segment_files(tmp_path, "lines", file))

    assert str(problem.value).startswith("2 problems:")
    assert f"{file}, line 1" in str(problem.value)
    assert f"{file}, line 3" in str(problem.value)


def test_json_lines_that_several_files_have_count_once(tmp_path):
    first = write_lines(tmp_path / "first", [JUDGEMENT])
    again = JUDGEMENT | {"annotator": "jana\u00a0", "created": "2014-05-20 09:15:58.43353+02:00"}
    second = write_lines(tmp_path / "second", [OF_PETR, again])
    choice = segment_files(tmp_path, "lines", first)

    read = read_judgements(replace(choice, files=[first, second]))

    assert (len(read.judgements), read.repeated) == (2, 1)
    assert read.judgements.annotator_names == ("jana", "petr")
    # In one file, too.
    joined = write_lines(tmp_path / "joined", [JUDGEMENT, OF_PETR, again])
    read = read_judgements(replace(choice, files=[joined]))
    assert (len(read.judgements), read.repeated) == (2, 1)
    other = write_lines(tmp_path / "other", [again | {"ranks": OF_PETR["ranks"] | {"kočka": 1}}])
    with pytest.raises(InputError, match=r"line 1: .*first, line 1 has this judgement of 'jana'"):
        read_judgements(replace(choice, files=[first, other]))


def test_a_file_counts_once_if_another_has_all_its_judgements(tmp_path):
    ranks = {"kočka": 100, "malá kočka": 2, "malý kočka": 2}
    contents = [[ranks, ranks], [ranks, ranks | {"kočka": 1}, ranks], [ranks, ranks | {"kočka": 3}]]
    part, whole, other = (
        write_json(tmp_path / f"{place}.json", {"7,small cat": content})
        for place, content in enumerate(contents)
    )
    choice = segment_files(tmp_path, "thesis", part)

    read = read_judgements(replace(choice, files=[part, whole, whole]))

    assert (len(read.judgements), read.repeated) == (3, 5)
    # Neither file holds the other, so equal ranks may be of different people.
    read = read_judgements(replace(choice, files=[part, other]))
    assert (len(read.judgements), read.repeated) == (4, 0)


def test_rankings_of_a_file_that_another_one_has_count_once(tmp_path):
    rows = [(7, "j", "A 1 B 2"), (8, "j", "A 1 B 2"), (8, "j", "A 1 B 2")]
    part = write_five_way(tmp_path / "part.csv", rows[:2])
    whole = write_five_way(tmp_path / "whole.csv", rows)

    read = read_judgements(Choice("wmt-five", [part, whole]))

    assert (len(read.judgements), read.repeated) == (3, 2)


def test_a_ranking_with_one_id_counts_once(tmp_path):
    rows = [(7, "j", "A 1 B 2", "1"), (7, "j", "A 1 B 2", "2"), (8, "j", "A 1 B 2", "3")]
    day_1 = write_pairwise(tmp_path / "day-1.csv", rows[:2])
    day_2 = write_pairwise(tmp_path / "day-2.csv", rows[1:])
    joined = write_pairwise(tmp_path / "joined.csv", [*rows, rows[0]])

    for files in ([day_1, day_2], [joined]):
        read = read_judgements(Choice("wmt-pairs", files))
        assert (len(read.judgements), read.repeated) == (3, 1)


@pytest.mark.parametrize("file_format", ["lines", "thesis"])
def test_segments_and_candidates_are_found_in_decomposed_form(tmp_path, file_format):
    segments = [("1", "the caf\u00e9", "", "caf\u00e9", "kav\u00e1rna", "1")]
    ranks = {"kava\u0301rna": 1}
    line = JUDGEMENT | {"sentence": 1, "segment": "cafe\u0301", "indices": [1], "ranks": ranks}
    if file_format == "lines":
        file = write_lines(tmp_path / "judgements", [line])
    else:
        file = write_json(tmp_path / "judgements", {"1,cafe\u0301": [ranks]})

    read = read_judgements(
        Choice(file_format, [file], segments=write_rows(tmp_path / "segments.tsv", segments))
    )

    assert read.judgements.candidate_ranks.tolist() == [[1]]
    assert read.words == {0: "caf\u00e9"}
