import gzip
import hashlib
import json
import os
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

from annotation.formats.errors import InputError
from annotation.models import User
from operations import backups
from operations.backups import backup, from_json, restore, to_json
from tests.annotation.import_export.exchange_files import (
    add_practice_and_controls,
    archive_file,
    worked_on,
)
from tests.installation import REPOSITORY, Installation

pytestmark = pytest.mark.databases
# Something in tables that no archive of a project has.
FILL = """
from datetime import timedelta
from django.contrib.sessions.backends.db import SessionStore
from django.core.files.base import ContentFile
from django.utils import timezone
from annotation.models import *
from annotation.models.stored_files import DatabaseStorage
jana = User.objects.create_user("boss", password="correct horse", display_name="Jana \\u017d.")
project = Project.objects.first()
Membership.objects.create(user=jana, project=project, role="administrator")
Membership.objects.filter(user=jana).update(id=5000)
week = timezone.now() + timedelta(days=7)
SignInLink.objects.create(user=jana, token_hash="f" * 64, expires=week)
data = bytes(range(256)) * 40
AlignmentPriors.objects.create(project=project, aligner="a", version="1", data=data)
DatabaseStorage().save("media/1/film", ContentFile(data * 100))
options = {"nothing": None, "deep": [1.5, {}, "\\u0159"]}
Job.objects.create(project=project, state="done", options=options)
Upload.objects.create(owner=jana, settings={})
session = SessionStore(); session["a"] = 1; session.create()
"""


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: Any) -> bytes:
    """A backup; the database is empty again."""
    with django_db_blocker.unblock():
        add_practice_and_controls(worked_on())
        exec(FILL, {})
        lines = b"".join(backup())
        call_command("flush", interactive=False, verbosity=0)
    return lines


@pytest.fixture
def whole(made: bytes, transactional_db: None) -> bytes:
    """A backup, and an empty database."""
    return made


def contents(made: bytes) -> list[str]:
    """Return the lines of a backup but those that tell when it was made, in any order."""
    lines = [json.loads(line) for line in made.splitlines()]
    assert lines[0]["format"] == "segranks-backup"
    assert lines[-1]["end"] is True
    # Databases differ in the order in which they keep the keys, too.
    return sorted(json.dumps(line, sort_keys=True) for line in lines[1:-1])


@pytest.mark.process
@pytest.mark.postgresql
@pytest.mark.django_db
def test_a_backup_of_sqlite_is_restored_in_postgresql(
    installed: Installation, tmp_path: Path, static_root: Path, postgresql_url: str
) -> None:
    there = Installation(tmp_path / "there", static_root)
    there.environment["DATABASE_URL"] = postgresql_url
    installed.call("import_project", str(archive_file(worked_on("News"), tmp_path)))
    installed.execute(FILL)
    file, again = tmp_path / "all.jsonl.gz", tmp_path / "again.jsonl"

    installed.manage("backup", str(file))
    there.manage("restore", str(file))

    # Passwords are valid, and new rows get new ids.
    assert there.query("User.objects.get(username='boss').check_password('correct horse')") is True
    there.call("backup", str(again))
    assert contents(again.read_bytes()) == contents(gzip.decompress(file.read_bytes()))
    there.call("add_user", "nora", "--project", "News", "--role", "annotator")
    assert there.query("Membership.objects.get(user__username='nora').pk") > 5000


def test_it_restores_everything(whole: bytes, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    file.write_bytes(whole)
    assert restore(file).rows == json.loads(whole.splitlines()[-1])["rows"]
    assert contents(b"".join(backup())) == contents(whole)
    assert User.objects.get(username="boss").check_password("correct horse")


def test_it_refuses_a_database_that_is_not_empty(whole: bytes, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    file.write_bytes(whole)
    User.objects.create(username="eva")
    with pytest.raises(InputError, match=r"not empty \(annotation_user has rows\)"):
        restore(file)
    assert list(User.objects.values_list("username", flat=True)) == ["eva"]


@pytest.mark.django_db
def test_the_file_is_for_its_owner_only(tmp_path: Path) -> None:
    umask = os.umask(0o022)
    try:
        call_command("backup", str(tmp_path / "all.jsonl"))
    finally:
        os.umask(umask)
    assert (tmp_path / "all.jsonl").stat().st_mode & 0o777 == 0o600


@pytest.mark.process
@pytest.mark.slow
def test_it_restores_a_gzipped_backup_from_standard_input(
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


def with_sum(lines: list[bytes]) -> bytes:
    """Return a whole file of these lines, whose last one fits the others again."""
    last = json.loads(lines[-1]) | {"sha256": hashlib.sha256(b"".join(lines[:-1])).hexdigest()}
    return b"".join(lines[:-1]) + json.dumps(last).encode() + b"\n"


def header(lines: list[bytes], **changed: object) -> list[bytes]:
    return [json.dumps(json.loads(lines[0]) | changed).encode() + b"\n", *lines[1:]]


def damaged(whole: bytes) -> dict[str, tuple[bytes, str]]:
    """Return damaged files by name, each with a part of the error."""
    lines = whole.splitlines(keepends=True)
    user = next(n for n, each in enumerate(lines) if b'"annotation.user"' in each) + 1
    changed = lines[user].replace(b"boss", b"toss") if b"boss" in lines[user] else b"[1]\n"
    first = json.loads(lines[0])
    later = [*first["migrations"], ["annotation", "9999_later"]]
    missing = [each for each in lines if b'"username"' not in each]
    columns, row = json.loads(lines[user - 1])["columns"], json.loads(lines[user])

    def with_value(column: str, value: object) -> bytes:
        """Return the file with another value of a user, and a fitting checksum."""
        values = [value if name == column else old for name, old in zip(columns, row, strict=True)]
        return with_sum([*lines[:user], json.dumps(values).encode() + b"\n", *lines[user + 1 :]])

    def instead(at: int, *others: bytes) -> bytes:
        return with_sum([*lines[:at], *others, *lines[at + 1 :]])

    def with_header(**changed: object) -> bytes:
        return with_sum(header(lines, **changed))

    last = json.loads(lines[-1])
    empty = next(n for n, each in enumerate(lines) if each == b'{"rows":0}\n')
    return {
        "a row that is too short": (instead(user, b"[1]\n"), "the row is malformed"),
        "a list for a text": (with_value("username", ["a"]), "username is a list"),
        "a number for a time": (with_value("date_joined", 5), "date_joined is a int"),
        "no time": (with_value("date_joined", "soon"), "the row is malformed"),
        "a text for a number": (with_value("id", "1"), "id is a str"),
        "too large a number": (with_value("id", 10**30), "the row is malformed"),
        "null": (with_value("username", None), "username is null"),
        "too long a text": (with_value("username", "a" * 200), "username has more than"),
        "NUL": (with_value("username", "a\0"), "NUL"),
        "a key twice": (instead(user - 1, b'{"table":"a","table":"b"}\n'), "twice"),
        "deep": (instead(user, b"[" * 100_000 + b"\n"), "The file is damaged"),
        "not UTF-8": (instead(user, b'["\xff"]\n'), "this is not JSON in UTF-8"),
        "columns that are none": (
            instead(user - 1, b'{"table":"annotation.user","columns":7}\n'),
            "a table should begin here",
        ),
        "a table twice": (
            instead(empty, lines[empty], lines[empty - 1], lines[empty]),
            "stands here again",
        ),
        "an empty table less": (
            with_sum([*lines[: empty - 1], *lines[empty + 1 :]]),
            "there is no table",
        ),
        "more after the end": (whole + b"[1]\n", "there is more"),
        "a false end": (
            b"".join([*lines[:-1], json.dumps(last | {"end": 1}).encode() + b"\n"]),
            "the last line is malformed",
        ),
        "migrations that are none": (with_header(migrations=[["annotation"]]), "the first line"),
        "migrations of numbers": (with_header(migrations=7), "the first line is malformed"),
        "no date": (with_header(made=None), "the first line is malformed"),
        "cut": (whole[: len(whole) // 2], "ends too early"),
        "cut after a line": (b"".join(lines[:-1]), "ends too early"),
        "packed and cut": (gzip.compress(whole)[:2000], "is a damaged gzip file"),
        "a row less": (b"".join(lines[:user] + lines[user + 1 :]), "rows are missing"),
        "another row": (b"".join([*lines[:user], changed, *lines[user + 1 :]]), "file is damaged"),
        "a line that is no row": (b"".join([*lines[:user], b"7\n", *lines[user:]]), "rows are"),
        "no JSON": (b"".join([*lines[:user], b"{]\n", *lines[user:]]), "this is not JSON"),
        "a table less": (with_sum(missing), "The file is damaged"),
        "no backup": (b"hello\n", "is no backup"),
        "nothing": (b"", "is no backup"),
        "another version": (b"".join(header(lines, version=2)), "is a backup of version 2"),
        "later": (b"".join(header(lines, migrations=later)), "annotation.9999_later is not known"),
    }


def test_it_reads_no_line_without_end(
    whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "all.jsonl"
    lines = whole.splitlines(keepends=True)
    monkeypatch.setattr(backups, "LONGEST_LINE", 100_000)
    file.write_bytes(lines[0] + b"[" + b" " * 1_000_000)
    with pytest.raises(InputError, match="line 2: the line has more than 100,000 bytes"):
        restore(file)
    assert not User.objects.exists()


def test_it_restores_nothing_of_a_damaged_file(whole: bytes, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    for name, (content, said) in damaged(whole).items():
        file.write_bytes(content)
        with pytest.raises(InputError) as refused:
            restore(file)
        assert said in str(refused.value), name
        assert "\n" not in str(refused.value)
        assert not User.objects.exists()
    file.write_bytes(whole)
    restore(file)
    assert contents(b"".join(backup())) == contents(whole)


@pytest.mark.process
@pytest.mark.slow
def test_it_restores_a_backup_of_an_earlier_version(
    whole: bytes, installation: Installation, tmp_path: Path
) -> None:
    lines = whole.splitlines(keepends=True)
    # A migration that only adds a table, which is empty here.
    later, table = ["axes", "0010_accessattemptexpiration"], b'"axes.accessattemptexpiration"'
    migrations = [key for key in json.loads(lines[0])["migrations"] if key != later]
    at = next(number for number, each in enumerate(lines) if table in each)
    del lines[at : at + 2]
    file = tmp_path / "all.jsonl"
    file.write_bytes(with_sum(header(lines, migrations=migrations)))

    installation.manage("restore", str(file))

    installation.manage("migrate", "--check")
    assert installation.query("User.objects.filter(username='boss').count()") == 1


@pytest.mark.django_db
def test_it_refuses_tables_that_are_later_than_the_backup(tmp_path: Path) -> None:
    lines = list(backup())
    migrations = json.loads(lines[0])["migrations"][:-1]
    file = tmp_path / "all.jsonl"
    file.write_bytes(with_sum(header(lines, migrations=migrations)))

    with pytest.raises(InputError, match="later than the backup"):
        restore(file)


@pytest.mark.django_db(transaction=True)
def test_a_backup_is_a_snapshot() -> None:
    User.objects.create(username="before")
    lines = backup()
    next(lines)

    def write() -> None:
        User.objects.create(username="afterwards")
        User.objects.filter(username="before").update(display_name="changed")
        connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    writer.join(30)
    text = b"".join(lines)
    assert b'"before"' in text
    assert b'"afterwards"' not in text
    assert b'"changed"' not in text
    assert User.objects.filter(username="afterwards").exists()


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
def test_json_keeps_every_value(field: Any, value: object) -> None:
    field.set_attributes_from_name("column")
    (back,) = from_json([field], json.loads(json.dumps(to_json([field], [value]))))
    back = bytes(back) if isinstance(back, memoryview) else back
    assert back == value
    assert type(back) is type(value)
