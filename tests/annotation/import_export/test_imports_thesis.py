from pathlib import Path
from typing import Any

import pytest

from annotation.import_export.imports import ImportedJudgements, import_judgements
from annotation.models import Judgement, Placement, Project, User
from tests.annotation.import_export.exchange_files import (
    JUDGEMENT,
    SEGMENT_ROWS,
    assignment_kinds,
    imported_project,
    row_counts,
    write_json,
    write_lines,
)

pytestmark = pytest.mark.django_db

RANKS = {"malá kočka": 1, "malý kočka": 100, "kočka": 2}


def test_it_stores_the_thesis_json(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    path = write_json(
        tmp_path / "t.json",
        {"7,small cat": [RANKS, RANKS], "1,near": [{"u": 1}], "1,the old house": []},
    )

    imported = import_judgements(project=project, path=path)

    assert imported == ImportedJudgements("thesis JSON", judgements=3, annotators=2)
    assert assignment_kinds() == [
        ("unknown 1", 1, "first"),
        ("unknown 1", 7, "first"),
        ("unknown 2", 7, "inter"),
    ]
    assert set(Judgement.objects.values_list("seconds", flat=True)) == {None}
    assert set(User.objects.values_list("unidentified", "is_active")) == {(True, False)}
    placements = Placement.objects.filter(candidate__text="malý kočka")
    assert set(placements.values_list("rank", flat=True)) == {None}


def test_whoever_is_not_known_never_repeats(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    for rank in (1, 2):
        path = write_json(tmp_path / f"{rank}", {"7,small cat": [RANKS | {"kočka": rank}]})
        import_judgements(project=project, path=path)

    assert assignment_kinds() == [("unknown 1", 7, "first"), ("unknown 1", 7, "inter")]


def test_whoever_is_not_known_is_one_judge_of_a_sentence(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    Project.objects.update(judges_per_sentence=3)
    for rank in (1, 2):
        ranks = RANKS | {"kočka": rank}
        path = write_json(tmp_path / f"{rank}", {"7,small cat": [ranks, ranks]})
        import_judgements(project=project, path=path)

    assert [kind for _name, _number, kind in assignment_kinds()] == [
        "first",
        "first",
        "inter",
        "inter",
    ]


def test_an_unknown_annotator_is_never_taken_for_a_known_one(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    lines = [JUDGEMENT | {"annotator": "unknown 1"}]
    import_judgements(project=project, path=write_lines(tmp_path / "j", lines))

    path = write_json(tmp_path / "t.json", {"7,small cat": [RANKS]})
    import_judgements(project=project, path=path)

    assert assignment_kinds() == [("unknown 1", 7, "first"), ("unknown 2", 7, "inter")]
    lines = [JUDGEMENT | {"annotator": "unknown 2"}]
    with pytest.raises(ValueError, match="line 1: the annotator 'unknown 2' has the name of"):
        import_judgements(project=project, path=write_lines(tmp_path / "k", lines))


TWICE = "the cat sees the cat"
CATS = [
    ("1", TWICE, "", "the cat", "kočka", "0 1"),
    ("1", TWICE, "", "the cat", "ta kočka", "0 1"),
    ("1", TWICE, "", "the cat", "kočku", "3 4"),
]


def test_the_same_words_twice_are_told_apart_by_their_candidates(tmp_path: Path) -> None:
    project = imported_project(tmp_path, rows=CATS, systems=None)
    path = write_json(
        tmp_path / "t.json", {"1,the cat": [{"kočku": 1}, {"kočka": 2, "ta kočka": 1}]}
    )

    import_judgements(project=project, path=path)

    # Both were judged first of their segments, so by the same position.
    assert assignment_kinds() == [("unknown 1", 1, "first")]
    assert set(Judgement.objects.values_list("segment__token_indices", flat=True)) == {"0 1", "3 4"}


def test_the_same_words_twice_with_the_same_candidates_are_refused(tmp_path: Path) -> None:
    same = [*CATS, (*CATS[2][:4], "kočka", "3 4"), (*CATS[0][:4], "kočku", "0 1")]
    same.append((*CATS[1][:5], "3 4"))
    project = imported_project(tmp_path, rows=same, systems=None)
    ranks = {"kočka": 1, "ta kočka": 2, "kočku": 3}
    path = write_json(tmp_path / "t.json", {"1,the cat": [ranks]})

    with pytest.raises(ValueError, match="2 segments of the sentence have these words, and 2 of"):
        import_judgements(project=project, path=path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"3,small cat": [RANKS]}, "key '3,small cat': the project has no sentence 3"),
        ({"7,small dog": [RANKS]}, "sentence 7 has no segment 'small dog'"),
        ({"7,small cat": [RANKS | {"pes": 1}]}, "has no candidate 'pes'"),
        ({"7,small cat": [RANKS | {"kočka": 4}]}, "the rank 4 of the candidate 'kočka' is not"),
        ({"7,small cat": [{"kočka": 1}]}, "'malá kočka' of the segment 'small cat' has no rank"),
        ({"1,the cat": [{"pes": 1}]}, "sentence 1 has no segment 'the cat'"),
    ],
)
def test_a_bad_entry_leaves_nothing(tmp_path: Path, content: Any, message: str) -> None:
    project = imported_project(tmp_path, rows=SEGMENT_ROWS)
    before = row_counts()
    path = write_json(tmp_path / "t.json", {"1,near": [{"u": 1}]} | content)

    with pytest.raises(ValueError, match=r"t\.json, key") as refusal:
        import_judgements(project=project, path=path)

    assert message in str(refusal.value)
    assert row_counts() == before
