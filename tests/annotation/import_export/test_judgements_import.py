from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.import_export.judgements_import import ImportedJudgements, import_judgements
from annotation.judging.control_items import make_controls
from annotation.models import Assignment, Judgement, Placement, Project, Submission, User
from tests.annotation.import_export.exchange_files import (
    JUDGEMENT,
    SEGMENT_ROWS,
    add_practice,
    assignment_kinds,
    imported_project,
    row_counts,
    write_json,
    write_lines,
)

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

HOUSE = JUDGEMENT | {
    "sentence": 1,
    "segment": "the old house",
    "indices": [0, 1, 2],
    "ranks": {"starý dům": 1, "stará  dům": 2},
}
NEAR = HOUSE | {"segment": "near", "indices": [4], "ranks": {"u": 1}}


def at(seconds: float, judgement: dict[str, Any] = JUDGEMENT, **change: Any) -> dict[str, Any]:
    return judgement | {"created": f"2014-05-20 07:00:{seconds:09.6f}+00"} | change


def import_lines(project: Project, folder: Path, *lines: dict[str, Any]) -> ImportedJudgements:
    return import_judgements(project=project, path=write_lines(folder / "j.jsonl", lines))


@pytest.mark.parametrize("write", ["lines", "thesis"])
def test_a_number_is_that_of_a_sentence_to_judge(tmp_path: Path, write: str) -> None:
    project = imported_project(tmp_path)
    make_controls(project=project, count=2, seed=1)
    add_practice(project, 1, {})
    if write == "lines":
        path = write_lines(tmp_path / "j", [HOUSE])
    else:
        path = write_json(tmp_path / "j", {"1,the old house": [HOUSE["ranks"]]})

    import_judgements(project=project, path=path)

    segment = Judgement.objects.get().segment
    assert (segment.sentence.purpose, segment.sentence.number) == ("judge", 1)
    assert Assignment.objects.get().sentence == segment.sentence


def test_it_stores_a_judgement(tmp_path: Path) -> None:
    project = imported_project(tmp_path)

    imported = import_lines(project, tmp_path, JUDGEMENT)

    assert imported == ImportedJudgements("JSON lines", judgements=1, annotators=1)
    judgement = Judgement.objects.get()
    assert judgement.seconds == 98
    assert judgement.created.isoformat() == "2014-05-20T07:15:58.433530+00:00"
    assert list(
        Placement.objects.order_by("pk").values_list("candidate__text", "rank", "ranks_offered")
    ) == [("malá kočka", 1, 3), ("malý kočka", 3, 3), ("kočka", None, 3)]
    submission = judgement.submission
    assert (submission.number, submission.current, submission.token) == (1, True, None)
    assert submission.created == judgement.created
    assignment = submission.assignment
    assert assignment.created == assignment.submitted == judgement.created
    assert (assignment.kind, assignment.state, assignment.shown) == ("first", "submitted", None)
    assert (assignment.slot, assignment.lease_until) == (1, None)


def test_an_annotator_becomes_an_account_that_cannot_sign_in(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    jana = User.objects.create_user("jana", password="secret")

    import_lines(project, tmp_path, JUDGEMENT)

    annotator = Assignment.objects.get().annotator
    assert annotator != jana
    assert annotator.shown_name == "jana"
    assert annotator.username == f"imported-{project.pk}-1"
    assert annotator.imported_with == project
    assert not annotator.is_active
    assert not annotator.has_usable_password()


def test_it_skips_a_username_that_is_taken(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    User.objects.create_user(f"imported-{project.pk}-1")

    import_lines(project, tmp_path, JUDGEMENT)

    assert Assignment.objects.get().annotator.username == f"imported-{project.pk}-2"


def test_judgements_within_two_seconds_are_one_assignment(tmp_path: Path) -> None:
    project = imported_project(tmp_path)

    import_lines(project, tmp_path, at(10, HOUSE), at(12, NEAR), at(12.000001, HOUSE))

    assert assignment_kinds() == [("jana", 1, "first"), ("jana", 1, "intra")]
    assert [s.judgements.count() for s in Submission.objects.order_by("assignment")] == [2, 1]


def test_a_segment_judged_twice_in_a_second_is_another_assignment(tmp_path: Path) -> None:
    project = imported_project(tmp_path)

    import_lines(project, tmp_path, at(10), at(10.5))

    assert assignment_kinds() == [("jana", 7, "first"), ("jana", 7, "intra")]


def test_kinds_follow_time_and_not_the_order_of_lines(tmp_path: Path) -> None:
    project = imported_project(tmp_path)

    import_lines(
        project,
        tmp_path,
        at(50, annotator="petr"),
        at(40),
        at(20, annotator="eva"),
        at(30),
        at(45, HOUSE),
    )

    assert assignment_kinds() == [
        ("eva", 7, "first"),
        ("jana", 7, "inter"),
        ("jana", 7, "intra"),
        ("jana", 1, "first"),
        ("petr", 7, "inter"),
    ]


def test_a_sentence_assigned_here_keeps_its_first_assignment(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    here = User.objects.create_user("petr")
    Assignment.objects.create(
        project=project,
        sentence=project.sentences.get(number=7),
        annotator=here,
        kind="first",
        slot=1,
        created=timezone.now(),
        lease_until=timezone.now(),
    )

    import_lines(project, tmp_path, at(10), at(20))

    assert [kind for _name, _number, kind in assignment_kinds()] == ["first", "inter", "intra"]


def test_a_returned_sentence_can_still_be_judged_first(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    Assignment.objects.create(
        project=project,
        sentence=project.sentences.get(number=7),
        annotator=User.objects.create_user("petr"),
        kind="first",
        slot=1,
        state="returned",
        created=timezone.now(),
    )

    import_lines(project, tmp_path, at(10))

    assert [kind for _name, _number, kind in assignment_kinds()] == ["first", "first"]


def test_first_assignments_are_as_many_as_judges_per_sentence(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    Project.objects.update(judges_per_sentence=2)

    import_lines(
        project,
        tmp_path,
        at(10),
        at(20),
        at(30, annotator="petr"),
        at(40, annotator="eva"),
        at(50, HOUSE, annotator="eva"),
    )

    kinds = [kind for _name, _number, kind in assignment_kinds()]
    assert kinds == ["first", "intra", "first", "inter", "first"]
    slots = Assignment.objects.order_by("pk").values_list("slot", flat=True)
    assert list(slots) == [1, None, 2, None, 1]


def test_a_second_file_uses_the_same_account(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    import_lines(project, tmp_path, at(10))

    import_lines(project, tmp_path, at(20), at(21, HOUSE, annotator="eva"))

    assert assignment_kinds() == [("jana", 7, "first"), ("jana", 7, "intra"), ("eva", 1, "first")]
    assert User.objects.count() == 2


def test_the_provenance_lists_imports(tmp_path: Path) -> None:
    project = imported_project(tmp_path)

    import_lines(project, tmp_path, JUDGEMENT)

    project.refresh_from_db()
    (entry,) = project.provenance["imports"]
    assert len(entry.pop("sha256")) == 64
    assert entry == {
        "name": "j.jsonl",
        "format": "JSON lines",
        "judgements": 1,
        "annotators": 1,
        "controls": 0,
    }


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (JUDGEMENT | {"sentence": 3}, "the project has no sentence 3"),
        (JUDGEMENT | {"indices": [0, 1]}, "sentence 7 has no segment at the indices 0 1"),
        (JUDGEMENT | {"segment": "a cat"}, "is 'small cat', not 'a cat'"),
        (JUDGEMENT | {"ranks": JUDGEMENT["ranks"] | {"kočka": 4}}, "the rank 4 of the candidate"),
        (HOUSE, "line 1 is a judgement of the same segment by the same annotator"),
        (JUDGEMENT | {"seconds": -5}, "at `$.seconds`"),
    ],
)
def test_it_refuses_a_bad_line_and_stores_nothing(
    tmp_path: Path, line: dict[str, Any], message: str
) -> None:
    project = imported_project(tmp_path)
    path = write_lines(tmp_path / "j.jsonl", [HOUSE, line])
    before = row_counts()

    with pytest.raises(CommandError) as refusal:
        call_command("import_judgements", str(project.pk), str(path))

    assert str(refusal.value).startswith(f"{path}, line 2: ")
    assert message in str(refusal.value)
    assert row_counts() == before
    project.refresh_from_db()
    assert "imports" not in project.provenance


def test_it_refuses_a_judgement_that_is_stored(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    import_lines(project, tmp_path, at(10), at(10, HOUSE))
    before = row_counts()

    with pytest.raises(ValueError, match="line 2: this judgement of 'jana' has been imported"):
        import_lines(project, tmp_path, at(30), at(10))

    assert row_counts() == before


def test_it_refuses_a_file_that_is_imported(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    path = write_json(tmp_path / "t.json", {"1,near": [{"u": 1}]})
    import_judgements(project=project, path=path)

    with pytest.raises(ValueError, match=r"has been imported into 'house' already, as 't\.json'"):
        import_judgements(project=project, path=path)


@pytest.mark.parametrize("state", ["preparing", "failed"])
def test_it_refuses_a_project_that_is_not_prepared(tmp_path: Path, state: str) -> None:
    project = imported_project(tmp_path)
    project.state = state
    project.save()

    with pytest.raises(ValueError, match="is not prepared"):
        import_lines(project, tmp_path, JUDGEMENT)


@pytest.mark.parametrize("content", ["", "{}", "not json\n"])
def test_it_refuses_a_file_without_judgements(tmp_path: Path, content: str) -> None:
    project = imported_project(tmp_path)
    path = tmp_path / "j"
    path.write_text(content)

    with pytest.raises(ValueError, match=r"is empty|there is no judgement|not JSON"):
        import_judgements(project=project, path=path)


# --- the thesis' JSON ---

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


def test_a_second_unknown_judgement_is_no_repeat_of_the_same_annotator(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    for rank in (1, 2):
        path = write_json(tmp_path / f"{rank}", {"7,small cat": [RANKS | {"kočka": rank}]})
        import_judgements(project=project, path=path)

    assert assignment_kinds() == [("unknown 1", 7, "first"), ("unknown 1", 7, "inter")]


def test_an_unknown_annotator_is_no_named_one(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    lines = [JUDGEMENT | {"annotator": "unknown 1"}]
    import_judgements(project=project, path=write_lines(tmp_path / "j", lines))

    path = write_json(tmp_path / "t.json", {"7,small cat": [RANKS]})
    import_judgements(project=project, path=path)

    assert assignment_kinds() == [("unknown 1", 7, "first"), ("unknown 2", 7, "inter")]
    lines = [JUDGEMENT | {"annotator": "unknown 2"}]
    with pytest.raises(ValueError, match="line 1: the name 'unknown 2' belongs to the account of"):
        import_judgements(project=project, path=write_lines(tmp_path / "k", lines))


TWICE = "the cat sees the cat"
CATS = [
    ("1", TWICE, "", "the cat", "kočka", "0 1"),
    ("1", TWICE, "", "the cat", "ta kočka", "0 1"),
    ("1", TWICE, "", "the cat", "kočku", "3 4"),
]


def test_segments_with_the_same_words_are_distinguished_by_their_candidates(tmp_path: Path) -> None:
    project = imported_project(tmp_path, rows=CATS, systems=None)
    path = write_json(
        tmp_path / "t.json", {"1,the cat": [{"kočku": 1}, {"kočka": 2, "ta kočka": 1}]}
    )

    import_judgements(project=project, path=path)

    # Both were judged first of their segments, so by the same position.
    assert assignment_kinds() == [("unknown 1", 1, "first")]
    assert set(Judgement.objects.values_list("segment__token_indices", flat=True)) == {"0 1", "3 4"}


def test_it_refuses_segments_with_the_same_words_and_candidates(tmp_path: Path) -> None:
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
    ],
)
def test_it_refuses_a_bad_entry_and_stores_nothing(
    tmp_path: Path, content: Any, message: str
) -> None:
    project = imported_project(tmp_path, rows=SEGMENT_ROWS)
    before = row_counts()
    path = write_json(tmp_path / "t.json", {"1,near": [{"u": 1}]} | content)

    with pytest.raises(ValueError, match=r"t\.json, key") as refusal:
        import_judgements(project=project, path=path)

    assert message in str(refusal.value)
    assert row_counts() == before
