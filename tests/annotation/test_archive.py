import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.assignment import next_assignment
from annotation.importing import import_judgements, import_project
from annotation.judging import sheet, submit
from annotation.models import Assignment, Membership, Project, ShownCandidate, SignInLink, User
from tests.annotation.exchange_files import (
    JUDGEMENT,
    export,
    imported_project,
    row_counts,
    write_lines,
)
from tests.factories import make_annotator, make_project
from tests.installation import Installation

pytestmark = pytest.mark.django_db


def judged_here() -> Project:
    """Return a project with a submitted and an open assignment of a person of this place."""
    project = make_project(
        description="Old houses", instructions="Judge well.", intra_rate=0.25, min_length=1
    )
    jana = make_annotator(project, role="administrator")
    jana.email, jana.is_superuser, jana.is_staff = "jana@example.org", True, True
    jana.set_password("secret words")
    jana.save()
    SignInLink.objects.create(user=jana, token_hash="hash-of-a-token", expires=timezone.now())
    given = next_assignment(annotator=jana, project=project)
    assert given
    shown = sheet(given)
    keys = [card.key for segment in shown.segments for card in segment.cards]
    submit(
        annotator=jana,
        project=project,
        assignment_id=given.pk,
        token=shown.token,
        choices=dict.fromkeys(keys, 1) | {keys[0]: None},
    )
    next_assignment(annotator=jana, project=project)
    make_annotator(project, "petr")
    return project


def archive_file(project: Project, folder: Path) -> Path:
    export(project, folder, "archive")
    return folder / f"export-{project.pk}.archive"


def test_a_second_export_is_the_same_byte_for_byte(tmp_path: Path) -> None:
    project = judged_here()
    first = archive_file(project, tmp_path)
    project.name = "elsewhere"
    project.save()

    restored = import_project(path=first)

    assert archive_file(restored, tmp_path).read_bytes() == first.read_bytes()


def test_every_table_has_as_many_rows_again(tmp_path: Path) -> None:
    project = judged_here()
    before = row_counts()

    import_project(path=archive_file(project, tmp_path), name="again")

    after = row_counts()
    assert after.pop("SignInLink") == before.pop("SignInLink") == 1
    assert after.pop("Job") == before.pop("Job") == 0
    assert after == {name: 2 * count for name, count in before.items()}


def test_another_name_changes_only_the_name(tmp_path: Path) -> None:
    project = judged_here()
    first = archive_file(project, tmp_path)

    call_command("import_project", str(first), "--name", "again")

    lines = archive_file(Project.objects.get(name="again"), tmp_path).read_text().splitlines()
    was = first.read_text().splitlines()
    assert lines[1] == was[1].replace('"houses"', '"again"')
    assert lines[2:-1] == was[2:-1]


def test_an_open_assignment_keeps_its_order(tmp_path: Path) -> None:
    project = judged_here()

    restored = import_project(path=archive_file(project, tmp_path), name="again")

    def order(of: Project) -> list[Any]:
        shown = ShownCandidate.objects.filter(assignment__project=of, assignment__state="open")
        return list(shown.order_by("candidate_id").values_list("candidate__text", "position"))

    assert order(restored) == order(project) != []


def test_people_come_back_as_accounts_that_cannot_sign_in(tmp_path: Path) -> None:
    project = judged_here()

    restored = import_project(path=archive_file(project, tmp_path), name="again")

    jana, petr = restored.imported_accounts.order_by("pk")
    assert (jana.shown_name, petr.shown_name) == ("jana", "petr")
    assert not any([jana.is_active, jana.is_superuser, jana.is_staff, jana.email])
    assert not jana.has_usable_password()
    assert Membership.objects.get(user=jana).role == Membership.Role.ADMINISTRATOR
    assert Membership.objects.get(user=petr).project == restored
    # Here, jana is still herself.
    assert User.objects.get(username="jana").is_superuser
    assert set(restored.assignments.values_list("annotator", flat=True)) == {jana.pk}


def test_there_are_no_secrets_in_it(tmp_path: Path) -> None:
    project = judged_here()
    submitted = Assignment.objects.get(state="submitted")

    text = archive_file(project, tmp_path).read_text()

    password = User.objects.get(username="jana").password
    assert password
    for secret in (
        password,
        "hash-of-a-token",
        "jana@example.org",
        str(submitted.submission_token),
    ):
        assert secret not in text


def test_judgements_made_elsewhere_come_back(tmp_path: Path) -> None:
    project = imported_project(tmp_path)
    import_judgements(project=project, path=write_lines(tmp_path / "j", [JUDGEMENT]))
    first = archive_file(project, tmp_path)

    restored = import_project(path=first, name="again")

    assert export(restored, tmp_path, "json") == export(project, tmp_path, "json")
    assert restored.provenance["imports"] == project_imports(project)
    assert restored.imported_accounts.get().display_name == "jana"


def project_imports(project: Project) -> Any:
    project.refresh_from_db()
    return project.provenance["imports"]


def test_a_gzipped_archive_comes_back(tmp_path: Path) -> None:
    project = judged_here()
    path = tmp_path / "a.gz"
    call_command("export_project", "houses", str(path), "--format", "archive")

    restored = import_project(path=path, name="again")

    assert gzip.decompress(path.read_bytes()) == archive_file(project, tmp_path).read_bytes()
    assert restored.sentences.count() == project.sentences.count()


# --- what is refused -------------------------------------------------------------------------


def test_a_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    path = archive_file(judged_here(), tmp_path)
    before = row_counts()

    with pytest.raises(CommandError, match="'houses' already: choose another name with --name"):
        call_command("import_project", str(path))

    assert row_counts() == before


def sealed(lines: list[str]) -> str:
    """Return the archive with a count of placements and a checksum that fit."""
    body = "".join(line + "\n" for line in lines[:-1])
    end = json.loads(lines[-1])
    end["end"]["rows"]["placements"] = sum(
        rank is not None
        for line in lines
        for judgement in json.loads(line).get("assignment", {}).get("judgements", [])
        for rank in judgement["ranks"]
    )
    end["end"]["sha256"] = hashlib.sha256(body.encode()).hexdigest()
    return body + json.dumps(end) + "\n"


def edit(tag: str, change: Callable[[dict[str, Any]], None]) -> Callable[[list[str]], None]:
    """Return what changes the first record with this tag."""

    def edited(lines: list[str]) -> None:
        at = next(number for number, line in enumerate(lines) if line.startswith(f'{{"{tag}"'))
        value = json.loads(lines[at])
        change(value[tag])
        lines[at] = json.dumps(value)

    return edited


def first_judgement(record: dict[str, Any]) -> dict[str, Any]:
    judgement: dict[str, Any] = record["judgements"][0]
    return judgement


@pytest.mark.parametrize(
    ("forge", "message"),
    [
        (edit("sentence", lambda r: r["segments"][0]["indices"].append(99)), "index 99 is beyond"),
        (edit("sentence", lambda r: r.update(number=2)), "is refused by the database"),
        (
            edit("sentence", lambda r: r["segments"][0]["projections"].append(["X", 0])),
            "there is no system 'X'",
        ),
        (
            edit("sentence", lambda r: r["segments"][0]["projections"].append(["A", 9])),
            "'A' has a candidate that is not there",
        ),
        (edit("sentence", lambda r: r["translations"][0].update(system="X")), "no system 'X'"),
        (edit("assignment", lambda r: r.update(sentence=99)), "there is no sentence 99"),
        (edit("assignment", lambda r: r.update(annotator="X")), "there is no account 'X'"),
        (edit("assignment", lambda r: r.update(submitted=None)), "has no time of submission"),
        (edit("assignment", lambda r: first_judgement(r).update(segment=7)), "has no segment 7"),
        (edit("assignment", lambda r: first_judgement(r)["ranks"].append(1)), "4 values for the 3"),
        (
            edit("assignment", lambda r: first_judgement(r).update(ranks=[1, 1, 9])),
            "the rank 9 is not from 1 to 3",
        ),
        (
            edit("assignment", lambda r: first_judgement(r).update(ranks=[None] * 3)),
            "nothing is said of the candidates",
        ),
        (edit("account", lambda r: r.update(name="petr")), "there are two accounts 'petr'"),
        (edit("system", lambda r: r.update(name="B")), "there are two systems 'B'"),
        (edit("project", lambda r: r.update(min_length=7)), "segment lengths are not in order"),
        (edit("project", lambda r: r.update(name="x" * 201)), "'name' is not a text of 1 to 200"),
    ],
)
def test_an_archive_at_odds_with_itself_leaves_nothing(
    tmp_path: Path, forge: Callable[[list[str]], None], message: str
) -> None:
    project = judged_here()
    path = archive_file(project, tmp_path)
    project.name = "elsewhere"
    project.save()
    lines = path.read_text().splitlines()
    forge(lines)
    path.write_text(sealed(lines))
    before = row_counts()

    with pytest.raises(CommandError) as refusal:
        call_command("import_project", str(path))

    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert row_counts() == before


def test_a_damaged_archive_is_one_sentence_and_exit_status_one(
    tmp_path: Path, installation: Installation
) -> None:
    path = archive_file(judged_here(), tmp_path)
    path.write_text(path.read_text().replace("river", "RIVER", 1))
    installation.manage("migrate", "-v0")

    run = installation.manage("import_project", str(path), check=False)

    assert run.returncode == 1
    assert run.stdout == ""
    assert run.stderr.splitlines() == [
        f"Error: {path} is damaged or was changed: its checksum is not the one in its last line."
    ]
    assert installation.query("Project.objects.count()") == 0
