"""A backup brings everything back, on either database, or nothing."""

import gzip
import hashlib
import json
import subprocess
import sys
import threading
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command
from django.db import connection, models
from django.db.migrations.loader import MigrationLoader

from annotation.formats.errors import InputError
from annotation.import_export.archive_import import import_project
from annotation.models import User
from operations.backups import backup, restore
from operations.backups.records import plain, stored
from tests.installation import REPOSITORY, Installation

ARCHIVE = REPOSITORY / "tests" / "annotation" / "archive_version_2.jsonl"
# Something in tables that no archive of a project has.
FILL = """
from datetime import timedelta
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone
from annotation.models import *
jana = User.objects.create_user("jana", password="correct horse", display_name="Jana \\u017d.")
project = Project.objects.first()
Membership.objects.create(user=jana, project=project, role="administrator")
Membership.objects.filter(user=jana).update(id=5000)
week = timezone.now() + timedelta(days=7)
SignInLink.objects.create(user=jana, token_hash="f" * 64, expires=week)
data = bytes(range(256)) * 40
AlignmentPriors.objects.create(project=project, aligner="a", version="1", data=data)
options = {"nothing": None, "deep": [1.5, {}, "\\u0159"]}
Job.objects.create(project=project, state="done", options=options)
Upload.objects.create(owner=jana, settings={})
session = SessionStore(); session["a"] = 1; session.create()
"""


def fill() -> None:
    import_project(path=ARCHIVE, name="News")
    exec(FILL, {})


@pytest.fixture
def whole(transactional_db: None) -> bytes:
    """A backup; the database that it was made of is empty again."""
    fill()
    made = b"".join(backup())
    call_command("flush", interactive=False)
    return made


def contents(made: bytes) -> list[str]:
    """Return the lines of a backup but those that tell when it was made, in any order."""
    lines = [json.loads(line) for line in made.splitlines()]
    assert lines[0]["format"] == "segranks-backup"
    assert lines[-1]["end"] is True
    # Databases differ in the order in which they keep the keys, too.
    return sorted(json.dumps(line, sort_keys=True) for line in lines[1:-1])


@pytest.mark.postgresql
def test_everything_moves_to_postgresql_and_back(
    installed: Installation, tmp_path: Path, static_root: Path, postgresql_url: str
) -> None:
    first, there, back = installed, *(Installation(tmp_path / name, static_root) for name in "bc")
    there.environment["DATABASE_URL"] = postgresql_url
    first.call("import_project", str(ARCHIVE), "--name", "News")
    first.execute(FILL)
    file, other = tmp_path / "all.jsonl.gz", tmp_path / "again.jsonl"
    assert f"Everything is in {file}" in first.manage("backup", str(file)).stdout
    assert "is restored:" in there.manage("restore", str(file)).stdout
    assert archive(there) == archive(first)
    # Whoever could sign in can, and what is new gets a number of its own.
    assert there.query("User.objects.get(username='jana').check_password('correct horse')") is True
    there.manage("backup", str(other))
    assert contents(other.read_bytes()) == contents(gzip.decompress(file.read_bytes()))
    there.call("add_user", "nora", "--project", "News", "--role", "annotator")
    assert there.query("Membership.objects.get(user__username='nora').pk") > 5000
    back.manage("restore", str(other))
    assert archive(back) == archive(first)
    again = back.manage("backup", "-").stdout.encode()
    assert contents(again) == contents(other.read_bytes())


def archive(installation: Installation) -> str:
    return installation.manage("export_project", "News", "-", "--format", "archive").stdout


def test_everything_comes_back(whole: bytes, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    file.write_bytes(whole)
    assert restore(file).rows == json.loads(whole.splitlines()[-1])["rows"]
    assert contents(b"".join(backup())) == contents(whole)
    assert User.objects.get(username="jana").check_password("correct horse")


def test_what_sqlite_knows_of_tables_is_nothing_of_ours(whole: bytes, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    file.write_bytes(whole)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    assert restore(file).rows


def test_what_is_there_already_stays(whole: bytes, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    file.write_bytes(whole)
    User.objects.create(username="somebody")
    with pytest.raises(InputError, match=r"not empty \(annotation_user has rows\)"):
        restore(file)
    assert list(User.objects.values_list("username", flat=True)) == ["somebody"]


def test_the_file_is_for_its_owner_only(installed: Installation, tmp_path: Path) -> None:
    installed.manage("backup", str(tmp_path / "all.jsonl"))
    assert (tmp_path / "all.jsonl").stat().st_mode & 0o777 == 0o600


def test_a_packed_one_comes_through_a_pipe(
    whole: bytes, installation: Installation, tmp_path: Path
) -> None:
    restored = subprocess.run(
        [sys.executable, "manage.py", "restore", "-"],
        cwd=REPOSITORY,
        env=installation.environment,
        input=gzip.compress(whole),
        capture_output=True,
    )
    assert b" is restored: " in restored.stdout, restored.stderr
    assert contents(installation.manage("backup", "-").stdout.encode()) == contents(whole)


def test_tables_that_are_not_up_to_date_are_not_taken(installation: Installation) -> None:
    refused = installation.manage("backup", "-", check=False)
    assert refused.returncode == 1
    assert refused.stderr.startswith("Error: The tables are not up to date")


def with_sum(lines: list[bytes]) -> bytes:
    """Return a whole file of these lines, whose last one fits the others again."""
    last = json.loads(lines[-1]) | {"sha256": hashlib.sha256(b"".join(lines[:-1])).hexdigest()}
    return b"".join(lines[:-1]) + json.dumps(last).encode() + b"\n"


def header(lines: list[bytes], **changed: object) -> list[bytes]:
    return [json.dumps(json.loads(lines[0]) | changed).encode() + b"\n", *lines[1:]]


def spoilt(whole: bytes) -> dict[str, tuple[bytes, str]]:
    """Return spoilt files by what is wrong with each, with what is said of it."""
    lines = whole.splitlines(keepends=True)
    user = next(n for n, each in enumerate(lines) if b'"annotation.user"' in each) + 1
    changed = lines[user].replace(b"jana", b"hana") if b"jana" in lines[user] else b"[1]\n"
    first = json.loads(lines[0])
    later = [*first["migrations"], ["annotation", "9999_later"]]
    missing = [each for each in lines if b'"username"' not in each]
    return {
        "cut": (whole[: len(whole) // 2], "no complete backup"),
        "cut after a line": (b"".join(lines[:-1]), "no complete backup"),
        "packed and cut": (gzip.compress(whole)[:2000], "is a damaged gzip file"),
        "a row less": (b"".join(lines[:user] + lines[user + 1 :]), "rows are missing"),
        "another row": (b"".join([*lines[:user], changed, *lines[user + 1 :]]), "file is damaged"),
        "a line that is no row": (b"".join([*lines[:user], b"7\n", *lines[user:]]), "rows are"),
        "no JSON": (b"".join([*lines[:user], b"{]\n", *lines[user:]]), "this is not JSON"),
        "a table less": (with_sum(missing), "The file is damaged"),
        "no backup": (b"hello\n", "is no backup"),
        "an archive": (ARCHIVE.read_bytes(), "is no backup"),
        "nothing": (b"", "is no backup"),
        "another version": (b"".join(header(lines, version=2)), "is a backup of version 2"),
        "later": (b"".join(header(lines, migrations=later)), "annotation.9999_later is not known"),
    }


def test_a_spoilt_file_brings_nothing_back(whole: bytes, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    for name, (content, said) in spoilt(whole).items():
        file.write_bytes(content)
        with pytest.raises(InputError) as refused:
            restore(file)
        assert said in str(refused.value), name
        assert "\n" not in str(refused.value)
        assert not User.objects.exists()
    file.write_bytes(whole)
    restore(file)
    assert contents(b"".join(backup())) == contents(whole)


def test_a_backup_of_an_earlier_version_is_brought_up_to_date(
    whole: bytes, installation: Installation, tmp_path: Path
) -> None:
    file = tmp_path / "all.jsonl"
    file.write_bytes(before_chunks(whole.splitlines(keepends=True)))
    installation.manage("restore", str(file))
    installation.manage("migrate", "--check")
    found = "[User.objects.filter(username='jana').count(), Chunk.objects.count()]"
    assert installation.query(found) == [1, 0]
    # The tables are later than that backup now.
    installation.manage("flush", "--no-input")
    refused = installation.manage("restore", str(file), check=False)
    assert "The tables of the database are later than the backup" in refused.stderr


def before_chunks(lines: list[bytes]) -> bytes:
    """Return the backup as it was before there were chunks: without later tables and columns."""
    graph = MigrationLoader(connection).graph
    later = set(graph.backwards_plan(("annotation", "0010_chunks")))
    migrations = [key for key in map(tuple, json.loads(lines[0])["migrations"]) if key not in later]
    models_then = MigrationLoader(connection).project_state(migrations).apps.get_models(True)
    columns_then = {
        model._meta.label_lower: {field.attname for field in model._meta.concrete_fields}
        for model in models_then
    }
    kept, places = header(lines, migrations=migrations)[:1], None
    for each in lines[1:]:
        row = json.loads(each)
        if "end" in row:
            kept.append(each)
        elif "table" in row:
            known = columns_then.get(row["table"])
            places = known and [n for n, name in enumerate(row["columns"]) if name in known]
            row["columns"] = [row["columns"][place] for place in places or ()]
        elif isinstance(row, list) and places:
            row = [row[place] for place in places]
        if "end" not in row and places:
            kept.append(json.dumps(row).encode() + b"\n")
    return with_sum(kept)


@pytest.mark.django_db(transaction=True)
def test_it_is_of_one_moment() -> None:
    User.objects.create(username="before")
    lines = backup()
    next(lines)

    def write() -> None:
        User.objects.create(username="after")
        User.objects.filter(username="before").update(display_name="changed")
        connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    writer.join(30)
    text = b"".join(lines)
    assert b'"before"' in text
    assert b'"after"' not in text
    assert b'"changed"' not in text
    assert User.objects.filter(username="after").exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (models.DateTimeField(), datetime(2026, 2, 3, 4, 5, 6, 789_012, tzinfo=UTC)),
        (models.DateField(), date(2026, 2, 28)),
        (models.TimeField(), time(4, 5, 6, 7)),
        (models.DurationField(), timedelta(days=-3, microseconds=1)),
        (models.DecimalField(max_digits=9, decimal_places=3), Decimal("0.100")),
        (models.UUIDField(), UUID(int=7)),
        (models.BinaryField(), bytes(range(256))),
        (models.FloatField(), 0.1 + 0.2),
        (models.BigIntegerField(), 2**63 - 1),
        (models.BooleanField(), False),
        (models.TextField(), '"\\\n\u2028 ž'),
        (models.JSONField(), {"a": [None, 1.5, "ž"]}),
        (models.JSONField(), "text"),
        (models.IntegerField(null=True), None),
    ],
)
def test_no_value_is_changed_on_its_way(field: Any, value: object) -> None:
    field.set_attributes_from_name("column")
    (back,) = stored([field], json.loads(json.dumps(plain([field], [value]))))
    back = bytes(back) if isinstance(back, memoryview) else back
    assert back == value
    assert type(back) is type(value)
