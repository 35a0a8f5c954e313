from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.import_export.imports import ImportedJudgements, import_judgements
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
    write_rows,
)
from tests.installation import Installation

pytestmark = pytest.mark.django_db

HOUSE = JUDGEMENT | {
    "sentence": 1,
    "segment": "the old house",
    "indices": [0, 1, 2],
    "ranks": {"starý dům": 1, "stará  dům": 2},
}
NEAR = HOUSE | {"segment": "near", "indices": [4], "ranks": {"u": 1}}


def at(seconds: float, judgement: dict[str, Any] = JUDGEMENT, **change: Any) -> dict[str, Any]:
    return judgement | {"created": f"2014-05-20 07:00:{seconds:09.6f}+00"} | change


def bring(project: Project, folder: Path, *lines: dict[str, Any]) -> ImportedJudgements:
    return import_judgements(project=project, path=write_lines(folder / "j.jsonl", lines))


@pytest.mark.parametrize("write", ["lines", "thesis"])
def test_a_number_means_the_sentence_to_judge(tmp_path: Path, write: str) -> None:
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

    imported = bring(project, tmp_path, JUDGEMENT)

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

    bring(project, tmp_path, JUDGEMENT)

    annotator = Assignment.objects.get().annotator
    assert annotator != jana
    assert annotator.shown_name == "jana"
    assert annotator.username == f"imported-{project.pk}-1"
    assert annotator.imported_with == project
    assert not annotator.is_active
    assert not annotator.has_usable_password()


def test_a_username_that_is_taken_is_left_alone(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    User.objects.create_user(f"imported-{project.pk}-1")

    bring(project, tmp_path, JUDGEMENT)

    assert Assignment.objects.get().annotator.username == f"imported-{project.pk}-2"


def test_judgements_within_two_seconds_are_one_assignment(tmp_path: Path) -> None:
    project = imported_project(tmp_path)

    bring(project, tmp_path, at(10, HOUSE), at(12, NEAR), at(12.000001, HOUSE))

    assert assignment_kinds() == [("jana", 1, "first"), ("jana", 1, "intra")]
    assert [s.judgements.count() for s in Submission.objects.order_by("assignment")] == [2, 1]


def test_a_segment_judged_twice_in_a_second_is_another_assignment(tmp_path: Path) -> None:
    project = imported_project(tmp_path)

    bring(project, tmp_path, at(10), at(10.5))

    assert assignment_kinds() == [("jana", 7, "first"), ("jana", 7, "intra")]


def test_kinds_follow_time_and_not_the_order_of_lines(tmp_path: Path) -> None:
    project = imported_project(tmp_path)

    bring(
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


def test_a_sentence_given_out_here_keeps_its_first_assignment(tmp_path: Path) -> None:
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

    bring(project, tmp_path, at(10), at(20))

    assert [kind for _name, _number, kind in assignment_kinds()] == ["first", "inter", "intra"]


def test_a_sentence_that_was_given_back_can_still_be_judged_first(tmp_path: Path) -> None:
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

    bring(project, tmp_path, at(10))

    assert [kind for _name, _number, kind in assignment_kinds()] == ["first", "first"]


def test_as_many_are_first_as_the_project_wants_judges(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    Project.objects.update(judges_per_sentence=2)

    bring(
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


def test_a_second_file_goes_on_with_the_same_account(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    bring(project, tmp_path, at(10))

    bring(project, tmp_path, at(20), at(21, HOUSE, annotator="eva"))

    assert assignment_kinds() == [("jana", 7, "first"), ("jana", 7, "intra"), ("eva", 1, "first")]
    assert User.objects.count() == 2


def test_imports_are_remembered(tmp_path: Path) -> None:
    project = imported_project(tmp_path)

    bring(project, tmp_path, JUDGEMENT)

    project.refresh_from_db()
    (entry,) = project.provenance["imports"]
    assert len(entry.pop("sha256")) == 64
    assert entry == {"name": "j.jsonl", "format": "JSON lines", "judgements": 1, "annotators": 1}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (JUDGEMENT | {"sentence": 3}, "the project has no sentence 3"),
        (JUDGEMENT | {"indices": [0, 1]}, "sentence 7 has no segment at the indices 0 1"),
        (JUDGEMENT | {"segment": "a cat"}, "is 'small cat', not 'a cat'"),
        (JUDGEMENT | {"ranks": JUDGEMENT["ranks"] | {"pes": 1}}, "has no candidate 'pes'"),
        (JUDGEMENT | {"ranks": JUDGEMENT["ranks"] | {"kočka": 4}}, "the rank 4 of the candidate"),
        (JUDGEMENT | {"ranks": JUDGEMENT["ranks"] | {"kočka": 0}}, "the rank 0 of the candidate"),
        (JUDGEMENT | {"ranks": JUDGEMENT["ranks"] | {"kočka": 100}}, "the rank 100 of the"),
        (JUDGEMENT | {"ranks": {"kočka": 1}}, "'malá kočka' of the segment 'small cat' has no"),
        (JUDGEMENT | {"ranks": {}}, "has no rank, nor have 2 more"),
        (HOUSE, "line 1 is a judgement of the same segment by the same annotator"),
        (JUDGEMENT | {"seconds": -5}, "'seconds' is not a number of 0 or more"),
    ],
)
def test_a_bad_line_leaves_nothing(tmp_path: Path, line: dict[str, Any], message: str) -> None:
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


def test_the_same_judgement_is_not_imported_again(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    bring(project, tmp_path, at(10), at(10, HOUSE))
    before = row_counts()

    with pytest.raises(ValueError, match="line 2: this judgement of 'jana' has been imported"):
        bring(project, tmp_path, at(30), at(10))

    assert row_counts() == before


def test_the_same_file_is_not_imported_again(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    path = write_json(tmp_path / "t.json", {"1,near": [{"u": 1}]})
    import_judgements(project=project, path=path)

    with pytest.raises(ValueError, match=r"has been imported into 'house' already, as 't\.json'"):
        import_judgements(project=project, path=path)


@pytest.mark.parametrize("state", ["preparing", "failed"])
def test_a_project_needs_to_be_prepared(tmp_path: Path, state: str) -> None:
    project = imported_project(tmp_path)
    project.state = state
    project.save()

    with pytest.raises(ValueError, match="is not prepared"):
        bring(project, tmp_path, JUDGEMENT)


@pytest.mark.parametrize("content", ["", "{}", "not json\n"])
def test_what_holds_no_judgement_is_refused(tmp_path: Path, content: str) -> None:
    project = imported_project(tmp_path)
    path = tmp_path / "j"
    path.write_text(content)

    with pytest.raises(ValueError, match=r"is empty|there is no judgement|not JSON"):
        import_judgements(project=project, path=path)


def test_bad_judgements_are_one_sentence_and_exit_status_one(
    tmp_path: Path, installed: Installation
) -> None:
    segments = write_rows(tmp_path / "s", SEGMENT_ROWS)
    installed.manage("import_segments", "house", str(segments), "--languages", "en-cs")
    path = write_lines(tmp_path / "j", [JUDGEMENT, HOUSE | {"sentence": 99}])

    run = installed.manage("import_judgements", "house", str(path), check=False)

    assert run.returncode == 1
    assert run.stdout == ""
    assert run.stderr.splitlines() == [f"Error: {path}, line 2: the project has no sentence 99."]
    counts = "[User.objects.count(), Assignment.objects.count(), Judgement.objects.count()]"
    assert installed.query(counts) == [0, 0, 0]
