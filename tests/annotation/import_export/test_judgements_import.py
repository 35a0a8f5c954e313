import json
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from annotation.formats.problems import InputErrors
from annotation.import_export.judgements_import import ImportedJudgements, import_judgements
from annotation.judging.control_items import make_controls
from annotation.models import (
    Assignment,
    Judgement,
    Placement,
    Project,
    Segment,
    Submission,
    User,
)
from tests.annotation.import_export.exchange_files import (
    JUDGEMENT,
    SEGMENT_ROWS,
    add_practice,
    assignment_kinds,
    export,
    imported_project,
    judge,
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


def test_only_problems_that_are_shown_are_kept(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    path = tmp_path / "j.jsonl"
    path.write_text("[]\n" * 20_000)
    tracemalloc.start()
    try:
        with pytest.raises(InputErrors) as refused:
            import_judgements(project=project, path=path)
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(refused.value.errors) + refused.value.more == 20_000
    assert peak < 4_000_000


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


def test_the_aids_of_a_judgement_come_back(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    aided = JUDGEMENT | {"aids": {"highlights": True}}
    import_judgements(project=project, path=write_lines(tmp_path / "j", [aided]))
    assert Assignment.objects.get().aids == {"highlights": True}
    assert json.loads(export(project, tmp_path, "judgements"))["aids"] == {"highlights": True}


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
        "there_already": 0,
        "revised": 0,
        "left_out": {},
    }
    # A file without anything new leaves no trace.
    import_lines(project, tmp_path, JUDGEMENT)
    project.refresh_from_db()
    assert len(project.provenance["imports"]) == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (JUDGEMENT | {"sentence": 3}, "the project has no sentence 3"),
        (JUDGEMENT | {"indices": [0, 1]}, "sentence 7 has no segment at the indices 0 1"),
        (JUDGEMENT | {"indices": []}, "sentence 7 has no document that is judged as a whole"),
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


# --- the same judgements again ---


def test_a_longer_file_adds_what_is_new(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = imported_project(tmp_path)
    import_lines(project, tmp_path, at(10), at(10, HOUSE))
    # Without the blanks, and with seconds that were not known before.
    longer = [at(30), at(10) | {"seconds": None}, at(10, HOUSE), at(40, annotator="eva")]
    path = tmp_path / "longer"
    path.write_text("\n".join(json.dumps(line, separators=(",", ":")) for line in longer))

    call_command("import_judgements", str(project.pk), str(path))
    call_command("import_judgements", str(project.pk), str(path))

    first, second = capsys.readouterr().out.splitlines()[-2:]
    name = f"Project {project.pk} 'house'"
    assert first.startswith(f"{name}: 2 judgements imported, 2 were there already (JSON lines).")
    assert second == f"{name}: 0 judgements imported, 4 were there already (JSON lines)."
    assert assignment_kinds() == [
        ("jana", 7, "first"),
        ("jana", 1, "first"),
        ("jana", 7, "intra"),
        ("eva", 7, "inter"),
    ]


def test_all_judgements_that_are_stored_with_other_answers_are_named(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    import_lines(project, tmp_path, at(10), at(10, HOUSE), at(20))
    before = row_counts()
    others = {"ranks": JUDGEMENT["ranks"] | {"malý kočka": 2}}

    with pytest.raises(ValueError, match="2 problems:") as refusal:
        import_lines(project, tmp_path, at(30), at(10, **others), at(10, HOUSE), at(20, **others))

    lines = str(refusal.value).splitlines()[1:]
    assert [line.partition(", line ")[2][:3] for line in lines] == ["2: ", "4: "]
    assert all("judgement of 'jana' with another answer about 'malý kočka'" in one for one in lines)
    assert row_counts() == before


def test_an_annotator_has_one_name_in_all_encodings(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    names = ["Jana Nováková", "Jana Nova\u0301kova\u0301", " Jana Nováková\u00a0"]
    import_lines(project, tmp_path, at(10, annotator=names[0]), at(20, annotator=names[1]))

    imported = import_lines(
        project,
        tmp_path,
        at(10, annotator=names[2]),
        at(20, annotator=names[0]),
        at(30, annotator=names[1] + "\u200b"),
        at(40, annotator="jana nováková"),
    )

    assert (imported.judgements, imported.there_already) == (2, 2)
    assert assignment_kinds() == [
        ("Jana Nováková", 7, "first"),
        ("Jana Nováková", 7, "intra"),
        ("Jana Nováková", 7, "intra"),
        ("jana nováková", 7, "inter"),
    ]


def test_a_revised_sentence_replaces_the_one_that_the_file_lacks(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    import_lines(project, tmp_path, at(10), at(20, HOUSE), at(20, NEAR), at(30, HOUSE))
    before = row_counts()
    newest = [
        at(10),
        at(40, HOUSE, ranks={"starý dům": 2, "stará  dům": 1}),
        at(40, NEAR),
        at(30, HOUSE),
        at(50, HOUSE, annotator="eva"),
    ]

    with pytest.raises(ValueError, match=r"line 2: 'jana' also judged .* add --revised"):
        import_lines(project, tmp_path, *newest)
    assert row_counts() == before
    path = write_lines(tmp_path / "newest", newest)
    imported = import_judgements(project=project, path=path, revised=True)

    assert (imported.judgements, imported.there_already, imported.revised) == (3, 2, 2)
    revised = Assignment.objects.get(submissions__number=2)
    assert list(
        revised.submissions.order_by("number").values_list("current", "judgements__segment_id")
    ) == [(current, pk) for current in (False, True) for pk in segment_ids(1)]
    placements = Placement.objects.filter(judgement__submission__number=2)
    assert placements.get(candidate__text="starý dům").rank == 2
    # The file of before is older now, but all of it is known.
    again = import_lines(project, tmp_path, at(10), at(20, HOUSE), at(20, NEAR), at(30, HOUSE))
    assert (again.judgements, again.there_already) == (0, 4)


def segment_ids(number: int) -> list[int]:
    segments = Segment.objects.filter(sentence__number=number)
    return list(segments.order_by("pk").values_list("pk", flat=True))


@pytest.mark.parametrize("line", [at(5, HOUSE), at(40, HOUSE)])
def test_only_a_later_judgement_of_all_segments_is_a_revision(
    tmp_path: Path, line: dict[str, Any]
) -> None:
    project = imported_project(tmp_path)
    import_lines(project, tmp_path, at(10, HOUSE), at(10, NEAR))
    path = write_lines(tmp_path / "newest", [line])

    with pytest.raises(ValueError, match=r"line 1: 'jana' judged this sentence on .* file lacks"):
        import_judgements(project=project, path=path, revised=True)


def test_a_file_of_later_judgements_only_has_repeats(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    import_lines(project, tmp_path, at(10))

    import_lines(project, tmp_path, at(20))

    assert assignment_kinds() == [("jana", 7, "first"), ("jana", 7, "intra")]


def test_judgements_of_the_projects_own_people_are_known(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    petr = User.objects.create_user("petr")
    judge(project, Segment.objects.get(sentence__number=7), petr)
    created = Judgement.objects.get().created.isoformat()
    ranks = dict.fromkeys(JUDGEMENT["ranks"], 1)
    line = JUDGEMENT | {"annotator": "petr", "created": created, "ranks": ranks}

    imported = import_lines(project, tmp_path, line)

    assert (imported.judgements, imported.there_already) == (0, 1)
    assert list(User.objects.all()) == [petr]


@pytest.mark.django_db(transaction=True)
def test_two_imports_at_the_same_time_store_a_judgement_once(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    path = write_lines(tmp_path / "j", [at(10), at(20), at(30, HOUSE)])

    def run(_import: int) -> tuple[int, int]:
        try:
            imported = import_judgements(project=project, path=path)
            return imported.judgements, imported.there_already
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(run, range(2))) == [(0, 3), (3, 0)]
    assert Judgement.objects.count() == 3


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


# --- texts in another encoding ---

CAFE, CAFE_DECOMPOSED = "kav\u00e1rna", "kava\u0301rna"
CAFES = [("1", "the caf\u00e9", "", "caf\u00e9", text, "1") for text in (CAFE, "podnik")]


@pytest.mark.parametrize("write", ["lines", "thesis"])
def test_texts_are_found_in_decomposed_form(tmp_path: Path, write: str) -> None:
    project = imported_project(tmp_path, rows=CAFES, systems=None)
    ranks = {CAFE_DECOMPOSED: 2, "podnik": 1}
    if write == "lines":
        line = JUDGEMENT | {"sentence": 1, "segment": "cafe\u0301", "indices": [1], "ranks": ranks}
        path = write_lines(tmp_path / "j", [line])
    else:
        path = write_json(tmp_path / "j", {"1,cafe\u0301": [ranks]})

    imported = [import_judgements(project=project, path=path) for _time in range(2)]

    assert [one.there_already for one in imported] == [0, 1]
    assert Placement.objects.get(candidate__text=CAFE).rank == 2


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


def test_the_thesis_json_adds_what_it_has_more_often(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    here = Segment.objects.get(sentence__number=1, token_indices="4")
    judge(project, here, User.objects.create_user("petr"))
    content = {"7,small cat": [RANKS, RANKS, RANKS | {"kočka": 1}], "1,near": [{"u": 1}]}
    import_judgements(project=project, path=write_json(tmp_path / "t.json", content))
    path = tmp_path / "spaced.json"
    path.write_text(json.dumps(content).replace("{", "{ ", 1))

    again = import_judgements(project=project, path=path)
    content["7,small cat"] += [RANKS, RANKS | {"kočka": 3}]
    longer = import_judgements(project=project, path=write_json(tmp_path / "l.json", content))

    # What was judged here counts beside the equal imported one.
    assert Judgement.objects.filter(segment=here).count() == 2
    assert again == ImportedJudgements("thesis JSON", 0, 0, there_already=4)
    assert longer == ImportedJudgements("thesis JSON", 2, 2, there_already=4)
    assert assignment_kinds()[-2:] == [("unknown 4", 7, "inter"), ("unknown 5", 7, "inter")]


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


def test_all_entries_that_are_wrong_are_named(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    content: Any = {
        "3,near": [{"u": 1}],
        "near": [{"u": 1}],
        "1,near": [{"u": 2}, {"u": 1}, {"v": 1}],
    }

    with pytest.raises(ValueError, match="4 problems:") as refusal:
        import_judgements(project=project, path=write_json(tmp_path / "t.json", content))

    keys = [
        line.partition(", key ")[2].partition(":")[0] for line in str(refusal.value).split("\n")
    ]
    assert keys[1:] == ["'near'", "'3,near'", "'1,near'", "'1,near'"]
